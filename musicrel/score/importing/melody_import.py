"""Import of a source as one melody in the range of a voice, ready to be harmonised.

The melody is the line with a matching name, else the outer line by order and pitch; chords are
reduced to the outer note. Silence before and after it is removed; a start within a bar is the
pickup. A melody that lies more than ``NEAR`` semitones outside the range of the voice is transposed
into it: by the fewest semitones, by octaves if most of it lies outside; single notes still outside
are transposed by octaves. One that lies nearer stays where it was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from musicrel.chorale import MAX_STEPS, RANGES, Voice
from musicrel.errors import DataError
from musicrel.language import count, tr
from musicrel.score.importing import voice_matching
from musicrel.score.importing.conversion import ImportedPiece, Report, assemble, from_first_note
from musicrel.score.importing.quantisation import make_monophonic, quantise
from musicrel.score.importing.source import Line, Source, non_empty
from musicrel.score.importing.voice_matching import Voices, match_voices, mean_pitch, merge_lines
from musicrel.score.notes import Note

# Semitones outside its range at which a melody stays as it is: the other voices, kept to the
# ranges of a choir, can be moved as far without leaving those of the training pieces.
NEAR: Final = 2

_OCTAVE: Final = 12
# Names of parts that carry the melody, in lower case.
_MELODY_NAMES: Final = frozenset({
    "melody", "melodie", "melodia", "mélodie", "tune", "lead", "vocal", "vocals", "voice",
    "gesang", "singstimme", "voix", "canto", "hymn",
})  # fmt: skip


def import_melody(source: Source, voice: Voice = Voice.SOPRANO) -> ImportedPiece:
    """Convert the melody of ``source`` to a chorale with only ``voice``, with a report."""
    report = Report(source)
    line = _line(source, voice, report)
    notes = make_monophonic(quantise(line.notes, report), report, top=voice != Voice.BASS)
    if not notes:
        raise DataError(tr("it has no notes within the longest piece: expected a melody"))
    notes, semitones = _in_range(notes, voice, report)
    voices = [notes if other == voice else [] for other in Voice]
    last = line.notes[-1]
    steps = round(last.stop) if last.start >= MAX_STEPS else notes[-1].stop
    words = [(voice, word) for word in line.lyrics]
    slurs = [(voice, slur) for slur in line.slurs]
    chorale = assemble(source, voices, words, steps, report, slurs=slurs)
    if semitones:
        report.add_sentence(moved(semitones, voice))
        chorale = chorale.with_keys_transposed(semitones)
    return ImportedPiece(
        chorale=from_first_note(chorale, report),
        report=report.sentences(),
        semitones=semitones,
    )


def shift_into_range(pitches: Sequence[int], voice: Voice) -> int:
    """Return the transposition in semitones that brings ``pitches`` into the range of ``voice``.

    The fewest semitones, or octaves if more than half of the notes lie outside and octaves
    suffice. For a line wider than the range, the transposition with the fewest notes outside, and
    of those the smallest. ``pitches`` is not empty.
    """
    low, high = RANGES[voice]
    rise, fall = low - min(pitches), high - max(pitches)
    counts = Counter(pitches)
    if rise > fall:
        return min(range(-127, 128), key=lambda shift: (_outside(counts, shift, voice), abs(shift)))
    fewest = max(rise, 0) or min(fall, 0)
    octaves = range(-(-rise // _OCTAVE) * _OCTAVE, fall + 1, _OCTAVE)
    if octaves and 2 * _outside(counts, 0, voice) > len(pitches):
        return min(octaves, key=abs)
    return fewest


def moved(semitones: int, voice: Voice) -> str:
    """Describe the transposition of a melody into the range of ``voice``, for the user."""
    size, left = divmod(abs(semitones), _OCTAVE)
    far = count(abs(semitones), "semitone") if left else count(size, "octave")
    sentence = tr("it was transposed down by {far} into the range of the {voice}")
    if semitones > 0:
        sentence = tr("it was transposed up by {far} into the range of the {voice}")
    return sentence.format(far=far, voice=voice.noun)


def _line(source: Source, voice: Voice, report: Report) -> Line:
    lines = non_empty(source.lines)
    if not lines:
        raise DataError(tr("it has no notes: expected a melody"))
    if len(lines) == 1:
        return lines[0]
    chosen = _named(source, lines, voice) or _outer_staff(lines, voice)
    name = tr("the one on {place}", place=source.place(chosen))
    if chosen.name:
        name = tr("'{name}'", name=chosen.name)
    number = len(lines)
    report.add_sentence(
        tr(
            "of its {number} lines with notes {name} was taken as the melody",
            number=number,
            name=name,
        )
    )
    return chosen


def _outer_staff(lines: Sequence[Line], voice: Voice) -> Line:
    """Return the line of the highest staff (lowest for the bass); its outer line if dominant."""
    staves: dict[int, list[Line]] = {}
    for line in lines:
        staves.setdefault(line.staff, []).append(line)
    outer = min if voice == Voice.BASS else max
    staff = outer((merge_lines(on_staff) for on_staff in staves.values()), key=mean_pitch)
    line = outer(staves[staff.staff], key=mean_pitch)
    return line if 2 * len(line.notes) > len(staff.notes) else staff


def _named(source: Source, lines: Sequence[Line], voice: Voice) -> Line | None:
    melodies = [line for line in lines if line.name.strip().lower() in _MELODY_NAMES]
    voices: Voices = {} if melodies else match_voices(source)
    if non_empty(voices.get(voice, ())):
        return merge_lines(voices[voice])
    names = voice_matching.parse_all([line.name for line in lines])
    own = [line for line, name in zip(lines, names, strict=True) if name and name.voice == voice]
    return next(iter([*own, *melodies]), None)


def _in_range(notes: list[Note], voice: Voice, report: Report) -> tuple[list[Note], int]:
    """Transpose ``notes`` into the range of ``voice``; return the semitones as well."""
    pitches = [note.pitch for note in notes]
    semitones, (low, high) = shift_into_range(pitches, voice), RANGES[voice]
    if abs(semitones) <= NEAR and max(pitches) - min(pitches) <= high - low:
        return notes, 0
    inside: list[Note] = []
    for note in notes:
        pitch = note.pitch + semitones
        octaves = max(-((pitch - low) // _OCTAVE), 0) - max(-((high - pitch) // _OCTAVE), 0)
        if octaves:
            report.add_issue("folded", note.start)
        inside.append(Note(note.start, note.length, pitch + octaves * _OCTAVE))
    return inside, semitones


def _outside(pitches: Counter[int], shift: int, voice: Voice) -> int:
    low, high = RANGES[voice]
    return sum(count for pitch, count in pitches.items() if not low <= pitch + shift <= high)
