"""Hard games, small learners, and the proof's quantities over all transcripts."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given

from pbverify.bandits.protocol import Feedback, Learner
from pbverify.errors import InputError
from pbverify.numerics import BallArithmetic, FloatArithmetic, to_arb, working_precision
from pbverify.paper.lower_bound.buckets import Bucketing
from pbverify.paper.lower_bound.families import hard_games
from pbverify.paper.lower_bound.grouped import GroupedQuantities, groups
from pbverify.paper.lower_bound.hard_environments import AnyGame, HardGame
from pbverify.paper.lower_bound.learner_in_game import DelayedStudy, Study
from pbverify.paper.lower_bound.learners import (
    DELAYED,
    Committer,
    Prober,
    Steady,
    contender,
    steady,
)
from pbverify.paper.lower_bound.quantities import MINUS, PLUS, Quantities
from pbverify.paper.lower_bound.simulation import Convention, Simulated, in_blocks
from pbverify.paper.lower_bound.transcripts import Leaf, transcripts

BALLS, HALF, QUARTER = BallArithmetic(), Fraction(1, 2), Fraction(1, 4)


@given(hard_games())
def test_tables_are_a_law(game: HardGame) -> None:
    """The chances of all tables sum to 1, and no signal of an admissible margin exceeds 1/4."""
    with working_precision(128):
        for sign in (1, -1):
            total = fmpq(0)
            for table in game.tables():
                chances = (
                    game.chance(variable, value, sign) for variable, value in enumerate(table)
                )
                total = total + math.prod(chances, start=fmpq(1))
            assert to_arb(total).contains(fmpq(1))
        signals = map(game.signal, range(len(game.lengths)))
        assert not any(to_arb(signal) > to_arb(QUARTER) for signal in signals)


def test_losses_by_hand() -> None:
    """Arm 1 takes the table's bits, slot by slot or block by block; other arms lose 1/2."""
    slotwise = HardGame((2, 1), QUARTER, arms=3)
    assert slotwise.losses((1, 0, 1)) == [[HALF, 1, HALF], [HALF, 0, HALF], [HALF, 1, HALF]]
    blockwise = HardGame((2, 1), QUARTER, constant=True)
    assert blockwise.losses((1, 0)) == [[HALF, 1], [HALF, 1], [HALF, 0]]


def test_the_proof_s_signal_by_hand() -> None:
    """kappa = 1/(32 sqrt(L_1 delta V)); constant losses cap L_1 delta at 1."""
    assert HardGame((2, 2), QUARTER).kappa == fmpq(1, 64)
    long = HardGame((4,), Fraction(1, 2), constant=True)
    assert long.spread == 1
    assert (long.kappa, long.gamma) == (fmpq(1, 128), fmpq(1, 32))


def test_the_comparator_is_the_paper_s() -> None:
    """(1 - (A-1) delta, delta, ..., delta), also for lengths and margins that are excluded."""
    fifth = Fraction(1, 5)
    assert HardGame((1,), fifth, arms=3).comparator == (3 * fifth, fifth, fifth)
    assert AnyGame((1,), fifth, 3).comparator == HardGame((1,), fifth, 3).comparator
    assert AnyGame((1, 2), Fraction(3, 4)).comparator == (QUARTER, Fraction(3, 4))


@pytest.mark.parametrize(
    ("lengths", "delta", "arms"),
    [((1, 2), QUARTER, 2), ((), QUARTER, 2), ((0,), QUARTER, 2), ((1,), Fraction(1), 2)],
)
def test_bad_games_are_refused(lengths: tuple[int, ...], delta: Fraction, arms: int) -> None:
    """Lengths that grow, no length, a length of 0, and a margin above 1/A are input errors."""
    with pytest.raises(InputError):
        HardGame(lengths, delta, arms)


