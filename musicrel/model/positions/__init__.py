"""The positional schemes, one per file, and their table."""
