r"""Theories: sequences with assumptions, definitions by recursion, and theorems for all sizes.

    T = Theory("delayed mass")
    d = T.input("d", INT, INT, where=lambda d, r: d(r) >= 0)      # any delays
    D = T.sum("D", lambda r: d(r))                                # D(n) = d(1) + ... + d(n)
    n = z3.Int("n")
    T.theorem("total delay", [n], D(n) >= 0, induct=n)

A theorem is added by one of these rules, and by nothing else:

    implication  the assumptions and earlier theorems imply the claim
    induction    base and step; in the hypothesis the other variables may be any terms
    fact         an inequality between closed forms, by the inequality prover
    transport    a theorem of another theory, whose inputs and parameters are replaced by terms of
                 this one, once their assumptions are proved (`Interpretation`)

Machines (`machine`) and trees (`tree`) add two more for algorithms and for expectations. Each
obligation is free of quantifiers: the kernel adds instances of definitions and assumptions at the
terms that occur. An instance of a true statement is true, so which of them are added may decide
whether a proof is found, never whether what is proved is true.

Theorems are declared first and proved when somebody asks (`Theorem.prove`).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

import z3

from pbverify.prover.induction import facts
from pbverify.prover.induction.nodes import is_constant, node, number_of
from pbverify.prover.induction.solver import Answer, Query, contradict, follows
from pbverify.prover.induction.terms import (
    BOOL,
    INT,
    REAL,
    RESERVED,
    Function,
    Term,
    TheoryError,
    applications,
    as_term,
    check_language,
    fresh,
    is_named,
    replaced,
    substituted,
    unknown,
)

Obligation = Query | facts.FactQuery
FUEL = 2
"""How often definitions are unfolded at the terms that an unfolding brings in."""
KEY = object()
"""Only the kernel's rules derive results."""


class NotProvedError(TheoryError):
    """An obligation that no solver discharged."""

    def __init__(self, theorem: str, obligation: Obligation) -> None:
        self.theorem, self.obligation = theorem, obligation
        reply = obligation.reply
        model = ", ".join(f"{name} = {value}" for name, value in reply.model.items())
        found = "the solver does not know"
        if reply.answer is Answer.REFUTED:
            found = f"a countermodel, which may be unreachable, is {model}"
        super().__init__(f"{theorem}: the step `{obligation.name}` is left open; {found}")


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Result:
    """Something that a rule derives: its obligations, and the results that it is derived from."""

    theory: Theory
    name: str
    claim: Term
    rule: str
    uses: tuple[Result, ...] = ()
    make: Callable[[], Sequence[Obligation]] = dataclasses.field(repr=False)
    key: dataclasses.InitVar[object]
    """Asked for and not kept: so no result can be copied with another claim."""
    note: str = ""

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TheoryError(f"{self.name}: only a rule of the kernel derives a result.")

    @functools.cached_property
    def obligations(self) -> tuple[Obligation, ...]:
        """Its own obligations."""
        return tuple(self.make())

    @functools.cached_property
    def rests_on(self) -> tuple[Result, ...]:
        """The results that it is derived from, directly or not, and itself, in order."""
        found = dict.fromkeys(each for used in self.uses for each in used.rests_on)
        return (*found, self)

    @functools.cached_property
    def assumes(self) -> frozenset[Function]:
        """The inputs of its theory whose assumptions an obligation uses."""
        own = (each for each in self.rests_on if each.theory is self.theory)
        queries = (o for each in own for o in each.obligations if isinstance(o, Query))
        return frozenset(symbol for query in queries for symbol in query.assumed)

    def prove(self) -> tuple[Obligation, ...]:
        """Discharge all obligations of the result and of those that it rests on."""
        needed = dict.fromkeys(
            (result.name, obligation)
            for result in self.rests_on
            for obligation in result.obligations
        )
        for name, obligation in needed:
            if obligation.reply.answer is not Answer.PROVED:
                raise NotProvedError(name, obligation)
        return tuple(dict.fromkeys(obligation for _, obligation in needed))


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Theorem(Result):
    """For all values of the variables, `given` implies `claim`."""

    variables: tuple[Term, ...]
    given: Term
    again: Callable[[Term, Term], Theorem] | None = dataclasses.field(default=None, repr=False)
    """The same proof for another claim and other hypotheses, to see whether it would close."""
    hypotheses: Term | None = dataclasses.field(default=None, repr=False)
    """`given` as it was declared; a proof by induction adds n >= 0."""

    @property
    def whole(self) -> tuple[Term, Term]:
        """Hypotheses and claim."""
        return self.given, self.claim

    def __call__(self, *values: Any) -> Instance:
        """The theorem for these values of its variables."""
        if len(values) != len(self.variables):
            expected = ", ".join(map(str, self.variables))
            raise TheoryError(f"{self.name}: expected values for {expected} but got {values}.")
        terms = tuple(as_term(x, v.sort()) for v, x in zip(self.variables, values, strict=True))
        at = list(zip(self.variables, terms, strict=True))
        return Instance(self, terms, substituted(z3.Implies(*self.whole), at), key=KEY)


