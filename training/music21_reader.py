"""Reader of one file of music21's Bach corpus as a chorale on the sixteenth grid.

The rules, in the order of their application:

- *Parts.* The four parts whose names begin with Soprano, Alto, Tenor, Bass; instruments are left
  out. Files that lack one of them or have one twice are refused.
- *Bars.* Bars follow one another; each is as long as its longest voice. Repeats are not played
  twice; of first and second endings the last is kept. A short first bar is the pickup. Files that
  change their meter, or in which a quarter or more of the bars begin off it, are refused.
- *Grid.* A cell holds what sounds at its beginning; a note that begins between two steps begins at
  the next one, and is lost if it ends before. Grace notes and ornaments are ignored.
- *Voices.* Of a chord inside a voice the highest note is kept, in the bass the lowest. Tied notes
  are one note. Crossing voices stay as they are.
- *Silence.* Silent steps before the first and after the last note are cut off. From longer silences
  of all four voices (interludes of instruments) whole bars are taken out.
- *Fermatas* hold on every step of the soprano's note that carries one, and of another voice's if no
  fermata of a higher voice overlaps that note.
- *Key.* Elected from the soprano's signature, if it names a mode, and from the notes
  (``training.key_votes``).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from music21 import converter, expressions, key, meter, spanner, stream

from musicrel.chorale import (
    REST,
    STEPS_PER_QUARTER,
    Chorale,
    Flags,
    Key,
    Meter,
    Pitches,
    Voice,
)
from training import key_votes

MAX_BAR_LINES_OFF: Final = 0.25
"""A file with this share of its bar lines off the grid, or more, is refused."""


class RefusedError(Exception):
    """A file that cannot be read as a four-part chorale; the text is the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A chorale, and the parts of its file that do not fit the grid or the meter."""

    chorale: Chorale  # the piece, untitled
    off_grid: int  # sounding notes that begin between two steps
    lost: int  # those of them that end before the next step
    bar_lines_off: int  # bar lines that are not at the positions of the meter and the pickup
    silent_bars_cut: int  # bars of silence taken out


@dataclass(frozen=True, slots=True, kw_only=True)
class _Note:
    """A note of one voice, ties joined; times in steps, which need not be whole."""

    start: float
    end: float
    pitch: int
    fermata: bool


def read(path: Path) -> Reading:
    return from_score(converter.parse(path, forceSource=True))


def from_score(score: Any) -> Reading:
    """Convert a music21 score; see the module docstring for the rules."""
    bars = _bars(_voice_parts(score))
    metre = _meter(bars)
    lengths = [_length(bar) for bar in bars]
    pickup = _pickup(lengths, metre)
    off = _bar_lines_off(lengths, metre, pickup)
    if off >= MAX_BAR_LINES_OFF * len(bars):
        raise RefusedError(f"{off} of {len(bars)} bar lines do not fit one meter of {metre}")
    starts = np.concatenate([[0], np.cumsum(lengths)])
    voices = [_joined(_notes(bars, starts, voice)) for voice in Voice]
    chorale, bars_cut = _on_grid(voices, int(starts[-1]), metre, pickup, _file_key(bars))
    off_grid = [note for notes in voices for note in notes if note.start % 1]
    return Reading(
        chorale=chorale,
        off_grid=len(off_grid),
        lost=sum(_cells(note)[0] >= _cells(note)[1] for note in off_grid),
        bar_lines_off=off,
        silent_bars_cut=bars_cut,
    )


# ------------------------------------------------------------------------------ parts and bars

_Bar = tuple[Any, Any, Any, Any]
"""The measures of S A T B that sound together."""


def _voice_parts(score: Any) -> list[Any]:
    parts = []
    for voice in Voice:
        named = [p for p in score.parts if (p.partName or "").strip().startswith(voice.title)]
        if len(named) != 1:
            names = ", ".join(str(part.partName) for part in score.parts) or "none"
            raise RefusedError(f"{len(named) or 'no'} parts named {voice.title} (parts: {names})")
        parts.append(named[0])
    return parts


def _bars(parts: list[Any]) -> list[_Bar]:
    """List the bars in reading order, without first endings."""
    measures = [list(part.getElementsByClass(stream.Measure)) for part in parts]
    if len({len(voice) for voice in measures}) != 1:
        raise RefusedError("the four parts have different numbers of bars")
    passed_over = _first_endings(parts[Voice.SOPRANO])
    bars = list(zip(*measures, strict=True))
    return [bar for bar in bars if bar[Voice.SOPRANO].id not in passed_over]


def _first_endings(part: Any) -> set[Any]:
    """Return the ids of the measures under a bracket that another bracket follows at once."""
    brackets = list(part.getElementsByClass(spanner.RepeatBracket))
    spans = sorted([list(bracket) for bracket in brackets], key=lambda span: span[0].offset)
    return {
        measure.id
        for span, following in itertools.pairwise(spans)
        if span[-1].offset + span[-1].highestTime == following[0].offset
        for measure in span
    }


def _length(bar: _Bar) -> int:
    quarters = max(float(measure.highestTime) for measure in bar)
    return round(quarters * STEPS_PER_QUARTER)


def _meter(bars: list[_Bar]) -> Meter:
    signatures = [
        signature.ratioString
        for bar in bars
        for signature in bar[Voice.SOPRANO].getElementsByClass(meter.TimeSignature)
    ]
    if len(set(signatures)) != 1:
        raise RefusedError(f"meters {', '.join(signatures) or 'not named'}: expected one")
    return Meter.parse(signatures[0])


def _pickup(lengths: list[int], metre: Meter) -> int:
    return lengths[0] if lengths[0] < metre.steps else 0


def _bar_lines_off(lengths: list[int], metre: Meter, pickup: int) -> int:
    """Count whole or overlong bars that begin off the grid of the meter.

    A short bar is no evidence by itself: two of them make one bar if a repeat sign cuts it.
    """
    starts = np.cumsum([0, *lengths[:-1]])
    whole = np.array(lengths) >= metre.steps
    overlong = np.array(lengths) % metre.steps != 0
    off = whole & (((starts - pickup) % metre.steps != 0) | overlong)
    return int(off.sum())


def _file_key(bars: list[_Bar]) -> Key | None:
    """Return the key of the soprano's first signature, None if it names no mode."""
    signature = bars[0][Voice.SOPRANO].getElementsByClass(key.KeySignature).first()
    if not isinstance(signature, key.Key) or signature.mode not in ("major", "minor"):
        return None
    return Key.of(signature.tonic.pitchClass, signature.mode)


