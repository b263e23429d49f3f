"""Outcomes as data: verdicts with their evidence, and witnesses of refutation."""

from __future__ import annotations

import dataclasses
import enum
import functools
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pbverify.errors import InputError
from pbverify.files.codec import entries, mapping
from pbverify.files.documents import (
    Path,
    check_format,
    dumps,
    finite_or_none,
    read_json,
    whole_number,
    write_json,
)
from pbverify.numerics.exact import MOST_DIGITS, Numeral

VERDICTS_FORMAT = "pbverify/verdicts-1"
WITNESS_FORMAT = "pbverify/witness-1"
OPINIONS = {
    "CONFIRMED": "confirmed by two programs",
    "REPLICATED": "replicated by a second program",
    "UNKNOWN CLAIM": "confirmed by one program",
    "NOT CONFIRMED": "two programs disagree",
    "": "confirmed by one program",
}
"""What the independent checker may say of a witness, in words."""

KEYS = {"reached": "regimes", "stronger": "teeth", "strengthenings": "mutants"}
"""Fields of a verdict that files call by another name."""

LISTS = ("solvers", "assuming", "made_of", "proof")
"""Fields of a verdict that are lists of texts."""

TOUCHING_PAIRS = "pairs agree within their enclosures, and no proof covers them"
"""Why a claim is undecided whose pairs may be equal or may just fail."""

VACUOUS = "no case satisfied the hypotheses and could show it"
ALL_TRIVIAL = "no play could have violated it in any case"
SILENT = (VACUOUS, ALL_TRIVIAL)
"""Why a part of a check says nothing at all."""

DROPPED = "without "
"""How the name of a strengthening begins that drops an assumption."""

NO_CLOSE_FORM = "no close stronger form is refuted"
"""What is said of a claim that holds while nothing shows how sharply it was looked."""


ASSUMPTION_COLUMNS = ("assumption", "outcome", "looked at", "witness")
"""What a verdict says of each assumption that was dropped."""


class Outcome(enum.Enum):
    """What became of a claim."""

    HOLDS = "HOLDS"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"


class Evidence(enum.Enum):
    """On what ground; from the strongest reason to believe a claim to the weakest."""

    PROVED = "proved"
    EXHAUSTED = "exhausted"
    SURVIVED = "survived"
    CONFIDENCE = "confidence"
    WITNESS = "witness"


class Fate(enum.StrEnum):
    """What became of a strengthening of a claim on the cases of the claim itself."""

    REFUTED = "refuted"
    SURVIVED = "survived"


KNOWN_TRUE = frozenset({"equivalent", "true"})
"""Why a strengthening survives, where the survivor says nothing against the checker."""


def refuted_share(refuted: int, survived: Mapping[str, int]) -> float | None:
    """Refuted strengthenings, of those that are not known to be true or equivalent."""
    doubtful = sum(count for kind, count in survived.items() if kind not in KNOWN_TRUE)
    return refuted / (refuted + doubtful) if refuted + doubtful else None


