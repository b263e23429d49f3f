"""The rules of the search, in the order in which they are tried: cheap and exact ones first."""

from __future__ import annotations

from pbverify.prover.inequalities.algebra import (
    drop_known_factors,
    exponentiate_logs,
    orient,
    resolve_absolute,
    square,
    substitute_roots,
    take_logs,
)
from pbverify.prover.inequalities.calculus import concave, grows, minimum_inside, monotone
from pbverify.prover.inequalities.search import Rule

RULES: tuple[Rule, ...] = (
    orient,
    grows,
    resolve_absolute,
    substitute_roots,
    drop_known_factors,
    exponentiate_logs,
    square,
    minimum_inside,
    monotone,
    concave,
    take_logs,
)
