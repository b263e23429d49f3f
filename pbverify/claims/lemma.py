r"""Lemmas as declarations: what a statement says, and by which routes it is judged.

    LEMMA = Lemma(
        "delayed-mass",
        says("M_t(s) <= M_end(s) <= d_s + ... + d_end", mass_is_monotone, mass_le_total_delay),
        says("M_end(s) = sum of min(d_r, end - r)", mass_is_truncated_delay, step="identity"),
        about=PHASES,
        by=(every(...), generated(...)),
    )

Kind, label, readings and expected outcomes are not repeated: the register beside the file has them.
A lemma yields `Check`s: one per claim and reading, one per stronger form that must fall, and one
per assumption that is dropped.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pbverify.claims.claim import Claim, Conclusion, Condition, Pair, Regime
from pbverify.claims.judging import Profile
from pbverify.claims.register import Register, Row
from pbverify.claims.routes import Asked, Route
from pbverify.claims.sort import Sort, either
from pbverify.claims.strengthenings.assumptions import Ablation, as_known, row_of, without
from pbverify.claims.strengthenings.closeness import Sharpening
from pbverify.claims.strengthenings.closeness import sharpened as close_form
from pbverify.claims.verdict import Evidence, Outcome, Verdict, is_shown, merged, settled
from pbverify.errors import shortened, show

if TYPE_CHECKING:
    from pbverify.claims.closed_forms.best_constants import Constant

Dropped = Callable[[Claim[Any]], "Ablation[Any] | Iterable[Ablation[Any]]"]
"""From a claim, the same claim without an assumption."""

Table = Callable[[str], Sequence[Mapping[str, str]]]
"""Rows that a report shows beside the verdict on a claim under a reading."""


@dataclasses.dataclass(frozen=True)
class Stronger:
    """A known-false form of a claim, and where it must fall."""

    change: Callable[[Claim[Any]], Claim[Any]]
    by: tuple[Route, ...] = ()
    """The routes; those of the claim if there are none."""
    reading: str = ""
    """The reading; the first under which the claim holds if it is empty."""


@dataclasses.dataclass(frozen=True)
class Statement:
    """One claim of a lemma, as `says` or `expects` writes it."""

    words: str
    then: tuple[Conclusion[Any], ...] = ()
    name: str = ""
    step: str = ""
    given: tuple[Condition[Any], ...] = ()
    must_meet: Mapping[str, Condition[Any]] | None = None
    keeps: Mapping[str, Regime[Any]] = dataclasses.field(default_factory=dict)
    about: Sort[Any] | None = None
    by: tuple[Route, ...] = ()
    stronger: tuple[Stronger, ...] = ()
    drops: tuple[Dropped, ...] = ()
    searched_under: tuple[str, ...] | None = None
    table: Table | None = None


def says(words: str, *then: Conclusion[Any], **options: Any) -> Statement:
    """A claim: its words, and functions that yield its inequalities for a case.

    Options: `step` (the id after that of the lemma: `step="identity"`, or `step="@repaired"`),
    `given` (assumptions that a case must satisfy), `must_meet` (situations that must have
    occurred), `keeps` (what a witness must show, by case and violated pair: where the erratum says
    that the claim fails), `about` (the sort of case), `by` (routes of evidence), `stronger`,
    `drops`, `table` (a function of the reading that returns rows; a report shows them beside the
    verdict).
    """
    return Statement(words, then, **_tuples(options))


def expects(words: str, *routes: Route, name: str = "", **options: Any) -> Statement:
    """A claim about an expectation, of which each route asks inequalities of its own.

    `name` is what the inequalities are called together, e.g. `regret_le_bound`; without it, those
    of each function keep the function's name.
    """
    return Statement(words, name=name, by=routes, **_tuples(options))


def _tuples(options: dict[str, Any]) -> dict[str, Any]:
    """A single assumption, route, stronger form or dropped assumption may stand without a tuple."""
    lists = ("given", "by", "stronger", "drops")
    return {
        key: (value,) if key in lists and not isinstance(value, tuple) else value
        for key, value in options.items()
    }


def sharpened(
    conclusion: Conclusion[Any] | None = None,
    *,
    by: int | Fraction = 0,
    factor: int | Fraction = 1,
    on: Route | tuple[Route, ...] = (),
    reading: str = "",
) -> Stronger:
    """A close stronger form: in one conclusion (else in the last) lhs + by in the place of lhs.

    Or a multiple of a bound: a factor below 1 lowers rhs, one above 1 raises lhs. Only pairs count
    in which it is close (`claims.strengthenings.closeness`).
    """

    def change(claim: Claim[Any]) -> Claim[Any]:
        named = {each.__name__: each for each in claim.then}
        sharp = claim.then[-1] if conclusion is None else named[conclusion.__name__]
        return close_form(claim, sharp, Sharpening(by, factor))

    return Stronger(change, on if isinstance(on, tuple) else (on,), reading)


def changed(
    *then: Conclusion[Any], on: Route | tuple[Route, ...] = (), reading: str = ""
) -> Stronger:
    """The claim with other conclusions, which are known to be false."""

    def change(claim: Claim[Any]) -> Claim[Any]:
        return dataclasses.replace(claim, id=f"{claim.id}!stronger", then=then)

    return Stronger(change, on if isinstance(on, tuple) else (on,), reading)


def drop(assumption: str, **options: Any) -> Dropped:
    """The claim without an assumption; options as for `assumptions.without`."""
    return lambda claim: without(claim, assumption, **options)


@dataclasses.dataclass(frozen=True)
class Check:
    """One thing to judge, under a name that a person can type."""

    name: str
    claim: Claim[Any]
    reading: str
    judged: Callable[[Profile], Verdict]
    expected: Outcome
    concerns: tuple[str, ...]
    """The readings under which the claim is undecided if the check cannot be finished."""
    ablation: Ablation[Any] | None = None

    @property
    def is_of(self) -> str:
        """The id of the claim that the check is about."""
        return self.claim.id.partition("!")[0]

    @property
    def is_stronger(self) -> bool:
        """Whether it judges a stronger form of the claim."""
        return "!" in self.claim.id and self.ablation is None

    def complaint(self, verdict: Verdict) -> str:
        """Why the verdict is not the expected one; empty if it is."""
        if verdict.outcome is self.expected and self._is_as_known(verdict):
            return ""
        found = f"{verdict.outcome.value} after {verdict.cases} cases {verdict.reason}".rstrip()
        lines = [f"{self.claim.id}: expected {self.expected.value}, got {found}"]
        return "\n  ".join([*lines, *violated(verdict)])

    def _is_as_known(self, verdict: Verdict) -> bool:
        return self.ablation is None or as_known(self.ablation, verdict)

    def row(self, verdict: Verdict) -> dict[str, str]:
        """What a report says of a dropped assumption."""
        assert self.ablation is not None
        return row_of(self.ablation, verdict)


class Lemma:
    """A statement of the paper with its variants and proof steps."""

    def __init__(
        self,
        id: str,
        *statements: Statement,
        about: Sort[Any] | None = None,
        by: Route | tuple[Route, ...] = (),
        given: Condition[Any] | tuple[Condition[Any], ...] = (),
        must_meet: Mapping[str, Condition[Any]] | None = None,
    ) -> None:
        self.id = id
        self._statements = statements
        self._about = about
        self._by = by if isinstance(by, tuple) else (by,)
        self._given = given if isinstance(given, tuple) else (given,)
        self._must_meet = must_meet or {}

    @property
    def constants(self) -> dict[str, tuple[Constant, ...]]:
        """The constants whose smallest values are enclosed, by claim."""
        found = {
            self._id(statement): tuple(c for route in statement.by for c in route.constants)
            for statement in self._statements
        }
        return {id: constants for id, constants in found.items() if constants}

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes of all statements."""
        return tuple(route for each in self._statements for route in each.by or self._by)

    @property
    def theories(self) -> str:
        """The package of the theories that most of its proofs are of; empty if there are none."""
        named = [route.theories for route in self.routes if route.theories]
        return max(named, key=named.count, default="")

    def proof_lines(self, id: str) -> list[str]:
        """The induction proofs of a claim as a person reads them, with times."""
        routes = (r for s in self._statements if self._id(s) == id for r in s.by or self._by)
        return [line for route in routes for line in route.proof_lines()]

    def checks(self, register: Register) -> Iterator[Check]:
        """All that is to be judged, claim by claim."""
        for statement in self._statements:
            row = self._row(statement, register)
            claim = self._claim(statement, row)
            routes = statement.by or self._by
            for reading, expected in row.expected.items():
                yield Check(
                    f"{claim.id}[{reading}]",
                    claim,
                    reading,
                    Judging(claim, routes, reading, statement.table),
                    expected,
                    (reading,),
                )
            yield from self._stronger(statement, claim, row, routes)
            for dropped in statement.drops:
                yield from _ablations(dropped(claim), tuple(row.expected))

    def _stronger(
        self, statement: Statement, claim: Claim[Any], row: Row, routes: tuple[Route, ...]
    ) -> Iterator[Check]:
        holds = [name for name, outcome in row.expected.items() if outcome is Outcome.HOLDS]
        for number, form in enumerate(statement.stronger, start=1):
            stronger = dataclasses.replace(form.change(claim), must_meet={}, keeps={})
            reading = form.reading or (holds or list(row.expected))[0]
            mark = f" {number}" if len(statement.stronger) > 1 else ""
            yield Check(
                f"{claim.id}!stronger{mark}[{reading}]",
                stronger,
                reading,
                Judging(stronger, form.by or routes, reading),
                Outcome.REFUTED,
                tuple(row.expected),
            )

    def _id(self, statement: Statement) -> str:
        join = "" if not (self.id and statement.step) or statement.step.startswith("@") else "/"
        return f"{self.id}{join}{statement.step}"

    def _row(self, statement: Statement, register: Register) -> Row:
        register.check(self._id(statement))
        return register.rows[self._id(statement)]

    def _claim(self, statement: Statement, row: Row) -> Claim[Any]:
        routes = statement.by or self._by
        tried = (*routes, *(route for form in statement.stronger for route in form.by))
        own = tuple(part for route in tried for part in route.parts)
        must_meet = self._must_meet if statement.must_meet is None else statement.must_meet
        return Claim(
            row.id,
            row.kind,
            statement.words,
            then=statement.then or tuple(_dispatched(statement.name, own)),
            given=(*self._given, *statement.given),
            must_meet=must_meet,
            keeps=statement.keeps,
            label=row.label,
            about=statement.about or self._about or _sort_of(own),
            searched_under=statement.searched_under,
        )


