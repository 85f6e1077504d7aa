"""Jobs of the Experiment page, to be run in worker threads.

One job, ``watch``, runs while the app is open: it watches the folders of all studies, starts their
processes and sends them requests. torch is imported only within these jobs.
"""

from __future__ import annotations

import queue
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from musicrel import jobs
from musicrel.errors import MusicrelError, UsageError
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import child_process
from musicrel.experiment.study import study_folder, study_text
from musicrel.experiment.study.study_folder import MovedStudy
from musicrel.jobs import Job
from musicrel.language import english, tr
from musicrel.model import device_choice
from musicrel.model.device_choice import Measurement
from musicrel.presentation.compose import models
from musicrel.settings import AUTO

if TYPE_CHECKING:
    from musicrel.experiment.study.blocks import Report
    from musicrel.experiment.study.definition import Definition
    from musicrel.experiment.study.estimate import Speed
    from musicrel.experiment.study.study_status import StudyStatus
    from musicrel.experiment.study.study_watch import StudyWatch

_NOTHING_TRAINED: Final = tr("the study trains no models: its report is report.md in its folder")
_THE_STUDY: Final = tr("the study")
_POLL_SECONDS: Final = 0.15
_LIST_SECONDS: Final = 1.0
"""From one look for new studies to the next."""
_RUN_SECONDS: Final = 0.003
"""Time that reading and showing a run takes: a study of many runs is looked at less often."""
_EDITED: Final = "as edited"
_STUDY: Final = f"study {_EDITED}"

WatchEvent: TypeAlias = (
    "tuple[StudyStatus, ...] | StudyStatus | MovedStudy | Measurement | str | None"
)
"""All known studies, the status of the shown one, a study that was moved, a device that is measured
before a study starts, why a command failed, or nothing: at intervals, so that the job can be
cancelled."""


class StudyService:
    def __init__(
        self,
        program: tuple[str, ...] = child_process.PROGRAM,
        device: Callable[[], str] = lambda: "auto",
    ) -> None:
        self.schemes: tuple[tuple[str, str], ...] = ()
        """Name and summary of every positional scheme; known after the first ``check``."""
        self._program, self._device = program, device
        self._commands: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._speeds: dict[Path, Speed] = {}
        self._started: dict[Path, subprocess.Popen[bytes]] = {}
        self._watch: StudyWatch | None = None  # of the study that is shown
        self._emitted: StudyStatus | None = None
        self._next_look = 0.0

    def do(self, command: Callable[[], object]) -> None:
        """Carry out a command in the thread that watches."""
        self._commands.put(command)

    def start_process(self, folder: Path) -> None:
        self.do(partial(self._start, folder))

    def show(self, folder: Path | None) -> None:
        """Watch another study, or none; its status is emitted, even if it was shown before."""
        self.do(partial(self._show, folder))

    def watch(self) -> Job[WatchEvent, None]:
        """Watch all studies and carry out commands until the job is closed."""
        from musicrel.experiment.study import study_watch

        listed: tuple[StudyStatus, ...] | None = None
        next_list = 0.0
        while True:
            yield from self.do_commands()
            if time.monotonic() >= next_list:
                found = study_watch.known()
                next_list = time.monotonic() + _LIST_SECONDS
                if found != listed:
                    listed = found
                    yield found
            if self._watch is not None and time.monotonic() >= self._next_look:
                status = self._watch.poll()
                self._next_look = time.monotonic() + _RUN_SECONDS * len(status.runs)
                if status is not self._emitted:
                    self._emitted = status
                    yield status
            yield None
            time.sleep(_POLL_SECONDS)

    def do_commands(self) -> Job[WatchEvent, None]:
        """Carry out the queued commands; yield why one failed, and the studies moved."""
        while not self._commands.empty():
            try:
                found = self._commands.get()()
                if isinstance(found, Generator):
                    yield from found
            except (MusicrelError, OSError) as reason:
                yield str(reason)
            else:
                if isinstance(found, MovedStudy):
                    yield found

    def check(self, text: str) -> Job[None, tuple[Definition, str]]:
        """Check a study; return it, and its runs and estimated costs in words."""
        from musicrel.experiment.study import definition, estimate
        from musicrel.model.positions.table import SCHEMES

        yield
        self.schemes = tuple((scheme.key, scheme.summary) for scheme in SCHEMES.values())
        try:
            edited = definition.parse(text, _EDITED)
        except MusicrelError as reason:  # without the placeholder of the file name
            sentence = str(reason).removeprefix(f"{_STUDY}: ").removeprefix(f"{_STUDY}, ")
            raise UsageError(sentence.replace(_STUDY, _THE_STUDY)) from reason
        self._speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        return edited, estimate.plan(edited, self._speeds.values())

    def time_templates(self, files: Sequence[Path]) -> Job[tuple[Path, str], None]:
        from musicrel.experiment.study import definition, estimate

        speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        for path in files:
            try:
                text = estimate.on_card(definition.load(str(path)), speeds.values())
            except MusicrelError:
                text = study_text.UNREADABLE
            yield path, text

    def _start(self, folder: Path) -> Job[Measurement, None]:
        before = self._started.get(folder)
        if before is None or before.poll() is not None:
            device = self._device()
            if device == AUTO and runner_choice.read(folder).runner != runner_choice.RAY:
                yield from device_choice.choose(device, "training")  # measured, for the process
            process = study_folder.launch(folder, device, self._program)
            if process is not None:
                self._started[folder] = process

    def _show(self, folder: Path | None) -> None:
        from musicrel.experiment.study.study_watch import StudyWatch

        self._watch = None if folder is None else StudyWatch(folder)
        self._emitted, self._next_look = None, 0.0


