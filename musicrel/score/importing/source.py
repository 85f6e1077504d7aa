"""What a file of any kind says, before anyone decides which voices it means.

Conventions: times are steps (sixteenths) from the beginning of the file, whole or not; ranges are
half-open. A reader counts exactly and makes each time a float once, so that equal times stay equal
and whole ones whole. A line is what one singer or one hand reads: a voice on a staff, a
channel in a track; it may hold chords. This file knows nothing of bytes, of XML or of voices.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from musicrel.chorale import MAX_STEPS, Chorale, Key, Meter, Provenance, Voice
from musicrel.score.notes import notes, spans

USUAL_TEMPO: Final = 80.0
"""Quarters a minute where a score says nothing."""

Time = float
Span = tuple[Time, Time]

Trouble = Literal[
    "moved", "lost", "empty", "endless", "grace", "cue", "unpitched", "repeat",
    "chord", "overlap", "dropped", "doubt", "folded",
]  # fmt: skip
"""What a reader met that a chorale cannot hold, or was not sure of; ``report`` has the words."""


class Finding(NamedTuple):
    """A trouble, and when."""

    trouble: Trouble
    time: Time


class Sound(NamedTuple):
    """One note, not yet on the grid; a tuple, since a file holds up to 100,000."""

    start: Time
    stop: Time
    pitch: int


class BarLine(NamedTuple):
    """Where a bar begins, and its number as it is printed."""

    start: Time
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What one singer or one hand reads.

    Attributes:
        name: of its part or track, "" where it has none.
        sounds: by start.
        end: where its track or part ends, silence included.
        staff: the staff or track it stands on, counted from the top over the whole file.
    """

    name: str
    sounds: tuple[Sound, ...]
    end: Time
    staff: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """All that a file says of its music.

    Attributes:
        lines: in the order of the file, silent ones too where they have a name or a staff.
        in_score_order: whether that order is from the highest voice down.
        bar_lines: by start, at least one.
        meters: the meter and its changes, each with the time from which it holds; at least one.
        pickup: how long the bar before the first whole one is, 0 where there is none.
        key: the first key signature, or None.
        tempos: quarters a minute with the time from which they hold; may be empty.
        tempo: the one that is meant throughout.
        fermatas: what each holds; one that overlaps an earlier one in this list does not count.
        title: one line of text.
        provenance: which model wrote it, None for anything else.
        findings: what could not be kept so far.
    """

    lines: tuple[Line, ...]
    in_score_order: bool = False
    bar_lines: tuple[BarLine, ...] = (BarLine(0.0, "1"),)
    meters: tuple[tuple[Time, Meter], ...] = ((0.0, Meter()),)
    pickup: Time = 0.0
    key: Key | None = None
    tempos: tuple[tuple[Time, float], ...] = ()
    tempo: float = USUAL_TEMPO
    fermatas: tuple[Span, ...] = ()
    title: str = ""
    provenance: Provenance | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def meter(self) -> Meter:
        """The first meter, which a chorale keeps throughout."""
        return self.meters[0][1]

    def bar_at(self, time: Time) -> int:
        """The index in ``bar_lines`` of the bar in which ``time`` lies."""
        return max(bisect.bisect_right(self.bar_lines, time, key=lambda bar: bar.start) - 1, 0)


def of_chorale(chorale: Chorale) -> Source:
    """What a file with ``chorale`` says: four named lines."""
    end = float(chorale.steps)
    pickup = float(chorale.pickup)
    return Source(
        lines=tuple(_line(chorale, voice) for voice in Voice),
        in_score_order=True,
        bar_lines=tuple(counted([(0.0, chorale.meter)], pickup, end)),
        meters=((0.0, chorale.meter),),
        pickup=pickup,
        key=chorale.key,
        tempo=chorale.tempo,
        fermatas=tuple((float(a), float(b)) for a, b in spans(chorale.fermatas)),
        title=chorale.title,
        provenance=chorale.provenance,
    )


def counted(meters: Sequence[tuple[Time, Meter]], pickup: Time, end: Time) -> Iterator[BarLine]:
    """The bar lines that ``meters`` imply, numbered from 1, the pickup 0.

    Args:
        meters: each with the time from which it holds; a change begins a new bar.
        pickup: of the first bar, before the first meter counts.
        end: of the piece; no bar begins there or beyond what a chorale can hold.
    """
    if pickup:
        yield BarLine(0.0, "0")
    number = 1
    last = min(end, float(MAX_STEPS))
    changes = [*(min(max(time, pickup), last) for time, _ in meters[1:]), last]
    now = pickup
    for (_, meter), until in zip(meters, changes, strict=True):
        while now < until or number == 1:
            yield BarLine(now, str(number))
            number += 1
            now += meter.steps
        now = min(now, until)


def sounding(lines: Iterable[Line]) -> list[Line]:
    """Those of ``lines`` that have a note."""
    return [line for line in lines if line.sounds]


def _line(chorale: Chorale, voice: Voice) -> Line:
    return Line(
        name=voice.title,
        sounds=tuple(
            Sound(float(note.start), float(note.stop), note.pitch) for note in notes(chorale, voice)
        ),
        end=float(chorale.steps),
        staff=int(voice),
    )
