"""Sums over the scales of a phase, and the closed forms that bound them."""
