"""Errata: both texts, the counterexamples they name, and that the LaTeX compiles."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from pbverify.claims.register import Register
from pbverify.claims.verdict import Evidence, Outcome, Verdict, Witness
from pbverify.report import write
from pbverify.report.errata import Sources, errata_files
from pbverify.report.plain_tex import tex_of

ROOT = pathlib.Path(__file__).parents[2]
REGISTER = Register.load(ROOT / "lemmas" / "paper.toml")
FINDINGS = REGISTER.findings.by_rank()


def sources() -> Sources:
    """The project's register, with verdicts as it expects them and the notebooks' witnesses."""
    folder = ROOT / "notebooks" / "witnesses"
    files = {Witness.load(path).claim: path.name for path in sorted(folder.glob("*.json"))}
    verdicts = {
        (row.id, reading): Verdict(
            *(row.id, reading, outcome),
            Evidence.WITNESS if outcome is Outcome.REFUTED else Evidence.SURVIVED,
            *(1, 1, ""),
            witness_file=files.get(row.id) if outcome is Outcome.REFUTED else None,
        )
        for row in REGISTER.rows.values()
        for reading, outcome in row.expected.items()
    }
    return Sources(REGISTER, verdicts, [folder])


FILES = errata_files(sources())


@pytest.mark.parametrize("name", ["errata.tex", "errata.md"])
def test_every_correction_stands_in_order(name: str) -> None:
    """One entry per finding that corrects something, the gravest first, with all its parts."""
    text = FILES[name].decode()
    places = [text.index(f"{n}. {finding.title[:20]}") for n, finding in enumerate(FINDINGS, 1)]
    assert places == sorted(places)
    for finding in FINDINGS:
        assert finding.quote in text
        assert finding.corrected in text
    for part in ("Printed", "Error", "Counterexample", "Correction", "Consequence"):
        assert text.count(f"{part}.") >= len(FINDINGS)
    assert f"{len(FINDINGS[0].survives)} survived" in text


def test_every_refuted_step_has_its_line() -> None:
    """Lines of proofs that are refuted as printed, where they stand."""
    steps = sources().steps
    assert len(steps) > 20
    assert FILES["errata.md"].decode().count("\n- ") == len(steps)


def test_the_counterexamples_are_attached_and_checked(tmp_path: pathlib.Path) -> None:
    """Every named file is there, and the attached program finds nothing to object to."""
    write(tmp_path, FILES)
    named = re.findall(r"`(witnesses/[^`]+)`", FILES["errata.md"].decode())
    assert len(named) == len(FINDINGS)
    assert {*named} == {name for name in FILES if name.startswith("witnesses/")}
    quick = [name for name in named if "global_safety" not in name and "no-delay" not in name]
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "check_witnesses.py"), *quick[:4]],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout


def test_every_failure_is_drawn() -> None:
    """The drawings of the report stand in both texts, each once, and as files."""
    markdown, tex = FILES["errata.md"].decode(), FILES["errata.tex"].decode()
    for name in {finding.picture for finding in FINDINGS}:
        assert FILES[f"pictures/{name}.svg"].startswith(b"<svg")
        assert markdown.count(f"(pictures/{name}.svg)") == 1
    assert tex.count(r"\begin{tikzpicture}") == len({finding.picture for finding in FINDINGS})


def test_the_same_bytes_every_time() -> None:
    """Neither a date nor a path of this machine is in any file."""
    assert errata_files(sources()) == FILES
    assert str(ROOT).encode() not in b"".join(FILES.values())


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="no pdflatex (texlive-latex-recommended, -pictures)"
)
def test_the_latex_compiles_to_six_pages(tmp_path: pathlib.Path) -> None:
    """Without an error, and the whole paper's errata fit on six pages."""
    write(tmp_path, FILES)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "errata.tex"]
    done = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path)
    log = done.stdout.decode("latin-1")
    assert done.returncode == 0, log[-2000:]
    pages = re.search(r"Output written on errata.pdf \((\d+) page", log)
    assert pages is not None
    assert int(pages[1]) <= 6


@pytest.mark.parametrize(
    ("plain", "tex"),
    [
        ("x^c = (1/2, 1/2)", "$x^{c} =$ (1/2, 1/2)"),
        ("order sqrt(D)/delta.", r"order $\sqrt{D}$/$\delta $."),
        ("T^(3/4) or delta^(-1/2)", r"$T^{3/4}$ or $\delta ^{-1/2}$"),
        ("2 R^ + xi^ at R^(D)", r"2 $\hat R$ + $\hat \xi $ at $\hat R$($D$)"),
        ("x^_u and V_j / L_j", r"$\hat x_{u}$ and $V_{j}$ / $L_{j}$"),
        ("ceil(log2 D) + 1", r"$\lceil \log_2 D\rceil$ + 1"),
        ("a random x*, (log D)^2", r"a random $x^*$, (log $D)^{2}$"),
        ("eq:B_T_bound & 5 %", r"eq:B\_T\_bound \& 5 \%"),
        ("A phase in which a arms", "A phase in which a arms"),
        ("3.3 +- 1.5, O~(n)", r"3.3 $\pm$ 1.5, $\tilde O$($n$)"),
    ],
)
def test_plain_notation_is_typeset(plain: str, tex: str) -> None:
    """Formulas between dollar signs, words as words, nothing dropped."""
    assert tex_of(plain) == tex
