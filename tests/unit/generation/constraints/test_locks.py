"""Notes that are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale
from musicrel.errors import FileError, UsageError
from musicrel.generation.constraints.locks import EITHER, HELD, UNKNOWN, Cell, Locks
from tests.helpers.music import random_chorale


def locks(*cells: tuple[Any, ...], steps: int = 16) -> Locks:
    return Locks(steps=steps, cells=tuple(Cell(*cell) for cell in cells))


def test_the_cells_of_a_piece_are_given_as_they_are() -> None:
    """Pitches and onsets where the mask is True, nothing elsewhere."""
    piece = random_chorale(3, 16)
    mask = np.random.default_rng(3).random((16, 4)) < 0.5

    given = Locks.of(piece, mask).given

    assert np.array_equal(given.known, mask)
    assert np.array_equal(given.pitches[mask], piece.pitches[mask])
    sounding = mask & (piece.pitches != REST)
    assert np.array_equal(given.onsets[sounding] == 1, piece.onsets[sounding])
    assert (given.onsets[mask & ~sounding] == EITHER).all()


@pytest.mark.parametrize("seed", range(10))
def test_locks_survive_json(seed: int) -> None:
    """Whatever they are; a note that is held is one entry."""
    piece = random_chorale(seed, 30)
    mask = np.random.default_rng(seed).random((30, 4)) < 0.7
    before = Locks.of(piece, mask)

    stored = json.loads(json.dumps(before.to_json()))

    assert Locks.from_json(stored) == before
    assert len(stored["cells"]) <= len(before.cells)


def test_a_held_note_is_one_entry() -> None:
    """Eight cells, two entries; what is not known of an onset is left out."""
    piece = Chorale.of([[72, 64, 55, 48]] * 8)
    mask = np.zeros((8, 4), dtype=bool)
    mask[:6, 1] = mask[2:4, 3] = True
    made = Locks.of(piece, mask).to_json()
    assert made == {"steps": 8, "cells": [[0, 1, 64, True, 6], [2, 3, 48, False, 2]]}
    assert locks((3, 0, 60)).to_json()["cells"] == [[3, 0, 60]]


def test_a_file_may_name_bare_pitches(tmp_path: Path) -> None:
    """As people and scripts write them; how a note begins is left open."""
    file = tmp_path / "locks.json"
    file.write_text('{"steps": 16, "cells": [[0, 0, 67], [0, 3, -1]]}', encoding="utf-8")
    assert Locks.read(file) == locks((0, 0, 67), (0, 3, REST))


def test_what_is_held_prepares_the_cell_before() -> None:
    """Its pitch is implied, its onset is not, and it is no lock."""
    given = locks((5, 2, 60, False))
    implied = given.implied()

    assert implied.pitches[4, 2] == 60
    assert implied.onsets[4, 2] == EITHER
    assert implied.onsets[5, 2] == HELD
    assert given.given.pitches[4, 2] == UNKNOWN


def test_two_sets_of_locks_go_together() -> None:
    """What both say is said once; one may know the onset."""
    both = locks((0, 0, 67), (1, 1, 60)) | locks((0, 0, 67, True), (2, 2, 50))
    assert both.cells == (Cell(0, 0, 67, True), Cell(1, 1, 60), Cell(2, 2, 50))


def test_given_onsets_are_put_back_where_tokens_cannot_carry_them() -> None:
    """On a repeated pitch; what is free stays as it is."""
    piece = Chorale.of([[72, 64, 55, 48]] * 4)
    again = locks((2, 0, 72, True), steps=4).applied(piece)
    assert np.argwhere(again.onsets != piece.onsets).tolist() == [[2, 0]]


def test_a_prompt_is_all_of_a_piece_and_then_nothing() -> None:
    """The rest of the longer piece is free."""
    prompt = random_chorale(1, 8)
    given = Locks.of_prompt(prompt, 20)
    assert given.mask[:8].all()
    assert not given.mask[8:].any()


@pytest.mark.parametrize("steps", [8, 4])
def test_a_prompt_that_leaves_nothing_to_write_is_too_long(steps: int) -> None:
    """With both lengths."""
    with pytest.raises(UsageError, match=f"too long: it has 8 steps, .* shall have {steps}; ask"):
        Locks.of_prompt(random_chorale(1, 8), steps)


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([(16, 0, 60)], "a lock is at step 16, out of the piece: expected 0 to 15"),
        ([(-1, 0, 60)], "a lock is at step -1, out of the piece"),
        ([(0, 4, 60)], r"a lock is for voice 4: expected 0 \(soprano\) to 3 \(bass\)"),
        ([(0, 3, 35)], "the Bass at step 0 is locked to pitch 35, out of the span .* 36 to 81"),
        ([(0, 0, 82)], "the Soprano at step 0 is locked to pitch 82"),
        (
            [(4, 1, 60), (4, 1, 62)],
            "the locks contradict each other: the Alto at step 4 is given as 60 and as 62",
        ),
        (
            [(4, 1, 60), (3, 1, 60), (4, 1, 60, False), (4, 1, 60, True)],
            "the Alto at step 4 is given as 60 and as 60",
        ),
        ([(0, 1, 60, False)], "the Alto at step 0 holds pitch 60, but nothing is before it; let"),
        (
            [(4, 1, 60), (5, 1, 62, False)],
            "the Alto at step 5 holds pitch 62, but pitch 60 is before it; let the note begin",
        ),
    ],
)
def test_locks_that_cannot_be_are_refused(cells: list[tuple[Any, ...]], sentence: str) -> None:
    """In one sentence, with the voice and the step."""
    with pytest.raises(UsageError, match=sentence):
        locks(*cells)


def test_locks_of_different_length_do_not_go_together() -> None:
    """Both lengths are told."""
    with pytest.raises(UsageError, match="locks for 16 and for 8 steps do not go together"):
        locks() | locks(steps=8)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", 'locks have no "steps"'),
        ('{"steps": true, "cells": []}', 'locks have no "steps"'),
        ('{"steps": 0, "cells": []}', "the locks are for 0 steps: expected 1 to 16384"),
        ('{"steps": 8, "cells": {}}', '"cells" of the locks is no list'),
        ('{"steps": 8, "cells": [[1, 2]]}', r"a lock is \[1, 2\]: expected \[step, voice, pitch\]"),
        ('{"steps": 8, "cells": [[1, 2, "C"]]}', "a lock is .*'C'"),
        ('{"steps": 8, "cells": [[1, 2, 60, 2]]}', r"a lock is \[1, 2, 60, 2\]"),
        ('{"steps": 8, "cells": [[1, 2, 60, true, 0]]}', r"a lock is \[1, 2, 60, True, 0\]"),
        ('{"steps": 8, "cells": [[1, 2, 60, true, 99]]}', "a lock is at step 8, out of the piece"),
        (
            json.dumps({"steps": 16384, "cells": [[0, 0, 60, True, 16384]] * 5}),
            "more than 65536 cells",
        ),
        ('{"steps": 8, "cells"', "not valid JSON"),
    ],
)
def test_files_that_hold_no_locks_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    """With the file's name and what is wrong."""
    file = tmp_path / "locks.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=f"locks.json holds no locks that fit: .*{sentence}"):
        Locks.read(file)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """And one that is no text."""
    with pytest.raises(FileError, match="cannot read"):
        Locks.read(tmp_path / "none.json")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(FileError, match="holds no locks: it is no text"):
        Locks.read(tmp_path / "noise")
