"""Displayed inequalities and identities: their domains, their proofs, their best constants.

A bound is a conclusion about points; the inequality prover settles it on its whole domain.
"""
