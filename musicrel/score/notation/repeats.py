"""Passages of a piece that come twice in a row, which a score can print once, with repeat signs.

A piece holds its notes as they are played. The second time has the same notes, fermatas, marks and
words as the first, on the same beats, or others in its last one or two bars: these are first and
second endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import CHANGES, REST, Chorale, Flags, spans
from musicrel.score.verses.harmonies import harmonies

_LEAST: Final = 2  # bars of a passage that are the same both times
_ENDING: Final = 2  # bars of an ending at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """A passage that is played twice, as steps of the piece.

    Attributes:
        start: the first step of the passage.
        ending: the step at which the first ending begins; ``stop`` if both times end alike.
        stop: the step at which the passage begins again.
        end: the step at which the second time ends, or the bar in which it ends.
    """

    start: int
    ending: int
    stop: int
    end: int

    @property
    def resumes(self) -> int:
        """Return the step at which the score goes on: those from ``stop`` to it are not printed."""
        return self.stop + self.ending - self.start

    @property
    def has_endings(self) -> bool:
        """Return whether the two times end differently."""
        return self.ending < self.stop

    @property
    def edges(self) -> tuple[int, ...]:
        """Return the steps at which measures of the score begin, also in the middle of a bar."""
        return self.start, self.ending, self.stop, self.resumes


def find(piece: Chorale) -> tuple[Repeat, ...]:
    """Return the passages of ``piece`` that can be printed with repeat signs, in their order.

    They have whole bars, two at least, and begin with a phrase, or with a bar if no fermatas show
    the phrases. Of those that overlap, the longest counts, then the first.
    """
    return tuple(sorted(_Finder(piece).longest(), key=attrgetter("start")))


class _Finder:
    """Compares the passages of a piece with what follows them."""

    def __init__(self, piece: Chorale) -> None:
        self._steps, self._bar, self._pickup = piece.steps, piece.meter.steps, piece.pickup
        self._dynamics = _dynamics(piece)
        self._states = [*zip(piece.keys(), piece.tempos(), self._dynamics, strict=True)]
        self._content = _content(piece, self._states)
        self._is_free = _free(piece)
        starts = _starts(piece)
        self._starts = starts[self._is_free[starts] & piece.onsets[starts].any(axis=1)]
        self._harmonies = [one.start for one in harmonies(piece)]
        self._marked = {mark.start for mark in piece.marks if mark.kind == "dynamic"}

    def longest(self) -> list[Repeat]:
        """Return the longest passages, those of equal length in their order."""
        found: list[Repeat] = []
        is_taken = np.zeros(self._steps, dtype=np.bool_)
        for length in range(self._steps // 2 // self._bar * self._bar, self._bar, -self._bar):
            for start, same in self._again(length, is_taken):
                one = self._repeat(start, length, same)
                if one and not is_taken[start : one.end].any():
                    is_taken[start : one.end] = True
                    found.append(one)
        return found

    def _again(self, length: int, is_taken: Flags) -> list[tuple[int, int]]:
        """List where passages of ``length`` steps come twice, and how many steps are the same."""
        starts = self._starts[self._starts + 2 * length <= self._steps]
        starts = starts[np.isin(starts + length, self._starts) & ~is_taken[starts]]
        differs = np.flatnonzero(self._content[length:] != self._content[:-length])
        following = np.append(differs, self._steps - length)
        same = np.minimum(following[np.searchsorted(differs, starts)] - starts, length)
        is_again = same >= length - _ENDING * self._bar
        return list(zip(starts[is_again].tolist(), same[is_again].tolist(), strict=True))

    def _repeat(self, start: int, length: int, same: int) -> Repeat | None:
        """Return the repeat of a passage, of which ``same`` steps are the same, if it has one."""
        stop, bar = start + length, self._bar
        again = stop + length
        if same == length:
            one = Repeat(start=start, ending=stop, stop=stop, end=again)
            return one if self._is_printable(one) else None
        end = min(again + (self._pickup - again) % bar, self._steps)
        latest = start + same - (start + same - self._pickup) % bar  # a bar line
        shortest = max(_LEAST * bar, length - _ENDING * bar, length // 2 + 1)
        for ending in range(latest, start + shortest - 1, -bar):
            one = Repeat(start=start, ending=ending, stop=stop, end=end)
            if self._is_printable(one):
                return one
        return None

    def _is_printable(self, one: Repeat) -> bool:
        """Return whether nothing goes on across the edges, and what holds there is in print."""
        last, states = one.stop - 1, self._states
        dynamics_hold = self._dynamics[last] == self._dynamics[one.stop]
        return (
            all(self._is_free[step] for step in one.edges)
            and not any(one.start < step < one.end for step in self._harmonies)
            and (not one.has_endings or states[last] == states[one.resumes - 1])
            and (dynamics_hold or one.start in self._marked)
        )


def _starts(piece: Chorale) -> npt.NDArray[np.int64]:
    """Return the steps at which a passage may begin, if notes do."""
    phrases = [stop for _, stop in spans(piece.fermatas) if stop < piece.steps]
    bars = {*piece.bar_line_steps(), *range(0, piece.steps, piece.meter.steps)}
    return np.array(sorted({0, *(phrases or bars)}))


_State: TypeAlias = tuple[object, ...]  # what holds at a step: key, tempo and dynamic


def _content(piece: Chorale, states: Sequence[_State]) -> npt.NDArray[np.int64]:
    """Return a number for each step: steps have the same number if they are written alike."""
    written: list[list[object]] = [[] for _ in states]
    for word in piece.lyrics:
        written[word.step].append(replace(word, step=0))
    for mark in piece.marks:
        if mark.kind not in CHANGES:
            written[mark.start].append(mark.moved(-mark.start))
    numbers: dict[object, int] = {}
    notes = np.column_stack([piece.pitches, piece.onsets, piece.fermatas])
    steps = zip(map(tuple, notes.tolist()), states, map(tuple, written), strict=True)
    return np.array([numbers.setdefault(step, len(numbers)) for step in steps])


def _dynamics(piece: Chorale) -> Sequence[object]:
    """Return the dynamic of every step; None where there is none yet."""
    found: list[object] = [None] * piece.steps
    for mark in piece.marks:
        if mark.kind == "dynamic":
            found[mark.start :] = [mark.value] * (piece.steps - mark.start)
    return found


def _free(piece: Chorale) -> Flags:
    """Return where no note, fermata or mark goes on, also at the end: bool (T + 1,)."""
    held = ~piece.onsets & (piece.pitches != REST)
    found = np.append(~held.any(axis=1), [True])
    found[1:-1] &= ~(piece.fermatas[:-1] & piece.fermatas[1:])
    for mark in piece.marks:
        found[mark.start + 1 : mark.stop] = False
    return found
