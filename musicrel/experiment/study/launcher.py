"""Starting studies in separate processes, and requests to them.

Such a process outlives the one that started it, and receives requests through its folder.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from musicrel.errors import FileError
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.study import study_folder


def launch(
    folder: Path, device: str, program: Sequence[str] = child_process.PROGRAM
) -> subprocess.Popen[bytes] | None:
    """Start a process for a study or run that is queued, stopped or interrupted."""
    if not folder.is_dir():
        raise FileError(f"the folder {folder} was deleted: there is nothing to resume")
    if folder_lock.writer(folder) is not None:
        return None
    for run in _running(folder):  # survived the process of its study, possibly paused
        run_control.send_request(run, "resume")
    try:
        process = child_process.start(folder, (*_runner(folder), "--device", device), program)
    except OSError as reason:
        raise FileError(f"cannot resume {folder}: {reason.strerror or reason}") from reason
    child_process.detach(process)
    return process


def send_request(folder: Path, request: run_control.Request) -> None:
    """Send a request to a study.

    Its runs receive it, too, if the study's own process has died; ``cancel`` in any case, since
    the study would let them save first.
    """
    if not folder.is_dir():
        raise FileError(f"the folder {folder} was deleted: cannot {request} the study in it")
    orphaned = folder_lock.writer(folder) is None
    for run in _running(folder):
        if orphaned or request == "cancel":
            run_control.send_request(run, request)
    run_control.send_request(folder, request)


def discard(folder: Path) -> None:
    """Delete the folder of a study that was never started."""
    started = [path for path in folder.rglob("*") if path.name in ("events.jsonl", "result.json")]
    if study_folder.kind_of(folder) != "study" or started or folder_lock.writer(folder) is not None:
        raise FileError(f"the study in {folder} has started meanwhile: it is not deleted")
    try:
        shutil.rmtree(folder)
    except OSError as reason:
        raise FileError(f"cannot delete {folder}: {reason.strerror or reason}") from reason


def _runner(folder: Path) -> tuple[str, ...]:
    """Return the options that ask for the runner of a study; none for a run alone."""
    is_study = study_folder.kind_of(folder) == "study"
    return runner_choice.read(folder).options if is_study else ()


def _running(folder: Path) -> list[Path]:
    """Return the folders of a study's runs that have a living process."""
    runs = [run for run in sorted((folder / "runs").glob("*")) if not run.is_symlink()]
    return [run for run in runs if folder_lock.writer(run) is not None]
