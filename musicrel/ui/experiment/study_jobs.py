"""What the Experiment place lets be done away from the window: jobs for a worker's thread.

One job, ``watch``, is at work while the app is open: it looks after the folders of all studies,
starts their processes and passes wishes on. torch is imported only within these jobs.

This file knows jobs and folders; it knows nothing of windows.
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
    from musicrel.experiment.study.run_watch import RunNow
    from musicrel.experiment.study.study_watch import State, StudyNow

_PAUSE: Final = 0.15
_SECONDS_BETWEEN_LISTS: Final = 1.0
_LARGEST_TEXT: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A study or run that is known.

    Attributes:
        folder: where it lies.
        kind: a study, or a run alone.
        state: how it stands.
    """

    folder: Path
    kind: Kind
    state: State


@dataclass(frozen=True, slots=True)
class Listed:
    """All that is known, the newest first; told when something in it has changed."""

    known: tuple[Known, ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """The study that is looked at, as it stands; told when it has changed."""

    study: StudyNow


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something that was asked could not be done, one sentence."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing new; told now and then, so that the job can be ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the engine says of a study that is about to be started.

    Attributes:
        problem: what is wrong with it, one sentence; "" where nothing is.
        runs: it would make.
        arms: name, parameters and excess over the first arm of each.
        seconds: it would learn for; None where nothing is known of its size.
        rows: it would measure where nothing is trained, and in which ways; None: it trains.
    """

    problem: str = ""
    runs: int = 0
    rows: tuple[int, tuple[str, ...]] | None = None
    arms: tuple[tuple[str, int, int], ...] = ()
    seconds: float | None = None


WatchEvent: TypeAlias = Listed | Looked | Trouble | Idle
Command: TypeAlias = Callable[[], object]


class Desk:
    """What the window wants looked at and done; may be used from any thread.

    Args:
        program: the words that call musicrel.
        device: tells where to learn, as ``--device`` takes it.
    """

    def __init__(
        self,
        program: tuple[str, ...] = child_process.PROGRAM,
        device: Callable[[], str] = lambda: "auto",
    ) -> None:
        self.folder: Path | None = None
        """The study that is looked at."""
        self.schemes: tuple[tuple[str, str], ...] = ()
        """Name of every positional scheme and what it does; known once a study was checked."""
        self._program, self._device = program, device
        self._commands: queue.SimpleQueue[Command] = queue.SimpleQueue()
        self._speeds: dict[Path, Speed] = {}
        self._started: dict[Path, subprocess.Popen[bytes]] = {}

    # ------------------------------------------------------------------ asked by the window

    def go_on(self, folder: Path, kind: Kind) -> None:
        """Start a process for a study that waits, was stopped or was interrupted."""
        self._commands.put(lambda: self._start(folder, kind))

    def ask(self, folder: Path, request: run_control.Request) -> None:
        """Ask the process at work to pause, resume, stop or cancel."""
        self._commands.put(lambda: launcher.ask(folder, request))

    def remember(self, folder: Path) -> None:
        """Know a folder from now on."""
        self._commands.put(lambda: study_folder.remember(folder))

    def discard(self, folder: Path) -> None:
        """Take back a study that has not begun."""
        self._commands.put(lambda: launcher.discard(folder))

    # ------------------------------------------------------------------ jobs

    def watch(self) -> Job[WatchEvent, None]:
        """Look after all studies until the job is closed."""
        from musicrel.experiment.study.study_watch import StudyWatch

        watcher: StudyWatch | None = None
        folder: Path | None = None
        told: object = None
        listed: tuple[Known, ...] | None = None
        next_list = 0.0
        while True:
            done = self._do_commands()
            yield from done
            now = time.monotonic()
            if now >= next_list:
                found = _known()
                next_list = time.monotonic() + _SECONDS_BETWEEN_LISTS
                if found != listed:
                    listed = found
                    yield Listed(found)
            if folder != self.folder:
                folder, told = self.folder, None
                watcher = StudyWatch(folder) if folder is not None else None
            if watcher is not None and (seen := watcher.look()) is not told:
                told = seen
                yield Looked(seen)
            yield Idle()
            time.sleep(_PAUSE)

    def check(self, text: str) -> Job[None, Checked]:
        """What the engine says of a study, and how long it would take."""
        from musicrel.experiment.study import estimate, memory_study, study
        from musicrel.model.positions.table import SCHEMES

        yield
        self.schemes = tuple((scheme.key, scheme.says) for scheme in SCHEMES.values())
        try:
            measured = memory_study.parse(text, "as edited")
            if measured is not None:
                return Checked(rows=(len(measured.rows), measured.arms))
            asked = study.parse(text, "as edited")
        except MusicrelError as reason:
            return Checked(problem=_bare(str(reason)))
        self._speeds = estimate.measured(study_folder.known(), self._speeds)
        return Checked(
            runs=len(asked.runs),
            arms=tuple((arm.name, arm.parameters, arm.excess) for arm in asked.arms),
            seconds=estimate.seconds(asked, self._speeds.values()),
        )

    def prepare(self, text: str) -> Job[None, Path]:
        """Make the folder of a study, all its runs waiting in it.

        Returns:
            The folder.

        Raises:
            MusicrelError: a value is wrong, the data are not there, or nothing can be written.
        """
        from musicrel.experiment.study import compare, layer_costs, memory_study, results, study

        yield
        measured = memory_study.parse(text, "as edited")
        if measured is not None:
            folder = study_folder.free(measured.name)
            layer_costs.begin(folder, measured)
            return folder
        asked = study.parse(text, "as edited")
        yield from compare.checked(asked)
        folder = study_folder.free(asked.name)
        results.begin(folder, asked)
        return folder

    def inspect(self, folder: Path) -> Job[int, str]:
        """Read the user's own pieces; yields how many files were read, returns the report."""
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

    def adopt(self, run: RunNow, name: str) -> Job[None, str]:
        """Copy a run's model to the user's models; the name under which it is found there.

        Raises:
            FileError: it cannot be read or written.
        """
        yield
        return install_model.adopt(run.folder / "model", name)

    # ------------------------------------------------------------------ inside

    def _start(self, folder: Path, kind: Kind) -> None:
        """Start a process, unless one was started that is still on its way to its lock."""
        before = self._started.get(folder)
        if before is None or before.poll() is not None:
            process = launcher.go_on(folder, kind, self._device(), self._program)
            if process is not None:
                self._started[folder] = process

    def _do_commands(self) -> list[Trouble]:
        troubles: list[Trouble] = []
        while not self._commands.empty():
            try:
                self._commands.get()()
            except (MusicrelError, OSError) as reason:
                troubles.append(Trouble(str(reason)))
        return troubles


def template(path: Path) -> str:
    """The text of a study to start from.

    Raises:
        FileError: it cannot be read.
    """
    return paths.read_bytes(path, limit=_LARGEST_TEXT).decode("utf-8", errors="replace")


def _known() -> tuple[Known, ...]:
    from musicrel.experiment.study.study_watch import state

    found = []
    for folder in study_folder.known():
        kind = study_folder.kind(folder)
        if kind is not None:
            found.append(Known(folder=folder, kind=kind, state=state(folder, kind)))
    return tuple(found)


def _bare(sentence: str) -> str:
    """The engine's sentence without the name of a file that is not there."""
    for prefix in ("study as edited: ", "study as edited, "):
        sentence = sentence.removeprefix(prefix)
    return sentence.replace("study as edited", "the study")
