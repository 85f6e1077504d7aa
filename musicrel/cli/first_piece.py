"""``musicrel`` on a machine without a display: a message, and a chorale as files."""

from __future__ import annotations

from musicrel.cli import output
from musicrel.cli.main import main

_FOLDER = "musicrel-first-piece"


def write_first_piece() -> int:
    """Write a chorale into a folder below the current one and return the exit code."""
    output.print_message(
        "There is no display to open the window on, so here is a chorale as files instead; "
        "'musicrel --help' lists the commands that need none."
    )
    words = ["generate", "--bars", "8", "--phrases", "2,2,2,2", "--out", f"{_FOLDER}/"]
    return main([*words, "--format", "mid,musicxml,json,svg,png"])
