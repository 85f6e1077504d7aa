"""Steers studies from outside: lets them begin or go on, and passes wishes to whoever is at work.

A study is carried out by a process of its own, which outlives whoever started it; all that is said
to it goes through its folder. This file knows processes and folders; it knows nothing of windows.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from musicrel.errors import FileError
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.study_folder import Kind


def go_on(
    folder: Path, kind: Kind, device: str, program: Sequence[str] = child_process.PROGRAM
) -> subprocess.Popen[bytes] | None:
    """Start a process for a study that waits, was stopped or was interrupted.

    Args:
        folder: of the study or run.
        kind: which of them.
        device: as ``--device`` takes it.
        program: the words that call musicrel.

    Returns:
        The process, which does not have its lock yet; None where one is at work already.

    Raises:
        FileError: the folder is gone or cannot be written.
    """
    if not folder.is_dir():
        raise FileError(f"the folder {folder} is gone: there is nothing to go on with")
    if folder_lock.writer(folder) is not None:
        return None
    for run in _at_work(folder):  # it survived its study, perhaps holding
        run_control.ask(run, "resume")
    words = ["compare", "--resume"]
    if kind == "run":
        words = ["train", "--resume", "--recipe", str(folder / "recipe.toml")]
    words += ["--out", str(folder), "--since", str(run_control.length(folder)), "--device", device]
    try:
        process = child_process.start(words, folder / child_process.LOG, program)
    except OSError as reason:
        raise FileError(f"cannot go on in {folder}: {reason.strerror or reason}") from reason
    child_process.leave(process)
    return process


def ask(folder: Path, request: run_control.Request) -> None:
    """Ask a study to pause, resume, stop or cancel.

    Its runs are asked, too, where the study's own process is dead; and to cancel in any case, since
    the study would let them save first.

    Raises:
        FileError: the folder is gone or cannot be written.
    """
    if not folder.is_dir():
        raise FileError(f"the folder {folder} is gone: nothing can be asked of the study in it")
    alone = folder_lock.writer(folder) is None
    for run in _at_work(folder):
        if alone or request == "cancel":
            run_control.ask(run, request)
    run_control.ask(folder, request)


def discard(folder: Path) -> None:
    """Delete the folder of a study that nobody has begun.

    Raises:
        FileError: it has begun meanwhile, or cannot be deleted.
    """
    begun = [path for path in folder.rglob("*") if path.name in ("events.jsonl", "result.json")]
    if study_folder.kind(folder) != "study" or begun or folder_lock.writer(folder) is not None:
        raise FileError(f"the study in {folder} has begun meanwhile: it is not taken back")
    try:
        shutil.rmtree(folder)
    except OSError as reason:
        raise FileError(f"cannot delete {folder}: {reason.strerror or reason}") from reason


def _at_work(folder: Path) -> list[Path]:
    """The runs of a study that have a living process."""
    runs = sorted((folder / "runs").glob("*"))
    return [run for run in runs if folder_lock.writer(run) is not None]
