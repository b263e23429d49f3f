# %% [markdown]
# # 6. The rate, settled: Prudent-EXP3 beside Prudent-Banker
#
# The paper calls $\sqrt{T/\delta}+\sqrt{D/\delta}$ unimprovable. It is not. *Prudent-EXP3*,
# delayed exponential weights inside phased aggression, keeps the regret to the comparator below
# $\Lambda$ at every horizon and pays $\widetilde O(\sqrt{T/\delta}+\sqrt D)$; every safe learner
# pays as much, up to logarithms. Losses and delays are oblivious, and the logarithm is not known
# to be necessary.

# %%
import pbverify as pb
from pbverify.figures.notebook import rate
from pbverify.figures.notebook.widgets import explore

pb.show("prudent-exp3")

# %% [markdown]
# ## Measured
# Losses $(1,\dots,1,0)$ and $T=10^6$, as `pbverify bench rate` prints them. Look right:
# Prudent-Banker is at its ceiling with any delay.

# %%
rate.regrets()

# %% [markdown]
# How regret grows: one slope for all settings, each with a level of its own. A learner that pays
# half of $T$ or more is left out, so of Prudent-Banker nothing is left to fit in $D$.

# %%
rate.exponents_table()

# %% [markdown]
# Side by side. Without delay, and not told $T$, Prudent-EXP3 pays more than Prudent-Banker, which
# is told $T$, in the rows with two arms and $\delta\ge 1/20$ and with ten arms and
# $\delta = 1/10$: there Banker-OMD is the better base learner. Told $T$, Prudent-EXP3 pays less in
# every row.

# %%
rate.side_by_side()

# %% [markdown]
# ## Bounds at numbers
# At $T=10^6$ the constants hide the rates. Far beyond it they do not: the claimed rate crosses
# what Prudent-EXP3 pays at most.

# %%
rate.bounds()

# %% [markdown]
# ## Safety

# %%
rate.safety()

# %% [markdown]
# ## Why Prudent-Banker pays $\sqrt{D/\delta}$
# At a constant delay $d$, Banker-OMD is $d+1$ learners that take turns.

# %%
rate.interleaved()

# %%
explore(rate.interleaved, delay=[2, 1, 3])

# %% [markdown]
# And if only the comparator's arm loses, a stage pays at least
# $(1-1/\hat R)(1-\delta)\min\{T, 2(\hat R-1)\}$ on every path: its first phase is that long.

# %%
rate.first_phase()
