"""Attention of models and its effects: analyses, ablations, surprisal, claims; their charts."""
