"""Figures for pages and notebooks, drawn with matplotlib from plain numbers; nothing is judged."""
