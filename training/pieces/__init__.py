"""Pieces that a measurement writes, kept in a folder so that it can be resumed."""
