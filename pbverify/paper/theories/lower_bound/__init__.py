"""Lower bounds for every learner: transcripts, divergence and the hard game."""
