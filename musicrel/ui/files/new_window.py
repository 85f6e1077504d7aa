"""New windows: each is a process of its own, so that one that crashes takes no other along."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QProcess

from musicrel.errors import FileError
from musicrel.experiment.runs.child_process import PROGRAM

RECOVER: Final = "--recover"
"""Option of the app, followed by the identity of the document to restore."""
_NOT_STARTED: Final = "cannot open a window: {program} cannot be started"


def start(arguments: tuple[str, ...] = ()) -> None:
    """Open another window."""
    program, *first = PROGRAM
    started, _ = QProcess.startDetached(program, [*first, *arguments])
    if not started:
        raise FileError(_NOT_STARTED.format(program=program))
