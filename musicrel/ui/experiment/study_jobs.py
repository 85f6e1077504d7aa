"""Jobs of the Experiment page, to be run in worker threads.

One job, ``watch``, runs while the app is open: it watches the folders of all studies, starts their
processes and sends them requests. torch is imported only within these jobs.
"""

from __future__ import annotations

import queue
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from musicrel.errors import MusicrelError, UsageError
from musicrel.experiment.runners import ray_cluster, runner_choice
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import child_process
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.study_folder import MovedStudy
from musicrel.jobs import Job
from musicrel.presentation.study import study_text
from musicrel.presentation.study.study_text import Entry

if TYPE_CHECKING:
    from musicrel.experiment.study.definition import Definition
    from musicrel.experiment.study.estimate import Speed
    from musicrel.experiment.study.study_watch import StudyStatus, StudyWatch
    from musicrel.presentation.study.blocks import Report

_NOTHING_TRAINED: Final = "the study trains no models: its report is report.md in its folder"
_NOT_CHECKED: Final = "the study has not been checked yet: wait a moment"
_THE_STUDY: Final = "the study"

REPORT_SAVED: Final = "Saved the report as {name} in {folder}"
NO_STUDIES: Final = (
    "This light package of musicrel does not include torch: it writes, rewrites, harmonises, "
    "plays, shows and exports. The full package adds the training and comparison of models, the "
    "attention of infilling models, the diagnosis of models, GPUs, and models with layers other "
    "than the bundled ones."
)
_POLL_SECONDS: Final = 0.15
_LIST_SECONDS: Final = 1.0
"""From one look for new studies to the next."""
_RUN_SECONDS: Final = 0.003
"""Time that reading and showing a run takes: a study of many runs is looked at less often."""
_EDITED: Final = "as edited"
_STUDY: Final = f"study {_EDITED}"
_PREFIXES: Final = (f"{_STUDY}: ", f"{_STUDY}, ")


WatchEvent: TypeAlias = "tuple[Entry, ...] | StudyStatus | MovedStudy | str | None"
"""All known studies, the status of the shown one, a study that was moved, why a command failed, or
nothing: at intervals, so that the job can be cancelled."""
Command: TypeAlias = Callable[[], object]


