"""Derandomized property tests: the same examples in every run."""

from __future__ import annotations

import gc
import pathlib
import sqlite3
from collections.abc import Iterator

import hypothesis
import pytest

hypothesis.settings.register_profile(
    "pbverify",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=100,
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
)
hypothesis.settings.load_profile("pbverify")

pytest_plugins = ["pytester"]

LONGEST = ("test_lemmas.py", "test_notebooks.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first, so that no process works on one of them alone at the end."""
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


def pytest_collection_finish() -> None:
    """What is imported by now stays; the garbage collector need not look at it again."""
    gc.collect()
    gc.freeze()


SMALL_LEMMA = '''
"""A statement about short phases, of which one form is false."""
from pbverify import Lemma, every, leq, says, sharpened
from pbverify.paper.cases.phase import all_phases, number_of_phases
from pbverify.paper.sorts import PHASES

def first_is_short(phase):
    yield leq(phase.local_delays[0], 1, t=phase.start)

def first_is_not_longest(phase):
    yield leq(phase.local_delays[0], max(phase.local_delays), t=phase.start)

SHORT = every(
    lambda: all_phases(length=2, delay=3),
    count=lambda: number_of_phases(length=2, delay=3),
    scope="short phases",
)
SMALL = Lemma(
    "small",
    says("d_s <= 1", first_is_short),
    says("d_s <= max d_t", first_is_not_longest, step="@repaired", stronger=sharpened(by=1)),
    about=PHASES,
    by=SHORT,
)
THEOREM = Lemma("theorem", says("d_s <= max d_t <b>", first_is_not_longest), about=PHASES, by=SHORT)
'''

SMALL_ROW = """
[[claim]]
id = "{id}"
label = "lem:small"
place = "nowhere"
kind = "combinatorial"
fidelity = "{fidelity}"
uses = {uses}
expected = {{ any = "{outcome}" }}
erratum = "{erratum}"
"""


@pytest.fixture
def small_lemmas(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder of lemma files: a refuted claim, its repair, and a theorem that uses it."""
    folder = tmp_path / "lemmas"
    folder.mkdir()
    (folder / "lemma_small.py").write_text(SMALL_LEMMA)
    rows = [
        {"id": "small", "fidelity": "stated", "uses": "[]", "outcome": "REFUTED"},
        {"id": "small@repaired", "fidelity": "repaired", "uses": "[]", "outcome": "HOLDS"},
        {"id": "theorem", "fidelity": "stated", "uses": '["small"]', "outcome": "HOLDS"},
    ]
    errata = {"small": "A first delay may be long."}
    text = "".join(SMALL_ROW.format(**row, erratum=errata.get(row["id"], "")) for row in rows)
    (folder / "paper.toml").write_text(f'[paper]\npackage = "pbverify.paper"\n{text}')
    return folder


@pytest.fixture
def small_session(small_lemmas: pathlib.Path) -> pathlib.Path:
    """The same folder after a full session: its verdicts and the witness lie beside it."""
    from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness, save_verdicts

    session = small_lemmas.parent / ".pbverify"
    (session / "witnesses").mkdir(parents=True)
    subject = {"parameters": {"delays": [2], "start": 1, "end": 1}}
    witness = Witness("small", None, subject, {"t": 1}, "2", "1", "1")
    witness.save(session / "witnesses" / witness.file_name)
    name = f"witnesses/{witness.file_name}"
    refuted = Verdict(
        "small", "any", Outcome.REFUTED, Evidence.WITNESS, 3, 3, "d_s <= 1", witness_file=name
    )
    others = [
        Verdict(id, "any", Outcome.HOLDS, Evidence.EXHAUSTED, 20, 20, "d_s <= max d_t")
        for id in ("small@repaired", "theorem")
    ]
    save_verdicts(session / "verdicts.json", [refuted, *others], profile="quick")
    return small_lemmas


@pytest.fixture
def cluster() -> Iterator[str]:
    """The address of a Dask scheduler with two worker processes."""
    from distributed import LocalCluster

    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as found:
        yield found.scheduler_address


@pytest.fixture
def closed_stores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever store a test opens is closed when it ends; Python itself warns only since 3.13."""
    from pbverify.search.campaign.store import Store

    opened, init = [], Store.__init__

    def watched(self: Store, connection: sqlite3.Connection, folder: pathlib.Path) -> None:
        opened.append(connection)
        init(self, connection, folder)

    monkeypatch.setattr(Store, "__init__", watched)
    yield
    for connection in opened:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            connection.execute("SELECT 1")
