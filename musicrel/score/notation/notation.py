"""A chorale as it is written down: bars of note heads and rests, tied, beamed and spelled.

Conventions: starts and lengths are steps of one sixteenth, starts counted from the piece's first
step. The rules of rhythm stand in ``rhythm``, of names in ``spelling``, of accidentals in
``accidentals``; this file joins them. It knows nothing of files or of what is drawn where.
"""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from musicrel.chorale import Chorale, Voice
from musicrel.score.notation import rhythm, spelling
from musicrel.score.notation.accidentals import Accidental, Staff
from musicrel.score.notation.spelling import Spelled
from musicrel.score.notes import notes, spans


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A note head, or a rest.

    Attributes:
        start: the step it begins at.
        length: steps, one of those a head has.
        pitch: how it is spelled, None for a rest.
        tied_from: a tie comes in from the head before.
        tied_to: a tie goes out to the next head.
        fermata: it carries a fermata.
        whole_bar: a rest for the whole bar, whatever its length.
        accidental: the one in print, if any.
        beams: from the eighths' down.
    """

    start: int
    length: int
    pitch: Spelled | None = None
    tied_from: bool = False
    tied_to: bool = False
    fermata: bool = False
    whole_bar: bool = False
    accidental: Accidental | None = None
    beams: tuple[rhythm.Beam, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What stands between two bar lines.

    Attributes:
        number: as it is counted; 0 is the pickup.
        length: steps; the first and the last bar may be short.
        voices: the heads of S, A, T, B.
    """

    number: int
    length: int
    voices: tuple[tuple[Head, ...], ...]


def written(chorale: Chorale, staves: Iterable[Sequence[Voice]]) -> list[Bar]:
    """``chorale`` written down.

    Args:
        chorale: the piece.
        staves: which voices share a staff, and so what they know of accidentals; each voice once.
    """
    voices = [_with_fermatas(list(_heads(chorale, voice)), chorale) for voice in Voice]
    for staff in staves:
        signed = _with_accidentals([voices[voice] for voice in staff], chorale)
        for voice, heads in zip(staff, signed, strict=True):
            voices[voice] = heads
    return [
        Bar(
            number=number,
            length=sum(head.length for head in bar[0]),
            voices=tuple(_with_beams(heads, chorale) for heads in bar),
        )
        for number, bar in enumerate(
            zip(*(_by_bar(heads, chorale) for heads in voices), strict=True),
            start=0 if chorale.pickup else 1,
        )
    ]


def _heads(chorale: Chorale, voice: Voice) -> Iterator[Head]:
    """The heads and rests of one voice, cut where the meter asks for it."""
    for start, stop, pitch in _runs(chorale, voice):
        for begin, end in _within_bars(start, stop, chorale):
            place = (begin - chorale.pickup) % chorale.meter.steps
            whole_bar = pitch is None and end - begin == chorale.meter.steps
            split = rhythm.heads if pitch else rhythm.rests
            lengths = [end - begin] if whole_bar else split(place, end - begin, chorale.meter)
            for now, length in zip(
                itertools.accumulate(lengths, initial=begin), lengths, strict=False
            ):
                yield Head(
                    start=now,
                    length=length,
                    pitch=pitch,
                    tied_from=pitch is not None and now > start,
                    tied_to=pitch is not None and now + length < stop,
                    whole_bar=whole_bar,
                )


def _runs(chorale: Chorale, voice: Voice) -> Iterator[tuple[int, int, Spelled | None]]:
    """Start, stop and name of each note, and of each silence, which has no name."""
    sung = notes(chorale, voice)
    key = chorale.key or spelling.likely_key(chorale.pitches)
    names = spelling.spell_melody([note.pitch for note in sung], key)
    now = 0
    for note, name in zip(sung, names, strict=True):
        if note.start > now:
            yield now, note.start, None
        yield note.start, note.stop, name
        now = note.stop
    if now < chorale.steps:
        yield now, chorale.steps, None


def _within_bars(start: int, stop: int, chorale: Chorale) -> Iterator[tuple[int, int]]:
    """The range of steps, cut at the bar lines."""
    bar = chorale.meter.steps
    while start < stop:
        end = min(stop, start + bar - (start - chorale.pickup) % bar)
        yield start, end
        start = end


def _with_fermatas(heads: list[Head], chorale: Chorale) -> list[Head]:
    """Under each fermata the last head that sounds carries the sign, as singers all end there."""
    starts = [head.start for head in heads]
    for begin, end in spans(chorale.fermatas):
        last = bisect.bisect_left(starts, end) - 1
        while last >= 0 and heads[last].start + heads[last].length > begin:
            if heads[last].pitch:
                heads[last] = replace(heads[last], fermata=True)
                break
            last -= 1
    return heads


def _with_accidentals(voices: Sequence[list[Head]], chorale: Chorale) -> list[list[Head]]:
    """The voices of one staff with the accidentals its readers need."""
    staff = Staff(spelling.signature(chorale.key) if chorale.key else 0)
    marked = [list(heads) for heads in voices]
    in_time = sorted(
        (head.start, voice, index)
        for voice, heads in enumerate(voices)
        for index, head in enumerate(heads)
    )
    for _, bar in itertools.groupby(in_time, key=lambda place: _bar_of(place[0], chorale)):
        staff.begin_bar()
        for start, voice, index in bar:
            head = marked[voice][index]
            if head.pitch and head.tied_from:
                staff.held(head.pitch)
            elif head.pitch:
                accidental = staff.sung(voice, start, head.pitch)
                marked[voice][index] = replace(head, accidental=accidental)
    return marked


def _with_beams(heads: tuple[Head, ...], chorale: Chorale) -> tuple[Head, ...]:
    """The heads of one voice in one bar, joined."""
    beamed: list[Head] = []
    for sounding, run in itertools.groupby(heads, key=lambda head: head.pitch is not None):
        joined = list(run)
        if sounding:
            places = [(head.start - chorale.pickup) % chorale.meter.steps for head in joined]
            beams = rhythm.beams(places, [head.length for head in joined], chorale.meter)
            joined = [replace(h, beams=own) for h, own in zip(joined, beams, strict=True)]
        beamed += joined
    return tuple(beamed)


def _by_bar(heads: list[Head], chorale: Chorale) -> Iterator[tuple[Head, ...]]:
    for _, bar in itertools.groupby(heads, key=lambda head: _bar_of(head.start, chorale)):
        yield tuple(bar)


def _bar_of(step: int, chorale: Chorale) -> int:
    """Counted from 0, the pickup -1."""
    return (step - chorale.pickup) // chorale.meter.steps
