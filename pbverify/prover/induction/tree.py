r"""Trees: expectations and divergences over all plays, by induction from the leaves.

A play branches where something is drawn. A quantity of a node (an expected regret, a probability,
a divergence) is computed from those of its children. To show that a property of the quantities
holds at every node, it is enough to show it at the leaves, and at a node whose children have it:

    leaf     no children
    move     one child (a step of the algorithm or of the adversary)
    fan      children 1, ..., count, as many as one likes, e.g. one for each arm; outside these
             numbers the sequences of children's quantities repeat any node's

Each kind of node is a relation between the node's quantities and those of its children; a tree is
any finite tree whose nodes are of these kinds. In a fan the children's quantities are sequences of
a theory of its own, in which the node's quantities are parameters, so that sums over the children
are definitions and theorems about them are proved by induction on their number.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from pbverify.prover.induction.solver import contradict
from pbverify.prover.induction.terms import (
    BOOL,
    INT,
    RESERVED,
    Term,
    TheoryError,
    as_term,
    fresh,
    substituted,
)
from pbverify.prover.induction.theory import (
    FUEL,
    KEY,
    Input,
    Instance,
    Obligation,
    Result,
    Theorem,
    Theory,
    sources,
)


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class TreeProperty(Result):
    """The property holds at every node of every finite tree with these kinds of nodes."""

    tree: Tree
    kinds: tuple[str, ...]


class Fan:
    """A node with any number of children, as a theory: node quantities, children's sequences."""

    def __init__(self, tree: Tree, name: str) -> None:
        self.tree, self.name = tree, name
        self.theory = Theory(f"{tree.name}, {name}")
        self.node: dict[str, Term] = {
            name: self.theory.parameter(name, q.sort()) for name, q in tree.here.items()
        }
        self.child: dict[str, Any] = {
            name: self.theory.input(f"{name} of child", INT, q.sort())
            for name, q in tree.here.items()
        }
        self._assume_property()

    def _assume_property(self) -> None:
        """Each child has the property, wherever one of its quantities occurs."""
        y = fresh("0", INT)
        has = self.tree.property_of({name: f(y) for name, f in self.child.items()})
        self.theory.check([has], {y}, self.name)
        for function in self.child.values():
            self.theory.set_input(Input(function, (y,), has))

    def close(self, theorem: Theorem, count: Term) -> None:
        """The node has the property: a theorem of the fan's theory about `count` children."""
        is_ours = isinstance(theorem, Theorem) and theorem.theory is self.theory
        goal = self.tree.property_of(self.node)
        if not is_ours or not theorem.claim.eq(goal):
            raise TheoryError(f"{self.name}: expected a theorem that claims {goal}.")
        if not any(count.eq(variable) for variable in theorem.variables):
            raise TheoryError(f"{self.name}: {count} is no variable of {theorem.name}.")
        self.tree._add(self.name, theorem)


