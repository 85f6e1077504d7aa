"""Entry point of ``python -m musicrel`` and ``musicrel``: the app, or a command."""

from __future__ import annotations

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line, or the app without arguments, and return the exit code."""
    try:
        return _start(sys.argv[1:])
    except KeyboardInterrupt:  # while modules were still being imported
        return _INTERRUPTED


def _start(words: list[str]) -> int:
    if words:
        from musicrel.cli.main import main as run_command

        return run_command(words)
    from musicrel.ui.display import has_display

    if has_display():
        from musicrel.ui.app import main as open_app

        return open_app(sys.argv)
    from musicrel.cli.first_piece import write_first_piece

    return write_first_piece()


if __name__ == "__main__":
    sys.exit(main())
