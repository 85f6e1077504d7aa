"""Measures of lines, rhythm, form and endings beside Bach's: what the examination cannot name.

Each measure gives a total and a number of a piece. A row pools the pieces, total by number, except
recurrence, which is the mean of the pieces; its interval is by bootstrap over tunes. The
definitions give Bach's 132 chorales of validation and test in four quarters the figures of
``training/LOG.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from musicrel.analysis import cadences, events, memorisation, voice_leading
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.generation.constraints import dissonances
from training.examination import lines, rhythm
from training.examination.estimate import Estimate, draws, estimate
from training.examination.form import recurring
from training.examination.reading import BEAT, Chord, Note, Reading
from training.examination.samples import groups_by_tune

_MOTIF: Final = 4
_RHYTHM: Final = 6
_EIGHTH: Final = 2
_FIFTH: Final = 7
_COPIED: Final = 8
"""Beats of four voices that count as a copy."""
_PER_CENT: Final = 100
_PER_THOUSAND: Final = 1000
_SEED: Final = 0
"""Of the draws of pieces."""


class Tally(NamedTuple):
    """The finding of a measure in a piece; a row divides the sums of both."""

    total: float  # in the unit of the row, such as 100 for each note of a kind
    number: float  # what it is divided by, such as the number of notes


Measure = Callable[[Reading], Tally]


def _motif(one: Reading, notes: Sequence[Note]) -> Hashable:
    intervals = tuple(b.pitch - a.pitch for a, b in pairwise(notes))
    lengths = tuple(note.length for note in notes)
    return intervals, lengths, int(one.positions[notes[0].start])


def _recurring(
    one: Reading, size: int, shape: Callable[[Reading, Sequence[Note]], Hashable]
) -> Tally:
    """Count a piece as one, whatever its length, or not at all if it is too short."""
    notes = one.merged[Voice.SOPRANO]
    shapes = [shape(one, notes[n : n + size]) for n in range(len(notes) - size + 1)]
    return Tally(_PER_CENT * recurring(shapes), 1) if shapes else Tally(0, 0)


def _goes_on(letter: str, one: Reading) -> Tally:
    return _percent(lines.steps_kept(one, letter))


def _held_over(one: Reading) -> Tally:
    beats = len(one.beats)
    return Tally(_PER_CENT * rhythm.held_over(one, "B") * beats, beats)


def _cross_relations(one: Reading) -> Tally:
    """Count the steps on which a degree and its alteration sound together."""
    pitches = one.piece.pitches.astype(np.int64)[None]
    (found,) = dissonances.cross_relation_steps(pitches, _own_key(one)).tolist()
    return Tally(_PER_THOUSAND * found, one.piece.steps)


def _in_own_key(one: Reading) -> Tally:
    """Count the piece if its estimated key is the one that was printed or drawn."""
    own = _own_key(one)
    return _percent([(one.key.pitch_class, one.key.mode) == (own.pitch_class, own.mode)])


def six_fours(one: Reading) -> Tally:
    """Count the triads over their fifth, per 100 beats."""
    return Tally(_PER_CENT * sum(map(_is_six_four, one.chords)), len(one.beats))


def _is_six_four(chord: Chord) -> bool:
    return chord.kind in ("major", "minor") and (chord.bass - chord.root) % 12 == _FIFTH


def untreated_six_four(one: Reading) -> Tally:
    """Count the 6-4 chords that are neither cadential nor passing nor neighbours, per 100 beats.

    A cadential one is followed by another chord over its bass; the bass of the others comes and
    goes by step.
    """
    found = sum(_is_untreated(one, n) for n in range(len(one.chords)))
    return Tally(_PER_CENT * found, len(one.beats))


def _is_untreated(one: Reading, number: int) -> bool:
    chord = one.chords[number]
    if not _is_six_four(chord):
        return False
    after: Sequence[Chord] = one.chords[number + 1 : number + 2]
    if any(then.bass == chord.bass and then.sounding != chord.sounding for then in after):
        return False
    bass = one.piece.pitches[:, Voice.BASS].astype(int)
    own = bass[chord.step]
    before, later = bass[: chord.step], bass[chord.step :]
    sides = [*before[before != own][-1:], *later[later != own][:1]]
    return any(abs(pitch - own) > lines.STEP for pitch in sides)


def _parallels(one: Reading) -> int:
    rules = voice_leading.PARALLELS
    return sum(voice_leading.rates(one.piece, rules=rules).counts.values())


def sevenths_resolved(one: Reading) -> Tally:
    """Count the sevenths of chords on beats that move a step down, of those that move, %."""
    pitches = one.piece.pitches.astype(np.int64)
    parts = (pitches[None, : beat + BEAT] for beat in one.beats.tolist())
    counts = [dissonances.sevenths_left(part) for part in parts]
    left, fell = (sum(int(count[n][0]) for count in counts) for n in range(2))
    return Tally(_PER_CENT * fell, left)


def _own_key(one: Reading) -> Key:
    return one.piece.key or one.key


def off_the_tonic(one: Reading) -> Tally:
    """Count the authentic cadences before that of the last phrase that are in another key, %."""
    inner = cadences.phrase_ends(one.piece)[:-1]
    return _percent(not _is_on_tonic(one, end) for end in inner if end.kind == "authentic")


def before_the_last(one: Reading) -> Tally:
    """Count the phrase before the last, of three or more, if it ends on the tonic, %."""
    inner = cadences.phrase_ends(one.piece)[1:-1]
    return _percent(_is_on_tonic(one, end) for end in inner[-1:])


def _is_on_tonic(one: Reading, end: cadences.PhraseEnd) -> bool:
    bass = int(one.piece.pitches[end.stop - 1, Voice.BASS])
    return bass != REST and bass % 12 == _own_key(one).pitch_class


def copied(one: Reading) -> Tally:
    """Count the eight beats in a row, in four voices, that training has in any key, %."""
    found, total = memorisation.count_found([_on_beats(one.piece)], _known(), _COPIED)
    return Tally(_PER_CENT * found, total)


@cache
def _known() -> frozenset[memorisation.Chunk]:
    return memorisation.chunk_set(map(_on_beats, bundled.load("train")), _COPIED)


def _on_beats(piece: Chorale) -> Chorale:
    return Chorale.of(piece.pitches[piece.pickup % BEAT :: BEAT])


def _percent(flags: Iterable[bool]) -> Tally:
    values = list(flags)
    return Tally(_PER_CENT * sum(values), len(values))


TARGETS: Final[Mapping[str, Measure]] = MappingProxyType({
    **{f"second step goes on, {letter}, %": partial(_goes_on, letter) for letter in "SATB"},
    "struck again off the beat, % of notes":
        lambda one: _percent(rhythm.off_beat_repeats(one, "SATB")),
    "recurring motifs of four notes, soprano, %": lambda one: _recurring(one, _MOTIF, _motif),
    "recurring rhythms of six notes, soprano, %":
        lambda one: _recurring(one, _RHYTHM, lambda _, notes: tuple(n.length for n in notes)),
    "eighths, soprano, %":
        lambda one: _percent(note.length == _EIGHTH for note in one.notes[Voice.SOPRANO]),
    "bass held over the beat, %": _held_over,
    "6-4 chords per 100 beats": six_fours,
    "untreated 6-4 per 100 beats": untreated_six_four,
    "last close authentic, %":
        lambda one: _percent([cadences.phrase_ends(one.piece)[-1].kind == "authentic"]),
    "phrase ends that close, %":
        lambda one: _percent(bool(end.kind) for end in cadences.phrase_ends(one.piece)),
    "parallels per 1,000 notes": lambda one: Tally(
        _PER_THOUSAND * _parallels(one), events.count_notes(one.piece.pitches)
    ),
    "pieces without, %": lambda one: _percent([_parallels(one) == 0]),
    "sevenths that resolve, %": sevenths_resolved,
    "cross relations per 1,000 sixteenths": _cross_relations,
    "phrase ends on a triad in root position, %": lambda one: _percent(
        cadences.is_root_position(one.piece.pitches[end.stop - 1])
        for end in cadences.phrase_ends(one.piece)
    ),
    "pieces in their own key by estimate, %": _in_own_key,
    "authentic cadences of inner phrases in another key, %": off_the_tonic,
    "phrase before the last on the tonic, %": before_the_last,
    "eight beats copied, %": copied,
})  # fmt: skip
"""Row -> measure of a piece."""


def row(pieces: Sequence[Chorale]) -> dict[str, Estimate]:
    """Return all measures of some pieces, each with a note; NaN where nothing is to be counted."""
    readings = [Reading(piece=piece) for piece in pieces]
    groups = [str(group) for group in groups_by_tune(pieces)]
    return {
        name: pooled([measure(one) for one in readings], groups)
        for name, measure in TARGETS.items()
    }


def pooled(tallies: Sequence[Tally], groups: Sequence[str]) -> Estimate:
    """Return the total by the number of pieces, with the interval by bootstrap over groups."""
    table = np.array(tallies, dtype=np.float64)
    sums = [times @ table for times in draws(groups, _SEED)]
    drawn = [float(total / number) for total, number in sums if number]
    total, number = table.sum(axis=0)
    return estimate(total / number if number else np.nan, drawn)
