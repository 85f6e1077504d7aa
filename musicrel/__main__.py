"""Entry point of ``python -m musicrel`` and ``musicrel``: the app, or a command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

_INTERRUPTED = 130
_SUFFIXES: Final = (".musicrel", ".mid", ".midi", ".musicxml", ".xml", ".mxl", ".json")
"""Suffixes of projects and of the pieces in ``score.files``, which would take long to import."""


def main() -> int:
    """Run the command line, or the app without arguments or with a file; return the exit code."""
    try:
        return _start(sys.argv[1:])
    except KeyboardInterrupt:  # while modules were still being imported
        return _INTERRUPTED


def _start(words: list[str]) -> int:
    from musicrel.ui.display import has_display

    if words and not (_opens_window(words) and has_display()):
        from musicrel.cli.main import main as run_command

        return run_command(words)
    if has_display():
        from musicrel.ui.app import main as open_app

        return open_app(sys.argv)
    from musicrel.cli.first_piece import write_first_piece

    return write_first_piece()


def _opens_window(words: list[str]) -> bool:
    """Return True if the arguments are a document for the app: a file, or one to restore."""
    if words[0] == "--recover":
        return True
    path = Path(words[0])
    return len(words) == 1 and path.suffix.lower() in _SUFFIXES and path.is_file()


if __name__ == "__main__":
    sys.exit(main())
