"""The delayed bandit game and its players: instances, delays, losses, learners, simulation.

Any learner may play it; nothing here knows the paper or judges a claim.
"""
