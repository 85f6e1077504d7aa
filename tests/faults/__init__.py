"""Seeded mutations of every format that musicrel reads; ``python -m tests.faults --help``."""
