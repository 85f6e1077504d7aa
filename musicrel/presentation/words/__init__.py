"""Names of musical things in English, and the colours of both themes."""
