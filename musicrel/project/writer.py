"""Writing of the differences between two contents, found by the identity of takes and states."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence

from musicrel.chorale import Chorale
from musicrel.presentation.compose.form import Form
from musicrel.project import form_values, piece_bytes, schema, stored
from musicrel.project.contents import Contents
from musicrel.project.state import State
from musicrel.project.stored import Stored
from musicrel.project.take import Take
from musicrel.score import plain_json


def write_changes(connection: sqlite3.Connection, before: Stored, contents: Contents) -> Stored:
    """Write ``contents`` where it differs from ``before``, inside the caller's transaction."""
    pieces = _write_pieces(connection, before.pieces, contents)
    _write_takes(connection, before.contents.takes, contents.takes, pieces)
    rows = _write_states(connection, before, contents.states, pieces)
    values = stored.values(contents, rows)
    _write_values(connection, before.values, values)
    unused = set(before.pieces.values()).difference(pieces.values())
    connection.executemany("DELETE FROM pieces WHERE id = ?", [(row,) for row in unused])
    return Stored(contents=contents, pieces=pieces, states=rows, values=values)


def _write_pieces(
    connection: sqlite3.Connection, known: Mapping[int, int], contents: Contents
) -> dict[int, int]:
    """Write the pieces that are new; return ``id`` of a piece -> row, for all of ``contents``."""
    used = [take.piece for take in contents.takes] + [state.piece for state in contents.states]
    pieces = {id(piece): piece for piece in used}
    return {
        key: known[key] if key in known else _write_piece(connection, piece)
        for key, piece in pieces.items()
    }


def _write_piece(connection: sqlite3.Connection, piece: Chorale) -> int:
    """Return the row of a piece with the same content, or of a new one."""
    content = piece_bytes.to_bytes(piece)
    digest = hashlib.sha256(content).digest()
    found = connection.execute("SELECT id FROM pieces WHERE digest = ?", (digest,)).fetchone()
    if found is not None:
        return int(found[0])
    query = "INSERT INTO pieces (digest, content) VALUES (?, ?)"
    row = connection.execute(query, (digest, piece_bytes.pack(content))).lastrowid
    return int(row or 0)


def _write_takes(
    connection: sqlite3.Connection,
    before: Sequence[Take],
    takes: Sequence[Take],
    pieces: Mapping[int, int],
) -> None:
    known = {take.number: take for take in before}
    removed = known.keys() - {take.number for take in takes}
    connection.executemany("DELETE FROM takes WHERE number = ?", [(each,) for each in removed])
    changed = [_take_row(take, pieces) for take in takes if known.get(take.number) is not take]
    query = "INSERT OR REPLACE INTO takes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    connection.executemany(query, changed)


def _take_row(take: Take, pieces: Mapping[int, int]) -> tuple[object, ...]:
    return (
        take.number,
        pieces[id(take.piece)],
        take.name[: schema.MAX_NAME].encode("utf-8", "replace").decode(),
        _form_text(take.form),
        take.action,
        take.parent,
        take.accepted,
        take.rating,
        take.created,
    )


def _write_states(
    connection: sqlite3.Connection,
    before: Stored,
    states: Sequence[State],
    pieces: Mapping[int, int],
) -> tuple[int, ...]:
    """Write the states that are new; return the row of each state."""
    known = dict(zip(map(id, before.contents.states), before.states, strict=True))
    rows = _state_rows(known, states)
    removed = set(before.states).difference(rows)
    connection.executemany("DELETE FROM states WHERE id = ?", [(row,) for row in removed])
    placed = zip(rows, states, strict=True)
    new = [_state_row(row, state, pieces) for row, state in placed if known.get(id(state)) != row]
    connection.executemany("INSERT INTO states VALUES (?, ?, ?, ?, ?, ?, ?)", new)
    return rows


def _state_rows(known: Mapping[int, int], states: Sequence[State]) -> tuple[int, ...]:
    """Return ascending rows for ``states``: those they have, but new ones after a new state."""
    rows: list[int] = []
    free = max(known.values(), default=0) + 1
    for state in states:
        row = known.get(id(state), free)
        if rows and row <= rows[-1]:
            row = free
        rows.append(row)
        free = max(free, row + 1)
    return tuple(rows)


def _state_row(row: int, state: State, pieces: Mapping[int, int]) -> tuple[object, ...]:
    return (
        row,
        pieces[id(state.piece)],
        piece_bytes.pack_flags(state.locks),
        _form_text(state.form),
        state.generated,
        state.take,
        plain_json.dumps(sorted(state.deleted)),
    )


def _write_values(
    connection: sqlite3.Connection, before: Mapping[str, str], values: Mapping[str, str]
) -> None:
    changed = [item for item in values.items() if item not in before.items()]
    connection.executemany("INSERT OR REPLACE INTO document VALUES (?, ?)", changed)


def _form_text(form: Form) -> str:
    return plain_json.dumps(form_values.to_plain(form), ascii_only=True)
