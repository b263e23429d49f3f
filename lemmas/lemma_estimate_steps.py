r"""The doubling update on integers (lem:delay-estimator, eq:doubling_bounds).

The proof sets D^_(s+1) = 2^m D^_s with the least m >= 1 such that 2^m D^_s >= D, where D > D^_s is
the delay that ends the stage, and concludes

    2^(m-1) D^_s < D <= 2^m D^_s = D^_(s+1) < 2 D.

The algorithm prints D^_(s+1) = 2^ceil(log2 D) instead. Since D^_1 = 1, all estimates are powers of
two, and the two updates are the same. Readings whose update is another are not concerned.
"""

from pbverify import Lemma, ProofsOf, drop, equal, every, for_all_sizes, leq, less, says
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.sorts import ANY_UPDATES, UPDATES
from pbverify.paper.without.unchecked_cases import AnyUpdate

powers_of_two = ProofsOf("pbverify.paper.theories.delays.powers_of_two")


def updates_agree(update):
    yield equal(update.printed, update.before << update.doublings, update="printed")


def delay_lies_between(update):
    m, before, D = update.doublings, update.before, update.D
    yield less(before << (m - 1), D, side="below")
    yield leq(D, before << m, side="above")
    yield less(before << m, 2 * D, side="twice")


def delay_exceeds_the_estimate(update):
    return update.before < update.D


def powers(profile):
    return 6 + profile.exhaustive_size // 2


def all_updates(profile):
    """All powers of two and all delays above them, up to a bound."""
    for power in range(powers(profile)):
        for D in range((1 << power) + 1, (1 << powers(profile)) + 1):
            yield Update(power, D)


def small_updates():
    """All powers of two up to 16 and all delays above them up to 40."""
    return [Update(power, D) for power in range(5) for D in range((1 << power) + 1, 41)]


def number_of_updates(profile):
    return sum((1 << powers(profile)) - (1 << power) for power in range(powers(profile)))


LEMMA = Lemma(
    "doubling-estimate",
    says(
        "2^(m-1) D^_s < D <= 2^m D^_s = 2^ceil(log2 D) < 2 D for the least m >= 1",
        updates_agree,
        delay_lies_between,
        step="least-power",
        given=delay_exceeds_the_estimate,
        drops=(
            drop(
                "D > D^_s",
                cases=lambda: (Update(power, D) for power in range(3) for D in range(1, 9)),
                scope="all estimates up to 4 and delays up to 8",
            ),
            drop(
                "D^_1 is a power of two",
                cases=lambda: (AnyUpdate(before, D) for before in range(1, 4) for D in range(4, 9)),
                scope="all estimates up to 3 and delays from 4 to 8",
                given=(delay_exceeds_the_estimate,),
                about=ANY_UPDATES,
            ),
        ),
    ),
    about=UPDATES,
    by=(
        for_all_sizes(powers_of_two.UPDATE, small_updates),
        every(
            all_updates,
            count=number_of_updates,
            scope=lambda profile: f"all estimates and delays up to {1 << powers(profile):,}",
        ),
    ),
    must_meet={
        "one doubling": lambda update: update.doublings == 1,
        "several doublings": lambda update: update.doublings > 1,
        "D a power of two": lambda update: update.D & (update.D - 1) == 0,
    },
)