def prepare(study: Definition, runner: RunnerChoice) -> Job[None, Path]:
    """Create the folder of a study, with all its runs queued."""
    from musicrel.experiment.study import compare, definition
    from musicrel.experiment.study.study import Study

    yield
    if isinstance(study, Study):
        yield from compare.check_data(study)
    folder = study_folder.unused_folder(study.name)
    definition.create(folder, study)
    runner_choice.write(folder, runner)
    return folder


def inspect(folder: Path) -> Job[object, tuple[str, str]]:
    """Read the pieces in a folder; return what can be used in sentences, and all exceptions."""
    from musicrel.experiment.data import folder_dataset

    pieces = yield from folder_dataset.read(folder)
    return pieces.summary(), "\n".join(pieces.remarks())


def read_pieces(folder: Path) -> Job[tuple[str, str], tuple[str, str]]:
    """Read the pieces in a folder; yields each file with what became of it.

    Returns what can be used in sentences, and why a model cannot be taught them, "" if it can.
    """
    from musicrel.experiment.data import dataset, folder_dataset

    found = yield from jobs.map_events(
        folder_dataset.read(folder), lambda file: (file.file, file.fate)
    )
    sizes = {split: len(pieces) for split, pieces in found.pieces.items()}
    return found.summary(), dataset.too_few(sizes)


def prepare_lesson(pieces: Path, name: str) -> Job[None, Path]:
    """Create the folder of a run that teaches the usual model the pieces of a folder."""
    from musicrel.experiment.runs.run_folder import RunFolder
    from musicrel.experiment.training import teaching

    yield
    folder = study_folder.unused_folder(name)
    source = f"folder:{pieces.absolute()}"
    plan = teaching.lesson(models.DEFAULTS[models.WRITE], source, folder.name)
    RunFolder(folder).create(plan.to_toml())
    return folder


def read_report(folder: Path) -> Job[None, Report]:
    from musicrel.experiment.study import definition, results, study_report
    from musicrel.experiment.study.study import Study

    yield
    study = definition.read(folder)
    if not isinstance(study, Study):
        raise UsageError(_NOTHING_TRAINED)
    with english():
        return study_report.read(results.collect(study, folder))
