"""Jobs that load a model and generate or analyse pieces with it.

The jobs run in workers' threads. The compiled kernel, and torch where it is needed, are imported
only there: the window is visible long before.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import Generated, GenerationStep, MeansProgress, PhraseEndTrial
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.presentation.attention.analysis_progress import AnalysisProgress
from musicrel.presentation.attention.attention_record import MAX_RECORDED_TOKENS
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.ui.jobs.kernel_compilation import Compiling, KernelCompilation

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateEvent, CandidateSet
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.twin.cross_surprisal import CrossSurprisal, ReadingProgress

_APPLE: Final = "Apple GPU"
MAX_KEPT: Final = 4
"""Models that stay loaded: those for writing and rewriting, and model B of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading:
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A model is ready."""

    model: str
    sha256: str
    device: str  # display name of the device
    # hardware and software versions that reproducibility to the bit depends on
    machine: Mapping[str, Any] = field(default_factory=dict)
    warning: str = ""  # the reason why it writes slower than it could, one sentence, or ""


LoadEvent: TypeAlias = Loading | Compiling | Loaded
ComposeEvent: TypeAlias = LoadEvent | MeansProgress | GenerationStep | PhraseEndTrial
AnalysisEvent: TypeAlias = LoadEvent | AnalysisProgress
WarmUp: TypeAlias = Callable[[str, str], Job[LoadEvent, None]]
"""Factory of jobs that load a model on a device."""


class ModelCache:
    """A cache of loaded models and the jobs that use them; threads may share one cache.

    Args:
        compilation: compiles the kernel before the first model is used; None: one for this program.
    """

    def __init__(self, compilation: KernelCompilation | None = None) -> None:
        self._compilation = compilation or KernelCompilation()
        self.threads: Callable[[], int] = lambda: 1
        self._lock = threading.Lock()
        self._models: dict[tuple[str, str], tuple[float, LoadedModel]] = {}

    def compose(
        self, name: str, device: str, request: GenerationRequest
    ) -> Job[ComposeEvent, Generated]:
        """Load a model and generate a piece for ``request``, with its attention if it is short."""
        model = yield from self.load(name, device)
        from musicrel.generation.ablation import means
        from musicrel.generation.causal.causal_generator import generate

        yield from means.prepare_for(model, request.mutes)
        record = request.steps * len(Voice) <= MAX_RECORDED_TOKENS
        return (yield from generate(model, request, record=record))

    def analyse(
        self, name: str, device: str, chorale: Chorale
    ) -> Job[AnalysisEvent, PieceAnalysis]:
        """Load a model and compute its attention and surprisal on a piece."""
        model = yield from self.load(name, device)
        from musicrel.presentation.attention import analysis_job

        return (yield from analysis_job.analyse(model, chorale))

    def cross_surprisal(
        self, names: tuple[str, str], device: str, pieces: tuple[Chorale, Chorale]
    ) -> Job[LoadEvent | ReadingProgress, CrossSurprisal]:
        first = yield from self.load(names[0], device)
        second = yield from self.load(names[1], device)
        from musicrel.generation.twin import cross_surprisal

        return (yield from cross_surprisal.cross_surprisal((first, second), pieces))

    def generate_candidates(
        self, name: str, device: str, builder: RequestBuilder
    ) -> Job[LoadEvent | CandidateEvent, CandidateSet]:
        """Load a model and generate candidates for a piece or a part of one.

        A piece outside the vocabulary's range is transposed for the model, its candidates back.
        """
        model = yield from self.load(name, device)
        from musicrel.generation.candidates import candidate_job, muted_pair

        fitted, transposition = builder.fitted()
        if builder.is_pair:
            pair = muted_pair.generate_pair(
                model, fitted.request(), original=fitted.original, transposition=transposition
            )
            return (yield from pair)
        job = candidate_job.generate_candidates(
            model,
            fitted.request(),
            fitted.count,
            original=fitted.original,
            transposition=transposition,
        )
        return (yield from job)

    def warm_up(self, name: str, device: str) -> Job[LoadEvent, None]:
        """Load a model, generate one step and prepare the phrases: the first click is fast then."""
        model = yield from self.load(name, device)
        from musicrel.generation import phrase_plan
        from musicrel.generation.candidates.candidate_job import new_batch

        request = GenerationRequest(bars=1)
        job = new_batch(model, request, request.constraints(model.vocabulary), [0]).run()
        next(job)
        job.close()
        phrase_plan.prepare()

    def load(self, name: str, device: str) -> Job[LoadEvent, LoadedModel]:
        yield Loading(model=name)
        model = self._cached(name, device)
        if model.device.type == "cpu":
            yield from self._compilation.wait()
        yield _loaded(model)
        return model

    def _cached(self, name: str, device: str) -> LoadedModel:
        """Return the model, loaded again if its files have changed."""
        from musicrel.generation.loaded_model import load_model
        from musicrel.model import catalogue, devices
        from musicrel.model.card import CARD

        with self._lock:
            devices.use_threads(self.threads())
            written = (catalogue.find(name) / CARD).stat().st_mtime
            key = name, devices.resolve(device)  # "auto" and its device are one
            known = self._models.pop(key, None)
            if known is None or known[0] != written:
                known = (written, load_model(name, key[1], self.threads()))
            self._models[key] = known
            if len(self._models) > MAX_KEPT:
                del self._models[next(iter(self._models))]
            return known[1]


def _loaded(model: LoadedModel) -> Loaded:
    from musicrel.generation import kernel

    return Loaded(
        model=model.name,
        sha256=model.sha256,
        device=_title(model),
        machine=model.provenance(0, {}).machine,
        warning=kernel.reason() if model.device.type == "cpu" else "",
    )


def _title(model: LoadedModel) -> str:
    """Return the display name of the model's device."""
    if model.device.type == "cuda":
        import torch

        return torch.cuda.get_device_name(model.device)
    return {"cpu": "CPU", "mps": _APPLE}.get(model.device.type, model.device.type)
