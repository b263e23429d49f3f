"""Obligations, and the solvers that discharge them.

An obligation is a finite list of formulas without quantifiers whose unsatisfiability is to be
shown. Effort is bounded by the solver's own count of operations and not by time, so that an answer
does not depend on how busy the machine is.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import re
import time
from collections.abc import Mapping, Sequence

import z3

from pbverify.prover.induction.nodes import node
from pbverify.prover.induction.terms import RESERVED, Function, Term

EFFORT = 40_000_000
"""z3's resource limit for one obligation; ordinary ones take less than a hundredth of it."""
LOOK = 500_000
"""The same for the question whether hypotheses contradict each other."""
GLANCE = 200_000
"""The same for a side condition that only makes a proof shorter."""
CVC5_EFFORT = 400_000
"""cvc5's resource limit for one attempt."""
CVC5_ATTEMPTS: tuple[Mapping[str, str], ...] = (
    {},
    {"nl-ext": "full", "nl-ext-tplanes": "true"},
)
"""Options for nonlinear arithmetic, in order; not coverings, which keep to no limit."""


_RESERVED_BY_CVC5 = re.compile(r"(?<=[( ])(sqrt|exp)(?=[ )])")
"""Names that cvc5 does not let anybody declare."""


class Answer(enum.Enum):
    """What a solver says of the negation of an obligation."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclasses.dataclass(frozen=True)
class Reply:
    """An answer, the time it took, and the values of a countermodel."""

    answer: Answer
    seconds: float
    model: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, eq=False)
class Query:
    """Formulas that must have no model."""

    name: str
    formulas: Sequence[Term] = dataclasses.field(repr=False)
    assumed: frozenset[Function] = frozenset()
    """The inputs whose assumptions are among the formulas."""
    equations: Sequence[tuple[Term, Term]] = dataclasses.field(default=(), repr=False)
    """Terms that are equal because of the formulas: the first is rewritten as the second."""
    rewritten: int = 0
    """How often."""

    def _solver(self) -> z3.Solver:
        """A solver that knows this query alone.

        In a context of its own neither the order of terms nor the solver's choices depend on what
        else the process has built. Rewriting changes the formulas and not their models, because
        each equation stays among them.
        """
        context = z3.Context()
        formulas = [formula.translate(context) for formula in self.formulas]
        equations = [
            (left.translate(context), right.translate(context)) for left, right in self.equations
        ]
        for _ in range(self.rewritten if equations else 0):
            formulas = [z3.substitute(formula, *equations) for formula in formulas]
        solver = z3.Solver(ctx=context)
        solver.add(*(z3.simplify(formula, som=True) for formula in formulas))
        solver.add(*(left == right for left, right in equations))
        return solver

    @functools.cached_property
    def smt2(self) -> str:
        """The query as SMT-LIB text, for other solvers."""
        return str(self._solver().to_smt2())

    @functools.cached_property
    def reply(self) -> Reply:
        """z3's answer; asked once."""
        return self.asked(seed=0)

    def asked(self, *, seed: int) -> Reply:
        """z3's answer with a seed for its choices."""
        start, solver = time.process_time(), self._solver()
        solver.set("rlimit", EFFORT)
        solver.set("random_seed", seed)
        found = solver.check()
        seconds = time.process_time() - start
        if found == z3.unsat:
            return Reply(Answer.PROVED, seconds)
        if found == z3.sat:
            return Reply(Answer.REFUTED, seconds, _values(solver.model()))
        return Reply(Answer.UNKNOWN, seconds)

    @functools.cached_property
    def second_opinion(self) -> Reply:
        """cvc5's answer; UNKNOWN where cvc5 is not installed."""
        start, answer = time.process_time(), Answer.UNKNOWN
        for options in CVC5_ATTEMPTS if has_cvc5() else ():
            answer = _cvc5(self.smt2, options)
            if answer is not Answer.UNKNOWN:
                break
        return Reply(answer, time.process_time() - start)


def has_cvc5() -> bool:
    """Whether the second solver is installed (extra `proofs`)."""
    try:
        import cvc5  # noqa: F401
    except ImportError:
        return False
    return True


def _cvc5(smt2: str, options: Mapping[str, str]) -> Answer:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setLogic("ALL")
    solver.setOption("rlimit", str(CVC5_EFFORT))
    for name, value in options.items():
        solver.setOption(name, value)
    parser = cvc5.InputParser(solver)
    text = _RESERVED_BY_CVC5.sub(r"\1_of", smt2)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols, answer = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        said = command.invoke(solver, symbols)
        if str(command).startswith("(check-sat"):
            answer = str(said).strip()
    return {"unsat": Answer.PROVED, "sat": Answer.REFUTED}.get(answer, Answer.UNKNOWN)


_FOLLOWS: dict[tuple[int, ...], bool] = {}
"""What was asked already, by the numbers of the terms; `node` keeps them."""


def follows(hypotheses: Sequence[Term], goal: Term) -> bool:
    """Whether z3 sees at a glance that the goal follows; a no says nothing."""
    asked = tuple(node(term).number for term in (*hypotheses, goal))
    if asked not in _FOLLOWS:
        solver = z3.Solver()
        solver.set("rlimit", GLANCE)
        solver.add(*hypotheses, z3.Not(goal))
        _FOLLOWS[asked] = bool(solver.check() == z3.unsat)
    return _FOLLOWS[asked]


def contradict(formulas: Sequence[Term]) -> bool:
    """Whether z3 finds that the formulas have no model."""
    solver = z3.Solver()
    solver.set("rlimit", LOOK)
    solver.add(*formulas)
    return bool(solver.check() == z3.unsat)


def _values(model: Term) -> dict[str, str]:
    """The model, by name, on one line each; the kernel's own constants last."""
    found = {str(symbol): " ".join(str(model[symbol]).split()) for symbol in model.decls()}
    return dict(sorted(found.items(), key=lambda item: (RESERVED in item[0], item[0])))
