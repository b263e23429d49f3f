"""Quantities of the paper's proofs: what a phase costs, and bounds on paths and expectations."""
