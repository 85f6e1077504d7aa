"""Music notation of a chorale: bars of note heads and rests with ties, beams and accidentals.

Conventions: starts and lengths are steps of one sixteenth, starts counted from the first step of
the piece. The rules are in ``rhythm``, ``spelling`` and ``accidentals``.
"""

from __future__ import annotations

import bisect
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from musicrel.chorale import Chorale, Voice, spans
from musicrel.score.notation import rhythm, spelling
from musicrel.score.notation.accidentals import Accidental, AccidentalState
from musicrel.score.notation.spelling import SpelledPitch
from musicrel.score.notes import notes


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHead:
    """A note head, or a rest.

    Attributes:
        start: first step.
        length: length in steps, one that a single head can have.
        pitch: its spelling, None for a rest.
        tied_from: whether it is tied from the previous head.
        tied_to: whether it is tied to the next head.
        fermata: whether it has a fermata.
        held: steps that its fermata covers, None for those of its whole note.
        whole_bar: whether it is a whole-bar rest, of any length.
        accidental: its printed accidental, if any.
        beams: its beams, from the eighth-note level on.
    """

    start: int
    length: int
    pitch: SpelledPitch | None = None
    tied_from: bool = False
    tied_to: bool = False
    fermata: bool = False
    held: tuple[int, int] | None = None
    whole_bar: bool = False
    accidental: Accidental | None = None
    beams: tuple[rhythm.Beam, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of music.

    Attributes:
        number: bar number; the pickup is 0.
        length: length in steps; the first and the last bar may be short.
        voices: the heads of S, A, T, B.
    """

    number: int
    length: int
    voices: tuple[tuple[NoteHead, ...], ...]


def notate(chorale: Chorale, staves: Iterable[Sequence[Voice]]) -> list[Bar]:
    """Convert ``chorale`` to bars of notation.

    Args:
        chorale: the piece.
        staves: the voices of each staff, which share accidentals; each voice once.
    """
    voices = _with_fermatas([list(_heads(chorale, voice)) for voice in Voice], chorale)
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


def _heads(chorale: Chorale, voice: Voice) -> Iterator[NoteHead]:
    """Yield the heads and rests of one voice, split according to the meter."""
    for start, stop, pitch in _runs(chorale, voice):
        for begin, end in _within_bars(start, stop, chorale):
            place = (begin - chorale.pickup) % chorale.meter.steps
            whole_bar = pitch is None and end - begin == chorale.meter.steps
            split = rhythm.split_note if pitch else rhythm.split_rest
            lengths = [end - begin] if whole_bar else split(place, end - begin, chorale.meter)
            for now, length in zip(
                itertools.accumulate(lengths, initial=begin), lengths, strict=False
            ):
                yield NoteHead(
                    start=now,
                    length=length,
                    pitch=pitch,
                    tied_from=pitch is not None and now > start,
                    tied_to=pitch is not None and now + length < stop,
                    whole_bar=whole_bar,
                )


def _runs(chorale: Chorale, voice: Voice) -> Iterator[tuple[int, int, SpelledPitch | None]]:
    """Yield start, stop and spelling of each note and of each rest (None)."""
    voice_notes = notes(chorale, voice)
    key = chorale.key or spelling.estimate_key(chorale.pitches)
    names = spelling.spell_melody([note.pitch for note in voice_notes], key)
    now = 0
    for note, name in zip(voice_notes, names, strict=True):
        if note.start > now:
            yield now, note.start, None
        yield note.start, note.stop, name
        now = note.stop
    if now < chorale.steps:
        yield now, chorale.steps, None


def _within_bars(start: int, stop: int, chorale: Chorale) -> Iterator[tuple[int, int]]:
    """Split a range of steps at the bar lines."""
    bar = chorale.meter.steps
    while start < stop:
        end = min(stop, start + bar - (start - chorale.pickup) % bar)
        yield start, end
        start = end


def _with_fermatas(voices: Sequence[list[NoteHead]], chorale: Chorale) -> list[list[NoteHead]]:
    """Put each fermata on one sounding head of every voice, under one another where they can be.

    They stand where most voices begin a head, at the last of several such places. A voice that
    begins none there has it on the head that sounds, or on its first one in the span. They stand
    on rests if no voice sounds.
    """
    marked = [list(heads) for heads in voices]
    starts = [[head.start for head in heads] for heads in voices]
    for span in spans(chorale.fermatas):
        within = [_within(*of_voice, span) for of_voice in zip(voices, starts, strict=True)]
        sounding = [{n: head for n, head in heads.items() if head.pitch} for heads in within]
        within = sounding if any(sounding) else within
        begun = Counter(head.start for heads in within for head in heads.values())
        place = max(begun, key=lambda start: (begun[start], start))
        for heads, found in zip(marked, within, strict=True):
            if found:
                index = max((n for n in found if found[n].start <= place), default=min(found))
                held = None if _note_span(heads, index) == span else span
                heads[index] = replace(found[index], fermata=True, held=held)
    return marked


def _within(
    heads: Sequence[NoteHead], starts: Sequence[int], span: tuple[int, int]
) -> dict[int, NoteHead]:
    """Return the heads and rests within ``span``, by their index."""
    first = max(bisect.bisect_right(starts, span[0]) - 1, 0)
    return {index: heads[index] for index in range(first, bisect.bisect_left(starts, span[1]))}


def _note_span(heads: Sequence[NoteHead], index: int) -> tuple[int, int]:
    """Return start and stop of the note, tied heads included, that has the head at ``index``."""
    first = last = index
    while heads[first].tied_from:
        first -= 1
    while heads[last].tied_to:
        last += 1
    return heads[first].start, heads[last].start + heads[last].length


def _with_accidentals(voices: Sequence[list[NoteHead]], chorale: Chorale) -> list[list[NoteHead]]:
    """Add the accidentals to the voices of one staff."""
    state = AccidentalState(spelling.signature(chorale.key) if chorale.key else 0)
    marked = [list(heads) for heads in voices]
    in_time = sorted(
        (head.start, voice, index)
        for voice, heads in enumerate(voices)
        for index, head in enumerate(heads)
    )
    for _, bar in itertools.groupby(in_time, key=lambda place: _bar_of(place[0], chorale)):
        state.begin_bar()
        for start, voice, index in bar:
            head = marked[voice][index]
            if head.pitch and head.tied_from:
                state.tied(head.pitch)
            elif head.pitch:
                accidental = state.accidental_for(voice, start, head.pitch)
                marked[voice][index] = replace(head, accidental=accidental)
    return marked


def _with_beams(heads: tuple[NoteHead, ...], chorale: Chorale) -> tuple[NoteHead, ...]:
    """Add the beams to the heads of one voice in one bar."""
    beamed: list[NoteHead] = []
    for sounding, run in itertools.groupby(heads, key=lambda head: head.pitch is not None):
        joined = list(run)
        if sounding:
            places = [(head.start - chorale.pickup) % chorale.meter.steps for head in joined]
            beams = rhythm.beams(places, [head.length for head in joined], chorale.meter)
            joined = [replace(h, beams=own) for h, own in zip(joined, beams, strict=True)]
        beamed += joined
    return tuple(beamed)


def _by_bar(heads: list[NoteHead], chorale: Chorale) -> Iterator[tuple[NoteHead, ...]]:
    for _, bar in itertools.groupby(heads, key=lambda head: _bar_of(head.start, chorale)):
        yield tuple(bar)


def _bar_of(step: int, chorale: Chorale) -> int:
    """Return the index of the bar at ``step``, -1 for the pickup."""
    return (step - chorale.pickup) // chorale.meter.steps