@dataclasses.dataclass(frozen=True, eq=False)
class Instance:
    """A theorem at given values of its variables; only a theorem makes one."""

    theorem: Theorem
    values: tuple[Term, ...]
    formula: Term
    key: dataclasses.InitVar[object]

    def __post_init__(self, key: object) -> None:
        if key is not KEY:
            raise TheoryError("Only a theorem makes an instance.")


@dataclasses.dataclass(frozen=True, eq=False)
class Input:
    """A function about which only an assumption is known, at each point."""

    function: Function
    arguments: tuple[Term, ...]
    where: Term | None

    @functools.cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the arguments' symbols."""
        return tuple(node(each).symbol_number for each in self.arguments)

    def at(self, values: Sequence[Term]) -> Term | None:
        if self.where is None:
            return None
        return substituted(self.where, list(zip(self.arguments, values, strict=True)))


@dataclasses.dataclass(frozen=True, eq=False)
class Definition:
    """f(0, *p) = zero(*p), and f(n, *p) = succ(n, f(n - 1, *p), *p) for n >= 1."""

    function: Function
    n: Term
    before: Term
    rest: tuple[Term, ...]
    zero: Term
    succ: Term

    @functools.cached_property
    def numbers(self) -> tuple[int, int, tuple[int, ...]]:
        """The numbers of the symbols n, before and rest."""
        n, before, *rest = (node(each).symbol_number for each in (self.n, self.before, *self.rest))
        return n, before, tuple(rest)

    def at_zero(self, rest: Sequence[Term]) -> Term:
        return substituted(self.zero, list(zip(self.rest, rest, strict=True)))

    def at(self, n: Term, rest: Sequence[Term], previous: Term | None = None) -> Term:
        """The right-hand side for n >= 1."""
        previous = self.function(z3.simplify(n - 1), *rest) if previous is None else previous
        change = [(self.n, n), (self.before, previous), *zip(self.rest, rest, strict=True)]
        return substituted(self.succ, change)


def sources(uses: Sequence[Result], use: Sequence[Instance]) -> tuple[Result, ...]:
    """Results, and the theorems of instances, each once."""
    return tuple(dict.fromkeys((*uses, *(instance.theorem for instance in use))))


