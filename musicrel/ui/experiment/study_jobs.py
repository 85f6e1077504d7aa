"""Jobs of the Experiment page, to be run in worker threads.

One job, ``watch``, runs while the app is open: it watches the folders of all studies, starts their
processes and sends them requests. torch is imported only within these jobs.
"""

from __future__ import annotations

import queue
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from musicrel import paths
from musicrel.errors import MusicrelError, UsageError
from musicrel.experiment.runners import ray_cluster, runner_choice
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import child_process, run_control
from musicrel.experiment.study import launcher, study_folder, study_shelf
from musicrel.experiment.training import install_model
from musicrel.jobs import Job
from musicrel.model import processor
from musicrel.presentation.study import runner_text, study_text
from musicrel.presentation.study.study_text import Entry

if TYPE_CHECKING:
    from musicrel.experiment.study.estimate import Speed
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.experiment.study.study_shelf import MovedStudy
    from musicrel.experiment.study.study_watch import StudyStatus, StudyWatch

ShelfAction = Literal["rename", "archive", "unarchive", "delete", "restore"]

REPORT_SAVED: Final = "Saved the report as {name} in {folder}"
NO_STUDIES: Final = (
    "This light package of musicrel goes without torch: it writes, rewrites, harmonises, plays, "
    "shows and exports. The full package adds the training and comparison of models, the attention "
    "of infilling models, the diagnosis of models, GPUs, and models with other layers than the "
    "bundled ones."
)
_NOTHING_TRAINED: Final = "the study trains no models: its report is report.md in its folder"
_PAUSE: Final = 0.15
_PAUSE_FOR_EACH_RUN: Final = 0.003
"""Seconds between two looks at a study: reading and showing many runs costs more."""
_SECONDS_BETWEEN_LISTS: Final = 1.0
_EDITED: Final = "as edited"
_STUDY: Final = f"study {_EDITED}"
_PREFIXES: Final = (f"{_STUDY}: ", f"{_STUDY}, ")
_THE_STUDY: Final = "the study"
"""Stands for the file name in errors of a study that has no file yet."""


@dataclass(frozen=True, slots=True)
class StudiesChanged:
    """All known studies, the newest first; emitted when one of them has changed."""

    studies: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The status of the study that is shown; emitted when it has changed."""

    study: StudyStatus


@dataclass(frozen=True, slots=True)
class CommandFailed:
    """A command that failed, and the reason as one sentence."""

    sentence: str


@dataclass(frozen=True, slots=True)
class StudyMoved:
    """A study was renamed, archived, deleted or put back."""

    action: ShelfAction
    moved: MovedStudy


@dataclass(frozen=True, slots=True)
class Idle:
    """No change; emitted at intervals so that the job can be cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCheck:
    """The validation of an edited study."""

    problem: str = ""  # the error as one sentence; "" if the study is valid
    plan: str = ""  # its runs and estimated costs; "" if it is not valid


@dataclass(frozen=True, slots=True)
class TemplateTime:
    """The expected time of a study to start from, in words."""

    path: Path
    text: str


WatchEvent: TypeAlias = StudiesChanged | StatusChanged | CommandFailed | StudyMoved | Idle
Command: TypeAlias = Callable[[], object]


