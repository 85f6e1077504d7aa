"""Measures of form: what comes again, and how phrases end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import pairwise
from typing import Final

from musicrel.analysis import cadences
from musicrel.chorale import REST, Voice, spans
from training import corpus_profile
from training.examination.reading import BEAT, Family, Reading, average, share, voices

MOTIF_NOTES: Final = 4
RHYTHM_NOTES: Final = 6
_IMITATION: Final = 8 * BEAT
"""An imitation begins at most so many steps after its model."""


def recurring(grams: Iterable[Hashable]) -> float:
    """Return the share of the n-grams of a voice that it has elsewhere in the piece."""
    counts = Counter(grams)
    return share(counts[gram] > 1 for gram in counts.elements())


def _motifs(reading: Reading, voice: Voice) -> Iterator[tuple[int, Hashable]]:
    """Yield the first step and the shape of every four notes in a row that move at least twice.

    The shape is the intervals, the lengths of the first three, and the place in the beat.
    """
    notes = reading.notes[voice]
    for first in range(len(notes) - MOTIF_NOTES + 1):
        four = notes[first : first + MOTIF_NOTES]
        intervals = tuple(b.pitch - a.pitch for a, b in pairwise(four))
        if sum(interval != 0 for interval in intervals) > 1:
            lengths = tuple(note.length for note in four[:-1])
            yield four[0].start, (intervals, lengths, int(reading.positions[four[0].start]) % BEAT)


def _rhythms(reading: Reading, voice: Voice) -> Iterator[Hashable]:
    """Yield lengths and place in the beat of every six notes in a row but quarters alone."""
    notes = reading.notes[voice]
    for first in range(len(notes) - RHYTHM_NOTES + 1):
        lengths = tuple(note.length for note in notes[first : first + RHYTHM_NOTES])
        if set(lengths) != {BEAT}:
            yield lengths, int(reading.positions[notes[first].start]) % BEAT


def _imitation(reading: Reading, letters: str) -> float:
    """Return the share of the motifs of a voice that another one has had in the last 8 beats."""
    found = []
    for voice in voices(letters):
        others = [pair for other in Voice if other != voice for pair in _motifs(reading, other)]
        for start, motif in _motifs(reading, voice):
            found.append(any(m == motif and 0 < start - at <= _IMITATION for at, m in others))
    return share(found)


def _fermatas(reading: Reading) -> list[int]:
    return [step for step, _ in spans(reading.piece.fermatas)]


def _closes(reading: Reading, kind: str) -> float:
    """Return the share of fermatas with a cadence of ``kind``."""
    fermatas = set(_fermatas(reading))
    ends = [end for end in cadences.phrase_ends(reading.piece) if end.step in fermatas]
    return share(end.kind == kind for end in ends)


def _fermata_length(reading: Reading, letters: str) -> float:
    """Return the mean length of the notes of a voice under fermatas, in beats."""
    marked = set(_fermatas(reading))
    return average(
        note.length / BEAT
        for voice in voices(letters)
        for note in reading.notes[voice]
        if marked & set(range(note.start, note.stop))
    )


def _fermata_degree(reading: Reading, variant: str) -> float:
    """Return the share of fermatas with a voice on a degree, as in "S 0" for the tonic."""
    letter, semitones = variant.split()
    (voice,) = voices(letter)
    at = [int(reading.piece.pitches[step, voice]) for step in _fermatas(reading)]
    tonic = reading.key.pitch_class
    return share((pitch - tonic) % 12 == int(semitones) for pitch in at if pitch != REST)


def _end(reading: Reading, kind: str) -> float:
    """Return 1 or 0: the piece ends on its "tonic", or with an "authentic" cadence."""
    if kind == "tonic":
        return float(corpus_profile.ends_on_tonic(reading.piece))
    return float(cadences.phrase_ends(reading.piece)[-1].kind == kind)


FAMILIES: Final = (
    Family("recurring motifs",
           lambda r, v: average(recurring(m for _, m in _motifs(r, one)) for one in voices(v)),
           ("S", "T"), ("A", "B")),
    Family("recurring rhythms",
           lambda r, v: average(recurring(_rhythms(r, one)) for one in voices(v)),
           ("A", "B"), ("S", "T")),
    Family("imitation", _imitation, ("SAT",), ("B",)),
    Family("phrase ends", _closes, ("authentic",), ("half", "")),
    Family("length of phrases",
           lambda r, _: average((b - a) / BEAT for a, b in pairwise(_fermatas(r))), ("beats",)),
    Family("fermata on beat",
           lambda r, v: share(r.positions[at] // BEAT == int(v) - 1 for at in _fermatas(r)),
           ("1",)),
    Family("length under fermatas", _fermata_length, ("S",)),
    Family("degree under fermatas", _fermata_degree, ("B 0", "S 2"), ("S 0", "B 7")),
    Family("end", _end, ("authentic",), ("tonic",)),
)  # fmt: skip
