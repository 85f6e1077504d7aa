"""Forms, requests, candidates and facts of the Compose page, without its widgets."""
