"""Printed observations judged on an experiment: plan, findings, page and tables."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction

import pytest

from pbverify.claims.verdict import Outcome
from pbverify.errors import InputError
from pbverify.numerics import Truth
from pbverify.paper.algorithm.schedule import Scales
from pbverify.paper.experiment import findings
from pbverify.paper.experiment.cells import Measured
from pbverify.paper.experiment.environment import REGIMES
from pbverify.paper.experiment.learners import PRUDENT, SAFE, UCB
from pbverify.paper.experiment.observations import OBSERVATIONS, find, named
from pbverify.paper.experiment.page import files, number, tables
from pbverify.paper.experiment.plan import Experiment, Plan


def test_every_cell_is_planned_once() -> None:
    """Seeds times settings times learners; the unscaled scan is a cell that is there already."""
    plan = Plan(seeds=2, readings=("main",), scan=(Fraction(1), Fraction(1, 8)))
    assert len(plan.cells) == len(set(plan.cells)) == 2 * len(REGIMES) * (1 + 6 + 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"seeds": 0}, "1 <= seeds <= 10000 but got seeds=0"),
        ({"scales": Scales(budget=Fraction(1, 10**10))}, "from 1e-9 to 1e9 but got budget-scale"),
    ],
)
def test_wrong_plans_are_named(changes: dict[str, object], message: str) -> None:
    """A plan that cannot be run is an input error."""
    with pytest.raises(InputError, match=message):
        Plan(**changes)  # type: ignore[arg-type]


def test_the_picture_is_found_at_the_small_scale(small_experiment: Experiment) -> None:
    """At the printed threshold no seed shows it, at 1/2000 all do; a seed has seven learners."""
    assert set(small_experiment.picture_counts(Fraction(1)).values()) == {0}
    assert small_experiment.picture_counts(Fraction(1, 2000))["no-delay"] == 3
    views = small_experiment.seeds(small_experiment.plan.prudent("repaired"), "pareto")
    assert [len(view) for view in views] == [7, 7, 7]


def seed(
    *, prudent: float = 5.0, ucb: float = 1.0, safe: float = 9.0, **own: float
) -> dict[str, Measured]:
    figures = {"alpha_last": 1.0, "alpha_falls": 0.0, "alpha_most": 1.0, "alpha_cycles": 0.0}
    figures |= {"share_below_comparator": 0.0, "regret": prudent, **own}
    return {
        PRUDENT: Measured(figures, {}),
        UCB: Measured({"regret": ucb}, {}),
        SAFE: Measured({"regret": safe}, {}),
    }


@pytest.mark.parametrize(
    ("id", "shown", "not_shown"),
    [
        ("alpha-without-delay", {}, {"alpha_last": 0.5}),
        ("alpha-without-delay", {}, {"alpha_falls": 1.0}),
        ("alpha-under-delay", {"alpha_cycles": 2.0}, {"alpha_cycles": 1.0}),
        ("below-safe-exp3-ix", {}, {"safe": 5.0}),
        ("above-conservative-ucb", {}, {"ucb": 6.0}),
        ("conservative-ucb-at-zero", {"ucb": -4.0}, {"ucb": -6.0}),
        ("above-comparator-under-fixed", {}, {"share_below_comparator": 0.5}),
        ("below-comparator-under-geometric", {"share_below_comparator": 0.1}, {}),
        ("below-comparator-under-pareto", {"share_below_comparator": 0.6}, {}),
    ],
)
def test_a_seed_shows_it_or_not(
    id: str, shown: dict[str, float], not_shown: dict[str, float]
) -> None:
    """Each sentence is true of one seed and false of another."""
    assert named(id).shows(seed(**shown))
    assert not named(id).shows(seed(**not_shown))


def test_observations_are_about_known_settings() -> None:
    """Every observation has an id of its own and delay settings that exist."""
    assert len({observation.id for observation in OBSERVATIONS}) == len(OBSERVATIONS)
    for observation in OBSERVATIONS:
        assert observation.regimes
        assert set(observation.regimes) <= set(REGIMES)


@pytest.mark.parametrize(
    ("hits", "outcome"), [(10, Outcome.HOLDS), (6, Outcome.UNDECIDED), (0, Outcome.REFUTED)]
)
def test_most_draws_at_a_level(hits: int, outcome: Outcome) -> None:
    """Ten of ten seeds decide at 1%, six do not; figures are summarised."""
    seeds = [seed(safe=6.0 + k) for k in range(hits)] + [seed(safe=0.0)] * (10 - hits)
    finding = find(named("below-safe-exp3-ix"), "fixed", seeds, level=Fraction(1, 100))
    assert (finding.hits, finding.seeds, finding.outcome) == (hits, 10, outcome)
    assert finding.least <= finding.median <= finding.most


def test_every_observation_is_judged_in_its_settings(small_experiment: Experiment) -> None:
    """Once per reading and delay setting."""
    rows = findings.judged(small_experiment)
    keys = {(row.reading, row.finding.observation.id, row.finding.regime) for row in rows}
    assert len(keys) == len(rows) == 2 * sum(len(o.regimes) for o in OBSERVATIONS)
    assert all(row.finding.seeds == 3 for row in rows)


def test_constants_agree_with_the_runs(small_experiment: Experiment) -> None:
    """Where soft restarts are impossible nothing seen exceeds what is possible."""
    for row in findings.constants_rows(small_experiment):
        assert row.forbids is Truth.YES
        assert row.seen_gap <= row.most_gap <= row.threshold
        assert row.seen_apart <= row.most_apart


def test_tables_have_a_row_per_setting_or_learner(small_experiment: Experiment) -> None:
    """Delays and ends by delay setting, final regrets by learner, budgets over all runs."""
    delays = {row.regime: row for row in findings.delay_rows(small_experiment)}
    assert list(delays) == list(REGIMES)
    assert delays["no-delay"].totals == (0, 0, 0)
    assert delays["fixed"].plausibility is not None
    regrets = dict(findings.final_regrets(small_experiment))
    assert len(regrets) == 2 + 6
    assert all(len(values) == len(REGIMES) for values in regrets.values())
    assert [name for name, _ in findings.ends_apart(small_experiment, Fraction(1, 2000))] == list(
        REGIMES
    )
    short, runs = findings.short_of_budget(small_experiment)
    assert 0 <= short <= runs == 3 * len(REGIMES)


Tables = dict[str, list[dict[str, str]]]


@pytest.fixture(scope="module")
def rows(small_experiment: Experiment) -> Tables:
    files = tables(small_experiment, findings.judged(small_experiment))
    texts = {name: io.StringIO(content.decode()) for name, content in files.items()}
    return {name: list(csv.DictReader(text)) for name, text in texts.items()}


def test_runs_have_a_row_per_cell(rows: Tables, small_experiment: Experiment) -> None:
    """Every cell with its figures; what a learner does not have is empty."""
    assert len(rows["runs.csv"]) == len(small_experiment.plan.cells)
    comparator = next(row for row in rows["runs.csv"] if row["algorithm"] == "comparator")
    assert float(comparator["over_comparator"]) == 0
    assert comparator["alpha_most"] == ""


def test_curves_have_a_row_per_grid_round(rows: Tables) -> None:
    """The last round of a curve is the run's figure."""
    key = ("seed", "regime", "algorithm", "reading", "threshold_scale")
    last = {tuple(row[k] for k in key): row["regret"] for row in rows["curves.csv"]}
    ends = {tuple(row[k] for k in key): row["regret"] for row in rows["runs.csv"]}
    assert last
    assert all(ends[cell] == regret for cell, regret in last.items())


