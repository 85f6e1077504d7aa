"""Events and results of generation jobs. They hold values only, no tensors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError


@dataclass(frozen=True, slots=True)
class _Progress:
    done: int
    total: int

    @property
    def share(self) -> float:
        """Return the share that is done, 0 to 1."""
        return self.done / self.total


class MeansProgress(_Progress):
    """Progress of the computation of the means that replace muted heads, in pieces."""


class SourcesProgress(_Progress):
    """Progress of the removal of sources of a note, one at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationStep:
    """A newly written token.

    Attributes:
        index: index in the sequence; START has 0.
        step: sixteenth of the token.
        voice: 0 soprano ... 3 bass.
        pitch: MIDI number, -1 for a rest.
        onset: True where a note begins.
        log_probability: log-probability under the model, in nats, before temperature and masking.
        entropy: entropy of the model's distribution, in nats.
        attention: float32 (layers, heads, index), attention weights of the prediction over all
            tokens before; None unless recorded.
    """

    index: int
    token: int
    step: int
    voice: int
    pitch: int
    onset: bool
    log_probability: float
    entropy: float
    attention: npt.NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseEndTrial:
    """Particles of a search are being written; none is chosen yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchState(PhraseEndTrial):
    """A measure of how constrained the notes are that a search is writing."""

    effective_size: float  # 1, few particles meet what is asked for, to ``particles``, all do
    particles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A finished piece."""

    chorale: Chorale
    tokens: int
    seconds: float
    nats_per_note: float  # mean -log p of the notes under the model


class NoLegalNoteError(GenerationError):
    """Locks and rules left no legal note; ``written`` has the whole steps before, if any."""

    def __init__(self, sentence: str, *, written: Chorale | None) -> None:
        super().__init__(sentence)
        self.written = written
