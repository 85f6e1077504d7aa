"""Encoding of chorales as token ids, and back.

The order is raster: START, then S A T B of step 0, S A T B of step 1 ..., END. The index of a cell
follows from its position: step s, voice v has index 1 + 4 s + v.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Voice, onsets_where_pitch_changes
from musicrel.errors import DataError
from musicrel.language import tr
from musicrel.model.tokens.vocabulary import (
    END,
    HIGHEST_PITCH,
    LOWEST_PITCH,
    PITCHES,
    REST_TOKEN,
    START,
    Vocabulary,
)

Ids = npt.NDArray[np.int64]
VOICES: Final = len(Voice)


def index_of(step: int, voice: int) -> int:
    """Return the index in the sequence of the cell (step, voice)."""
    return 1 + step * VOICES + voice


def cell_of(index: int) -> tuple[int, int]:
    """Return the cell (step, voice) at ``index`` >= 1; the inverse of ``index_of``."""
    return divmod(index - 1, VOICES)


def encode(chorale: Chorale, vocabulary: Vocabulary) -> Ids:
    """Encode ``chorale`` as token ids: int64 (4 T + 2,), first START, last END.

    Raises:
        DataError: a pitch is outside the vocabulary's span.
    """
    pitches = chorale.pitches.astype(np.int64)
    sounding = pitches != REST
    outside = sounding & ((pitches < LOWEST_PITCH) | (pitches > HIGHEST_PITCH))
    if outside.any():
        step, voice = np.argwhere(outside)[0]
        raise DataError(
            tr(
                "step {step}, {voice}: pitch {pitch} is outside {low} to {high}, the range of the "
                "models; transpose the piece",
                step=step, voice=Voice(voice).title, pitch=pitches[step, voice],
                low=LOWEST_PITCH, high=HIGHEST_PITCH,
            )
        )  # fmt: skip
    first = np.where(chorale.onsets, vocabulary.first_onset, vocabulary.first_hold)
    cells = np.where(sounding, pitches - LOWEST_PITCH + first, REST_TOKEN)
    return np.concatenate([[START], cells.reshape(-1), [END]]).astype(np.int64)


def decode(ids: npt.ArrayLike, vocabulary: Vocabulary, like: Chorale | None = None) -> Chorale:
    """Decode token ids into a chorale; START and END may be missing.

    Args:
        ids: integers (N,).
        like: supplies title, key, meter, pickup, tempo, fermatas and provenance; it must have the
            same length.

    Returns:
        A chorale of (N without START and END) / 4 steps. Without hold tokens an onset is placed
        where the pitch changes. A hold after another pitch, which models may not generate, begins a
        note.

    Raises:
        DataError: a token is not a note or rest, or the length is not a whole number of steps.
    """
    cells = _cells(np.asarray(ids, dtype=np.int64), vocabulary)
    offset = (cells - vocabulary.first_onset) % PITCHES
    pitches = np.where(cells == REST_TOKEN, REST, offset + LOWEST_PITCH).astype(np.int16)
    onsets = onsets_where_pitch_changes(pitches)
    if vocabulary.holds:
        onsets |= (pitches != REST) & (cells < vocabulary.first_hold)
    if like is None:
        return Chorale.of(pitches, onsets=onsets)
    if like.steps != len(pitches):
        raise DataError(f"the tokens hold {len(pitches)} steps, but 'like' has {like.steps}")
    return replace(like, pitches=pitches, onsets=onsets)


def _cells(ids: Ids, vocabulary: Vocabulary) -> Ids:
    start = int(ids.size > 0 and ids[0] == START)
    stop = ids.size - int(ids.size > 0 and ids[-1] == END)
    cells = ids[start:stop]
    if cells.size == 0 or cells.size % VOICES:
        raise DataError(
            f"{cells.size} tokens between START and END: expected four for every step, at least one"
        )
    wrong = (cells < REST_TOKEN) | (cells >= vocabulary.size)
    if wrong.any():
        place = int(np.argmax(wrong))
        raise DataError(
            f"token {cells[place]} at index {start + place} is neither a note nor a rest"
        )
    return cells.reshape(-1, VOICES)