def test_steady_never_changes() -> None:
    """Whatever happens, the law stays."""
    learner = Steady(BALLS, [Fraction(2, 3), Fraction(1, 3)])
    before = list(learner.play())
    learner.observe(1, [Feedback(1, fmpq(1))])
    assert list(learner.play()) == before == [fmpq(2, 3), fmpq(1, 3)]


def test_prober_counts_wins_on_arm_one() -> None:
    """(1 + wins)/(2 + seen), halved right after a play of arm 1; arm 0 teaches nothing."""
    learner = Prober(BALLS, arms=3)
    assert list(learner.play()) == [fmpq(1, 2), fmpq(1, 2), 0]
    learner.observe(1, [])
    assert list(learner.play()) == [fmpq(3, 4), fmpq(1, 4), 0]
    learner.observe(0, [Feedback(1, fmpq(0)), Feedback(2, fmpq(1, 2))])
    assert list(learner.play()) == [fmpq(1, 3), fmpq(2, 3), 0]


@pytest.mark.parametrize(("loss", "arm"), [(fmpq(0), 1), (fmpq(1), 0), (fmpq(1, 2), 0)])
def test_committer_goes_where_it_saw_less_loss(loss: fmpq, arm: int) -> None:
    """It tries arm 1 once and stays with it if its loss was below 1/2."""
    learner = Committer(BALLS, arms=2)
    assert list(learner.play()) == [0, 1]
    learner.observe(1, [Feedback(1, loss)])
    assert list(learner.play())[arm] == 1


@pytest.mark.parametrize("learner", [Prober(BALLS, arms=2), Committer(BALLS, arms=2)])
def test_forks_are_independent(learner: Learner) -> None:
    """What a copy sees stays with the copy."""
    learner.play()
    copy = learner.fork()
    copy.observe(1, [Feedback(1, fmpq(0))])
    learner.observe(1, [Feedback(1, fmpq(1))])
    assert list(copy.play()) != list(learner.play())


@pytest.mark.parametrize("name", [*DELAYED, "steady-1/4"])
def test_every_learner_starts_afresh_in_both_arithmetics(name: str) -> None:
    """Each plays a law on the arms asked for, and two of a kind share no state."""
    for arithmetic in (FloatArithmetic(), BallArithmetic()):
        first, second = (contender(name).make(arithmetic, 3, 10) for _ in range(2))
        assert first is not second
        delay = 1 if first.clairvoyant else None
        law = list(first.play(delay=delay))
        assert len(law) == 3
        assert abs(float(sum(arithmetic.to_float(p) for p in law)) - 1) < 1e-12


def test_learners_have_names() -> None:
    """The paper's learners are there, and steady ones; an unknown name is an input error."""
    wanted = {"prudent-appendix", "prudent-main", "prudent-repaired", "banker-omd", "exp3"}
    assert wanted | {"exp3-ix", "conservative-ucb", "safe-exp3-ix"} <= DELAYED.keys()
    assert contender("exp3") is DELAYED["exp3"]
    assert contender(steady(Fraction(1, 7)).name).name == "steady-1/7"
    with pytest.raises(InputError, match="learner=nobody"):
        contender("nobody")


def steady_leaves(game: HardGame) -> tuple[Leaf, ...]:
    return transcripts(in_blocks(Steady(BALLS, [HALF, HALF]), game.lengths), game)


@pytest.mark.parametrize("constant", [False, True])
def test_weights_sum_to_one_on_every_table(constant: bool) -> None:  # noqa: FBT001
    """Given a table of losses, the transcripts that agree with it are a law on actions."""
    game = HardGame((2, 1), Fraction(1, 4), constant=constant)
    leaves = transcripts(in_blocks(Prober(BALLS, arms=2), game.lengths), game)
    for table in game.tables():
        agreeing = [leaf for leaf in leaves if leaf.agrees(table)]
        assert sum(leaf.weight for leaf in agreeing) == 1
        assert {leaf.actions for leaf in agreeing} == set(itertools.product((0, 1), repeat=3))


