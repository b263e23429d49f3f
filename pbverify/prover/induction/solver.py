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
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import z3

from pbverify.prover.induction.nodes import node
from pbverify.prover.induction.terms import RESERVED, Function, Term

EFFORT = 40_000_000
"""z3's resource limit for one obligation; ordinary ones take less than a hundredth of it."""
LOOK = 500_000
"""The same for the question whether hypotheses contradict each other."""
GLANCE = 200_000
"""The same for a side condition that only makes a proof shorter."""
AT_ONCE = 6_000
"""The same for the first attempt at any question; most need no other."""
CVC5_EFFORT = 400_000
"""cvc5's resource limit for one attempt."""
CVC5_SECONDS = 6
"""Where one attempt ends all the same: coverings, and a few other queries, keep to no limit."""
CVC5_ATTEMPTS: tuple[Mapping[str, str], ...] = (
    {},
    {"nl-ext": "full", "nl-ext-tplanes": "true"},
    {"nl-cov": "true"},
)
"""Options for nonlinear arithmetic, in order."""


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

    @property
    def _sides(self) -> list[Term]:
        """Of each equation the left side, then the right side."""
        return [side for pair in self.equations for side in pair]

    def _solver(self) -> z3.Solver:
        """A solver that knows this query alone.

        In a context of its own neither the order of terms nor the solver's choices depend on what
        else the process has built. Rewriting changes the formulas and not their models, because
        each equation stays among them. z3's functions in C are called directly: for such small
        queries its Python layer takes as long as the proof.
        """
        context = _new_context()
        moved = _moved((*self.formulas, *self._sides), context)
        formulas, sides = moved[: len(self.formulas)], moved[len(self.formulas) :]
        lefts, rights = sides[::2], sides[1::2]
        if lefts:
            formulas = _rewritten(formulas, lefts, rights, self.rewritten)
        solver = z3.Solver(ctx=context)
        for formula in _simplified(formulas, context):
            z3.Z3_solver_assert(context.ref(), solver.solver, formula.as_ast())
        solver.add(*(left == right for left, right in zip(lefts, rights, strict=True)))
        return solver

    @functools.cached_property
    def smt2(self) -> str:
        """The query as SMT-LIB text, for other solvers."""
        return str(self._solver().to_smt2())

    @functools.cached_property
    def reply(self) -> Reply:
        """z3's answer; asked once of equal queries.

        Formulas that have no model at once need no solver of their own: the equations follow from
        them.
        """
        asked = (_numbers(self.formulas), _numbers(self._sides), self.rewritten)
        if asked not in _REPLIES:
            start = time.process_time()
            if _checked(z3.SimpleSolver(), self.formulas, AT_ONCE) == z3.unsat:
                _REPLIES[asked] = Reply(Answer.PROVED, time.process_time() - start)
            else:
                _REPLIES[asked] = self.asked(seed=0)
        return _REPLIES[asked]

    def asked(self, *, seed: int) -> Reply:
        """z3's answer with a seed for its choices."""
        start, solver = time.process_time(), self._solver()
        solver.set(rlimit=EFFORT, random_seed=seed)
        found = solver.check()
        seconds = time.process_time() - start
        if found == z3.unsat:
            return Reply(Answer.PROVED, seconds)
        if found == z3.sat and satisfies(solver.model(), solver.assertions()):
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


_REPLIES: dict[tuple[Any, ...], Reply] = {}
"""Replies by the numbers of the terms; `node` keeps them."""


@functools.cache
def _keep_freed_memory() -> None:
    """Let the C library keep the memory of a context that is gone for the next one.

    A context has two blocks of 8 MB. glibc keeps what is free up to twice the largest block that
    was freed so far, at most 64 MB; with less, each context asks the system for new pages.
    """
    bytes(31 * 2**20)


def _new_context() -> z3.Context:
    """A context that holds nothing."""
    _keep_freed_memory()
    return z3.Context()


def _moved(terms: Sequence[Term], context: z3.Context) -> list[Term]:
    """The terms in another context."""
    found = z3.AstVector()
    for term in terms:
        found.push(term)
    return list(found.translate(context))


def _rewritten(
    formulas: list[Term], lefts: Sequence[Term], rights: Sequence[Term], times: int
) -> list[Term]:
    """The formulas with terms in the place of others, several times over."""
    context = lefts[0].ctx
    array = z3.Ast * len(lefts)
    olds, news = (array(*(term.as_ast() for term in terms)) for terms in (lefts, rights))
    for _ in range(times):
        formulas = [
            z3.BoolRef(
                z3.Z3_substitute(context.ref(), each.as_ast(), len(lefts), olds, news), context
            )
            for each in formulas
        ]
    return formulas


def _simplified(formulas: Sequence[Term], context: z3.Context) -> list[Term]:
    """The formulas with their polynomials as sums of monomials."""
    options = z3.args2params([], {"som": True}, context)
    return [
        z3.BoolRef(z3.Z3_simplify_ex(context.ref(), each.as_ast(), options.params), context)
        for each in formulas
    ]


def satisfies(model: z3.ModelRef, formulas: Iterable[Term]) -> bool:
    """Whether the model makes every formula true; z3's models of nonlinear formulas may not."""
    return all(z3.is_true(model.eval(each, model_completion=True)) for each in formulas)


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
    solver.setOption("tlimit-per", str(1000 * CVC5_SECONDS))
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
_CONTRADICT: dict[tuple[int, ...], bool] = {}
"""What was asked already, by the numbers of the terms; `node` keeps them."""


def follows(hypotheses: Sequence[Term], goal: Term) -> bool:
    """Whether z3 sees at a glance that the goal follows; a no says nothing."""
    asked = _numbers((*hypotheses, goal))
    if asked not in _FOLLOWS:
        found = _checked(z3.SimpleSolver(), (*hypotheses, z3.Not(goal)), GLANCE)
        _FOLLOWS[asked] = found == z3.unsat
    return _FOLLOWS[asked]


def contradict(formulas: Sequence[Term]) -> bool:
    """Whether z3 finds that the formulas have no model; asked once of equal formulas."""
    asked = _numbers(formulas)
    if asked not in _CONTRADICT:
        found = _checked(z3.SimpleSolver(), formulas, AT_ONCE)
        if found == z3.unknown:
            found = _checked(z3.Solver(), formulas, LOOK)
        _CONTRADICT[asked] = found == z3.unsat
    return _CONTRADICT[asked]


def _numbers(terms: Iterable[Term]) -> tuple[int, ...]:
    return tuple(node(term).number for term in terms)


def _checked(solver: z3.Solver, formulas: Iterable[Term], effort: int) -> z3.CheckSatResult:
    """Whether the formulas have a model, as far as a solver knows with this effort."""
    solver.set("rlimit", effort)
    for formula in formulas:
        z3.Z3_solver_assert(solver.ctx.ref(), solver.solver, formula.as_ast())
    return solver.check()


def _values(model: Term) -> dict[str, str]:
    """The model, by name, on one line each; the kernel's own constants last."""
    found = {str(symbol): " ".join(str(model[symbol]).split()) for symbol in model.decls()}
    return dict(sorted(found.items(), key=lambda item: (RESERVED in item[0], item[0])))