class StudyService:
    def __init__(
        self,
        program: tuple[str, ...] = child_process.PROGRAM,
        device: Callable[[], str] = lambda: "auto",
    ) -> None:
        self._folder: Path | None = None
        self._choices = 0
        self.schemes: tuple[tuple[str, str], ...] = ()
        """Name and summary of every positional scheme; known after the first ``check``."""
        self._program, self._device = program, device
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._speeds: dict[Path, Speed] = {}
        self._checked: Definition | None = None
        self._started: dict[Path, subprocess.Popen[bytes]] = {}

    @property
    def folder(self) -> Path | None:
        """Return the folder of the study that is shown; its status is emitted after each choice."""
        return self._folder

    @folder.setter
    def folder(self, folder: Path | None) -> None:
        self._folder = folder
        self._choices += 1  # last: the watching thread reads it first

    # ------------------------------------------------------------------ commands

    def start_process(self, folder: Path) -> None:
        self.do(partial(self._start, folder))

    def do(self, command: Command) -> None:
        """Carry out a command in the thread that watches."""
        self._commands.put(command)

    @staticmethod
    def no_cluster() -> str:
        """Return why no study can be run on a cluster from here; "" if it can."""
        return "" if ray_cluster.is_installed() else study_text.NO_RAY

    # ------------------------------------------------------------------ jobs

    def watch(self) -> Job[WatchEvent, None]:
        """Watch all studies and carry out commands until the job is closed."""
        from musicrel.experiment.study.study_watch import StudyWatch

        watcher: StudyWatch | None = None
        emitted, choices = None, 0
        listed: tuple[Entry, ...] | None = None
        next_list = next_look = 0.0
        while True:
            yield from self.do_commands()
            if time.monotonic() >= next_list:
                found = _known()
                next_list = time.monotonic() + _LIST_SECONDS
                if found != listed:
                    listed = found
                    yield found
            if choices != self._choices:
                choices, emitted, next_look = self._choices, None, 0.0
                watcher = StudyWatch(folder) if (folder := self.folder) is not None else None
            if watcher is not None and time.monotonic() >= next_look:
                status = watcher.poll()
                next_look = time.monotonic() + _RUN_SECONDS * len(status.runs)
                if status is not emitted:
                    emitted = status
                    yield status
            yield None
            time.sleep(_POLL_SECONDS)

    def check(self, text: str) -> Job[None, str]:
        """Check a study; return its runs and estimated costs."""
        from musicrel.experiment.study import definition, estimate
        from musicrel.experiment.study.study import Study
        from musicrel.model.positions.table import SCHEMES

        yield
        self.schemes = tuple((scheme.key, scheme.summary) for scheme in SCHEMES.values())
        try:
            edited = definition.parse(text, _EDITED)
        except MusicrelError as reason:
            raise UsageError(_bare(str(reason))) from reason
        self._checked = edited
        if not isinstance(edited, Study):
            return study_text.timing_plan(len(edited.rows), edited.arms)
        self._speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        seconds = estimate.seconds(edited, self._speeds.values())
        arms = [(arm.name, arm.parameters, arm.excess) for arm in edited.arms]
        return study_text.plan(len(edited.runs), arms, seconds, len(edited.trials))

    def time_templates(self, files: Sequence[Path]) -> Job[tuple[Path, str], None]:
        from musicrel.experiment.study import definition, estimate
        from musicrel.experiment.study.study import Study

        speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        for path in files:
            try:
                template = definition.load(str(path))
            except MusicrelError:
                yield path, study_text.UNREADABLE
                continue
            seconds, trains = None, isinstance(template, Study)
            if isinstance(template, Study):
                seconds = estimate.seconds(template, speeds.values())
            yield path, study_text.template_time(seconds, trains=trains)

    def prepare(self, runner: RunnerChoice) -> Job[None, Path]:
        """Create the folder of the study that was checked last, with all its runs queued."""
        from musicrel.experiment.study import compare, definition
        from musicrel.experiment.study.study import Study

        yield
        study = self._checked
        if study is None:
            raise UsageError(_NOT_CHECKED)
        if isinstance(study, Study):
            yield from compare.check_data(study)
        folder = study_folder.unused_folder(study.name)
        definition.create(folder, study)
        runner_choice.write(folder, runner)
        return folder

    def inspect(self, folder: Path) -> Job[object, str]:
        from musicrel.experiment.data import folder_dataset

        pieces = yield from folder_dataset.read(folder)
        return pieces.report()

    def read_report(self, folder: Path) -> Job[None, Report]:
        from musicrel.experiment.study import definition, results
        from musicrel.experiment.study.study import Study
        from musicrel.presentation.study import study_report

        yield
        study = definition.read(folder)
        if not isinstance(study, Study):
            raise UsageError(_NOTHING_TRAINED)
        return study_report.read(results.collect(study, folder))

    # ------------------------------------------------------------------ inside

    def _start(self, folder: Path) -> None:
        before = self._started.get(folder)
        if before is None or before.poll() is not None:
            process = study_folder.launch(folder, self._device(), self._program)
            if process is not None:
                self._started[folder] = process

    def do_commands(self) -> list[MovedStudy | str]:
        """Carry out the queued commands; return those that failed, and the studies moved."""
        events: list[MovedStudy | str] = []
        while not self._commands.empty():
            try:
                found = self._commands.get()()
            except (MusicrelError, OSError) as reason:
                events.append(str(reason))
            else:
                events += [found] if isinstance(found, MovedStudy) else []
        return events


def _known() -> tuple[Entry, ...]:
    from musicrel.experiment.study.study_watch import state

    kinds = {folder: study_folder.kind_of(folder) for folder in study_folder.known_folders()}
    return tuple(
        Entry(
            folder=folder,
            kind=kind,
            state=state(folder, kind),
            archived=study_folder.is_archived(folder),
        )
        for folder, kind in kinds.items()
        if kind is not None
    )


def _bare(sentence: str) -> str:
    """Return an error without the placeholder of the file name."""
    for prefix in _PREFIXES:
        sentence = sentence.removeprefix(prefix)
    return sentence.replace(_STUDY, _THE_STUDY)
