"""Two models at once, A and B: writing in lockstep, and reading each other’s pieces."""
