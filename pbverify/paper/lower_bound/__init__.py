"""The batched bandit game: blocks, learners, the hard environments, and exact transcripts.

Any learner of the protocol can be played in it: `Simulated(learner, bucketing, arrival=...)` is the
batched learner of the reduction, and `in_blocks(learner, lengths)` hears of a block when it ends.
"""
