"""Jobs that load a model and generate or analyse pieces with it.

The jobs run in workers' threads. The compiled kernel, and torch where it is needed, are imported
only there: the window is visible long before. If set-up has not compiled the kernel, a process of
its own does it once: in this process it would make the window jerk, and take 150 MB that are not
given back.
"""

from __future__ import annotations

import contextlib
import importlib
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from musicrel.chorale import Chorale, Voice
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.events import Generated, GenerationStep, MeansProgress, PhraseEndTrial
from musicrel.generation.request import GenerationRequest
from musicrel.interpretability.piece_analysis import (
    MAX_RECORDED_TOKENS,
    AnalysisProgress,
    PieceAnalysis,
)
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.model import device_choice
from musicrel.model.device_choice import Measurement
from musicrel.model.devices import Device
from musicrel.presentation.compose.form import Task

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateEvent, CandidateSet
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.presentation.two_models import Means


_APPLE: Final = tr("Apple GPU")
MEASURING: Final = tr(
    "Measuring which device is faster for {task}, once: {device}, {percent:.0f} %"
)
_TASKS: Final = {"writing": tr("writing", "task"), "training": tr("training", "task")}

COMMAND: Final = (sys.executable, "-m", "musicrel.generation")
"""The program that compiles everything into the user's cache folder."""
_INTERVAL: Final = 0.1
"""Seconds between two events, and so the longest time until a job is cancelled."""


@dataclass(frozen=True, slots=True)
class Compiling:
    """The kernel is being compiled; the job waits for it."""

    done: int = 0  # functions compiled so far, of ``total``
    total: int = 0


class KernelCompilation:
    """The compilation, at most one in the life of this object; jobs in several threads share it."""

    def __init__(
        self,
        wanted: Callable[[], bool] | None = None,
        command: Sequence[str] = COMMAND,
        progress: Callable[[], tuple[int, int]] | None = None,
    ) -> None:
        # returns True if there is something to compile; None: it was asked
        self._wanted: Callable[[], bool] | None = wanted or is_missing
        self._command, self._progress = tuple(command), progress or _progress
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def wait(self) -> Job[Compiling, None]:
        """Compile the kernel if that is necessary, and wait for the end.

        A cancelled job leaves the program running, for the sake of the next one. If it fails, the
        kernel is compiled in this process on its first use, or torch takes its place.
        """
        with self._lock:
            wanted, self._wanted = self._wanted, None
            if wanted is not None and wanted():
                quiet = subprocess.DEVNULL
                with contextlib.suppress(OSError):
                    self._process = subprocess.Popen(  # noqa: S603  # our own program
                        self._command, stdin=quiet, stdout=quiet, stderr=quiet
                    )
            process = self._process
        while process is not None and process.poll() is None:
            yield Compiling(*self._progress())
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_INTERVAL)


def is_missing() -> bool:
    from musicrel.generation import kernel

    return kernel.is_missing()


def _progress() -> tuple[int, int]:
    from musicrel.generation import kernel

    return kernel.progress()