def test_findings_have_verdicts(rows: Tables) -> None:
    """Each row states what is printed, what was measured and the verdict."""
    assert {row["verdict"] for row in rows["findings.csv"]} <= {"HOLDS", "REFUTED", "UNDECIDED"}
    assert all(row["printed"] and row["median"] for row in rows["findings.csv"])


@pytest.fixture(scope="module")
def written(small_experiment: Experiment) -> dict[str, bytes]:
    return files(small_experiment)


def test_the_page_states_claim_measure_and_verdict(written: dict[str, bytes]) -> None:
    """Every printed observation is on it, with verdicts, and the certificate comes first."""
    page = written["findings.html"].decode()
    assert all(observation.printed in page for observation in OBSERVATIONS)
    assert "α never rises, on any path" in page  # noqa: RUF001
    assert page.index("never rises") < page.index("Printed observations")
    assert len(re.findall(r'class="badge (?:holds|refuted|undecided)"', page)) >= 20
    assert "so 28 blocks occur here, not B = 30" in page


def test_the_page_needs_nothing_else(written: dict[str, bytes]) -> None:
    """A page, a figure per reading, three tables; no script, address or path, images inside."""
    assert {"findings.html", "figure-appendix.png", "figure-repaired.png"} <= written.keys()
    assert {"runs.csv", "curves.csv", "findings.csv"} <= written.keys()
    page = written["findings.html"].decode()
    assert "<script" not in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    assert "/tmp" not in page


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (1234.5, "1,234"), (-0.00123456, "-0.00123"), (Fraction(1, 512), "1/512")],
)
def test_numbers_are_short(value: float | Fraction, text: str) -> None:
    """Three digits, thousands apart, fractions as they are."""
    assert number(value) == text
