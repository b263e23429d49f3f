"""Drawings of why statements fail, and witnesses in words."""

from __future__ import annotations

import pathlib
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest

from pbverify.claims.register import Register
from pbverify.claims.verdict import Witness
from pbverify.paper.pictures.mechanisms import mechanism, names
from pbverify.paper.pictures.telling import tell
from pbverify.paper.second_program.rates import RATES
from pbverify.report.sketch import Text

ROOT = pathlib.Path(__file__).parents[2]
REGISTER = Register.load(ROOT / "lemmas" / "paper.toml")


def witness(claim: str, **parameters: Any) -> Witness:
    return Witness(claim, None, {"parameters": parameters}, {"t": 1}, "2", "1", "1")


def test_every_named_drawing_exists_and_is_used() -> None:
    """The findings name exactly the drawings that there are; an unknown name draws nothing."""
    named = {each.picture for each in REGISTER.findings.entries if each.picture}
    assert named == set(names())
    assert mechanism("nothing") is None


@pytest.mark.parametrize("name", names())
def test_a_drawing_is_one_and_the_same_everywhere(name: str) -> None:
    """SVG for pages, SVG with its own style, and TikZ have the same words, always the same."""
    sketch = mechanism(name)
    assert sketch is not None
    assert sketch == mechanism(name)
    words = [shape.words for shape in sketch.shapes if isinstance(shape, Text)]
    assert len(words) >= 4
    for svg in (sketch.svg(), sketch.svg(alone=True)):
        found = [text.text for text in ElementTree.fromstring(svg).iter() if "text" in text.tag]
        assert found == words
    assert sketch.tikz().count(r"\node") == len(words)
    assert sketch.tikz().isascii() or re.search(r"[^\x00-\x7f²]", sketch.tikz()) is None


@pytest.mark.parametrize("name", names())
def test_nothing_is_drawn_outside_the_frame(name: str) -> None:
    """Boxes, lines and the beginnings of texts lie inside; texts are short enough."""
    sketch = mechanism(name)
    assert sketch is not None
    for shape in sketch.shapes:
        if isinstance(shape, Text):
            width = len(shape.words) * (5.0 if shape.is_small else 6.2)
            left = {"start": 0.0, "middle": width / 2, "end": width}[shape.anchor]
            assert 0 <= shape.x - left <= shape.x - left + width <= sketch.width, shape.words
            assert 0 <= shape.y <= sketch.height


def test_a_game_is_told_round_by_round() -> None:
    """Equal rounds are one row; feedback beyond the horizon never arrives."""
    losses = [[1, 0]] * 3 + [[0, 1]]
    game = {"losses": losses, "delays": [0, 0, 9, 0], "comparator": ["1/2", "1/2"], "actions": None}
    told = tell(Witness("x", None, {"instance": game}, {}, "2", "1", "1"))
    assert told is not None
    assert told.columns == ("rounds", "losses", "delay")
    assert told.rounds == (
        ("1 to 2", "(1, 0)", "0"),
        ("3", "(1, 0)", "9 (never arrives)"),
        ("4", "(0, 1)", "0"),
    )
    assert ("baseline", "x^c = (1/2, 1/2)") in told.facts


def test_a_rate_is_told_by_its_exponents() -> None:
    """No zeros: what grows like which power of n along which path."""
    told = tell(witness("global/rate/regret", T="4", D="4", A="0", margin="1"))
    assert told is not None
    assert told.is_limit
    [sentence] = told.sentences
    assert sentence.startswith("Along T = D = n^4, delta = n^(-1): regret if round 1 is late by T")
    assert "grows like n^3, the claimed rate like n^(5/2)" in sentence


def test_delays_beyond_every_power_are_told() -> None:
    """D is an exponential: the sentence names what grows and what does not bound it."""
    told = tell(witness("global/safety-order/hidden", T="2", log_delay="1"))
    assert told is not None
    assert told.is_limit
    [sentence] = told.sentences
    assert sentence.startswith("Along T = n^2, D = exp(n), A = 2: log D grows like n,")


def test_every_kept_rate_is_told() -> None:
    """The witnesses about rates that are kept with the notebooks are told in powers of n."""
    kept = [Witness.load(path) for path in sorted((ROOT / "notebooks/witnesses").glob("*.json"))]
    rates = [each for each in kept if each.claim in RATES]
    assert len(rates) >= 8
    for each in rates:
        told = tell(each)
        assert told is not None, each.claim
        assert told.is_limit, each.claim


def test_the_adversaries_of_the_theorem_are_told() -> None:
    """The games against the safety half, with what happens in them."""
    silent = tell(witness("global/safety", rounds=1000, delta="1/6"))
    assert silent is not None
    assert "nothing restarts" in " ".join(silent.sentences)
    parts = {"rounds": 40000, "full": 6, "exits": 7, "share": "2/5", "last_delay": 1}
    ambush = tell(witness("global/safety", **parts, runs=400, seed=7))
    assert ambush is not None
    assert [row[0] for row in ambush.rounds] == [
        *("6 phases have ended", "7 phases have ended", "round 40,000")
    ]
    parts = {"rounds": 100, "turn": 70, "share": "3/100", "delta": "1/10", "last_delay": 1}
    turned = tell(witness("global/safety", **parts, runs=160, seed=7))
    assert turned is not None
    assert [row[:2] for row in turned.rounds] == [
        ("1 to 70", "(1, 0)"),
        ("71 to 100", "(0, 3/100)"),
    ]


@pytest.mark.parametrize(
    "parameters",
    [{"rounds": "x", "delta": "1/0"}, {"T": "a", "D": 1}, {"full": 1, "exits": 2, "share": 3}, {}],
)
def test_what_cannot_be_read_is_not_told(parameters: dict[str, Any]) -> None:
    """A strange file is no error; its fields are shown instead."""
    assert tell(witness("global/rate/regret", **parameters)) is None
