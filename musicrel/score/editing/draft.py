"""A piece while it is edited: a copy of its cells that can be written to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import MAX_STEPS, REST, Chorale, Flags, Lyric, Pitches, Voice, spans
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.score.editing.notes import Note, extent, notes_in
from musicrel.score.editing.selection import Selection


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edit:
    piece: Chorale
    selection: Selection | None = None  # what is selected after the edit; None: nothing
    # for every step of ``piece`` the step of the old piece that it was, or -1 for a new one,
    # int64 (T,). None: steps were at most added at the end
    source_T: npt.NDArray[np.int64] | None = None

    def moved(self, cells: Flags) -> Flags:
        """Return flags of the old piece, bool (T, 4), for the steps of the new one."""
        steps = self.piece.steps
        source_T = self.source_T if self.source_T is not None else np.arange(steps)
        known_T = (source_T >= 0) & (source_T < len(cells))
        moved = np.zeros((steps, cells.shape[1]), dtype=np.bool_)
        moved[known_T] = cells[source_T[known_T]]
        return moved


HIGHEST_MIDI: Final = 127
OUT_OF_RANGE: Final = tr(
    "a note would be lower than C-1 or higher than G9, which no format can hold: move it less far"
)
TOO_SHORT: Final = tr(
    "a note would be shorter than a sixteenth, the shortest there is: keep it longer"
)
TOO_LONG: Final = tr(
    "the piece would be longer than {steps:,} sixteenths, the limit: remove bars first",
    steps=MAX_STEPS,
)


class Draft:
    """The cells of a piece, to be edited: int16 and bool (T, 4), bool (T,).

    Words stay at their steps as long as a note begins there; ``set_words`` lets them go elsewhere.
    """

    def __init__(self, piece: Chorale) -> None:
        self._piece = piece
        self.pitches = piece.pitches.copy()
        self.onsets = piece.onsets.copy()
        self.fermatas = piece.fermatas.copy()
        self.lyrics = piece.lyrics

    def clear(self, voice: int, start: int, stop: int) -> None:
        """Silence a voice for some steps, and the rest of a note that is held past them."""
        steps = len(self.pitches)
        if stop < steps and not self._ends(voice, stop, stop + 1)[0]:
            ends = self._ends(voice, stop, steps)
            stop = stop + int(np.argmax(ends)) if ends.any() else steps
        self.pitches[start:stop, voice] = REST
        self.onsets[start:stop, voice] = False

    def _ends(self, voice: int, start: int, stop: int) -> Flags:
        ends: Flags = self.onsets[start:stop, voice] | (self.pitches[start:stop, voice] == REST)
        return ends

    def clear_notes(self, notes: Iterable[Note]) -> None:
        for note in notes:
            self.clear(note.voice, note.start, note.stop)

    def put(self, note: Note) -> None:
        """Write a note; it cuts a note that it begins in, and replaces those that begin under it.

        The piece grows by whole bars if the note ends after it.
        """
        if note.length < 1:
            raise UsageError(TOO_SHORT)
        if note.start < 0:
            raise UsageError(
                tr("a note would begin before the piece does: move it less far to the left")
            )
        if not 0 <= note.pitch <= HIGHEST_MIDI:
            raise UsageError(OUT_OF_RANGE)
        self.grow(note.stop)
        self.clear(note.voice, note.start, note.stop)
        self.pitches[note.start : note.stop, note.voice] = note.pitch
        self.onsets[note.start, note.voice] = True

    def put_passages(self, notes: Sequence[Note]) -> None:
        for voice in {note.voice for note in notes}:
            passage = [note for note in notes if note.voice == voice]
            start, stop = passage[0].start, passage[-1].stop
            if start >= 0:
                self.grow(stop)
                self.clear(voice, start, stop)
            for note in passage:
                self.put(note)

    def set_words(self, under: Iterable[Note], lyrics: Iterable[Lyric]) -> None:
        """Replace the words of the notes that begin where ``under`` do by those of ``lyrics``."""
        places = {(note.voice, note.start) for note in under}
        kept = [word for word in self.lyrics if (word.voice, word.step) not in places]
        new = [word for word in lyrics if (word.voice, word.step) in places]
        self.lyrics = (*kept, *new)

    def move_words(self, before: Sequence[Note], after: Sequence[Note]) -> None:
        """Move the words of notes with them; those of the notes that they replace go."""
        self.set_words([*before, *after], moved_words(self.lyrics, before, after))

    def grow(self, stop: int) -> None:
        if stop > len(self.pitches):
            self.resize(bar_end(self._piece, stop))

    def resize(self, steps: int) -> None:
        if steps > MAX_STEPS:
            raise UsageError(TOO_LONG)
        added = steps - len(self.pitches)
        self.pitches = np.pad(self.pitches, ((0, added), (0, 0)), constant_values=REST)
        self.onsets = np.pad(self.onsets, ((0, added), (0, 0)))
        self.fermatas = np.pad(self.fermatas, (0, added))

    def trim(self, least: int) -> None:
        """Remove the whole bars of rests at the end, but none that begins before ``least``."""
        sounding = np.flatnonzero((self.pitches != REST).any(axis=1))
        last = int(sounding[-1]) + 1 if sounding.size else 1
        stop = bar_end(self._piece, max(least, last))
        self.pitches, self.onsets = self.pitches[:stop], self.onsets[:stop]
        self.fermatas = self.fermatas[:stop]

    def edit(self, selection: Selection | None) -> Edit:
        """Return the result; its piece is the old object if no cell has changed.

        A fermata over rests goes if there were notes: it goes with the last note under it.
        """
        sounded, sounds = self._piece.pitches != REST, self.pitches != REST
        for start, stop in spans(self.fermatas):
            if sounded[start:stop].any() and not sounds[start:stop].any():
                self.fermatas[start:stop] = False
        piece = replace(
            self._piece,
            pitches=self.pitches,
            onsets=self.onsets,
            fermatas=self.fermatas,
            lyrics=self.lyrics,
        )
        return Edit(piece=self._piece if piece == self._piece else piece, selection=selection)

    def edit_of(self, notes: Sequence[Note], *preferred: Selection) -> Edit:
        """Return the result with ``notes``, at least one, selected, and no others if possible."""
        edit = self.edit(None)
        steps = edit.piece.steps
        within = [replace(each, stop=min(each.stop, steps)) for each in preferred]
        choices = [*within, extent(notes), *_core(notes)]
        exact = (c for c in choices if sorted(notes_in(edit.piece, c)) == sorted(notes))
        return replace(edit, selection=next(exact, choices[0]))


def bar_end(piece: Chorale, step: int) -> int:
    """Return the first end of a bar at ``step`` or after it."""
    return step + (piece.pickup - step) % piece.meter.steps


def _core(notes: Sequence[Note]) -> list[Selection]:
    """Return the shortest selection in which all ``notes`` sound."""
    first_stop = min(note.stop for note in notes)
    last_start = max(note.start for note in notes)
    start = min(first_stop - 1, last_start)
    voices = extent(notes).voices
    return [Selection(voices=voices, start=start, stop=max(last_start + 1, start + 1))]


def moved_words(
    lyrics: Sequence[Lyric], before: Sequence[Note], after: Sequence[Note]
) -> list[Lyric]:
    """Return the words of the notes ``before`` where the same notes are ``after``, in order."""
    notes = {(old.voice, old.start): new for old, new in zip(before, after, strict=True)}
    return [
        replace(word, voice=Voice(note.voice), step=note.start)
        for word in lyrics
        if (note := notes.get((word.voice, word.step)))
    ]


def carried(piece: Chorale, notes: Sequence[Note]) -> Flags:
    """Return the steps whose fermata is over ``notes``, the uppermost that sound, bool (T,)."""
    return _uppermost(piece.pitches, notes) & piece.fermatas


def move_fermatas(
    draft: Draft, piece: Chorale, before: Sequence[Note], after: Sequence[Note]
) -> None:
    """Move the fermatas of ``before`` in time with their notes; those at their place go."""
    steps = after[0].start - before[0].start
    if steps:
        own = np.flatnonzero(carried(piece, before))
        draft.fermatas[own] = False
        draft.fermatas[_uppermost(draft.pitches, after)] = False
        draft.fermatas[own + steps] = True


def _uppermost(pitches: Pitches, notes: Sequence[Note]) -> Flags:
    """Return the steps where no voice sounds above ``notes``, bool (T,)."""
    voices = np.argmax(pitches != REST, axis=1)
    flags = np.zeros(len(pitches), dtype=np.bool_)
    for note in notes:
        flags[note.start : note.stop] |= voices[note.start : note.stop] == note.voice
    return flags
