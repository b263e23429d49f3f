# %% [markdown]
# # 4. The lower bound: which rate the construction really gives
#
# The paper claims that safety costs order $\sqrt{D/\delta}$ under delay. Its construction cuts
# the rounds into *greedy buckets*, plays a batched game on them, and simulates a delayed learner
# by a batched one. Each step is right. The rate is not.

# %%
import pbverify as pb
from pbverify.figures.notebook import lower_bound
from pbverify.figures.notebook.widgets import explore

pb.show("price-of-safety")

# %% [markdown]
# ## Greedy buckets
# Bucket $m$ starts at $b_m$ and ends where the first of its losses arrives. Within a bucket the
# learner sees nothing of it, so a bucket is a *batch*. Its length is $L_m$; lengths never
# increase.

# %%
lower_bound.buckets()

# %% [markdown]
# The corollary's delays, $d_t=\min(q,T+1-t)$. Move $q$ and $N$: all buckets have length $q$, $D$
# grows like $Nq^2$, but $V_1/L_1=(N+1)q=T$.

# %%
explore(lower_bound.buckets, q=[4, 1, 2, 3, 6], N=[3, 1, 2, 5])

# %% [markdown]
# ## $V_j/L_j$ against $T$ and $D$
# The bound's leading term is $\frac{3}{256}\sqrt{V_j/(\delta L_j)}$ with $V_j=\sum_{m\ge
# j}L_m^2$. Since no later bucket is longer, $V_j\le L_j\sum_{m\ge j} L_m\le L_jT$: **delays
# cannot push it above $\sqrt{T/\delta}$**, which needs no delay at all.

# %%
lower_bound.ratios()

# %% [markdown]
# ## The two environments
# Arm 2 is slightly worse ($E_+$) or slightly better ($E_-$) than arm 1, by $\varepsilon_m$ in
# block $m$. Who is safe in $E_+$ hardly plays arm 2, and so cannot tell. Look at the middle
# panel: at the least margin that the lemma admits, the signal is as strong as it may be.

# %%
lower_bound.environments()

# %% [markdown]
# ## A delayed learner, simulated by a batched one
# Both draw from the same uniforms. Look at the arrows: none ends inside its own bucket.

# %%
lower_bound.simulation()

# %%
explore(
    lower_bound.simulation,
    j=[1, 2, 3],
    learner=["exp3", "prober", "committer", "prudent-repaired"],
    seed=[3, 1, 2],
)

# %% [markdown]
# ## Which rate
# Along three families of delays. For $q=1$ the claim is met up to constants, because there $D=T$
# (and, in the convention that the simulation announces, nothing is delayed at all). As soon as
# $q$ grows, the claimed $\sqrt{D/\delta}$ runs away. A different construction, with losses that
# are constant inside a bucket, does see the delay: it gives $\sqrt D+\sqrt{T/\delta}$, without
# the factor $\delta^{-1/2}$ on $\sqrt D$.

# %%
lower_bound.rates()

# %%
explore(lower_bound.rates, margin=lower_bound.MARGINS)
