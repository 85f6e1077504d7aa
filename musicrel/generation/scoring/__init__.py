"""Scores of an existing piece under a model, by teacher forcing."""
