"""Notes that are given: cells a model may not choose, whatever its family.

A cell is one voice at one step. A file of locks is ``{"steps": T, "cells": [[step, voice, pitch],
...]}``, voice 0 to 3 from the soprano down, pitch a MIDI number or -1 for a rest. A cell may say
more, ``[step, voice, pitch, onset, length]``: whether a note begins there (true), goes on (false)
or either (null), and for how many steps it is held; so a note is one entry.

This file knows cells; it knows nothing of tokens, models or rules.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from musicrel import paths
from musicrel.chorale import MAX_STEPS, REST, Chorale, Flags, Pitches, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.score import plain_json
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

UNKNOWN: Final = -2
"""The pitch of a cell that is not given."""

EITHER, HELD, BEGINS = -1, 0, 1
"""What is given of a note's beginning: nothing, that it goes on, that it begins."""

_LONGEST_FILE: Final = 4_000_000
_MOST_CELLS: Final = MAX_STEPS * len(Voice)
_CELL: Final = "[step, voice, pitch], or [step, voice, pitch, onset, length]"
_SHORTEST_CELL, _LONGEST_CELL = 3, 5


class Cell(NamedTuple):
    """One given cell: ``onset`` None leaves open whether a note begins there."""

    step: int
    voice: int
    pitch: int
    onset: bool | None = None

    def __str__(self) -> str:
        return f"the {Voice(self.voice).title} at step {self.step}"


