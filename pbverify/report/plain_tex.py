r"""The plain text of findings as LaTeX: `x^c`, `sqrt(D)/delta`, `R^`, `<=` become formulas.

Words stay words; what LaTeX would take for a command is escaped. Nothing is dropped.
"""

from __future__ import annotations

import re

GREEK = (
    "tau",
    "alpha",
    "beta",
    "gamma",
    "delta",
    "sigma",
    "theta",
    "lambda",
    "xi",
    "Theta",
    "Omega",
)
SYMBOLS = ("T", "D", "N", "n")
"""Letters that are always a symbol of the paper; A and a are words too."""
FUNCTIONS = ("log", "ln", "min", "max", "exp")
_NAME = rf"(?:{'|'.join(GREEK)}|[A-Za-z](?![A-Za-z])|\d+)"
_INSIDE = r"\((?:[^()]|\([^()]*\))*\)"
_TOKEN = re.compile(
    r"(?P<label>(?:eq|lem|thm|cor|sec|app|tab|fig|def|alg|pblem|pbthm):[\w:-]+)"
    r"|(?P<soft>O~)"
    rf"|(?P<root>sqrt(?:{_INSIDE}|\s?{_NAME}))"
    rf"|(?P<ceil>ceil{_INSIDE})"
    rf"|(?P<power>\)\^(?:{_INSIDE}|-?\w+))"
    rf"|(?P<log2>log2(?![A-Za-z]))"
    rf"|(?<![A-Za-z])(?P<hat>(?:{'|'.join(GREEK)}|[A-Za-z]))\^"
    r"(?:_(?P<hatted>\w+|\([^()]*\)))?(?![\w(*-])"
    r"|(?<![A-Za-z])(?P<budget>R)\^(?=\()"
    rf"|(?<![A-Za-z\d])(?P<base>{_NAME})"
    rf"(?:_(?P<low>\w+))?(?:\^(?P<high>{_INSIDE}|-?\w+)|(?P<star>\*))?"
    r"(?=[^A-Za-z]|$)"
    r"|(?P<relation><=|>=|->|\+-|<|>|=)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_RELATIONS = {"<=": r"\le", ">=": r"\ge", "->": r"\to", "+-": r"\pm", "<": "<", ">": ">", "=": "="}
_SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"},
}


def tex_of(text: str) -> str:
    """The text as LaTeX, formulas between dollar signs."""
    return "".join(
        f"${each}$" if is_formula else escaped(each) for is_formula, each in pieces_of(text)
    )


def pieces_of(text: str) -> list[tuple[bool, str]]:
    """Words as they stand, and formulas in LaTeX; each with whether it is a formula."""
    found: list[tuple[bool, str]] = []
    for match in _TOKEN.finditer(text):
        is_formula = _is_formula(match)
        piece = _formula(match) if is_formula else match[0]
        if found and found[-1][0] == is_formula:
            found[-1] = (is_formula, found[-1][1] + piece)
        elif is_formula and len(found) > 1 and found[-1][1].isspace():
            space = found.pop()[1]
            found[-1] = (True, f"{found[-1][1]}{space}{piece}")
        else:
            found.append((is_formula, piece))
    return found


def escaped(text: str) -> str:
    """The text as it stands, safe for LaTeX."""
    return "".join(_SPECIAL.get(char, char) for char in text)


def _is_formula(match: re.Match[str]) -> bool:
    """Whether a token of running text is a formula."""
    if match["label"] or match["word"] or match["other"]:
        return False
    is_plain = match["base"] and not (match["low"] or match["high"] or match["star"])
    return not is_plain or match["base"] in (*GREEK, *SYMBOLS)


def _formula(match: re.Match[str]) -> str:
    if match["root"]:
        return rf"\sqrt{{{_inside(_bare(match['root'][4:].strip()))}}}"
    if match["ceil"]:
        return rf"\lceil {_inside(_bare(match['ceil'][4:]))}\rceil"
    if match["power"]:
        return f")^{{{_inside(_bare(match['power'][2:]))}}}"
    if match["soft"]:
        return r"\tilde O"
    if match["budget"]:
        return r"\hat R"
    if match["log2"]:
        return r"\log_2"
    if match["relation"]:
        return _RELATIONS[match["relation"]]
    if match["hat"]:
        low = f"_{{{_bare(match['hatted'])}}}" if match["hatted"] else ""
        return rf"\hat {_symbol(match['hat'])}{low}"
    low = f"_{{{match['low']}}}" if match["low"] else ""
    high = f"^{{{_inside(_bare(match['high']))}}}" if match["high"] else ""
    return f"{_symbol(match['base'])}{low}{high}{'^*' if match['star'] else ''}"


def _inside(text: str) -> str:
    """Text that is all formula."""
    return "".join(
        _symbol(m[0]) if m["word"] else m[0] if m["other"] or m["label"] else _formula(m)
        for m in _TOKEN.finditer(text)
    )


def _symbol(name: str) -> str:
    return f"\\{name} " if name in (*GREEK, *FUNCTIONS) else name


def _bare(text: str) -> str:
    """Without the brackets around all of it."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text
