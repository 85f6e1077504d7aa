"""Locked cells of a piece: sets of cells, their description, and their form in provenance.

A cell is one voice at one step; locked cells are bool (T, 4). In a piece with provenance they are
stored in its settings as ``locked``: a list of [voice, first step, step after the last].
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, NamedTuple

import numpy as np

from musicrel import chorale
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.generation.constraints import regions
from musicrel.language import tr
from musicrel.presentation.words import names
from musicrel.score.editing.selection import Selection
from musicrel.score.importing.conversion import listed

Chord = Literal["first", "last"]
_ENTRY: Final = "locked"


class Span(NamedTuple):
    voice: int
    start: int
    stop: int


def nothing(piece: Chorale) -> Flags:
    return np.zeros(piece.pitches.shape, dtype=np.bool_)


def cells(piece: Chorale, selection: Selection) -> Flags:
    chosen = nothing(piece)
    chosen[selection.start : selection.stop, list(selection.voices)] = True
    return chosen


def of_voice(piece: Chorale, voice: int) -> Flags:
    chosen = nothing(piece)
    chosen[:, voice] = True
    return chosen


def of_chord(piece: Chorale, which: Chord) -> Flags:
    return regions.mask([which], piece)


def holds(locked: Flags, part: Flags) -> bool:
    """Return whether every cell of ``part`` is locked; False for an empty part."""
    return bool(part.any() and locked[part].all())


def toggled(locked: Flags, part: Flags) -> Flags:
    """Unlock ``part`` if all of it is locked, else lock all of it."""
    return locked & ~part if holds(locked, part) else locked | part


def spans(locked: Flags) -> tuple[Span, ...]:
    return tuple(
        Span(int(voice), *ends) for voice in Voice for ends in chorale.spans(locked[:, voice])
    )


def describe(piece: Chorale, locked: Flags) -> str:
    """Describe the locked cells, as 'Locked: Bass, part of Alto'; "" without any."""
    share = locked.mean(axis=0).tolist()
    whole = [Voice(voice).title for voice, part in enumerate(share) if part == 1]
    some = [Voice(voice).title for voice, part in enumerate(share) if 0 < part < 1]
    if len(whole) == len(Voice):
        return tr("Everything is locked")
    locks = [*whole, tr("part of {voices}", voices=listed(some))] if some else whole
    if not whole and len(some) == len(Voice):
        locks = [_steps(piece, locked)]
    return tr("Locked: {parts}", parts=", ".join(locks)) if locks else ""


def _steps(piece: Chorale, locked: Flags) -> str:
    anywhere = np.repeat(locked.any(axis=1, keepdims=True), len(Voice), axis=1)
    stretches = [span for span in spans(anywhere) if span.voice == Voice.SOPRANO]
    if len(stretches) > 2:  # noqa: PLR2004
        return tr("parts of all voices")
    places = [names.position(span.start, piece.meter, piece.pickup) for span in stretches]
    return tr("notes at {places}", places=listed(places))


def with_locks_in_provenance(piece: Chorale, locked: Flags | None) -> Chorale:
    origin = piece.provenance
    if origin is None or locked is None or len(locked) != piece.steps:
        return piece
    settings = {name: value for name, value in origin.settings.items() if name != _ENTRY}
    if locked.any():
        settings[_ENTRY] = [list(span) for span in spans(locked)]
    if settings == origin.settings:
        return piece
    return replace(piece, provenance=replace(origin, settings=settings))


def locks_from_provenance(piece: Chorale) -> Flags:
    """Return the cells that a piece's provenance locks; invalid entries are ignored."""
    locked = nothing(piece)
    rows = piece.provenance.settings.get(_ENTRY) if piece.provenance is not None else None
    for row in rows if isinstance(rows, list) else []:
        whole = isinstance(row, list) and [type(value) for value in row] == [int] * 3
        if whole and row[0] in {*Voice} and 0 <= row[1] < row[2] <= piece.steps:
            locked[row[1] : row[2], row[0]] = True
    return locked
