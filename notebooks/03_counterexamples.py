# %% [markdown]
# # 3. Counterexamples: what is false, why, and what holds instead
#
# Every refuted claim of the paper with a small case. The cases are kept in `witnesses/`; both sides
# are computed again here, in exact numbers or enclosures, and a case that no longer refutes its
# claim is an error. (Only cases that consist of many long runs are shown with the numbers that
# their files state; `pbverify replay` computes those again.) Beside each claim stands its repair:
# another form of the claim, or the same claim for another reading of the algorithm.
#
# The statements that fail come first, told and drawn as in the report. The pictures of all refuted
# claims follow. Each says whose claim it shows: *as printed*, a *step of the proof*, a meaning that
# is *printed nowhere*, or *our repair*. In the bar charts the left side is blue and the right side
# orange; in the curves the reddish background is where a claim fails; a rate is shown as the ratio
# of its two sides with the slope that it tends to.

# %%
import pbverify as pb
from pbverify.figures.notebook.collection import REST, Album
from pbverify.figures.notebook.tables import table
from pbverify.figures.notebook.widgets import show

album = Album.load()
show(album.findings())

# %% [markdown]
# ## All refuted claims
# Both sides of the violated relation; a claim about rates has none. Why each claim fails is told
# below its picture.

# %%
table(album.rows())

# %% [markdown]
# ## Credits and mirror steps
# The appendix lets the mirror step of round $u$ start at the *played* mixture $x_u$, the main
# text at the *base* iterate $\hat x_u$. Only the latter supports the proof: with the former the
# regret of the base learner is linear, because $\hat x_t$ hardly leaves $x^c$ while $\alpha$ is
# small. The other failures of this lemma are slips in constants; the tuned bound survives them.

# %%
show(album.section("credits and mirror steps"))

# %% [markdown]
# ## Delays and missing feedback
# The proof says that $\alpha<1$ implies $\alpha\le\frac12$. It does if $\hat R$ is a power of
# two, which no printing asks for. Look at $\alpha=0.997$: one missing loss weighs
# $1/(1-\alpha)\approx 300$, not 2.

# %%
pb.show("lem:missing")

# %% [markdown]
# Any case can be computed again:

# %%
pb.replay(album.witness("missing-feedback"))

# %%
show(album.section("delays and missing feedback"))

# %% [markdown]
# ## Phases
# A phase may inherit a huge delay estimate from an earlier stage while it has no delay itself.
# Then $\alpha$ is tiny, the played law stays at $x^c$, and the regret is linear, although the
# printed bound knows only the phase's own delay.

# %%
show(album.section("phases"))

# %% [markdown]
# ## The lower bound
# Its construction never gives more than order $\sqrt{T/\delta}$;
# [04_lower_bound](04_lower_bound.ipynb) shows why.

# %%
show(album.section("lower bound"))

# %% [markdown]
# ## The theorem
# What the global theorem and its corollary add up, and where the sum is not what is printed.

# %%
pb.show("thm:main")

# %%
show(album.section("theorem"))

# %% [markdown]
# ## Everything else

# %%
show(album.section(REST))
