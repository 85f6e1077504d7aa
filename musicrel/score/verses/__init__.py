"""Texts for voices: verses, lines and syllables, their metre, and their place in a piece."""
