"""All proofs for all sizes, examined by hand: `python tests/quality/proofs.py [MODULE ...]`.

For each theory of the paper it prints the obligations with z3's time, those that some seed does not
discharge, those that cvc5 does not discharge, and the sharper statements that the same steps prove.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping

from pbverify.claims.routes.theorems import InductionProof
from pbverify.paper import theories
from pbverify.prover.induction.sharpening import sharpened
from pbverify.prover.induction.solver import Answer, Query
from pbverify.prover.induction.theory import Obligation, Result

SEEDS = range(1, 5)


def every_module() -> list[str]:
    """The modules of theories, as they are called below that package."""
    start = f"{theories.__name__}."
    return [
        each.name.removeprefix(start) for each in pkgutil.walk_packages(theories.__path__, start)
    ]


def proofs(module: str) -> Mapping[str, InductionProof]:
    """The proofs that a module of theories offers."""
    found = vars(importlib.import_module(f"{theories.__name__}.{module}"))
    return {name: each for name, each in found.items() if isinstance(each, InductionProof)}


def lines(own: Mapping[str, InductionProof], asked: set[Obligation]) -> Iterator[str]:
    """What is to be known of a module's proofs; obligations that were asked before are left out."""
    new = [o for each in own.values() for o in each.obligations() if o not in asked]
    found = list(dict.fromkeys(new))
    asked.update(found)
    queries = [each for each in found if isinstance(each, Query)]
    seconds = sum(query.reply.seconds for query in queries)
    yield f"{len(found)} obligations, {len(queries)} of them by z3 in {seconds:.2f} s"
    for query in queries:
        if any(query.asked(seed=seed).answer is not Answer.PROVED for seed in SEEDS):
            yield f"depends on the seed: {query.name}"
        if query.second_opinion.answer is not Answer.PROVED:
            yield f"not by cvc5 ({query.second_opinion.answer.value}): {query.name}"
    results: list[Result] = list(dict.fromkeys(r for each in own.values() for r in each.results))
    tried = [(result, each) for result in results for each in sharpened(result)]
    refuted = sum(each.answer is Answer.REFUTED for _, each in tried)
    yield f"{refuted} of {len(tried)} sharper statements have a countermodel"
    for result, each in tried:
        if each.answer is not Answer.REFUTED:
            yield f"{each.answer.value}: {result.name}: {each.name}"


def main(modules: list[str]) -> None:
    asked: set[Obligation] = set()
    for module in modules or every_module():
        own = proofs(module)
        for number, line in enumerate(lines(own, asked) if own else ()):
            sys.stdout.write(f"{module if number == 0 else '':<18} {line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
