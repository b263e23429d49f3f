"""Options and defaults that several commands share."""

from __future__ import annotations

import pathlib

from pbverify.claims.verdict import save_verdicts
from pbverify.cli.options import default_verdicts, last_verdicts


def test_verdicts_lie_beside_the_lemmas(small_lemmas: pathlib.Path) -> None:
    """The default file is `.pbverify/verdicts.json` in the folder that holds the lemma files'."""
    expected = small_lemmas.parent / ".pbverify" / "verdicts.json"
    assert default_verdicts(small_lemmas) == expected


def test_there_may_be_no_verdicts_yet(small_lemmas: pathlib.Path) -> None:
    """Before the first session there are none; afterwards they are found."""
    assert last_verdicts(small_lemmas) is None
    path = default_verdicts(small_lemmas)
    path.parent.mkdir()
    save_verdicts(path, [], profile="quick")
    found = last_verdicts(small_lemmas)
    assert found is not None
    assert found.profile == "quick"
