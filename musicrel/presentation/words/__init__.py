"""Names of musical things for people, and the colours of both themes."""
