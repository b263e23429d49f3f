"""Smallest constants, enclosed by proof from above and by a counterexample from below."""

from __future__ import annotations

import importlib.util
import pathlib
import re
from fractions import Fraction

import pytest
import sympy

from pbverify.claims.claim import Claim, Kind
from pbverify.claims.closed_forms.best_constants import Constant, c, smallest, with_constants
from pbverify.claims.closed_forms.bound import Bound, Point
from pbverify.claims.closed_forms.settle import POINTS, proved
from pbverify.claims.library import lemma_files, lemmas_of
from pbverify.claims.register import Register
from pbverify.numerics import working_precision

LEMMAS = pathlib.Path(__file__).parents[3] / "lemmas"
x = sympy.Symbol("x", positive=True)
_log = Bound("ln(1+x) <= c x", sympy.log(1 + x), c * x, ("x >= 0", "x <= 1"))
_square = Bound("x (1-x) <= c", x * (1 - x), c, ("x >= 0", "x <= 1"))
LOG = Constant(_log, printed=sympy.Integer(2), best=sympy.Integer(1), attained="x -> 0")
PEAK = Constant(_square, printed=sympy.Integer(1), best=sympy.Rational(1, 4), attained="x = 1/2")

NO_CONSTANT = {
    "banker-regret/growth": "a monotonicity",
    "banker-regret/harmonic": "its constants are Euler's and 1/2, both attained in the limit",
    "banker-regret/harmonic-step@repaired": "equality at m = 1",
    "banker-regret/substitution@repaired": "no numeric constant",
    "missing-feedback/root": "an identity",
    "normal-phase/slack": "an identity",
    "normal-phase/safety-step": "no numeric constant",
    "normal-phase/safety-step@repaired": "an identity",
    "extinction-phase/slack": "an identity",
    "extinction-phase/conclusion": "an identity and a sign",
    "batched-lower-bound/constants": "identities, and the root of a sum",
    "delayed-lower-bound/second-bound": "a monotonicity",
    "corollary/linear-total-delay": "identities",
    "lower-bound/rate/own-guarantee": "refuted: the two sides differ in order",
    "lower-bound/rate/unit-delays": "identities",
    "lower-bound/rate/margin": "a sign",
    "lower-bound/rate/block-constants@repaired": "the constants of batched-lower-bound/gamma again",
    "regularity/negative-entropy/diameter": "equality at y = 1",
    "regularity/negative-entropy/divergence": "an identity",
    "regularity/negative-entropy/hessian": "identities and a monotonicity",
    "regularity/negative-entropy/conjugate": "refuted: not an identity",
    "regularity/negative-entropy/conjugate@repaired": "equality at s = 1",
    "regularity/tsallis/diameter": "equality at y = 0 and y = 1",
    "regularity/tsallis/divergence": "an identity",
    "regularity/tsallis/hessian": "identities and a monotonicity",
    "global/least-budget": "a sign: the budget exceeds 1",
    "global/phases": "equality in the limit x -> 0",
    "global/stage-budget": "the constant of its repaired form",
    "global/monotone": "a monotonicity",
    "global/geometric-sum": "an identity",
    "global/case-a-sum": "an identity",
    "global/case-b-sum": "equality at 2^(k-1) = R",
    "global/random-phases": "refuted by two phases",
    "global/random-phases@repaired": "an identity, and equality at 2^(k-1) = R",
    "global/safety-order": "no constant serves at D = 1",
    "global/safety-order@repaired": "equality at D = 2",
    "global/rate/explicit": "no attempt at good constants",
    "global/rate/explicit@repaired": "no attempt at good constants",
}
"""Closed-form claims without a numeric constant of their own, and why."""


def files() -> list[pathlib.Path]:
    return [path for path in lemma_files(LEMMAS) if "Constant(" in path.read_text()]


def best_of(path: pathlib.Path) -> dict[str, tuple[Constant, ...]]:
    declared = {id: found for each in lemmas_of(path) for id, found in each.constants.items()}
    return declared or best_of_old_form(path)


def best_of_old_form(path: pathlib.Path) -> dict[str, tuple[Constant, ...]]:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return dict(getattr(module, "BEST", {}))


