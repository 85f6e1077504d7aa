"""The kind of an edit of notes, found by comparing the notes before and after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from musicrel.editing.notes import Note

NEW: Final = "new"
DELETED: Final = "deleted"
MOVED: Final = "moved"
TRANSPOSED: Final = "transposed"
LONGER: Final = "longer"
SHORTER: Final = "shorter"
SPLIT: Final = "split"
JOINED: Final = "joined"
CHANGED: Final = ""
"""Anything else."""


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
        return EditKind(SPLIT if len(left) > len(cut) else SHORTER, len(cut))
    kind = _kind(before, after)
    return EditKind(kind, len(before if kind in (DELETED, JOINED) else after))


def _kind(before: Sequence[Note], after: Sequence[Note]) -> str:
    """Return the kind of an edit that wrote ``after`` in place of ``before``."""
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
        return TRANSPOSED
    if all(old._replace(stop=new.stop) == new for old, new in pairs):
        return LONGER if all(old.stop < new.stop for old, new in pairs) else CHANGED
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
