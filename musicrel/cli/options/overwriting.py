"""The option --force: files that exist are replaced."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

from musicrel.errors import FileError


def add(parser: argparse.ArgumentParser) -> None:
    """Add the option, also under its earlier name."""
    parser.add_argument(
        "--force", "--replace", action="store_true", help="replace files that exist"
    )


def check(options: argparse.Namespace, files: Iterable[Path]) -> None:
    """Check that no file is replaced unless that is asked for."""
    if options.force:
        return
    for path in files:
        if os.path.exists(path):  # noqa: PTH110  # False, not an error, for a name that is too long
            raise FileError(f"{path} exists: choose another name, or add --force")