def test_what_is_seen_is_what_was_played() -> None:
    """A variable is seen where arm 1 was played; with constant losses once per block."""
    for leaf in steady_leaves(HardGame((2, 1), HALF)):
        assert [v for v, _ in leaf.seen] == [s for s, a in enumerate(leaf.actions) if a == 1]
    for leaf in steady_leaves(HardGame((2, 1), HALF, constant=True)):
        blocks = [0] * (1 in leaf.actions[:2]) + [1] * (leaf.actions[2] == 1)
        assert [v for v, _ in leaf.seen] == blocks
    # One slot of an even law: three transcripts of weight 1/2, two of them exclusive.
    found = [((0,), ()), ((1,), ((0, 0),)), ((1,), ((0, 1),))]
    assert steady_leaves(HardGame((1,), HALF)) == tuple(Leaf(*each, fmpq(1, 2)) for each in found)
    with pytest.raises(InputError, match="slots=11"):
        steady_leaves(HardGame((11,), HALF))


FIELDS = ("plays", "observations", "log_ratio", "variation", "regret_to_comparator")


def unit_game(n: int, *, arms: int = 2, constant: bool = False) -> HardGame:
    return HardGame((1,) * n, Fraction(1, 64 * n), arms, constant=constant)


def player(name: str, game: HardGame) -> Simulated:
    return in_blocks(contender(name).make(BALLS, game.arms, game.slots), game.lengths)


@pytest.mark.parametrize(
    "game",
    [unit_game(1), unit_game(4, arms=3), unit_game(6), unit_game(5, constant=True)],
    ids=["one", "three arms", "six", "constant"],
)
def test_groups_give_what_transcripts_give(game: HardGame) -> None:
    """Every quantity of the proof is the same, exactly, and there are fewer groups."""
    plain = Quantities(game, transcripts(player("committer", game), game))
    grouped = GroupedQuantities(game, groups(player("committer", game), game))
    for field in (*FIELDS, "regret_to_best"):
        assert getattr(grouped, field) == getattr(plain, field), field
    for regret in ("safety_regret", "largest_regret"):
        own, other = getattr(grouped, regret), getattr(plain, regret)
        assert grouped.worst(own) == plain.worst(other)
        for sign in (PLUS, MINUS):
            assert grouped.average(own, sign) == plain.average(other, sign)
    assert to_arb(grouped.divergence).overlaps(to_arb(plain.divergence))
    assert len(grouped.leaves) == game.slots + 1 <= len(plain.leaves)


def test_weights_count_transcripts() -> None:
    """The groups of a game hold all its transcripts, and both laws are laws."""
    game = unit_game(6)
    found = groups(player("committer", game), game)
    assert sum(group.weight for group in found) == len(transcripts(player("committer", game), game))
    grouped = GroupedQuantities(game, found)
    for sign in (PLUS, MINUS):
        assert grouped.expectation(lambda leaf: fmpq(1), sign) == 1
        assert grouped.average(lambda table: fmpq(1), sign) == 1


def test_other_games_and_learners_are_refused() -> None:
    """Blocks of several slots, and learners that draw their actions, cannot be grouped."""
    longer = HardGame((2, 1), Fraction(1, 4))
    with pytest.raises(InputError, match="blocks of one slot"):
        groups(player("committer", longer), longer)
    game = unit_game(3)
    with pytest.raises(InputError, match="a deterministic learner"):
        groups(player("prober", game), game)


def found(name: str, *, lengths: tuple[int, ...] = (1,), constant: bool = False) -> Quantities:
    game = HardGame(lengths, QUARTER, kappa_as_given=Fraction(1, 10), constant=constant)
    return Study(game, contender(name)).found


