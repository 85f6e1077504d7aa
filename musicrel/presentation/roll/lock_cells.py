"""The part of a piece that no rewriting may change, as cells: which, in words, and in its file.

A cell is one voice at one step; what is locked of a piece is bool (T, 4). With a piece that tells
where it comes from, the locks go into its settings as ``locked``: a list of [voice, first step,
step after the last].

This file knows cells and notes; it knows nothing of pixels or Qt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

import numpy as np

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.generation.constraints import regions
from musicrel.presentation.roll.roll import Roll, RollNote
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.words import names

Chord = Literal["first", "last"]
_ENTRY: Final = "locked"


class Span(NamedTuple):
    """Steps of one voice that are locked, half-open."""

    voice: int
    start: int
    stop: int


def nothing(piece: Chorale) -> Flags:
    """No cell of ``piece``."""
    return np.zeros(piece.pitches.shape, dtype=np.bool_)


def cells(piece: Chorale, selection: Selection) -> Flags:
    """The cells of ``piece`` that are selected."""
    chosen = nothing(piece)
    chosen[selection.start : selection.stop, list(selection.voices)] = True
    return chosen


def of_voice(piece: Chorale, voice: int) -> Flags:
    """All cells of one voice."""
    chosen = nothing(piece)
    chosen[:, voice] = True
    return chosen


def of_chord(piece: Chorale, which: Chord) -> Flags:
    """The cells of the first or the last chord."""
    return regions.mask([which], piece)


def holds(locked: Flags, part: Flags) -> bool:
    """Whether every cell of ``part`` is locked; an empty part never is."""
    return bool(part.any() and locked[part].all())


def toggled(locked: Flags, part: Flags) -> Flags:
    """With ``part`` unlocked where all of it was locked, else with all of it locked."""
    return locked & ~part if holds(locked, part) else locked | part


def spans(locked: Flags) -> tuple[Span, ...]:
    """The locked stretches, voice by voice."""
    found: list[Span] = []
    for voice in Voice:
        turns = np.diff(np.concatenate(([0], locked[:, voice].astype(np.int8), [0])))
        starts, stops = np.flatnonzero(turns == 1), np.flatnonzero(turns == -1)
        found += [
            Span(int(voice), *ends) for ends in zip(starts.tolist(), stops.tolist(), strict=True)
        ]
    return tuple(found)


def parts(picture: Roll, locked: Flags) -> tuple[RollNote, ...]:
    """The locked parts of notes, cut where the lock begins and ends."""
    if len(locked) != picture.steps or not locked.any():
        return ()
    by_voice: dict[int, list[Span]] = {voice: [] for voice in Voice}
    for span in spans(locked):
        by_voice[span.voice].append(span)
    return tuple(
        note._replace(start=max(note.start, span.start), stop=min(note.stop, span.stop))
        for note in picture.notes
        for span in by_voice[note.voice]
        if note.start < span.stop and note.stop > span.start
    )


def describe(piece: Chorale, locked: Flags) -> str:
    """As in 'Locked: Bass, part of Alto'; "" where nothing is."""
    share = locked.mean(axis=0).tolist()
    whole = [Voice(voice).title for voice, part in enumerate(share) if part == 1]
    some = [Voice(voice).title for voice, part in enumerate(share) if 0 < part < 1]
    if len(whole) == len(Voice):
        return "All is locked"
    told = [*whole, f"part of {_listed(some)}"] if some else whole
    if not whole and len(some) == len(Voice):
        told = [_steps(piece, locked)]
    return f"Locked: {', '.join(told)}" if told else ""


def _steps(piece: Chorale, locked: Flags) -> str:
    """The places that are locked in any voice, where there are few; else that there are many."""
    anywhere = np.repeat(locked.any(axis=1, keepdims=True), len(Voice), axis=1)
    stretches = [span for span in spans(anywhere) if span.voice == Voice.SOPRANO]
    if len(stretches) > 2:  # noqa: PLR2004
        return "parts of all voices"
    places = [names.place(span.start, piece.meter, piece.pickup) for span in stretches]
    return f"what begins at {' and '.join(places)}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def signed(piece: Chorale, locked: Flags | None) -> Chorale:
    """``piece`` with what is locked in its provenance, where it has one."""
    origin = piece.provenance
    if origin is None or locked is None or len(locked) != piece.steps:
        return piece
    settings = {name: value for name, value in origin.settings.items() if name != _ENTRY}
    if locked.any():
        settings[_ENTRY] = [list(span) for span in spans(locked)]
    if settings == origin.settings:
        return piece
    return replace(piece, provenance=replace(origin, settings=settings))


def told_by(piece: Chorale) -> Flags:
    """What ``piece`` says is locked of it; what cannot be read is not."""
    locked = nothing(piece)
    rows = piece.provenance.settings.get(_ENTRY) if piece.provenance is not None else None
    for row in rows if isinstance(rows, list) else []:
        whole = isinstance(row, list) and [type(value) for value in row] == [int] * 3
        if whole and row[0] in {*Voice} and 0 <= row[1] < row[2] <= piece.steps:
            locked[row[1] : row[2], row[0]] = True
    return locked
