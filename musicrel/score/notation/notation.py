"""Music notation of a chorale: bars of note heads and rests with ties, beams and accidentals.

Conventions: starts and lengths are steps of one sixteenth, starts counted from the first step of
the piece. The rules of spelling are in ``spelling``.

Printed accidentals on a staff with one or two voices.

An accidental applies to its staff position until the bar line, within one voice; the other voice of
the staff gets its own. A note tied over the bar line needs none, and none applies after it. A note
gets a courtesy accidental if its position had another alteration in the bar before.
After E. Gould, *Behind Bars*, 2011, "Accidentals".

Rhythmic notation: note heads, rests and beams for a rhythm in its meter.

Conventions: times and lengths are steps of one sixteenth; positions are counted from the bar line.
The *units* of a meter are the lengths its bar is divided into, each a multiple of the next: 16 8 4
2 1 in 4/4, 12 4 2 1 in 3/4, 12 6 2 1 in 6/8. A position is as strong as the largest unit it is a
multiple of.

A note is one head if its length allows it and no position inside it is stronger than both its
ends; the exceptions are common syncopations: a head as long as the unit it straddles (quarter half
quarter), and a dotted note that starts on a beat. Any other note is split and tied at the strongest
position inside. In 4/4 only such a note may cover the middle of the bar. After
E. Gould, *Behind Bars*, 2011, "Ties" and "Grouping"; of the notes in music21's Bach chorales all
but 0.3 % are notated as printed there.
"""

from __future__ import annotations

import bisect
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, Literal, NamedTuple

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter, Voice, spans
from musicrel.meter_beats import beat, is_compound, written_unit
from musicrel.score.notation import spelling
from musicrel.score.notation.spelling import SpelledPitch, altered_letters
from musicrel.score.notes import Note, notes
from musicrel.score.verses.harmonies import harmonies

Beam = Literal["begin", "continue", "end", "forward hook", "backward hook"]

_PLAIN: Final = (1, 2, 4, 8, 16, 32)
_DOTTED: Final = (3, 6, 12, 24, 48)
# Lengths of a single note head in steps, from a sixteenth to a dotted breve.
_HEADS: Final = frozenset(_PLAIN + _DOTTED)


