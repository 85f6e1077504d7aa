"""Measures of form: what comes again, and how phrases end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from musicrel.analysis import cadences
from musicrel.chorale import REST, Voice, spans
from training import corpus_profile
from training.examination.reading import BEAT, Reading, average, share, voices

MOTIF_NOTES: Final = 4
RHYTHM_NOTES: Final = 6
_IMITATION: Final = 8 * BEAT
"""An imitation begins at most so many steps after its model."""


def motifs(reading: Reading, letters: str) -> float:
    """Return the share of four notes in a row that the same voice has elsewhere in the piece.

    Four notes are the same if their intervals and the lengths of the first three are, and if they
    begin at the same sixteenth of a beat; they have to move at least twice.
    """
    return average(_recurring(list(_motifs(reading, voice))) for voice in voices(letters))


def rhythms(reading: Reading, letters: str) -> float:
    """Return the share of six notes in a row whose rhythm the same voice has elsewhere.

    Their lengths and the place of the first in the beat are the same; rhythms of quarters alone
    do not count.
    """
    return average(_recurring(list(_rhythms(reading, voice))) for voice in voices(letters))


def imitation(reading: Reading, letters: str) -> float:
    """Return the share of the motifs of a voice that another one has had in the last 8 beats."""
    found = []
    for voice in voices(letters):
        others = [pair for other in Voice if other != voice for pair in _placed(reading, other)]
        for start, motif in _placed(reading, voice):
            found.append(any(m == motif and 0 < start - at <= _IMITATION for at, m in others))
    return share(found)


def _recurring(grams: Sequence[Hashable]) -> float:
    counts = Counter(grams)
    return share(counts[gram] > 1 for gram in grams)


def _motifs(reading: Reading, voice: Voice) -> Iterator[Hashable]:
    yield from (motif for _, motif in _placed(reading, voice))


def _placed(reading: Reading, voice: Voice) -> Iterator[tuple[int, Hashable]]:
    """Yield the first step and the shape of every motif of a voice."""
    notes = reading.notes[voice]
    for first in range(len(notes) - MOTIF_NOTES + 1):
        four = notes[first : first + MOTIF_NOTES]
        intervals = tuple(b.pitch - a.pitch for a, b in pairwise(four))
        if sum(interval != 0 for interval in intervals) > 1:
            lengths = tuple(note.length for note in four[:-1])
            yield four[0].start, (intervals, lengths, int(reading.positions[four[0].start]) % BEAT)


def _rhythms(reading: Reading, voice: Voice) -> Iterator[Hashable]:
    notes = reading.notes[voice]
    for first in range(len(notes) - RHYTHM_NOTES + 1):
        lengths = tuple(note.length for note in notes[first : first + RHYTHM_NOTES])
        if set(lengths) != {BEAT}:
            yield lengths, int(reading.positions[notes[first].start]) % BEAT


def closes(reading: Reading, kind: str) -> float:
    """Return the share of fermatas with a cadence of ``kind``."""
    fermatas = {step for step, _ in spans(reading.piece.fermatas)}
    ends = [end for end in cadences.phrase_ends(reading.piece) if end.step in fermatas]
    return share(end.kind == kind for end in ends)


def phrase_length(reading: Reading, _: str) -> float:
    """Return the mean distance of fermatas in beats."""
    return average((b - a) / BEAT for a, b in pairwise(_fermatas(reading)))


def fermata_beat(reading: Reading, beat: str) -> float:
    """Return the share of fermatas on the beat numbered ``beat`` in the bar."""
    return share(reading.positions[at] // BEAT == int(beat) - 1 for at in _fermatas(reading))


def fermata_length(reading: Reading, letters: str) -> float:
    """Return the mean length of the notes of a voice under fermatas, in beats."""
    marked = set(_fermatas(reading))
    return average(
        note.length / BEAT
        for voice in voices(letters)
        for note in reading.notes[voice]
        if marked & set(range(note.start, note.stop))
    )


def fermata_degree(reading: Reading, variant: str) -> float:
    """Return the share of fermatas with a voice on a degree, as in "S 0" for the tonic."""
    letter, semitones = variant.split()
    (voice,) = voices(letter)
    at = [int(reading.piece.pitches[step, voice]) for step in _fermatas(reading)]
    tonic = reading.key.pitch_class
    return share((pitch - tonic) % 12 == int(semitones) for pitch in at if pitch != REST)


def _fermatas(reading: Reading) -> list[int]:
    return [step for step, _ in spans(reading.piece.fermatas)]


def end(reading: Reading, kind: str) -> float:
    """Return 1 or 0: the piece ends on its "tonic", or with an "authentic" cadence."""
    if kind == "tonic":
        return float(corpus_profile.ends_on_tonic(reading.piece))
    return float(cadences.phrase_ends(reading.piece)[-1].kind == kind)


def arch(reading: Reading, letters: str) -> float:
    """Return how far the mean of the middle third lies above that of the others, in semitones."""
    return average(_arch(reading.melodies[voice]) for voice in voices(letters))


def _arch(line: np.ndarray[tuple[int], np.dtype[np.int64]]) -> float:
    third = len(line) // 3
    if not third:
        return 0.0
    outer = np.concatenate([line[:third], line[-third:]])
    return float(line[third:-third].mean() - outer.mean())
