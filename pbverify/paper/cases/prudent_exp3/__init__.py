"""Cases about Prudent-EXP3: vectors with delays, outlines of runs, and small games."""
