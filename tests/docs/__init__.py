"""The examples in README and docs, and whether they work."""
