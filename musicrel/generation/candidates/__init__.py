"""Candidates for a request: generation of several, their measures and the ranking."""
