"""Training data of the critic: windows of Bach's chorales and of their opponents.

``critic:FILE`` names a file with opponents by split, each titled by its kind (written by
``training.opponents``). The positives are the bundled chorales. Some opponents are corrupted
chorales of the same split. A window follows from its random generator alone, so that a resumed run
needs no stored state.

A corruption changes a few notes of a window and keeps the others; voices stay in their ranges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from musicrel import untrusted
from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import RANGES, REST, STEPS_PER_QUARTER, Chorale, Pitches, Voice
from musicrel.errors import DataError, FileError

Span: TypeAlias = tuple[int, int]
"""First step of a note, and the step after its last."""
Corruption: TypeAlias = Callable[[Pitches, np.random.Generator], None]
"""Changes pitches, int16 (T, 4), in place."""

_BAR: Final = 16
_TRIES: Final = 8
_A_NOTE_IN: Final = 24
_IN_PARALLEL: Final = (0, 7, 12, 19, 24)
_MAX_INTERVAL: Final = 7


def corrupted(pitches: Pitches, name: str, rng: np.random.Generator) -> Pitches:
    """Return a corrupted copy of ``pitches``; the same pitches if nothing can be changed."""
    for _ in range(_TRIES):
        found = pitches.copy()
        CORRUPTIONS[name](found, rng)
        if (found != pitches).any():
            return found
    return pitches


def _move_notes(semitones: Sequence[int], pitches: Pitches, rng: np.random.Generator) -> None:
    for _ in range(_count(pitches, rng)):
        voice = int(rng.integers(len(Voice)))
        start, stop = _pick(note_spans(pitches[:, voice]), rng)
        by = int(rng.choice(semitones))
        _write(pitches, voice, slice(start, stop), pitches[start:stop, voice] + by)


def _move_borders(pitches: Pitches, rng: np.random.Generator) -> None:
    """Start some notes one or three sixteenths early or late.

    An eighth is left out: suspensions and anticipations are displaced by that much.
    """
    for _ in range(2 * _count(pitches, rng)):
        voice = int(rng.integers(len(Voice)))
        start, stop = _pick(note_spans(pitches[:, voice]), rng)
        by = int(rng.choice([1, 3]))
        if rng.random() < 0.5 and start > by:  # noqa: PLR2004  # as often early as late
            pitches[start - by : start, voice] = pitches[start, voice]
        elif start > 0 and start + by < stop:
            pitches[start : start + by, voice] = pitches[start - 1, voice]


def _shift_a_voice(pitches: Pitches, rng: np.random.Generator) -> None:
    """Delay one voice by an eighth to a half, in the whole window or from a random beat on."""
    voice, by = int(rng.integers(len(Voice))), int(rng.choice([2, 4, 8]))
    start = int(rng.integers(len(pitches) // 2)) // STEPS_PER_QUARTER * STEPS_PER_QUARTER
    line = pitches[start:, voice].copy()
    pitches[start + by :, voice] = line[:-by]
    pitches[start : start + by, voice] = line[0]


def _transpose_a_voice(pitches: Pitches, rng: np.random.Generator) -> None:
    voice, span = int(rng.integers(len(Voice))), _span(pitches, rng)
    by = int(rng.choice([-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]))
    _write(pitches, voice, span, pitches[span, voice] + by)


def _swap_bars(pitches: Pitches, rng: np.random.Generator) -> None:
    length = _BAR if len(pitches) >= 2 * _BAR else len(pitches) // 2
    first, second = rng.choice(len(pitches) // length, size=2, replace=False) * length
    a, b = slice(first, first + length), slice(second, second + length)
    pitches[a], pitches[b] = pitches[b].copy(), pitches[a].copy()


def _write_parallels(pitches: Pitches, rng: np.random.Generator) -> None:
    """Double some motions of one voice by another in parallel fifths, octaves or unisons."""
    for _ in range(_count(pitches, rng)):
        upper, lower = np.sort(rng.choice(len(Voice), size=2, replace=False)).tolist()
        leads, follows = (upper, lower) if rng.random() < 0.5 else (lower, upper)  # noqa: PLR2004
        found = note_spans(pitches[:, leads])
        if len(found) < 2:  # noqa: PLR2004  # a motion has two ends
            continue
        first = int(rng.integers(len(found) - 1))
        before, after = found[first], found[first + 1]
        if before[1] != after[0]:
            continue  # a rest in between
        _double(pitches, (leads, follows), (before, after))


def _double(pitches: Pitches, voices: tuple[int, int], motion: tuple[Span, Span]) -> None:
    """Let the second voice move in parallel with the first, within a quarter around the motion."""
    leads, follows = voices
    (start, middle), (_, stop) = motion
    span = slice(max(start, middle - STEPS_PER_QUARTER), min(stop, middle + STEPS_PER_QUARTER))
    own, led = int(pitches[middle - 1, follows]), int(pitches[middle - 1, leads])
    if own == REST:
        return
    side = 1 if follows < leads else -1
    apart = min(_IN_PARALLEL, key=lambda wide: abs(led + side * wide - own))
    if abs(led + side * apart - own) <= _MAX_INTERVAL:
        _write(pitches, follows, span, pitches[span, leads] + side * apart)


CORRUPTIONS: Final[Mapping[str, Corruption]] = {
    "notes moved": partial(_move_notes, (-2, -1, 1, 2)),
    "notes early or late": _move_borders,
    "a voice late": _shift_a_voice,
    "a voice transposed": _transpose_a_voice,
    "octave leaps": partial(_move_notes, (-12, 12)),
    "bars swapped": _swap_bars,
    "parallels": _write_parallels,
}


def note_spans(line: Pitches) -> list[Span]:
    """Return the span of each note of a voice, repeated notes merged, without rests."""
    borders = np.flatnonzero(np.diff(line)) + 1
    starts, stops = [0, *borders.tolist()], [*borders.tolist(), len(line)]
    return [span for span in zip(starts, stops, strict=True) if line[span[0]] != REST]


def _write(pitches: Pitches, voice: int, span: slice, line: Pitches) -> None:
    low, high = RANGES[Voice(voice)]
    sounding = pitches[span, voice] != REST
    if (line[sounding] >= low).all() and (line[sounding] <= high).all():
        pitches[span, voice] = np.where(sounding, line, REST)


def _count(pitches: Pitches, rng: np.random.Generator) -> int:
    """Draw the number of notes to change: at least one, more in a longer window."""
    return 1 + int(rng.integers(1 + len(pitches) // _A_NOTE_IN))


def _pick(found: list[Span], rng: np.random.Generator) -> Span:
    return found[int(rng.integers(len(found)))] if found else (0, 0)


def _span(pitches: Pitches, rng: np.random.Generator) -> slice:
    """Draw one or two bars that start on a beat."""
    length = min(int(rng.choice([1, 2])) * _BAR, len(pitches))
    quarters = (len(pitches) - length) // STEPS_PER_QUARTER
    start = int(rng.integers(quarters + 1)) * STEPS_PER_QUARTER
    return slice(start, start + length)


BACH: Final = "Bach"
MIN_WINDOW_STEPS: Final = 32

_CORRUPTED_SHARE: Final = 0.7
"""Share of the opponents that are corrupted chorales; kinds within each group are equally
likely."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticWindow:
    piece: Chorale
    kind: str  # its source, or the corruption that was applied

    @property
    def is_bach(self) -> bool:
        return self.kind == BACH