def violated(verdict: Verdict) -> Iterator[str]:
    """The case that refutes a claim, in a few lines."""
    witness = verdict.witness
    if witness is None:
        return
    where = ", ".join(f"{key} = {show(value)}" for key, value in witness.where.items())
    yield f"{verdict.statement} fails{f' at {where}' if where else ''}"
    yield f"lhs {witness.lhs}, rhs {witness.rhs}, margin {witness.margin}"
    for key, value in witness.subject.items():
        yield f"{key} {shortened(json.dumps(value, default=str))}"
    if verdict.witness_file:
        yield f"again: pbverify replay {verdict.witness_file}"


def _sort_of(routes: tuple[Route, ...]) -> Sort[Any] | None:
    sorts = tuple(dict.fromkeys(route.about for route in routes if route.about is not None))
    if len(sorts) < 2:
        return sorts[0] if sorts else None
    return either(*sorts, searched=next((sort for sort in sorts if sort.search), None))


def _dispatched(name: str, routes: tuple[Route, ...]) -> Iterator[Conclusion[Any]]:
    """The routes' own inequalities as one conclusion, or as one for each of their functions.

    A case is asked by the first route that is about its sort and whose `given` hold.
    """
    for asked in (name,) if name else dict.fromkeys(_name(route) for route in routes):

        def conclusion(case: Any, asked: str = asked) -> Iterator[Pair]:
            route = next((route for route in routes if _is_about(route, case)), None)
            if route is None or asked not in (name, _name(route)):
                return iter(())
            return route.conclusion(case)

        conclusion.__name__ = asked
        yield conclusion


