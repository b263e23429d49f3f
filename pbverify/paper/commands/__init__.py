"""Commands of the command line that only make sense for this paper."""
