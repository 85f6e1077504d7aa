"""The rows of ``musicrel bench``."""
