r"""Every refuted claim with its witness computed again, and what repairs it.

Witness files lie beside the notebooks, one per claim. Nothing is taken from them but the case: both
sides are recomputed, and a case that no longer refutes its claim is an error; only cases of many
long runs are shown as they are stated (`pbverify replay` recomputes those). A repair is the
claim's `@repaired` form, or the same claim under a reading for which it holds, or the statement
that the step belongs to.
"""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from flint import arb

from pbverify.claims.claim import Claim, Kind, Pair
from pbverify.claims.closed_forms.bound import Point
from pbverify.claims.judging import PRECISION
from pbverify.claims.library import Library
from pbverify.claims.replay import replay_any
from pbverify.claims.verdict import Outcome, Witness
from pbverify.errors import FileError, InputError
from pbverify.numerics import Truth, parse_exact, to_arb, working_precision
from pbverify.paper import sorts
from pbverify.paper.algorithm.readings import PRESETS, Reading
from pbverify.paper.lower_bound.growth import Limits
from pbverify.report.site.refutations import claimed_by, radius_of

REPAIRS = {
    "banker-regret/inverse-scales": "banker-regret/tuned",
    "normal-phase/lost-parentheses": "missing-feedback/root",
}
"""Steps whose repair has another name: the line that the proof goes on with."""


@dataclasses.dataclass(frozen=True)
class Sides:
    """A claim on a case: its two sides as doubles, for drawing."""

    claim: Claim[Any]
    subject: Any
    where: Mapping[str, int | str]
    lhs: float
    rhs: float
    radius: float
    """Half the width of the left side's enclosure: a confidence interval if it is sampled."""
    relation: str

    @staticmethod
    def of(claim: Claim[Any], subject: Any, pair: Pair) -> Sides:
        with working_precision(PRECISION):
            lhs, rhs = to_arb(pair.lhs), to_arb(pair.rhs)
            middle, radius = float(lhs.mid()), float(lhs.rad())
            where = dict(pair.where)
            return Sides(
                claim, subject, where, middle, float(rhs.mid()), radius, pair.relation.value
            )


@dataclasses.dataclass(frozen=True)
class Refutation:
    """A refuted claim, its case, and its repair on the same case if there is one."""

    id: str
    fidelity: str
    """How the claim relates to the text: what is drawn is called after it."""
    erratum: str
    reading: str
    mechanism: str
    """The name of the drawing that shows why its statement fails; empty if there is none."""
    witness: Witness
    printed: Sides
    repaired: Sides | None


def refuted_ids(library: Library) -> list[str]:
    """The claims that the register knows to be refuted under some reading, in its order."""
    rows = [row for row in library.register.rows.values() if row.id in library.claims]
    return [row.id for row in rows if Outcome.REFUTED in row.expected.values()]


def witnesses_in(folder: pathlib.Path) -> dict[str, Witness]:
    """One witness per claim: the first file by name."""
    found: dict[str, Witness] = {}
    for path in sorted(folder.glob("*.json")):
        witness = Witness.load(path)
        found.setdefault(witness.claim, witness)
    return found


def collect(library: Library, source: pathlib.Path, target: pathlib.Path) -> dict[str, Witness]:
    """Make the target hold one refuting witness per refuted claim, and nothing else.

    What is there and still refutes is kept; else the newest witness of the source that does, those
    of the appendix's reading first.
    """
    kept: dict[str, Witness] = {}
    files = [*sorted(target.glob("*.json")), *sorted(source.glob("*.json"), key=_newest_first)]
    candidates = [(path, Witness.load(path)) for path in files]
    for id in refuted_ids(library):
        own = [(path, witness) for path, witness in candidates if witness.claim == id]
        own.sort(key=lambda found: (found[0].parent != target, not _is_printed(found[1])))
        found = next((w for _, w in own if _refutes(library, w)), None)
        kept |= {} if found is None else {id: found}
    for path in target.glob("*.json"):
        path.unlink()
    for witness in kept.values():
        witness.save(target / witness.file_name)
    return kept


