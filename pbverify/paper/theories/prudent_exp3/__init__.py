"""Proofs about Prudent-EXP3, which is not in the paper."""
