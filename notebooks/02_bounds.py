# %% [markdown]
# # 2. The bounds: where they bite, where they are loose, where they break
#
# Every claim of the paper is a family of pairs *left side* $\le$ *right side*. This notebook
# shows both sides: as curves where they are formulas, as clouds of measured cases where they are
# not. A ratio of 1 means that the bound is attained. Pictures decide nothing: verdicts come from
# `pbverify verify`, with exact numbers and enclosures.

# %%
import pbverify as pb
from pbverify.figures.notebook import bounds
from pbverify.figures.notebook import collection as album
from pbverify.figures.notebook.counterexamples import stated_sides, witnesses_in
from pbverify.figures.notebook.measured import clouds
from pbverify.figures.notebook.tables import table
from pbverify.figures.notebook.widgets import explore

library = album.library_here()

# %% [markdown]
# ## The constants, in rounds
# The budget $\hat R(D)=\sqrt{C_1C_2}\,(3\sqrt T+7\sqrt{2D\ln(D+1)})$ bounds a regret, and no
# regret exceeds $T$. With negative entropy $C_1=\ln A$ and $C_2=1/\delta$. Look at the dots: to
# their left the bound is weaker than saying nothing. Look at the right panel: the paper's slack
# is $2/\delta$ times the number of rounds that can be missing at all.

# %%
bounds.constants()

# %% [markdown]
# Move the number of arms, the margin and the delay.

# %%
explore(
    bounds.constants, A=[10, 2, 5, 20], delta=[0.05, 0.001, 0.01, 0.02], D=[1000, 1, 100, 100000]
)

# %% [markdown]
# ## Every closed-form step
# One strip per inequality, from the least to the largest value of one of its variables.
# Vermillion is where a step of the paper fails, with the value at which that changes.

# %%
bounds.overview(library)

# %% [markdown]
# The failing ones, with both sides:

# %%
bounds.failing(library)

# %% [markdown]
# Look at any step by name.

# %%
explore(bounds.Steps(library), step=bounds.step_names(library))

# %% [markdown]
# The same prover takes an inequality of your own.

# %%
pb.prove("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"], ["D"])

# %% [markdown]
# ## What cannot be proved by a formula is measured
# Small cases exhaustively, larger ones generated, and the known counterexamples; the same ones
# every time.

# %%
measured = clouds(library, stated_sides(witnesses_in(album.kept_here()).values()))
bounds.cloud_picture(measured, library)

# %% [markdown]
# Three of these claims, case by case. Left, a bound that is attained; in the middle, one that
# fails by a hair, and only for phases of 17 rounds or more; right, one that fails badly: the
# appendix starts mirror steps at the played mixture.

# %%
bounds.scatter_picture(
    measured,
    "missing-feedback/count",
    "banker-regret/inverse-scale-sum",
    "banker-pathwise [appendix]",
)

# %% [markdown]
# ## How tight
# `least factor c`: on the pairs looked at, left side $\le c\,\cdot$ right side needs at least
# this $c$. A smaller constant in the paper would be refuted by these very cases; above 1, the
# printed one is.

# %%
table(bounds.tightness(measured, library))

# %% [markdown]
# ## Constants that could be printed instead
# For these the prover encloses the smallest constant that holds for *all* parameter values:
# proved there, refuted just below.

# %%
table(bounds.best_constants(library))
