"""Prudent-Banker as the paper prints it: the ledger, Banker-OMD, readings, schedule, trace."""
