"""A source -> one tune in a voice's range, ready to be harmonised.

Which line is the tune is told by names, else by order and height; of a line with chords the outer
notes stay. Silence before and after it is cut off, a beginning within a bar is the pickup. The
tune is moved by the fewest semitones that bring it into the voice's range, by octaves where most
of it lies outside; single notes that then still lie outside are moved by octaves of their own.

This file knows nothing of files or of how a tune is harmonised.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from musicrel.chorale import MAX_STEPS, RANGES, Chorale, Voice
from musicrel.errors import DataError
from musicrel.score.importing.conversion import Reading, assembled
from musicrel.score.importing.import_report import Report
from musicrel.score.importing.quantisation import quantised, single
from musicrel.score.importing.satb_import import height, joined, voice_named, voices_of
from musicrel.score.importing.source import Line, Source, sounding
from musicrel.score.notes import Note

_OCTAVE: Final = 12
_TUNES: Final = frozenset({
    "melody", "melodie", "melodia", "mélodie", "tune", "lead", "vocal", "vocals", "voice",
    "gesang", "singstimme", "voix", "canto", "hymn",
})  # fmt: skip
"""How parts are called that carry the tune."""


def reading(source: Source, voice: Voice = Voice.SOPRANO) -> Reading:
    """The tune in ``source`` as a chorale in which only ``voice`` sings, with a report.

    Args:
        source: a file's music.
        voice: who is to sing the tune.

    Raises:
        DataError: there are no notes, or a value is none a chorale can have.
    """
    report = Report(source)
    line = _line(source, voice, report)
    notes = single(quantised(line.sounds, report), report, top=voice != Voice.BASS)
    if not notes:
        raise DataError("it has no notes within the longest piece: expected a melody")
    notes, semitones = _in_range(notes, voice, report)
    voices = [notes if other == voice else [] for other in Voice]
    last = line.sounds[-1]
    steps = round(last.stop) if last.start >= MAX_STEPS else notes[-1].stop
    chorale = assembled(source, voices, steps, report)
    if semitones:
        report.say(_moved(semitones, voice))
        chorale = replace(chorale, key=chorale.key and chorale.key.transposed(semitones))
    return Reading(
        chorale=_from_first_note(chorale, notes[0].start, report),
        report=report.sentences(),
        semitones=semitones,
    )


def fitting_shift(pitches: Sequence[int], voice: Voice) -> int:
    """The semitones by which a line of ``pitches`` (not empty) comes into the range of ``voice``.

    The fewest, or octaves where more than half of the notes lie outside and octaves will do; for a
    line wider than the range the shift that leaves as few notes as possible outside, and of those
    the one nearest to 0.
    """
    low, high = RANGES[voice]
    rise, fall = low - min(pitches), high - max(pitches)
    known = Counter(pitches)
    if rise > fall:
        return min(range(-127, 128), key=lambda shift: (_outside(known, shift, voice), abs(shift)))
    fewest = max(rise, 0) or min(fall, 0)
    octaves = range(-(-rise // _OCTAVE) * _OCTAVE, fall + 1, _OCTAVE)
    if octaves and 2 * _outside(known, 0, voice) > len(pitches):
        return min(octaves, key=abs)
    return fewest


def _line(source: Source, voice: Voice, report: Report) -> Line:
    """The line of ``source`` that is the tune."""
    lines = sounding(source.lines)
    if not lines:
        raise DataError("it has no notes: expected a melody")
    if len(lines) == 1:
        return lines[0]
    chosen = _named(source, lines, voice) or _outer_staff(lines, voice)
    name = f"'{chosen.name}'" if chosen.name else f"that on staff or track {chosen.staff + 1}"
    report.say(f"of its {len(lines)} lines with notes {name} was taken as the melody")
    return chosen


def _outer_staff(lines: Sequence[Line], voice: Voice) -> Line:
    """What the highest staff sings, for the bass the lowest: its upper line if that has most."""
    staves: dict[int, list[Line]] = {}
    for line in lines:
        staves.setdefault(line.staff, []).append(line)
    outer = min if voice == Voice.BASS else max
    staff = outer((joined(on_staff) for on_staff in staves.values()), key=height)
    line = outer(staves[staff.staff], key=height)
    return line if 2 * len(line.sounds) > len(staff.sounds) else staff


def _named(source: Source, lines: Sequence[Line], voice: Voice) -> Line | None:
    """The line that is ``voice``, or is called a tune."""
    tunes = [line for line in lines if line.name.strip().lower() in _TUNES]
    singers: Mapping[Voice, Line] = {} if tunes else voices_of(source)
    if voice in singers and singers[voice].sounds:
        return singers[voice]
    own = [line for line in lines if voice_named(line.name) == voice]
    return next(iter([*own, *tunes]), None)


def _in_range(notes: list[Note], voice: Voice, report: Report) -> tuple[list[Note], int]:
    """``notes`` within the range of ``voice``, and how far all of them were moved."""
    semitones = fitting_shift([note.pitch for note in notes], voice)
    low, high = RANGES[voice]
    moved: list[Note] = []
    for note in notes:
        pitch = note.pitch + semitones
        folded = _folded(pitch, low, high)
        if folded != pitch:
            report.found("folded", note.start)
        moved.append(Note(note.start, note.length, folded))
    return moved, semitones


def _folded(pitch: int, low: int, high: int) -> int:
    """``pitch`` in the nearest octave within ``low`` to ``high``, which span one at least."""
    if pitch < low:
        return pitch + -(-(low - pitch) // _OCTAVE) * _OCTAVE
    return pitch - -(-(pitch - high) // _OCTAVE) * _OCTAVE if pitch > high else pitch


def _outside(pitches: Counter[int], shift: int, voice: Voice) -> int:
    """How many notes a shift leaves outside the range."""
    low, high = RANGES[voice]
    return sum(count for pitch, count in pitches.items() if not low <= pitch + shift <= high)


def _moved(semitones: int, voice: Voice) -> str:
    size, left = divmod(abs(semitones), _OCTAVE)
    octaves = f"{size} octave{'s' if size > 1 else ''}"
    far = f"{abs(semitones)} semitone{'s' if abs(semitones) > 1 else ''}" if left else octaves
    return (
        f"it was moved {'up' if semitones > 0 else 'down'} by {far} into the range of the "
        f"{voice.name.lower()}"
    )


def _from_first_note(chorale: Chorale, first: int, report: Report) -> Chorale:
    """``chorale`` without the silence before its first note."""
    if first == 0 or first >= chorale.steps:
        return chorale
    bar = chorale.meter.steps
    if first >= bar:
        said = "a bar of silence before its first note was"
        if first > bar:
            said = f"{first / bar:.3g} bars of silence before its first note were"
        report.say(f"{said} cut off")
    return chorale.cropped(first, chorale.steps)
