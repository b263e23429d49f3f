r"""Machines: an algorithm as states, steps with arbitrary inputs, and inductive invariants.

    m = Machine(T, "ledger", state=[A, O, B], inputs=[s, arrived], start=z3.And(A == 0, ...))
    m.step = z3.And(m.after(B) == B + ..., ...)
    m.invariant("borrowed", A >= 0, O >= 0, B == A + O, claim=B >= O)

A step relates a state to the next one, which is written `m.after(B)`. An invariant holds in every
state that the machine can reach: at the start, and after each step from a state where it holds.
What follows from it, the `claim`, then holds in every reachable state as well. It is no theorem of
the theory, because it says nothing about states that cannot be reached.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from pbverify.prover.induction.evaluation import Model
from pbverify.prover.induction.nodes import node
from pbverify.prover.induction.solver import contradict
from pbverify.prover.induction.terms import (
    BOOL,
    INT,
    RESERVED,
    TRUE,
    Term,
    TheoryError,
    as_term,
    conjunction,
    conjuncts,
    substituted,
)
from pbverify.prover.induction.theory import (
    FUEL,
    KEY,
    Instance,
    Obligation,
    Result,
    Theory,
    sources,
)

State = Mapping[Term, Any]
"""Values of variables."""


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class Invariant(Result):
    """`claim` holds in every state that the machine can reach; so do the `parts`."""

    machine: Machine
    parts: tuple[Term, ...]
    again: Callable[[Term, Sequence[Term]], Invariant] = dataclasses.field(repr=False)
    """The same proof for another claim and other parts, to see whether it would close."""

    @property
    def known(self) -> tuple[Term, ...]:
        """All that holds in a reachable state."""
        return (*self.parts, *conjuncts(self.claim))


class Machine:
    """States, the ones it starts in, and its steps."""

    def __init__(
        self,
        theory: Theory,
        name: str,
        *,
        state: Sequence[Term],
        start: Term,
        inputs: Sequence[Term] = (),
        fixed: Sequence[Term] = (),
    ) -> None:
        """`inputs` are free in each step; `fixed` are variables that no step changes."""
        self.theory, self.name, self.start = theory, name, start
        self.state, self.inputs, self.fixed = tuple(state), tuple(inputs), tuple(fixed)
        theory.check_variables(name, (*state, *inputs, *fixed), None)
        theory.check([start], {*state, *fixed}, name)
        self._after = {
            node(each).number: z3.Const(f"{each}{RESERVED}after", each.sort()) for each in state
        }
        self._step: Term | None = None

    def after(self, variable: Term) -> Term:
        """A variable of the state after the step."""
        found = self._after.get(node(variable).number)
        if found is None:
            raise TheoryError(f"{self.name}: {variable} is no variable of the state.")
        return found

    @property
    def step(self) -> Term:
        """The relation between a state, the inputs and the next state."""
        if self._step is None:
            raise TheoryError(f"{self.name} has no step.")
        return self._step

    @step.setter
    def step(self, relation: Term) -> None:
        if self._step is not None:
            raise TheoryError(f"{self.name} has a step already.")
        self.theory.check([relation], self._scope, self.name)
        self._step = relation

    @property
    def _scope(self) -> set[Term]:
        return {*self.state, *self.inputs, *self.fixed, *map(self.after, self.state)}

    def primed(self, term: Term) -> Term:
        """The term about the next state."""
        return substituted(term, [(each, self.after(each)) for each in self.state])

    def invariant(
        self,
        name: str,
        *parts: Term,
        claim: Term | bool = True,
        known: Sequence[Invariant] = (),
        use: Sequence[Instance] = (),
        falls: Term | None = None,
        fuel: int = FUEL,
        note: str = "",
    ) -> Invariant:
        """The claim in every reachable state, by parts that each step preserves together.

        `known` are earlier invariants of this machine. `falls` is an integer that is >= 0 and that
        each step makes smaller, so that the machine stops.
        """
        claim, known, use = as_term(claim, BOOL), tuple(known), tuple(use)
        goals = [part for part in conjuncts(claim) if not z3.is_true(part)]
        measure = [] if falls is None else [as_term(falls, INT)]
        self.theory.check([claim, *parts, *measure], {*self.state, *self.fixed}, name)
        self.theory.check_uses(name, use, self._scope)
        if any(not isinstance(each, Invariant) or each.machine is not self for each in known):
            raise TheoryError(f"{name}: expected invariants of {self.name}.")
        before = [*(term for invariant in known for term in invariant.known), *parts]
        if contradict([self.start]) or contradict([*before, self.step]):
            raise TheoryError(f"{name}: the machine cannot start, or cannot make a step.")

        def make() -> list[Obligation]:
            return list(self._obligations(name, parts, goals, known, use, measure, fuel))

        return Invariant(
            theory=self.theory,
            name=name,
            claim=conjunction(goals) if goals else TRUE,
            rule=f"invariant of {self.name}",
            uses=sources(known, use),
            make=make,
            key=KEY,
            note=note,
            machine=self,
            parts=parts,
            again=lambda claim, parts: self.invariant(
                name, *parts, claim=claim, known=known, use=use, falls=falls, fuel=fuel
            ),
        )

    def _obligations(
        self,
        name: str,
        parts: Sequence[Term],
        goals: Sequence[Term],
        known: Sequence[Invariant],
        use: Sequence[Instance],
        measure: Sequence[Term],
        fuel: int,
    ) -> list[Obligation]:
        lemmas = [instance.formula for instance in use]
        sure = [term for invariant in known for term in invariant.known]
        here = [*sure, *parts, *lemmas]
        stepping = [*here, *map(self.primed, sure), self.step]

        def asked(what: str, hypotheses: Sequence[Term], goal: Term) -> Obligation:
            return self.theory.query(f"{name}, {what}", hypotheses, goal, fuel=fuel)

        found = []
        for number, part in enumerate(parts, start=1):
            found.append(asked(f"part {number} at the start", [self.start, *sure, *lemmas], part))
            found.append(asked(f"part {number} after a step", stepping, self.primed(part)))
        for number, goal in enumerate(goals, start=1):
            found.append(asked(f"claim {number}", here, goal))
        for falls in measure:
            lower = z3.And(self.primed(falls) >= 0, self.primed(falls) < falls)
            found.append(asked("it stops", stepping, lower))
        return found

    def rejects(
        self, model: Model, states: Sequence[State], inputs: Sequence[State], fixed: State
    ) -> str:
        """Why a recorded run is not one of the machine's; empty if it is one."""
        kinds = (states, self.state), (inputs, self.inputs), ([fixed], self.fixed)
        for values, variables in kinds:
            asked = {node(variable).number for variable in variables}
            if any({node(variable).number for variable in each} != asked for each in values):
                return f"{self.name} has other variables than the recorded run"
        if not model.accepts(self.start, {**states[0], **fixed}):
            return f"{self.name} does not start in the recorded state"
        steps = zip(states[:-1], inputs, states[1:], strict=True)
        for number, (now, given, then) in enumerate(steps, start=1):
            after = {self.after(variable): value for variable, value in then.items()}
            if not model.accepts(self.step, {**now, **given, **fixed, **after}):
                return f"{self.name} does not make the recorded step {number}"
        return ""
