"""Greedy buckets, and delayed learners in batched games."""
