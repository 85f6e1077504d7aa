"""Tokenisation of chorales: vocabularies, the codec, and the conditions of a token sequence.

Nothing here depends on models.
"""
