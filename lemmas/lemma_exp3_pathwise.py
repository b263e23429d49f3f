r"""Exponential weights on delayed feedback, on every path. Not in the paper.

For any vectors l_t >= 0, any delays and x_t proportional to exp(-gamma O_t), where O_t is the part
of L_{t-1} = l_1 + ... + l_{t-1} that has arrived and M_t the rest,

    sum_t <l_t, x_t - x>  <=  ln A / gamma + gamma sum_t sum_i x_t(i) l_t(i) (M_t(i) + l_t(i)/2)

for every law x; the left side is linear in x, so each arm is enough. The bound has x_t and not the
law without delay: that is why one learner serves every mixture with the comparator, and why the
rate needs no cap.
"""

from fractions import Fraction

from flint import fmpq

from pbverify import Lemma, ProofsOf, changed, chosen, for_all_sizes, generated, leq, says
from pbverify.numerics import to_arb, to_fmpq
from pbverify.paper.cases.prudent_exp3.weighted_path import WeightedPath, weighted_paths
from pbverify.paper.sorts import WEIGHTED_PATHS

theory = ProofsOf("pbverify.paper.theories.prudent_exp3.exponential_weights")


def regret_le_stability(path):
    rate, entropy = to_fmpq(path.rate), to_arb(path.arms).log()
    bound = entropy / rate + rate * weighted(path, second_order(path))
    lost = weighted(path, path.estimate)
    for arm in range(path.arms):
        yield leq(lost - path.total(arm), bound, arm=arm)


def weighted(path, value):
    """The sum over rounds and arms of x_t(i) value(t, i)."""
    laws = enumerate(map(path.law, range(1, path.rounds + 1)), start=1)
    return sum((x * value(t, i) for t, law in laws for i, x in enumerate(law)), fmpq(0))


def second_order(path):
    return lambda t, i: path.estimate(t, i) * (path.missing(t, i) + path.estimate(t, i) / 2)


def regret_le_entropy_and_missing(path):
    """The bound without the squares of the losses."""
    rate, entropy = to_fmpq(path.rate), to_arb(path.arms).log()
    late = weighted(path, lambda t, i: path.estimate(t, i) * path.missing(t, i))
    lost = weighted(path, path.estimate)
    for arm in range(path.arms):
        yield leq(lost - path.total(arm), entropy / rate + rate * late, arm=arm)


def turning():
    """One large loss; the arm that was better loses next; an arm that keeps losing."""
    one, nothing = Fraction(1), Fraction(0)
    yield WeightedPath(one, ((Fraction(5, 3), nothing),), (0,))
    for delay in (0, 2):
        turns = ((one, nothing), (nothing, one)) * 10
        yield WeightedPath(Fraction(2), turns, (delay,) * 20)
        yield WeightedPath(Fraction(1, 50), ((one, nothing),) * 30, (delay,) * 30)


TURNING = chosen(turning, scope="one loss, losses that turn, losses that stay")

LEMMA = Lemma(
    "prudent-exp3",
    says(
        "sum <l_t, x_t - x> <= ln A/gamma + gamma sum_t sum_i x_t(i) l_t(i) (M_t(i) + l_t(i)/2)",
        regret_le_stability,
        step="pathwise",
        stronger=changed(regret_le_entropy_and_missing, on=TURNING),
    ),
    about=WEIGHTED_PATHS,
    by=(for_all_sizes(theory.PATHWISE, weighted_paths()), TURNING, generated(weighted_paths)),
    must_meet={
        "something is missing": lambda path: any(
            path.missing(t, i) > 0 for t in range(1, path.rounds + 1) for i in range(path.arms)
        ),
    },
)
