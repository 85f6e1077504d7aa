"""Texts for screen readers: notes and passages, curves, and which messages are announced."""
