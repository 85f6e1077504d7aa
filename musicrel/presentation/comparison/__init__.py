"""Two models compared: surprisal, attention of one note, shares; as drawings and as tables."""
