"""Measures of lines, rhythm, form and endings beside Bach's: what the examination cannot name.

Each row pools all pieces, except recurrence, which is the mean of pieces. The definitions give
Bach's 132 chorales of validation and test in four quarters the figures of ``training/LOG.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from musicrel.analysis import cadences, memorisation, voice_leading
from musicrel.chorale import Chorale, Voice
from musicrel.corpus import bundled
from training.examination import lines, rhythm
from training.examination.reading import BEAT, Chord, Note, Reading, average, share

_MOTIF: Final = 4
_RHYTHM: Final = 6
_EIGHTH: Final = 2
_COPIED: Final = 8
"""Beats of four voices that count as a copy."""
_PER_CENT: Final = 100

Readings = Sequence[Reading]


def goes_on(letter: str, readings: Readings) -> float:
    """Return the % of pairs of steps in which the second keeps the direction."""
    return _percent(kept for one in readings for kept in lines.steps_kept(one, letter))


def struck_off_beat(readings: Readings) -> float:
    """Return the % of notes that strike the same pitch again off the beat."""
    return _percent(again for one in readings for again in rhythm.off_beat_repeats(one, "SATB"))


def eighths(readings: Readings) -> float:
    """Return the % of the notes of the soprano that are eighths."""
    return _percent(note.length == _EIGHTH for one in readings for note in one.notes[Voice.SOPRANO])


def held_over(readings: Readings) -> float:
    """Return the % of beats onto which the bass holds a note that began off the beat."""
    held = sum(rhythm.held_over(one, "B") * len(one.beats) for one in readings)
    return _PER_CENT * held / sum(len(one.beats) for one in readings)


def motifs(readings: Readings) -> float:
    """Return the % of four soprano notes in a row that occur elsewhere in the piece.

    Intervals, lengths and the place in the bar are the same; repeats are merged.
    """
    return _recurring(readings, _MOTIF, _motif)


def rhythms(readings: Readings) -> float:
    """Return the % of six soprano lengths in a row that occur elsewhere; repeats are merged."""
    return _recurring(readings, _RHYTHM, lambda _, notes: tuple(note.length for note in notes))


def _motif(one: Reading, notes: Sequence[Note]) -> Hashable:
    intervals = tuple(b.pitch - a.pitch for a, b in pairwise(notes))
    lengths = tuple(note.length for note in notes)
    return intervals, lengths, int(one.positions[notes[0].start])


def _recurring(
    readings: Readings, size: int, shape: Callable[[Reading, Sequence[Note]], Hashable]
) -> float:
    shares = []
    for one in readings:
        notes = one.merged[Voice.SOPRANO]
        shapes = [shape(one, notes[n : n + size]) for n in range(len(notes) - size + 1)]
        counts = Counter(shapes)
        if shapes:
            shares.append(share(counts[found] > 1 for found in shapes))
    return _PER_CENT * average(shares)


def untreated_six_four(readings: Readings) -> float:
    """Return the 6-4 chords per 100 beats that are neither cadential nor passing nor neighbours.

    A cadential one is followed by another chord over its bass; the bass of the others comes and
    goes by step.
    """
    found = sum(_is_untreated(one, n) for one in readings for n in range(len(one.chords)))
    return _PER_CENT * found / sum(len(one.beats) for one in readings)


def _is_untreated(one: Reading, number: int) -> bool:
    chord = one.chords[number]
    is_triad = chord.kind in ("major", "minor")
    if not is_triad or (chord.bass - chord.root) % 12 != 7:  # noqa: PLR2004
        return False
    after: Sequence[Chord] = one.chords[number + 1 : number + 2]
    if any(then.bass == chord.bass and then.sounding != chord.sounding for then in after):
        return False
    bass = one.piece.pitches[:, Voice.BASS].astype(int)
    own = bass[chord.step]
    before, later = bass[: chord.step], bass[chord.step :]
    sides = [*before[before != own][-1:], *later[later != own][:1]]
    return any(abs(pitch - own) > lines.STEP for pitch in sides)


def last_close(readings: Readings) -> float:
    """Return the % of pieces that end with an authentic cadence."""
    return _percent(cadences.phrase_ends(one.piece)[-1].kind == "authentic" for one in readings)


def closes(readings: Readings) -> float:
    """Return the % of phrase ends with a cadence of any kind."""
    return _percent(bool(end.kind) for one in readings for end in cadences.phrase_ends(one.piece))


def parallels(readings: Readings) -> float:
    """Return the parallel fifths, octaves and unisons per 1,000 notes."""
    return voice_leading.rates(*(one.piece for one in readings)).parallels


def clean(readings: Readings) -> float:
    """Return the % of pieces without parallels."""
    return _percent(voice_leading.rates(one.piece).parallels == 0 for one in readings)


def copied(readings: Readings) -> float:
    """Return the % of eight beats in a row, in four voices, that training has in any key."""
    on_beats = [_on_beats(one.piece) for one in readings]
    return _PER_CENT * memorisation.count_found(on_beats, _known(), _COPIED).share


@cache
def _known() -> frozenset[memorisation.Chunk]:
    return memorisation.chunk_set(map(_on_beats, bundled.load("train")), _COPIED)


def _on_beats(piece: Chorale) -> Chorale:
    """Return what sounds on the beats, a step for each."""
    return Chorale.of(piece.pitches[piece.pickup % BEAT :: BEAT])


def _percent(flags: Iterator[bool]) -> float:
    return _PER_CENT * share(flags)


TARGETS: Final[Mapping[str, Callable[[Readings], float]]] = MappingProxyType(
    {
        **{f"second step goes on, {letter}, %": partial(goes_on, letter) for letter in "SATB"},
        "struck again off the beat, % of notes": struck_off_beat,
        "recurring motifs of four notes, soprano, %": motifs,
        "recurring rhythms of six notes, soprano, %": rhythms,
        "eighths, soprano, %": eighths,
        "bass held over the beat, %": held_over,
        "untreated 6-4 per 100 beats": untreated_six_four,
        "last close authentic, %": last_close,
        "phrase ends that close, %": closes,
        "parallels per 1,000 notes": parallels,
        "pieces without, %": clean,
        "eight beats copied, %": copied,
    }
)
"""Row -> measure of all pieces."""


def row(pieces: Sequence[Chorale]) -> dict[str, float]:
    """Return all measures of some pieces, each with a note."""
    readings = [Reading(piece=piece) for piece in pieces]
    return {name: measure(readings) for name, measure in TARGETS.items()}
