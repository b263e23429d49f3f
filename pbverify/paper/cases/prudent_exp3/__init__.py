"""Cases about Prudent-EXP3, and about the Banker that it is compared with."""
