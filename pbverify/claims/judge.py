"""The judge: runs the checks of lemma files, here or in other processes, and gathers verdicts.

`pytest lemmas`, `pbverify verify` and notebooks all judge through this module. An `Answer` is what
came of one check; `gathered` makes one verdict per claim and reading of them.
"""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import functools
import itertools
import json
import multiprocessing
import multiprocessing.queues
import os
import pathlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from pbverify.claims.judging import PROFILES, replay
from pbverify.claims.lemma import Check
from pbverify.claims.library import (
    FOLDER,
    REGISTER,
    find_folder,
    home_of,
    lemma_files,
    lemmas_of,
    likeliest_first,
)
from pbverify.claims.paper import Paper
from pbverify.claims.register import Register
from pbverify.claims.time_limit import check_seconds, within
from pbverify.claims.verdict import Evidence, Outcome, Verdict, merged, settled
from pbverify.claims.witness import filed
from pbverify.errors import FileError, InputError, PbverifyError
from pbverify.files.html_table import html_table
from pbverify.numerics import Truth

OWN, STRONGER, WITHOUT = "verdict", "stronger", "without"
"""What a check judges: a claim, a stronger form of it, or the claim without an assumption."""


@dataclasses.dataclass(frozen=True)
class Desk:
    """How hard to look, and where witnesses go."""

    profile: str
    witnesses: pathlib.Path
    root: pathlib.Path
    """Witness files are named relative to it."""
    time_limit: float | None = None


@dataclasses.dataclass(frozen=True)
class Answer:
    """What came of one check."""

    kind: str
    claim: str
    verdict: Verdict
    row: Mapping[str, str] = dataclasses.field(default_factory=dict)
    """What a report says of a dropped assumption."""
    complaint: str = ""
    """Why the verdict is not the expected one."""

    def to_json(self) -> str:
        document = {**dataclasses.asdict(self), "verdict": self.verdict.to_json()}
        return json.dumps(document)

    @staticmethod
    def from_json(text: str | bytes) -> Answer:
        document = json.loads(text)
        return Answer(**{**document, "verdict": Verdict.from_json(document["verdict"])})


def answer_to(check: Check, desk: Desk, paper: Paper) -> Answer:
    """Run a check: judge, file the witness, compare with what is expected, replay."""
    verdict = check.judged(PROFILES[desk.profile])
    verdict = filed(verdict, folder=desk.witnesses, root=desk.root, paper=paper)
    return _answer(check, verdict, check.complaint(verdict) or _replay_complaint(check, verdict))


def _answer(check: Check, verdict: Verdict, complaint: str = "") -> Answer:
    if check.ablation is not None:
        return Answer(WITHOUT, check.is_of, verdict, check.row(verdict), complaint)
    return Answer(STRONGER if check.is_stronger else OWN, check.is_of, verdict, {}, complaint)


def _replay_complaint(check: Check, verdict: Verdict) -> str:
    if verdict.witness is None or replay(check.claim, verdict.witness) is Truth.YES:
        return ""
    return f"{check.claim.id}: its witness does not replay"


def stopped(check: Check, reason: str) -> list[Answer]:
    """The answers to a check that could not be finished: its claim is undecided."""
    words = check.claim.statement, check.claim.label
    return [
        Answer(
            OWN,
            check.is_of,
            Verdict.undecided(check.is_of, reading, *words, f"{reason}: {check.name}"),
            complaint=f"{check.name}: {reason}",
        )
        for reading in check.concerns
    ]


def answers_in_time(check: Check, desk: Desk, paper: Paper) -> list[Answer]:
    """`answer_to` within the time limit; whatever fails leaves the claim undecided."""
    if desk.time_limit is None:
        try:
            return [answer_to(check, desk, paper)]
        except PbverifyError as error:
            return stopped(check, str(error))
        except Exception as error:  # a lemma file may fail in any way
            return stopped(check, f"{type(error).__name__}: {error}")
    found = within(desk.time_limit, lambda: answer_to(check, desk, paper).to_json().encode())
    if found:
        return [Answer.from_json(found)]
    limit = f"time limit of {desk.time_limit:g} s"
    return stopped(check, limit if found is None else "its process died")


def gathered(answers: Iterable[Answer]) -> list[Verdict]:
    """One verdict per claim and reading, with the stronger forms that fell and assumptions."""
    grouped: dict[tuple[str, str], list[Verdict]] = {}
    fallen: collections.Counter[str] = collections.Counter()
    rows: dict[str, list[Mapping[str, str]]] = {}
    for answer in answers:
        if answer.kind == OWN:
            place = answer.claim, answer.verdict.reading
            grouped.setdefault(place, []).append(answer.verdict)
        elif answer.complaint:
            continue
        elif answer.kind == STRONGER:
            fallen[answer.claim] += 1
        else:
            rows.setdefault(answer.claim, []).append(answer.row)
    together = {place: settled(merged(grouped[place])) for place in sorted(grouped)}
    return [
        dataclasses.replace(
            verdict,
            stronger=fallen[claim] + len(verdict.fallen),
            assumptions=tuple(rows.get(claim, ())),
        )
        for (claim, _), verdict in together.items()
    ]


