"""A melody that is to be harmonised: where it comes from, who sings it, and the wish it becomes.

This file knows pieces and the form; it knows nothing of models or of the controls one asks with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Flags, Voice
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.presentation.compose.form import Form, bars_of_phrases
from musicrel.presentation.compose.rewrite_form import Rewriting
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.roll.selection import Selection

DONE: Final = "harmonised"
NOTHING_ON_ROLL: Final = "There is nothing on the roll: generate or open a piece first"
NO_MODEL: Final = "There is no model to harmonise with: put a model folder into {folder}"
SUNG_BY: Final = "Who sings the melody; it is moved into that voice’s range where it lies outside"
SEES: Final = "It knows the whole melody before it writes the first note."
BLIND: Final = (
    "It reads from left to right and does not know the melody ahead: of several candidates the one "
    "that fits it best comes first. One that sees both sides would know all of it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a melody comes from.

    Attributes:
        title: what it is called.
        path: of its file; None: what is on the roll.
    """

    title: str
    path: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How a melody is to be harmonised.

    Attributes:
        source: where it comes from.
        voice: who sings it.
        model: its name.
        patience: how often notes are gone over, or how many ends of phrases are tried.
        count: how many candidates.
        phrases: bars of each phrase as typed, as in "2,2,4"; empty: as the melody has them.
    """

    source: Source
    voice: Voice
    model: str
    patience: str
    count: int
    phrases: str = ""


def wish(piece: Chorale, asked: Asked, form: Form) -> Rewriting:
    """Three voices to the one of ``piece`` that is given; silent bars at its end are left out.

    Args:
        piece: of its voices only that of the melody counts.
        asked: which voice that is, and how it shall be done.
        form: surprise, seed, rules, and the key where the piece has none.

    Raises:
        UsageError: the voice is silent, or the phrases do not sum to the bars.
    """
    if (piece.pitches[:, asked.voice] == REST).all():
        raise UsageError(f"the {asked.voice.title} has no notes: choose another voice or melody")
    piece = _without_silent_end(piece)
    bars = -(-piece.steps // piece.meter.steps)
    piece = edit_requests.phrased(piece, bars_of_phrases(asked.phrases, bars))
    free = ~lock_cells.of_voice(piece, asked.voice)
    form = replace(form, model=asked.model, patience=asked.patience)
    return Rewriting(piece=piece, free=free, form=form, count=asked.count, done=DONE)


def _without_silent_end(piece: Chorale) -> Chorale:
    """``piece`` up to the end of the last bar in which anybody sings: there it shall close."""
    last = int(np.flatnonzero((piece.pitches != REST).any(axis=1))[-1]) + 1
    bar = piece.meter.steps
    stop = piece.pickup + -(-(last - piece.pickup) // bar) * bar
    return piece if stop >= piece.steps else piece.cropped(0, stop)


def alone(piece: Chorale, voice: Voice) -> Chorale:
    """``piece`` with no other voice."""
    own = np.arange(len(Voice)) == voice
    pitches = np.where(own, piece.pitches, REST).astype(np.int16)
    return replace(piece, pitches=pitches, onsets=piece.onsets & own)


def likely_voice(piece: Chorale, selection: Selection | None, kept: Flags | None) -> Voice:
    """Who has the melody: the voice that is selected, or locked from end to end, or sounds."""
    if selection is not None and len(selection.voices) == 1:
        return Voice(selection.voices[0])
    whole = [] if kept is None else [voice for voice in Voice if kept[:, voice].all()]
    sounding = [voice for voice in Voice if (piece.pitches[:, voice] != REST).any()]
    return next(iter([*whole, *sounding]), Voice.SOPRANO)
