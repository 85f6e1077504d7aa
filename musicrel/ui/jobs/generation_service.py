"""The app's one way to let a model write: load it where that is needed, then generate.

Everything here runs in a worker's thread, and torch is imported only there: the window is on the
screen long before. This file knows jobs; it knows nothing of windows.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from musicrel.chorale import Chorale, Voice
from musicrel.errors import ModelError
from musicrel.generation.events import Generated, GenerationStep, Trying
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.presentation.attention.attention_record import MOST_TOKENS
from musicrel.presentation.attention.piece_analysis import Reading
from musicrel.presentation.compose.request_builder import Wish, within_span

NOT_READ: Final = (
    "{model} sees both sides of a note, so that it has not read a piece note by note: choose a "
    "model that writes from left to right to see where it looks and what surprises it"
)

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import Event as ProposalEvent
    from musicrel.generation.candidates.candidate_job import Proposals
    from musicrel.generation.loaded_model import LoadedModel


@dataclass(frozen=True, slots=True, kw_only=True)
class Loading:
    """A model is about to be loaded."""

    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A model is ready.

    Attributes:
        model: its name.
        sha256: of its weights.
        device: what computes, as people call it.
        machine: what the last bit depends on, for the pieces to tell.
    """

    model: str
    sha256: str
    device: str
    machine: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class CellsRead:
    """So much of a piece has been read.

    Attributes:
        share: 0 to 1.
    """

    share: float


ComposeEvent: TypeAlias = Loading | Loaded | GenerationStep | Trying
ReadEvent: TypeAlias = Loading | Loaded | CellsRead


class ModelShelf:
    """Loads models, keeps them and lets them write; jobs in several threads may share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: dict[tuple[str, str], tuple[float, LoadedModel]] = {}

    def compose(
        self, name: str, device: str, request: GenerationRequest
    ) -> Job[ComposeEvent, Generated]:
        """Load a model and let it write what ``request`` asks for, telling where it looks.

        Raises:
            ModelError: there is no such model, or it is damaged.
            UsageError: there is no such device.
            GenerationError: the model gives no distribution to choose from.
        """
        model = yield from self._load(name, device)
        from musicrel.generation.causal.causal_generator import generate

        record = request.steps * len(Voice) <= MOST_TOKENS
        return (yield from generate(model, request, record=record))

    def read(self, name: str, device: str, chorale: Chorale) -> Job[ReadEvent, Reading]:
        """Load a model and let it read a piece: where it looks, and what surprises it.

        Raises:
            ModelError: there is no such model, it is damaged, or sees both sides.
            UsageError: there is no such device.
            DataError: the piece has notes that the model does not know.
        """
        model = yield from self._load(name, device)
        if not model.network.config.is_causal:
            raise ModelError(NOT_READ.format(model=name))
        from musicrel.generation.scoring.teacher_forcing import attend, told_of

        record = chorale.steps * len(Voice) <= MOST_TOKENS
        shape = (model.network.config.layers, model.network.config.heads) if record else (0, 0)
        provenance = chorale.provenance
        wrote = provenance is not None and provenance.sha256 == model.sha256
        reading = Reading(chorale, name, *shape, wrote=wrote)
        for rows in attend(model, chorale, told_of(chorale), record=record):
            for place, nats in enumerate(rows.nats.tolist()):
                seen = rows.first + place + 1
                row = None if rows.weights is None else rows.weights[:, :, place, :seen]
                reading.add(row, nats)
            yield CellsRead(share=reading.cells / reading.tokens)
        return reading

    def propose(
        self, name: str, device: str, wish: Wish
    ) -> Job[Loading | Loaded | ProposalEvent, Proposals]:
        """Load a model and let it write versions of a piece, or of a part of one.

        A piece that goes beyond what models know is moved into that, and its versions back again.

        Raises:
            ModelError: there is no such model, or it is damaged.
            UsageError: there is no such device, what is kept does not fit the rules, or the piece
                is wider than what models know.
            GenerationError: locks and rules leave no note, or the model has no distribution.
        """
        model = yield from self._load(name, device)
        from musicrel.generation import vocabulary_span
        from musicrel.generation.candidates import candidate_job

        moved, semitones = within_span(wish)
        job = candidate_job.propose(model, moved.request(), wish.count, original=moved.original)
        return (yield from vocabulary_span.moved_back(job, semitones, wish.plan().key))

    def warm_up(self, name: str, device: str) -> Job[Loading | Loaded, None]:
        """Import torch, load a model and let it write a little: the first click is quick then.

        Raises:
            ModelError: there is no such model, or it is damaged.
            UsageError: there is no such device.
        """
        model = yield from self._load(name, device)
        from musicrel.generation.causal import causal_generator
        from musicrel.generation.infill import infill_generator

        request = GenerationRequest(bars=1)
        job: Job[object, object] = (
            causal_generator.generate(model, request)
            if model.network.config.is_causal
            else infill_generator.Filling(model, request, [0]).run()
        )
        next(job)
        job.close()

    def _load(self, name: str, device: str) -> Job[Loading | Loaded, LoadedModel]:
        yield Loading(model=name)
        model = self._take(name, device)
        origin = model.provenance(0, {})
        yield Loaded(
            model=model.name, sha256=model.sha256, device=_title(model), machine=origin.machine
        )
        return model

    def _take(self, name: str, device: str) -> LoadedModel:
        """The model, loaded anew where its files have changed."""
        from musicrel.generation.loaded_model import load_model
        from musicrel.model import catalogue
        from musicrel.model.card import CARD

        with self._lock:
            written = (catalogue.find(name) / CARD).stat().st_mtime
            known = self._models.get((name, device))
            if known is None or known[0] != written:
                known = (written, load_model(name, device))
                self._models[name, device] = known
            return known[1]


def _title(model: LoadedModel) -> str:
    """The device as people call it."""
    import torch

    if model.device.type == "cuda":
        return torch.cuda.get_device_name(model.device)
    return {"cpu": "CPU", "mps": "Apple GPU"}.get(model.device.type, model.device.type)
