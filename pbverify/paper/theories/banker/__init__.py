"""Banker-OMD on every path: the ledger, mirror steps and regularizers."""
