"""Where a campaign keeps what it has done: one SQLite file, one transaction per shard.

The file is in WAL mode with synchronous = FULL: a shard is recorded whole, on the disk, or not at
all, whatever is killed and when. A shard that is already there is not recorded again. While a
campaign runs it holds `lock`, a second database in an open transaction, which the system releases
with the process.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import pathlib
import sqlite3
import zlib
from collections.abc import Iterator
from typing import Any, Self

from pbverify.errors import FileError, InputError, show_path
from pbverify.files.documents import PROVENANCE, made_folder
from pbverify.search.campaign.plan import Plan, Shard
from pbverify.search.campaign.worker import Result

FORMAT = "pbverify/campaign-1"
FILE = "campaign.sqlite"
LOCK = "lock.sqlite"
NOTHING = "No campaign in {}."
WAITING = 5.0
"""Seconds to wait for a reader before giving up."""

SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE shards (
    number INTEGER PRIMARY KEY, claim TEXT NOT NULL, ordinal INTEGER NOT NULL,
    reading TEXT NOT NULL, engine TEXT NOT NULL, position INTEGER NOT NULL,
    cases INTEGER NOT NULL, applicable INTEGER NOT NULL, violations INTEGER NOT NULL,
    regimes TEXT NOT NULL, score REAL, ratio REAL, error TEXT NOT NULL, seconds REAL NOT NULL);
CREATE TABLE best (
    claim TEXT, ordinal INTEGER, reading TEXT, score REAL NOT NULL, ratio REAL,
    shard INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (claim, ordinal, reading)) WITHOUT ROWID;
CREATE TABLE findings (
    shard INTEGER NOT NULL, place INTEGER NOT NULL, claim TEXT NOT NULL, ordinal INTEGER NOT NULL,
    reading TEXT NOT NULL, engine TEXT NOT NULL, score REAL NOT NULL, rigorous INTEGER NOT NULL,
    body BLOB NOT NULL, status TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (shard, place)) WITHOUT ROWID;
"""

Row = dict[str, Any]


def packed(text: str) -> bytes:
    """JSON text in a store: long runs repeat themselves."""
    return zlib.compress(text.encode())


def unpacked(body: bytes) -> str:
    return zlib.decompress(body).decode()


