r"""Routes of evidence: the ways in which a claim is judged.

    proved()             for all parameter values, by the inequality prover
    for_all_sizes(...)   for all sizes, by the induction kernel (`routes.theorems`)
    every(...)           every case up to a stated size, whose number is known
    walked(...)          the same by a compiled walk; what it reports the plain checker confirms
    chosen(...)          chosen cases, smallest first
    generated(...)       cases that Hypothesis generates and shrinks
    exactly(...)         expectations over all action sequences of small games, in exact numbers
    on_every_path(...)   a lower bound on the quantity that every path keeps: it can only refute
    certified(...)       an upper bound on the quantity: it can only confirm
    in_samples(...)      means over many runs, at an error level fixed beforehand
    in_the_limit(...)    limits along paths of the parameters
    on_all_paths(...)    orders along all paths of powers at once (`routes.power_paths`)

A claim has one or more routes. Proofs are tried first, then the others in order; a refutation ends
the search. Once a proof succeeds, the other routes look less hard (`Profile.after_proof`). Where a
route takes a function (cases, scope, strategy, ...), it calls it with those of the arguments
`reading` (its name) and `profile` that the function has.

A route may be about a sort of case of its own and ask inequalities of its own (`about`, `then`,
`given`), or others for each sort (`then={GAMES: ..., LONG_GAMES: ...}`); it may serve some readings
only (`readings`), and must meet situations of its own (`must_meet`); and it may look for a
refutation only, also of one sort (`only_refutes`, `such_that`).
"""

from __future__ import annotations

import abc
import collections
import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from hypothesis.strategies import SearchStrategy

from pbverify.claims.claim import Claim, Conclusion, Condition, Pair, Side
from pbverify.claims.judging import Profile, Tally, exhaust, sampled, survive, visit
from pbverify.claims.sort import Sort
from pbverify.claims.verdict import Evidence, Outcome, Verdict
from pbverify.numerics.confidence import ALPHA

if TYPE_CHECKING:
    from pbverify.claims.closed_forms.best_constants import Constant

MOST_FAMILIES = 80
"""Families of cases that `shared` keeps."""


@dataclasses.dataclass(frozen=True)
class Asked:
    """Under which reading and how hard a route looks."""

    reading: str
    profile: Profile

    def value(self, source: Any) -> Any:
        """What a function returns for this question; anything else as it is."""
        if not callable(source):
            return source
        names = inspect.signature(source).parameters
        known = {"reading": self.reading, "profile": self.profile}
        return source(**{name: known[name] for name in known if name in names})


