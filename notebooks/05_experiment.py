# %% [markdown]
# # 5. The experiment: what the stated constants do
#
# The paper compares Prudent-Banker with Conservative-UCB and Safe-EXP3-IX on $T=50{,}000$ rounds,
# $A=100$ arms, $\delta=1/1000$, under several delay models. Here it runs at those sizes, with the
# printed constants, and then with a scaled threshold. (`pbverify experiment` runs more seeds and
# judges every printed observation.)

# %%
import pbverify as pb
from pbverify.figures.notebook import experiment as printed_experiment
from pbverify.figures.notebook.tables import table
from pbverify.figures.notebook.widgets import explore

experiment = printed_experiment.run()
pb.show("experiment")

# %% [markdown]
# ## Before any run: what the constants allow
# With $A=100$ and $\delta=1/1000$ the budget is $\hat R\approx 46{,}000$ and the threshold about
# twice that. One loss adds at most $1/(1-\alpha)$ to the gap, so after 50,000 rounds it is still
# below the threshold: **no soft restart can ever happen**, whatever the losses.

# %%
printed_experiment.allowance(experiment)

# %% [markdown]
# ## The paper's figure, with the printed constants
# Look at the bottom row: $\alpha$ starts at $2\cdot10^{-5}$ and only ever falls. Prudent-Banker
# plays the comparator; the middle row, a ten-thousandth of one loss, is all that it does
# differently. The printed figure, with $\alpha$ rising to 1 and falling back, cannot come from
# these constants.

# %%
printed_experiment.figure(experiment)

# %% [markdown]
# Median regret to the best arm after $T$ rounds, in units of loss. The three readings agree with
# "always the comparator" to all digits shown.

# %%
table(printed_experiment.regrets(experiment))

# %% [markdown]
# ## A scaled threshold
# Multiply the threshold by a scale and the printed picture appears, but only far below 1.

# %%
printed_experiment.scales(experiment)

# %% [markdown]
# In how many of the seeds does $\alpha$ move as the paper shows it?

# %%
table(printed_experiment.restarts(experiment))

# %% [markdown]
# The paper's figure at the smallest of these scales, and any other by the slider. Safety has its
# price there: look at the middle row without delay.

# %%
explore(printed_experiment.Scaled(experiment), scale=printed_experiment.SCAN[::-1])
