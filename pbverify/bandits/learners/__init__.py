"""Learners of the delayed bandit protocol; they never see an instance."""