def test_always_arm_one_in_one_slot() -> None:
    """N = W = 1; regrets are +-eps against 1/2; KL and TV are those of one Bernoulli pair."""
    q = found("steady-1")
    assert q.plays == q.observations == (fmpq(1),)
    assert q.share(PLUS) == q.share(MINUS) == 1
    assert q.variation == fmpq(1, 5)
    assert float(to_arb(q.divergence).mid()) == pytest.approx(0.2 * math.log(0.6 / 0.4))
    assert q.regret_to_comparator == fmpq(3, 40)  # eps (1 - delta)
    assert q.regret_to_best == 0
    assert q.tables == {(0,): (fmpq(-1, 2), fmpq(0)), (1,): (fmpq(1, 2), fmpq(0))}


def test_never_arm_one_learns_nothing() -> None:
    """Nothing differs between the environments, and the best arm is missed."""
    q = found("steady-0", lengths=(2, 1))
    assert q.divergence == q.variation == q.share(PLUS) == 0
    assert q.regret_to_best == fmpq(1, 2)  # kappa V
    assert q.regret_to_comparator == fmpq(-1, 8)  # -kappa V delta


def test_constant_losses_are_seen_once() -> None:
    """Two plays in a block count twice among plays, once among observations."""
    slotwise, blockwise = (found("steady-1", lengths=(2,), constant=c) for c in (False, True))
    assert slotwise.plays == slotwise.observations == blockwise.plays == (fmpq(2),)
    assert blockwise.observations == (fmpq(1),)


def test_averages_and_extremes_over_tables() -> None:
    """Averages over tables are expectations; the worst table for arm 1 is all ones."""
    q = found("prober", lengths=(2, 1))
    signal = q.game.kappa
    lost = sum(n * signal * length for n, length in zip(q.plays, q.game.lengths, strict=True))
    assert q.average(lambda table: q.tables[table][0], PLUS) == lost
    always = found("steady-1", lengths=(2, 1))
    assert always.worst(always.largest_regret) == fmpq(3, 2)
    assert always.worst(always.safety_regret) == fmpq(9, 8)


def test_delays_that_end_with_their_bucket_are_blocks() -> None:
    """Delays that reveal a block at its end, delivered before the next action, are the game."""
    delayed = DelayedStudy(Bucketing((2, 1, 1)), 1, Convention.BEFORE, QUARTER, contender("prober"))
    batched = Study(HardGame((2, 1), QUARTER), contender("prober"))
    assert delayed.game == batched.game
    for sign in (PLUS, MINUS):
        assert str(delayed.found.share(sign)) == str(batched.found.share(sign))


def test_the_prefix_enters_with_its_probability() -> None:
    """Weights over all prefixes give a law on every table; Lambda is ln D, D the total delay."""
    study = DelayedStudy(Bucketing((1, 1, 1)), 3, Convention.AFTER, QUARTER, contender("prober"))
    leaves = study.found.leaves
    for table in study.game.tables():
        assert sum(leaf.weight for leaf in leaves if leaf.agrees(table)) == 1
    assert to_arb(study.limit).overlaps(to_arb(3).log())


@pytest.mark.parametrize(
    "change",
    [{"delta": "2"}, {"delta": 0.1}, {"arms": "2"}, {"learner": "x"}, {"lengths": [1, 2]}],
    ids=str,
)
def test_bad_parameters_are_refused(change: dict[str, object]) -> None:
    """Every field of a witness is checked."""
    fields = Study(HardGame((2, 1), QUARTER), contender("exp3")).witness_fields()
    fields["parameters"].update(change)
    with pytest.raises(InputError):
        Study.rebuild(fields)


def test_long_games_are_grouped_where_that_is_possible() -> None:
    """The committer, which only counts, is met in a game that is too long for any other learner."""
    game = HardGame((1,) * 12, QUARTER)
    assert len(Study(game, contender("committer")).found.leaves) == 13
    with pytest.raises(InputError, match="slots=12"):
        _ = Study(game, contender("prober")).found