def _newest_first(path: pathlib.Path) -> float:
    return -path.stat().st_mtime


def _is_printed(witness: Witness) -> bool:
    """Whether a witness concerns the appendix's reading, or none."""
    from_base = witness.subject.get("parameters", {}).get("from_base", False)
    return reading_name(witness.reading) in ("any", "appendix") and not from_base


def _refutes(library: Library, witness: Witness) -> bool:
    try:
        return replay_any(library.named(witness.claim), witness).is_violated is Truth.YES
    except InputError:
        return False


def refutations(library: Library, folder: pathlib.Path) -> list[Refutation]:
    """Every refuted claim whose witness lies in the folder, computed again."""
    witnesses = witnesses_in(folder)
    known = (id for id in refuted_ids(library) if id in witnesses)
    return [refutation(library, witnesses[id]) for id in known]


def stated_sides(witnesses: Iterable[Witness]) -> list[tuple[str, str, float, float]]:
    """Claim, reading, lhs and rhs of each witness, as its file states them."""
    return [(w.claim, reading_name(w.reading), _number(w.lhs), _number(w.rhs)) for w in witnesses]


def _number(text: str) -> float:
    exact = parse_exact(text)
    return float(arb(text).mid()) if exact is None else float(exact)


def refutation(library: Library, witness: Witness) -> Refutation:
    """One refuted claim; an error if the case does not refute it.

    Claims about the experiment, and expectations over games of another kind than samples, speak
    of many long runs: their sides are shown as the witness states them.
    """
    row = library.register.rows[witness.claim]
    [claim, *_] = library.named(witness.claim)
    if _is_long(claim):
        printed, repaired = _stated(claim, witness), None
    else:
        printed = _violated(library, witness)
        repaired = _repaired(library, witness, printed.claim, printed.subject)
    return Refutation(
        id=witness.claim,
        fidelity=row.fidelity,
        erratum=row.erratum,
        reading=reading_name(witness.reading),
        mechanism=_mechanism(library, witness.claim),
        witness=witness,
        printed=printed,
        repaired=repaired,
    )


def _mechanism(library: Library, id: str) -> str:
    findings = library.register.findings
    own = [each for each in findings.entries if each.id == findings.statement_of.get(id)]
    return own[0].picture if own else ""


def _is_long(claim: Claim[Any]) -> bool:
    quick = (sorts.SAMPLES, sorts.MIRROR_STEPS)
    other = claim.kind is Kind.EXPECTATION and claim.about not in quick
    return claim.kind is Kind.EMPIRICAL or other


def _violated(library: Library, witness: Witness) -> Sides:
    """The violated pair that the witness names, computed again."""
    for claim in library.named(witness.claim):
        assert claim.rebuild is not None
        with working_precision(PRECISION):
            subject = claim.rebuild({**witness.subject, "reading": witness.reading})
            pairs = list(claim.pairs(subject)) if claim.applies(subject) else []
            here = [pair for pair in pairs if dict(pair.where) == dict(witness.where)]
            violated = [pair for pair in here if pair.truth is Truth.NO]
        if violated:
            return Sides.of(claim, subject, violated[0])
    raise FileError(f"The case kept for {witness.claim} does not refute it any more.")


def _stated(claim: Claim[Any], witness: Witness) -> Sides:
    [(_, _, lhs, rhs)] = stated_sides([witness])
    radius, relation = radius_of(witness.lhs), claimed_by(witness)
    return Sides(claim, None, witness.where, lhs, rhs, radius, relation)


def reading_name(fields: Mapping[str, object] | None) -> str:
    """The preset that a witness's reading is, or comes closest to."""
    if fields is None:
        return "any"
    alike = {
        name: sum(fields[option] == value for option, value in reading.to_json().items())
        for name, reading in PRESETS.items()
    }
    return max(alike, key=lambda name: alike[name])