def read(file: Path) -> tuple[str, Mapping[Split, Sequence[Chorale]]]:
    if not file.is_file():
        raise FileError(
            f"there are no opponents in {file}: make them with python -m training.opponents, from "
            "the top folder of the source tree"
        )
    content = untrusted.read(file, "corpus")
    both = bundled.source_sha256() + hashlib.sha256(content).hexdigest()
    return hashlib.sha256(both.encode()).hexdigest(), bundled.unpack(content)


class WindowSampler:
    """A random sampler of windows of one split."""

    def __init__(
        self, bach: Sequence[Chorale], others: Sequence[Chorale], *, transpose: bool
    ) -> None:
        if not bach or not others:
            raise DataError("a critic needs pieces by Bach and by others in each split")
        self._pieces = {BACH: list(bach)}
        for piece in others:
            self._pieces.setdefault(piece.title, []).append(piece)
        self._made = [kind for kind in self._pieces if kind != BACH]
        self._transpose = transpose
        self.kinds = (*self._made, *CORRUPTIONS)

    def number(self, kind: str) -> int:
        return len(self._pieces.get(kind, self._pieces[BACH]))

    def draw_kind(self, rng: np.random.Generator) -> str:
        among = list(CORRUPTIONS) if rng.random() < _CORRUPTED_SHARE else self._made
        return among[int(rng.integers(len(among)))]

    def draw(
        self, kind: str, steps: int, rng: np.random.Generator, index: int | None = None
    ) -> CriticWindow:
        pieces = self._pieces.get(kind, self._pieces[BACH])
        piece = pieces[int(rng.integers(len(pieces))) if index is None else index]
        piece = _window(piece, steps, rng)
        if self._transpose:
            shifts = piece.shifts()
            piece = piece.transposed(int(rng.integers(shifts.start, shifts.stop)))
        if kind in CORRUPTIONS:
            worse = corrupted(piece.pitches, kind, rng)
            piece = Chorale.of(worse, meter=piece.meter, pickup=piece.pickup)
        return CriticWindow(piece=piece, kind=kind)


def _window(piece: Chorale, steps: int, rng: np.random.Generator) -> Chorale:
    """Cut a part that starts on a beat; a short piece is returned whole."""
    first = piece.pickup % STEPS_PER_QUARTER
    beats = (piece.steps - steps - first) // STEPS_PER_QUARTER
    if beats < 0:
        return piece
    start = first + int(rng.integers(beats + 1)) * STEPS_PER_QUARTER
    return piece.cropped(start, start + steps)
