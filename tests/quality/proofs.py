"""All proofs for all sizes, examined by hand: `python tests/quality/proofs.py [MODULE ...]`.

The proofs are those that the lemma files use, also those that a function returns. For each module
of theories it prints the obligations with z3's time, those that some seed does not discharge, those
that cvc5 does not discharge, and the sharper statements that the same steps prove.
"""

from __future__ import annotations

import dataclasses
import pathlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pbverify.claims.library import lemma_files, lemmas_of
from pbverify.claims.routes.theorems import InductionProof, NamedProof
from pbverify.paper import theories
from pbverify.prover.induction import solver
from pbverify.prover.induction.sharpening import sharpened
from pbverify.prover.induction.solver import Answer, Query
from pbverify.prover.induction.theory import Obligation, Result

SEEDS = range(1, 5)
EFFORT = solver.EFFORT // 10
"""z3's limit for a sharper statement, most of which have a countermodel at once."""
LEMMAS = pathlib.Path(__file__).parents[2] / "lemmas"


def proofs() -> dict[str, list[NamedProof]]:
    """The proofs that the lemma files use, by the module that declares them."""
    found: defaultdict[str, dict[NamedProof, None]] = defaultdict(dict)
    for lemma in (lemma for path in lemma_files(LEMMAS) for lemma in lemmas_of(path)):
        for named in (getattr(route, "named", None) for route in lemma.routes):
            if isinstance(named, NamedProof):
                found[named.module.removeprefix(f"{theories.__name__}.")][named] = None
    return {module: list(each) for module, each in sorted(found.items())}


@dataclasses.dataclass
class Count:
    """What was counted in some modules."""

    obligations: int = 0
    by_z3: int = 0
    seconds: float = 0
    unstable: int = 0
    by_cvc5: int = 0
    sharper: int = 0
    refuted: int = 0

    def __str__(self) -> str:
        return (
            f"{self.obligations} obligations, {self.by_z3} of them by z3 in {self.seconds:.2f} s, "
            f"{self.unstable} depend on the seed, {self.by_cvc5} also by cvc5; "
            f"{self.refuted} of {self.sharper} sharper statements have a countermodel"
        )


def examined(own: Sequence[InductionProof], asked: set[Obligation], total: Count) -> Iterator[str]:
    """What is to be known of a module's proofs; obligations that were asked before are left out."""
    found = dict.fromkeys(o for each in own for o in each.obligations() if o not in asked)
    asked.update(found)
    queries = [each for each in found if isinstance(each, Query)]
    total.obligations += len(found)
    total.by_z3 += len(queries)
    total.seconds += sum(query.reply.seconds for query in queries)
    for query in queries:
        if any(query.asked(seed=seed).answer is not Answer.PROVED for seed in SEEDS):
            total.unstable += 1
            yield f"depends on the seed: {query.name}"
        if query.second_opinion.answer is Answer.PROVED:
            total.by_cvc5 += 1
        else:
            yield f"not by cvc5 ({query.second_opinion.answer.value}): {query.name}"
    yield from _sharper([result for each in own for result in each.results], total)


def _sharper(results: Sequence[Result], total: Count) -> Iterator[str]:
    whole, solver.EFFORT = solver.EFFORT, EFFORT
    for result in dict.fromkeys(results):
        for each in sharpened(result):
            total.sharper += 1
            total.refuted += each.answer is Answer.REFUTED
            if each.answer is not Answer.REFUTED:
                yield f"{each.answer.value}: {result.name}: {each.name}"
    solver.EFFORT = whole


def main(modules: list[str]) -> None:
    asked: set[Obligation] = set()
    total, known = Count(), proofs()
    for module in modules or known:
        for line in examined([named.load() for named in known[module]], asked, total):
            sys.stdout.write(f"{module:<32} {line}\n")
        sys.stdout.write(f"{module:<32} so far {total}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
