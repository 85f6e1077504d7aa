"""Heads of a model, muted heads, and what replaces their output."""
