"""Two models at once on the Compose page: the roll of B below that of A."""
