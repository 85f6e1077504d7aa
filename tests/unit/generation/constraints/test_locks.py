"""Locks: cells that no model may change, and parts of a piece by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import FileError, UsageError
from musicrel.generation import edit_requests
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints import regions, voice_ranges
from musicrel.generation.constraints.last_chord import AUTHENTIC, FREE, TONIC
from musicrel.generation.constraints.locks import EITHER, HELD, UNKNOWN, Cell, Locks
from musicrel.generation.edit_requests import with_ranges
from musicrel.generation.request import GenerationRequest
from musicrel.model.tokens.vocabulary import ARTICULATED, LOWEST_PITCH, PITCHES, REST_TOKEN
from musicrel.model.tokens.vocabulary import ARTICULATED as VOCABULARY
from tests.helpers.music import random_chorale

BARS = Chorale.of(
    [[72, 64, 55, 48]] * 8 + [[74, 65, 55, 47]] * 40 + [[72, 64, 55, 48]] * 4, pickup=4
)
"""A pickup of a quarter and three bars of 4/4; the first chord lasts 8 steps, the last one 4."""


def locks(*cells: tuple[Any, ...], steps: int = 16) -> Locks:
    return Locks(steps=steps, cells=tuple(Cell(*cell) for cell in cells))


def part(steps: slice, *voices: int) -> np.ndarray:
    cells = np.zeros((52, 4), dtype=bool)
    cells[steps, list(voices)] = True
    return cells


def test_the_cells_of_a_piece_are_given_as_they_are() -> None:
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
    file = tmp_path / "locks.json"
    file.write_text('{"steps": 16, "cells": [[0, 0, 67], [0, 3, -1]]}', encoding="utf-8")
    assert Locks.read(file) == locks((0, 0, 67), (0, 3, REST))


def test_a_held_lock_implies_the_pitch_before_it() -> None:
    locked_cells = locks((5, 2, 60, False))
    with_implied_cells = locked_cells.with_implied_cells()

    assert with_implied_cells.pitches[4, 2] == 60
    assert with_implied_cells.onsets[4, 2] == EITHER
    assert with_implied_cells.onsets[5, 2] == HELD
    assert locked_cells.locked_cells.pitches[4, 2] == UNKNOWN


def test_locks_of_one_length_can_be_united() -> None:
    # A cell of both comes once; its onset can come from either.
    both = locks((0, 0, 67), (1, 1, 60)) | locks((0, 0, 67, True), (2, 2, 50))
    assert both.cells == (Cell(0, 0, 67, True), Cell(1, 1, 60), Cell(2, 2, 50))

    with pytest.raises(UsageError, match="locks for 16 and for 8 steps do not go together"):
        locks() | locks(steps=8)


def test_given_onsets_of_repeated_pitches_are_restored() -> None:
    """The onset of a repeated pitch is set; free cells are not changed."""
    piece = Chorale.of([[72, 64, 55, 48]] * 4)
    again = locks((2, 0, 72, True), steps=4).applied(piece)
    assert np.argwhere(again.onsets != piece.onsets).tolist() == [[2, 0]]


@pytest.mark.parametrize("steps", [8, 4])
def test_a_prompt_that_leaves_nothing_to_write_is_too_long(steps: int) -> None:
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
    with pytest.raises(UsageError, match=sentence):
        locks(*cells)


@pytest.mark.parametrize("onset", [0, 1, 0.0, "", np.False_])
def test_an_onset_is_a_bool_or_none(onset: Any) -> None:
    """A number that equals a bool is refused: it would not be recognised as a held note."""
    with pytest.raises(UsageError, match=r"onset of the Soprano at step 0 is .*: expected true"):
        locks((0, 0, 60, onset))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[]", r"it is \[\]: expected a table"),
        ('{"steps": true, "cells": []}', "steps is True: expected a whole number"),
        ('{"steps": 0, "cells": []}', "the locks are for 0 steps: expected 1 to 16384"),
        ('{"steps": 8, "cells": {}}', "cells is {}: expected a list"),
        ('{"steps": 8, "cells": [[1, 2]]}', r"cells\[0\] is \[1, 2\]: expected a list"),
        ('{"steps": 8, "cells": [[1, 2, "C"]]}', r"cells\[0\]\[2\] is 'C': expected a whole"),
        ('{"steps": 8, "cells": [[1, 2, 60, 2]]}', r"cells\[0\]\[3\] is 2: expected true"),
        ('{"steps": 8, "cells": [[0, 2, 60, 0]]}', r"cells\[0\]\[3\] is 0: expected"),
        ('{"steps": 8, "cells": [[0, 2, 60, 1]]}', r"cells\[0\]\[3\] is 1: expected"),
        ('{"steps": 8, "cells": [[0, 2, 60, 0.0]]}', r"cells\[0\]\[3\] is 0.0: expected"),
        ('{"steps": 8, "cells": [[1, 2, 60, true, 0]]}', r"cells\[0\]\[4\] is 0: expected"),
        ('{"steps": 8, "cells": [[1, 2, 60, true, 99]]}', "a lock is at step 8, out of the piece"),
        (
            json.dumps({"steps": 16384, "cells": [[0, 0, 60, True, 16384]] * 5}),
            "more than 65536 cells",
        ),
        ('{"steps": 8, "cells"', "not valid JSON"),
    ],
)
def test_files_that_hold_no_locks_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "locks.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=f"locks.json holds invalid locks: .*{sentence}"):
        Locks.read(file)


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot read"):
        Locks.read(tmp_path / "none.json")
    (tmp_path / "noise").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(FileError, match=r"noise holds invalid locks: .* it is not UTF-8 text"):
        Locks.read(tmp_path / "noise")


def tune(*pitches: int, key: str = "C major") -> Chorale:
    rows = [(pitch, REST, REST, REST) for pitch in pitches for _ in range(4)]
    piece = replace(Chorale.of(rows), key=Key.parse(key))
    onsets = np.zeros_like(piece.onsets)
    onsets[::4, Voice.SOPRANO] = True
    return replace(piece, onsets=onsets)


def classes(request: GenerationRequest, step: int, voice: Voice) -> set[int]:
    legal = Constraints.of(request, VOCABULARY).legal_tokens_per_cell
    legal = legal.reshape(-1, 4, VOCABULARY.size)
    tokens = np.flatnonzero(legal[step, voice])
    notes = (tokens[tokens > REST_TOKEN] - VOCABULARY.first_onset) % PITCHES + LOWEST_PITCH
    return {*(notes % 12).tolist()} | ({REST} if REST_TOKEN in tokens else set())


def test_a_melody_ends_on_the_tonic_triad_after_the_dominant() -> None:
    """Bass: the dominant's root or third for an eighth, the tonic under the last note."""
    request = edit_requests.harmony_request(tune(64, 62, 60))

    assert request.last_chord == AUTHENTIC
    assert classes(request, 5, Voice.BASS) == {REST, *range(12)}
    assert classes(request, 6, Voice.BASS) == classes(request, 7, Voice.BASS) == {7, 11}
    assert all(classes(request, step, Voice.BASS) == {0} for step in range(8, 12))
    assert classes(request, 11, Voice.ALTO) == classes(request, 11, Voice.TENOR) == {0, 4, 7}
    assert classes(request, 10, Voice.TENOR) == {REST, *range(12)}
    assert classes(request, 7, Voice.ALTO) == classes(request, 7, Voice.TENOR) == {7, 11, 2, 5}
    assert classes(request, 6, Voice.ALTO) == {REST, *range(12)}


