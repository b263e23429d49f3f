# %% [markdown]
# # 1. A tour: one delayed run of Prudent-Banker
#
# **The game.** In round $t$ the learner plays a law $x_t$ over $A$ arms and draws an arm. Its
# loss arrives $d_t$ rounds later. A *safe comparator* $x^c$ puts at least $\delta$ on every arm;
# the learner should hardly ever lose more than $x^c$, and still compete with the best arm.
#
# **The algorithm** mixes the comparator with a base learner, Banker-OMD, whose law is $\hat x_t$:
# $$x_t = \alpha\,\hat x_t + (1-\alpha)\,x^c .$$
#
# - A **phase** keeps $\alpha$. When the observed *gap* (how much $x^c$ lost beyond the best
#   response) exceeds the threshold $2\hat R+\hat\xi$, the comparator looks bad: *soft restart*,
#   $\alpha$ doubles.
# - A **stage** keeps the delay estimate $\hat D$, hence $\hat R(\hat D)$ and $\hat\xi(\hat D)$.
#   When the delay sum exceeds $\hat D$: *hard restart*, the estimate grows and $\alpha$ starts
#   over.
#
# The run below is short, so it uses the constants $\hat R = 2$, $\hat\xi = 1$; everything else is
# the `repaired` reading.

# %%
import pbverify as pb
from pbverify.figures.notebook import tour
from pbverify.figures.notebook.widgets import explore

instance = tour.tour_instance()
pb.run(instance, tour.presets()["repaired"])

# %% [markdown]
# ## What arrives when
# Look at round 16: three losses are missing, the delay sum passes the estimate, and a new stage
# begins. Feedback of an earlier phase that arrives later (bars that cross a line) is thrown away.

# %%
tour.arrivals()

# %% [markdown]
# ## Credits, aggression, gap
# Banker-OMD gives every round a scale $\sigma_t$. The round's feedback, once it arrives, *repays*
# that credit, and later rounds are paid out of it. While feedback is missing, rounds must
# *borrow*, and the regret bound contains the sum of what was borrowed. Look at the orange caps:
# they appear when the scale grows and whenever losses are missing.

# %%
tour.course()

# %% [markdown]
# Move the share of delayed rounds and the budget. (Without widgets you see the first choice.)

# %%
explore(
    tour.course,
    delayed=[0.35, 0.0, 0.1, 0.6],
    budget=[2, 1, 4, 8],
    reading=["appendix", "main", "repaired"],
)

# %% [markdown]
# ## The paper prints the algorithm twice, and the two differ
# A *reading* fixes every choice. `appendix` and `main` are the two printings; `repaired` is the
# variant whose proofs can be mended. Rows in which they differ:

# %%
tour.options()

# %% [markdown]
# Now all three on the same losses, delays *and actions*. Look at three things: `main` never
# restarts softly (its gap compares with the learner, not with the best response); `appendix`
# gains least per round, because its mirror steps start at the played mixture and so its base
# learner hardly leaves $x^c$; and the hard restarts fall in different rounds.

# %%
tour.readings()

# %% [markdown]
# ## Every single choice
# Which options matter on this run? Compare each strip with the first one.

# %%
tour.strips()

# %% [markdown]
# ## A claim about such runs, judged
# `pb.judge` judges any claim of the register by its id or by a label of the paper; here the lemma
# about delayed mass, with reduced sizes.

# %%
pb.judge("delayed-mass", profile="quick")

# %% [markdown]
# **Next:** [02_bounds](02_bounds.ipynb) puts both sides of every inequality side by side;
# [03_counterexamples](03_counterexamples.ipynb) shows what breaks.