def repairs_of(library: Library, id: str) -> Iterator[tuple[str, str | None]]:
    """Claims that repair a refuted one, each with the reading it needs if that is what changes."""
    rows = library.register.rows
    if f"{id}@repaired" in rows:
        yield f"{id}@repaired", None
    if id in REPAIRS:
        yield REPAIRS[id], None
    for reading in ("repaired", "main"):
        if rows[id].expected.get(reading) is Outcome.HOLDS:
            yield id, reading
    for parent in _parents(id):
        if _holds(library, parent):
            yield parent, None


def _parents(id: str) -> Iterator[str]:
    while "/" in id:
        id = id.rpartition("/")[0]
        yield f"{id}@repaired"
        yield id


def _holds(library: Library, id: str) -> bool:
    row = library.register.rows.get(id)
    return row is not None and Outcome.REFUTED not in row.expected.values()


def _name(claim: Claim[Any]) -> str:
    return claim.about.name if claim.about else ""


def _repaired(library: Library, witness: Witness, claim: Claim[Any], subject: Any) -> Sides | None:
    fitting = (
        (repair, reading)
        for name, reading in repairs_of(library, witness.claim)
        for repair in library.named(name)
        if _name(repair) == _name(claim) and (reading is None or "instance" in witness.subject)
    )
    repair, preset = next(fitting, (None, None))
    if repair is None:
        return None
    if preset is None:
        if isinstance(subject, Limits):
            return _unmeasured(repair, subject)
        return _tightest(repair, subject, witness.where) or _unmeasured(repair, subject)
    assert claim.rebuild is not None
    reading = mended(witness.reading, preset)
    for times in (1, 2):  # another reading may need a longer run to get there
        fields = {"instance": stretched(witness.subject["instance"], times), "reading": reading}
        sides = _tightest(repair, claim.rebuild(fields), witness.where)
        if sides is not None:
            return sides
    return None


def _tightest(claim: Claim[Any], subject: Any, where: Mapping[str, int | str]) -> Sides | None:
    """The pair that arises where the printed claim fails, else the tightest one.

    None where the repair fails on this subject as well: it speaks about another reading then.
    """
    with working_precision(PRECISION):
        pairs = list(claim.pairs(subject)) if claim.applies(subject) else []
        if any(pair.truth is Truth.NO for pair in pairs):
            return None
    decided = [pair for pair in pairs if to_arb(pair.lhs).is_finite()]
    same = [pair for pair in decided if dict(pair.where) == dict(where)]
    tightest = sorted(decided, key=lambda pair: pair.ratio or 0.0, reverse=True)
    return next((Sides.of(claim, subject, pair) for pair in [*same, *tightest]), None)


def _unmeasured(claim: Claim[Any], subject: Any) -> Sides | None:
    """A repair that curves show: a closed form in other variables, or a rate."""
    if not isinstance(subject, Point | Limits):
        return None
    return Sides(claim, subject, {}, math.nan, math.nan, 0.0, "<=")


def stretched(instance: Mapping[str, Any], times: int) -> dict[str, Any]:
    """The instance with its rounds repeated."""
    repeated = {name: instance[name] * times for name in ("losses", "delays")}
    actions = instance.get("actions")
    return {**instance, **repeated, "actions": None if actions is None else actions * times}


def mended(fields: Mapping[str, object] | None, preset: str) -> dict[str, Any]:
    """A preset with the constant budget and slack of a witness's reading, if it has such."""
    assert fields is not None
    before, after = Reading.from_json(fields).to_json(), PRESETS[preset].to_json()
    constants = {k: before[k] for k in ("budget", "slack") if _is_number(before[k])}
    return {**after, **constants}


def _is_number(value: str | int) -> bool:
    return isinstance(value, int) or value[:1].isdigit()