class Given(NamedTuple):
    """What is given, as arrays (T, 4).

    Attributes:
        pitches: int16, MIDI numbers, REST, or UNKNOWN.
        onsets: int8, EITHER, HELD or BEGINS.
    """

    pitches: Pitches
    onsets: npt.NDArray[np.int8]

    @property
    def known(self) -> Flags:
        """Where something is given, bool (T, 4)."""
        return np.asarray(self.pitches != UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Locks:
    """The given cells of a piece.

    Attributes:
        steps: length of the piece in sixteenths.
        cells: each once, in the order of the grid.

    Raises:
        UsageError: a cell is outside the piece, its pitch outside the models' span, or two cells
            contradict each other.
    """

    steps: int
    cells: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.steps <= MAX_STEPS:
            raise UsageError(f"the locks are for {self.steps} steps: expected 1 to {MAX_STEPS}")
        for cell in self.cells:
            self._check(cell)
        object.__setattr__(self, "cells", tuple(_merged(self.cells)))
        self._check_holds()

    @classmethod
    def of(cls, chorale: Chorale, mask: npt.ArrayLike) -> Self:
        """The cells of ``chorale`` where ``mask``, bool (T, 4), is True: pitches and onsets."""
        places = np.argwhere(np.asarray(mask, dtype=np.bool_)).tolist()
        cells = (
            Cell(
                step,
                voice,
                int(chorale.pitches[step, voice]),
                bool(chorale.onsets[step, voice]),
            )
            for step, voice in places
        )
        return cls(steps=chorale.steps, cells=tuple(cells))

    def __or__(self, other: Locks) -> Locks:
        """Both together.

        Raises:
            UsageError: they contradict each other, or are for pieces of different length.
        """
        if self.steps != other.steps:
            raise UsageError(
                f"locks for {self.steps} and for {other.steps} steps do not go together: expected "
                "the same length"
            )
        return Locks(steps=self.steps, cells=(*self.cells, *other.cells))

    @classmethod
    def of_prompt(cls, prompt: Chorale, steps: int) -> Self:
        """All of ``prompt`` as the beginning of a piece of ``steps``.

        Raises:
            UsageError: it leaves nothing to write.
        """
        if prompt.steps >= steps:
            raise UsageError(
                f"the prompt is too long: it has {prompt.steps} steps, and the whole piece shall "
                f"have {steps}; ask for more bars or take a shorter prompt"
            )
        return replace(cls.of(prompt, np.ones(prompt.pitches.shape)), steps=steps)

    @property
    def given(self) -> Given:
        """What the cells say."""
        pitches = np.full((self.steps, len(Voice)), UNKNOWN, dtype=np.int16)
        onsets = np.full(pitches.shape, EITHER, dtype=np.int8)
        for step, voice, pitch, onset in self.cells:
            pitches[step, voice] = pitch
            onsets[step, voice] = EITHER if onset is None else int(onset)
        return Given(pitches, onsets)

    @property
    def mask(self) -> Flags:
        """Which cells are given, bool (T, 4)."""
        return self.given.known

    def implied(self) -> Given:
        """What is given, and what follows: the pitch just before a note that is given as held."""
        given = self.given
        step, voice = np.nonzero(given.onsets[1:] == HELD)
        sounding = given.pitches[step + 1, voice] != REST
        step, voice = step[sounding], voice[sounding]
        given.pitches[step, voice] = given.pitches[step + 1, voice]
        return given

    def applied(self, chorale: Chorale) -> Chorale:
        """``chorale``, or its beginning, with the given cells exactly as given, onsets too.

        Its pitches at the cells that are given or implied must be those; vocabularies without
        holds cannot carry an onset on a repeated pitch, so it is set here.
        """
        pitches, told = (array[: chorale.steps] for array in self.given)
        pitches = np.where(pitches == UNKNOWN, chorale.pitches, pitches).astype(np.int16)
        onsets = np.where(told == EITHER, chorale.onsets, told == BEGINS) & (pitches != REST)
        return replace(chorale, pitches=pitches, onsets=onsets)

    def to_json(self) -> dict[str, Any]:
        """The locks as plain JSON values; a note that is held is one entry."""
        return {"steps": self.steps, "cells": list(_notes(self.cells))}

    @classmethod
    def from_json(cls, value: object) -> Self:
        """The locks that ``value``, parsed JSON, describes.

        Raises:
            UsageError: it is no list of cells, or they do not fit.
        """
        if not isinstance(value, dict) or type(value.get("steps")) is not int:
            raise UsageError('locks have no "steps": expected {"steps": T, "cells": [...]}')
        rows = value.get("cells")
        if not isinstance(rows, list):
            raise UsageError(f'"cells" of the locks is no list: expected cells as {_CELL}')
        cells = itertools.chain.from_iterable(_cells(row) for row in rows)
        some = tuple(itertools.islice(cells, _MOST_CELLS + 1))
        if len(some) > _MOST_CELLS:
            raise UsageError(f"the locks have more than {_MOST_CELLS} cells: give each once")
        return cls(steps=value["steps"], cells=some)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The locks in a file.

        Raises:
            FileError: it cannot be read or holds no locks.
        """
        content = paths.read_bytes(path, limit=_LONGEST_FILE)
        try:
            return cls.from_json(plain_json.loads(content.decode("utf-8-sig")))
        except UnicodeDecodeError:
            raise FileError(f"{path} holds no locks: it is no text in UTF-8") from None
        except (DataError, UsageError) as reason:
            raise FileError(f"{path} holds no locks that fit: {reason}") from reason

    def _check(self, cell: Cell) -> None:
        if not 0 <= cell.step < self.steps:
            raise UsageError(
                f"a lock is at step {cell.step}, out of the piece: expected 0 to {self.steps - 1}"
            )
        if not 0 <= cell.voice < len(Voice):
            raise UsageError(f"a lock is for voice {cell.voice}: expected 0 (soprano) to 3 (bass)")
        if cell.pitch != REST and not LOWEST_PITCH <= cell.pitch <= HIGHEST_PITCH:
            raise UsageError(
                f"{cell} is locked to pitch {cell.pitch}, out of the span the models know: "
                f"expected {LOWEST_PITCH} to {HIGHEST_PITCH}, or -1 for a rest"
            )

    def _check_holds(self) -> None:
        """No note given as held may follow another that is given, or nothing."""
        by_place = {(cell.step, cell.voice): cell for cell in self.cells}
        for cell in self.cells:
            if cell.onset is not False or cell.pitch == REST:
                continue
            before = by_place.get((cell.step - 1, cell.voice))
            if cell.step == 0 or (before and before.pitch != cell.pitch):
                shown = f"pitch {before.pitch} is" if before else "nothing is"
                raise UsageError(
                    f"the locks contradict each other: {cell} holds pitch {cell.pitch}, but "
                    f"{shown} before it; let the note begin there"
                )


def _merged(cells: Iterable[Cell]) -> Iterator[Cell]:
    """The cells in the order of the grid, each once.

    Raises:
        UsageError: two say different things of one place.
    """
    ordered = sorted(cells, key=lambda cell: cell[:2])
    for _, same in itertools.groupby(ordered, key=lambda cell: cell[:2]):
        first, *others = same
        onset = first.onset if first.pitch != REST else None
        for other in others:
            onset = _agreed(first, onset, other)
        yield first._replace(onset=onset)


def _agreed(first: Cell, onset: bool | None, other: Cell) -> bool | None:
    """What two cells of one place say of its onset."""
    both = first.pitch != REST and onset is not None and other.onset is not None
    if first.pitch != other.pitch or (both and onset != other.onset):
        shown = [f"{c.pitch}{'' if c.onset is not False else ' held'}" for c in (first, other)]
        raise UsageError(
            f"the locks contradict each other: {first} is given as {shown[0]} and as {shown[1]}"
        )
    return onset if onset is not None or first.pitch == REST else other.onset


def _notes(cells: Iterable[Cell]) -> Iterator[list[int | bool | None]]:
    """Cells as rows of JSON, those of one held note together."""
    rows: dict[int, list[Any]] = {}  # the last row of each voice
    for cell in cells:
        row = rows.get(cell.voice)
        goes_on = cell.onset is False or cell.pitch == REST
        if row and goes_on and row[0] + row[4] == cell.step and row[2] == cell.pitch:
            row[4] += 1
            continue
        if row:
            yield _shortened(row)
        rows[cell.voice] = [*cell, 1]
    yield from map(_shortened, rows.values())


def _shortened(row: list[Any]) -> list[Any]:
    step, voice, pitch, onset, length = row
    if length > 1:
        return row
    return [step, voice, pitch] if onset is None else [step, voice, pitch, onset]


def _cells(row: object) -> Iterator[Cell]:
    """The cells of one row of JSON."""
    if not isinstance(row, list) or not _SHORTEST_CELL <= len(row) <= _LONGEST_CELL:
        raise UsageError(f"a lock is {str(row)[:60]}: expected {_CELL}")
    step, voice, pitch, onset, length = row + [None, 1][len(row) - _SHORTEST_CELL :]
    numbers = all(type(number) is int for number in (step, voice, pitch, length))
    if not numbers or onset not in (None, True, False) or not 1 <= length <= MAX_STEPS:
        raise UsageError(f"a lock is {str(row)[:60]}: expected {_CELL}")
    for later in range(length):
        yield Cell(step + later, voice, pitch, onset if not later else False)
