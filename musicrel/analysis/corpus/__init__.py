"""Chorale data sets: the bundled corpus, the bundled melodies, and the published JSB16 file.

All give ``Chorale`` objects by split; nothing here depends on tokens or models.
"""
