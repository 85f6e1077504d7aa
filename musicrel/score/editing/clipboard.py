"""Copying a passage and pasting it elsewhere, in the same piece or in that of another window."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Final

from musicrel import untrusted
from musicrel.chorale import MAX_STEPS, Chorale, Lyric, Voice, spans
from musicrel.errors import DataError, UsageError
from musicrel.language import tr
from musicrel.score.editing.draft import HIGHEST_MIDI, Draft, Edit, carried, moved_words
from musicrel.score.editing.notes import Note, extent, notes_in
from musicrel.score.editing.selection import Selection
from musicrel.validated import convert

NOT_A_CLIP: Final = tr("the clipboard holds no notes of a piece: copy some first")
NO_ROOM: Final = tr(
    "the copied notes of {count} voices do not fit below the {voice}: paste at a higher voice"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Clip:
    voices: tuple[int, ...]  # the copied voices, 0 soprano ... 3 bass, in that order, at least one
    length: int  # steps of the passage, at least 1
    # the notes, in steps from the start of the passage; the last ones may end after it
    notes: tuple[Note, ...]
    # voices whose first note began before the passage: it is tied to a note of the same pitch
    # that ends where it is pasted
    tied: tuple[int, ...] = ()
    # first step and the step after the last of each fermata: all of the passage if the soprano is
    # copied, and those that the notes carry
    fermatas: tuple[tuple[int, int], ...] = ()
    lyrics: tuple[Lyric, ...] = ()  # the words of the notes, in steps from the start of the passage

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Clip:
        try:
            clip = convert(untrusted.parse_json(text), Clip, "the clipboard")
            _check(clip)
        except (KeyError, DataError, UsageError):
            raise UsageError(NOT_A_CLIP) from None
        return clip


def copy(piece: Chorale, selection: Selection) -> Clip:
    """Copy the notes that sound in the selection.

    The passage starts where the selection does, and a note that is held into it is tied. If no
    note begins in the selection, the passage starts with the first of the notes, without the voices
    that rest in the selection.
    """
    found = notes_in(piece, selection)
    start, voices = selection.start, selection.voices
    if found and all(note.start < start for note in found):
        start, voices = min(note.start for note in found), extent(found).voices
    moved = [n._replace(start=max(n.start - start, 0), stop=n.stop - start) for n in found]
    stop = selection.stop
    fermatas = carried(piece, found)
    if Voice.SOPRANO in voices:
        fermatas[start:stop] = piece.fermatas[start:stop]
    return Clip(
        voices=voices,
        length=stop - start,
        notes=tuple(moved),
        tied=tuple(sorted({note.voice for note in found if note.start < start})),
        fermatas=tuple(spans(fermatas[start:])),
        lyrics=tuple(
            word
            for word in moved_words(piece.lyrics, found, [n.moved(-start) for n in found])
            if word.step >= 0
        ),
    )


def cut(piece: Chorale, selection: Selection) -> tuple[Clip, Edit]:
    """Copy the notes, and remove them with the fermatas that they carry; rests remain."""
    found, draft = notes_in(piece, selection), Draft(piece)
    draft.fermatas[carried(piece, found)] = False
    draft.clear_notes(found)
    return copy(piece, selection), draft.edit(selection)


def paste(piece: Chorale, clip: Clip, step: int, voice: int | None = None) -> Edit:
    """Paste a copied passage; it replaces what lies at its place in its voices, rests included.

    Fermatas are pasted if the notes stay in their voices, and replaced if the soprano is among
    these. The piece grows by whole bars.

    Args:
        voice: where its uppermost voice goes, the others below it; None: the voices it came from.
    """
    down = 0 if voice is None else int(voice) - clip.voices[0]
    voices = tuple(each + down for each in clip.voices)
    if voices[-1] >= len(Voice):
        raise UsageError(NO_ROOM.format(count=len(voices), voice=Voice(voices[0]).noun))
    draft = Draft(piece)
    draft.grow(step + clip.length)
    for each in voices:
        draft.clear(each, step, step + clip.length)
    pasted = [note._replace(voice=note.voice + down).moved(step) for note in clip.notes]
    draft.put_passages(pasted)
    draft.set_words(pasted, moved_words(clip.lyrics, clip.notes, pasted))
    for each in (voice + down for voice in clip.tied):
        if step and draft.pitches[step, each] == draft.pitches[step - 1, each]:
            draft.onsets[step, each] = False
    if not down:
        if Voice.SOPRANO in clip.voices:
            draft.fermatas[step : step + clip.length] = False
        for start, stop in clip.fermatas:
            draft.fermatas[step + start : step + stop] = True
    return draft.edit(Selection(voices=voices, start=step, stop=step + clip.length))


def duplicate(piece: Chorale, selection: Selection) -> Edit:
    """Repeat the notes right after themselves.

    Whole bars are repeated in the bars after them, anything else where its last note ends.
    """
    found = notes_in(piece, selection)
    if not found:
        return Edit(piece=piece, selection=selection)
    clip = copy(piece, selection)
    if {selection.start, selection.stop} <= {0, *piece.bar_line_steps(), piece.steps}:
        return paste(piece, _cropped(clip), selection.stop)
    stop = max(selection.stop, extent(found).stop)
    return paste(piece, replace(clip, length=stop - selection.stop + clip.length), stop)


def _cropped(clip: Clip) -> Clip:
    notes = [note._replace(stop=min(note.stop, clip.length)) for note in clip.notes]
    ends = [(start, min(stop, clip.length)) for start, stop in clip.fermatas]
    fermatas = [(start, stop) for start, stop in ends if start < stop]
    return replace(clip, notes=tuple(notes), fermatas=tuple(fermatas))


def _check(clip: Clip) -> None:
    selected = Selection(voices=clip.voices, start=0, stop=clip.length)
    free = dict.fromkeys(selected.voices, 0)
    fits = clip.length <= MAX_STEPS
    for note in clip.notes:
        fits &= free[note.voice] <= note.start < min(note.stop, clip.length)
        fits &= note.stop <= MAX_STEPS and 0 <= note.pitch <= HIGHEST_MIDI
        free[note.voice] = note.stop
    end = max([clip.length, *free.values()])
    fits &= all(0 <= start < stop <= end for start, stop in clip.fermatas)
    if not (fits and {*clip.tied} <= {*clip.voices}):
        raise UsageError(NOT_A_CLIP)
