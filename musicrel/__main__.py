"""Entry point of ``python -m musicrel`` and ``musicrel``: the app, or a command."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Final

_FAILED: Final = 1
_INTERRUPTED: Final = 130
# Suffixes of projects and of the pieces in ``score.files``, which would take long to import.
_SUFFIXES: Final = (".musicrel", ".mid", ".midi", ".musicxml", ".xml", ".mxl", ".abc", ".json")


def main() -> int:
    """Run the command line, or the app without arguments or with a file; return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # None under pythonw
            stream.reconfigure(errors="backslashreplace")  # names that its encoding does not have
    try:
        return _start(sys.argv[1:])
    except KeyboardInterrupt:  # while modules were still being imported
        return _INTERRUPTED


def _start(words: list[str]) -> int:
    from musicrel.ui.display import has_display

    if (not words or _opens_window(words)) and has_display():
        from musicrel.ui import startup

        startup.prepare()
        from musicrel.ui.app import main as open_app

        return open_app(sys.argv)
    if _is_document(words):
        return _refuse(Path(words[0]))
    if words:
        from musicrel.cli.main import main as run_command

        return run_command(words)
    from musicrel.cli.main import write_first_piece

    return write_first_piece()


def _opens_window(words: list[str]) -> bool:
    """Return True if the arguments are a document for the app: a file, or one to restore."""
    from musicrel import paths

    return words[0] == "--recover" or (_is_document(words) and paths.is_file(Path(words[0])))


def _is_document(words: list[str]) -> bool:
    """Return True if the only argument has the name of a document."""
    if len(words) != 1 or words[0].startswith("-"):
        return False
    return Path(words[0]).suffix.lower() in _SUFFIXES


def _refuse(path: Path) -> int:
    """Print why the document cannot be opened; return the exit code."""
    from musicrel import paths
    from musicrel.cli import output
    from musicrel.errors import readable

    reason = "there is no such file"
    if paths.is_file(path):
        reason = "a display is needed to open it, but musicrel convert reads it without one"
    output.print_message(readable(f"musicrel: cannot open {path}: {reason}"))
    return _FAILED


if __name__ == "__main__":
    sys.exit(main())
