"""Lower bounds for every learner, with the constants of the minimax rate. Not in the paper."""