class Theory:
    """A language of sequences and definitions, with theorems about it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.inputs: dict[Function, Input] = {}
        self.parameters: dict[Function, Input] = {}
        self.definitions: dict[Function, Definition] = {}
        self._defined: dict[int, Definition] = {}
        self._inputs: dict[int, Input] = {}
        self._numbers: dict[str, int] = {}
        self._is_read = False

    # The language.

    def read_elsewhere(self) -> None:
        """Assume nothing more: an `Interpretation` proves what is assumed so far."""
        self._is_read = True

    def parameter(
        self, name: str, sort: Term, *, where: Callable[[Term], Term] | None = None
    ) -> Term:
        """A number that is the same in the whole theory, and what is assumed of it."""
        constant = self._function(name, sort)()
        assumed = self._assumed(constant.decl(), (), where, constant)
        self._check_new(name)  # `where` may have taken the name in the meantime
        self.parameters[constant.decl()] = assumed
        self._numbers[name] = constant.decl().get_id()
        return constant

    def input(self, name: str, *sorts: Term, where: Callable[..., Term] | None = None) -> Function:
        """Any function of these sorts for which `where(f, *arguments)` holds at all arguments."""
        function = self._function(name, *sorts)
        arguments = tuple(fresh(f"{i}", sort) for i, sort in enumerate(sorts[:-1]))
        assumed = self._assumed(function, arguments, where, function)
        self._check_new(name)
        self.set_input(assumed)
        self._numbers[name] = number_of(function)
        return function

    def set_input(self, assumed: Input) -> None:
        """Keep what is assumed of an input; it replaces what was assumed before."""
        self.inputs[assumed.function] = self._inputs[number_of(assumed.function)] = assumed

    def define(
        self,
        name: str,
        sorts: Sequence[Term],
        *,
        zero: Callable[..., Any],
        succ: Callable[..., Any],
    ) -> Function:
        """f(0, *p) = zero(*p) and f(n, *p) = succ(n, f(n - 1, *p), *p); sorts[0] is INT."""
        if sorts[0] != INT:
            raise TheoryError(f"{name}: expected recursion on an integer but got {sorts[0]}.")
        function = self._function(name, *sorts)
        rest = tuple(fresh(f"{i}", sort) for i, sort in enumerate(sorts[1:-1]))
        n, before = fresh("n", INT), fresh("before", sorts[-1])
        first, next_ = as_term(zero(*rest), sorts[-1]), as_term(succ(n, before, *rest), sorts[-1])
        # Only what exists already: so the definition adds no assumption about anything else.
        self.check([first], {*rest}, name)
        self.check([next_], {n, before, *rest}, name)
        self._check_new(name)
        definition = Definition(function, n, before, rest, first, next_)
        self.definitions[function] = definition
        self._numbers[name] = number_of(function)
        self._defined[self._numbers[name]] = definition
        return function

    def definition(self, number: int) -> Definition | None:
        """The definition of the function of this number, if it has one."""
        return self._defined.get(number)

    def input_of(self, number: int) -> Input | None:
        """The function of this number, if it is an input."""
        return self._inputs.get(number)

    def sum(
        self, name: str, term: Callable[..., Any], *parameters: Term, sort: Term = INT
    ) -> Function:
        """f(n, *p) = term(1, *p) + ... + term(n, *p)."""
        return self.define(
            name,
            (INT, *parameters, sort),
            zero=lambda *p: 0,
            succ=lambda n, before, *p: before + as_term(term(n, *p), sort),
        )

    # The rules.

    def theorem(
        self,
        name: str,
        variables: Sequence[Term],
        claim: Term,
        *,
        given: Term | bool = True,
        induct: Term | None = None,
        at: Sequence[Sequence[Any]] = (),
        use: Sequence[Instance] = (),
        fuel: int = FUEL,
        note: str = "",
    ) -> Theorem:
        """A theorem by implication, or by induction on one of its variables, an integer >= 0.

        `use` lists instances of earlier theorems; in the induction step they speak of n + 1, as the
        claim does. `at` lists the values of the other variables, in their order, at which the
        induction hypothesis is used; by default it is used at the variables themselves.
        """
        given = asked = as_term(given, BOOL)
        variables, use = tuple(variables), tuple(use)  # the caller may change a list later
        self.check_variables(name, variables, induct)
        self.check([given, claim], set(variables), name)
        self.check_uses(name, use, set(variables))
        if induct is None:
            make = functools.partial(self._plain, name, given, claim, use, fuel)
        else:
            make = functools.partial(
                self._induction, name, variables, given, claim, induct, at, use, fuel
            )
            given = z3.And(induct >= 0, given) if not z3.is_true(given) else induct >= 0
        self._check_not_vacuous(name, given)
        rule = "implication" if induct is None else f"induction on {induct}"
        theorem = self._added(name, variables, given, claim, rule, use, make, note)
        options = {"induct": induct, "at": at, "use": use, "fuel": fuel}
        again = functools.partial(self._again, name, variables, options)
        return dataclasses.replace(theorem, again=again, hypotheses=asked, key=KEY)

    def fact(
        self, inequality: str, *, where: Sequence[str] = (), integers: Sequence[str] = ()
    ) -> Theorem:
        """An inequality of closed form for all values of its variables, by the inequality prover.

        The theorem's variables are those of the text, in alphabetical order.
        """
        query = facts.FactQuery(inequality, tuple(where), tuple(integers))
        variables, given, claim = query.statement
        return self._added(inequality, variables, given, claim, "fact", (), lambda: (query,), "")

    def _added(
        self,
        name: str,
        variables: Sequence[Term],
        given: Term,
        claim: Term,
        rule: str,
        use: Sequence[Instance],
        make: Callable[[], Sequence[Obligation]],
        note: str = "",
        uses: Sequence[Result] = (),
    ) -> Theorem:
        return Theorem(
            theory=self,
            name=name,
            variables=tuple(variables),
            given=given,
            claim=claim,
            rule=rule,
            uses=sources(uses, use),
            make=make,
            key=KEY,
            note=note,
        )

    def _again(
        self,
        name: str,
        variables: Sequence[Term],
        options: Mapping[str, Any],
        claim: Term,
        given: Term,
    ) -> Theorem:
        return self.theorem(name, variables, claim, given=given, **options)

    def _plain(
        self, name: str, given: Term, claim: Term, use: Sequence[Instance], fuel: int
    ) -> list[Obligation]:
        return [self.query(name, [given, *(each.formula for each in use)], claim, fuel=fuel)]

    def _induction(
        self,
        name: str,
        variables: tuple[Term, ...],
        given: Term,
        claim: Term,
        n: Term,
        at: Sequence[Sequence[Any]],
        use: Sequence[Instance],
        fuel: int,
    ) -> list[Obligation]:
        others = [variable for variable in variables if not variable.eq(n)]
        whole = z3.Implies(given, claim)
        hypotheses = [
            substituted(
                whole, [(v, as_term(x, v.sort())) for v, x in zip(others, values, strict=True)]
            )
            for values in (at or [others])
        ]

        def case(value: Term) -> tuple[list[Term], Term]:
            formulas = [given, *(each.formula for each in use)]
            return [substituted(f, [(n, value)]) for f in formulas], substituted(
                claim, [(n, value)]
            )

        base, at_base = case(z3.IntVal(0))
        step, at_step = case(n + 1)
        return [
            self.query(f"{name}, {n} = 0", base, at_base, fuel=fuel),
            self.query(f"{name}, {n} to {n} + 1", [n >= 0, *hypotheses, *step], at_step, fuel=fuel),
        ]

    # What every rule checks.

    def _function(self, name: str, *sorts: Term) -> Function:
        if not name or RESERVED in name or "." in name:
            raise TheoryError(f"Expected a name without {RESERVED} and dots but got {name!r}.")
        if any(sort not in (INT, REAL, BOOL) for sort in sorts):
            raise TheoryError(f"{name}: expected sorts among Int, Real and Bool but got {sorts}.")
        self._check_new(name)
        return z3.Function(f"{self.name}.{name}", *sorts)

    def _check_new(self, name: str) -> None:
        if name in self._numbers:
            raise TheoryError(f"{name} is defined already.")

    def _assumed(
        self,
        symbol: Function,
        arguments: tuple[Term, ...],
        where: Callable[..., Term] | None,
        given: Any,
    ) -> Input:
        formula = None if where is None else where(given, *arguments)
        if formula is not None:
            if self._is_read:
                raise TheoryError(f"{symbol.name()}: {self.name} is read elsewhere already.")
            self.check([formula], {*arguments}, symbol.name(), extra={symbol})
            known = self._instances([formula], [], FUEL)[0]
            if contradict([formula, *self._ground(), *known]):
                raise TheoryError(f"{symbol.name()}: nothing satisfies its assumption.")
        return Input(symbol, arguments, formula)

    def check(
        self,
        terms: Sequence[Term],
        variables: set[Term],
        name: str,
        *,
        extra: Collection[Function] = (),
    ) -> None:
        """Refuse foreign symbols: each is defined in this theory or is one of the variables."""
        check_language(terms)
        known = {*facts.NUMBERS, *self._numbers.values(), *(each.get_id() for each in extra)}
        known |= {variable.decl().get_id() for variable in variables}
        for symbol in unknown(terms, known):
            raise TheoryError(f"{name}: {symbol} is neither defined nor a variable.")

    def check_variables(self, name: str, variables: Sequence[Term], induct: Term | None) -> None:
        for variable in variables:
            if variable.decl() in self.parameters:
                raise TheoryError(f"{name}: {variable} is a parameter of the whole theory.")
            if not is_named(variable) or variable.num_args() or _is_taken(variable):
                raise TheoryError(f"{name}: expected variables but got {variable}.")
        if len({str(variable) for variable in variables}) < len(variables):
            raise TheoryError(f"{name}: a variable occurs twice.")
        is_there = induct is None or any(induct.eq(variable) for variable in variables)
        if not is_there or (induct is not None and induct.sort() != INT):
            raise TheoryError(f"{name}: expected induction on an integer variable, not {induct}.")

    def check_uses(self, name: str, use: Sequence[Instance], variables: set[Term]) -> None:
        for instance in use:
            if not isinstance(instance, Instance):
                raise TheoryError(f"{name}: expected instances of theorems but got {instance}.")
            if instance.theorem.theory is not self:
                other = instance.theorem.theory.name
                raise TheoryError(f"{name}: {instance.theorem.name} is a theorem of {other}.")
            # All else in its formula is of this theory, as the theorem is.
            self.check(instance.values, variables, name)

    def _check_not_vacuous(self, name: str, given: Term) -> None:
        """Refuse hypotheses that contradict each other or what is assumed, as far as one looks."""
        if contradict([given, *self._ground(), *self._instances([given], [], 0)[0]]):
            raise TheoryError(f"{name}: nothing satisfies its hypotheses.")

    # Obligations.

    def query(
        self, name: str, hypotheses: Sequence[Term], goal: Term, *, fuel: int = FUEL
    ) -> Query:
        """The negation of `hypotheses imply goal`, with instances of definitions and assumptions.

        The solver also uses equations that follow to rewrite the formulas.
        """
        body = [*hypotheses, *self._ground(), z3.Not(goal)]
        instances, equations, assumed = self._instances(body, [*hypotheses, *self._ground()], fuel)
        equations += [found for h in hypotheses if (found := self._equation(h)) is not None]
        return Query(
            name, (*body, *instances), assumed, equations=tuple(equations), rewritten=fuel + 1
        )

    def unrolled(self, formulas: Sequence[Term], fuel: int) -> list[Term]:
        """The formulas, with instances of definitions and assumptions and without rewriting."""
        body = [*formulas, *self._ground()]
        return body + self._instances(body, body, fuel)[0]

    def _ground(self) -> list[Term]:
        """What is assumed of the parameters."""
        return [each.where for each in self.parameters.values() if each.where is not None]

    def _instances(
        self, terms: Sequence[Term], context: Sequence[Term], fuel: int
    ) -> tuple[list[Term], list[tuple[Term, Term]], frozenset[Function]]:
        """Definitions and assumptions at the terms that occur, and the equations among them.

        The last part names the inputs whose assumptions are among them.
        """
        plain = [formula for formula in context if all(map(is_constant, node(formula).names))]
        seen: set[int] = set()
        found: list[Term] = []
        equations: list[tuple[Term, Term]] = []
        used: set[Function] = set()
        todo: Sequence[Term] = terms
        for depth in range(fuel + 1):
            new: list[Term] = []
            for each in applications(todo):
                if each.number in seen:
                    continue
                seen.add(each.number)
                term, function = each.term, each.symbol
                arguments = [part.term for part in each.parts]
                if function in self.inputs:
                    assumed = self.inputs[function].at(arguments)
                    if assumed is not None:
                        new.append(assumed)
                        used.add(function)
                elif function in facts.MEANINGS:
                    new.append(facts.MEANINGS[function](term, *arguments))
                elif function in self.definitions and depth < fuel:
                    definition = self.definitions[function]
                    n, rest = arguments[0], arguments[1:]
                    if follows(plain, n >= 1):
                        equations.append((term, definition.at(n, rest)))
                        new.append(term == definition.at(n, rest))
                    else:
                        new.append(z3.Implies(n == 0, term == definition.at_zero(rest)))
                        new.append(z3.Implies(n >= 1, term == definition.at(n, rest)))
            found += new
            todo = new
            if not new:
                break
        return found, equations, frozenset(used)

    def _equation(self, hypothesis: Term) -> tuple[Term, Term] | None:
        """f(...) and the term that equals it, if the hypothesis says just that."""
        while z3.is_implies(hypothesis) and z3.is_true(z3.simplify(hypothesis.arg(0))):
            hypothesis = hypothesis.arg(1)
        if not z3.is_eq(hypothesis):
            return None
        left, right = hypothesis.arg(0), hypothesis.arg(1)
        is_defined = is_named(left) and left.num_args() and left.decl() in self.definitions
        return (left, right) if is_defined else None


class Interpretation:
    """A theory read in another one, so that its theorems hold there.

    Each input and parameter of the source is replaced by a term of the target (a function that
    builds it). Definitions are copied, or replaced by functions of the target whose definitions
    are the same. What the source assumes must be proved in the target; `use` helps, and is called
    with the arguments of an input.
    """

    def __init__(
        self,
        target: Theory,
        source: Theory,
        name: str,
        replacements: Mapping[Any, Callable[..., Any] | Term | int | Fraction],
        *,
        use: Mapping[Any, Callable[..., Sequence[Instance]]] | None = None,
        fuel: int = FUEL,
    ) -> None:
        self.target, self.source, self.name = target, source, name
        source.read_elsewhere()
        self._use = {symbol_of(key): value for key, value in (use or {}).items()}
        self._fuel = fuel
        self._change: dict[Function, Callable[..., Term]] = {}
        given = {symbol_of(key): value for key, value in replacements.items()}
        for symbol in (*source.parameters, *source.inputs):
            if symbol not in given:
                raise TheoryError(f"{name}: {symbol.name()} has no replacement.")
            self._change[symbol] = self._builder(symbol, given.pop(symbol))
        self._same: list[tuple[Definition, Definition]] = []
        for symbol, definition in source.definitions.items():
            if symbol in given:
                self._replace(definition, given.pop(symbol))
            else:
                self._copy(symbol, definition)
        if given:
            raise TheoryError(f"{name}: {next(iter(given))} is no symbol of {source.name}.")

    def __getitem__(self, symbol: Any) -> Callable[..., Term]:
        """What stands in the target for a symbol of the source."""
        return self._change[symbol_of(symbol)]

    def __call__(self, theorem: Theorem) -> Theorem:
        """A theorem of the source as one of the target."""
        if theorem.theory is not self.source:
            raise TheoryError(f"{theorem.name} is no theorem of {self.source.name}.")
        known = facts.NUMBERS | {each.get_id() for each in self._change}
        known |= {variable.decl().get_id() for variable in theorem.variables}
        for symbol in unknown(theorem.whole, known):
            raise TheoryError(f"{self.name}: {symbol} is defined after it was made.")
        return self.target._added(
            f"{theorem.name} ({self.name})",
            theorem.variables,
            self.read(theorem.given),
            self.read(theorem.claim),
            f"transport from {self.source.name}",
            (),
            lambda: self.obligations,
            uses=(theorem, *self._lemmas),
        )

    @functools.cached_property
    def _lemmas(self) -> tuple[Theorem, ...]:
        return tuple(each.theorem for _, _, use in self._assumptions for each in use)

    @functools.cached_property
    def _assumptions(self) -> list[tuple[Function, Term, Sequence[Instance]]]:
        found = []
        source = {**self.source.parameters, **self.source.inputs}
        for symbol, assumed in source.items():
            if assumed.where is not None:
                arguments = _probes(assumed)
                at = list(zip(assumed.arguments, arguments, strict=True))
                goal = substituted(self.read(assumed.where), at)
                use = self._use[symbol](*arguments) if symbol in self._use else ()
                self.target.check_uses(self.name, use, set(arguments))
                found.append((symbol, goal, use))
        return found

    @functools.cached_property
    def obligations(self) -> tuple[Obligation, ...]:
        """The source's assumptions in the target, and that replaced definitions are the same.

        Definitions in the same words need no solver.
        """
        found = [self._assumption(*each) for each in self._assumptions]
        for mine, theirs in self._same:
            change = [(mine.n, theirs.n), (mine.before, theirs.before)]
            change += list(zip(mine.rest, theirs.rest, strict=True))
            zero, succ = (substituted(self.read(each), change) for each in (mine.zero, mine.succ))
            what = f"{self.name}: definition of {mine.function.name()}"
            if not zero.eq(theirs.zero):
                goal = zero == theirs.zero
                found.append(self.target.query(f"{what} at 0", [], goal, fuel=self._fuel))
            if not succ.eq(theirs.succ):
                goal = succ == theirs.succ
                found.append(self.target.query(what, [theirs.n >= 1], goal, fuel=self._fuel))
        return tuple(found)

    def _assumption(self, symbol: Function, goal: Term, use: Sequence[Instance]) -> Query:
        """That the target proves an assumption; at once if it assumes the same of one input."""
        name = f"{self.name}: assumption of {symbol.name()}"
        for other, assumed in self.target.inputs.items():
            known = assumed.at(_probes(assumed))
            if known is not None and known.eq(goal):
                return Query(name, (known, z3.Not(goal)), frozenset({other}))
        return self.target.query(name, [each.formula for each in use], goal, fuel=self._fuel)

    def read(self, term: Term) -> Term:
        """A term of the source as one of the target."""
        return replaced(term, self._change)

    def _builder(self, symbol: Function, replacement: Any) -> Callable[..., Term]:
        build = replacement if callable(replacement) else lambda: replacement
        probes = [fresh(f"{i}", symbol.domain(i)) for i in range(symbol.arity())]
        built = as_term(build(*probes), symbol.range())
        self.target.check([built], set(probes), f"{self.name}: {symbol.name()}")
        return lambda *values: substituted(built, list(zip(probes, values, strict=True)))

    def _replace(self, definition: Definition, replacement: Any) -> None:
        theirs = self.target.definitions.get(replacement)
        if theirs is None or _signature(theirs.function) != _signature(definition.function):
            raise TheoryError(f"{self.name}: {definition.function} needs a definition alike.")
        self._same.append((definition, theirs))
        self._change[definition.function] = theirs.function

    def _copy(self, symbol: Function, definition: Definition) -> None:
        plain = symbol.name().partition(".")[2]
        change = self._change
        copied = self.target.define(
            f"{plain} ({self.name})",
            [*(symbol.domain(i) for i in range(symbol.arity())), symbol.range()],
            zero=lambda *rest: replaced(
                substituted(definition.zero, list(zip(definition.rest, rest, strict=True))), change
            ),
            succ=lambda n, before, *rest: replaced(
                substituted(
                    definition.succ,
                    [
                        (definition.n, n),
                        (definition.before, before),
                        *zip(definition.rest, rest, strict=True),
                    ],
                ),
                change,
            ),
        )
        change[symbol] = copied


def _probes(assumed: Input) -> list[Term]:
    """Constants in the place of an input's arguments."""
    return [z3.Const(f"a{i}", each.sort()) for i, each in enumerate(assumed.arguments)]


def _is_taken(variable: Term) -> bool:
    """Whether the name may be the kernel's or, with a dot, that of a symbol of some theory."""
    return RESERVED in variable.decl().name() or "." in variable.decl().name()


def symbol_of(key: Any) -> Function:
    """A parameter is given as a constant, everything else as a function."""
    return key.decl() if z3.is_expr(key) else key


def _signature(function: Function) -> list[Term]:
    return [*(function.domain(i) for i in range(function.arity())), function.range()]
