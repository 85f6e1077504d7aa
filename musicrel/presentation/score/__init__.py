"""Engraved scores: Verovio's output as plain data, the visible part of it, positions of marks."""