def test_a_minor_key_may_end_in_major_and_a_foreign_note_leaves_the_approach_free() -> None:
    request = edit_requests.harmony_request(tune(72, 71, 69, key="A minor"))
    assert classes(request, 11, Voice.ALTO) == {9, 0, 1, 4}

    request = edit_requests.harmony_request(tune(64, 69, 67))
    assert classes(request, 7, Voice.BASS) == {REST, *range(12)}
    assert classes(request, 11, Voice.BASS) == {0}


def struck_twice(length: int) -> GenerationRequest:
    """Return a request for D and C, struck twice, the first time for so many sixteenths."""
    line = [62] * 4 + [60] * (length + 4)
    onsets = np.zeros((len(line), 4), dtype=np.bool_)
    onsets[[0, 4, 4 + length], 0] = True
    pitches = [(pitch, REST, REST, REST) for pitch in line]
    melody = replace(Chorale.of(pitches), onsets=onsets, key=Key("C", "major"))
    return edit_requests.harmony_request(melody)


def test_the_chord_comes_with_the_first_of_two_equal_last_notes() -> None:
    """The dominant is below the note before; an eighth anticipates the last note over it."""
    request = struck_twice(4)
    assert classes(request, 1, Voice.BASS) == {REST, *range(12)}
    assert classes(request, 2, Voice.BASS) == classes(request, 3, Voice.BASS) == {7, 11}
    assert all(classes(request, step, Voice.BASS) == {0} for step in range(4, 12))

    request = struck_twice(2)
    assert all(classes(request, step, Voice.BASS) == {7, 11} for step in range(2, 6))
    assert all(classes(request, step, Voice.BASS) == {0} for step in range(6, 10))


