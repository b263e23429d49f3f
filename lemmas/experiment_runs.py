r"""Who loses less in the experiment, and where the printed picture of alpha is (app:experiments).

The paper shows one run and no seed. Each sentence is judged as one about the experiment: more than
half of all draws of losses, delays and actions show it. The chance of that has a Clopper-Pearson
interval at level 1/1000, from seeds that were fixed after everything else.

    ordering      Prudent-Banker loses less than Safe-EXP3-IX and more than Conservative-UCB. Its
                  loss is within T/R^ < 1.1 of the comparator's on every path, so the comparator's,
                  moved by 1.1 to the unfavourable side, decides for every reading. 16 draws.
    zero line     Conservative-UCB ends closer to the best arm i* than Prudent-Banker,
                  |R*_UCB(T)| < |R*_PB(T)|, in at least two of the three delayed columns ("slightly
                  tighter to i*"; "close to the zero line in most columns"). The comparator's regret
                  is moved by 1.1 to the favourable side, so this can refute and cannot confirm, for
                  every reading. 20 draws: refuted if at most 2 show it.
    middle row    mostly positive under fixed delays, mostly negative under Pareto delays: 16 draws.
                  Negative "for a substantial interval" under geometric delays, read as a tenth of
                  the rounds in all: 64 draws, refuted if at most 18 show it, shown if 46 do.
    alpha         as printed, once the restart threshold is 1/512 of the printed one: 16 draws.

The column without delay, which only the main text shows, is judged for alpha alone.
Conservative-UCB needs a rule for ties. The paper prints none, and the two claims about this learner
rest on it: an arm is seen some 300 times before its UCB falls below 1, so nearly every choice is a
tie. They are judged under two readings of this learner: the first of equals, with which it stays
with an arm through its good blocks; and `random-ties`, with which it explores in every tenth round,
over all arms alike, as the comparator does with chance 0.099. Then which of the two loses more is
nearly a toss-up, which no sample of this size decides.

Ordering and zero line are judged for all readings at once; the middle row under `main` and
`repaired` (under `appendix` it stays within about 1e-4 of zero, on either side, and geometric
delays would need some hundreds of draws); alpha under `appendix`.
"""

import dataclasses
import functools
from fractions import Fraction

from pbverify import Lemma, Side, changed, expects, in_samples, says
from pbverify.paper.experiment.environment import DELAYED, REGIMES
from pbverify.paper.experiment.learners import COMPARATOR, PRUDENT, RANDOM_TIES, SAFE, UCB
from pbverify.paper.experiment.observations import named
from pbverify.paper.experiment.sample import (
    LEVEL,
    Draws,
    Sample,
    most_columns_show,
    most_draws_show,
)
from pbverify.paper.sorts import DRAWS

SCALED = f"{PRUDENT}.appendix.threshold-1-512"
READINGS = ("main", "repaired")
FIRST = 784_770_815
"""First seed of the sample, drawn after sizes, scale and observations were final."""
FIRST_AT_ZERO, FIRST_GEOMETRIC = 731_178_808, 513_236_849
"""First seeds of the samples for the zero line and for geometric delays, each drawn and run once,
after the number of draws, the level and what a draw must show had been written down above."""

SAMPLE = Sample(
    FIRST,
    (
        *((name, DELAYED) for name in (COMPARATOR, UCB, SAFE)),
        (SCALED, tuple(REGIMES)),
        *((f"{PRUDENT}.{reading}", ("fixed", "pareto")) for reading in READINGS),
    ),
)
AT_ZERO_SAMPLE = Sample(
    FIRST_AT_ZERO, tuple((name, DELAYED) for name in (COMPARATOR, UCB)), seeds=20
)
GEOMETRIC_SAMPLE = Sample(
    FIRST_GEOMETRIC, tuple((f"{PRUDENT}.{name}", ("geometric",)) for name in READINGS), seeds=64
)
FIRST_RANDOM_TIES = 348_774_565
"""First seed of the sample with ties broken at random, drawn and run once, likewise."""
RANDOM_TIES_SAMPLE = Sample(
    FIRST_RANDOM_TIES, tuple((name, DELAYED) for name in (COMPARATOR, f"{UCB}.{RANDOM_TIES}"))
)
APART = Fraction(11, 10)
TIES, RANDOM = " (ties to the first arm)", " (ties broken at random)"
COLUMNS = "fixed, geometric and Pareto delays"
NO_FIRST_COLUMN = f"{COLUMNS}, not the main text's column without delay"


