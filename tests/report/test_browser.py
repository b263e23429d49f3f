"""The report as people see it, in a headless browser."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest

from pbverify.report import Material, files_of, write

VISIBLE = "[...document.querySelectorAll('tr[data-claim]')].filter(r => r.offsetParent !== null)"
CLAIMS = f"{VISIBLE}.map(r => r.dataset.claim).join(' ')"
CONTRAST = """
(() => {
  const channel = c => { c /= 255; return c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4; };
  const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
  const colour = text => text.match(/[\\d.]+/g).map(Number);
  const ground = node => {
    for (; node; node = node.parentElement) {
      const found = colour(getComputedStyle(node).backgroundColor);
      if (found.length < 4 || found[3] > 0) { return found; }
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const node of document.querySelectorAll('body *:not(svg *):not(script):not(style)')) {
    const own = [...node.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !node.offsetParent) { continue; }
    const pair = [colour(getComputedStyle(node).color), ground(node)].map(light).sort();
    const [low, high] = pair[0] < pair[1] ? pair : [pair[1], pair[0]];
    const words = node.className + ': ' + node.textContent.slice(0, 30);
    if ((high + .05) / (low + .05) < 4.5) { bad.push(words); }
  }
  return bad;
})()
"""


@pytest.fixture
def site(material: Material, tmp_path: pathlib.Path) -> pathlib.Path:
    write(tmp_path / "report", files_of(material))
    return tmp_path / "report"


def pages_of(site: pathlib.Path) -> list[pathlib.Path]:
    return sorted(site.rglob("*.html"))


def choose(name: str, value: str) -> str:
    found = f"document.querySelector('[name={name}]')"
    event = "new Event('input', {bubbles: true})"
    return f"{found}.value = '{value}'; {found}.dispatchEvent({event})"


def test_every_page_loads_alone_and_without_complaint(page: Any, site: pathlib.Path) -> None:
    """No console error, no exception, no request but for the file, and no foreign script runs."""
    assert len(pages_of(site)) >= 8
    for path in pages_of(site):
        page.open(path)
        title = page.evaluate("document.title")
        assert title.endswith("What became of Prudent-Banker"), path.name
        assert page.of("Runtime.exceptionThrown", "Runtime.consoleAPICalled") == []
        assert page.of("Log.entryAdded") == []
        urls = {event["request"]["url"] for event in page.of("Network.requestWillBeSent")}
        assert {url for url in urls if not url.startswith("data:")} == {path.as_uri()}
        assert page.evaluate("document.scripts.length") <= 1


def test_the_start_page_has_three_screens(
    page: Any, expected: Material, tmp_path: pathlib.Path
) -> None:
    """With the paper's own findings, at 1400 x 900 pixels; its map needs no scrolling."""
    write(tmp_path / "report", files_of(expected))
    page.size(1400, height=900)
    page.open(tmp_path / "report" / "index.html")
    assert page.evaluate("document.documentElement.scrollHeight") <= 3 * 900
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    assert page.evaluate("(m => m.scrollWidth <= m.clientWidth)(document.querySelector('.map'))")


def test_every_link_resolves(page: Any, site: pathlib.Path) -> None:
    """Links lead to files of the site, and to places that exist in them."""
    hrefs = "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
    ids = "[...document.querySelectorAll('[id]')].map(e => e.id)"
    links, known = {}, {}
    for path in pages_of(site):
        page.open(path)
        links[path], known[path] = page.evaluate(hrefs), set(page.evaluate(ids))
    for path, found in links.items():
        for href in found:
            name, _, place = href.partition("#")
            target = (path.parent / name).resolve() if name else path
            assert target.is_file(), href
            assert not place or "=" in place or place in known[target], href


def test_filters_work_and_are_kept_in_the_address(page: Any, site: pathlib.Path) -> None:
    """Verdict, kind, reading, grade, fidelity and text narrow the table; a link restores them."""
    page.open(site / "claims.html")
    assert page.evaluate(f"{VISIBLE}.length") == 5
    page.evaluate(choose("outcome", "REFUTED"))
    assert page.evaluate(CLAIMS) == "lemma lemma/run"
    page.evaluate(choose("fidelity", "proof step"))
    assert page.evaluate(CLAIMS) == "lemma/run"
    assert page.evaluate("document.getElementById('shown').textContent") == "1 of 5 shown"
    address = page.evaluate("location.hash")
    page.open(site / "index.html")
    page.open(site / "claims.html", address)
    assert page.evaluate(CLAIMS) == "lemma/run"
    for name, value, found in [
        ("reading", "main", "lemma/run"),
        ("grade", "proved", "lemma@repaired"),
        ("kind", "combinatorial", "lemma lemma@repaired theorem open"),
        ("statement", "theorem", "theorem"),
        ("text", "THEOREM", "theorem"),
    ]:
        page.evaluate("location.hash = ''")
        page.open(site / "index.html")
        page.open(site / "claims.html")
        page.evaluate(choose(name, value))
        assert set(page.evaluate(CLAIMS).split()) >= set(found.split())
        assert page.evaluate(f"{VISIBLE}.length") < 5
    shown = page.evaluate("document.getElementById('shown').textContent")
    assert int(shown.split()[0]) == page.evaluate(f"{VISIBLE}.length")


def test_every_visible_row_belongs_to_what_is_named_above_it(page: Any, site: pathlib.Path) -> None:
    """Under any filter a row shows its own claim, under the heading of its own statement."""
    names = f"{VISIBLE}.map(r => [r.dataset.claim, r.querySelector('.id').textContent])"
    heads = f"{VISIBLE}.map(r => [r.dataset.statement, r.closest('tbody').dataset.statement])"
    for outcome in ("", "REFUTED", "HOLDS", "UNDECIDED"):
        page.open(site / "index.html")
        page.open(site / "claims.html", f"#outcome={outcome}" if outcome else "")
        for own, shown in [*page.evaluate(names), *page.evaluate(heads)]:
            assert own == shown
        empty = (
            "[...document.querySelectorAll('table.claims tbody')].filter(b => b.offsetParent && "
            "![...b.querySelectorAll('tr[data-claim]')].some(r => r.offsetParent)).length"
        )
        assert page.evaluate(empty) == 0


def test_a_counterexample_is_told_and_drawn(page: Any, site: pathlib.Path) -> None:
    """The statement's page has the mechanism, the two sides and the drawings of its witnesses."""
    page.open(site / "statements" / "lemma.html")
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    wide = "e => e.getBoundingClientRect().width > 50"
    assert page.evaluate(f"[...document.querySelectorAll('svg.sketch')].map({wide})") == [True]
    assert (
        page.evaluate(f"[...document.querySelectorAll('svg.picture')].map({wide})").count(True) == 3
    )
    assert "found 2, claimed ≤ 1" in page.evaluate("document.querySelector('.card').innerText")
    assert (
        page.evaluate("document.querySelector('blockquote math').getBoundingClientRect().height")
        > 8
    )


def test_the_graph_zooms(page: Any, site: pathlib.Path) -> None:
    """Its buttons make the drawing larger and smaller; a list says the same in words."""
    page.open(site / "graph.html")
    width = "document.querySelector('.graph svg').getBoundingClientRect().width"
    before = page.evaluate(width)
    page.evaluate("document.querySelectorAll('.zoom button')[1].click()")
    assert page.evaluate(width) > before
    page.evaluate("document.querySelectorAll('.zoom button')[0].click()")
    assert page.evaluate(width) == pytest.approx(before, rel=0.01)
    assert "theorem" in page.evaluate("document.querySelector('ul.uses').innerText")


def test_the_pages_work_by_keyboard_and_are_named(page: Any, site: pathlib.Path) -> None:
    """The first stop skips to the content; controls and drawings have names."""
    for path in pages_of(site):
        page.open(path)
        page.press("Tab", 9)
        assert page.evaluate("document.activeElement.className") == "skip", path.name
        nameless = (
            "[...document.querySelectorAll('svg, select, input')].filter("
            "e => !e.getAttribute('aria-label')).length"
        )
        assert page.evaluate(nameless) == 0
        assert page.evaluate("document.querySelectorAll('h1').length") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_a_phone_and_can_be_read(scheme: str, page: Any, site: pathlib.Path) -> None:
    """At 380 pixels nothing sticks out sideways; text has a contrast of 4.5 or more."""
    page.size(380, scheme=scheme)
    for path in pages_of(site):
        page.open(path)
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= 380, path.name
        assert page.evaluate(CONTRAST) == [], path.name
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 27)"}[scheme]
