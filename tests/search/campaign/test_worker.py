"""A shard is a pure function of its description."""

from __future__ import annotations

import pathlib
import pickle

import pytest

from pbverify.claims.library import Library
from pbverify.errors import FileError
from pbverify.search.campaign.plan import Plan, Scope, make_plan
from pbverify.search.campaign.worker import perform


def test_the_same_shard_gives_the_same_result(plan: Plan) -> None:
    """Twice the same, also after travelling; it counts what it saw and keeps what it found."""
    shard = plan.shard(0)
    result = perform(shard)
    assert perform(pickle.loads(pickle.dumps(shard))) == result
    assert result.cases == result.applicable == shard.cases
    assert result.violations >= len(result.findings) > 0
    assert all(found.is_rigorous and found.score > 0 for found in result.findings)


def test_a_changed_lemma_file_stops_the_work(plan: Plan) -> None:
    """Results of two texts of a claim would not add up."""
    path = pathlib.Path(plan.tasks[0].file)
    path.write_text(path.read_text() + "\n")
    with pytest.raises(FileError, match=r"lemma_small\.py has changed"):
        perform(plan.shard(0))


@pytest.mark.parametrize(
    ("code", "cases", "error"),
    [
        ("leq(1 // 0, 1", 100, "some cases have no value: ZeroDivisionError"),
        ("leq(unknown, 1", 0, "a shard failed: NameError"),
    ],
)
def test_a_failing_claim_is_part_of_the_result(
    code: str, cases: int, error: str, small_lemmas: pathlib.Path
) -> None:
    """A case without a value is passed over, any other exception ends its shard; both are told."""
    path = small_lemmas / "lemma_small.py"
    path.write_text(path.read_text().replace("leq(phase.local_delays[0], 1", code))
    scope = Scope(claims=("small",), engines=("climbing",))
    plan, _ = make_plan(Library.load(small_lemmas), scope, seed=0)
    result = perform(plan.shard(0))
    assert result.error.startswith(error)
    assert (result.cases, result.applicable) == (cases, 0)