@dataclasses.dataclass(frozen=True, kw_only=True)
class Route(abc.ABC):
    """One way to judge a claim."""

    proves: ClassVar[bool] = False
    """Whether it speaks about all cases at once; then it is tried before other routes."""

    about: Sort[Any] | None = None
    then: Conclusion[Any] | Mapping[Sort[Any], Conclusion[Any]] | None = None
    given: tuple[Condition[Any], ...] = ()
    readings: tuple[str, ...] | None = None
    must_meet: Mapping[str, Condition[Any]] | None = None
    """The situations that its cases must meet, in the place of the claim's."""
    side: Side = Side.EXACT
    only_refutes: bool = False
    """Whether its cases count only if one of them refutes the claim."""
    such_that: Condition[Any] | None = None
    """What a violation must satisfy as well for this route to report it."""
    constants: tuple[Constant, ...] = ()
    """The constants of the claim's bounds whose smallest values the route encloses."""

    @property
    def name(self) -> str:
        """What kind of route it is, in a word."""
        return type(self).__name__.strip("_").lower()

    def serves(self, reading: str) -> bool:
        """Whether the route has something to say under a reading."""
        return self.readings is None or reading in self.readings

    @property
    def parts(self) -> tuple[Route, ...]:
        """The route once for each sort of case about which it asks inequalities of its own."""
        if isinstance(self.then, Mapping):
            return tuple(
                dataclasses.replace(self, about=sort, then=then) for sort, then in self.then.items()
            )
        return () if self.then is None else (self,)

    @property
    def theories(self) -> str:
        """The package of the theories that its proof is of, if it proves by induction."""
        return ""

    def proof_lines(self) -> list[str]:
        """The proof as a person reads it, with times, if the route proves by induction."""
        return []

    def conclusion(self, case: Any) -> Iterator[Pair]:
        """The route's own inequalities about a case, marked as the bounds that they are."""
        assert callable(self.then)
        pairs = self.then(case)
        if self.side is Side.EXACT:
            return pairs
        return (dataclasses.replace(pair, side=self.side) for pair in pairs)

    def found(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        """The verdicts that count."""
        if self.must_meet is not None:
            claim = dataclasses.replace(claim, must_meet=self.must_meet)
        if self.such_that is not None:
            given = (*claim.given, self.such_that)
            claim = dataclasses.replace(claim, given=given, must_meet={})
        for verdict in self.verdicts(claim, asked):
            if verdict.outcome is Outcome.REFUTED or not self.only_refutes:
                yield verdict

    @abc.abstractmethod
    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        """One verdict for each part of the route, in order."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Proved(Route):
    proves: ClassVar[bool] = True

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        from pbverify.claims.closed_forms.best_constants import with_constants
        from pbverify.claims.closed_forms.settle import proved as settle

        yield with_constants(settle(claim), self.constants)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Every(Route):
    cases: Any
    count: Any
    scope: Any
    evidence: Evidence = Evidence.EXHAUSTED

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        verdict = exhaust(
            claim,
            asked.value(self.cases),
            count=asked.value(self.count),
            scope=asked.value(self.scope),
            reading=asked.reading,
        )
        is_whole = verdict.evidence is Evidence.EXHAUSTED
        yield dataclasses.replace(verdict, evidence=self.evidence) if is_whole else verdict


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Walked(Route):
    walk: Any
    properties: Mapping[str, Sequence[str]]
    case: Callable[[tuple[int, ...]], Any]
    scope: Any

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        tally, found = Tally(claim), asked.value(self.walk)
        broken = [name for name in self.properties[claim.id] if name in found.first]
        if not broken:
            tally.count(found.sequences)
        elif tally.see(self.case(found.first[broken[0]])) is None:
            where = found.first[broken[0]]
            raise AssertionError(f"walk and plain checker disagree on {claim.id} at {where}")
        scope = f"{asked.value(self.scope)}, {found.sequences:,} cases (compiled)"
        yield tally.verdict(Evidence.EXHAUSTED, reading=asked.reading, scope=scope)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Chosen(Route):
    cases: Any
    scope: Any = ""

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        found = asked.value(self.cases)
        families = found if isinstance(found, Mapping) else {asked.value(self.scope): found}
        for scope, cases in families.items():
            yield visit(claim, asked.value(cases), scope=scope, reading=asked.reading)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Generated(Route):
    strategy: Any
    share: int = 1
    least: int = 0

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        examples = max(self.least, asked.profile.examples // self.share)
        strategy = self.strategy
        if not isinstance(strategy, SearchStrategy):
            strategy = asked.value(strategy)
        yield survive(claim, strategy, examples=examples, reading=asked.reading)


@dataclasses.dataclass(frozen=True, kw_only=True)
class _Sampled(Route):
    samples: Any
    scope: Any = ""
    level: Any = ALPHA

    def verdicts(self, claim: Claim[Any], asked: Asked) -> Iterator[Verdict]:
        found = asked.value(self.samples)
        named = found.items() if isinstance(found, Mapping) else ((self.scope, s) for s in found)
        for scope, sample in named:
            words = scope(sample) if callable(scope) else scope
            level = asked.value(self.level)
            yield sampled(claim, sample, reading=asked.reading, level=level, scope=words)


def proved(*constants: Constant, **options: Any) -> Route:
    """For all parameter values, by the inequality prover; smallest constants are enclosed."""
    return _Proved(constants=constants, **options)


def every(cases: Any, *, count: Any, scope: Any, **options: Any) -> Route:
    """Every case of a finite family, smallest first; `count` is their number in closed form.

    `evidence` is what they are worth if the claim is about something else that they only bound.
    """
    return _Every(cases=cases, count=count, scope=scope, **options)


def walked(
    walk: Any,
    *,
    properties: Mapping[str, Sequence[str]],
    case: Callable[[tuple[int, ...]], Any],
    scope: Any,
    **options: Any,
) -> Route:
    """Every case up to a stated size, judged by compiled code.

    `walk` gives the number of `sequences`, and the `first` one that breaks each property.
    `properties` names, for each claim, the properties that it is made of; `case` is the plain case
    of a sequence. A refutation counts only if the plain checker sees it too.
    """
    return _Walked(walk=walk, properties=properties, case=case, scope=scope, **options)


def chosen(cases: Any, *, scope: Any = "", **options: Any) -> Route:
    """Chosen cases, smallest first, until one violates the claim; or families by their scope."""
    return _Chosen(cases=cases, scope=scope, **options)


def generated(strategy: Any, *, share: int = 1, least: int = 0, **options: Any) -> Route:
    """Cases that Hypothesis generates: the profile's number over `share`, at least `least`."""
    return _Generated(strategy=strategy, share=share, least=least, **options)


def exactly(cases: Any, *, scope: Any = "", **options: Any) -> Route:
    """Games whose expectations are computed over all action sequences, in exact numbers."""
    return _Chosen(cases=cases, scope=scope, **options)


def on_every_path(cases: Any, *, scope: Any = "", **options: Any) -> Route:
    """Cases in which `lhs` is at most the quantity on every path: they can only refute."""
    return _Chosen(cases=cases, scope=scope, side=Side.AT_LEAST, **options)


def certified(cases: Any, *, scope: Any = "", **options: Any) -> Route:
    """Cases in which `lhs` is at least the quantity: they can only confirm."""
    return _Chosen(cases=cases, scope=scope, side=Side.AT_MOST, **options)


def in_samples(samples: Any, *, scope: Any = "", level: Any = ALPHA, **options: Any) -> Route:
    """Samples of one instance each, in order or by scope; a scope may be a function of a sample.

    The level is None where a part of a sample repeats what the whole has shown.
    """
    return _Sampled(samples=samples, scope=scope, level=level, **options)


def in_the_limit(paths: Any, *, scope: Any = "", **options: Any) -> Route:
    """Limits along paths of the parameters; a function that returns paths needs a `scope`."""
    words = scope or f"{len(paths)} paths of powers of n"
    return _Chosen(cases=paths, scope=words, **options)


class _Replayable(Sequence[Any]):
    """The items of an iterator, each computed once, when it is first asked for."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._left = iter(items)
        self._seen: list[Any] = []

    def __iter__(self) -> Iterator[Any]:
        index = 0
        while index < len(self._seen) or self._more():
            yield self._seen[index]
            index += 1

    def _more(self) -> bool:
        for item in self._left:
            self._seen.append(item)
            return True
        return False

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]


_FAMILIES: collections.OrderedDict[Any, _Replayable] = collections.OrderedDict()


def shared(family: Callable[..., Iterable[Any]]) -> Callable[..., Iterable[Any]]:
    """A family whose cases are computed once for all claims that look at it.

    For cases that are costly to compute and small to keep, such as runs.
    """

    @functools.wraps(family)
    def again(*arguments: Any, **options: Any) -> Iterable[Any]:
        key = (family, arguments, tuple(sorted(options.items())))
        if key not in _FAMILIES:
            _FAMILIES[key] = _Replayable(family(*arguments, **options))
            while len(_FAMILIES) > MOST_FAMILIES:
                _FAMILIES.popitem(last=False)
        _FAMILIES.move_to_end(key)
        return _FAMILIES[key]

    return again