def drawn(sample, own, columns, *, moved=0, **options):
    """The sample, in which a learner stands for Prudent-Banker, its regret moved."""

    def draws(reading, profile):
        yield Draws(sample.within(profile), own.format(reading=reading), Fraction(moved))

    def scope(draws):
        part = f"first {draws.sample.seeds} of " if draws.sample.seeds < sample.seeds else ""
        return f"{part}{sample.seeds} draws, {columns}"

    def level(profile):
        return float(LEVEL) if sample.within(profile) == sample else None

    return in_samples(draws, scope=scope, level=level, **options)


def most_draws(id, regimes, *, step="", where="", by, contrary=changed):
    """More than half of all draws show what the paper says it sees; or, known false, they do not.

    Half of a probability, the automatic strengthening, can never exceed 1/2: hence the contrary.
    """
    observation = named(id)
    denied = dataclasses.replace(observation, shows=lambda seed: not observation.shows(seed))

    def shown(draws):
        yield from most_draws_show(draws, observation, regimes)

    def not_shown(draws):
        yield from most_draws_show(draws, denied, regimes)

    words = f"1/2 < P({observation.printed}){where}"
    stronger = contrary(not_shown) if contrary else ()
    return says(words, shown, step=step or id, by=by, stronger=stronger)


def closer_in_most_columns(draws):
    yield from most_columns_show(draws, named("conservative-ucb-at-zero"), DELAYED)


def closer_to_zero(sample, *, ties, step):
    return expects(
        f"P(|R*_PB(T)| <= |R*_UCB(T)| in two delayed columns of three) < 1/2{ties}",
        drawn(
            sample,
            COMPARATOR,
            NO_FIRST_COLUMN,
            moved=APART,
            about=DRAWS,
            then=closer_in_most_columns,
            side=Side.AT_LEAST,  # moved to the favourable side, Prudent-Banker misses no less
        ),
        step=step,
    )


def in_middle_row(id, sample, regime, *, contrary=None):
    own = drawn(sample, PRUDENT + ".{reading}", f"{regime} delays only")
    return most_draws(id, (regime,), by=own, contrary=contrary)


def at_small_threshold(id, columns):
    return most_draws(
        id,
        named(id).regimes,
        step=f"{id}/threshold-1-512",
        where=", threshold times 1/512",
        by=drawn(SAMPLE, SCALED, columns),
    )


LEMMA = Lemma(
    "experiment",
    most_draws(
        "below-safe-exp3-ix", DELAYED, by=drawn(SAMPLE, COMPARATOR, NO_FIRST_COLUMN, moved=APART)
    ),
    most_draws(
        "above-conservative-ucb",
        DELAYED,
        where=TIES,
        by=drawn(SAMPLE, COMPARATOR, NO_FIRST_COLUMN, moved=-APART),
    ),
    most_draws(
        "above-conservative-ucb",
        DELAYED,
        step="above-conservative-ucb/random-ties",
        where=RANDOM,
        by=drawn(RANDOM_TIES_SAMPLE, COMPARATOR, NO_FIRST_COLUMN, moved=-APART),
        contrary=None,
    ),
    closer_to_zero(AT_ZERO_SAMPLE, ties=TIES, step="conservative-ucb-at-zero"),
    closer_to_zero(RANDOM_TIES_SAMPLE, ties=RANDOM, step="conservative-ucb-at-zero/random-ties"),
    in_middle_row(
        "above-comparator-under-fixed",
        SAMPLE,
        "fixed",
        contrary=functools.partial(changed, reading="repaired"),
    ),
    in_middle_row("below-comparator-under-geometric", GEOMETRIC_SAMPLE, "geometric"),
    in_middle_row("below-comparator-under-pareto", SAMPLE, "pareto"),
    at_small_threshold("alpha-without-delay", "no delay"),
    at_small_threshold("alpha-under-delay", COLUMNS),
    about=DRAWS,
)
