"""Edits of a whole piece: its title, key, meter and tempo, fermatas, and bars."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.analysis import keys
from musicrel.chorale import (
    CHANGES,
    LINES,
    MAX_STEPS,
    REST,
    Chorale,
    Key,
    Mark,
    Voice,
    onsets_where_pitch_changes,
    spans,
)
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.score.editing.draft import HIGHEST_MIDI, OUT_OF_RANGE, TOO_LONG, Draft, Edit, bar_end
from musicrel.score.editing.notes import Note, notes_in, voice_notes
from musicrel.score.editing.selection import Selection
from musicrel.score.notation.spelling import MAX_SIGNS, estimate_key, key_from_signature
from musicrel.score.verses.harmonies import in_order_with_steps

OTHER_FORM: Final = tr(
    "the other piece has no bar there: expected the same meter and pickup, and at least {steps} "
    "sixteenths"
)


def bar_at(piece: Chorale, step: float) -> tuple[int, int]:
    place = min(max(int(step), 0), piece.steps - 1)
    return _bar_start(piece, place), min(bar_end(piece, place + 1), piece.steps)


def excerpt(piece: Chorale, passage: Selection) -> Chorale:
    """Return a passage as a piece, titled after it, as in 'Air, bars 5–8, Bass'.

    It has no provenance: a seed makes the whole piece.
    """
    found = piece.cropped(passage.start, passage.stop)
    silent = [voice for voice in Voice if voice not in passage.voices]
    pitches, onsets = found.pitches.copy(), found.onsets.copy()
    pitches[:, silent], onsets[:, silent] = REST, False
    voices = [Voice(voice).title for voice in passage.voices] if silent else []
    parts = (piece.title, named_bars(piece, passage), *voices)
    return replace(
        found,
        pitches=pitches,
        onsets=onsets,
        title=", ".join(part for part in parts if part),
        provenance=None,
    )


def named_bars(piece: Chorale, passage: Selection) -> str:
    """Return the numbers of the bars of a passage, as in 'bars 5–8'; a pickup is 'bar 0'."""
    first, last = piece.bar_number(passage.start), piece.bar_number(passage.stop - 1)
    if first == last:
        return tr("bar {number}", number=first)
    return tr("bars {first}–{last}", first=first, last=last)


def take_bars(piece: Chorale, other: Chorale, start: int, stop: int) -> Edit:
    """Replace the notes of some steps by those of ``other``, with their words if they have any.

    A note that is held into the steps, or out of them, is cut there unless its pitch goes on.
    """
    if (other.meter, other.pickup) != (piece.meter, piece.pickup) or other.steps < stop:
        raise UsageError(OTHER_FORM.format(steps=stop))
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[start:stop], onsets[start:stop] = other.pitches[start:stop], other.onsets[start:stop]
    onsets |= onsets_where_pitch_changes(pitches)
    words = [word for word in other.lyrics if start <= word.step < stop]
    kept = [word for word in piece.lyrics if not (words and start <= word.step < stop)]
    lyrics = (*kept, *words)
    return Edit(piece=replace(piece, pitches=pitches, onsets=onsets, lyrics=lyrics))


PICKUP: Final = tr(
    "the pickup is {pickup} sixteenths: expected less than a bar of {meter}, 0 to {most}"
)
TEMPO: Final = tr("the tempo is {tempo:g}: expected 5 to 600 quarter notes a minute")
MODE: Final = tr(
    "a piece in {old} cannot be transposed to {new}: choose a {mode} key, or set the key without "
    "transposing"
)

Ranges: TypeAlias = Mapping[Voice, tuple[int, int]]  # lowest and highest note of each voice
_OCTAVE: Final = 12
_FIFTH: Final = 7


def with_properties(piece: Chorale, **changes: Any) -> Edit:
    """Set some of the texts, key, meter, pickup in steps and tempo; the notes stay."""
    for name in {*LINES} & {*changes}:
        changes[name] = " ".join(changes[name].split())
    pickup, meter = changes.get("pickup", piece.pickup), changes.get("meter", piece.meter)
    tempo = changes.get("tempo", piece.tempo)
    if not 0 <= pickup < meter.steps:
        raise UsageError(PICKUP.format(pickup=pickup, meter=meter, most=meter.steps - 1))
    if not 5 <= tempo <= 600:  # noqa: PLR2004
        raise UsageError(TEMPO.format(tempo=tempo))
    edited = replace(piece, **changes)
    return Edit(piece=piece if edited == piece else edited)


def with_marks(
    piece: Chorale,
    selection: Selection,
    *,
    key: Key | None = None,
    tempo: float | None = None,
    percent: float | None = None,
    dynamic: str = "",
    hairpin: str | None = None,
) -> Edit:
    """Set key, tempo, dynamic, a ritardando or a hairpin at a selection.

    The key begins at the bar line, tempo and dynamic with the selection. The ritardando and the
    hairpin last as long as the selection, and ``percent`` of the tempo are left at its end; 100 and
    "" remove what is there. None, or "" as a dynamic, leaves what is there.
    """
    start, stop = selection.start, selection.stop
    replaced = {"slowing": percent is not None, "hairpin": hairpin is not None}
    marks = [
        mark
        for mark in piece.marks
        if not replaced.get(mark.kind) or mark.stop <= start or mark.start >= stop
    ]
    if key is not None:
        line = _bar_start(piece, start)
        marks.append(Mark(kind="key", start=line, stop=line, value=key))
    if tempo is not None:
        marks.append(Mark(kind="tempo", start=start, stop=start, value=tempo))
    if dynamic:
        marks.append(Mark(kind="dynamic", start=start, stop=start, value=dynamic))
    if percent is not None and percent < 100:  # noqa: PLR2004
        marks.append(Mark(kind="slowing", start=start, stop=stop, value=percent))
    if hairpin:
        marks.append(Mark(kind="hairpin", start=start, stop=stop, value=hairpin))
    edited = replace(piece, marks=tuple(marks))
    return Edit(piece=piece if edited == piece else edited)


def toggle_slurs(piece: Chorale, selection: Selection) -> Edit:
    """Slur the selected notes of each voice, or remove the slurs that are there.

    Raises:
        UsageError: no voice has two notes.
    """
    found = notes_in(piece, selection)
    lines = [[note for note in found if note.voice == voice] for voice in selection.voices]
    spans = {Voice(line[0].voice): (line[0].start, line[-1].stop) for line in lines if line[1:]}
    if not spans:
        raise UsageError(tr("a slur needs two notes of a voice: select them first"))
    touched = [
        mark
        for mark in piece.marks
        if isinstance(mark.value, Voice)
        and mark.value in spans
        and mark.start < spans[mark.value][1]
        and mark.stop > spans[mark.value][0]
    ]
    new = [
        Mark(kind="slur", start=start, stop=stop, value=voice)
        for voice, (start, stop) in spans.items()
        if not touched
    ]
    kept = [mark for mark in piece.marks if mark not in touched]
    return Edit(piece=replace(piece, marks=(*kept, *new)), selection=selection)


def transposed_to(piece: Chorale, key: Key) -> Edit:
    """Transpose a piece to ``key``, up or down, whichever is nearer; a tritone goes down.

    A piece without a key is transposed from the scale that most of its notes belong to. The keys
    within it are named after the new one, those with more than seven signs in the usual spelling.
    """
    if piece.key and piece.key.mode != key.mode:
        mode = tr("major") if piece.key.mode == "major" else tr("minor")
        raise UsageError(MODE.format(old=keys.name(piece.key), new=keys.name(key), mode=mode))
    present = piece.key or estimate_key(piece.pitches)
    away = key.fifths - present.fifths
    semitones = (away * _FIFTH + _OCTAVE // 2) % _OCTAVE - _OCTAVE // 2

    def moved(old: Key) -> Key:
        signs = old.fifths + away
        if old == present:
            return key
        return (
            key_from_signature(signs, old.mode)
            if abs(signs) <= MAX_SIGNS
            else old.transposed(semitones)
        )

    marks = tuple(
        replace(mark, value=moved(mark.value)) if isinstance(mark.value, Key) else mark
        for mark in piece.marks
    )
    edited = replace(_shifted(piece, semitones), key=key, marks=marks)
    return Edit(piece=piece if edited == piece else edited)


def transposed_by(piece: Chorale, semitones: int) -> Edit:
    """Transpose a piece by an interval; its key gets another name, in the usual spelling."""
    return Edit(piece=_shifted(piece, semitones) if semitones else piece)


def outside(piece: Chorale, semitones: int, ranges: Ranges) -> Mapping[Voice, int]:
    """Return the number of notes of each voice that a transposition puts outside its range."""
    moved = {voice: [n.pitch + semitones for n in voice_notes(piece, voice)] for voice in ranges}
    return {
        voice: sum(not ranges[voice][0] <= pitch <= ranges[voice][1] for pitch in pitches)
        for voice, pitches in moved.items()
    }


def fitting_shift(piece: Chorale, ranges: Ranges) -> int:
    """Return the transposition in semitones with the fewest notes outside the ranges.

    It is an octave at most, the shortest of equally good ones, and down rather than up.
    """
    within = range(-_OCTAVE, _OCTAVE + 1)
    nearest = sorted(within, key=lambda shift: (abs(shift), shift))
    return min(nearest, key=lambda shift: sum(outside(piece, shift, ranges).values()))


def _shifted(piece: Chorale, semitones: int) -> Chorale:
    sounding = piece.pitches[piece.pitches != REST]
    if sounding.size and not (
        -int(sounding.min()) <= semitones <= HIGHEST_MIDI - int(sounding.max())
    ):
        raise UsageError(OUT_OF_RANGE)
    return piece.transposed(semitones)


def toggle_fermata(piece: Chorale, selection: Selection) -> Edit:
    """Put a fermata on the last note of the selection, or remove the one that is there.

    It covers the steps of one note, the uppermost of those that it is printed on: so the corpus
    has it, and so it comes back from MusicXML. Of a selected phrase this is the last note of the
    soprano. Fermatas over selected rests are removed if no note is selected.
    """
    found = notes_in(piece, selection)
    last = max(found, key=lambda each: (each.start, -each.voice)) if found else None
    place = _uppermost(piece, last) if last else selection
    present = [
        (start, stop)
        for start, stop in spans(piece.fermatas)
        if start < place.stop and stop > place.start
    ]
    if not (found or present):
        raise UsageError(tr("no note is selected: select the note that the fermata stands on"))
    draft = Draft(piece)
    for start, stop in present or [(place.start, place.stop)]:
        draft.fermatas[start:stop] = not present
    return draft.edit(selection)


def add_bar(piece: Chorale) -> Edit:
    draft = Draft(piece)
    end = bar_end(piece, piece.steps)
    draft.resize(end + piece.meter.steps)
    return draft.edit(Selection(voices=_ALL, start=end, stop=len(draft.pitches)))


def insert_bar(piece: Chorale, step: int) -> Edit:
    """Insert a bar of rests before the bar that contains ``step``; it is selected.

    A note that is held across that bar line becomes two. A pickup after an inserted bar is filled
    up to a bar with rests.
    """
    start, added = _bar_start(piece, step), piece.meter.steps
    filled = -piece.pickup % added if start == 0 else 0
    if piece.steps + added + filled > MAX_STEPS:
        raise UsageError(TOO_LONG)
    source_T = np.insert(np.arange(piece.steps), start, np.full(added + filled, -1))
    edited = replace(_rearranged(piece, source_T), pickup=0 if start == 0 else piece.pickup)
    selection = Selection(voices=_ALL, start=start, stop=start + added)
    return Edit(piece=edited, selection=selection, source_T=source_T)


def remove_bars(piece: Chorale, selection: Selection) -> Edit:
    """Remove the bars that the selection touches; the bar after them is selected, or before."""
    start = _bar_start(piece, min(selection.start, piece.steps - 1))
    stop = min(bar_end(piece, selection.stop), piece.steps)
    if stop - start == piece.steps:
        raise UsageError(tr("all bars would be removed: keep at least one"))
    source_T = np.delete(np.arange(piece.steps), slice(start, stop))
    edited = _rearranged(piece, source_T)
    if start == 0:
        edited = replace(edited, pickup=0)
    shown = _bar_start(edited, min(start, edited.steps - 1))
    end = min(bar_end(edited, shown + 1), edited.steps)
    selected = Selection(voices=selection.voices, start=shown, stop=end)
    return Edit(piece=edited, selection=selected, source_T=source_T)


def write_out(piece: Chorale) -> Edit:
    """Write the verses out one after the other, as ``harmonies.in_order``; nothing is selected."""
    written, source_T = in_order_with_steps(piece)
    return Edit(piece=written, source_T=source_T)


_ALL: Final = tuple(map(int, Voice))


def _bar_start(piece: Chorale, step: int) -> int:
    return max(step - (step - piece.pickup) % piece.meter.steps, 0)


def _uppermost(piece: Chorale, note: Note) -> Note:
    """Return the last note under the fermata of ``note`` in the uppermost voice that sounds."""
    over = Selection(voices=_ALL, start=note.start, stop=note.stop)
    found = notes_in(piece, over)
    last = [each for each in found if each.voice == found[0].voice][-1]
    return note if last == note else _uppermost(piece, last)


def _rearranged(piece: Chorale, source_T: npt.NDArray[np.int64]) -> Chorale:
    known_T = source_T >= 0
    pitches = np.where(known_T[:, None], piece.pitches[source_T], np.int16(REST))
    onsets = piece.onsets[source_T] & known_T[:, None]
    cuts = np.flatnonzero(np.diff(source_T, prepend=-1) != 1)
    for cut in cuts[known_T[cuts]].tolist():
        before, now = int(source_T[cut - 1]) if cut else -1, int(source_T[cut])
        begun = piece.onsets[before + 1 : now + 1].any(axis=0) if before >= 0 else True
        onsets[cut] |= (pitches[cut] != REST) & begun
    steps = {source: step for step, source in enumerate(source_T.tolist()) if source >= 0}
    words = [word for word in piece.lyrics if word.step in steps]
    return replace(
        piece,
        pitches=pitches,
        onsets=onsets,
        fermatas=piece.fermatas[source_T] & known_T,
        lyrics=tuple(replace(word, step=steps[word.step]) for word in words),
        marks=tuple(_moved_marks(piece.marks, source_T)),
    )


def _moved_marks(marks: Iterable[Mark], source_T: npt.NDArray[np.int64]) -> Iterator[Mark]:
    """Yield the marks where their steps are now, or the next of those that are left."""
    places = np.flatnonzero(source_T >= 0).tolist()
    kept = source_T[places].tolist()
    for mark in marks:
        first, last = bisect_left(kept, mark.start), bisect_left(kept, mark.stop) - 1
        start = places[first] if first < len(places) else len(source_T)
        if mark.kind in CHANGES:
            yield replace(mark, start=start, stop=start)
        elif first <= last:
            yield replace(mark, start=start, stop=places[last] + 1)