def _name(route: Route) -> str:
    return route.then.__name__ if callable(route.then) else ""


def _is_about(route: Route, case: Any) -> bool:
    is_its_sort = route.about is None or isinstance(case, route.about.kind)
    return is_its_sort and all(condition(case) for condition in route.given)


@dataclasses.dataclass(frozen=True)
class Judging:
    """Judges a claim under a reading by its routes, in order."""

    claim: Claim[Any]
    routes: tuple[Route, ...]
    reading: str
    table: Table | None = None

    def by_route(self, profile: Profile) -> Iterator[tuple[Route, list[Verdict]]]:
        """What each route finds; the last one refutes the claim, if one does.

        Proofs come first. Once one succeeds, the routes that prove nothing look less hard.
        """
        so_far: list[Verdict] = []
        serving = (route for route in self.routes if route.serves(self.reading))
        for route in sorted(serving, key=lambda route: not route.proves):
            if profile.is_brief and is_shown(so_far):
                return
            is_proved = any(verdict.evidence is Evidence.PROVED for verdict in so_far)
            effort = profile.after_proof if is_proved and not route.proves else profile
            found: list[Verdict] = []
            for verdict in route.found(self.claim, Asked(self.reading, effort)):
                found.append(verdict)
                if verdict.outcome is Outcome.REFUTED:
                    break
            yield route, found
            if found and found[-1].outcome is Outcome.REFUTED:
                return
            so_far += found

    def __call__(self, profile: Profile) -> Verdict:
        found = [verdict for _, verdicts in self.by_route(profile) for verdict in verdicts]
        if not found:
            named = f"{self.claim.id} has no route of evidence under the reading {self.reading}"
            raise ValueError(named)
        is_refuted = found[-1].outcome is Outcome.REFUTED
        verdict = found[-1] if is_refuted else settled(merged(found))
        more = () if self.table is None else self.table(self.reading)
        return dataclasses.replace(verdict, table=(*verdict.table, *more)) if more else verdict


def _ablations(
    found: Ablation[Any] | Iterable[Ablation[Any]], concerns: tuple[str, ...]
) -> Iterator[Check]:
    for ablation in [found] if isinstance(found, Ablation) else found:
        yield Check(
            ablation.claim.id,
            ablation.claim,
            "any",
            lambda profile, ablation=ablation: ablation.verdict(),  # type: ignore[misc]
            Outcome.REFUTED if ablation.needed else Outcome.HOLDS,
            concerns,
            ablation,
        )
