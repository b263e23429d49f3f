"""What a verdict rests on."""

from __future__ import annotations

from pbverify.report.dependencies import expected_outcomes, foundations, repairs_of, rests_on

ROWS = [
    {"id": "theorem", "uses": ["lemma"], "expected": {"main": "HOLDS", "appendix": "HOLDS"}},
    {"id": "lemma", "uses": ["step", "fact"], "expected": {"any": "HOLDS"}},
    {"id": "step", "uses": [], "expected": {"main": "REFUTED", "appendix": "HOLDS"}},
    {"id": "fact", "uses": ["step"], "expected": {"any": "REFUTED"}},
]
OUTCOMES = expected_outcomes(ROWS)


def on(id: str, reading: str, outcome: str = "REFUTED") -> tuple[str, ...]:
    below = foundations(ROWS)[id]
    return rests_on(id, reading, below=below, outcomes=OUTCOMES, outcome=outcome)


def test_foundations_reach_through_any_number_of_steps() -> None:
    """Uses of uses count, each once."""
    assert foundations(ROWS)["theorem"] == ("lemma", "step", "fact")
    assert foundations(ROWS)["step"] == ()


def test_a_cycle_ends() -> None:
    """Rows from outside may use each other; the walk still ends."""
    rows = [{"id": "a", "uses": ["b"]}, {"id": "b", "uses": ["a"]}]
    assert foundations(rows) == {"a": ("b", "a"), "b": ("a", "b")}


def test_a_theorem_rests_on_a_refuted_lemma_of_its_reading() -> None:
    """A refutation under another reading does not concern it; one under `any` does."""
    assert on("theorem", "main") == ("step", "fact")
    assert on("theorem", "appendix") == ("fact",)
    assert on("step", "main") == ()


def test_a_claim_without_reading_rests_on_every_reading() -> None:
    """What holds for all readings is shaken by each of them."""
    assert on("lemma", "any") == ("step", "fact")
    assert on("lemma", "any", outcome="UNDECIDED") == ()


def test_repairs_are_found_by_id() -> None:
    """A claim's own repair first, else that of its statement; a repair has no further one."""
    ids = ["a", "a/step", "a@repaired", "a/step@repaired", "b/step", "b@repaired"]
    assert repairs_of("a", ids) == ("a@repaired",)
    assert repairs_of("a/step", ids) == ("a/step@repaired",)
    assert repairs_of("b/step", ids) == ("b@repaired",)
    assert repairs_of("a@repaired", ids) == ()
    assert repairs_of("c", ids) == ()
