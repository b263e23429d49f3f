"""Claims without one of their assumptions, and cases that break it."""