@pytest.mark.parametrize("last", [62, 65, 61])
def test_a_melody_that_ends_outside_the_triad_is_left_alone(last: int) -> None:
    request = edit_requests.harmony_request(tune(64, 62, last))
    assert classes(request, 11, Voice.BASS) == {REST, *range(12)}


def test_a_given_bass_keeps_its_notes() -> None:
    """It is restricted nowhere, the others at the last step; one on the fifth closes nothing."""
    below = Chorale.of([(REST, REST, REST, 55)] * 4 + [(REST, REST, REST, 48)] * 4)
    request = edit_requests.harmony_request(replace(below, key=Key("C", "major")), Voice.BASS)
    assert classes(request, 7, Voice.SOPRANO) == {0, 4, 7}
    assert classes(request, 3, Voice.BASS) == {7}

    away = replace(below.cropped(0, 4), key=Key("C", "major"))
    open_end = edit_requests.harmony_request(away, Voice.BASS)
    assert classes(open_end, 3, Voice.SOPRANO) == {REST, *range(12)}


@pytest.mark.parametrize(
    ("cadence", "chord"),
    [
        ("", AUTHENTIC), ("authentic", AUTHENTIC), ("plagal", TONIC), ("half", FREE),
        ("deceptive", FREE),
    ],
)  # fmt: skip
def test_a_requested_cadence_decides_the_last_chord(cadence: str, chord: str) -> None:
    assert edit_requests.harmony_request(tune(64, 62, 60), cadence=cadence).last_chord == chord


def test_the_last_chord_is_free_if_the_request_says_so_and_stored_with_it() -> None:
    request = edit_requests.harmony_request(tune(64, 62, 60), last_chord=FREE)
    assert classes(request, 11, Voice.BASS) == {REST, *range(12)}
    assert "last_chord" not in request.to_json()
    assert "last_chord" not in GenerationRequest().to_json()

    request = edit_requests.harmony_request(tune(64, 62, 60))
    assert GenerationRequest.from_json(request.to_json()) == request


def test_an_unknown_last_chord_is_refused() -> None:
    with pytest.raises(UsageError, match="last chord is 'six': expected tonic, authentic or ''"):
        GenerationRequest(last_chord="six")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("soprano", part(slice(None), 0)),
        ("S", part(slice(None), 0)),
        ("Alto, tenor", part(slice(None), 1, 2)),
        ("all", part(slice(None), 0, 1, 2, 3)),
        ("1", part(slice(4, 20), 0, 1, 2, 3)),
        ("0-1", part(slice(0, 20), 0, 1, 2, 3)),
        ("2-3", part(slice(20, 52), 0, 1, 2, 3)),
        ("bass:3", part(slice(36, 52), 3)),
        ("a,t:1-2", part(slice(4, 36), 1, 2)),
        ("first", part(slice(0, 8), 0, 1, 2, 3)),
        ("last", part(slice(48, 52), 0, 1, 2, 3)),
        ("soprano:last", part(slice(48, 52), 0)),
    ],
)
def test_parts_are_named_by_voice_bar_and_chord(text: str, expected: np.ndarray) -> None:
    assert np.array_equal(regions.mask([text], BARS), expected)


@pytest.mark.parametrize(
    "text", ["", "flute", "soprano,", "soprano:", "soprano:x", "1-", "s:1-2-3"]
)
def test_an_unknown_part_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="names no part of a piece: expected voices, bars or both"):
        regions.mask([text], BARS)


@pytest.mark.parametrize("text", ["4", "2-4", "3-2", "bass:9"])
def test_bars_outside_the_piece_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not in the piece: expected bars 0 to 3, 0 being the pic"):
        regions.mask([text], BARS)


def test_cells_that_are_not_rewritten_are_locked() -> None:
    """``keep`` has priority over ``rewrite``; without ``rewrite`` everything else is free."""
    rewritten = regions.free_cells(BARS, (), ("alto:1-2",))
    both = regions.free_cells(BARS, ("1",), ("alto:1-2",))
    kept = regions.free_cells(BARS, ("soprano",), ())

    assert np.array_equal(rewritten, part(slice(4, 36), 1))
    assert np.array_equal(both, part(slice(20, 36), 1))
    assert np.array_equal(kept, ~part(slice(None), 0))
    with pytest.raises(UsageError, match="no part of the piece to rewrite is given"):
        regions.free_cells(BARS, (), ())


