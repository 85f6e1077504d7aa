"""Import of music files: quantisation, voice assignment, and the report of what was changed.

It is independent of file formats, whose readers supply a ``source.Source``.
"""
