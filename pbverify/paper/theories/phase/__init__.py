"""One phase on every path: its rounds, its estimates and its restart test."""
