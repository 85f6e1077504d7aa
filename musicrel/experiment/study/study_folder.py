"""Where the user's studies and runs lie, and which of them are known.

Everything in ``runs`` in the user's own folder is known, whoever began it there; folders elsewhere
are known once they were opened. Studies one can start from are shipped, or lie in ``studies``.

This file knows folders; it knows nothing of what a study holds.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from musicrel import paths
from musicrel.errors import FileError

Kind = Literal["study", "run"]

_ELSEWHERE: Final = "opened.json"
_LARGEST_LIST: Final = 1_000_000
_MOST_ELSEWHERE: Final = 100


def folder() -> Path:
    """Where runs and studies of the user lie."""
    return paths.data() / "runs"


def templates() -> list[Path]:
    """The TOML files of all studies to start from: the shipped ones, then the user's."""
    found: list[Path] = []
    for root in (paths.assets() / "studies", paths.data() / "studies"):
        if root.is_dir():
            found += sorted(root.rglob("*.toml"), key=lambda path: path.stem)
    return found


def shipped() -> list[str]:
    """The names of all studies that come along, sorted."""
    return sorted(path.stem for path in (paths.assets() / "studies").rglob("*.toml"))


def kind(path: Path) -> Kind | None:
    """What lies in a folder; None: neither."""
    if (path / "study.toml").is_file():
        return "study"
    return "run" if (path / "recipe.toml").is_file() else None


def known() -> list[Path]:
    """The folders of all known studies and runs, the newest first."""
    found = {path: _begun(path) for path in _candidates() if kind(path) is not None}
    return sorted(found, key=lambda path: (-found[path], path.name))


def remember(path: Path) -> None:
    """Know a folder from now on, wherever it lies.

    Raises:
        FileError: there is no study or run in it, or that cannot be written down.
    """
    if kind(path) is None:
        raise FileError(
            f"{path} holds no study and no run: expected a folder with study.toml or recipe.toml"
        )
    path = path.resolve()
    if path.parent == folder().resolve():
        return
    others = [other for other in _elsewhere() if other != path]
    names = [str(other) for other in [path, *others][:_MOST_ELSEWHERE]]
    paths.write_text(folder() / _ELSEWHERE, json.dumps(names, indent=1) + "\n")


def free(name: str) -> Path:
    """A folder of that name that is not there yet, with a number where it must."""
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-.") or "study"
    wished = folder() / plain
    number = 2
    while wished.exists():
        wished = folder() / f"{plain}-{number}"
        number += 1
    return wished


def _candidates() -> Iterator[Path]:
    with contextlib.suppress(OSError):  # there is none yet
        yield from [path for path in folder().iterdir() if path.is_dir()]
    yield from _elsewhere()


def _elsewhere() -> list[Path]:
    try:
        names = json.loads(paths.read_bytes(folder() / _ELSEWHERE, limit=_LARGEST_LIST))
    except (FileError, ValueError, RecursionError):
        return []
    return (
        [Path(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []
    )


def _begun(path: Path) -> float:
    """When it was begun: what says what it is never changes."""
    about = path / ("study.toml" if kind(path) == "study" else "recipe.toml")
    try:
        return about.stat().st_mtime
    except OSError:
        return 0.0
