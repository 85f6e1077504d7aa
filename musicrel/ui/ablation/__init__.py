"""Muted heads, and what heads, voices and notes did for the chosen note."""
