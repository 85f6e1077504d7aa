"""Separation of pooled notes into four voices.

At each onset the new notes are assigned, from high to low, to free voices with the least total
motion; crossing a held note, leaving the range of a voice and the wrong staff cost extra. The first
sonority with the most notes initialises the voices. Of more than four simultaneous notes, doubled
pitches are left out first, then inner ones. On two staves with mostly two notes each, a single note
belongs to both voices of its staff.

After the "voice leading" costs of D. Temperley, *The Cognition of Basic Musical Structures*,
2001, chapter 4, with a fixed number of voices. The accuracy on the bundled Bach chorales is
measured in ``tests/unit/score/importing/test_voice_separation.py``.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from musicrel.chorale import RANGES, Voice
from musicrel.score.importing.import_report import Report
from musicrel.score.notes import Note

_CROSSING: Final = 24.0
"""Cost of crossing a held note, in semitones of motion."""
_OUT_OF_RANGE: Final = 3.0
"""Cost of each semitone beyond the range."""
_OTHER_STAFF: Final = 4.0
"""Cost of a soprano or alto on the lower staff, or a tenor or bass on the upper one."""
_WITHOUT_HISTORY: Final = 0.5
"""Cost per semitone from the middle of the range, for a voice without earlier notes."""
_MIN_FOUR_PART: Final = 0.5
"""Share of the onsets with four notes in music where a single note is a unison."""
_CLOSE_CALL: Final = 1.0
"""Cost difference of the two best assignments up to which the choice is uncertain."""

_MOST_RANKED: Final = 8
"""Notes of a cluster, from above and from below, that are compared; the others are left out."""


_STAFF_MATES: Final = ((Voice.SOPRANO, Voice.ALTO), (Voice.TENOR, Voice.BASS))


class Placed(NamedTuple):
    """A note and its staff: -1 for the upper of two staves, 1 for the lower, 0 unknown."""

    note: Note
    side: int


@dataclass(slots=True)
class _State:
    """The voices assigned so far.

    Attributes:
        notes: the notes of each voice.
        last: the latest pitch of each voice.
    """

    notes: dict[Voice, list[Note]] = field(default_factory=lambda: {voice: [] for voice in Voice})
    last: dict[Voice, int] = field(default_factory=dict)

    def held(self, step: int) -> dict[Voice, Note]:
        """Return the voices with a note held across ``step``."""
        return {
            voice: notes[-1]
            for voice, notes in self.notes.items()
            if notes and notes[-1].stop > step
        }


def separate_voices(notes: Sequence[Placed], report: Report) -> list[list[Note]]:
    """Separate notes into the voices S, A, T, B.

    Args:
        notes: all notes, in any order.
        report: receives uncertain assignments and notes left out.
    """
    state = _State()
    ordered = sorted(notes, key=lambda placed: (placed.note.start, -placed.note.pitch))
    state.last.update(_initial_pitches(ordered))
    for step, group in itertools.groupby(ordered, key=lambda placed: placed.note.start):
        _assign(state, step, list(group), report)
    if any(placed.side for placed in ordered):
        _double_unisons(state, report)
    return [state.notes[voice] for voice in Voice]


def _double_unisons(state: _State, report: Report) -> None:
    """Give the notes that are alone on a staff to both of its voices."""
    steps = {note.start for voice in state.notes.values() for note in voice}
    sounding = Counter(
        step
        for voice in state.notes.values()
        for note in voice
        for step in range(note.start, note.stop)
        if step in steps
    )
    if sum(count == len(Voice) for count in sounding.values()) < _MIN_FOUR_PART * len(steps):
        return
    for voice, other in (*_STAFF_MATES, *(pair[::-1] for pair in _STAFF_MATES)):
        taken = {step for note in state.notes[voice] for step in range(note.start, note.stop)}
        low, high = RANGES[voice]
        for note in list(state.notes[other]):
            if low <= note.pitch <= high and taken.isdisjoint(range(note.start, note.stop)):
                state.notes[voice].append(note)
                report.add_issue("unison", note.start)
        state.notes[voice].sort()


def _assign(state: _State, step: int, group: list[Placed], report: Report) -> None:
    """Assign the notes that start at ``step`` to voices."""
    if len(group) + len(state.held(step)) > len(Voice):
        _end_overlaps(state, step, group, report)
    group = _without_doubles(group, state.held(step))
    free = len(Voice) - len(state.held(step))
    if len(group) > free:
        report.add_issue("dropped", step)
        group = _outer(group, free, state.held(step))
    if not group:
        return
    held = state.held(step)
    assignments = sorted(
        (_cost(group, voices, held, state.last), voices)
        for voices in itertools.combinations([v for v in Voice if v not in held], len(group))
    )
    best, voices = assignments[0]
    second = assignments[1][0] if len(assignments) > 1 else math.inf
    if best >= _CROSSING or second - best <= _CLOSE_CALL:
        report.add_issue("doubt", step)
    for voice, placed in zip(voices, group, strict=True):
        state.notes[voice].append(placed.note)
        state.last[voice] = placed.note.pitch


def _initial_pitches(ordered: Sequence[Placed]) -> Mapping[Voice, int]:
    """Assign the first sonority with the most notes, at most four, to voices."""
    best: list[Placed] = []
    sounding: dict[int, Placed] = {}
    for step, group in itertools.groupby(ordered, key=lambda placed: placed.note.start):
        sounding = {pitch: old for pitch, old in sounding.items() if old.note.stop > step}
        sounding |= {placed.note.pitch: placed for placed in group}
        if len(best) < len(sounding) <= len(Voice):
            best = sorted(sounding.values(), key=lambda placed: -placed.note.pitch)
        if len(best) == len(Voice):
            break
    assignments = itertools.combinations(Voice, len(best))
    voices = min(assignments, key=lambda voices: _cost(best, voices, {}, {}))
    return {voice: placed.note.pitch for voice, placed in zip(voices, best, strict=True)}


def _cost(
    group: Sequence[Placed],
    voices: Sequence[Voice],
    held: Mapping[Voice, Note],
    last: Mapping[Voice, int],
) -> float:
    """Return the cost of assigning ``group`` to ``voices``, in semitones of motion."""
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
    return _WITHOUT_HISTORY * abs(pitch - (low + high) / 2) + beyond


def _crossings(voice: Voice, pitch: int, held: Mapping[Voice, Note]) -> int:
    return sum(
        (pitch > note.pitch) if voice > other else (pitch < note.pitch)
        for other, note in held.items()
    )


def _without_doubles(group: list[Placed], held: Mapping[Voice, Note]) -> list[Placed]:
    """Remove repeated pitches from ``group`` if there are more than four notes at once."""
    if len(group) + len(held) <= len(Voice):
        return group
    known = {note.pitch for note in held.values()}
    distinct = {placed.note.pitch: placed for placed in reversed(group)}
    return sorted(
        (placed for pitch, placed in distinct.items() if pitch not in known),
        key=lambda placed: -placed.note.pitch,
    )


def _end_overlaps(state: _State, step: int, group: Sequence[Placed], report: Report) -> None:
    """End held notes that overlap those of ``group``, at ``step``, by one sixteenth only.

    A note may overlap its own repetition by half of it.
    """
    repeated = {placed.note.pitch: placed.note.length // 2 for placed in group}
    for voice, note in state.held(step).items():
        if note.stop - step <= max(repeated.get(note.pitch, 1), 1) and note.start < step:
            report.add_issue("overlap", step)
            state.notes[voice][-1] = Note(note.start, step - note.start, note.pitch)


def _outer(group: list[Placed], free: int, held: Mapping[Voice, Note]) -> list[Placed]:
    """Select the ``free`` most important notes of ``group`` (sorted from high to low)."""
    kept = list(group)
    if len(kept) > 2 * _MOST_RANKED:
        kept = kept[:_MOST_RANKED] + kept[-_MOST_RANKED:]
    while len(kept) > free:
        kept.remove(max(_inner_first(kept, held), key=lambda ranked: ranked[0])[1])
    return kept


def _inner_first(
    kept: Sequence[Placed], held: Mapping[Voice, Note]
) -> Iterator[tuple[tuple[bool, bool, int], Placed]]:
    """Yield each note with its rank for removal: inner, doubled in the octave, far inside."""
    pitches = [placed.note.pitch for placed in kept] + [note.pitch for note in held.values()]
    for index, placed in enumerate(kept):
        pitch = placed.note.pitch
        inner = min(pitches) < pitch < max(pitches)
        doubled = sum((pitch - other) % 12 == 0 for other in pitches) > 1
        yield (inner, doubled, min(index, len(kept) - 1 - index)), placed
