"""Locks: cells that no model may change."""

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

    locked_cells = Locks.of(piece, mask).locked_cells

    assert np.array_equal(locked_cells.mask, mask)
    assert np.array_equal(locked_cells.pitches[mask], piece.pitches[mask])
    sounding = mask & (piece.pitches != REST)
    assert np.array_equal(locked_cells.onsets[sounding] == 1, piece.onsets[sounding])
    assert (locked_cells.onsets[mask & ~sounding] == EITHER).all()


@pytest.mark.parametrize("seed", range(10))
def test_locks_survive_json(seed: int) -> None:
    """They are equal after a round trip; a held note is one entry."""
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
    """Their onsets are not given."""
    file = tmp_path / "locks.json"
    file.write_text('{"steps": 16, "cells": [[0, 0, 67], [0, 3, -1]]}', encoding="utf-8")
    assert Locks.read(file) == locks((0, 0, 67), (0, 3, REST))


def test_a_held_lock_implies_the_pitch_before_it() -> None:
    """Its pitch is implied, its onset is not, and it is no lock."""
    locked_cells = locks((5, 2, 60, False))
    with_implied_cells = locked_cells.with_implied_cells()

    assert with_implied_cells.pitches[4, 2] == 60
    assert with_implied_cells.onsets[4, 2] == EITHER
    assert with_implied_cells.onsets[5, 2] == HELD
    assert locked_cells.locked_cells.pitches[4, 2] == UNKNOWN


def test_locks_can_be_united() -> None:
    """A cell of both comes once; its onset can come from either."""
    both = locks((0, 0, 67), (1, 1, 60)) | locks((0, 0, 67, True), (2, 2, 50))
    assert both.cells == (Cell(0, 0, 67, True), Cell(1, 1, 60), Cell(2, 2, 50))


def test_given_onsets_of_repeated_pitches_are_restored() -> None:
    """The onset of a repeated pitch is set; free cells are not changed."""
    piece = Chorale.of([[72, 64, 55, 48]] * 4)
    again = locks((2, 0, 72, True), steps=4).applied(piece)
    assert np.argwhere(again.onsets != piece.onsets).tolist() == [[2, 0]]


def test_a_prompt_locks_the_beginning() -> None:
    """The rest of the longer piece is free."""
    prompt = random_chorale(1, 8)
    locked_cells = Locks.of_prompt(prompt, 20)
    assert locked_cells.mask[:8].all()
    assert not locked_cells.mask[8:].any()


@pytest.mark.parametrize("steps", [8, 4])
def test_a_prompt_that_leaves_nothing_to_write_is_too_long(steps: int) -> None:
    """Both lengths are in the message."""
    with pytest.raises(UsageError, match=f"too long: it has 8 steps, .* has {steps}; ask"):
        Locks.of_prompt(random_chorale(1, 8), steps)


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ([(16, 0, 60)], "a lock is at step 16, out of the piece: expected 0 to 15"),
        ([(-1, 0, 60)], "a lock is at step -1, out of the piece"),
        ([(0, 4, 60)], r"a lock is for voice 4: expected 0 \(soprano\) to 3 \(bass\)"),
        ([(0, 3, 35)], "the Bass at step 0 is locked to pitch 35, outside the range .* 36 to 81"),
        ([(0, 0, 82)], "the Soprano at step 0 is locked to pitch 82"),
        (
            [(4, 1, 60), (4, 1, 62)],
            "the locks contradict each other: the Alto at step 4 is given as 60 and as 62",
        ),
        (
            [(4, 1, 60), (3, 1, 60), (4, 1, 60, False), (4, 1, 60, True)],
            "the Alto at step 4 is given as 60 held and as 60",
        ),
        ([(0, 1, 60, False)], "the Alto at step 0 holds pitch 60, but nothing is before it; let"),
        (
            [(4, 1, 60), (5, 1, 62, False)],
            "the Alto at step 5 holds pitch 62, but pitch 60 is before it; let the note begin",
        ),
    ],
)
def test_impossible_locks_are_refused(cells: list[tuple[Any, ...]], sentence: str) -> None:
    """The message names the voice and the step."""
    with pytest.raises(UsageError, match=sentence):
        locks(*cells)


@pytest.mark.parametrize("onset", [0, 1, 0.0, "", np.False_])
def test_an_onset_is_a_bool_or_none(onset: Any) -> None:
    """A number that equals a bool is refused: it would not be recognised as a held note."""
    with pytest.raises(UsageError, match=r"onset of the Soprano at step 0 is .*: expected true"):
        locks((0, 0, 60, onset))


def test_locks_of_different_lengths_cannot_be_united() -> None:
    """Both lengths are in the message."""
    with pytest.raises(UsageError, match="locks for 16 and for 8 steps do not go together"):
        locks() | locks(steps=8)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", 'locks have no "steps"'),
        ('{"steps": true, "cells": []}', 'locks have no "steps"'),
        ('{"steps": 0, "cells": []}', "the locks are for 0 steps: expected 1 to 16384"),
        ('{"steps": 8, "cells": {}}', '"cells" of the locks is not a list'),
        ('{"steps": 8, "cells": [[1, 2]]}', r"a lock is \[1, 2\]: expected \[step, voice, pitch\]"),
        ('{"steps": 8, "cells": [[1, 2, "C"]]}', "a lock is .*'C'"),
        ('{"steps": 8, "cells": [[1, 2, 60, 2]]}', r"a lock is \[1, 2, 60, 2\]"),
        ('{"steps": 8, "cells": [[0, 2, 60, 0]]}', r"a lock is \[0, 2, 60, 0\]: expected"),
        ('{"steps": 8, "cells": [[0, 2, 60, 1]]}', r"a lock is \[0, 2, 60, 1\]: expected"),
        ('{"steps": 8, "cells": [[0, 2, 60, 0.0]]}', r"a lock is \[0, 2, 60, 0.0\]: expected"),
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
    """The message names the file and the problem."""
    file = tmp_path / "locks.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=f"locks.json holds invalid locks: .*{sentence}"):
        Locks.read(file)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    """A file that is not text is refused, too."""
    with pytest.raises(FileError, match="cannot read"):
        Locks.read(tmp_path / "none.json")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(FileError, match=r"noise holds invalid locks: .* it is not UTF-8 text"):
        Locks.read(tmp_path / "noise")
