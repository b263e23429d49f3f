"""Provers of statements about all values: closed forms, all sizes by induction, powers of n."""