# -------------------------------------------------------------------------------------- notes


def _notes(bars: list[_Bar], starts: npt.NDArray[np.int64], voice: Voice) -> Iterator[Any]:
    """Yield the note heads of a voice as (_Note, tie), in time."""
    for bar, start in zip(bars, starts, strict=False):
        for head in bar[voice].recurse().notes:
            if head.duration.isGrace:
                continue
            begin = float(start + head.getOffsetInHierarchy(bar[voice]) * STEPS_PER_QUARTER)
            length = float(head.duration.quarterLength * STEPS_PER_QUARTER)
            pitches = [pitch.midi for pitch in head.pitches]
            note = _Note(
                start=begin,
                end=begin + length,
                pitch=min(pitches) if voice is Voice.BASS else max(pitches),
                fermata=any(isinstance(mark, expressions.Fermata) for mark in head.expressions),
            )
            yield note, head.tie.type if head.tie else None


def _joined(heads: Iterator[Any]) -> list[_Note]:
    """Join tied notes; a tie to another pitch, or over a gap, joins nothing."""
    notes: list[_Note] = []
    for head, tie in heads:
        last = notes[-1] if notes else None
        goes_on = last and (last.pitch, last.end) == (head.pitch, head.start)
        if last and goes_on and tie in ("stop", "continue"):
            notes[-1] = _Note(
                start=last.start,
                end=head.end,
                pitch=head.pitch,
                fermata=last.fermata or head.fermata,
            )
        else:
            notes.append(head)
    return notes


# --------------------------------------------------------------------------------------- grid


def _on_grid(
    voices: list[list[_Note]], steps: int, metre: Meter, pickup: int, named: Key | None
) -> tuple[Chorale, int]:
    pitches = np.full((steps, len(Voice)), REST, dtype=np.int16)
    onsets = np.zeros((steps, len(Voice)), dtype=np.bool_)
    for voice, notes in enumerate(voices):
        for note in notes:
            first, end = _cells(note)
            pitches[first:end, voice] = note.pitch
            onsets[first : min(first + 1, end), voice] = True
    fermatas = _fermatas(voices, steps)
    kept, bars_cut = _kept_steps(pitches, metre)
    chorale = Chorale(
        pitches=pitches[kept],
        onsets=onsets[kept],
        fermatas=fermatas[kept],
        meter=metre,
        pickup=int(pickup - kept[0]) % metre.steps,
        key=key_votes.elect_key(pitches[kept], named),
    )
    return chorale, bars_cut


def _cells(note: _Note) -> tuple[int, int]:
    """Return the half-open range of steps at whose beginning the note sounds."""
    return int(np.ceil(note.start)), int(np.ceil(note.end))


def _fermatas(voices: list[list[_Note]], steps: int) -> Flags:
    held = np.zeros(steps, dtype=np.bool_)
    for notes in voices:
        above = held.copy()
        for note in notes:
            first, end = _cells(note)
            if note.fermata and not above[first:end].any():
                held[first:end] = True
    return held


def _kept_steps(pitches: Pitches, metre: Meter) -> tuple[npt.NDArray[np.int64], int]:
    """Return the steps to keep, and the number of silent bars cut."""
    sounding = np.flatnonzero((pitches != REST).any(axis=1))
    if not sounding.size:
        raise RefusedError("no note sounds")
    kept = [np.arange(sounding[0], sounding[0] + 1)]
    bars_cut = 0
    for before, after in itertools.pairwise(sounding):
        bars = int(after - before - 1) // metre.steps
        bars_cut += bars
        kept.append(np.arange(before + 1 + bars * metre.steps, after + 1))
    return np.concatenate(kept), bars_cut
