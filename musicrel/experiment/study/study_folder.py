"""The folders of the user's studies and runs, what is done with them, and definitions of studies.

All folders in ``runs`` in the user's data folder are known, and folders elsewhere once they were
opened. The name of a study is that of its folder; its definition never changes.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Final, Literal

from musicrel import file_names, folder_moves, paths, untrusted
from musicrel.errors import DataError, FileError, UsageError
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model import catalogue
from musicrel.model.card import WEIGHTS

if TYPE_CHECKING:
    from musicrel.model.importing import ImportProgress

Kind = Literal["study", "run"]

STUDY: Final = "study.toml"
GONE: Final = tr("the folder {folder} was deleted, or no longer holds a study")

_OPENED: Final = "opened.json"
_MAX_OPENED: Final = 100
"""Folders elsewhere that are known; those opened longest ago are forgotten first."""


def runs_folder() -> Path:
    return paths.data() / "runs"


def archive_folder() -> Path:
    return paths.data() / "archive" / "studies"


def is_archived(path: Path) -> bool:
    return path.parent == archive_folder()


def templates() -> list[Path]:
    found: list[Path] = []
    for root in (paths.assets() / "studies", paths.data() / "studies"):
        if root.is_dir():
            found += sorted(root.rglob("*.toml"), key=lambda path: path.stem)
    return found


def bundled() -> list[str]:
    return sorted(path.stem for path in (paths.assets() / "studies").rglob("*.toml"))


def find(name_or_file: str) -> Path:
    """Return the path of a study's definition: a file, or the bundled study of that name."""
    root = paths.assets() / "studies"
    bundled_file = f"{name_or_file}.toml"
    for path in (Path(name_or_file), root / bundled_file, root / "untrained" / bundled_file):
        if paths.is_file(path):
            return path
    raise UsageError(
        tr(
            "no study {name!r}: expected a TOML file or one of {names}",
            name=name_or_file,
            names=", ".join(bundled()),
        )
    )


def text(path: Path) -> str:
    return untrusted.read(path, "study").decode("utf-8", errors="replace")


def kind_of(path: Path) -> Kind | None:
    if paths.is_file(path / STUDY):
        return "study"
    return "run" if paths.is_file(path / "recipe.toml") else None


def known_folders() -> list[Path]:
    """Return the folders of all known studies and runs, newest first, archived ones included."""
    found = [*_opened()]
    for folder in (runs_folder(), archive_folder()):
        with contextlib.suppress(OSError):  # the folder does not exist yet
            found += [path for path in folder.iterdir() if path.is_dir()]
    created = {path: _created(path) for path in found if kind_of(path) is not None}
    return sorted(created, key=lambda path: (-created[path], path.name))


def remember(path: Path) -> None:
    """Add a folder anywhere on the disk to the known ones."""
    if kind_of(path) is None:
        raise FileError(
            tr(
                "{path} holds no study and no run: expected a folder with study.toml or "
                "recipe.toml",
                path=path,
            )
        )
    path = paths.resolved(path)
    if path.parent in map(paths.resolved, (runs_folder(), archive_folder())):
        return
    others = [other for other in _opened() if other != path]
    names = [str(other) for other in [path, *others][:_MAX_OPENED]]
    paths.write_text(runs_folder() / _OPENED, json.dumps(names, indent=1) + "\n")


def unused_folder(name: str) -> Path:
    """Return a folder named after ``name`` that does not exist yet, numbered if necessary."""
    plain = file_names.valid(re.sub(r"[^\w.-]+", "-", name).strip("-."), "study")
    return folder_moves.free(runs_folder(), plain)


def _opened() -> list[Path]:
    try:
        names = untrusted.parse_json(untrusted.read(runs_folder() / _OPENED, "study list"))
    except (FileError, DataError):
        return []
    names = names if isinstance(names, list) else []
    return [Path(name) for name in names if isinstance(name, str)]


def _created(path: Path) -> float:
    """Return the time of creation: that of the definition, which never changes."""
    for name in (STUDY, "recipe.toml"):
        with contextlib.suppress(OSError):
            return (path / name).stat().st_mtime
    return 0.0


ShelfAction = Literal["rename", "archive", "unarchive", "delete", "restore"]


