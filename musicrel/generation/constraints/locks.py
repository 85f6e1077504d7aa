"""Locks: cells that no model may change.

A cell is one voice at one step. A file of locks is ``{"steps": T, "cells": [[step, voice, pitch],
...]}``, voice 0 to 3 from the soprano down, pitch a MIDI number or -1 for a rest. A cell can be
longer, ``[step, voice, pitch, onset, length]``: onset true (a note begins there), false (it is
held) or null (either), and the number of steps it is held; one entry then describes a note.

``cell_constraints.Constraints`` turns locks into masks of legal tokens.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, Self

import msgspec
import numpy as np
import numpy.typing as npt

from musicrel import bounds, untrusted
from musicrel.chorale import MAX_STEPS, REST, Chorale, Flags, Pitches, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.language import tr
from musicrel.model.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH
from musicrel.validated import convert

UNKNOWN: Final = -2  # pitch of a cell that is not locked

EITHER, HELD, BEGINS = -1, 0, 1  # locked onset of a cell: none locked, held, onset

_MAX_CELLS: Final = MAX_STEPS * len(Voice)


class Cell(NamedTuple):
    """One locked cell; with ``onset`` None a note may begin there or be held."""

    step: int
    voice: int
    pitch: int
    onset: bool | None = None

    def __str__(self) -> str:
        return tr("the {voice} at step {step}", voice=Voice(self.voice).title, step=self.step)


class _Row(msgspec.Struct, array_like=True):
    """A row of JSON: the cells of one note, or a single cell."""

    step: int
    voice: int
    pitch: int
    onset: bool | None = None
    length: Annotated[int, msgspec.Meta(ge=1, le=MAX_STEPS)] = 1

    def cells(self) -> Iterator[Cell]:
        for offset in range(self.length):
            onset = self.onset if not offset else False
            yield Cell(self.step + offset, self.voice, self.pitch, onset)


class _Stored(msgspec.Struct):
    steps: int
    cells: list[_Row]


class LockedCells(NamedTuple):
    """Locked cells as arrays (T, 4)."""

    pitches: Pitches
    onsets: npt.NDArray[np.int8]

    @property
    def mask(self) -> Flags:
        return np.asarray(self.pitches != UNKNOWN)

    def applied(self, chorale: Chorale) -> Chorale:
        """Return ``chorale``, or a beginning of the piece, with the locked pitches and onsets.

        Its pitches at locked and implied cells must be equal to them. Vocabularies without holds
        cannot represent the onset of a repeated pitch; it is set here.
        """
        pitches, locked_onsets = (array[: chorale.steps] for array in self)
        pitches = np.where(pitches == UNKNOWN, chorale.pitches, pitches).astype(np.int16)
        onsets = np.where(locked_onsets == EITHER, chorale.onsets, locked_onsets == BEGINS) & (
            pitches != REST
        )
        return replace(chorale, pitches=pitches, onsets=onsets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Locks:
    """The locked cells of a piece of so many sixteenths, each once, in raster order.

    Raises:
        UsageError: a cell is outside the piece, its pitch outside the models' range, or two cells
            contradict each other.
    """

    steps: int
    cells: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if self.steps not in bounds.BOUNDS["step"] or not 1 <= self.steps <= MAX_STEPS:
            raise UsageError(
                f"the locks are for {bounds.shown(self.steps)} steps: expected 1 to {MAX_STEPS}"
            )
        by_place: dict[tuple[int, int], Cell] = {}
        for cell in self.cells:
            self._check(cell)
            place = (cell.step, cell.voice)
            merged = _merged(by_place[place], cell) if place in by_place else cell
            is_rest = merged.pitch == REST and merged.onset is not None  # a rest has no onset
            by_place[place] = merged._replace(onset=None) if is_rest else merged
        ordered = tuple(by_place[place] for place in sorted(by_place))
        object.__setattr__(self, "cells", ordered)
        _check_holds(by_place)

    @classmethod
    def of(cls, chorale: Chorale, mask: npt.ArrayLike) -> Self:
        """Return locks of the cells of ``chorale`` in ``mask``, bool (T, 4): pitches and onsets."""
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
        if self.steps != other.steps:
            raise UsageError(
                f"locks for {self.steps} and for {other.steps} steps do not go together: expected "
                "the same length"
            )
        return Locks(steps=self.steps, cells=(*self.cells, *other.cells))

    @classmethod
    def of_prompt(cls, prompt: Chorale, steps: int) -> Self:
        """Return locks of all of ``prompt`` as the beginning of a piece of ``steps``."""
        if prompt.steps >= steps:
            raise UsageError(
                f"the prompt is too long: it has {prompt.steps} steps, and the whole piece has "
                f"{steps}; ask for more bars or take a shorter prompt"
            )
        return replace(cls.of(prompt, np.ones(prompt.pitches.shape)), steps=steps)

    @classmethod
    def of_repeat(cls, passage: Chorale, same: int, steps: int) -> Self:
        """Return locks of a passage at the beginning of a piece of ``steps``, and of its repeat.

        Args:
            passage: the passage; its repeat follows at once.
            same: the steps up to which the repeat is the same.
        """
        cells = cls.of(passage, np.ones(passage.pitches.shape)).cells
        again = (cell._replace(step=cell.step + passage.steps) for cell in cells)
        stop = passage.steps + same
        return cls(steps=steps, cells=(*cells, *(cell for cell in again if cell.step < stop)))

    @property
    def locked_cells(self) -> LockedCells:
        pitches = np.full((self.steps, len(Voice)), UNKNOWN, dtype=np.int16)
        onsets = np.full(pitches.shape, EITHER, dtype=np.int8)
        for step, voice, pitch, onset in self.cells:
            pitches[step, voice] = pitch
            onsets[step, voice] = EITHER if onset is None else int(onset)
        return LockedCells(pitches, onsets)

    @property
    def mask(self) -> Flags:
        return self.locked_cells.mask

    def with_implied_cells(self) -> LockedCells:
        """Return the locked cells, and the pitch before each note that is locked as held."""
        locked_cells = self.locked_cells
        step, voice = np.nonzero(locked_cells.onsets[1:] == HELD)
        sounding = locked_cells.pitches[step + 1, voice] != REST
        step, voice = step[sounding], voice[sounding]
        locked_cells.pitches[step, voice] = locked_cells.pitches[step + 1, voice]
        return locked_cells

    def applied(self, chorale: Chorale) -> Chorale:
        """Return ``chorale`` with the locked cells; see ``LockedCells.applied``."""
        return self.locked_cells.applied(chorale)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values; a held note is one entry."""
        return {"steps": self.steps, "cells": list(_entries(self.cells))}

    @classmethod
    def from_json(cls, value: object) -> Self:
        """Return the locks of parsed JSON.

        Raises:
            UsageError: the value is not a list of cells, or they do not fit.
        """
        stored = convert(value, _Stored, "the locks")
        cells = itertools.chain.from_iterable(row.cells() for row in stored.cells)
        locked_cells = tuple(itertools.islice(cells, _MAX_CELLS + 1))
        if len(locked_cells) > _MAX_CELLS:
            raise UsageError(f"the locks have more than {_MAX_CELLS} cells: give each once")
        return cls(steps=stored.steps, cells=locked_cells)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read locks from a file.

        Raises:
            FileError: the file cannot be read or holds no locks.
        """
        content = untrusted.read(path, "locks")
        try:
            return cls.from_json(untrusted.parse_json(content))
        except (DataError, UsageError) as reason:
            raise FileError(f"{path} holds invalid locks: {reason}") from reason

    def _check(self, cell: Cell) -> None:
        if not 0 <= cell.step < self.steps:
            raise UsageError(
                f"a lock is at step {cell.step}, out of the piece: expected 0 to {self.steps - 1}"
            )
        if not 0 <= cell.voice <= Voice.BASS:
            raise UsageError(f"a lock is for voice {cell.voice}: expected 0 (soprano) to 3 (bass)")
        if cell.pitch != REST and not LOWEST_PITCH <= cell.pitch <= HIGHEST_PITCH:
            raise UsageError(
                tr(
                    "{cell} is locked to pitch {pitch}, outside the range of the models: expected "
                    "{lowest} to {highest}, or -1 for a rest",
                    cell=cell,
                    pitch=cell.pitch,
                    lowest=LOWEST_PITCH,
                    highest=HIGHEST_PITCH,
                )
            )
        if not _is_onset(cell.onset):
            raise UsageError(
                f"the onset of {cell} is {cell.onset!r}: expected true, false or null "
                "(True, False or None in Python)"
            )


def _is_onset(value: object) -> bool:
    """Return True for None, True and False; 0 and 1 equal a bool, but are not the same object."""
    return value is None or isinstance(value, bool)


def _merged(first: Cell, other: Cell) -> Cell:
    onsets = {first.onset, other.onset} - {None}
    if first.pitch != other.pitch or (len(onsets) > 1 and first.pitch != REST):
        shown = [f"{c.pitch}{'' if c.onset is not False else ' held'}" for c in (first, other)]
        raise UsageError(
            f"the locks contradict each other: {first} is given as {shown[0]} and as {shown[1]}"
        )
    return first._replace(onset=next(iter(onsets), None))


def _check_holds(by_place: Mapping[tuple[int, int], Cell]) -> None:
    for (step, voice), cell in by_place.items():
        before = by_place.get((step - 1, voice))
        if cell.onset is False and (step == 0 or (before and before.pitch != cell.pitch)):
            shown = f"pitch {before.pitch} is" if before else "nothing is"
            raise UsageError(
                f"the locks contradict each other: {cell} holds pitch {cell.pitch}, but "
                f"{shown} before it; let the note begin there"
            )


def _entries(cells: Iterable[Cell]) -> Iterator[list[int | bool | None]]:
    rows: dict[int, list[Any]] = {}  # the last row of each voice
    for cell in cells:
        row = rows.get(cell.voice)
        continues = cell.onset is False or cell.pitch == REST
        if row and continues and row[0] + row[4] == cell.step and row[2] == cell.pitch:
            row[4] += 1
            continue
        if row:
            yield _compact(row)
        rows[cell.voice] = [*cell, 1]
    yield from map(_compact, rows.values())


def _compact(row: list[Any]) -> list[Any]:
    step, voice, pitch, onset, length = row
    if length > 1:
        return row
    return [step, voice, pitch] if onset is None else [step, voice, pitch, onset]
