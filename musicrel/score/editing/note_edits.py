"""Edits of notes: adding, removing, moving, lengthening, splitting and joining them.

An edit applies to the whole notes that sound in the selection, see ``notes.notes_in``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.score.editing.draft import Draft, Edit, move_fermatas, moved_words
from musicrel.score.editing.notes import Note, extent, notes_in, voice_notes
from musicrel.score.editing.selection import Selection
from musicrel.score.notation.spelling import altered_letters, signature, spell

LETTERS: Final = "CDEFGAB"  # the letters of an octave, from the lowest

_NATURALS: Final = (0, 2, 4, 5, 7, 9, 11)
_OCTAVE: Final = 12


def degree(pitch: int, key: Key | None) -> int:
    """Return the letter of ``pitch`` in ``key``, counted from the C of octave 0: 7 an octave."""
    spelled = spell(pitch, key)
    return len(LETTERS) * spelled.octave + LETTERS.index(spelled.step)


def pitch_of(number: int, key: Key | None) -> int:
    """Return the pitch of a letter, counted as in ``degree``, with the key signature applied."""
    octave, index = divmod(number, len(LETTERS))
    altered = altered_letters(signature(key)) if key else {}
    return _OCTAVE * (octave + 1) + _NATURALS[index] + altered.get(LETTERS[index], 0)


def by_degrees(pitch: int, key: Key | None, degrees: int) -> int:
    """Return the pitch ``degrees`` higher in the scale of ``key``; None: in C major."""
    return pitch_of(degree(pitch, key) + degrees, key) if degrees else pitch


def nearest(letter: str, pitch: int, key: Key | None) -> int:
    """Return the pitch of ``letter`` that is nearest to ``pitch``: a fourth away at most."""
    number, octave = degree(pitch, key), len(LETTERS)
    away = (LETTERS.index(letter) - number + octave // 2) % octave - octave // 2
    return pitch_of(number + away, key)


_OUTSIDE: Final = 100  # cost of a note outside the range of its voice, in semitones
_CROSSES: Final = 24  # cost of a note above the next higher voice or below the next lower one
_REPLACES: Final = 3  # cost of a place where the voice sounds already


def fitting_voice(
    piece: Chorale, step: int, pitch: int, ranges: Mapping[Voice, tuple[int, int]]
) -> Voice:
    """Return the voice that has a note in its range, near others, without crossings."""
    return min(Voice, key=lambda voice: _cost(piece, step, pitch, voice, ranges[voice]))


def _cost(piece: Chorale, step: int, pitch: int, voice: Voice, between: tuple[int, int]) -> int:
    low, high = between
    sounding = piece.pitches[step]
    nearest = min(
        voice_notes(piece, voice),
        key=lambda note: max(note.start - step, step - note.stop + 1, 0),
        default=None,
    )
    cost = abs(pitch - (nearest.pitch if nearest else (low + high) // 2))
    for other in Voice:
        interval = pitch - sounding[other]
        if sounding[other] != REST and ((other < voice and interval > 0) or
                                        (other > voice and interval < 0)):  # fmt: skip
            cost += _CROSSES
    cost += 0 if low <= pitch <= high else _OUTSIDE
    return cost + (_REPLACES if sounding[voice] != REST else 0)


def copy_by(piece: Chorale, selection: Selection, *, steps: int, semitones: int) -> Edit:
    """Copy the notes to another place and pitch, where the copies replace what lies under them."""
    found = notes_in(piece, selection)
    copies = [note.moved(steps, semitones) for note in found]
    draft = Draft(piece)
    for note in copies:
        draft.put(note)
    draft.set_words(copies, moved_words(piece.lyrics, found, copies))
    return draft.edit_of(copies) if copies else draft.edit(selection)


GONE: Final = tr("the note is no longer in the piece: select it again")
TOO_SHORT_TO_SPLIT: Final = tr(
    "a sixteenth is the shortest note and cannot be split: select a longer note"
)
SEVERAL_VOICES: Final = tr(
    "notes of several voices are selected, and a voice has one note at a time: "
    "select the notes of one voice, then move them"
)


def put(piece: Chorale, note: Note) -> Edit:
    """Write a note as ``Draft.put`` does."""
    draft = Draft(piece)
    draft.put(note)
    return draft.edit(Selection.of_note(note))


def replace_note(piece: Chorale, old: Note, new: Note) -> Edit:
    if old not in voice_notes(piece, old.voice):
        raise UsageError(GONE)
    draft = Draft(piece)
    draft.clear_notes([old])
    draft.put(new)
    draft.move_words([old], [new])
    return draft.edit(Selection.of_note(new))


def delete(piece: Chorale, selection: Selection) -> Edit:
    draft = Draft(piece)
    draft.clear_notes(notes_in(piece, selection))
    return draft.edit(selection)


def move(piece: Chorale, selection: Selection, *, steps: int = 0, semitones: int = 0) -> Edit:
    """Move the notes in time and pitch.

    Rests between the moved notes of a voice move with them, and so do the fermatas of the
    uppermost voice. The passage replaces what lies at its new place in the same voice. The piece
    grows by whole bars if it ends there.
    """
    before = notes_in(piece, selection)
    after = [note.moved(steps, semitones) for note in before]
    start = max(selection.start + steps, 0)
    target = replace(selection, start=start, stop=max(selection.stop + steps, start + 1))
    return _moved(piece, before, after, selection, target)


def move_by_scale(piece: Chorale, selection: Selection, degrees: int) -> Edit:
    """Move the notes by degrees of the scale; an altered degree stays raised or lowered."""
    before = notes_in(piece, selection)
    after = [n._replace(pitch=by_degrees(n.pitch, piece.key_at(n.start), degrees)) for n in before]
    return _moved(piece, before, after, selection, selection)


def resize(piece: Chorale, selection: Selection, steps: int) -> Edit:
    """Lengthen or shorten the last note of every voice; the notes after it are delayed."""
    found = notes_in(piece, selection)
    last = {note.voice: note for note in found}
    draft = Draft(piece)
    for note in last.values():
        longer = note._replace(stop=note.stop + steps)
        cut = [
            other
            for other in voice_notes(piece, note.voice)
            if note.stop <= other.start < longer.stop < other.stop
        ]
        delayed = [other._replace(start=longer.stop) for other in cut]
        draft.clear_notes([note])
        for each in [longer, *delayed]:
            draft.put(each)
        draft.move_words(cut, delayed)
    after = [n._replace(stop=n.stop + steps) if last[n.voice] == n else n for n in found]
    if not found:
        return draft.edit(selection)
    return draft.edit_of(after, extent(after) if extent(found) == selection else selection)


def split(piece: Chorale, selection: Selection, step: int | None = None) -> Edit:
    """Split every note in two of one pitch, at a step or in the middle."""
    found = notes_in(piece, selection)
    draft = Draft(piece)
    for note in found:
        at = note.start + note.length // 2 if step is None else step
        if note.start < at < note.stop:
            draft.onsets[at, note.voice] = True
    edit = draft.edit(selection)
    if found and edit.piece is piece:
        inside = tr("no selected note goes on across this place: put the cursor inside a note")
        raise UsageError(TOO_SHORT_TO_SPLIT if step is None else inside)
    return edit


def join(piece: Chorale, selection: Selection) -> Edit:
    """Join the notes of every voice to one with the pitch of the first."""
    found = notes_in(piece, selection)
    draft = Draft(piece)
    for voice in selection.voices:
        of_voice = [note for note in found if note.voice == voice]
        if len(of_voice) > 1:
            draft.put(of_voice[0]._replace(stop=of_voice[-1].stop))
    edit = draft.edit(selection)
    if found and edit.piece is piece:
        raise UsageError(
            tr("only one note of the voice is selected: select two or more to join them")
        )
    return edit


def change_voice(piece: Chorale, selection: Selection, voice: int) -> Edit:
    before = notes_in(piece, selection)
    if len({note.voice for note in before}) > 1:
        raise UsageError(SEVERAL_VOICES)
    after = [note._replace(voice=int(voice)) for note in before]
    return _moved(piece, before, after, selection, replace(selection, voices=(int(voice),)))


def _moved(
    piece: Chorale,
    before: Sequence[Note],
    after: Sequence[Note],
    selection: Selection,
    target: Selection,
) -> Edit:
    draft = Draft(piece)
    if not before:
        return draft.edit(selection)
    draft.clear_notes(before)
    draft.put_passages(after)
    draft.move_words(before, after)
    move_fermatas(draft, piece, before, after)
    return draft.edit_of(after, target)
