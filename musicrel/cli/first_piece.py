"""What ``musicrel`` does where there is no screen: say so, and write a chorale all the same.

This file knows what to write; how stands in ``generate``.
"""

from __future__ import annotations

from musicrel.cli import output
from musicrel.cli.main import main

_FOLDER = "musicrel-first-piece"


def write_first_piece() -> int:
    """Write a chorale into a folder below the current one; the exit code."""
    output.note(
        "There is no display to open the window on, so here is a chorale as files instead; "
        "'musicrel --help' lists what else works without one."
    )
    words = ["generate", "--bars", "8", "--phrases", "2,2,2,2", "--out", f"{_FOLDER}/"]
    return main([*words, "--format", "mid,musicxml,json,svg,png"])
