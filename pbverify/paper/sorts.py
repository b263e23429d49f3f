"""The sorts of case that the paper's claims speak about.

A lemma file takes its sort from here. Where a sort can be searched, `pbverify.paper.search_spaces`
says how; it is imported when a search begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbverify.bandits.simpler import case_sort
from pbverify.claims.sort import Sort, either
from pbverify.files.codec import matches
from pbverify.paper.adversaries import Ambush, Marathon, Reversal, Silence
from pbverify.paper.cases.all_paths import AllPaths
from pbverify.paper.cases.all_paths_families import LongCascade
from pbverify.paper.cases.banker_game import BankerGame
from pbverify.paper.cases.doubling_update import Update
from pbverify.paper.cases.long_game import LongGame
from pbverify.paper.cases.mirror_step import MirrorStep
from pbverify.paper.cases.phase import DelayedPhase
from pbverify.paper.cases.prudent_exp3.constant_ledger import ConstantLedger
from pbverify.paper.cases.prudent_exp3.game import Exp3Game
from pbverify.paper.cases.prudent_exp3.outline import Exp3Outline
from pbverify.paper.cases.prudent_exp3.weighted_path import WeightedPath
from pbverify.paper.cases.run import Run
from pbverify.paper.cases.run_outline import RunOutline
from pbverify.paper.cases.sample import Sample
from pbverify.paper.cases.undelayed_stage import UndelayedStage
from pbverify.paper.experiment.environment import Blocks
from pbverify.paper.experiment.printed_constants import Constants
from pbverify.paper.experiment.sample import Draws, SeededRun
from pbverify.paper.experiment.total_delays import Total
from pbverify.paper.lower_bound.buckets import AnyDelays, Bucketing
from pbverify.paper.lower_bound.even_studies import LateStudy, SafeStudy
from pbverify.paper.lower_bound.explicit_rate import ExplicitRate
from pbverify.paper.lower_bound.finite_games import AllLate, AllSafe
from pbverify.paper.lower_bound.growth import Growth, LongDelays, Path
from pbverify.paper.lower_bound.learner_in_game import (
    AllowedStudy,
    DelayedStudy,
    Study,
    unchecked_study,
)
from pbverify.paper.lower_bound.simulation import Simulation
from pbverify.paper.without.unchecked_cases import AnyUpdate
from pbverify.search.space import SearchSpace


def _searched(name: str) -> Callable[[], SearchSpace]:
    def space() -> SearchSpace:
        from pbverify.paper import search_spaces

        found: SearchSpace = getattr(search_spaces, name)
        return found

    return space


def _names(kind: type[Any]) -> Callable[[Mapping[str, Any]], bool]:
    """Whether a witness names exactly the fields of a class."""
    return lambda fields: matches(kind, fields)


def _has_actions(fields: Mapping[str, Any]) -> bool:
    return (fields.get("instance") or {}).get("actions") is not None


PHASES = case_sort(DelayedPhase, "phase", search=_searched("PHASES"))
UPDATES = case_sort(Update, "update of the delay estimate")
ANY_UPDATES = case_sort(AnyUpdate, "update of any estimate")
MIRROR_STEPS = case_sort(MirrorStep, "mirror step", search=_searched("MIRROR_STEPS"))
RUNS = case_sort(Run, "run", accepts=_has_actions, search=_searched("RUNS"))
SAMPLES = case_sort(Sample, "sample", search=_searched("SAMPLES"))
GAMES = case_sort(
    AllPaths, "game with all its paths", accepts=_names(AllPaths), search=_searched("GAMES")
)
BANKER_GAMES = case_sort(BankerGame, "game of Banker-OMD alone")
LONG_GAMES = case_sort(LongGame, "long game", accepts=_names(LongGame))
CASCADES = case_sort(LongCascade, "long cascade", accepts=lambda fields: "parameters" in fields)
OUTLINES = case_sort(RunOutline, "outline of a run", search=_searched("OUTLINES"))
UNDELAYED_STAGES = case_sort(UndelayedStage, "undelayed stage", accepts=_names(UndelayedStage))
AMBUSHES = case_sort(Ambush, "ambush", accepts=_names(Ambush))
MARATHONS = case_sort(Marathon, "marathon", accepts=_names(Marathon))
REVERSALS = case_sort(Reversal, "reversal", accepts=_names(Reversal))
SILENCES = case_sort(Silence, "silence", accepts=_names(Silence))
BUCKETINGS = case_sort(Bucketing, "delays cut into buckets", search=_searched("BUCKETINGS"))
ANY_DELAYS = case_sort(AnyDelays, "delays of any size")
SIMULATIONS = case_sort(Simulation, "simulated learner", search=_searched("SIMULATIONS"))
ANY_STUDIES = case_sort(
    Study,
    "learner in a game that the lemma excludes",
    read=unchecked_study,
)
STUDIES = case_sort(Study, "learner in a batched game", search=_searched("STUDIES"))
DELAYED_STUDIES = case_sort(
    DelayedStudy, "learner in a delayed game", search=_searched("DELAYED_STUDIES")
)
ALLOWED_STUDIES = case_sort(
    AllowedStudy, "learner in a delayed game with any Lambda", accepts=_names(AllowedStudy)
)
SAFE_STUDIES = case_sort(SafeStudy, "learner on any delays", accepts=_names(SafeStudy))
LATE_STUDIES = case_sort(LateStudy, "learner on blocks", accepts=_names(LateStudy))
ALL_SAFE = case_sort(AllSafe, "all safe learners of a game", accepts=_names(AllSafe))
ALL_LATE = case_sort(AllLate, "all learners of a game", accepts=_names(AllLate))
EXPLICIT_RATES = case_sort(ExplicitRate, "numbers T, D and delta", accepts=_names(ExplicitRate))
PATHS = case_sort(Path, "path of powers of n")
WEIGHTED_PATHS = case_sort(WeightedPath, "vectors and delays")
CONSTANT_LEDGERS = case_sort(ConstantLedger, "ledger at constant delay and scale")
EXP3_GAMES = case_sort(Exp3Game, "game of Prudent-EXP3 with all its paths")
EXP3_OUTLINES = case_sort(Exp3Outline, "outline of Prudent-EXP3")
GROWTHS = case_sort(Growth, "growth of the parameters")
LONG_DELAYS = case_sort(LongDelays, "delays beyond every power of T")
BLOCKS = case_sort(Blocks, "division into blocks")
CONSTANTS = case_sort(Constants, "printed constants")
SEEDED_RUNS = case_sort(SeededRun, "run of the experiment")
DRAWS = case_sort(Draws, "draws of the experiment")
TOTAL_DELAYS = case_sort(Total, "total delay of the experiment")

ACCOUNTS = either(UNDELAYED_STAGES, OUTLINES, searched=OUTLINES)
"""What each phase costs, on every path with these delays and soft restarts."""
RUNS_OR_SAMPLES = either(RUNS, SAMPLES, searched=SAMPLES)
RUNS_OR_GAMES = either(RUNS, GAMES)
SAMPLES_OR_GAMES = either(SAMPLES, GAMES, searched=SAMPLES)
PHASE_CASES = either(RUNS, SAMPLES_OR_GAMES, searched=SAMPLES)
GAMES_OR_CASCADES = either(CASCADES, GAMES)


def certified_by(*adversaries: Sort[Any], accounts: Sort[Any]) -> Sort[Any]:
    """An adversary, whose regret a claim is about, or accounts that certify it and are searched."""
    return either(*adversaries, accounts, searched=accounts)
