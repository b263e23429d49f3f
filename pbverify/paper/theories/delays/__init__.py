"""Delays, delay estimates, and the stages and phases that they lead to."""
