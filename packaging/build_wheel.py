"""Build the wheel and the source archive of musicrel.

    python packaging/build_wheel.py [--out DIR]

The same source always gives the same bytes: members are sorted, and all have the time in
SOURCE_DATE_EPOCH, by default 2 February 2020.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from hatchling import build as backend

ROOT: Final = Path(__file__).resolve().parent.parent
BACKENDS: Final[Mapping[str, Callable[[str], str]]] = {
    "wheel": backend.build_wheel,
    "sdist": backend.build_sdist,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Build both, print SHA-256, size and path of each, and return the exit code."""
    parser = argparse.ArgumentParser(prog="build_wheel.py", description=(__doc__ or "")[:55])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder of the results")
    folder: Path = parser.parse_args(arguments).out
    for kind in BACKENDS:
        path = build(kind, folder)
        content = path.read_bytes()
        print(f"{hashlib.sha256(content).hexdigest()}  {len(content) / 1e6:.1f} MB  {path}")
    return 0


def build(kind: str, folder: Path, root: Path = ROOT) -> Path:
    """Build the ``wheel`` or the ``sdist`` of the source tree ``root``; return its path.

    Args:
        kind: key of ``BACKENDS``.
        folder: the archive is written here; created where it is missing.
        root: the folder with pyproject.toml.
    """
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.chdir(root):
        return folder / BACKENDS[kind](str(folder))


if __name__ == "__main__":
    sys.exit(main())
