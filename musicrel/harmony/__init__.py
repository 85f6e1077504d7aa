"""Harmonic analysis: chords, local keys and Roman numerals."""