class StudyService:
    """A service that watches and controls studies; thread-safe."""

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
        """Start the process of a study that is queued, stopped or interrupted."""
        self._commands.put(partial(self._start, folder))

    def send_request(self, folder: Path, request: run_control.Request) -> None:
        """Request the process of a study to pause, resume, stop or cancel."""
        self._commands.put(partial(launcher.send_request, folder, request))

    def remember(self, folder: Path) -> None:
        """Add a folder to the known studies."""
        self._commands.put(partial(study_folder.remember, folder))

    def choose_runner(self, folder: Path, chosen: RunnerChoice) -> None:
        """Choose the runner with which a study starts or resumes next time."""
        self._commands.put(partial(runner_choice.write, folder, chosen))

    @staticmethod
    def no_cluster() -> str:
        """Return why no study can be run on a cluster from here; "" if it can."""
        return "" if ray_cluster.is_installed() else runner_text.NO_RAY

    @staticmethod
    def no_studies() -> str:
        """Return why studies can be neither run nor read here; "" if they can."""
        return "" if processor.has_torch() else NO_STUDIES

    def discard(self, folder: Path) -> None:
        """Remove a study from the queue."""
        self._commands.put(partial(launcher.discard, folder))

    def move(self, folder: Path, action: ShelfAction, name: str = "") -> None:
        """Rename a study to ``name``, archive it or delete it; see ``study_shelf``."""
        self._commands.put(lambda: StudyMoved(action, study_shelf.ACTIONS[action](folder, name)))

    def restore(self, moved: MovedStudy) -> None:
        self._commands.put(lambda: StudyMoved("restore", study_shelf.restore(moved)))

    # ------------------------------------------------------------------ jobs

    def watch(self) -> Job[WatchEvent, None]:
        """Watch all studies and carry out commands until the job is closed."""
        from musicrel.experiment.study.study_watch import StudyWatch

        watcher: StudyWatch | None = None
        emitted: object = None
        choices = 0
        listed: tuple[Entry, ...] | None = None
        next_list = next_look = 0.0
        while True:
            yield from self.do_commands()
            if time.monotonic() >= next_list:
                found = _known()
                next_list = time.monotonic() + _SECONDS_BETWEEN_LISTS
                if found != listed:
                    listed = found
                    yield StudiesChanged(found)
            if choices != self._choices:
                choices, emitted, next_look = self._choices, None, 0.0
                watcher = StudyWatch(folder) if (folder := self.folder) is not None else None
            if watcher is not None and time.monotonic() >= next_look:
                status, next_look = _look(watcher)
                if status is not emitted:
                    emitted = status
                    yield StatusChanged(status)
            yield Idle()
            time.sleep(_PAUSE)

    def check(self, text: str) -> Job[None, StudyCheck]:
        """Validate the text of a study and estimate its costs."""
        from musicrel.experiment.study import definition, estimate
        from musicrel.experiment.study.study import Study
        from musicrel.model.positions.table import SCHEMES

        yield
        self.schemes = tuple((scheme.key, scheme.summary) for scheme in SCHEMES.values())
        try:
            edited = definition.parse(text, _EDITED)
        except MusicrelError as reason:
            return StudyCheck(problem=_bare(str(reason)))
        if not isinstance(edited, Study):
            return StudyCheck(plan=study_text.timing_plan(len(edited.rows), edited.arms))
        self._speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        seconds = estimate.seconds(edited, self._speeds.values())
        arms = [(arm.name, arm.parameters, arm.excess) for arm in edited.arms]
        return StudyCheck(plan=study_text.plan(len(edited.runs), arms, seconds, len(edited.trials)))

    def time_templates(self, files: Sequence[Path]) -> Job[TemplateTime, None]:
        """Estimate the time of each study to start from, by earlier runs on this computer."""
        from musicrel.experiment.study import definition, estimate
        from musicrel.experiment.study.study import Study

        speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        for path in files:
            try:
                template = definition.load(str(path))
            except MusicrelError:
                yield TemplateTime(path, study_text.UNREADABLE)
                continue
            seconds, trains = None, isinstance(template, Study)
            if isinstance(template, Study):
                seconds = estimate.seconds(template, speeds.values())
            yield TemplateTime(path, study_text.template_time(seconds, trains=trains))

    def prepare(self, text: str, runner: RunnerChoice | None = None) -> Job[None, Path]:
        """Create the folder of a study with all its runs queued.

        Args:
            runner: the runner it is to be started with; None: the default.
        """
        from musicrel.experiment.study import compare, definition
        from musicrel.experiment.study.study import Study

        yield
        edited = definition.parse(text, _EDITED)
        if isinstance(edited, Study):
            yield from compare.check_data(edited)
        folder = study_folder.unused_folder(edited.name)
        definition.create(folder, edited)
        runner_choice.write(folder, runner or RunnerChoice())
        return folder

    def inspect(self, folder: Path) -> Job[object, str]:
        """Read a folder of the user's pieces; yields after each file."""
        from musicrel.experiment.data import folder_dataset

        pieces = yield from folder_dataset.read(folder)
        return pieces.report()

    def install(self, run: RunStatus, name: str) -> Job[None, str]:
        """Copy the model of a run to the installed models."""
        yield
        return install_model.install(run.folder / "model", name)

    def save_report(self, folder: Path, path: Path) -> Job[None, str]:
        """Write the report of a study as HTML or as PDF, by the suffix of ``path``."""
        from musicrel.experiment.study import definition, results
        from musicrel.experiment.study.study import Study
        from musicrel.presentation.report import html, study_page
        from musicrel.ui.experiment import report_pdf

        yield
        study = definition.read(folder)
        if not isinstance(study, Study):
            raise UsageError(_NOTHING_TRAINED)
        report = study_page.read(folder, results.collect(study, folder))
        yield
        if path.suffix.lower() == report_pdf.SUFFIX:
            report_pdf.write(report, path)
        else:
            paths.write_text(path, html.to_html(report))
        return REPORT_SAVED.format(name=path.name, folder=path.parent)

    # ------------------------------------------------------------------ inside

    def _start(self, folder: Path) -> None:
        """Start a process unless the previous one has not yet acquired its lock."""
        before = self._started.get(folder)
        if before is None or before.poll() is not None:
            process = launcher.launch(folder, self._device(), self._program)
            if process is not None:
                self._started[folder] = process

    def do_commands(self) -> list[CommandFailed | StudyMoved]:
        """Carry out the queued commands; return those that failed, and the studies moved."""
        events: list[CommandFailed | StudyMoved] = []
        while not self._commands.empty():
            try:
                found = self._commands.get()()
            except (MusicrelError, OSError) as reason:
                events.append(CommandFailed(str(reason)))
            else:
                events += [found] if isinstance(found, StudyMoved) else []
        return events


def _look(watcher: StudyWatch) -> tuple[StudyStatus, float]:
    status = watcher.poll()
    return status, time.monotonic() + _PAUSE_FOR_EACH_RUN * len(status.runs)


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
