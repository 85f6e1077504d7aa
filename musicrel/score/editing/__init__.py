"""Edits of a piece by hand: pure functions from a piece and a selection to a new piece."""
