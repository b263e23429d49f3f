"""Proofs in words."""

from pbverify.prover.inequalities import describe, prove_text


def test_a_proof_names_its_method() -> None:
    """The first line is the outcome, then each region with its method."""
    lines = describe(prove_text("ln(2*D+1) <= 2*ln(D+1)", ["D >= 1"], ["D"])).splitlines()
    assert lines[0] == "PROVED"
    assert lines[1].startswith("  D >= 1: ")


def test_a_refutation_shows_point_sides_and_margin() -> None:
    """The point is exact, and both sides and the margin are shown."""
    assert describe(prove_text("x**2 >= x + 1/4", ["x >= 0"])).splitlines() == [
        "REFUTED",
        "  at x = 0",
        "  left-hand side 0",
        "  right-hand side 1/4",
        "  violated by 1/4",
    ]


def test_what_is_left_is_named() -> None:
    """An undecided inequality shows the region left and why."""
    lines = describe(prove_text("ln(x) <= x", ["x >= 0"])).splitlines()
    assert lines[0] == "UNDECIDED"
    assert lines[-1] == "  left: x = 0: undefined at x = 0: ln needs x > 0"


def test_long_lists_are_cut() -> None:
    """Many regions are summed up in one last line."""
    lines = describe(prove_text("sin(x)*cos(40*x) <= 0.999", ["x >= 0", "x <= 40"])).splitlines()
    assert len(lines) < 40