@cache
def units(meter: Meter) -> tuple[int, ...]:
    """Return the metric units of ``meter`` in steps, from the bar down to one step."""
    found = [meter.steps]
    while found[-1] % (2 * beat(meter)) == 0:
        found.append(found[-1] // 2)
    found.append(beat(meter))
    below = written_unit(meter)
    while below >= 1:
        found.append(below)
        below //= 2
    return tuple(sorted(set(found), reverse=True))


def split_note(start: int, length: int, meter: Meter) -> list[int]:
    """Split a note within one bar into the lengths of tied note heads."""
    if _is_one_head(start, length, meter):
        return [length]
    cut = _strongest_inside(start, length, meter)
    return split_note(start, cut - start, meter) + split_note(cut, start + length - cut, meter)


def split_rest(start: int, length: int, meter: Meter) -> list[int]:
    """Split a silence within one bar into the lengths of rests.

    A rest fills a unit of the meter: unlike notes, rests show every beat.
    """
    if length in _HEADS and any(length == unit and start % unit == 0 for unit in units(meter)):
        return [length]
    cut = _strongest_inside(start, length, meter)
    return split_rest(start, cut - start, meter) + split_rest(cut, start + length - cut, meter)


def beams(starts: Sequence[int], lengths: Sequence[int], meter: Meter) -> list[tuple[Beam, ...]]:
    """Compute the beams of consecutive note heads in one bar.

    Heads shorter than a quarter are beamed within a quarter, or a dotted quarter in 6/8.
    """
    group = min((unit for unit in units(meter) if unit >= STEPS_PER_QUARTER), default=meter.steps)
    joined = [
        start // group if _flags(length) else -1
        for start, length in zip(starts, lengths, strict=True)
    ]
    found: list[tuple[Beam, ...]] = []
    for place, run in itertools.groupby(range(len(starts)), key=joined.__getitem__):
        indices = list(run)
        if place < 0 or len(indices) == 1:
            found += [()] * len(indices)
        else:
            found += _beams_of_run([starts[i] for i in indices], [lengths[i] for i in indices])
    return found


def _is_one_head(start: int, length: int, meter: Meter) -> bool:
    if length not in _HEADS:
        return False
    if length == 1:
        return True
    count = beat(meter)
    if is_compound(meter) and start // count < (start + length - 1) // count and length % count:
        return False
    hidden = _unit_at(_strongest_inside(start, length, meter), meter)
    at_start, at_end = _unit_at(start, meter), _unit_at(start + length, meter)
    if hidden <= max(at_start, at_end):
        return True
    straddles = length == hidden and hidden == 2 * at_start
    dotted_on_beat = 2 * length == 3 * at_start and at_start >= STEPS_PER_QUARTER
    return straddles or (dotted_on_beat and hidden == 2 * at_start)


def _strongest_inside(start: int, length: int, meter: Meter) -> int:
    """Return the strongest position inside; of equals the one farthest from the stronger end."""
    inside = range(start + 1, start + length)
    strength = max(_unit_at(position, meter) for position in inside)
    strongest = [position for position in inside if _unit_at(position, meter) == strength]
    leans_left = _unit_at(start, meter) >= _unit_at(start + length, meter)
    return strongest[-1 if leans_left else 0]


def _unit_at(position: int, meter: Meter) -> int:
    return next(unit for unit in units(meter) if position % unit == 0)


def _flags(length: int) -> int:
    return 0 if length >= STEPS_PER_QUARTER else 1 if length > 1 else 2


def _beams_of_run(starts: Sequence[int], lengths: Sequence[int]) -> list[tuple[Beam, ...]]:
    flags = [0, *map(_flags, lengths), 0]
    return [
        tuple(
            _beam(
                from_left=flags[index] >= level,
                to_right=flags[index + 2] >= level,
                hook_back=index > 0 and (start % 2 == 1 or index == len(starts) - 1),
            )
            for level in range(1, flags[index + 1] + 1)
        )
        for index, start in enumerate(starts)
    ]


def _beam(*, from_left: bool, to_right: bool, hook_back: bool) -> Beam:
    if from_left:
        return "continue" if to_right else "end"
    return "begin" if to_right else "backward hook" if hook_back else "forward hook"


Sign = Literal["flat-flat", "flat", "natural", "sharp", "double-sharp"]

_SIGNS: Final[Mapping[int, Sign]] = {
    -2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp",
}  # fmt: skip

_Position = tuple[str, int]  # a letter and an octave: a line or space of the staff


class Accidental(NamedTuple):
    """An accidental before a note."""

    sign: Sign
    courtesy: bool  # whether it is a reminder only


class AccidentalState:
    """The accidentals in force on one staff; updated with each note in order of time."""

    def __init__(self, signature: int) -> None:
        self._signature = altered_letters(signature)
        self._in_bar: dict[_Position, int] = {}
        self._in_voice: dict[tuple[int, _Position], int] = {}
        self._last_before: dict[_Position, int] = {}
        self._last: dict[_Position, int] = {}
        self._signed_at: dict[_Position, int] = {}

    def begin_bar(self, signature: int | None = None) -> None:
        if signature is not None:
            self._signature = altered_letters(signature)
        self._last_before, self._last = self._last, {}
        self._in_bar, self._in_voice, self._signed_at = {}, {}, {}

    def tied(self, pitch: SpelledPitch) -> None:
        """Add a note tied from the one before, which gets no accidental."""
        self._last[pitch.step, pitch.octave] = pitch.alter

    def accidental_for(self, voice: int, step: int, pitch: SpelledPitch) -> Accidental | None:
        """Add a note and return its accidental, if it needs one."""
        position = (pitch.step, pitch.octave)
        of_signature = self._signature.get(pitch.step, 0)
        in_force = {
            self._in_bar.get(position, of_signature),
            self._in_voice.get((voice, position), of_signature),
        }
        remembered = self._last.get(position, self._last_before.get(position, of_signature))
        needed = in_force != {pitch.alter}
        shared = self._signed_at.get(position) == step and self._in_bar[position] == pitch.alter
        self._in_bar[position] = self._in_voice[voice, position] = pitch.alter
        self._last[position] = pitch.alter
        if shared or not (needed or remembered != pitch.alter):
            return None
        self._signed_at[position] = step
        return Accidental(_SIGNS[pitch.alter], courtesy=not needed)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHead:
    """A note head, or a rest."""

    start: int  # first step
    length: int
    pitch: SpelledPitch | None = None  # its spelling, None for a rest
    tied_from: bool = False
    tied_to: bool = False
    fermata: bool = False
    # steps that its fermata covers, None for those of its whole note
    held: tuple[int, int] | None = None
    whole_bar: bool = False  # whether it is a whole-bar rest, of any length
    accidental: Accidental | None = None  # its printed accidental, if any
    beams: tuple[Beam, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar of music, or the part of one before or after a harmony or a repeat begins."""

    number: int  # bar number; the pickup is 0, and a second part of a bar has that of the first
    length: int  # length in steps; the first and the last bar may be short
    is_first: bool = False  # whether it is the first of the harmony of a verse, after others
    voices: tuple[tuple[NoteHead, ...], ...]

    @property
    def start(self) -> int:
        """Return the first step."""
        return self.voices[0][0].start


def notate(
    chorale: Chorale, staves: Iterable[Sequence[Voice]], edges: Iterable[int] = ()
) -> list[Bar]:
    """Convert ``chorale`` to bars of notation, with those in two parts that have edges inside."""
    firsts = {one.start for one in harmonies(chorale)[1:]}
    starts = sorted({*firsts, *edges})
    voices = _with_fermatas([list(_heads(chorale, voice, starts)) for voice in Voice], chorale)
    for staff in staves:
        signed = _with_accidentals([voices[voice] for voice in staff], chorale, starts)
        for voice, heads in zip(staff, signed, strict=True):
            voices[voice] = heads
    return [
        Bar(
            number=chorale.bar_number(bar[0][0].start),
            length=sum(head.length for head in bar[0]),
            is_first=bar[0][0].start in firsts,
            voices=tuple(_with_beams(heads, chorale) for heads in bar),
        )
        for bar in zip(*(_by_bar(heads, chorale, starts) for heads in voices), strict=True)
    ]


def _heads(chorale: Chorale, voice: Voice, starts: Sequence[int]) -> Iterator[NoteHead]:
    for start, stop, pitch in _runs(chorale, voice):
        for begin, end in _within_bars(start, stop, chorale, starts):
            place = (begin - chorale.pickup) % chorale.meter.steps
            whole_bar = pitch is None and end - begin == chorale.meter.steps
            split = split_note if pitch else split_rest
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


def spelled_notes(chorale: Chorale, voice: Voice) -> Iterator[tuple[Note, SpelledPitch]]:
    """Yield the notes of a voice with the spellings in which they are printed."""
    voice_notes = notes(chorale, voice)
    estimated = None if chorale.key else spelling.estimate_key(chorale.pitches)
    keys = chorale.keys()
    for key, run in itertools.groupby(voice_notes, lambda note: keys[note.start]):
        same = list(run)
        names = spelling.spell_melody([note.pitch for note in same], key or estimated)
        yield from zip(same, names, strict=True)


def _runs(chorale: Chorale, voice: Voice) -> Iterator[tuple[int, int, SpelledPitch | None]]:
    """Yield start, stop and spelling of each note and of each rest (None)."""
    now = 0
    for note, name in spelled_notes(chorale, voice):
        if note.start > now:
            yield now, note.start, None
        yield note.start, note.stop, name
        now = note.stop
    if now < chorale.steps:
        yield now, chorale.steps, None


def _within_bars(
    start: int, stop: int, chorale: Chorale, starts: Sequence[int]
) -> Iterator[tuple[int, int]]:
    bar = chorale.meter.steps
    while start < stop:
        ahead = (step for step in starts if step > start)
        end = min(stop, start + bar - (start - chorale.pickup) % bar, *ahead)
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
        within: list[dict[int, NoteHead]] = []
        for heads, begun in zip(voices, starts, strict=True):
            first = max(bisect.bisect_right(begun, span[0]) - 1, 0)
            last = bisect.bisect_left(begun, span[1])
            within.append({index: heads[index] for index in range(first, last)})
        sounding = [{n: head for n, head in heads.items() if head.pitch} for heads in within]
        within = sounding if any(sounding) else within
        count = Counter(head.start for heads in within for head in heads.values())
        place = max(count, key=lambda start: (count[start], start))
        for heads, found in zip(marked, within, strict=True):
            if found:
                index = max((n for n in found if found[n].start <= place), default=min(found))
                held = None if _note_span(heads, index) == span else span
                heads[index] = replace(found[index], fermata=True, held=held)
    return marked


def _note_span(heads: Sequence[NoteHead], index: int) -> tuple[int, int]:
    """Return start and stop of the note, tied heads included, that has the head at ``index``."""
    first = last = index
    while heads[first].tied_from:
        first -= 1
    while heads[last].tied_to:
        last += 1
    return heads[first].start, heads[last].start + heads[last].length


def _with_accidentals(
    voices: Sequence[list[NoteHead]], chorale: Chorale, starts: Sequence[int]
) -> list[list[NoteHead]]:
    state, keys = AccidentalState(0), chorale.keys()
    marked = [list(heads) for heads in voices]
    in_time = sorted(
        (head.start, voice, index)
        for voice, heads in enumerate(voices)
        for index, head in enumerate(heads)
    )
    for _, bar in itertools.groupby(in_time, key=lambda each: _bar_at(each[0], chorale, starts)):
        found = list(bar)
        key = keys[found[0][0]]
        state.begin_bar(spelling.signature(key) if key else 0)
        for start, voice, index in found:
            head = marked[voice][index]
            if head.pitch and head.tied_from:
                state.tied(head.pitch)
            elif head.pitch:
                accidental = state.accidental_for(voice, start, head.pitch)
                marked[voice][index] = replace(head, accidental=accidental)
    return marked


def _with_beams(heads: tuple[NoteHead, ...], chorale: Chorale) -> tuple[NoteHead, ...]:
    beamed: list[NoteHead] = []
    for sounding, run in itertools.groupby(heads, key=lambda head: head.pitch is not None):
        joined = list(run)
        if sounding:
            places = [(head.start - chorale.pickup) % chorale.meter.steps for head in joined]
            found = beams(places, [head.length for head in joined], chorale.meter)
            joined = [replace(h, beams=own) for h, own in zip(joined, found, strict=True)]
        beamed += joined
    return tuple(beamed)


def _by_bar(
    heads: list[NoteHead], chorale: Chorale, starts: Sequence[int]
) -> Iterator[tuple[NoteHead, ...]]:
    for _, bar in itertools.groupby(heads, key=lambda head: _bar_at(head.start, chorale, starts)):
        yield tuple(bar)


def _bar_at(step: int, chorale: Chorale, starts: Sequence[int]) -> tuple[int, int]:
    """Return the number of the bar at ``step``, and which of its parts it is in."""
    return chorale.bar_number(step), bisect.bisect_right(starts, step)