MAX_KEPT: Final = 4
"""Models that stay loaded: those for writing and rewriting, and model B of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading:
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    model: str
    sha256: str
    device: str  # display name of the device, or of those that ``auto`` means
    # hardware and software versions that reproducibility to the bit depends on
    machine: Mapping[str, Any] = field(default_factory=dict)
    warning: str = ""  # the reason why it writes slower than it could, one sentence, or ""


LoadEvent: TypeAlias = Loading | Compiling | Measurement | Loaded
WriteEvent: TypeAlias = (
    "LoadEvent | MeansProgress | GenerationStep | PhraseEndTrial | CandidateEvent"
)
AnalysisEvent: TypeAlias = LoadEvent | AnalysisProgress


class ModelCache:
    """A cache of loaded models and the jobs that use them; threads may share one cache."""

    def __init__(self, compilation: KernelCompilation | None = None) -> None:
        self._compilation = compilation or KernelCompilation()
        self.threads: Callable[[], int | None] = lambda: None
        self._lock = threading.Lock()
        self._models: dict[tuple[str, str], tuple[float, LoadedModel]] = {}

    def write(self, task: Task, device: str) -> Job[WriteEvent, Generated | CandidateSet]:
        """Load the model of a request and write this, with its attention if it is short.

        A piece outside the vocabulary's range is transposed for the model, its candidates back.
        """
        model = yield from self.load(task.form.model, device, task.made_on)
        from musicrel.generation.candidates import candidate_job
        from musicrel.generation.causal.causal_generator import generate
        from musicrel.generation.heads import means

        request = task.request
        if task.is_live:
            yield from means.prepare_for(model, request.mutes)
            record = request.steps * len(Voice) <= MAX_RECORDED_TOKENS
            return (yield from generate(model, request, record=record))
        return (
            yield from candidate_job.generate_candidates(
                model,
                request,
                task.count,
                original=task.fitted_original,
                source=task.piece,
                transposition=task.transposition,
                is_pair=task.is_pair,
            )
        )

    def analyse(
        self, name: str, device: str, chorale: Chorale
    ) -> Job[AnalysisEvent, PieceAnalysis]:
        model = yield from self.load(name, device)
        from musicrel.interpretability import analysis_job

        return (yield from analysis_job.analyse(model, chorale))

    def cross_surprisal(
        self, names: tuple[str, str], device: str, pieces: tuple[Chorale, Chorale]
    ) -> Job[LoadEvent | float, Means]:
        first = yield from self.load(names[0], device)
        second = yield from self.load(names[1], device)
        from musicrel.generation.cross_surprisal import cross_surprisal

        return (yield from cross_surprisal((first, second), pieces))

    def warm_up(self, name: str, device: str, made_on: str = "") -> Job[LoadEvent, None]:
        """Load a model, generate one step and prepare the phrases: the first click is fast then."""
        model = yield from self.load(name, device, made_on)
        from musicrel.generation.candidates.candidate_job import new_batch
        from musicrel.generation.phrasing import phrase_plan

        request = GenerationRequest(bars=1)
        job = new_batch(model, request, Constraints.of(request, model.vocabulary), [0]).run()
        next(job)
        job.close()
        phrase_plan.prepare()

    def load(self, name: str, device: str, made_on: str = "") -> Job[LoadEvent, LoadedModel]:
        """Load a model for writing, see ``device_choice.choose`` for its device."""
        yield Loading(model=name)
        importlib.import_module("psutil")  # for the window, which shows the memory of the program
        if device_choice.is_open(device, "writing"):  # before the CPU is measured
            yield from self._compilation.wait()
        choice = yield from device_choice.choose(device, "writing", made_on)
        model = self._cached(name, choice.device)
        if model.device.type == "cpu":
            yield from self._compilation.wait()
        from musicrel.generation import kernel

        slow = kernel.reason() if model.device.type == "cpu" else ""
        yield Loaded(
            model=model.name,
            sha256=model.sha256,
            device=device_choice.described() if choice.is_measured else _title(model),
            machine=model.provenance(0, {}).machine,
            warning="; ".join(filter(None, (slow, choice.warning))),
        )
        return model

    def _cached(self, name: str, device: Device) -> LoadedModel:
        """Return the model, loaded again if its files have changed."""
        from musicrel.generation.loaded_model import load_model
        from musicrel.model import catalogue, devices
        from musicrel.model.card import CARD

        with self._lock:
            devices.use_threads(self.threads())
            written = (catalogue.find(name) / CARD).stat().st_mtime
            key = name, device
            known = self._models.pop(key, None)
            if known is None or known[0] != written:
                known = (written, load_model(name, device, self.threads()))
            self._models[key] = known
            if len(self._models) > MAX_KEPT:
                del self._models[next(iter(self._models))]
            return known[1]


def measurement_text(event: Measurement) -> str:
    device = device_choice.title(event.device)
    return MEASURING.format(task=_TASKS[event.task], device=device, percent=100 * event.share)


def _title(model: LoadedModel) -> str:
    if model.device.type == "cuda":
        import torch

        return torch.cuda.get_device_name(model.device)
    return {"cpu": "CPU", "mps": _APPLE}.get(model.device.type, model.device.type)
