"""Provers: `inequalities` settles closed forms for all values of their variables."""
