r"""Statements as lemma files write them, typeset: prose as text, formulas as MathML.

The notation is the plain text of the lemma files: `M_t(s) <= d_s + ... + d_end`, `R^` or `R-hat`
for a hat, `x^c` and `L_m^2` for superscripts, `sqrt(8 D + 1)`, Greek letters by name. Anything else
is shown as it stands: typesetting never fails and never drops a character that carries meaning.
"""

from __future__ import annotations

import re

from markupsafe import Markup

from pbverify.report.markup import element, joined

GREEK = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η"},  # noqa: RUF001
    **{"theta": "θ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ"},  # noqa: RUF001
    **{"sigma": "σ", "tau": "τ", "phi": "φ", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ"},  # noqa: RUF001
    **{"Lambda": "Λ", "Sigma": "Σ", "Phi": "Φ"},
}
FUNCTIONS = {"log", "log2", "ln", "exp", "max", "min", "ceil", "floor", "Pr", "KL"}
OPERATORS = {
    **{"<=": "≤", ">=": "≥", "!=": "≠", "...": "⋯", "..": "…", "->": "→", "*": "·", "-": "−"},  # noqa: RUF001
    **{char: char for char in "<>=+/()[]{},;:|#!"},
}
RELATIONS = {"<=", ">=", "<", ">", "=", "!=", "->", ",", ";"}
CLOSING = {"(": ")", "{": "}", "[": "]"}
LONGEST, DEEPEST = 2000, 20

_TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:,\d{3})*(?:\.\d+)?)"
    r"|(?P<name>log2|(?:[A-Za-z]-(?:hat|bar)|xi-hat)(?![A-Za-z])|[A-Za-z](?=\d+(?![A-Za-z0-9]))\d+"
    r"|[A-Za-z]+(?:['\-][A-Za-z]{2,})*)"
    r"|(?P<angle><(?=[^\s=])|(?<=\S)>(?!=))|(?P<operator><=|>=|!=|\.\.\.|\.\.|->|[-*<>=+/()\[\]{},;:|#!])|(?P<script>[_^~])|(?P<other>.)",
    re.ASCII,
)
Token = tuple[str, str]


def typeset(statement: str) -> Markup:
    """A statement as HTML: runs of formula in `math` elements that may break between relations."""
    tokens = [(str(m.lastgroup), m[0]) for m in _TOKEN.finditer(statement)]
    if len(statement) > LONGEST or _depth(statement) > DEEPEST:
        return element("span", statement)
    parts: list[str] = []
    run: list[Token] = []
    for index, token in enumerate(tokens):
        if _is_prose(tokens, index) and _depth_of(run) <= 0:
            parts += [_formula(run), token[1]]
            run = []
            continue
        run.append(token)
        if token[0] == "operator" and token[1] in RELATIONS and _depth_of(run) == 0:
            parts.append(_formula(run))
            run = []
    return joined(*parts, _formula(run))


def _is_prose(tokens: list[Token], index: int) -> bool:
    kind, text = tokens[index]
    if kind != "name" or (index and tokens[index - 1][0] == "script"):
        return False
    if text == "sum":  # "sum over ..." is prose, "sum_r ..." a sign
        return _word_follows(tokens, index)
    return _is_word(text) or (text == "a" and _word_follows(tokens, index))


def _word_follows(tokens: list[Token], index: int) -> bool:
    following = [text for kind, text in tokens[index + 1 : index + 3] if kind == "name"]
    return bool(following) and _is_word(following[0])


def _is_word(text: str) -> bool:
    is_accented = text.endswith(("-hat", "-bar"))
    is_symbol = text in GREEK or text in FUNCTIONS or text[-1].isdigit() or is_accented
    return len(text) > 1 and not is_symbol and text != "sqrt"


