"""Verdicts with evidence for every claim of a paper, and the first paper: Prudent-Banker.

A paper's claims become data; checkers compare the two sides of every claim with rigorous arithmetic
on cases, or prove them; verdicts carry evidence that anyone can replay. A lemma file needs these
names, and the sorts of case of its paper (`pbverify.paper.sorts`).
"""

import importlib
from typing import TYPE_CHECKING, Any

from pbverify import moved

if TYPE_CHECKING:
    from pbverify.bandits.delays import Delays as Delays
    from pbverify.bandits.instance import Instance as Instance
    from pbverify.bandits.protocol import Learner as Learner
    from pbverify.bandits.trial import Trial as Trial
    from pbverify.claims.claim import Claim as Claim
    from pbverify.claims.claim import Pair as Pair
    from pbverify.claims.claim import Side as Side
    from pbverify.claims.claim import equal as equal
    from pbverify.claims.claim import leq as leq
    from pbverify.claims.claim import less as less
    from pbverify.claims.lemma import Lemma as Lemma
    from pbverify.claims.lemma import changed as changed
    from pbverify.claims.lemma import drop as drop
    from pbverify.claims.lemma import expects as expects
    from pbverify.claims.lemma import says as says
    from pbverify.claims.lemma import sharpened as sharpened
    from pbverify.claims.routes import certified as certified
    from pbverify.claims.routes import chosen as chosen
    from pbverify.claims.routes import every as every
    from pbverify.claims.routes import exactly as exactly
    from pbverify.claims.routes import generated as generated
    from pbverify.claims.routes import in_samples as in_samples
    from pbverify.claims.routes import in_the_limit as in_the_limit
    from pbverify.claims.routes import on_every_path as on_every_path
    from pbverify.claims.routes import proved as proved
    from pbverify.claims.routes import shared as shared
    from pbverify.claims.routes.power_paths import on_all_paths as on_all_paths
    from pbverify.claims.routes.theorems import InductionProof as InductionProof
    from pbverify.claims.routes.theorems import ProofsOf as ProofsOf
    from pbverify.claims.routes.theorems import for_all_sizes as for_all_sizes
    from pbverify.claims.sort import Sort as Sort
    from pbverify.claims.verdict import Outcome as Outcome
    from pbverify.claims.verdict import Verdict as Verdict
    from pbverify.claims.verdict import Witness as Witness
    from pbverify.interactive import judge as judge
    from pbverify.interactive import prove as prove
    from pbverify.interactive import replay as replay
    from pbverify.interactive import run as run
    from pbverify.interactive import show as show
    from pbverify.numerics import Truth as Truth
    from pbverify.paper.algorithm.engine import enumerate_paths as enumerate_paths
    from pbverify.paper.algorithm.readings import Reading as Reading
    from pbverify.paper.algorithm.readings import preset as preset
    from pbverify.paper.algorithm.trace import Trace as Trace

__version__ = "0.1.0"

PAPER_SHA256 = "0cc182aef1f92e97c7822ce746ea93f6fbd108e64dc66dec9428ad9092f8b57c"
"""Digest of the paper text that this version judges; every file it writes names it."""

_HOMES = {
    "bandits.delays": ("Delays",),
    "bandits.instance": ("Instance",),
    "bandits.protocol": ("Learner",),
    "bandits.trial": ("Trial",),
    "claims.claim": ("Claim", "Pair", "Side", "equal", "leq", "less"),
    "claims.lemma": ("Lemma", "changed", "drop", "expects", "says", "sharpened"),
    "claims.routes.power_paths": ("on_all_paths",),
    "claims.routes": (
        *("certified", "chosen", "every", "exactly", "generated", "in_samples"),
        *("in_the_limit", "on_every_path", "proved", "shared"),
    ),
    "claims.sort": ("Sort",),
    "claims.routes.theorems": ("InductionProof", "ProofsOf", "for_all_sizes"),
    "claims.verdict": ("Outcome", "Verdict", "Witness"),
    "interactive": ("judge", "prove", "replay", "run", "show"),
    "numerics": ("Truth",),
    "paper.algorithm.engine": ("enumerate_paths",),
    "paper.algorithm.readings": ("Reading", "preset"),
    "paper.algorithm.trace": ("Trace",),
}
_MODULES = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import pbverify` costs nothing."""
    if name not in _MODULES:
        raise AttributeError(f"module 'pbverify' has no attribute {name!r}")
    return getattr(importlib.import_module(f"pbverify.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


moved.install()
