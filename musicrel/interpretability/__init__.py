"""What models attend to and what it does: analyses, effects, surprisal, claims; their charts."""
