"""Candidates for a request: generation of several, their measures, the critic and the ranking."""
