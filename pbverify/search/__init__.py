"""Adversarial search: three engines that look for the case in which a claim fails or is tightest.

`exhaustive` runs through every case of a family in a fixed order, compiled where a kernel exists.
`generated` lets Hypothesis invent cases and aim at the largest (lhs - rhs)/(|lhs| + |rhs|).
`climbing` is a worst-case optimiser over parametrised adversaries, which steers by compiled
runs so that the settings of long horizons are reached on purpose. All three are pure functions of a
claim, the search space of its sort of case, and a seed; a `SearchTally` counts what they see.
"""
