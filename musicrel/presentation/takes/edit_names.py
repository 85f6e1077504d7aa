"""Names of edits for Undo and Redo, found by comparing the piece before and after."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing.notes import Note, notes_in, voice_notes
from musicrel.editing.selection import Selection
from musicrel.presentation.takes import edit_kinds
from musicrel.presentation.words import names

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
_NAMED: Final = 2
"""Most properties that are named."""
_AND: Final = " and "
_BARS: Final = "bars"
_FERMATA: Final = "fermata"
_ONE_NOTE: Final = "note of the {voice} in {place}"
_ONE_VOICE: Final = "notes of the {voice} in {place}"
_NOTES: Final = "notes in {place}"
_FEW: Final = 4
"""Most copied notes that are named."""
_COUNT: Final = "{count}, {place}"
_VOICE_NOTES: Final = "{voice} {notes}"
_OF_A_KIND: Final = "{kind} {notes}"
_PICKUP: Final = "the pickup"
_BAR: Final = "bar {first}"
_BAR_RANGE: Final = "bars {first} to {last}"
_PICKUP_AND_BAR: Final = "the pickup and bar 1"
_PICKUP_TO_BAR: Final = "the pickup to bar {last}"


def name(before: Chorale, after: Chorale) -> str:
    """Name the difference of two pieces, as 'new note of the alto in bar 3'; "" without one."""
    new, gone = different_notes(before, after)
    if _other_bars(before, after):
        return _BARS
    if new or gone:
        return _name_of_notes(before, after, new, gone)
    if before.steps == after.steps and (before.fermatas != after.fermatas).any():
        return _FERMATA
    changed = [text for key, text in _PROPERTIES.items()
               if getattr(before, key) != getattr(after, key)]  # fmt: skip
    return _AND.join(changed) if len(changed) <= _NAMED else _SEVERAL


def place(piece: Chorale, before: Chorale) -> Selection | None:
    """Return the passage of ``piece`` whose notes differ from those of ``before``, if any."""
    new, gone = different_notes(before, piece)
    found = [*new, *(note for note in gone if note.start < piece.steps)]
    if not found or _other_bars(before, piece):
        return None
    return Selection(
        voices=tuple(sorted({note.voice for note in found})),
        start=min(note.start for note in found),
        stop=min(max(note.stop for note in found), piece.steps),
    )


def summary_of_notes(piece: Chorale, selection: Selection) -> str:
    """Summarise the selected notes, as '12 notes, bars 1 to 2'; a few are named."""
    found = notes_in(piece, selection)
    count = names.count(len(found), "note")
    if not 0 < len(found) <= _FEW:
        return _COUNT.format(count=count, place=_where(piece, found)) if found else count
    texts = [
        _VOICE_NOTES.format(voice=Voice(voice).title, notes=" ".join(
            names.pitch(note.pitch, piece.key) for note in found if note.voice == voice
        ))
        for voice in sorted({note.voice for note in found})
    ]  # fmt: skip
    return ", ".join(texts)


def different_notes(before: Chorale, after: Chorale) -> tuple[frozenset[Note], frozenset[Note]]:
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
    before: Chorale, after: Chorale, new: frozenset[Note], gone: frozenset[Note]
) -> str:
    piece, all_notes = after if new else before, [*new, *gone]
    voices = {note.voice for note in all_notes}
    where = _where(piece, all_notes)
    kind, count = edit_kinds.kind_of(new, gone)
    text = _NOTES if len(voices) > 1 else _ONE_NOTE if count == 1 else _ONE_VOICE
    notes = text.format(voice=Voice(min(voices)).name.lower(), place=where)
    return _OF_A_KIND.format(kind=kind, notes=notes) if kind else notes


def _where(piece: Chorale, notes: Collection[Note]) -> str:
    """Return the bars in which ``notes`` begin; those of a pickup are in no bar."""
    first, last = (
        (step - piece.pickup) // piece.meter.steps + 1
        for step in (min(n.start for n in notes), max(n.start for n in notes))
    )
    if last < 1:
        return _PICKUP
    if first < 1:
        return (_PICKUP_AND_BAR if last == 1 else _PICKUP_TO_BAR).format(last=last)
    return (_BAR if first == last else _BAR_RANGE).format(first=first, last=last)
