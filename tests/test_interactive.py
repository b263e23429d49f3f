"""What a notebook calls, and how results show themselves there."""

from __future__ import annotations

import pathlib

import pytest

import pbverify as pb
from pbverify.errors import InputError


def test_claims_are_judged_by_name(small_lemmas: pathlib.Path) -> None:
    """By id, prefix or label; the verdicts are a table."""
    judged = pb.judge("small@repaired", lemmas=small_lemmas, profile="quick")
    assert [each.claim for each in judged] == ["small@repaired"]
    assert ">HOLDS</td>" in judged._repr_html_()
    everything = pb.judge("lem:small", lemmas=small_lemmas, profile="quick")
    assert [each.claim for each in everything] == ["small", "small@repaired", "theorem"]


def test_claims_and_statements_are_shown(small_session: pathlib.Path) -> None:
    """As lines and as HTML, the same facts."""
    one = pb.show("small", lemmas=small_session)
    assert "lhs     2" in str(one)
    assert ">d_s &lt;= 1</td>" in one._repr_html_()
    assert "theorem" in repr(pb.show("lem:small", lemmas=small_session))
    safety = pb.show("safety")
    assert r"\mathcal{R}_T(x^c)" in safety._repr_html_()


def test_witnesses_are_replayed(small_session: pathlib.Path) -> None:
    """From a file or as data; stated and computed numbers stand side by side."""
    [path] = (small_session.parent / ".pbverify" / "witnesses").glob("*.json")
    for witness in (path, pb.Witness.load(path)):
        replay = pb.replay(witness, lemmas=small_session)
        assert replay.is_confirmed
        assert str(replay).endswith("CONFIRMED: lhs <= rhs fails")
        assert "<b>CONFIRMED" in replay._repr_html_()


def test_runs_take_a_reading_by_name() -> None:
    """`repaired` unless another is named; options change it; phases are a table."""
    instance = pb.Instance.build(
        losses=[[0, 1]] * 6, delays=[1, 0, 2, 0, 0, 0], comparator=["1/2"] * 2, seed=1
    )
    trace = pb.run(instance, budget=2, slack=0)
    assert trace.reading == pb.preset("repaired").with_options(budget=2, slack=0)
    assert "<td>hard restart</td>" in trace._repr_html_()
    assert pb.run(instance, "main").reading == pb.preset("main")
    assert pb.run(instance, pb.preset("main")).reading == pb.preset("main")


def test_inequalities_are_typeset() -> None:
    """The statement as a formula, the outcome, and how or where."""
    proof = pb.prove("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"])
    assert proof._repr_latex_().endswith("$: PROVED")
    assert r"\le" in proof._repr_latex_()
    refuted = pb.prove("x**2 <= x", ["x >= 1"])
    assert "<b>REFUTED</b>" in refuted._repr_html_()
    assert "at x = " in str(refuted)


def test_a_mistake_is_one_line() -> None:
    """What a notebook shows of an error, and that a notebook asks for it under this name."""
    with pytest.raises(InputError) as caught:
        pb.show("no-such-claim")
    [line] = caught.value._render_traceback_()
    assert line.startswith("pbverify: Expected a claim of the register")
    ultratb = pytest.importorskip("IPython.core.interactiveshell")
    source = pathlib.Path(ultratb.__file__).read_text()
    assert "_render_traceback_" in source