class Tree:
    """Quantities of a node and a property of them, shown by induction from the leaves."""

    def __init__(
        self,
        name: str,
        quantities: Sequence[Term],
        property: Callable[[Mapping[str, Term]], Term],
    ) -> None:
        """`property` is called with the quantities by name."""
        self.name = name
        self.theory = Theory(name)
        self.quantities = tuple(quantities)
        self.names = tuple(map(str, self.quantities))
        self.theory.check_variables(name, self.quantities, None)
        self._property = property(self.here)
        self.theory.check([self._property], set(self.quantities), name)
        if contradict([self._property]):
            raise TheoryError(f"{name}: nothing has the property.")
        self._kinds: dict[str, Result] = {}
        self._has_leaf = False

    @functools.cached_property
    def here(self) -> Mapping[str, Term]:
        """The quantities of the node itself."""
        return dict(zip(self.names, self.quantities, strict=True))

    @functools.cached_property
    def below(self) -> Mapping[str, Term]:
        """The quantities of the only child of a move."""
        return {name: z3.Const(f"{name}{RESERVED}below", q.sort()) for name, q in self.here.items()}

    def property_of(self, quantities: Mapping[str, Term]) -> Term:
        """The property of other quantities, by name."""
        return substituted(self._property, [(q, quantities[name]) for name, q in self.here.items()])

    def leaf(
        self, name: str, given: Term, *, variables: Sequence[Term] = (), **options: Any
    ) -> None:
        """Nodes without children: `given` implies the property."""
        self._close(name, given, [], variables, **options)
        self._has_leaf = True

    def move(
        self, name: str, given: Term, *, variables: Sequence[Term] = (), **options: Any
    ) -> None:
        """Nodes with one child, whose quantities are `below`: `given` relates the two."""
        child = self.property_of(self.below)
        self._close(name, given, [child], variables, **options)

    def fan(self, name: str) -> Fan:
        """Nodes with any number of children; `Fan.close` ends the proof."""
        return Fan(self, name)

    def _close(
        self,
        name: str,
        given: Term,
        hypotheses: Sequence[Term],
        variables: Sequence[Term],
        *,
        use: Sequence[Instance] = (),
        fuel: int = FUEL,
    ) -> None:
        given, use = as_term(given, BOOL), tuple(use)
        self.theory.check_variables(name, (*self.quantities, *variables), None)
        below = self.below.values() if hypotheses else ()
        scope = (*self.quantities, *below, *variables)
        self.theory.check([given, *hypotheses], set(scope), name)
        self.theory.check_uses(name, use, set(scope))
        if contradict([given]):
            raise TheoryError(f"{name}: there is no such node.")
        goal = self.property_of(self.here)
        lemmas = [instance.formula for instance in use]

        def make() -> list[Obligation]:
            return [self.theory.query(name, [given, *hypotheses, *lemmas], goal, fuel=fuel)]

        kind = Result(
            theory=self.theory,
            name=name,
            claim=z3.Implies(given, goal),
            rule="kind of node",
            uses=sources((), use),
            make=make,
            key=KEY,
        )
        self._add(name, kind)

    def _add(self, name: str, kind: Result) -> None:
        """A kind of node that keeps the property."""
        if name in self._kinds:
            raise TheoryError(f"{self.name}: {name} is defined already.")
        self._kinds[name] = kind

    def kind(self, name: str) -> Result:
        """The kind of node of this name."""
        if name not in self._kinds:
            raise TheoryError(f"{self.name} has no kind of node called {name}.")
        return self._kinds[name]

    def holds(self, *, note: str = "") -> TreeProperty:
        """The property at every node of every finite tree with the kinds of nodes so far."""
        if not self._kinds:
            raise TheoryError(f"{self.name} has no kinds of nodes.")
        if not self._has_leaf:
            raise TheoryError(f"{self.name} has no leaves: there is no such tree.")
        return TreeProperty(
            theory=self.theory,
            name=self.name,
            claim=self.property_of(self.here),
            rule="induction over trees",
            uses=tuple(self._kinds.values()),
            make=lambda: (),
            key=KEY,
            note=note,
            tree=self,
            kinds=tuple(self._kinds),
        )

    def root(
        self,
        name: str,
        variables: Sequence[Term],
        claim: Term,
        *,
        given: Term | bool = True,
        use: Sequence[Instance] = (),
        fuel: int = FUEL,
        note: str = "",
    ) -> RootClaim:
        """What follows for the quantities of a root: the property and `given` imply the claim."""
        given, use = as_term(given, BOOL), tuple(use)
        scope = (*self.quantities, *variables)
        self.theory.check_variables(name, scope, None)
        self.theory.check([given, claim], set(scope), name)
        self.theory.check_uses(name, use, set(scope))
        holds = self.holds()
        hypotheses = [holds.claim, given, *(instance.formula for instance in use)]
        if contradict(hypotheses):
            raise TheoryError(f"{name}: there is no such root.")
        return RootClaim(
            theory=self.theory,
            name=name,
            claim=claim,
            rule=f"property of {self.name} at the root",
            uses=sources((holds,), use),
            make=lambda: [self.theory.query(name, hypotheses, claim, fuel=fuel)],
            key=KEY,
            note=note,
            variables=scope,
            given=given,
            again=lambda claim, given: self.root(
                name, variables, claim, given=given, use=use, fuel=fuel
            ),
        )


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True)
class RootClaim(Result):
    """For every tree whose root satisfies `given`, the claim about the root's quantities."""

    variables: tuple[Term, ...]
    given: Term
    again: Callable[[Term, Term], RootClaim] = dataclasses.field(repr=False)
    """The same proof for another claim and other hypotheses, to see whether it would close."""
