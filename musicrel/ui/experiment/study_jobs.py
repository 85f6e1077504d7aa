"""Jobs of the Experiment page, to be run in worker threads.

One job, ``watch``, runs while the app is open: it watches the folders of all studies, starts their
processes and sends them requests. torch is imported only within these jobs.
"""

from __future__ import annotations

import queue
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from musicrel import paths
from musicrel.errors import MusicrelError
from musicrel.experiment.runs import child_process, run_control
from musicrel.experiment.study import launcher, study_folder
from musicrel.experiment.study.study_folder import Kind
from musicrel.experiment.training import install_model
from musicrel.jobs import Job

if TYPE_CHECKING:
    from musicrel.experiment.study.estimate import Speed
    from musicrel.experiment.study.run_watch import RunStatus
    from musicrel.experiment.study.study_watch import State, StudyStatus

_PAUSE: Final = 0.15
_SECONDS_BETWEEN_LISTS: Final = 1.0
_MAX_TEXT_BYTES: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownStudy:
    """A study, or a single run, in the list.

    Attributes:
        folder: its folder.
        kind: a study, or a single run.
        state: its state.
    """

    folder: Path
    kind: Kind
    state: State


@dataclass(frozen=True, slots=True)
class StudiesChanged:
    """All known studies, the newest first; emitted when one of them has changed."""

    studies: tuple[KnownStudy, ...]


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The status of the study that is shown; emitted when it has changed."""

    study: StudyStatus


@dataclass(frozen=True, slots=True)
class CommandFailed:
    """A command that failed, and the reason as one sentence."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Idle:
    """No change; emitted at intervals so that the job can be cancelled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCheck:
    """The validation of an edited study, with its estimated costs.

    Attributes:
        problem: the error as one sentence; "" if the study is valid.
        runs: number of runs.
        rows: number of measurements and the arms of a study without training; None if it trains.
        arms: name, parameters and excess over the first arm of each.
        seconds: estimated training time; None if no run of this size is known.
    """

    problem: str = ""
    runs: int = 0
    rows: tuple[int, tuple[str, ...]] | None = None
    arms: tuple[tuple[str, int, int], ...] = ()
    seconds: float | None = None


WatchEvent: TypeAlias = StudiesChanged | StatusChanged | CommandFailed | Idle
Command: TypeAlias = Callable[[], object]


class StudyService:
    """A service that watches and controls studies; thread-safe.

    Args:
        program: the command that runs musicrel.
        device: returns the training device, as ``--device`` takes it.
    """

    def __init__(
        self,
        program: tuple[str, ...] = child_process.PROGRAM,
        device: Callable[[], str] = lambda: "auto",
    ) -> None:
        self.folder: Path | None = None
        """The folder of the study that is shown."""
        self.schemes: tuple[tuple[str, str], ...] = ()
        """Name and summary of every positional scheme; known after the first ``check``."""
        self._program, self._device = program, device
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._speeds: dict[Path, Speed] = {}
        self._started: dict[Path, subprocess.Popen[bytes]] = {}

    # ------------------------------------------------------------------ commands

    def start_process(self, folder: Path, kind: Kind) -> None:
        """Start the process of a study that is queued, stopped or interrupted."""
        self._commands.put(lambda: self._start(folder, kind))

    def send_request(self, folder: Path, request: run_control.Request) -> None:
        """Request the process of a study to pause, resume, stop or cancel."""
        self._commands.put(lambda: launcher.send_request(folder, request))

    def remember(self, folder: Path) -> None:
        """Add a folder to the known studies."""
        self._commands.put(lambda: study_folder.remember(folder))

    def discard(self, folder: Path) -> None:
        """Remove a study from the queue."""
        self._commands.put(lambda: launcher.discard(folder))

    # ------------------------------------------------------------------ jobs

    def watch(self) -> Job[WatchEvent, None]:
        """Watch all studies and carry out commands until the job is closed."""
        from musicrel.experiment.study.study_watch import StudyWatch

        watcher: StudyWatch | None = None
        folder: Path | None = None
        emitted: object = None
        listed: tuple[KnownStudy, ...] | None = None
        next_list = 0.0
        while True:
            done = self.do_commands()
            yield from done
            now = time.monotonic()
            if now >= next_list:
                found = _known()
                next_list = time.monotonic() + _SECONDS_BETWEEN_LISTS
                if found != listed:
                    listed = found
                    yield StudiesChanged(found)
            if folder != self.folder:
                folder, emitted = self.folder, None
                watcher = StudyWatch(folder) if folder is not None else None
            if watcher is not None and (status := watcher.poll()) is not emitted:
                emitted = status
                yield StatusChanged(status)
            yield Idle()
            time.sleep(_PAUSE)

    def check(self, text: str) -> Job[None, StudyCheck]:
        """Validate the text of a study and estimate its costs."""
        from musicrel.experiment.study import estimate, memory_study, study
        from musicrel.model.positions.table import SCHEMES

        yield
        self.schemes = tuple((scheme.key, scheme.summary) for scheme in SCHEMES.values())
        try:
            measured = memory_study.parse(text, "as edited")
            if measured is not None:
                return StudyCheck(rows=(len(measured.rows), measured.arms))
            edited = study.parse(text, "as edited")
        except MusicrelError as reason:
            return StudyCheck(problem=_bare(str(reason)))
        self._speeds = estimate.known_speeds(study_folder.known_folders(), self._speeds)
        return StudyCheck(
            runs=len(edited.runs),
            arms=tuple((arm.name, arm.parameters, arm.excess) for arm in edited.arms),
            seconds=estimate.seconds(edited, self._speeds.values()),
        )

    def prepare(self, text: str) -> Job[None, Path]:
        """Create the folder of a study with all its runs queued.

        Returns:
            The folder.

        Raises:
            MusicrelError: a value is invalid, the data are missing, or the folder cannot be
                written.
        """
        from musicrel.experiment.study import compare, layer_costs, memory_study, results, study

        yield
        measured = memory_study.parse(text, "as edited")
        if measured is not None:
            folder = study_folder.unused_folder(measured.name)
            layer_costs.create(folder, measured)
            return folder
        edited = study.parse(text, "as edited")
        yield from compare.check_data(edited)
        folder = study_folder.unused_folder(edited.name)
        results.create(folder, edited)
        return folder

    def inspect(self, folder: Path) -> Job[int, str]:
        """Read a folder of the user's pieces.

        Yields:
            The number of files read so far.

        Returns:
            The report: accepted and rejected files.
        """
        from musicrel.experiment.data import folder_dataset

        job = folder_dataset.read(folder)
        count = 0
        while True:
            try:
                next(job)
            except StopIteration as end:
                return str(end.value.report())
            count += 1
            yield count

    def install(self, run: RunStatus, name: str) -> Job[None, str]:
        """Copy the model of a run to the installed models.

        Returns:
            The name under which it is installed.

        Raises:
            FileError: it cannot be read or written.
        """
        yield
        return install_model.install(run.folder / "model", name)

    # ------------------------------------------------------------------ inside

    def _start(self, folder: Path, kind: Kind) -> None:
        """Start a process unless the previous one has not yet acquired its lock."""
        before = self._started.get(folder)
        if before is None or before.poll() is not None:
            process = launcher.launch(folder, kind, self._device(), self._program)
            if process is not None:
                self._started[folder] = process

    def do_commands(self) -> list[CommandFailed]:
        """Carry out the queued commands; return those that failed."""
        failed: list[CommandFailed] = []
        while not self._commands.empty():
            try:
                self._commands.get()()
            except (MusicrelError, OSError) as reason:
                failed.append(CommandFailed(str(reason)))
        return failed


def template(path: Path) -> str:
    """Return the text of a study file.

    Raises:
        FileError: it cannot be read.
    """
    return paths.read_bytes(path, limit=_MAX_TEXT_BYTES).decode("utf-8", errors="replace")


def _known() -> tuple[KnownStudy, ...]:
    from musicrel.experiment.study.study_watch import state

    found = []
    for folder in study_folder.known_folders():
        kind = study_folder.kind_of(folder)
        if kind is not None:
            found.append(KnownStudy(folder=folder, kind=kind, state=state(folder, kind)))
    return tuple(found)


def _bare(sentence: str) -> str:
    """Return an error without the placeholder of the file name."""
    for prefix in ("study as edited: ", "study as edited, "):
        sentence = sentence.removeprefix(prefix)
    return sentence.replace("study as edited", "the study")
