"""The language of inequalities, read by a small grammar.

    inequality  =  sum ("<=" | ">=") sum
    sum         =  product {("+" | "-") product}
    product     =  signed {("*" | "/") signed}
    signed      =  ("+" | "-") signed  |  power
    power       =  atom ["**" signed]
    atom        =  number  |  "pi"  |  function "(" sum ")"  |  name  |  "(" sum ")"

Functions are ln, exp, sqrt, abs, sin, cos and atanh; every other name is a variable, also e.
Decimals are exact. A text is data: it is never handed to an evaluator of Python or of sympy, and
its length, its nesting, its numerals and its powers are bounded.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import NamedTuple, NoReturn

import sympy

from pbverify.errors import InputError
from pbverify.numerics import MOST_DIGITS, parse_exact
from pbverify.prover.inequalities.constants import to_rational
from pbverify.prover.inequalities.sizes import is_moderate_exponent


class Need(enum.Enum):
    """What a subexpression must satisfy for the text around it to be defined."""

    POSITIVE = "> 0"
    NONNEGATIVE = ">= 0"
    NONZERO = "!= 0"


@dataclasses.dataclass(frozen=True)
class Condition:
    """A need of a function or operation, such as the argument of ln being positive."""

    expression: sympy.Expr
    need: Need
    of: str

    def __str__(self) -> str:
        return f"{self.of} needs {written(self.expression)} {self.need.value}"

    def replaced(self, change: Mapping[sympy.Basic, sympy.Basic]) -> Condition:
        return dataclasses.replace(self, expression=self.expression.xreplace(change))


class Relation(enum.Enum):
    """How the left-hand side compares with the right-hand side."""

    LEQ = "<="
    GEQ = ">="
    LESS = "<"
    GREATER = ">"


@dataclasses.dataclass(frozen=True)
class Statement:
    """An inequality, the conditions under which its sides are defined, and the names in its text.

    A name may have cancelled in the expressions and still be a variable of the text.
    """

    lhs: sympy.Expr
    relation: Relation
    rhs: sympy.Expr
    conditions: tuple[Condition, ...]
    variables: frozenset[sympy.Symbol]

    @functools.cached_property
    def slack(self) -> sympy.Expr:
        """The larger side minus the smaller one: the inequality says that it is >= 0."""
        upward = self.relation in (Relation.LEQ, Relation.LESS)
        return self.rhs - self.lhs if upward else self.lhs - self.rhs

    def replaced(self, change: Mapping[sympy.Basic, sympy.Basic]) -> Statement:
        return Statement(
            self.lhs.xreplace(change),
            self.relation,
            self.rhs.xreplace(change),
            tuple(condition.replaced(change) for condition in self.conditions),
            frozenset(change.get(symbol, symbol) for symbol in self.variables),
        )

    def __str__(self) -> str:
        return f"{written(self.lhs)} {self.relation.value} {written(self.rhs)}"


def written(expression: sympy.Expr) -> str:
    """An expression in the notation of the grammar."""
    text = str(expression.xreplace({sympy.E: sympy.Symbol("exp(1)")}))
    return text.replace("log(", "ln(").replace("Abs(", "abs(")


LONGEST_TEXT = 2000

_WORD = re.compile(
    r"(?P<number>(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<symbol>\*\*|<=|>=|[-+*/()<>])|(?P<space>[ \t]+)",
    re.ASCII,
)


class Token(NamedTuple):
    """A number, a name, a symbol or the end, with its position counted from 1."""

    kind: str
    text: str
    position: int


def tokens(text: str, *, field: str) -> Iterator[Token]:
    """The words of a text in order, and the end; a foreign character is an error."""
    if len(text) > LONGEST_TEXT:
        raise InputError(f"at most {LONGEST_TEXT} characters", field, text)
    position = 0
    while position < len(text):
        match = _WORD.match(text, position)
        if match is None:
            place = f"{field}[{position + 1}]"
            hint = " (powers are written **)" if text[position] == "^" else ""
            raise InputError(f"a number, a name or an operator{hint}", place, text[position])
        if match.lastgroup != "space":
            yield Token(str(match.lastgroup), match[0], position + 1)
        position = match.end()
    yield Token("end", "end of text", len(text) + 1)


DEEPEST_NESTING = 50
LARGEST_EXPONENT = 1000
_MOST_POWER_BITS = 20_000

_RELATIONS = frozenset(relation.value for relation in Relation)


def parse_inequality(text: str) -> Statement:
    """An inequality between two expressions, joined by one `<=` or `>=`."""
    return _Parser(text, field="inequality").inequality({"<=", ">="})


def parse_condition(text: str) -> Statement:
    """A condition in the same language, in which `<` and `>` are allowed too."""
    return _Parser(text, field="where").inequality(_RELATIONS)


def variable(name: str) -> sympy.Symbol:
    """The symbol of a variable before anything but its being real is known."""
    return sympy.Symbol(name, real=True)


class _Parser:
    """Recursive descent over the tokens of one text; collects conditions from the inside out."""

    def __init__(self, text: str, *, field: str) -> None:
        self._field = field
        self._tokens = tokens(text, field=field)
        self._token = next(self._tokens)
        self._depth = 0
        self._conditions: list[Condition] = []
        self._variables: set[sympy.Symbol] = set()

    def inequality(self, relations: Set[str]) -> Statement:
        left = self._sum()
        if self._token.text not in relations:
            self._refuse(f"an operator or one of {' '.join(sorted(relations))}")
        relation = Relation(self._advance().text)
        right = self._sum()
        if self._token.kind != "end":
            self._refuse("an operator or the end, after exactly one relation")
        return Statement(left, relation, right, tuple(self._conditions), frozenset(self._variables))

    def _refuse(self, expected: str) -> NoReturn:
        raise InputError(expected, f"{self._field}[{self._token.position}]", self._token.text)

    def _advance(self) -> Token:
        token, self._token = self._token, next(self._tokens, self._token)
        return token

    def _accept(self, *texts: str) -> str | None:
        return self._advance().text if self._token.text in texts else None

    def _expect(self, text: str) -> None:
        if self._accept(text) is None:
            self._refuse(f"'{text}'")

    def _nested(self, rule: Callable[[], sympy.Expr]) -> sympy.Expr:
        self._depth += 1
        if self._depth > DEEPEST_NESTING:
            self._refuse(f"at most {DEEPEST_NESTING} levels of nesting")
        result = rule()
        self._depth -= 1
        return result

    def _sum(self) -> sympy.Expr:
        terms = [self._product()]
        while sign := self._accept("+", "-"):
            term = self._product()
            terms.append(term if sign == "+" else -term)
        return sympy.Add(*terms)

    def _product(self) -> sympy.Expr:
        factors = [self._signed()]
        while sign := self._accept("*", "/"):
            factor = self._signed()
            factors.append(factor if sign == "*" else self._inverse(factor))
        return sympy.Mul(*factors)

    def _inverse(self, divisor: sympy.Expr) -> sympy.Expr:
        self._need(divisor, Need.NONZERO, "a division")
        return 1 / divisor

    def _signed(self) -> sympy.Expr:
        sign = self._accept("+", "-")
        if sign is None:
            return self._power()
        operand = self._nested(self._signed)
        return operand if sign == "+" else -operand

    def _power(self) -> sympy.Expr:
        base = self._atom()
        if self._accept("**") is None:
            return base
        return self._raised(base, self._nested(self._signed))

    def _raised(self, base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        """A power: with a constant rational exponent as such, else as exp(exponent ln base)."""
        if not exponent.is_Rational:
            self._need(base, Need.POSITIVE, "a real power")
            return self._exp(exponent * sympy.log(base))
        self._bound_power(base, exponent)
        if exponent.is_Integer and exponent < 0:
            self._need(base, Need.NONZERO, "a negative power")
        elif not exponent.is_Integer:
            need = Need.NONNEGATIVE if exponent > 0 else Need.POSITIVE
            self._need(base, need, "a fractional power")
        return base**exponent

    def _bound_power(self, base: sympy.Expr, exponent: sympy.Rational) -> None:
        inner = base.exp if base.is_Pow and base.exp.is_Rational else sympy.Integer(1)
        if max(abs(exponent), abs(exponent * inner)) > LARGEST_EXPONENT:
            self._refuse(f"exponents of at most {LARGEST_EXPONENT} before here")
        if base.is_Rational:
            bits = max(abs(int(base.p)), int(base.q)).bit_length()
            if bits * abs(exponent) > _MOST_POWER_BITS:
                self._refuse(f"constant powers of at most {_MOST_POWER_BITS} bits before here")

    def _atom(self) -> sympy.Expr:
        if self._token.kind == "number":
            return self._number()
        if self._token.kind == "name":
            return self._name()
        if self._accept("(") is None:
            self._refuse("a number, a name or '('")
        return self._closed()

    def _closed(self) -> sympy.Expr:
        inside = self._nested(self._sum)
        self._expect(")")
        return inside

    def _number(self) -> sympy.Rational:
        value = parse_exact(self._token.text)
        if value is None:
            self._refuse(f"a numeral of at most {MOST_DIGITS} digits")
        self._advance()
        return to_rational(value)

    def _name(self) -> sympy.Expr:
        name = self._advance().text
        if name == "pi":
            return sympy.pi
        if name not in _FUNCTIONS:
            if self._token.text == "(":
                self._refuse(f"'*' (the functions are {' '.join(sorted(_FUNCTIONS))})")
            self._variables.add(variable(name))
            return variable(name)
        self._expect("(")
        return _FUNCTIONS[name](self, self._closed())

    def _need(self, expression: sympy.Expr, need: Need, of: str) -> None:
        self._conditions.append(Condition(expression, need, of))

    def _ln(self, argument: sympy.Expr) -> sympy.Expr:
        self._need(argument, Need.POSITIVE, "ln")
        return sympy.log(argument)

    def _exp(self, argument: sympy.Expr) -> sympy.Expr:
        if not is_moderate_exponent(argument):
            self._refuse("powers of moderate size before here")
        return sympy.exp(argument)

    def _sqrt(self, argument: sympy.Expr) -> sympy.Expr:
        self._need(argument, Need.NONNEGATIVE, "sqrt")
        return sympy.sqrt(argument)

    def _atanh(self, argument: sympy.Expr) -> sympy.Expr:
        self._need(1 - argument, Need.POSITIVE, "atanh")
        self._need(1 + argument, Need.POSITIVE, "atanh")
        return sympy.atanh(argument)


_FUNCTIONS: Mapping[str, Callable[[_Parser, sympy.Expr], sympy.Expr]] = {
    "ln": _Parser._ln,
    "sqrt": _Parser._sqrt,
    "atanh": _Parser._atanh,
    "exp": _Parser._exp,
    "abs": lambda _, argument: sympy.Abs(argument),
    "sin": lambda _, argument: sympy.sin(argument),
    "cos": lambda _, argument: sympy.cos(argument),
}
