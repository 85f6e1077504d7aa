"""Editing by hand: commands, note input, mouse and rule list."""
