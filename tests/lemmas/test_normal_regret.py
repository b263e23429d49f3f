"""Why the claims about the regret of a normal phase have room."""

from __future__ import annotations

import pytest

from pbverify.prover.inequalities import Outcome, prove_text

# As `mutants.toml` argues, it comes down to: the base regret at half of C2
# (q = sqrt(D ln(D + 1)), a = sqrt N), and the regret of a phase with w = sqrt(8 D^ + 1), which is
# at most 2/3 R^ to x^c, whose own is at most 2 R^ + xi^ + (w - 1)/2 + 1, against the lemma's bound;
# and with steps from the base iterate at most 2 R^ + xi^ + (w - 1)/2 + 5/3, against half of it.
LAST_STEPS = {
    "2*a + 4*q <= 99/100*(3*a + 7*sqrt(2)*q)": ["a >= 0", "q >= 0"],
    "8/3*R + (w - 1)/d + (w - 1)/2 + 1 <= 99/100*(4*R + (sqrt(2*w**2 - 1) - 1)/d + w + 1)": [
        *("R >= 11", "w >= 3", "d > 0", "d <= 1/2")
    ],
    "w + 5/3 <= sqrt(2*w**2 - 1) + w/2 - 1/2": ["w >= 3"],
}


@pytest.mark.parametrize("inequality", LAST_STEPS)
def test_the_claims_have_room(inequality: str) -> None:
    """The prover takes the last steps of the arguments for stronger forms."""
    assert prove_text(inequality, LAST_STEPS[inequality]).outcome is Outcome.PROVED
