"""Write the reference pages of docs/ from the code: the commands, and the Python interface.

    python packaging/build_reference.py [--check]

They are committed; a test compares them with the code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import command_reference
import python_reference

FOLDER: Final = Path(__file__).resolve().parent.parent / "docs" / "reference"
PAGES: Final[Mapping[str, Callable[[], str]]] = {
    "commands.md": command_reference.page,
    "python.md": python_reference.page,
}
"""File -> the function that makes its text."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pages, or with ``--check`` name those that differ; return the exit code."""
    parser = argparse.ArgumentParser(prog="build_reference.py", description="Write docs/reference.")
    parser.add_argument("--check", action="store_true", help="write nothing; compare")
    if parser.parse_args(arguments).check:
        return check(FOLDER)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")
        print(FOLDER / name)
    return 0


def check(folder: Path) -> int:
    """Print a line for each page in ``folder`` that differs from the code; return the exit code."""
    old = outdated(folder)
    print(*(f"{name} differs from the code: run build_reference.py" for name in old), sep="\n")
    return int(bool(old))


def outdated(folder: Path) -> list[str]:
    """Return the names of the pages in ``folder`` that differ from what the code gives."""
    return [name for name, page in PAGES.items() if _text(folder / name) != page()]


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
