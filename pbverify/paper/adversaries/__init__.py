"""Named adversaries of the global theorem, each with what it makes Prudent-Banker pay.

An adversary is a few parameters; its instance, its runs and its expected regret follow from them,
so that a witness of tens of thousands of rounds stays a few lines long.
"""

from __future__ import annotations

from pbverify.paper.adversaries.ambush import Ambush
from pbverify.paper.adversaries.marathon import Marathon
from pbverify.paper.adversaries.reversal import Reversal
from pbverify.paper.adversaries.silence import Silence

__all__ = ["Ambush", "Marathon", "Reversal", "Silence"]