NARROW = ((60, 72), (57, 69), (50, 62), (43, 55))


def legal(request: GenerationRequest, voice: Voice) -> list[int]:
    constraints = Constraints.of(request, ARTICULATED)
    tokens = constraints.legal_tokens_per_cell[voice].nonzero()[0]
    symbols = ARTICULATED.symbols()
    names = (symbols[token] for token in tokens)
    return sorted({int(name.rstrip("_")) for name in names if name.rstrip("_").isdecimal()})


def test_a_preset_has_a_name() -> None:
    """The church choir is the default; its bass begins on E2."""
    assert voice_ranges.DEFAULT == "choir"
    assert voice_ranges.parse(" Choir ")[Voice.BASS][0] == 40
    for name, preset in voice_ranges.PRESETS.items():
        voice_ranges.check(preset.ranges)
        assert voice_ranges.to_text(preset.ranges) == name


def test_other_ranges_are_written_as_numbers() -> None:
    """The text is parsed back; no ranges are the full ones."""
    text = voice_ranges.to_text(NARROW)
    assert text == "60-72,57-69,50-62,43-55"
    assert voice_ranges.parse(text) == NARROW
    assert voice_ranges.to_text(None) == "full"


@pytest.mark.parametrize("text", ["", "opera", "60-81", "60-81,55-74,48-69,x-64", "1-2,3-4,5-6,7"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"expected one of choir, .* as in 60-81,55-74"):
        voice_ranges.parse(text)


def test_notes_stay_in_the_ranges_of_a_request() -> None:
    """Without ranges they are the full ones; with the rule off there are none."""
    assert legal(GenerationRequest(bars=1, ranges=NARROW), Voice.BASS) == list(range(43, 56))
    assert legal(GenerationRequest(bars=1), Voice.BASS) == list(range(36, 65))
    free = GenerationRequest(bars=1, ranges=NARROW, rules=())
    assert legal(free, Voice.BASS) == list(range(36, 82))


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        (((60, 81),) * 3, "expected the lowest and highest MIDI number of S, A, T, B"),
        (((60, 81.0),) * 4, "expected the lowest and highest MIDI number of S, A, T, B"),
        (((60,),) * 4, "expected the lowest and highest MIDI number of S, A, T, B"),
        ((60, 81, 55, 74), "expected the lowest and highest MIDI number of S, A, T, B"),
        ((*NARROW[:3], (55, 43)), "range of the Bass is 55-43: expected the lower MIDI number"),
        ((*NARROW[:3], (20, 35)), "range of the Bass is 20-35: .* notes between 36 and 81"),
        ((*NARROW[:3], (49, 49)), "range of the Bass has no note of C major"),
    ],
)
def test_ranges_without_a_note_are_refused(ranges: Any, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(ranges=ranges, rules=("range", "scale"), key=Key("C", "major"))


def test_ranges_survive_json_and_are_left_out_without_any() -> None:
    request = GenerationRequest(bars=2, ranges=NARROW)
    assert GenerationRequest.from_json(request.to_json()) == request
    assert request.to_json()["ranges"] == [[60, 72], [57, 69], [50, 62], [43, 55]]
    assert "ranges" not in GenerationRequest(bars=2).to_json()


def test_locked_notes_outside_are_refused_beside_free_ones() -> None:
    """The sentence is that of the rule; where nothing is written they do not matter."""
    low = Locks(steps=16, cells=(Cell(2, Voice.BASS, 40),))
    with pytest.raises(UsageError, match="the rule 'range' in bar 1, Bass"):
        GenerationRequest(bars=1, locks=low, ranges=NARROW)
    GenerationRequest(bars=1, locks=low, ranges=NARROW, rules=())
    chords = Chorale.of([(72, 67, 60, 40)] * 16)
    GenerationRequest(bars=2, ranges=NARROW, locks=Locks.of_prompt(chords, 32))


def test_a_preset_is_widened_by_locked_notes() -> None:
    cells = (Cell(2, Voice.BASS, 38), Cell(3, Voice.SOPRANO, 81), Cell(4, Voice.ALTO, REST))
    request = GenerationRequest(bars=1, locks=Locks(steps=16, cells=cells))
    assert with_ranges(request, "choir").ranges == ((60, 81), (55, 74), (48, 69), (38, 62))
    assert with_ranges(request, "full").ranges is None
    with pytest.raises(UsageError, match="the rule 'range'"):
        with_ranges(request, NARROW)
    with pytest.raises(UsageError, match="the rule 'range'"):
        with_ranges(request, "60-79,55-74,48-69,40-62")