@dataclasses.dataclass(frozen=True)
class Witness:
    """A violated pair with all that is needed to compute it again; numbers are decimal text."""

    claim: str
    reading: Mapping[str, object] | None
    subject: Mapping[str, Any]
    """Either {"instance": ...} or {"parameters": ...}."""
    where: Mapping[str, int | str]
    lhs: str
    rhs: str
    margin: str

    @functools.cached_property
    def file_name(self) -> str:
        """A name that depends on the content alone."""
        digest = hashlib.sha256(dumps(self.to_json()).encode()).hexdigest()[:8]
        safe = "".join(c if c.isalnum() or c in "-@" else "_" for c in self.claim)
        return f"{safe}-{digest}.json"

    def to_json(self) -> dict[str, object]:
        return {
            "format": WITNESS_FORMAT,
            "claim": self.claim,
            "reading": self.reading,
            **self.subject,
            "where": dict(self.where),
            "lhs": self.lhs,
            "rhs": self.rhs,
            "margin": self.margin,
        }

    def save(self, path: Path, *, paper_sha256: str | None = None) -> None:
        write_json(path, self.to_json(), paper_sha256=paper_sha256)

    @staticmethod
    def load(path: Path) -> Witness:
        return Witness.from_json(read_json(path))

    @staticmethod
    def from_json(document: Any) -> Witness:
        texts = {"claim", "lhs", "rhs", "margin"}
        required = texts | {"reading", "where"}
        subjects = {"instance", "parameters"}
        check_format(document, name=WITNESS_FORMAT, required=required, optional=subjects)
        for field in sorted(texts):
            if type(document[field]) is not str:
                raise InputError("text", field, document[field])
        present = {field: document[field] for field in subjects if field in document}
        if len(present) != 1:
            raise InputError("either instance or parameters", "fields", ", ".join(document))
        where = mapping(document["where"], "where")
        return Witness(
            claim=document["claim"],
            reading=document["reading"],
            subject=present,
            where={key: _place(value) for key, value in where.items()},
            lhs=document["lhs"],
            rhs=document["rhs"],
            margin=document["margin"],
        )


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The judgement on a claim under a reading (`any` if no algorithm is involved)."""

    claim: str
    reading: str
    outcome: Outcome
    evidence: Evidence | None
    cases: int
    applicable: int
    statement: str
    label: str = ""
    worst_ratio: float | None = None
    trivial: int = 0
    """Cases that satisfy the assumptions, in which no play could have violated the claim."""
    touching: int = 0
    reached: Mapping[str, int] = dataclasses.field(default_factory=dict)
    """The situations of the claim's `must_meet`, each with the number of cases that met it."""
    scope: str = ""
    """How far the evidence reaches: the stated size, the number of examples, the error level."""
    reason: str = ""
    """Why a verdict is undecided; of a refutation, what its witness changes in the reading."""
    table: Sequence[Mapping[str, str]] = ()
    """Rows of text that let a reader look closer, all with the same columns."""
    stronger: int = 0
    """Stronger forms of the claim that the same checker refuted, automatic ones included."""
    strengthenings: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """Automatic strengthenings of the claim, and what became of each on the same cases."""
    tightness: Mapping[str, float] = dataclasses.field(default_factory=dict)
    """The largest lhs/rhs met by the inequalities of each conclusion."""
    assumptions: Sequence[Mapping[str, str]] = ()
    """For each assumption that was dropped, whether it is needed, in words, and the witness."""
    obligations: int = 0
    """Obligations that solvers discharged, where the claim is proved for all sizes."""
    solvers: Sequence[str] = ()
    """Who discharged them, and how many of them."""
    assuming: Sequence[str] = ()
    """What the proof argues and does not prove."""
    made_of: Sequence[str] = ()
    """The claims that a composed theorem rests on."""
    proof: Sequence[str] = ()
    """The proof as a person reads it, line by line."""
    witness: Witness | None = None
    witness_file: str | None = None
    """Where the witness was written; the only trace of it in a file of verdicts."""
    checker: str = ""
    """What the independent checker says of the witness."""

    @staticmethod
    def undecided(claim: str, reading: str, statement: str, label: str, reason: str) -> Verdict:
        """The verdict on a claim of which nothing was learned."""
        return Verdict(
            claim, reading, Outcome.UNDECIDED, None, 0, 0, statement, label, reason=reason
        )

    @property
    def fallen(self) -> tuple[str, ...]:
        """The automatic strengthenings that were refuted; dropping an assumption is not one."""
        return tuple(
            name
            for name, fate in self.strengthenings.items()
            if fate == Fate.REFUTED and not name.startswith(DROPPED)
        )

    @property
    def remark(self) -> str:
        """What a reader of a claim that holds, and is not proved, should know; else empty."""
        is_argued = self.outcome is Outcome.HOLDS and self.evidence is not Evidence.PROVED
        return NO_CLOSE_FORM if is_argued and not self.stronger else ""

    @property
    def could_fail(self) -> float | None:
        """The share of the cases within the assumptions in which the claim could have failed."""
        within = self.applicable + self.trivial
        return self.applicable / within if within else None

    @property
    def counted(self) -> str:
        """How many cases there were, in words, and how many of them could have failed."""
        words = f"{self.applicable:,} of {self.cases:,} cases applicable"
        if not self.trivial or self.could_fail is None:
            return words
        return f"{words}, {self.trivial:,} trivial ({self.could_fail:.0%} could have failed)"

    @property
    def opinion(self) -> str:
        """How many programs stand behind the witness, in words; empty without a witness."""
        return OPINIONS[self.checker] if self.witness_file or self.witness else ""

    @property
    def witness_files(self) -> tuple[str, ...]:
        """Every witness file that it names: its own, and those of needed assumptions."""
        named = (self.witness_file, *(row["witness"] for row in self.assumptions))
        return tuple(name for name in named if name)

    def with_files(self, moved: Callable[[str], str]) -> Verdict:
        """The verdict with its witness files under other names."""
        return dataclasses.replace(
            self,
            witness_file=self.witness_file and moved(self.witness_file),
            assumptions=tuple(
                {**row, "witness": row["witness"] and moved(row["witness"])}
                for row in self.assumptions
            ),
        )

    def to_json(self) -> dict[str, object]:
        return {
            "claim": self.claim,
            "reading": self.reading,
            "outcome": self.outcome.value,
            "evidence": None if self.evidence is None else self.evidence.value,
            "cases": self.cases,
            "applicable": self.applicable,
            "worst_ratio": self.worst_ratio,
            "witness": self.witness_file,
            "statement": self.statement,
            "label": self.label,
            "trivial": self.trivial,
            "touching": self.touching,
            "regimes": dict(self.reached),
            "scope": self.scope,
            "reason": self.reason,
            "teeth": self.stronger,
            "table": [dict(row) for row in self.table],
            "checker": self.checker,
            "mutants": dict(self.strengthenings),
            "tightness": dict(self.tightness),
            "assumptions": [dict(row) for row in self.assumptions],
            "obligations": self.obligations,
            **{name: list(getattr(self, name)) for name in LISTS},
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Verdict:
        """The verdict that `to_json` described, with its witness still in its file."""
        fields = {**document, "witness": None, "witness_file": document["witness"]}
        for rows in ("table", "assumptions", *LISTS):
            fields[rows] = tuple(document.get(rows, ()))
        fields["outcome"] = Outcome(document["outcome"])
        fields["evidence"] = document["evidence"] and Evidence(document["evidence"])
        for field, key in KEYS.items():
            if key in fields:
                fields[field] = fields.pop(key)
        return Verdict(**fields)


def save_verdicts(
    path: Path, verdicts: Sequence[Verdict], *, profile: str, paper_sha256: str | None = None
) -> None:
    """Write a file of verdicts."""
    document = verdicts_document([verdict.to_json() for verdict in verdicts], profile=profile)
    write_json(path, document, paper_sha256=paper_sha256)


def verdicts_document(rows: Sequence[Mapping[str, Any]], *, profile: str) -> dict[str, object]:
    """The rows as a file keeps them: a line of a proof stands once, and proofs name its place."""
    places: dict[str, int] = {}
    shared = [
        {**row, "proof": [places.setdefault(line, len(places)) for line in row["proof"]]}
        for row in rows
    ]
    head = {"format": VERDICTS_FORMAT, "profile": profile}
    return {**head, "verdicts": shared, "proof_lines": list(places)}


def merged(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict out of several on the same claim and reading.

    A refutation decides; otherwise anything undecided leaves the whole undecided; otherwise the
    strongest evidence stands, with the cases of all counted together. A part in which no case
    satisfied the hypotheses adds its cases and nothing else, unless all parts are like that.
    """
    rank = [Outcome.REFUTED, Outcome.UNDECIDED, Outcome.HOLDS]
    strength = [*Evidence, None]
    speaking = [verdict for verdict in verdicts if verdict.reason not in SILENT] or verdicts
    first = min(speaking, key=lambda v: (rank.index(v.outcome), strength.index(v.evidence)))
    if first.outcome is not Outcome.HOLDS:
        return first
    ratios = [v.worst_ratio for v in verdicts if v.worst_ratio is not None]
    proved = [v for v in speaking if v.evidence is Evidence.PROVED]
    return dataclasses.replace(
        first,
        assuming=tuple(dict.fromkeys(each for v in proved for each in v.assuming)),
        made_of=tuple(dict.fromkeys(each for v in proved for each in v.made_of)),
        cases=sum(v.cases for v in verdicts),
        applicable=sum(v.applicable for v in verdicts),
        trivial=sum(v.trivial for v in verdicts),
        touching=sum(v.touching for v in verdicts),
        table=tuple(row for v in verdicts for row in v.table),
        worst_ratio=max(ratios, default=None),
        reached=_summed([v.reached for v in verdicts]),
        strengthenings=_together([v.strengthenings for v in verdicts]),
        tightness=_largest([v.tightness for v in verdicts]),
        scope="; ".join([first.scope, *(_scope(v) for v in speaking if v is not first)]),
    )


def settled(verdict: Verdict) -> Verdict:
    """The verdict; undecided if it holds, but the cases do not show what it says.

    Either some situation of `must_meet` was never reached, or some pairs are touching and no proof
    covers them.
    """
    missed = [name for name, count in verdict.reached.items() if not count]
    if verdict.outcome is not Outcome.HOLDS:
        return verdict
    if missed:
        return undecided_for(verdict, f"never reached: {', '.join(missed)}")
    if verdict.touching and verdict.evidence is not Evidence.PROVED:
        return undecided_for(verdict, f"{verdict.touching:,} {TOUCHING_PAIRS}")
    return verdict


def is_shown(verdicts: Sequence[Verdict]) -> bool:
    """Whether more cases have little left to show.

    The claim is proved, every situation was met, and of each inequality a strengthening fell.
    """
    if not any(verdict.evidence is Evidence.PROVED for verdict in verdicts):
        return False
    found = settled(merged(verdicts))
    tried = {_changed(name) for name in found.strengthenings if not name.startswith(DROPPED)}
    fallen = {_changed(name) for name in found.fallen}
    return found.outcome is Outcome.HOLDS and bool(fallen) and fallen == tried


def _changed(strengthening: str) -> str:
    """The inequality that a strengthening changes, from its name: `inequality: change`."""
    return strengthening.rpartition(": ")[0]


def undecided_for(verdict: Verdict, reason: str) -> Verdict:
    """The verdict with its counts, undecided for a reason."""
    return dataclasses.replace(verdict, outcome=Outcome.UNDECIDED, evidence=None, reason=reason)


def _scope(verdict: Verdict) -> str:
    return f"{verdict.evidence.value if verdict.evidence else ''}: {verdict.scope}"


def _summed(counts: Sequence[Mapping[str, int]]) -> dict[str, int]:
    names = dict.fromkeys(name for count in counts for name in count)
    return {name: sum(count.get(name, 0) for count in counts) for name in names}


def _largest(checks: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = sorted({name for check in checks for name in check})
    return {name: max(check[name] for check in checks if name in check) for name in names}


def _together(checks: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Over several checks of one claim, one refutation of a strengthening is enough."""
    found: dict[str, str] = {}
    for name, fate in (item for check in checks for item in check.items()):
        if found.get(name) != Fate.REFUTED:
            found[name] = fate
    return dict(sorted(found.items()))


def _place(value: object) -> int | str:
    """A text, or an integer of any size: a total delay may exceed 2^63."""
    if type(value) in (str, int):
        return value  # type: ignore[return-value]
    if isinstance(value, Numeral) and _INTEGER.fullmatch(value):
        return int(value)
    return whole_number(value, "where")


_INTEGER = re.compile(rf"-?\d{{1,{MOST_DIGITS}}}", re.ASCII)


_T = TypeVar("_T")

REQUIRED = {
    *("claim", "reading", "outcome", "evidence", "cases", "applicable", "worst_ratio"),
    *("witness", "statement", "label"),
}


@dataclasses.dataclass(frozen=True)
class VerdictFile:
    """The verdicts of a session and how hard it looked."""

    profile: str
    verdicts: tuple[Verdict, ...]


def load_verdicts(path: Path) -> VerdictFile:
    """The content of a file of verdicts."""
    return verdicts_from(read_json(path))


def verdicts_from(document: Any) -> VerdictFile:
    """The content of a parsed document."""
    needed = {"profile", "verdicts"}
    check_format(document, name=VERDICTS_FORMAT, required=needed, optional={"proof_lines"})
    rows = entries(document["verdicts"], "verdicts")
    lines = _texts(document.get("proof_lines", []), "proof_lines")
    profile = _text(document["profile"], "profile")
    return VerdictFile(profile, tuple(_verdict(_with_lines(row, lines)) for row in rows))


def _with_lines(row: Any, lines: Sequence[str]) -> Any:
    """The row with the lines of its proof in place of their numbers; texts stay."""
    proof = row.get("proof") if isinstance(row, dict) else None
    if not isinstance(proof, list):
        return row
    return {**row, "proof": [_line(each, lines) for each in proof]}


def _line(value: Any, lines: Sequence[str]) -> Any:
    if not isinstance(value, Numeral):
        return value
    place = whole_number(value, "proof")
    if not 0 <= place < len(lines):
        raise InputError(f"a number of a line below {len(lines)}", "proof", place)
    return lines[place]


def _verdict(row: Any) -> Verdict:
    if not isinstance(row, dict) or not row.keys() >= REQUIRED:
        raise InputError(f"an object with {', '.join(sorted(REQUIRED))}", "verdict", row)
    for field in row:
        if field not in _READERS:
            raise InputError(f"fields among {', '.join(sorted(_READERS))}", "field", field)
    return Verdict.from_json({field: _READERS[field](row[field], field) for field in row})


def _text(value: Any, field: str) -> str:
    if type(value) is not str:
        raise InputError("text", field, value)
    return value


def _texts(value: Any, field: str) -> list[str]:
    return [_text(item, field) for item in entries(value, field)]


def _optional_text(value: Any, field: str) -> str | None:
    return None if value is None else _text(value, field)


def _ratio(value: Any, field: str) -> float | None:
    if value is None:
        return None
    number = finite_or_none(value)
    if number is None:
        raise InputError("a number or null", field, value)
    return number


def _ratios(value: Any, field: str) -> Mapping[str, float | None]:
    return _each(_ratio, value, field)


def _count(value: Any, field: str) -> int:
    number = whole_number(value, field)
    if number < 0:
        raise InputError("a number >= 0", field, number)
    return number


def _counts(value: Any, field: str) -> Mapping[str, int]:
    return _each(_count, value, field)


def _table(value: Any, field: str) -> list[dict[str, str]]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise InputError("a list of objects", field, value)
    rows = [{key: _text(text, field) for key, text in row.items()} for row in value]
    if len({tuple(row) for row in rows}) > 1:
        raise InputError("rows with the same columns", field, value)
    return rows


def _assumptions(value: Any, field: str) -> list[dict[str, str]]:
    rows = _table(value, field)
    if any(row.keys() != set(ASSUMPTION_COLUMNS) for row in rows):
        raise InputError(f"rows with {', '.join(ASSUMPTION_COLUMNS)}", field, value)
    return rows


def _outcome(value: Any, field: str) -> str:
    return _one_of([outcome.value for outcome in Outcome], value, field)


def _evidence(value: Any, field: str) -> str | None:
    return None if value is None else _one_of([each.value for each in Evidence], value, field)


def _fates(value: Any, field: str) -> Mapping[str, str]:
    return _each(_fate, value, field)


def _fate(value: Any, field: str) -> str:
    return _one_of(list(Fate), value, field)


def _each(read: Callable[[Any, str], _T], value: Any, field: str) -> Mapping[str, _T]:
    """The entries of an object, read one by one."""
    return {key: read(item, f"{field}.{key}") for key, item in mapping(value, field).items()}


def _checker(value: Any, field: str) -> str:
    return _one_of(list(OPINIONS), value, field)


def _one_of(values: list[str], value: Any, field: str) -> str:
    if type(value) is not str or value not in values:
        raise InputError(f"one of {', '.join(values)}", field, value)
    return value


_READERS: Mapping[str, Callable[[Any, str], Any]] = {
    **dict.fromkeys(("claim", "reading", "statement", "label", "scope", "reason"), _text),
    **dict.fromkeys(("cases", "applicable", "trivial", "touching", "teeth"), _count),
    "outcome": _outcome,
    "evidence": _evidence,
    "worst_ratio": _ratio,
    "witness": _optional_text,
    "regimes": _counts,
    "table": _table,
    "checker": _checker,
    "mutants": _fates,
    "tightness": _ratios,
    "assumptions": _assumptions,
    "obligations": _count,
    **dict.fromkeys(LISTS, _texts),
}
