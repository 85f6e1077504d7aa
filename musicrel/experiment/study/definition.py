"""The definition of a study of either kind, in a TOML file or in the folder of the study.

``study`` trains models, ``memory_study`` measures layers. In the folder, ``study.toml`` holds the
definition, which never changes, and ``study.json`` the format of the folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs import run_folder
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.runs.run_control import RunControl, combined
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import memory_study, study, study_folder
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.jobs import Control

Definition: TypeAlias = Study | MemoryStudy

ABOUT: Final = "study.json"
FORMATS: Final = {"musicrel-study": 1, "musicrel-memory": 1}


def parse(text: str, where: str) -> Definition:
    tables = recipe.parse_toml(text, f"study {where}")
    if tables.get("kind") == memory_study.KIND:
        return memory_study.from_tables(tables, text, f"study {where}")
    return study.from_tables(tables, text, f"study {where}")


def load(name_or_file: str) -> Definition:
    path = study_folder.find(name_or_file)
    return parse(study_folder.text(path), path.name)


def read(folder: Path) -> Definition:
    return parse(_text(folder), study_folder.STUDY)


def create(folder: Path, queued: Definition) -> None:
    kind = study_folder.kind_of(folder)
    if kind is not None:
        raise UsageError(
            f"{folder} already holds a {kind}: resume it with --resume, or choose another --out"
        )
    paths.require_own_files(folder)
    name = list(FORMATS)[isinstance(queued, MemoryStudy)]
    about = f'{{"format": "{name}", "version": {FORMATS[name]}}}\n'
    paths.write_text(folder / ABOUT, about)
    paths.write_text(folder / study_folder.STUDY, queued.text)
    if isinstance(queued, Study):
        create_runs(folder, queued.trials or queued.runs)


@contextmanager
def opened(
    study_: Definition, folder: Path, *, resume: bool, control: Control, since: int | None
) -> Iterator[tuple[EventLog, Control]]:
    """Create or check the folder of a study and lock it; yield its log and its control."""
    if resume:
        check_same(study_, folder)
    else:
        create(folder, study_)
    controls = combined(RunControl(folder, since).command, control)
    with writer_lock(folder):
        log = EventLog(folder / "events.jsonl")
        log.repair()
        yield log, controls


def create_runs(folder: Path, queued: Iterable[PlannedRun]) -> None:
    """Create the folders of those runs of the study in ``folder`` that have none yet."""
    for planned in queued:
        run = RunFolder(folder / planned.folder)
        if study_folder.kind_of(run.path) is None:
            run.create(planned.recipe.to_toml())


def check_version(folder: Path) -> None:
    run_folder.check_version(folder / ABOUT, FORMATS)


def check_same(wanted: Definition, folder: Path) -> None:
    """Check that ``folder`` holds the study ``wanted``, possibly in other words."""
    text = _text(folder)
    present = wanted if text == wanted.text else parse(text, study_folder.STUDY)
    if wanted != present:
        raise UsageError(
            f"{folder} holds the study {present.name!r} with other values than {wanted.name!r} has "
            "now: leave --study out to use its own, or choose another --out"
        )


def _text(folder: Path) -> str:
    if study_folder.kind_of(folder) != "study":
        raise UsageError(f"{folder} holds no study: expected a folder with study.toml and runs")
    check_version(folder)
    return study_folder.text(folder / study_folder.STUDY)