def launch(
    folder: Path, device: str, program: Sequence[str] = child_process.PROGRAM
) -> subprocess.Popen[bytes] | None:
    """Start a process for a study or run that is queued, stopped or interrupted."""
    if not folder.is_dir():
        raise FileError(
            tr("the folder {folder} was deleted: there is nothing to resume", folder=folder)
        )
    if folder_lock.writer(folder) is not None:
        return None
    for run in _running(folder):  # survived the process of its study, possibly paused
        run_control.send_request(run, "resume")
    options = runner_choice.read(folder).options if kind_of(folder) == "study" else ()
    with paths.explained(tr("resume {folder}", folder=folder)):
        process = child_process.start(folder, (*options, "--device", device), program)
    child_process.detach(process)
    return process


def send_request(folder: Path, request: run_control.Request) -> None:
    """Send a request to a study.

    Its runs receive it, too, if the study's own process has died; ``cancel`` in any case, since
    the study would let them save first.
    """
    if not folder.is_dir():
        forms: dict[run_control.Request, str] = {
            "pause": tr("the folder {folder} was deleted: cannot pause the study in it"),
            "resume": tr("the folder {folder} was deleted: cannot resume the study in it"),
            "stop": tr("the folder {folder} was deleted: cannot stop the study in it"),
            "cancel": tr("the folder {folder} was deleted: cannot cancel the study in it"),
        }
        raise FileError(forms[request].format(folder=folder))
    orphaned = folder_lock.writer(folder) is None
    for run in _running(folder):
        if orphaned or request == "cancel":
            run_control.send_request(run, request)
    run_control.send_request(folder, request)


def discard(folder: Path) -> None:
    started = [path for path in folder.rglob("*") if path.name in ("events.jsonl", "result.json")]
    if kind_of(folder) != "study" or started or folder_lock.writer(folder) is not None:
        raise FileError(
            tr("the study in {folder} has started meanwhile: it is not deleted", folder=folder)
        )
    with paths.explained(tr("delete {folder}", folder=folder)):
        shutil.rmtree(folder)


def _running(folder: Path) -> list[Path]:
    runs = [run for run in sorted((folder / "runs").glob("*")) if not run.is_symlink()]
    return [run for run in runs if folder_lock.writer(run) is not None]


def install(model: Path, name: str) -> Job[ImportProgress, str]:
    """Copy the model directory ``model`` to the user's models, unless it is there already.

    Args:
        name: name of the installed model; a number is appended if another model has it.
    """
    from musicrel.model import checkpoint, importing  # noqa: PLC0415  # the list needs none

    source = importing.inspect(model)
    name = name if PureWindowsPath(name).name == name else file_names.valid(name)
    digest, folder = checkpoint.weights_sha256(model), catalogue.user_models()
    for number in itertools.count(1):
        there = folder / (name if number == 1 else f"{name}-{number}")
        if number > 1 and not there.exists():
            break
        if (there / WEIGHTS).is_file() and checkpoint.weights_sha256(there) == digest:
            return there.name
    return (yield from importing.import_model(source, name, replaces=False)).name


@dataclass(frozen=True, slots=True)
class MovedStudy:
    action: ShelfAction
    origin: Path
    folder: Path


def trash() -> Path:
    return folder_moves.trash("studies")


def move(folder: Path, action: ShelfAction, name: str = "") -> MovedStudy:
    if action != "rename":
        roots = {"archive": archive_folder(), "delete": trash()}
        root = roots.get(action, runs_folder())
        return _moved(folder, folder_moves.free(root, folder.name), action)
    name = name.strip()
    if not name or file_names.valid(name) != name:
        raise UsageError(
            tr(
                "{name!r} is no name for a folder: expected letters, digits, spaces, dots and "
                "dashes",
                name=name,
            )
        )
    target = folder.with_name(name)
    if target != folder and target.exists():
        raise UsageError(
            tr("there is a study {name} already: choose another name", name=target.name)
        )
    return _moved(folder, target, action)


def restore(moved: MovedStudy) -> MovedStudy:
    target = folder_moves.free(moved.origin.parent, moved.origin.name)
    return _moved(moved.folder, target, "restore")


def _moved(folder: Path, target: Path, action: ShelfAction) -> MovedStudy:
    if target == folder:
        return MovedStudy(action, folder, folder)
    kind = kind_of(folder)
    if kind is None:
        raise FileError(GONE.format(folder=folder))
    runs = [folder, *(folder / "runs").glob("*")]
    if any(folder_lock.writer(run) is not None for run in runs):
        raise FileError(tr("the study {name} is running: stop it first", name=folder.name))
    found = folder_moves.moved(folder, target, STUDY if kind == "study" else "recipe.toml")
    if target.parent not in (runs_folder(), archive_folder(), trash()):
        remember(found)
    return MovedStudy(action, folder, found)