@pytest.mark.parametrize("constant", [LOG, PEAK], ids=["limit", "attained"])
def test_closed_forms_are_proved_and_nothing_less_is(constant: Constant) -> None:
    """The proposed constant is proved, and a little less is refuted at a point."""
    found = smallest(constant)
    assert found is not None
    assert found.high == constant.best
    assert 0 < found.width <= Fraction(1, 10**5)
    below = constant.at(sympy.Rational(found.low.numerator, found.low.denominator))
    assert [pair.truth.name for pair in below(found.point)] == ["NO"]


@pytest.mark.parametrize("printed", [1, Fraction(1, 8), 3])
def test_without_a_closed_form_the_gap_is_halved(printed: int | Fraction) -> None:
    """From above, from below and from far away the enclosure ends around 1/4."""
    start = sympy.Rational(Fraction(printed).numerator, Fraction(printed).denominator)
    found = smallest(Constant(_square, printed=start, attained="x = 1/2"))
    assert found is not None
    assert found.low < Fraction(1, 4) <= Fraction(int(found.high.p), int(found.high.q))
    assert found.width <= Fraction(1, 10**6)


def test_a_wrong_closed_form_is_not_believed() -> None:
    """A proposal that is too small is refuted, one that is too large is improved."""
    for wrong in (sympy.Rational(1, 5), sympy.Rational(1, 3)):
        found = smallest(Constant(_square, sympy.Integer(1), "x = 1/2", best=wrong))
        assert found is not None
        assert found.low < Fraction(1, 4) <= Fraction(int(found.high.p), int(found.high.q))
        assert found.high != wrong


def test_rows_say_what_was_printed_and_what_suffices() -> None:
    """The verdict's table has a row per constant: closed forms with their value, or two ends."""
    verdict = proved(
        Claim(
            "c", Kind.CLOSED_FORM, "x (1-x) <= 1", then=(PEAK.at(sympy.Integer(1)),), about=POINTS
        )
    )
    halved = Constant(_square, printed=sympy.Integer(1), attained="x = 1/2")
    rows = with_constants(verdict, (LOG, PEAK, halved)).table
    assert [row["constant as printed"] for row in rows] == ["2", "1", "1"]
    assert rows[0]["smallest"] == "1"
    assert rows[1]["smallest"] == "1/4 = 0.25"
    assert rows[1]["attained"] == "x = 1/2"
    assert rows[1]["slightly less fails at"] == "x = 1/2"
    assert rows[0]["slightly less fails at"].startswith("x = ")
    assert rows[2]["smallest"].startswith("between 0.24999")


def test_what_no_constant_saves_is_said() -> None:
    """x <= c + 1/x^2 - 1/x^2 on an unbounded domain holds for no c."""
    family = Bound("x <= c", x, c, ("x >= 0",))
    assert smallest(Constant(family, printed=sympy.Integer(1), attained="")) is None
    verdict = proved(
        Claim(
            "c",
            Kind.CLOSED_FORM,
            "x >= 0",
            then=(Bound("sign", sympy.Integer(0), x, ("x >= 0",)),),
            about=POINTS,
        )
    )
    rows = with_constants(verdict, (Constant(family, sympy.Integer(1), ""),)).table
    assert rows[0]["smallest"] == "not enclosed"


def test_every_closed_form_claim_has_its_constants_or_a_reason() -> None:
    """No closed-form claim of the register is left out."""
    register = Register.load(LEMMAS / "paper.toml")
    closed = {row.id for row in register.rows.values() if row.kind.value == "closed-form"}
    judged = {id for path in files() for id in best_of(path)}
    assert judged & NO_CONSTANT.keys() == set()
    assert closed == judged | NO_CONSTANT.keys()


GIVEN = re.compile(r"(\w+) = (-?\d+(?:/\d+)?)")


def test_constants_are_attained_where_the_lemma_files_say() -> None:
    """At a point that fixes every variable, the bound with its smallest constant is an equality."""
    checked = 0
    for constant in [
        each for path in files() for group in best_of(path).values() for each in group
    ]:
        names = {symbol.name for symbol in (constant.family.lhs - constant.family.rhs).free_symbols}
        given = {name: Fraction(value) for name, value in GIVEN.findall(constant.attained)}
        if constant.best is None or given.keys() != names - {"c"}:
            continue
        with working_precision(256):
            [pair] = constant.at(constant.best)(Point.of(**given))
            assert pair.is_touching, constant.family.name
        checked += 1
    assert checked >= 10