@dataclasses.dataclass(frozen=True)
class Judged(Sequence[Verdict]):
    """Verdicts that show themselves as a table, and what was not as expected."""

    verdicts: tuple[Verdict, ...]
    complaints: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.verdicts)

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.verdicts[index]

    def __str__(self) -> str:
        return "\n".join("  ".join(row) for row in self._rows())

    def _repr_html_(self) -> str:
        return html_table(self._rows(), head=("claim", "reading", "verdict", "evidence"))

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        for verdict in self.verdicts:
            evidence = verdict.witness_file or verdict.reason or verdict.scope
            kind = verdict.evidence
            if kind is not None and kind is not Evidence.WITNESS:
                evidence = f"{kind.value}: {evidence}"
            yield verdict.claim, verdict.reading, verdict.outcome.value, evidence


@dataclasses.dataclass(frozen=True)
class Step:
    """What the judge is doing, and how much is left."""

    done: int
    total: int
    """Checks, once all lemma files are loaded; until then lemma files."""
    doing: str


Progress = Callable[[Step], None]
"""Told before anything that may take long, and after every check."""


def judge(
    *names: str,
    lemmas: str | os.PathLike[str] | Sequence[pathlib.Path] | None = None,
    readings: Sequence[str] = (),
    files: Collection[pathlib.Path] | None = None,
    profile: str = "default",
    jobs: int = 1,
    pool: concurrent.futures.Executor | None = None,
    time_limit: float | None = None,
    witnesses: pathlib.Path | None = None,
    progress: Progress = lambda step: None,
) -> Judged:
    """Judge the claims of a folder of lemma files: all, or those named, under all readings or some.

    A name is a claim's id, what ids begin with (`global`), or a label of the paper (`thm:main`).
    Witnesses go to `witnesses`, by default `.pbverify/witnesses` beside the folder. With `files`,
    only those lemma files are judged. With several `jobs` the checks run in as many processes, with
    a `pool` in the processes of that executor. In a notebook the result shows itself as a table.
    """
    if profile not in PROFILES:
        raise InputError(f"one of {', '.join(PROFILES)}", "profile", profile)
    folders = _folders(lemmas)
    root = home_of(folders[0])
    limit = None if time_limit is None else check_seconds(time_limit)
    desk = Desk(profile, witnesses or root / FOLDER / "witnesses", root, limit)
    work = planned(folders, names=names, readings=readings, files=files, progress=progress)
    answers = list(_answered(work, desk, jobs=jobs, pool=pool, progress=progress))
    complaints = tuple(answer.complaint for answer in answers if answer.complaint)
    return Judged(tuple(gathered(answers)), complaints)


def _folders(given: str | os.PathLike[str] | Sequence[pathlib.Path] | None) -> list[pathlib.Path]:
    if given is None or isinstance(given, str | os.PathLike):
        return [find_folder(None if given is None else pathlib.Path(given))]
    return list(given)


@dataclasses.dataclass(frozen=True)
class Task:
    """Checks of one lemma file under one reading, which share their cases."""

    file: pathlib.Path
    names: tuple[str, ...]


def planned(
    folders: Sequence[pathlib.Path],
    *,
    names: Sequence[str] = (),
    readings: Sequence[str] = (),
    files: Collection[pathlib.Path] | None = None,
    progress: Progress = lambda step: None,
) -> list[Task]:
    """What is to be judged; a name that nobody declares is an error."""
    registers = [Register.load(folder / REGISTER) for folder in folders]
    together = Register.union(registers)
    claims = {id for name in names for id in together.named(name)}
    known = {reading for register in registers for reading in register.paper.readings}
    for reading in readings:
        if reading not in known:
            raise InputError(f"one of {', '.join(sorted(known))}", "reading", reading)
    tasks = []
    for file in _loaded(folders, claims, files, progress):
        wanted = [
            check
            for check in checks_of(file).values()
            if (not claims or check.is_of in claims)
            and (not readings or check.reading in (*readings, "any"))
        ]
        by_reading = itertools.groupby(sorted(wanted, key=_reading), key=_reading)
        tasks += [Task(file, tuple(c.name for c in checks)) for _, checks in by_reading]
    return tasks


