"""Studies and runs that are renamed, archived or deleted; each of these can be undone.

Archived ones are in ``archive/studies`` of the user's data folder, deleted ones in the trash. The
name of a study is that of its folder; its definition never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from musicrel import file_names, folder_moves
from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs import folder_lock
from musicrel.experiment.study import study_folder

_MARKS: Final = {"study": study_folder.STUDY, "run": "recipe.toml"}


@dataclass(frozen=True, slots=True)
class MovedStudy:
    origin: Path
    folder: Path


def trash() -> Path:
    """Return the folder of deleted studies, which need not exist."""
    return folder_moves.trash("studies")


def rename(folder: Path, name: str) -> MovedStudy:
    """Give a study another name."""
    if not name.strip() or file_names.valid(name) != name.strip():
        raise UsageError(
            f"{name!r} is no name for a folder: expected letters, digits, spaces, dots and dashes"
        )
    target = folder.with_name(name.strip())
    if target == folder:
        return MovedStudy(folder, folder)
    if target.exists():
        raise UsageError(f"there is a study {target.name} already: choose another name")
    return _moved(folder, target)


def archive(folder: Path) -> MovedStudy:
    return _moved(folder, folder_moves.free(study_folder.archive_folder(), folder.name))


def unarchive(folder: Path) -> MovedStudy:
    return _moved(folder, folder_moves.free(study_folder.runs_folder(), folder.name))


def delete(folder: Path) -> MovedStudy:
    return _moved(folder, folder_moves.free(trash(), folder.name))


def restore(moved: MovedStudy) -> MovedStudy:
    return _moved(moved.folder, folder_moves.free(moved.origin.parent, moved.origin.name))


def _moved(folder: Path, target: Path) -> MovedStudy:
    kind = study_folder.kind_of(folder)
    if kind is None:
        raise FileError(f"the folder {folder} was deleted, or no longer holds a study")
    runs = [folder, *(folder / "runs").glob("*")]
    if any(folder_lock.writer(run) is not None for run in runs):
        raise FileError(f"the study {folder.name} is running: stop it first")
    found = folder_moves.moved(folder, target, _MARKS[kind])
    if target.parent not in (study_folder.runs_folder(), study_folder.archive_folder(), trash()):
        study_folder.remember(found)
    return MovedStudy(folder, found)


ACTIONS: Final[Mapping[str, Callable[[Path, str], MovedStudy]]] = {
    "rename": rename,
    "archive": lambda folder, _: archive(folder),
    "unarchive": lambda folder, _: unarchive(folder),
    "delete": lambda folder, _: delete(folder),
}
"""The actions by name; the text is the new name of a renamed study."""
