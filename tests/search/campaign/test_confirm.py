"""Findings become witnesses, or stay listed as unconfirmed."""

from __future__ import annotations

import contextlib
import json
import pathlib
from collections.abc import Callable

from pbverify import PAPER_SHA256
from pbverify.claims.library import Library
from pbverify.claims.verdict import Witness
from pbverify.cli import execute
from pbverify.files.documents import dumps
from pbverify.paper.algorithm.readings import preset
from pbverify.paper.cases.run_families import lopsided_instance
from pbverify.paper.cases.sample import Sample
from pbverify.paper.search_spaces import PHASES, SAMPLES
from pbverify.search.campaign.confirm import CONFIRMED, UNCONFIRMED, confirm_findings
from pbverify.search.campaign.plan import Plan, Scope, make_plan
from pbverify.search.campaign.store import Store
from pbverify.search.campaign.worker import Found, Result, perform
from pbverify.search.space import Numbers

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"


def test_a_finding_becomes_the_smallest_witness(
    undisturbed: Callable[[], Store], small_lemmas: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    """One witness per claim and reading, shrunk, and replayed by the command."""
    store = undisturbed()
    [result] = confirm_findings(store, (), folder=tmp_path / "out")
    assert (result.claim, result.status) == ("small", CONFIRMED)
    [file] = (tmp_path / "out").glob("*.json")
    witness = Witness.load(file)
    assert dumps(witness.subject) == dumps({"parameters": {"delays": [2], "start": 1, "end": 1}})
    assert execute(["replay", str(file), "--lemmas", str(small_lemmas)]) == 0
    assert [f["status"] for f in store.findings()].count(CONFIRMED) == 1


def test_the_second_program_of_the_paper_is_asked(
    tmp_path: pathlib.Path, stores: contextlib.ExitStack
) -> None:
    """A witness of the paper's own claim names its text, and the second program computes it too."""
    scope = Scope(["banker-regret/inverse-scale-sum"], engines=["climbing"])
    plan, _ = make_plan(Library.load(LEMMAS), scope, seed=0)
    store = stores.enter_context(Store.create(tmp_path / "store", plan, {"cases": 1}))
    store.record(plan.shard(0), perform(plan.shard(0)))
    [result] = confirm_findings(store, (), folder=tmp_path / "out")
    assert result.status == CONFIRMED
    assert result.detail.endswith(".json (independent checker: CONFIRMED)")
    [file] = (tmp_path / "out").glob("*.json")
    assert json.loads(file.read_text())["paper_sha256"] == PAPER_SHA256


def test_an_unsupported_finding_is_kept(
    plan: Plan, tmp_path: pathlib.Path, stores: contextlib.ExitStack
) -> None:
    """A candidate that holds in exact numbers, and one that is no case, stay as unconfirmed."""
    store = stores.enter_context(Store.create(tmp_path / "store", plan, {"cases": 1}))
    holds = dumps({"parameters": {"delays": [1], "start": 1, "end": 1}})
    broken = dumps({"parameters": {"delays": [1], "start": 3, "end": 1}})
    found = (Found(holds, 0.1, is_rigorous=False), Found(broken, 0.1, is_rigorous=False))
    store.record(plan.shard(0), Result(0, 1, 1, 2, {}, None, None, None, found))
    results = list(confirm_findings(store, ["small"], folder=tmp_path / "out"))
    assert [result.status for result in results] == [UNCONFIRMED, UNCONFIRMED]
    assert {f["status"] for f in store.findings()} == {UNCONFIRMED}
    assert all(f["detail"] for f in store.findings())
    assert list(confirm_findings(store, ["theorem"], folder=tmp_path / "out")) == []


def test_a_sample_is_confirmed_on_a_fresh_seed() -> None:
    """The seed depends on the case alone, and no search draws it."""
    sample = Sample(lopsided_instance([0] * 5, seed=3), preset("main"))
    again = sample.with_fresh_seed()
    assert again == sample.with_fresh_seed() == SAMPLES.with_fresh_seed(sample)
    assert again.instance.seed is not None
    assert again.instance.seed > 2**17
    assert SAMPLES.numbers(sample) is Numbers.SAMPLED
    assert PHASES.with_fresh_seed("anything else") == "anything else"
