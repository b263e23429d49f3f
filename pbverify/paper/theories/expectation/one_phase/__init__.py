"""One phase alone: its expected regret, for all horizons, arms, oblivious delays and losses."""