class Store:
    """An open store; make one with `create` or `opened`, and close it, best by `with`."""

    def __init__(self, connection: sqlite3.Connection, folder: pathlib.Path) -> None:
        self._connection = connection
        self._connection.row_factory = sqlite3.Row
        self.folder = folder

    @staticmethod
    def create(folder: pathlib.Path, plan: Plan, budget: Row) -> Store:
        """A new store; one that is there already is left alone."""
        made_folder(folder)
        meta = {"format": FORMAT, **PROVENANCE, "plan": plan.to_json(), "budget": budget}
        with _closed_on_failure(Store(_connected(folder, "rwc"), folder)) as store:
            store._lay_out(meta)
        return store

    @staticmethod
    def opened(folder: pathlib.Path) -> Store:
        """A store to go on with."""
        with _closed_on_failure(Store(_connected(folder, "rw"), folder)) as store:
            store.check_origin()
        return store

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    @property
    def plan(self) -> Plan:
        return Plan.from_json(self._meta("plan"))

    @property
    def budget(self) -> Row:
        found: Row = self._meta("budget")
        return found

    def set_budget(self, budget: Row) -> None:
        with self._writing() as cursor:
            cursor.execute("UPDATE meta SET value = ? WHERE key = 'budget'", [json.dumps(budget)])

    def record(self, shard: Shard, result: Result) -> bool:
        """Write a shard's result with all it found; False if it was there already."""
        task = shard.task
        name = (task.claim, task.ordinal, task.reading)
        with self._writing() as cursor:
            cursor.execute(
                f"INSERT OR IGNORE INTO shards VALUES ({', '.join('?' * 14)})",
                (
                    *(shard.number, *name, task.engine, shard.index),
                    *(result.cases, result.applicable, result.violations),
                    *(json.dumps(result.reached), result.score, result.ratio),
                    *(result.error, result.seconds),
                ),
            )
            if not cursor.rowcount:
                return False
            for place, found in enumerate(result.findings):
                values = (found.score, found.is_rigorous, packed(found.case))
                cursor.execute(
                    "INSERT INTO findings (shard, place, claim, ordinal, reading, engine, score, "
                    "rigorous, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (shard.number, place, *name, task.engine, *values),
                )
            if result.best is not None and result.score is not None:
                self._keep_best(cursor, shard, result)
        return True

    def _keep_best(self, cursor: sqlite3.Cursor, shard: Shard, result: Result) -> None:
        """The tightest case of each claim and reading; of equal ones that of the first shard."""
        task = shard.task
        name = (task.claim, task.ordinal, task.reading)
        where = "WHERE claim = ? AND ordinal = ? AND reading = ?"
        cursor.execute(f"SELECT score, shard FROM best {where}", name)
        old = cursor.fetchone()
        if old is None or (result.score, -shard.number) > (old["score"], -old["shard"]):
            assert result.best is not None
            values = (result.score, result.ratio, shard.number, packed(result.best))
            cursor.execute(
                "INSERT OR REPLACE INTO best VALUES (?, ?, ?, ?, ?, ?, ?)", (*name, *values)
            )

    def settle(self, finding: Row, *, status: str, detail: str) -> None:
        """Write what became of a finding when it was confirmed, or not."""
        with self._writing() as cursor:
            cursor.execute(
                "UPDATE findings SET status = ?, detail = ? WHERE shard = ? AND place = ?",
                (status, detail, finding["shard"], finding["place"]),
            )

    def done(self) -> set[int]:
        """The numbers of the shards that are recorded."""
        return {row["number"] for row in self.rows("SELECT number FROM shards")}

    def shards(self) -> list[Row]:
        return self.rows("SELECT * FROM shards ORDER BY number")

    def best(self) -> list[Row]:
        return self.rows("SELECT * FROM best ORDER BY claim, ordinal, reading")

    def findings(self) -> list[Row]:
        return self.rows("SELECT * FROM findings ORDER BY claim, ordinal, reading, shard, place")

    def digest(self) -> str:
        """A hash of everything that was found, in the order of shards, without any time."""
        hashed = hashlib.sha256()
        for row in self.shards():
            del row["seconds"]
            hashed.update(json.dumps(row, sort_keys=True).encode())
        for row in (*self.best(), *self.findings()):
            hashed.update(unpacked(row.pop("body")).encode())
            kept = {key: row[key] for key in row if key not in ("status", "detail")}
            hashed.update(json.dumps(kept, sort_keys=True).encode())
        return hashed.hexdigest()

    def rows(self, query: str) -> list[Row]:
        with _explained(self.folder):
            return [dict(row) for row in self._connection.execute(query)]

    def _meta(self, key: str) -> Any:
        with _explained(self.folder):
            query = "SELECT value FROM meta WHERE key = ?"
            found = self._connection.execute(query, [key]).fetchone()
        return None if found is None else json.loads(found["value"])

    def _is_laid_out(self) -> bool:
        """Whether the campaign was begun; a disk that was full then leaves an empty file."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = 'meta'"))

    def _lay_out(self, meta: Row) -> None:
        with self._writing() as cursor:
            if self._is_laid_out():
                raise FileError(
                    f"{show_path(self.folder)} holds a campaign: `campaign resume` continues it, "
                    "or name another --store."
                )
            for statement in SCHEMA.split(";"):
                cursor.execute(statement)
            rows = [(key, json.dumps(value)) for key, value in meta.items()]
            cursor.executemany("INSERT INTO meta VALUES (?, ?)", rows)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Cursor]:
        """One transaction, whole or not at all."""
        with _explained(self.folder):
            cursor = self._connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    cursor.execute("ROLLBACK")
                raise

    def check_origin(self) -> None:
        """Raise unless a campaign was begun, with this version and this paper."""
        if not self._is_laid_out():
            raise FileError(NOTHING.format(show_path(self.folder)))
        for key, own in {"format": FORMAT, **PROVENANCE}.items():
            if self._meta(key) != own:
                raise InputError(f"a store with {key} = {own}", key, self._meta(key))


@contextlib.contextmanager
def running(folder: pathlib.Path) -> Iterator[None]:
    """Hold the store's lock: two campaigns on one store would do the same work."""
    with _explained(folder):
        lock = sqlite3.connect(folder / LOCK, isolation_level=None, timeout=0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" not in str(error):
            raise FileError(f"Cannot write {show_path(folder)}: {error}.") from error
        raise FileError(f"Another campaign is running on {show_path(folder)}.") from error
    try:
        yield
    finally:
        lock.close()


@contextlib.contextmanager
def _closed_on_failure(store: Store) -> Iterator[Store]:
    try:
        yield store
    except BaseException:
        store.close()
        raise


def _connected(folder: pathlib.Path, mode: str) -> sqlite3.Connection:
    path = (folder / FILE).absolute()
    if mode == "rw" and not path.is_file():
        raise FileError(NOTHING.format(show_path(folder)))
    with _explained(folder):
        connection = sqlite3.connect(
            f"{path.as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=WAITING
        )
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error:
            connection.close()
            raise
    return connection


@contextlib.contextmanager
def _explained(folder: pathlib.Path) -> Iterator[None]:
    """What SQLite says about the disk or the file, in one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise FileError(f"Cannot use the store {show_path(folder)}: {error}.") from error
