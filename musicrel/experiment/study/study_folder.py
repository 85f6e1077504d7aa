"""The folders of the user's studies and runs, and the definitions to start new studies from.

All folders in ``runs`` in the user's data folder are known, and folders elsewhere once they were
opened. Definitions are bundled, or in ``studies`` in the user's data folder.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from musicrel import gate, paths
from musicrel.errors import DataError, FileError, UsageError

Kind = Literal["study", "run"]

STUDY: Final = "study.toml"
"""The definition in the folder of a study."""

_OPENED: Final = "opened.json"
_MAX_OPENED: Final = 100


def runs_folder() -> Path:
    """Return the folder of the user's runs and studies."""
    return paths.data() / "runs"


def archive_folder() -> Path:
    return paths.data() / "archive" / "studies"


def is_archived(path: Path) -> bool:
    """Return whether a study or run is archived."""
    return path.parent == archive_folder()


def templates() -> list[Path]:
    """Return the TOML files of all study definitions: bundled ones, then the user's."""
    found: list[Path] = []
    for root in (paths.assets() / "studies", paths.data() / "studies"):
        if root.is_dir():
            found += sorted(root.rglob("*.toml"), key=lambda path: path.stem)
    return found


def bundled() -> list[str]:
    """Return the names of all bundled studies, sorted."""
    return sorted(path.stem for path in (paths.assets() / "studies").rglob("*.toml"))


def find(name_or_file: str) -> Path:
    """Return the path of a study's definition: a file, or the bundled study of that name."""
    root = paths.assets() / "studies"
    bundled_file = f"{name_or_file}.toml"
    for path in (Path(name_or_file), root / bundled_file, root / "untrained" / bundled_file):
        if paths.is_file(path):
            return path
    raise UsageError(
        f"no study {name_or_file!r}: expected a TOML file or one of {', '.join(bundled())}"
    )


def text(path: Path) -> str:
    """Return the text of a study's definition."""
    return gate.read(path, "study").decode("utf-8", errors="replace")


def kind_of(path: Path) -> Kind | None:
    """Return whether a folder holds a study or a run; None if neither."""
    if paths.is_file(path / STUDY):
        return "study"
    return "run" if paths.is_file(path / "recipe.toml") else None


def known_folders() -> list[Path]:
    """Return the folders of all known studies and runs, newest first, archived ones included."""
    created = {path: _created(path) for path in _candidates() if kind_of(path) is not None}
    return sorted(created, key=lambda path: (-created[path], path.name))


def remember(path: Path) -> None:
    """Add a folder anywhere on the disk to the known ones."""
    if kind_of(path) is None:
        raise FileError(
            f"{path} holds no study and no run: expected a folder with study.toml or recipe.toml"
        )
    path = paths.resolved(path)
    if path.parent in map(paths.resolved, (runs_folder(), archive_folder())):
        return
    others = [other for other in _opened() if other != path]
    names = [str(other) for other in [path, *others][:_MAX_OPENED]]
    paths.write_text(runs_folder() / _OPENED, json.dumps(names, indent=1) + "\n")


def unused_folder(name: str) -> Path:
    """Return a folder named after ``name`` that does not exist yet, numbered if necessary."""
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-.") or "study"
    unused = runs_folder() / plain
    number = 2
    while unused.exists():
        unused = runs_folder() / f"{plain}-{number}"
        number += 1
    return unused


def _candidates() -> Iterator[Path]:
    for folder in (runs_folder(), archive_folder()):
        with contextlib.suppress(OSError):  # the folder does not exist yet
            yield from [path for path in folder.iterdir() if path.is_dir()]
    yield from _opened()


def _opened() -> list[Path]:
    try:
        names = gate.parse_json(gate.read(runs_folder() / _OPENED, "study list"))
    except (FileError, DataError):
        return []
    return (
        [Path(name) for name in names if isinstance(name, str)] if isinstance(names, list) else []
    )


def _created(path: Path) -> float:
    """Return the time of creation: that of the definition, which never changes."""
    for name in (STUDY, "recipe.toml"):
        with contextlib.suppress(OSError):
            return (path / name).stat().st_mtime
    return 0.0
