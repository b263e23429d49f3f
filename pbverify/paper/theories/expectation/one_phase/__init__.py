"""One phase alone: its expected regret, for all horizons, arms, delays and oblivious losses."""