def _formula(run: list[Token]) -> Markup:
    """A `math` element, with the spaces around it kept outside."""
    inner = [token for token in run if token[0] != "space"]
    lead = " " if run and run[0][0] == "space" else ""
    trail = " " if len(run) > 1 and run[-1][0] == "space" else ""
    if not inner:
        return Markup(lead)
    return joined(lead, element("math", *_Parser(inner).all()), trail)


def _depth(text: str) -> int:
    return sum(text.count(opening) for opening in CLOSING)


def _depth_of(run: list[Token]) -> int:
    opened = sum(text in CLOSING or (kind, text) == ("angle", "<") for kind, text in run)
    return opened - sum(
        text in CLOSING.values() or (kind, text) == ("angle", ">") for kind, text in run
    )


class _Parser:
    """Atoms with their scripts, left to right; brackets nest only where a script or root asks."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._at = 0

    def all(self) -> list[Markup]:
        nodes = []
        while self._at < len(self._tokens):
            nodes.append(self._scripted())
        return nodes

    def _peek(self) -> Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _next(self) -> Token:
        token = self._peek()
        self._at += 1
        return token

    def _scripted(self) -> Markup:
        node, scripts = self._atom(), {}
        while self._peek()[0] == "script":
            mark = self._next()[1]
            if mark == "~" or (mark == "^" and not self._can_be_script()):
                node = _hat(node, mark)
            elif mark in scripts or not self._can_be_script():
                node = element("mrow", node, element("mo", mark))
            else:
                scripts[mark] = self._script()
        return _with_scripts(node, scripts)

    def _can_be_script(self) -> bool:
        kind, text = self._peek()
        return kind in ("name", "number") or text in CLOSING

    def _script(self) -> Markup:
        if self._peek()[1] in CLOSING:
            return self._group()
        return self._atom()

    def _root(self) -> Markup:
        """A group, or one atom with its index: the root of `sqrt y_i` covers both."""
        if self._peek()[1] in CLOSING:
            return self._group()
        node = self._atom()
        if self._peek() == ("script", "_"):
            self._next()
            node = _with_scripts(node, {"_": self._script()})
        return node

    def _group(self) -> Markup:
        """What stands between brackets, without them."""
        closing = CLOSING[self._next()[1]]
        nodes = []
        while self._peek()[1] not in (closing, ""):
            nodes.append(self._scripted())
        self._next()
        return element("mrow", *nodes)

    def _atom(self) -> Markup:
        is_script = self._at > 0 and self._tokens[self._at - 1][0] == "script"
        kind, text = self._next()
        if kind == "number":
            return element("mn", text)
        if kind == "angle":
            return element("mo", "⟨" if text == "<" else "⟩")
        if kind != "name":
            return element("mo", OPERATORS.get(text, text))
        if text == "sqrt" and self._can_be_script():
            return element("msqrt", self._root())
        if text == "sum":
            return element("mo", "∑")
        if _is_word(text) and not is_script:
            return element("mtext", f"\N{NO-BREAK SPACE}{text}\N{NO-BREAK SPACE}")
        return _name(text)


def _name(text: str) -> Markup:
    stem, _, accent = text.partition("-")
    if accent in ("hat", "bar"):
        return _hat(_name(stem), "¯" if accent == "bar" else "^")
    if text[-1].isdigit() and text not in FUNCTIONS:
        letter = text.rstrip("0123456789")
        return element("msub", _name(letter), element("mn", text[len(letter) :]))
    if text == "log2":
        return element("msub", _name("log"), element("mn", "2"))
    if text in GREEK or len(text) == 1:
        return element("mi", GREEK.get(text, text))
    return element("mi", text, mathvariant="normal")


def _hat(node: Markup, accent: str = "^") -> Markup:
    return element("mover", node, element("mo", accent, stretchy="false"), accent="true")


def _with_scripts(node: Markup, scripts: dict[str, Markup]) -> Markup:
    below, above = scripts.get("_"), scripts.get("^")
    if below is not None and above is not None:
        return element("msubsup", node, below, above)
    if below is not None:
        return element("msub", node, below)
    return node if above is None else element("msup", node, above)
