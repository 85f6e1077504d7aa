"""Errors for users.

Every message is one sentence: what is wrong, which value, what was expected, what to do.

    MusicrelError
    ├── UsageError        an argument is outside the accepted values
    ├── FileError         a file is missing, damaged, of another kind or not writable
    ├── ModelError        a model directory or checkpoint holds no usable model
    ├── DataError         music or tokens that do not meet the requirements
    └── GenerationError   generation cannot continue
"""

from __future__ import annotations


class MusicrelError(Exception):
    """Base of every error that a user can cause or encounter; its text is a sentence for users."""


class UsageError(MusicrelError):
    """An argument is outside the accepted values; the command line exits with code 2."""


class FileError(MusicrelError):
    """A file or folder is missing, damaged, of another kind, or cannot be written."""


class ModelError(MusicrelError):
    """A model directory or a checkpoint is missing, damaged or of another kind."""


class DataError(MusicrelError):
    """Music, tokens or a data set do not meet the requirements."""


class GenerationError(MusicrelError):
    """Generation cannot continue from here."""
