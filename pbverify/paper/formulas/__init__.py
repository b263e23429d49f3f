"""Every displayed formula of the paper, once."""
