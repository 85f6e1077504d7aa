"""Reading of a project, also of a damaged one, as far as it goes."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, TypeGuard, TypeVar, cast

import numpy as np

from musicrel import gate
from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import DataError
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.words import names
from musicrel.project import form_values, piece_bytes
from musicrel.project.contents import Contents
from musicrel.project.rows import Row, Rows
from musicrel.project.schema import MAX_NAME
from musicrel.project.state import State
from musicrel.project.stored import VALUES, Stored
from musicrel.project.take import MAX_RATING, Take

_TAKE_COLUMNS: Final = "number, piece, name, form, action, parent, accepted, rating, created"
_STATE_COLUMNS: Final = "piece, locks, form, generated, take, deleted"
_MAX_JSON: Final = 1_000_000
_MAX_NUMBER: Final = 2**53
_MEMORY: Final = 64_000_000
_MEMORY_PER_BYTE: Final = 50
"""Ten times that of a project of the app, which is compressed to a third."""
_MAX_MEMORY: Final = 1 << 30
"""Size limit of all that is read, in memory: sixty thousand takes and steps of Undo."""
_ROW: Final = 3000
_CELL: Final = 3
_VALUE: Final = 32
"""Estimated bytes of a row, of a cell with its flags, and of a value of JSON in memory."""
_TOO_LARGE: Final = "its contents would need far too much memory for a project"
_UNKNOWN_ACTION: Final = "edited"
"""Stands for an action that cannot be read."""

_T = TypeVar("_T")


class Reader:
    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._missing: Counter[str] = Counter()
        self._forms: dict[str, Form] = {}
        self._pieces: dict[int, Chorale | None] = {}
        self._memory = min(_MEMORY + _MEMORY_PER_BYTE * rows.size(), _MAX_MEMORY)

    def read(self) -> Stored:
        texts = {name: self._rows.value(name) for name in VALUES}
        form = self._form(texts["form"]) if texts["form"] not in (None, "null") else None
        mixer = self._json(texts["mixer"], {})
        takes = self._read_takes()
        states = self._read_states()
        position = self._position(texts["current"], tuple(states))
        contents = Contents(
            takes=tuple(takes.values()),
            states=tuple(states.values()),
            position=position,
            present=position >= 0 and self._json(texts["present"], default=True) is True,
            form=form,
            mixer=mixer if isinstance(mixer, dict) else {},
        )
        if self.problems():
            contents = _with_a_piece(contents)
        return Stored(
            contents=contents,
            pieces={id(piece): row for row, piece in self._pieces.items() if piece is not None},
            states=tuple(states),
            values={name: text for name, text in texts.items() if text is not None},
        )

    def problems(self) -> tuple[str, ...]:
        """Return sentences about what could not be read."""
        damaged = ("the file is damaged",) if self._rows.damaged else ()
        large = (_TOO_LARGE,) if self._memory < 0 else ()
        missing = (names.count(count, noun) for noun, count in self._missing.items())
        return (*damaged, *large, *(f"{counted} cannot be read" for counted in missing))

    def _read_takes(self) -> dict[int, Take]:
        takes: dict[int, Take] = {}
        for number in self._rows.numbers("takes"):
            row = self._row("takes", _TAKE_COLUMNS, number)
            take = self._take(row) if row is not None else None
            if take is None or take.number in takes:
                self._missing["take"] += 1
            else:
                takes[take.number] = take
        return dict(sorted(takes.items()))

    def _take(self, row: Row) -> Take | None:
        number, piece_row, name, form, action, parent, accepted, rating, created = row
        piece = self._piece(piece_row)
        if piece is None or not _is_integer(number, 1, _MAX_NUMBER):
            return None
        return Take(
            number=number,
            name=self._checked(name, _is_name(name), f"Take {number}"),
            piece=piece,
            form=self._form(form),
            action=self._checked(action, _is_name(action), _UNKNOWN_ACTION),
            parent=self._checked(parent, _is_parent(parent, number), None),
            accepted=accepted == 1,
            rating=self._checked(rating, _is_integer(rating, 0, MAX_RATING), 0),
            created=self._checked(created, _is_time(created), 0.0),
        )

    def _read_states(self) -> dict[int, State]:
        """Return the states by row, in the order of the undo line."""
        states: dict[int, State] = {}
        for number in self._rows.numbers("states"):
            row = self._row("states", _STATE_COLUMNS, number)
            state = self._state(row) if row is not None else None
            if state is None:
                self._missing["Undo step"] += 1
            else:
                states[number] = state
        return states

    def _state(self, row: Row) -> State | None:
        piece_row, locks, form, generated, take, deleted = row
        piece = self._piece(piece_row)
        if piece is None or not self._affords(piece.onsets.size):
            return None
        return State(
            piece=piece,
            locks=self._locks(locks, piece),
            form=self._form(form),
            generated=generated == 1,
            take=self._checked(take, _is_optional_number(take), None),
            deleted=_numbers(self._json(deleted, [])),
        )

    def _piece(self, row: object) -> Chorale | None:
        if not _is_integer(row, 1, _MAX_NUMBER):
            return None
        if row not in self._pieces:
            self._pieces[row] = self._read_piece(row)
        return self._pieces[row]

    def _read_piece(self, number: int) -> Chorale | None:
        row = self._row("pieces", "digest, content", number)
        if row is None or not isinstance(row[1], bytes):
            return None
        try:
            content = piece_bytes.unpack(row[1])
            header, _, cells = content.partition(b"\n")
            if not self._affords(_memory(header) + _CELL * len(cells)):
                return None
            if hashlib.sha256(content).digest() != row[0]:
                return None
            return piece_bytes.from_bytes(content)
        except DataError:
            return None

    def _row(self, table: str, columns: str, number: int) -> Row | None:
        """Return columns of a row; None if it is missing, or all the memory is used."""
        row = self._rows.row(table, columns, number) if self._memory >= 0 else None
        values = row or ()
        size = sum(len(value) for value in values if isinstance(value, str | bytes))
        return row if self._affords(_ROW + size) else None

    def _affords(self, memory: int) -> bool:
        """Count bytes of memory before they are used; return False if they are too many."""
        self._memory -= memory
        return self._memory >= 0

    def _locks(self, bits: object, piece: Chorale) -> Flags:
        try:
            return piece_bytes.unpack_flags(bits if isinstance(bits, bytes) else b"", piece.steps)
        except DataError:
            self._missing["setting"] += 1
            return np.zeros((piece.steps, len(Voice)), dtype=np.bool_)

    def _form(self, text: object) -> Form:
        if not isinstance(text, str):
            self._missing["setting"] += 1
            return Form()
        if text not in self._forms:
            self._forms[text] = form_values.from_plain(self._json(text, {}))
        return self._forms[text]

    def _position(self, current: str | None, states: Sequence[int]) -> int:
        """Return the index of the current state, or of the last one that is left before it."""
        row = self._json(current, None)
        if not states or row in states:
            return states.index(row) if states else -1
        self._missing["setting"] += 1
        before = [number for number in states if _is_integer(row, number, _MAX_NUMBER)]
        return len(before or states) - 1

    def _json(self, text: object, default: object) -> object:
        """Return the parsed text; a damaged one is counted, a missing one is not."""
        if text is None:
            return default
        try:
            if isinstance(text, str) and len(text) <= _MAX_JSON and self._affords(_memory(text)):
                return gate.parse_json(text)
        except DataError:
            pass
        self._missing["setting"] += 1
        return default

    def _checked(self, value: object, is_valid: bool, default: _T) -> _T:
        """Return ``value``; an invalid one is counted and replaced by its default."""
        if is_valid:
            return cast(_T, value)
        self._missing["setting"] += 1
        return default


def _memory(text: str | bytes) -> int:
    """Return about how many bytes the values of a JSON text take in memory."""
    content = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    return 4 * len(content) + _VALUE * sum(map(content.count, (b",", b"[", b"{")))


def _is_integer(value: object, low: int, high: int) -> TypeGuard[int]:
    return isinstance(value, int) and low <= value <= high


def _is_parent(value: object, number: int) -> bool:
    """Return True for an earlier take, or none: nothing is its own ancestor."""
    return value is None or _is_integer(value, 1, number - 1)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= MAX_NAME


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and 0 <= value < _MAX_NUMBER


def _is_optional_number(value: object) -> bool:
    return value is None or _is_integer(value, 1, _MAX_NUMBER)


def _numbers(values: object) -> frozenset[int]:
    found = values if isinstance(values, list) else []
    return frozenset(value for value in found if _is_integer(value, 1, _MAX_NUMBER))


def _with_a_piece(contents: Contents) -> Contents:
    """Return the contents of a damaged project with its last take on the sheet if it is empty."""
    accepted = [take for take in contents.takes if take.accepted]
    if contents.states or not contents.takes:
        return contents
    take = (accepted or contents.takes)[-1]
    locks = lock_cells.locks_from_provenance(take.piece)
    state = State(piece=take.piece, locks=locks, form=take.form, take=take.number)
    return replace(contents, states=(state,), position=0, present=True)
