"""The content of a music file of any format, before its notes are assigned to voices.

Conventions: times are steps (sixteenths) from the start of the file, possibly fractional; ranges
are half-open. A reader computes exactly and converts each time to float once, so that equal times
stay equal. A line is a voice on a staff, or a channel in a track; it may contain chords.
"""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from musicrel.chorale import MAX_STEPS, Chorale, Key, Mark, Meter, Provenance, Voice, spans
from musicrel.language import tr
from musicrel.score.notes import notes

DEFAULT_TEMPO: Final = 80.0  # quarters per minute for a score without a tempo

Time = float
Span = tuple[Time, Time]

IssueKind = Literal[
    "moved", "lost", "empty", "endless", "grace", "cue", "unpitched", "unreadable", "signature",
    "microtone", "repeat", "jump", "chord", "overlap", "dropped", "doubt", "unison", "folded",
    "gap", "tie", "lyrics", "chord symbols", "figured bass", "dynamics", "hairpins",
    "articulations", "ornaments",
    "pedal marks", "playing techniques", "text", "markers", "movement title", "movement number",
    "work number", "arranger", "other names", "drums", "cut", "tracks",
    "tunes", "length", "broken", "damaged", "tempo", "seconds",
]  # fmt: skip
"""Kinds of content that a chorale cannot represent; ``conversion`` has the sentences."""

_CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Issue(NamedTuple):
    """An issue of an import, and its time."""

    kind: IssueKind
    time: Time


class RawNote(NamedTuple):
    """One note before quantisation; a tuple, since a file holds up to 100,000."""

    start: Time
    stop: Time
    pitch: int


class RawLyric(NamedTuple):
    """A syllable of a line, before its note is assigned to a voice; see ``chorale.Lyric``."""

    time: Time  # when its note begins
    verse: int
    text: str
    hyphen: bool = False
    extends: bool = False


class RawSlur(NamedTuple):
    """A slur of a line: when its first note begins, and when its last one ends."""

    time: Time
    stop: Time


class BarLine(NamedTuple):
    """The start of a bar, and its printed number."""

    start: Time
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A voice on a staff, or a channel in a track."""

    name: str  # name of its part or track, "" if it has none
    notes: tuple[RawNote, ...]
    end: Time  # end of its track or part, final rests included
    staff: int = 0  # index of its staff or track, counted from the top of the whole file
    lyrics: tuple[RawLyric, ...] = ()
    slurs: tuple[RawSlur, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """The musical content of a file."""

    # the lines in file order; empty ones too if they have a name or a staff
    lines: tuple[Line, ...]
    in_score_order: bool = False  # whether that order is from the highest voice down
    bar_lines: tuple[BarLine, ...] = (BarLine(0.0, "1"),)  # at least one, sorted by start
    # the meter and its changes, each with its start time; at least one
    meters: tuple[tuple[Time, Meter], ...] = ((0.0, Meter()),)
    pickup: Time = 0.0  # length of the pickup bar, 0 if there is none
    key: Key | None = None  # the first key signature, or None
    # tempos in quarters per minute with their start times; may be empty
    tempos: tuple[tuple[Time, float], ...] = ()
    # times of words for a slower tempo, and for a return to the one before
    slower: tuple[Time, ...] = ()
    again: tuple[Time, ...] = ()
    marks: tuple[Mark, ...] = ()  # marks that musicrel wrote
    # the dynamics, each with its start time; may be empty
    dynamics: tuple[tuple[Time, str], ...] = ()
    # the hairpins: start, end and one of ``chorale.HAIRPINS``; of those at one time the last counts
    hairpins: tuple[tuple[Time, Time, str], ...] = ()
    # the key and its changes, each with its start time; may be empty
    keys: tuple[tuple[Time, Key], ...] = ()
    mode: str = ""  # the name of another mode than major and minor that ``key`` stands for, else ""
    tempo: float = DEFAULT_TEMPO  # the main tempo in quarters per minute
    # span of each fermata; one that overlaps an earlier one is ignored
    fermatas: tuple[Span, ...] = ()
    title: str = ""  # one line of text
    subtitle: str = ""  # one line of text; "" if there is none
    composer: str = ""  # one line of text; "" if unknown
    poet: str = ""  # who wrote the words, one line of text; "" if unknown
    tune: str = ""  # name of the tune, one line of text; "" if it has none
    copyright: str = ""  # one line of text; "" if there is none
    provenance: Provenance | None = None  # the provenance of a generated piece, else None
    issues: tuple[Issue, ...] = ()  # content that was lost or changed so far
    # whether musicrel wrote the file, so that silence at its start belongs to the piece
    exact: bool = False

    @property
    def meter(self) -> Meter:
        """Return the first meter, which a chorale keeps throughout."""
        return self.meters[0][1]

    def place(self, line: Line) -> str:
        """Name the staff of a score or the track of a MIDI file that ``line`` is on."""
        number = line.staff + 1
        if self.in_score_order:
            return tr("staff {number}", number=number)
        return tr("track {number}", number=number)

    def bar_at(self, time: Time) -> int:
        return max(bisect.bisect_right(self.bar_lines, time, key=lambda bar: bar.start) - 1, 0)


def from_chorale(chorale: Chorale) -> Source:
    """Convert ``chorale`` to a source with four named lines."""
    lines = (
        Line(
            name=voice.part,
            notes=tuple(RawNote(n.start, n.stop, n.pitch) for n in notes(chorale, voice)),
            end=chorale.steps,
            staff=int(voice),
            lyrics=tuple(
                RawLyric(word.step, word.verse, word.text, word.hyphen, word.extends)
                for word in chorale.lyrics
                if word.voice == voice
            ),
        )
        for voice in Voice
    )
    bar_lines = implied_bar_lines([(0.0, chorale.meter)], chorale.pickup, chorale.steps)
    return Source(
        lines=tuple(lines),
        in_score_order=True,
        bar_lines=tuple(bar_lines),
        meters=((0.0, chorale.meter),),
        pickup=chorale.pickup,
        key=chorale.key,
        tempo=chorale.tempo,
        marks=chorale.marks,
        fermatas=tuple(spans(chorale.fermatas)),
        title=chorale.title,
        subtitle=chorale.subtitle,
        composer=chorale.composer,
        poet=chorale.poet,
        tune=chorale.tune,
        copyright=chorale.copyright,
        provenance=chorale.provenance,
        exact=True,
    )


def implied_bar_lines(
    meters: Sequence[tuple[Time, Meter]], pickup: Time, end: Time
) -> Iterator[BarLine]:
    """Yield the bar lines that ``meters`` imply, numbered from 1; the pickup bar has 0."""
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


def step_of(time: Time) -> int:
    """Return the step at which a note at ``time`` begins."""
    return math.floor(time + 0.5)


def non_empty(lines: Iterable[Line]) -> list[Line]:
    """Return the lines that have notes."""
    return [line for line in lines if line.notes]


def clean_text(text: str) -> str:
    """Return ``text`` on one line, without control characters."""
    return _CONTROL.sub("", " ".join(text.split()))
