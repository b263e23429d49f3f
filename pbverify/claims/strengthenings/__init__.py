r"""Automatic strengthenings of a claim, tried on every case that the claim itself is tried on.

A checker that cannot refute a stronger claim may be looking where nothing happens. So these
strengthenings accompany each claim, one per conclusion and change:

    halved        rhs/2 in the place of rhs (where rhs is positive)
    lowered       rhs less one per cent
    strict        < in the place of <=
    shifted       rhs - 1 (where both sides are integers)
    moved         an equality, with rhs more by one per cent (by one where it is 0)
    without C     the claim without its hypothesis C

A strengthening is `refuted` by one pair that violates it, `survived` if it met pairs and none did.
One that survives is either true as well (the bound is loose, the hypothesis superfluous, or
equality is never attained) or the cases miss what would refute it.
"""

from __future__ import annotations

import collections
import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Generic

from flint import arb

from pbverify.claims.claim import Claim, Pair, Relation, S
from pbverify.claims.strengthenings.closeness import CLOSE
from pbverify.claims.verdict import DROPPED, Fate
from pbverify.numerics import Exact, Truth, equal, less, to_arb, to_fmpq, to_fraction

Fates = Mapping[str, Fate]

MOST_OUTSIDE = 200
"""Cases outside a hypothesis that are asked; some cost as much as a case inside."""


FACTORS = {"halved": Fraction(1, CLOSE), "lowered": Fraction(99, 100)}
"""What a strengthening multiplies the right-hand side with."""


def halved(pair: Pair) -> Pair | None:
    return _scaled(pair, FACTORS["halved"])


def lowered(pair: Pair) -> Pair | None:
    return _scaled(pair, FACTORS["lowered"])


def strict(pair: Pair) -> Pair | None:
    if pair.relation is not Relation.LEQ:
        return None
    return dataclasses.replace(pair, relation=Relation.LESS)


def shifted(pair: Pair) -> Pair | None:
    if pair.relation is Relation.EQUAL or not (_is_integer(pair.lhs) and _is_integer(pair.rhs)):
        return None
    return dataclasses.replace(pair, rhs=_times_plus(pair.rhs, Fraction(1), -1))


def moved(pair: Pair) -> Pair | None:
    if pair.relation is not Relation.EQUAL:
        return None
    is_zero = equal(pair.rhs, 0) is Truth.YES
    factor, more = (Fraction(1), 1) if is_zero else (Fraction(101, 100), 0)
    return dataclasses.replace(pair, rhs=_times_plus(pair.rhs, factor, more))


CHANGES: Mapping[str, Callable[[Pair], Pair | None]] = {
    change.__name__: change for change in (halved, lowered, strict, shifted, moved)
}

ENOUGH: Mapping[str, float] = {"halved": 0.5 + 1e-12, "lowered": 0.99 + 1e-12, "strict": 1 - 1e-12}
"""Changes that fall by a large lhs/rhs; one that is less does not refute them."""


@dataclasses.dataclass
class _Track:
    """A conclusion on its way: the changes not refuted yet, and the largest lhs/rhs so far."""

    name: str
    open: list[str]
    tightest: float = -math.inf


class Strengthenings(Generic[S]):
    """The fates of a claim's strengthenings, over the cases seen so far."""

    def __init__(self, claim: Claim[S]) -> None:
        self._claim = claim
        self._fates: dict[str, Fate] = {}
        self._tracks: dict[int, _Track] = {}
        self._outside: collections.Counter[str] = collections.Counter()

    @property
    def fates(self) -> Fates:
        return dict(sorted(self._fates.items()))

    @property
    def tightness(self) -> Mapping[str, float]:
        """The largest lhs/rhs of each conclusion's inequalities, where rhs is positive."""
        tracks = sorted(self._tracks.values(), key=lambda track: track.name)
        return {track.name: track.tightest for track in tracks if track.tightest > -math.inf}

    def see(self, conclusion: object, pairs: Iterable[Pair]) -> None:
        """Pairs of a conclusion of the claim, from a case that satisfies the hypotheses."""
        track = self._tracks.get(id(conclusion))
        if track is None:
            track = self._tracks[id(conclusion)] = _Track(name_of(conclusion), list(CHANGES))
        for pair in pairs:
            ratio = None if pair.relation is Relation.EQUAL else pair.ratio
            if track.open:
                self._try(track, pair, ratio)
            if ratio is not None and ratio > track.tightest:
                track.tightest = ratio

    def see_outside(self, subject: S) -> None:
        """A case that fails the hypotheses: perhaps it fails one only."""
        failing = [each for each in self._claim.given if not each(subject)]
        name = f"{DROPPED}{name_of(failing[0])}"
        if len(failing) > 1 or self.is_refuted(name) or self._outside[name] == MOST_OUTSIDE:
            return
        self._outside[name] += 1
        for pair in _asked(self._claim, subject):
            self.judge(name, pair)

    def judge(self, name: str, pair: Pair) -> None:
        """A pair that the strengthening of that name claims."""
        if not self.is_refuted(name):
            self._fates[name] = Fate.REFUTED if pair.truth is Truth.NO else Fate.SURVIVED

    def is_refuted(self, name: str) -> bool:
        return self._fates.get(name) is Fate.REFUTED

    def _try(self, track: _Track, pair: Pair, ratio: float | None) -> None:
        """Only a pair at least as tight as all before may refute what they did not."""
        is_loose = ratio is not None and ratio < track.tightest
        for change in track.open[:]:
            if is_loose and change in ENOUGH:
                continue
            changed, name = CHANGES[change](pair), f"{track.name}: {change}"
            if changed is not None:
                self.judge(name, changed)
                if self.is_refuted(name):
                    track.open.remove(change)


def name_of(part: Any) -> str:
    """A conclusion or condition as a reader knows it: a function's name, or a bound's as it is."""
    name = str(getattr(part, "__name__", type(part).__name__))
    return name.replace("_", " ") if name.isidentifier() else name


def _asked(claim: Claim[S], subject: S) -> Iterator[Pair]:
    """The pairs of a subject outside the hypotheses, as far as they make sense there."""
    try:
        yield from claim.pairs(subject)
    except Exception:  # a conclusion may rely on the hypothesis in any way
        return


def _scaled(pair: Pair, factor: Fraction) -> Pair | None:
    if pair.relation is Relation.EQUAL or less(0, pair.rhs) is not Truth.YES:
        return None
    if isinstance(pair.rhs, arb) and not isinstance(pair.lhs, arb):  # no rounding on the exact side
        return dataclasses.replace(pair, lhs=to_fraction(pair.lhs) / factor)
    return dataclasses.replace(pair, rhs=_times_plus(pair.rhs, factor, 0))


def _times_plus(value: Exact | arb, factor: Fraction, more: int) -> Exact | arb:
    if isinstance(value, arb):
        return value * to_arb(factor) + more
    return to_fraction(value) * factor + more


def _is_integer(value: Exact | arb) -> bool:
    return not isinstance(value, arb) and to_fmpq(value).q == 1
