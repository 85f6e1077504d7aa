"""Differences between a piece and the one before, and names of edits for Undo and Redo."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import LINES, REST, Chorale, Voice
from musicrel.language import count, tr
from musicrel.presentation.words import names
from musicrel.score.editing.notes import Note, notes_in, voice_notes
from musicrel.score.editing.selection import Selection
from musicrel.score.importing.conversion import listed

_PROPERTIES: Final = dict(
    zip(
        (*LINES, "key", "meter", "pickup", "tempo"),
        tr("title subtitle composer poet tune copyright key meter pickup tempo").split(),
        strict=True,
    )
)
_MARKS: Final = {
    "key": tr("key change"), "tempo": tr("tempo change"), "dynamic": tr("dynamic"),
    "slowing": tr("ritardando"), "slur": tr("slur"), "hairpin": tr("hairpin"),
}  # fmt: skip
_NAMED: Final = 2  # most properties that are named
_FEW: Final = 4  # most copied notes that are named
_GROUPS: Final = {tuple(Voice): tr("All voices"), tuple(Voice)[1:]: tr("Lower voices")}
NEW: Final = "new"
DELETED: Final = "deleted"
MOVED: Final = "moved"
JOINED: Final = "joined"
CHANGED: Final = ""  # anything else
# one note and several
_NOTES: Final = {
    NEW: (tr("new note"), tr("new notes")),
    DELETED: (tr("deleted note"), tr("deleted notes")),
    MOVED: (tr("moved note"), tr("moved notes")),
    JOINED: (tr("joined note"), tr("joined notes")),
    "split": (tr("split note"), tr("split notes")),
    "shorter": (tr("shorter note"), tr("shorter notes")),
    "longer": (tr("longer note"), tr("longer notes")),
    "transposed": (tr("transposed note"), tr("transposed notes")),
    CHANGED: (tr("note"), tr("notes")),
}


class EditKind(NamedTuple):
    kind: str
    size: int


def is_part(new: Note, note: Note) -> bool:
    """Return whether ``new`` is what may be left of ``note`` when others were written over it."""
    same = (new.voice, new.pitch) == (note.voice, note.pitch)
    return same and note.start <= new.start and new.stop <= note.stop


def kind_of(new: frozenset[Note], gone: frozenset[Note]) -> EditKind:
    left = [note for note in new if any(is_part(note, other) for other in gone)]
    cut = [note for note in gone if any(is_part(part, note) for part in left)]
    after, before = sorted(new.difference(left)), sorted(gone.difference(cut))
    if not after and not before:
        return EditKind("split" if len(left) > len(cut) else "shorter", len(cut))
    kind = _kind(before, after)
    return EditKind(kind, len(before if kind in (DELETED, JOINED) else after))


def _kind(before: Sequence[Note], after: Sequence[Note]) -> str:
    if not before or not after:
        return NEW if after else DELETED
    if len(before) == len(after):
        return _kind_of_pairs(list(zip(before, after, strict=True)))
    if _are_moved(before, after):
        return MOVED
    if len(before) > 1 and len(after) == 1 and _spans(before, after[0]):
        return JOINED
    covered = all(any(_overlap(old, note) for note in after) for old in before)
    return NEW if covered else CHANGED


def _kind_of_pairs(pairs: Sequence[tuple[Note, Note]]) -> str:
    """Return the kind if each note became another one in the same way; else ``CHANGED``."""
    if all(old[:2] == new[:2] and old.voice == new.voice for old, new in pairs):
        return "transposed"
    if all(old._replace(stop=new.stop) == new for old, new in pairs):
        return "longer" if all(old.stop < new.stop for old, new in pairs) else CHANGED
    shifts = {tuple(b - a for a, b in zip(old, new, strict=True)) for old, new in pairs}
    if len(shifts) > 1 or any(old.length != new.length for old, new in pairs):
        return CHANGED
    sure = all(old.pitch == new.pitch or not _overlap(old, new) for old, new in pairs)
    return MOVED if sure else CHANGED


def _are_moved(before: Sequence[Note], after: Sequence[Note]) -> bool:
    """Return whether ``after`` are some of ``before``, moved in time over the others."""
    return any(
        {note._replace(start=note.start - by, stop=note.stop - by) for note in after} <= {*before}
        for by in {after[0].start - old.start for old in before}
    )


def _spans(before: Sequence[Note], note: Note) -> bool:
    """Return whether ``note`` lies where ``before`` did, with the pitch of the first of them."""
    ends = (before[0].start, before[-1].stop, before[0].pitch, before[0].voice)
    return note == ends and all(old.voice == note.voice for old in before)


def _overlap(one: Note, other: Note) -> bool:
    return one.voice == other.voice and one.start < other.stop and other.start < one.stop


def name(before: Chorale, after: Chorale) -> str:
    """Name the difference of two pieces, as 'new note of the alto in bar 3'; "" without one."""
    new, gone = different_notes(before, after)
    if _other_bars(before, after):
        return tr("bars")
    if new or gone:
        return _name_of_notes(before, after, new, gone)
    if before.steps == after.steps and (before.fermatas != after.fermatas).any():
        return tr("fermata")
    if before.lyrics != after.lyrics:
        return tr("words")
    kinds = {mark.kind for mark in {*before.marks} ^ {*after.marks}}
    changed = [name for kind, name in _MARKS.items() if kind in kinds]
    changed += [
        name for key, name in _PROPERTIES.items() if getattr(before, key) != getattr(after, key)
    ]
    return listed(changed) if len(changed) <= _NAMED else tr("properties")


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
    number = count(len(found), "note")
    if not 0 < len(found) <= _FEW:
        return f"{number}, {_where(piece, found, _PICKUP)}" if found else number
    parts = []
    for voice in sorted({note.voice for note in found}):
        own = [note for note in found if note.voice == voice]
        pitches = (names.pitch(note.pitch, piece.key_at(note.start)) for note in own)
        parts.append(f"{Voice(voice).title} {' '.join(pitches)}")
    return ", ".join(parts)


def different_notes(before: Chorale, after: Chorale) -> tuple[frozenset[Note], frozenset[Note]]:
    voices = [voice for voice in Voice if not _same_voice(before, after, voice)]
    one, other = (
        frozenset(note for voice in voices for note in voice_notes(piece, voice))
        for piece in (before, after)
    )
    return other - one, one - other


def _same_voice(one: Chorale, other: Chorale, voice: Voice) -> bool:
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
    kind, size = kind_of(new, gone)
    if len(voices) > 1:
        return tr("{notes} in {where}", notes=_NOTES[kind][1], where=where)
    voice, notes = Voice(min(voices)).noun, _NOTES[kind][size != 1]
    return tr("{notes} of the {voice} in {where}", notes=notes, voice=voice, where=where)


def passage(piece: Chorale, before: Chorale) -> str:
    """Name the voices and bars whose notes differ, as 'Bass, bars 9–10'; "" if none do."""
    new, gone = different_notes(before, piece)
    found = [*new, *gone]
    voices = tuple(sorted({Voice(note.voice) for note in found}))
    named = _GROUPS.get(voices) or listed([Voice(voice).noun for voice in voices])
    return f"{named[:1].upper()}{named[1:]}, {_where(piece, found, _PICKUP, '–')}" if found else ""


# what begins in the pickup and ends there, in bar 1, and in a later one: in a sentence, and alone
_THE_PICKUP: Final = tr("the pickup"), tr("the pickup and bar 1"), tr("the pickup to bar {last}")
_PICKUP: Final = tr("pickup"), tr("pickup and bar 1"), tr("pickup to bar {last}")


def _where(
    piece: Chorale,
    notes: Collection[Note],
    pickup: tuple[str, str, str] = _THE_PICKUP,
    to: str = tr(" to "),
) -> str:
    """Return the bars in which ``notes`` begin; those of a pickup are in no bar."""
    first, last = (
        piece.bar_number(step)
        for step in (min(n.start for n in notes), max(n.start for n in notes))
    )
    if first < 1:
        return pickup[min(last, 2)].format(last=last)
    if first == last:
        return tr("bar {first}", first=first)
    return tr("bars {first}{to}{last}", first=first, to=to, last=last)


def effects(before: Chorale, after: Chorale, edited: Collection[Note]) -> str:
    """Name the notes that an edit replaced or cut, as '2 notes of the alto replaced'."""
    new, gone = different_notes(before, after)
    others = gone - frozenset(edited)
    shortened = [note for note in others if any(is_part(each, note) for each in new)]
    replaced = [note for note in others if note not in shortened]
    parts = ((replaced, tr("replaced")), (shortened, tr("shortened")))
    return ", ".join(_effect_text(notes, what) for notes, what in parts if notes)


def _effect_text(notes: Sequence[Note], what: str) -> str:
    number, voices = count(len(notes), "note"), {note.voice for note in notes}
    if len(voices) > 1:
        return f"{number} {what}"
    voice = Voice(min(voices)).noun
    return tr("{notes} of the {voice} {what}", notes=number, voice=voice, what=what)


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    new: frozenset[Note] = frozenset()  # notes of the piece only
    gone: frozenset[Note] = frozenset()  # notes of the piece before only
    # steps of the piece from the first to the last change; None without any
    region: tuple[int, int] | None = None
    added_bars: int = 0  # bars that were added at the end of an unchanged piece; 0: something else

    def describe(self) -> str:
        if self.added_bars:
            return tr("{bars} added", bars=count(self.added_bars, "bar"))
        if self.gone and not self.new:
            return tr("{notes} removed", notes=count(len(self.gone), "note"))
        if not self.new:
            return tr("no note changed")
        return tr("{notes} changed", notes=count(len(self.new), "note"))


def compare(piece: Chorale, before: Chorale) -> Changes:
    new, gone = different_notes(before, piece)
    longer = piece.steps > before.steps
    kept = longer and not gone and all(note.start >= before.steps for note in new)
    return Changes(
        new=new,
        gone=gone,
        region=_changed_steps(piece, before),
        added_bars=piece.bars - before.bars if kept else 0,
    )


def _changed_steps(piece: Chorale, before: Chorale) -> tuple[int, int] | None:
    """Return the steps with other pitches, or else with other onsets; new steps are included."""
    common = min(piece.steps, before.steps)
    for one, other in ((piece.pitches, before.pitches), (piece.onsets, before.onsets)):
        changed = np.ones(piece.steps, dtype=np.bool_)
        changed[:common] = (one[:common] != other[:common]).any(axis=1)
        if changed.any():
            steps = np.flatnonzero(changed)
            return int(steps[0]), int(steps[-1]) + 1
    return None
