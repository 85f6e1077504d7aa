"""What can go wrong, as the user is told it.

Every message is one sentence: what is wrong, which value, what was expected, what to do.

    MusicrelError
    ├── UsageError        an argument is outside what the command or function takes
    ├── FileError         a file is missing, damaged, foreign or cannot be written
    ├── ModelError        a model directory or checkpoint does not hold a usable model
    ├── DataError         music or tokens that do not fit what is asked of them
    └── GenerationError   writing music cannot go on

This file knows nothing of what raises these.
"""

from __future__ import annotations


class MusicrelError(Exception):
    """Base of every error a user may cause or meet; its text is one sentence for that user."""


class UsageError(MusicrelError):
    """An argument has a value outside what is allowed; the command line exits with code 2."""


class FileError(MusicrelError):
    """A file or folder is missing, damaged, of another kind, or cannot be written."""


class ModelError(MusicrelError):
    """A model directory or a checkpoint is missing, damaged or of another kind."""


class DataError(MusicrelError):
    """Music, tokens or a data set do not fit what is asked of them."""


class GenerationError(MusicrelError):
    """Writing music cannot go on from here."""
