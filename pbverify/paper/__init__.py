"""Prudent-Banker and nothing else: its algorithm, formulas, cases, proofs and experiment.

The machinery (`claims`, `search`, `report`, `cli`, ...) reaches this package only through the
`[paper]` table of a register.
"""
