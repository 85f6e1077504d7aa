"""Errors for users.

Every message is one sentence: what is wrong, which value, what was expected, what to do.

    MusicrelError
    ├── UsageError        an argument is outside the accepted values
    ├── FileError         a file is missing, damaged, of another kind or not writable
    ├── ModelError        a model directory or checkpoint holds no usable model
    ├── DataError         music or tokens that do not meet the requirements
    ├── GenerationError   generation cannot continue
    ├── MissingTorchError torch is needed, and not installed
    └── MissingQtError    pictures are needed, and Qt cannot be loaded
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Final

from musicrel.language import tr

NO_QT: Final = (
    "pictures cannot be drawn, as Qt does not load ({reason}): install its system libraries, on "
    "Debian and Ubuntu with apt-get install libgl1 libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3"
)
NO_TORCH: Final = (
    "this needs torch, which is not part of the light package: install the full package of musicrel"
)

_MAX_DIGITS: Final = 40
_MAX_LENGTH: Final = 1_000
_SHOWN_AT_END: Final = 200
_NUMBER: Final = re.compile(rf"\d{{{_MAX_DIGITS + 1},}}")


class MusicrelError(Exception):
    """Base of every error that a user can cause or encounter; its text is a sentence for users."""

    def __str__(self) -> str:
        """Return the sentence, made ``readable``."""
        return readable(super().__str__())


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


class MissingTorchError(MusicrelError):
    """Torch is needed here, and the light package goes without."""


class MissingQtError(MusicrelError):
    """Qt is needed here, and a library of the system that it needs is missing."""


@contextlib.contextmanager
def prefixed(failure: str) -> Iterator[None]:
    """Put ``failure``, what could not be done, before the text of an error in the block."""
    try:
        yield
    except MusicrelError as reason:
        raise type(reason)(f"{failure}: {reason}") from reason


@contextlib.contextmanager
def qt_may_be_missing() -> Iterator[None]:
    """Turn a failed import of Qt in the block into an error for users."""
    try:
        yield
    except ImportError as reason:
        raise MissingQtError(NO_QT.format(reason=reason)) from reason


@contextlib.contextmanager
def torch_may_be_missing() -> Iterator[None]:
    """Turn a failed import of torch in the block into an error for users."""
    try:
        yield
    except ModuleNotFoundError as reason:
        if (reason.name or "").partition(".")[0] != "torch":
            raise
        raise MissingTorchError(NO_TORCH) from reason


def readable(message: str) -> str:
    """Return a message that may quote any input so that it can be shown on a line.

    Characters that cannot be printed are escaped, numbers of more than 40 digits are cut, and so is
    the middle of a message of more than 1,000 characters.
    """
    line = "".join(one if one.isprintable() else repr(one)[1:-1] for one in message)
    line = _NUMBER.sub(
        lambda found: tr("{start}... ({n:,} digits)", start=found[0][:12], n=len(found[0])), line
    )
    if len(line) <= _MAX_LENGTH:
        return line
    return f"{line[: _MAX_LENGTH - _SHOWN_AT_END]} ... {line[-_SHOWN_AT_END:]}"