def _loaded(
    folders: Sequence[pathlib.Path],
    claims: Collection[str],
    chosen: Collection[pathlib.Path] | None,
    progress: Progress,
) -> list[pathlib.Path]:
    """The lemma files that declare the claims, or all, or the chosen ones among them."""
    files, found = lemma_files(*folders), set()
    if chosen is not None:
        files = [file for file in files if file in chosen]
    for id in claims:
        for number, file in enumerate(likeliest_first(folders, id)):
            progress(Step(number, len(files), f"loading {file.name}"))
            if any(check.is_of == id for check in checks_of(file).values()):
                found.add(file)
                break
    if claims:
        return [file for file in files if file in found]
    for number, file in enumerate(files):
        progress(Step(number, len(files), f"loading {file.name}"))
        checks_of(file)
    return files


def _reading(check: Check) -> str:
    return check.reading


@functools.lru_cache(maxsize=64)
def checks_of(file: pathlib.Path) -> Mapping[str, Check]:
    """The checks that a lemma file declares, by name."""
    register = Register.load(file.parent / REGISTER)
    lemmas = lemmas_of(file)
    if not lemmas:
        raise FileError(f"{file.name} declares no Lemma: run it with pytest.")
    return {check.name: check for lemma in lemmas for check in lemma.checks(register)}


@functools.lru_cache(maxsize=8)
def _paper(folder: pathlib.Path) -> Paper:
    return Register.load(folder / REGISTER).paper


Told = Callable[[str], None]
"""Told the name of a check before it is run; an empty name once it is done."""


def answers_to(task: Task, desk: Desk, tell: Told) -> Iterator[str]:
    """The answers to a task, as text that travels between processes."""
    tell(f"loading {task.file.name}")
    checks, paper = checks_of(task.file), _paper(task.file.parent)
    for name in task.names:
        tell(name)
        yield from (each.to_json() for each in answers_in_time(checks[name], desk, paper))
        tell("")


def _answered(
    tasks: Sequence[Task],
    desk: Desk,
    *,
    jobs: int,
    pool: concurrent.futures.Executor | None,
    progress: Progress,
) -> Iterator[Answer]:
    total, done = sum(len(task.names) for task in tasks), 0

    def tell(name: str) -> None:
        nonlocal done
        done += not name
        progress(Step(done, total, name))

    if pool is not None:
        yield from map(Answer.from_json, _from_pool(tasks, desk, pool, tell))
    elif jobs <= 1 or len(tasks) < 2:
        for task in tasks:
            yield from map(Answer.from_json, answers_to(task, desk, tell))
    else:
        yield from map(Answer.from_json, _from_processes(tasks, desk, jobs=jobs, tell=tell))


def _from_pool(
    tasks: Sequence[Task], desk: Desk, pool: concurrent.futures.Executor, tell: Told
) -> Iterator[str]:
    """From processes that tell what they did only when a task is done."""
    waiting = {pool.submit(_alone, task, desk): task for task in tasks}
    for future in concurrent.futures.as_completed(waiting):
        yield from future.result()
        for _ in waiting[future].names:
            tell("")


def _alone(task: Task, desk: Desk) -> list[str]:
    return list(answers_to(task, desk, lambda name: None))


def _from_processes(tasks: Sequence[Task], desk: Desk, *, jobs: int, tell: Told) -> Iterator[str]:
    context = multiprocessing.get_context("spawn")
    news = context.SimpleQueue()
    with concurrent.futures.ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_connect, initargs=(news,)
    ) as pool:
        waiting = {pool.submit(_in_process, task, desk) for task in tasks}
        while waiting:
            done, waiting = concurrent.futures.wait(
                waiting, timeout=NEWS, return_when=concurrent.futures.FIRST_COMPLETED
            )
            while not news.empty():
                tell(news.get())
            for future in done:
                yield from future.result()


NEWS = 0.2
"""Seconds after which news from other processes are passed on."""

_TELL: list[Told] = []
"""In a process of the pool: how it tells what it does."""


def _connect(news: multiprocessing.queues.SimpleQueue[str]) -> None:
    _TELL[:] = [news.put]


def _in_process(task: Task, desk: Desk) -> list[str]:
    return list(answers_to(task, desk, _TELL[0]))


def unexpected(verdicts: Iterable[Verdict], register: Register) -> list[Verdict]:
    """The verdicts that are not what the register expects."""
    return [
        verdict
        for verdict in verdicts
        if verdict.claim not in register.rows
        or register.rows[verdict.claim].expected.get(verdict.reading) is not verdict.outcome
    ]


def exit_code(judged: Judged, register: Register) -> int:
    """0 as expected, 1 something differs, 3 if all that differs is undecided."""
    odd = unexpected(judged.verdicts, register)
    if odd and all(verdict.outcome is Outcome.UNDECIDED for verdict in odd):
        return 3
    return 1 if odd or judged.complaints else 0
