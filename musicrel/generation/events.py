"""What a generation job tells while it writes, and what it returns.

This file knows values only: no tensor leaves the job.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationStep:
    """One token was written.

    Attributes:
        index: its place in the sequence; START has 0.
        token: its id.
        step: the sixteenth it belongs to.
        voice: 0 soprano ... 3 bass.
        pitch: MIDI number, -1 for a rest.
        onset: whether a note begins here.
        log_probability: natural log of its probability under the model itself, before temperature
            and legality.
        entropy: of the model's own distribution here, in nats.
        attention: float32 (layers, heads, index): how much the model looked at each token before,
            when it chose this one; None unless it was asked for.
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
class Trying:
    """Ways to the end of a phrase are being written; which one is taken is not known yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """A finished piece.

    Attributes:
        chorale: the notes, with their provenance.
        tokens: number of tokens written.
        seconds: time it took.
        nats_per_note: mean -log p of the notes under the model.
    """

    chorale: Chorale
    tokens: int
    seconds: float
    nats_per_note: float


class NoLegalNoteError(GenerationError):
    """Locks and rules left no note to choose.

    Attributes:
        written: what was written until then, whole steps only; None where there is none.
    """

    def __init__(self, sentence: str, *, written: Chorale | None) -> None:
        super().__init__(sentence)
        self.written = written
