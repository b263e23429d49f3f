"""Theory verification and property testing for the Prudent-Banker paper.

A paper's claims become data; an engine replays the paper's algorithm on adversarial inputs;
checkers compare the two sides of every claim with rigorous arithmetic; verdicts carry evidence
that anyone can replay.
"""

__version__ = "0.1.0"

PAPER_SHA256 = "0cc182aef1f92e97c7822ce746ea93f6fbd108e64dc66dec9428ad9092f8b57c"
"""Digest of the paper text that this version judges; every file it writes names it."""
