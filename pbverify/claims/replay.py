"""A witness computed again: does the pair that it names violate the claim, by what it states?

A witness is confirmed only if its pair is violated for certain *and* the numbers that it states
are those that come out. A file that claims more than it shows is not confirmed.
"""

from __future__ import annotations

import dataclasses
import html
import os
import pathlib
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import arb

from pbverify.claims.claim import Claim, Pair
from pbverify.claims.judging import PRECISION, decimal, pairs_of, summary_of
from pbverify.claims.verdict import Witness
from pbverify.errors import InputError, PbverifyError, show
from pbverify.files.documents import Path
from pbverify.files.html_table import html_table
from pbverify.numerics import Exact, Truth, less, parse_exact, to_fraction, working_precision

COARSEST = Fraction(1, 10**6)
"""The largest radius, relative to max(1, |value|), with which a stated number says something."""

_NUMBER = r"[+-]?[0-9][0-9.]*(?:[eE][+-]?[0-9]+)?"
_BALL = re.compile(rf"\[({_NUMBER})? ?\+/- ({_NUMBER})\]")


@dataclasses.dataclass(frozen=True)
class Replay:
    """What came of computing a witness again."""

    claim: Claim[Any]
    witness: Witness
    pair: Pair | None
    """The pair that the witness names; None if the claim has no such pair for this subject."""
    is_violated: Truth
    disagreements: tuple[str, ...]
    """Fields (lhs, rhs, margin) whose stated number is not the computed one."""

    @property
    def is_confirmed(self) -> bool:
        return self.is_violated is Truth.YES and not self.disagreements

    @property
    def reason(self) -> str:
        """Why a witness is not confirmed, in a few words."""
        if self.pair is None:
            return "the claim has no such case here, or its hypotheses fail"
        if self.is_violated is not Truth.YES:
            decided = self.is_violated is Truth.NO
            return "the inequality holds here" if decided else "the comparison is undecided"
        return f"the file states another {', '.join(self.disagreements)}"

    @property
    def conclusion(self) -> str:
        """CONFIRMED or NOT CONFIRMED, and why."""
        if self.is_confirmed and self.pair is not None:
            return f"CONFIRMED: lhs {self.pair.relation.value} rhs fails"
        return f"NOT CONFIRMED: {self.reason}"

    def rows(self) -> Iterator[tuple[str, str]]:
        """What was replayed, and each number as stated and as computed."""
        where = ", ".join(f"{key} = {show(value)}" for key, value in self.witness.where.items())
        yield "claim", self.witness.claim
        yield "formula", self.claim.statement
        yield "where", where or "the only case"
        for name in ("lhs", "rhs", "margin") if self.pair is not None else ():
            yield name, f"{show(getattr(self.witness, name))}  (stated)"
            yield "", f"{decimal(getattr(self.pair, name))}  (computed)"

    def __str__(self) -> str:
        return "\n".join([*(f"{name:<8} {text}" for name, text in self.rows()), self.conclusion])

    def _repr_html_(self) -> str:
        return f"{html_table(self.rows())}<p><b>{html.escape(self.conclusion)}</b></p>"


def replay_any(claims: Sequence[Claim[Any]], witness: Witness) -> Replay:
    """The replay that confirms, among claims that share an id; else the last one."""
    for claim in claims:
        result = replay_witness(claim, witness)
        if result.is_confirmed:
            break
    return result


def replay_file(path: Path, *, lemmas: str | os.PathLike[str] | None = None) -> Replay:
    """Compute the witness in a file again, for the claim of that id in a folder of lemma files."""
    return replay_found(Witness.load(path), lemmas=lemmas)


def replay_found(witness: Witness, *, lemmas: str | os.PathLike[str] | None = None) -> Replay:
    """Compute a witness again, for the claim of its id in a folder of lemma files."""
    from pbverify.claims.library import find_claims, find_folders

    folders = find_folders(None if lemmas is None else pathlib.Path(lemmas))
    return replay_any(find_claims(folders, witness.claim)[0], witness)


def replay_witness(claim: Claim[Any], witness: Witness) -> Replay:
    """Compute a witness again for one claim."""
    with working_precision(PRECISION):
        return _judged(claim, witness, _pairs(claim, witness))


def _judged(claim: Claim[Any], witness: Witness, found: list[Pair]) -> Replay:
    violated = [pair for pair in found if pair.truth is Truth.NO]
    pair = next(iter([*violated, *found]), None)
    if pair is None:
        return Replay(claim, witness, None, Truth.NO, ())
    computed = {"lhs": pair.lhs, "rhs": pair.rhs, "margin": pair.margin}
    wrong = [name for name, value in computed.items() if not states(getattr(witness, name), value)]
    return Replay(claim, witness, pair, summary_of(found), tuple(wrong))


def states(text: str, value: Exact | arb) -> bool:
    """Whether a stated number can be the computed one: the same text, equal, or enclosures that
    meet. A wide ball, as confidence bounds are, must be the very one that comes out.
    """
    if text == decimal(value):
        return True
    bounds = _bounds(text)
    if bounds is None:
        return False
    low, high = bounds
    if low == high and not isinstance(value, arb):
        return to_fraction(value) == low
    return Truth.YES not in (less(value, low), less(high, value))


def _bounds(text: str) -> tuple[Fraction, Fraction] | None:
    ball = _BALL.fullmatch(text)
    middle, radius = (ball[1] or "0", ball[2]) if ball else (text, "0")
    m, r = parse_exact(middle), parse_exact(radius)
    if m is None or r is None or r > COARSEST * max(abs(m), Fraction(1)):
        return None
    return m - r, m + r


def _pairs(claim: Claim[Any], witness: Witness) -> list[Pair]:
    try:
        return pairs_of(claim, witness)
    except PbverifyError:
        raise
    except Exception as error:  # fields from outside may break a claim's code in any way
        got = f"{type(error).__name__}: {error}"
        raise InputError(f"a subject of {claim.id}", "witness", got) from error
