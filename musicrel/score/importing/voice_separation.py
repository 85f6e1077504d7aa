"""Notes without voices -> four voices.

At each onset the new notes go, from high to low, to voices that are free, so that every voice
moves as little as possible from where it last was; crossing a held note, leaving a voice's range
and changing the staff cost extra. The first sonority with most notes says where the voices begin.
More than four notes at once lose doubled pitches first, then inner ones.

After the "voice leading" costs of D. Temperley, *The Cognition of Basic Musical Structures*,
2001, chapter 4, with a fixed number of voices. Of the notes of the bundled Bach chorales, all
pooled, ``tests/unit/score/importing/test_voice_separation.py`` says how many find their voice.

This file knows nothing of files.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from musicrel.chorale import RANGES, Voice
from musicrel.score.importing.import_report import Report
from musicrel.score.notes import Note

_CROSSING: Final = 24.0
"""Semitones of motion that one crossing with a held note is worth."""
_OUT_OF_RANGE: Final = 3.0
"""... that each semitone beyond the range is worth."""
_OTHER_STAFF: Final = 4.0
"""... that a soprano or alto on the lower staff is worth, and a tenor or bass on the upper."""
_SILENT_SO_FAR: Final = 0.5
"""Cost of a semitone from the middle of the range for a voice that has not sung."""
_CLOSE_CALL: Final = 1.0
"""Two ways that differ by no more are a doubt."""


class Placed(NamedTuple):
    """A note and where it stands: -1 on the upper of two staves, 1 on the lower, 0 unknown."""

    note: Note
    side: int


@dataclass(slots=True)
class _State:
    """Where the voices are.

    Attributes:
        sung: the notes found so far.
        last: the pitch each voice sang last.
    """

    sung: dict[Voice, list[Note]] = field(default_factory=lambda: {voice: [] for voice in Voice})
    last: dict[Voice, int] = field(default_factory=dict)

    def held(self, step: int) -> dict[Voice, Note]:
        """The voices that sing on at ``step``."""
        return {
            voice: notes[-1]
            for voice, notes in self.sung.items()
            if notes and notes[-1].stop > step
        }


def separated(notes: Sequence[Placed], report: Report) -> list[list[Note]]:
    """The voices S, A, T, B.

    Args:
        notes: all notes, in any order.
        report: where doubts and losses are noted.
    """
    state = _State()
    ordered = sorted(notes, key=lambda placed: (placed.note.start, -placed.note.pitch))
    state.last.update(_beginnings(ordered))
    for step, group in itertools.groupby(ordered, key=lambda placed: placed.note.start):
        _sing(state, step, list(group), report)
    return [state.sung[voice] for voice in Voice]


def _sing(state: _State, step: int, group: list[Placed], report: Report) -> None:
    """Give the notes that begin at ``step`` to voices."""
    group = _without_doubles(group, state.held(step))
    if len(group) + len(state.held(step)) > len(Voice):
        _end_overlaps(state, step, report)
    room = len(Voice) - len(state.held(step))
    if len(group) > room:
        report.found("dropped", step)
        group = _outer(group, room, state.held(step))
    if not group:
        return
    held = state.held(step)
    ways = sorted(
        (_cost(group, voices, held, state.last), voices)
        for voices in itertools.combinations([v for v in Voice if v not in held], len(group))
    )
    best, voices = ways[0]
    if best >= _CROSSING or (len(ways) > 1 and ways[1][0] - best <= _CLOSE_CALL):
        report.found("doubt", step)
    for voice, placed in zip(voices, group, strict=True):
        state.sung[voice].append(placed.note)
        state.last[voice] = placed.note.pitch


def _beginnings(ordered: Sequence[Placed]) -> Mapping[Voice, int]:
    """The pitches of the first sonority with as many notes as any has, four at most."""
    best: list[Placed] = []
    sounding: dict[int, Placed] = {}
    for step, group in itertools.groupby(ordered, key=lambda placed: placed.note.start):
        sounding = {pitch: old for pitch, old in sounding.items() if old.note.stop > step}
        sounding |= {placed.note.pitch: placed for placed in group}
        if len(best) < len(sounding) <= len(Voice):
            best = sorted(sounding.values(), key=lambda placed: -placed.note.pitch)
        if len(best) == len(Voice):
            break
    ways = itertools.combinations(Voice, len(best))
    voices = min(ways, key=lambda way: _cost(best, way, {}, {}))
    return {voice: placed.note.pitch for voice, placed in zip(voices, best, strict=True)}


def _cost(
    group: Sequence[Placed],
    voices: Sequence[Voice],
    held: Mapping[Voice, Note],
    last: Mapping[Voice, int],
) -> float:
    """What it costs that ``voices`` sing ``group``, in semitones of motion."""
    return sum(
        _motion(voice, placed.note.pitch, last)
        + _OTHER_STAFF * (placed.side == (1 if voice <= Voice.ALTO else -1))
        + _CROSSING * _crossings(voice, placed.note.pitch, held)
        for voice, placed in zip(voices, group, strict=True)
    )


def _motion(voice: Voice, pitch: int, last: Mapping[Voice, int]) -> float:
    low, high = RANGES[voice]
    beyond = _OUT_OF_RANGE * max(low - pitch, pitch - high, 0)
    if voice in last:
        return abs(pitch - last[voice]) + beyond
    return _SILENT_SO_FAR * abs(pitch - (low + high) / 2) + beyond


def _crossings(voice: Voice, pitch: int, held: Mapping[Voice, Note]) -> int:
    return sum(
        (pitch > note.pitch) if voice > other else (pitch < note.pitch)
        for other, note in held.items()
    )


def _without_doubles(group: list[Placed], held: Mapping[Voice, Note]) -> list[Placed]:
    """``group`` without repeated pitches, where there are more than four notes at once."""
    if len(group) + len(held) <= len(Voice):
        return group
    known = {note.pitch for note in held.values()}
    distinct = {placed.note.pitch: placed for placed in reversed(group)}
    return sorted(
        (placed for pitch, placed in distinct.items() if pitch not in known),
        key=lambda placed: -placed.note.pitch,
    )


def _end_overlaps(state: _State, step: int, report: Report) -> None:
    """End held notes that only overlap what begins at ``step`` by one sixteenth."""
    for voice, note in state.held(step).items():
        if note.stop - step == 1 and note.start < step:
            report.found("overlap", step)
            state.sung[voice][-1] = Note(note.start, step - note.start, note.pitch)


def _outer(group: list[Placed], room: int, held: Mapping[Voice, Note]) -> list[Placed]:
    """The ``room`` notes of ``group`` (from high to low) that matter most."""
    kept = list(group)
    while len(kept) > room:
        kept.remove(max(_inner_first(kept, held), key=lambda ranked: ranked[0])[1])
    return kept


def _inner_first(
    kept: Sequence[Placed], held: Mapping[Voice, Note]
) -> Iterator[tuple[tuple[bool, bool, int], Placed]]:
    """Each note with how well it can be missed: inner, doubled in the octave, far inside."""
    pitches = [placed.note.pitch for placed in kept] + [note.pitch for note in held.values()]
    for index, placed in enumerate(kept):
        pitch = placed.note.pitch
        inner = min(pitches) < pitch < max(pitches)
        doubled = sum((pitch - other) % 12 == 0 for other in pitches) > 1
        yield (inner, doubled, min(index, len(kept) - 1 - index)), placed
