"""Names of edits for Undo and Redo, found by comparing the piece before and after."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing.notes import Note, voice_notes
from musicrel.editing.selection import Selection

_PROPERTIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": "title",
        "composer": "composer",
        "key": "key",
        "meter": "meter",
        "pickup": "pickup",
        "tempo": "tempo",
    }
)
"""Field of a piece -> its name."""
_SEVERAL: Final = "properties"
_BARS: Final = "bars"
_FERMATA: Final = "fermata"
_ONE_NOTE: Final = "note of the {voice} in {place}"
_ONE_VOICE: Final = "notes of the {voice} in {place}"
_NOTES: Final = "notes in {place}"
_PICKUP: Final = "the pickup"
_BAR: Final = "bar {first}"
_BAR_RANGE: Final = "bars {first} to {last}"


def name(before: Chorale, after: Chorale) -> str:
    """Name the difference of two pieces, as 'notes of the alto in bar 3'; "" without one."""
    new, gone = _different_notes(before, after)
    if _other_bars(before, after):
        return _BARS
    if new or gone:
        return _name_of_notes(before, after, new, gone)
    if before.steps == after.steps and (before.fermatas != after.fermatas).any():
        return _FERMATA
    changed = [text for key, text in _PROPERTIES.items()
               if getattr(before, key) != getattr(after, key)]  # fmt: skip
    return changed[0] if len(changed) == 1 else _SEVERAL if changed else ""


def place(piece: Chorale, before: Chorale) -> Selection | None:
    """Return the passage of ``piece`` whose notes differ from those of ``before``, if any."""
    new, gone = _different_notes(before, piece)
    found = [*new, *(note for note in gone if note.start < piece.steps)]
    if not found or _other_bars(before, piece):
        return None
    return Selection(
        voices=tuple(sorted({note.voice for note in found})),
        start=min(note.start for note in found),
        stop=min(max(note.stop for note in found), piece.steps),
    )


def _different_notes(before: Chorale, after: Chorale) -> tuple[frozenset[Note], frozenset[Note]]:
    """Return the notes of ``after`` only, and those of ``before`` only."""
    voices = [voice for voice in Voice if not _same_voice(before, after, voice)]
    one, other = (
        frozenset(note for voice in voices for note in voice_notes(piece, voice))
        for piece in (before, after)
    )
    return other - one, one - other


def _same_voice(one: Chorale, other: Chorale, voice: Voice) -> bool:
    """Return whether two pieces have the same cells of a voice."""
    return all(
        np.array_equal(some[:, voice], others[:, voice])
        for some, others in ((one.pitches, other.pitches), (one.onsets, other.onsets))
    )


def _other_bars(before: Chorale, after: Chorale) -> bool:
    """Return whether silent bars were inserted, or any removed; the notes after them have moved."""
    more = after.steps - before.steps
    one, other = (before.pitches, after.pitches) if more > 0 else (after.pitches, before.pitches)
    differs = (one != other[: len(one)]).any(axis=1)
    first = int(np.argmax(np.append(differs, True)))
    if not more or not np.array_equal(one[first:], other[first + abs(more) :]):
        return False
    return more < 0 or bool((other[first : first + more] == REST).all())


def _name_of_notes(
    before: Chorale, after: Chorale, new: Collection[Note], gone: Collection[Note]
) -> str:
    piece, all_notes = after if new else before, [*new, *gone]
    voices = {note.voice for note in all_notes}
    first, last = (
        (step - piece.pickup) // piece.meter.steps + 1
        for step in (min(n.start for n in all_notes), max(n.start for n in all_notes))
    )
    where = (_BAR if first == last else _BAR_RANGE).format(first=first, last=last)
    if last < 1:
        where = _PICKUP
    if len(voices) > 1:
        return _NOTES.format(place=where)
    text = _ONE_NOTE if max(len(new), len(gone)) == 1 else _ONE_VOICE
    return text.format(voice=Voice(min(voices)).name.lower(), place=where)
