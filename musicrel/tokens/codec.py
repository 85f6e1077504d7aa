"""From a chorale to token ids and back.

Order is raster: START, then S A T B of step 0, S A T B of step 1 ..., END. So the place of a cell
in the sequence is arithmetic: step s, voice v stands at index 1 + 4 s + v.

This file knows the order of tokens; it knows nothing of models or of conditions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Flags, Pitches, Voice, onsets_where_pitch_changes
from musicrel.errors import DataError
from musicrel.tokens.vocabulary import (
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
    """Where the cell (step, voice) stands in the sequence."""
    return 1 + step * VOICES + voice


def cell_of(index: int) -> tuple[int, int]:
    """The cell (step, voice) that stands at ``index`` >= 1; the inverse of ``index_of``."""
    return divmod(index - 1, VOICES)


def encode(chorale: Chorale, vocabulary: Vocabulary) -> Ids:
    """The token ids of ``chorale``: int64 (4 T + 2,), first START, last END.

    Raises:
        DataError: a pitch is outside the vocabulary's span.
    """
    pitches = chorale.pitches.astype(np.int64)
    sounding = pitches != REST
    outside = sounding & ((pitches < LOWEST_PITCH) | (pitches > HIGHEST_PITCH))
    if outside.any():
        step, voice = np.argwhere(outside)[0]
        raise DataError(
            f"step {step}, {Voice(voice).title}: pitch {pitches[step, voice]} is outside "
            f"{LOWEST_PITCH} to {HIGHEST_PITCH}, the span the models know; transpose the piece"
        )
    first = np.where(chorale.onsets, vocabulary.first_onset, vocabulary.first_hold)
    cells = np.where(sounding, pitches - LOWEST_PITCH + first, REST_TOKEN)
    return np.concatenate([[START], cells.reshape(-1), [END]]).astype(np.int64)


def decode(ids: npt.ArrayLike, vocabulary: Vocabulary, like: Chorale | None = None) -> Chorale:
    """The chorale that ``ids`` spell; START and END at the rims may be missing.

    Args:
        ids: integers (N,).
        vocabulary: the one they were made with.
        like: gives title, key, meter, pickup, tempo, fermatas and provenance; it must be as long.

    Returns:
        A chorale of (N without START and END) / 4 steps. Without hold tokens an onset falls where
        the pitch changes. A hold after another pitch, which no model may write, begins a note.

    Raises:
        DataError: a token is no note or rest, or the length is no whole number of steps.
    """
    cells = _cells(np.asarray(ids, dtype=np.int64), vocabulary)
    pitches, held = _pitches_and_holds(cells, vocabulary)
    onsets = onsets_where_pitch_changes(pitches)
    if vocabulary.holds:
        onsets |= (pitches != REST) & ~held
    if like is None:
        return Chorale.of(pitches, onsets=onsets)
    if like.steps != len(pitches):
        raise DataError(f"the tokens spell {len(pitches)} steps, but 'like' has {like.steps}")
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
        raise DataError(f"token {cells[place]} at index {start + place} is no note and no rest")
    return cells.reshape(-1, VOICES)


def _pitches_and_holds(cells: Ids, vocabulary: Vocabulary) -> tuple[Pitches, Flags]:
    offset = (cells - vocabulary.first_onset) % PITCHES
    pitches = np.where(cells == REST_TOKEN, REST, offset + LOWEST_PITCH).astype(np.int16)
    held: Flags = cells >= vocabulary.first_hold
    return pitches, held
