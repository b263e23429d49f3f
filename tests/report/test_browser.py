"""The report as people see it, in a headless browser."""

from __future__ import annotations

import base64
import dataclasses
import pathlib
from typing import Any

import pytest

from pbverify.report import Material, files_of, write

VISIBLE = "[...document.querySelectorAll('tr[data-outcome]')].filter(r => !r.hidden)"
CLAIMS = f"{VISIBLE}.map(r => r.dataset.claim).join(' ')"


@pytest.fixture
def index(material: Material, tmp_path: pathlib.Path) -> pathlib.Path:
    write(tmp_path / "report", files_of(material))
    return tmp_path / "report" / "index.html"


def choose(name: str, value: str) -> str:
    found = f"document.querySelector('select[name={name}]')"
    return f"{found}.value = '{value}'; {found}.dispatchEvent(new Event('change'))"


def test_the_page_loads_alone_and_without_complaint(page: Any, index: pathlib.Path) -> None:
    """No console error, no exception, and no request but for the file itself."""
    page.open(index)
    page.evaluate("document.title")
    assert page.of("Runtime.exceptionThrown", "Runtime.consoleAPICalled") == []
    assert page.of("Log.entryAdded") == []
    urls = {event["request"]["url"] for event in page.of("Network.requestWillBeSent")}
    assert {url for url in urls if not url.startswith("data:")} == {index.as_uri()}


def test_nothing_from_a_file_runs(page: Any, index: pathlib.Path) -> None:
    """Scripts in statements, errata, places, reasons and witnesses stay text."""
    page.open(index)
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.title") == "Verdicts on Prudent-Banker"
    assert page.evaluate("document.scripts.length") == 1
    assert "<script>document.title='owned'" in page.evaluate("document.body.innerText")


def test_filters_work(page: Any, index: pathlib.Path) -> None:
    """Verdict, kind, reading and text narrow the table; a tile works like its filter."""
    page.open(index)
    assert page.evaluate(f"{VISIBLE}.length") == 5
    page.evaluate(choose("outcome", "REFUTED"))
    assert page.evaluate(CLAIMS) == "lemma lemma/run"
    page.evaluate(choose("kind", "pathwise"))
    assert page.evaluate(CLAIMS) == "lemma/run"
    assert page.evaluate("document.getElementById('shown').textContent") == "1 of 5 shown"
    page.evaluate(choose("kind", "") + ";" + choose("outcome", ""))
    page.evaluate(choose("reading", "main"))
    assert page.evaluate(CLAIMS) == "lemma/run"
    page.evaluate(choose("reading", ""))
    page.evaluate("document.querySelector('.tile.undecided').click()")
    assert page.evaluate(CLAIMS) == "open"
    page.evaluate("document.querySelector('.tile.undecided').click()")
    search = "document.querySelector('input[type=search]')"
    page.evaluate(f"{search}.value = 'THEOREM'; {search}.dispatchEvent(new Event('input'))")
    assert page.evaluate(CLAIMS) == "theorem"


def test_a_refuted_claim_has_its_picture(page: Any, index: pathlib.Path) -> None:
    """Each counterexample shows a drawing with a size; a run shows its course as well."""
    page.open(index)
    page.evaluate("document.querySelectorAll('.card').forEach(card => card.open = true)")
    sizes = (
        "[...document.querySelectorAll('.card')].map(c => [...c.querySelectorAll('svg.picture')]"
    )
    widths = page.evaluate(f"{sizes}.map(s => s.getBoundingClientRect().width > 50))")
    assert widths == [[True], [True, True]]


def test_steps_that_hold_are_folded(page: Any, material: Material, tmp_path: pathlib.Path) -> None:
    """They open by their button or by all at once, and a filter shows whatever it finds."""
    step = dataclasses.replace(material.verdicts[0], claim="lemma/step")
    row = {**material.rows[0], "id": "lemma/step", "fidelity": "proof step", "uses": []}
    verdicts, rows = [*material.verdicts, step], [*material.rows, row]
    more = dataclasses.replace(material, verdicts=verdicts, rows=rows)
    write(tmp_path / "steps", files_of(more))
    index = tmp_path / "steps" / "index.html"
    shown = "document.querySelector('tr[data-claim=\"lemma/step\"]').offsetParent !== null"
    page.open(index)
    assert page.evaluate(shown) is False
    page.evaluate("document.querySelector('.fold').click()")
    assert page.evaluate(shown) is True
    page.evaluate("document.querySelector('.fold').click()")
    page.evaluate(choose("outcome", "HOLDS"))
    assert page.evaluate(shown) is True
    page.evaluate(choose("outcome", ""))
    assert page.evaluate(shown) is False
    page.evaluate("document.getElementById('all').click()")
    assert page.evaluate(shown) is True


def test_links_open_what_they_point_to(page: Any, index: pathlib.Path) -> None:
    """A counterexample opens when it is followed to, and is closed before."""
    page.open(index)
    closed = "[...document.querySelectorAll('.card')].map(card => card.open)"
    assert page.evaluate(closed) == [False, False]
    page.evaluate("document.querySelector('tr[data-outcome=REFUTED] a').click()")
    assert page.evaluate(closed) == [True, False]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_fits_a_phone(scheme: str, page: Any, index: pathlib.Path) -> None:
    """At 390 pixels nothing sticks out sideways, in light and dark, and formulas are drawn."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    page.call("Emulation.setEmulatedMedia", features=[feature])
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    page.call("Emulation.setDeviceMetricsOverride", **size)
    page.open(index)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('math').getBoundingClientRect().height") > 8
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
    picture = base64.b64decode(page.call("Page.captureScreenshot")["data"])
    assert picture.startswith(b"\x89PNG")
