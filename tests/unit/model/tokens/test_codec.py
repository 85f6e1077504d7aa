"""Encoding chorales as token ids, and decoding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.analysis.corpus import bundled, jsb
from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.errors import DataError, UsageError
from musicrel.model.tokens.codec import cell_of, decode, encode, index_of
from musicrel.model.tokens.conditions import (
    CONDITIONS,
    POSITIONAL,
    UNKNOWN,
    positional_rows,
    rows,
    sizes,
)
from musicrel.model.tokens.vocabulary import (
    ARTICULATED,
    END,
    HIGHEST_PITCH,
    LOWEST_PITCH,
    MASK,
    PAD,
    PITCH,
    REST_TOKEN,
    START,
    VOCABULARIES,
    Vocabulary,
    vocabulary,
)
from tests.helpers.music import minuet, random_chorale

both = pytest.mark.parametrize("table", VOCABULARIES.values(), ids=list(VOCABULARIES))


def assert_survives(piece: Chorale, table: Vocabulary) -> None:
    back = decode(encode(piece, table), table, like=piece)

    assert np.array_equal(back.pitches, piece.pitches)
    if table.holds:
        assert back == piece
    assert back == replace(piece, onsets=back.onsets)


def test_cells_stand_in_raster_order_after_start() -> None:
    cells = [(step, voice) for step in range(5) for voice in Voice]
    assert [index_of(step, voice) for step, voice in cells] == list(range(1, 21))
    assert [cell_of(index) for index in range(1, 21)] == cells


def test_the_published_grid_spells_pitches() -> None:
    ids = encode(Chorale.of([[60, 59, REST, 36]] * 2), PITCH)
    first = PITCH.first_onset
    step = [first + 60 - 36, first + 59 - 36, REST_TOKEN, first]

    assert ids.tolist() == [START, *step, *step, END]
    assert ids.dtype == np.int64


def test_articulated_tokens_tell_held_from_repeated() -> None:
    onsets = np.array([[True] * 4, [True, False, False, False]])
    ids = encode(Chorale.of([[60, 59, 52, 36]] * 2, onsets=onsets), ARTICULATED)
    names = [ARTICULATED.symbols()[id_] for id_ in ids]
    assert names == ["START", "60", "59", "52", "36", "60", "59_", "52_", "36_", "END"]


@both
@pytest.mark.parametrize("seed", range(20))
def test_a_piece_survives(table: Vocabulary, seed: int) -> None:
    assert_survives(random_chorale(seed, 1 + 5 * seed), table)


@both
def test_the_bundled_chorales_survive(table: Vocabulary) -> None:
    if not (paths.assets() / bundled.FILE_NAME).is_file():
        pytest.skip("the bundled corpus has not been built")
    pieces = [piece for split in bundled.load_all().values() for piece in split]
    assert pieces
    for piece in pieces:
        assert_survives(piece, table)


@both
def test_jsb16_survives(table: Vocabulary) -> None:
    path = paths.shared_data() / "jsb" / jsb.FILE_NAME
    if not path.is_file():
        pytest.skip("needs the shared data: JSB16")
    pieces = [piece for split in jsb.read(path).values() for piece in split]

    assert len(pieces) == 382
    for piece in pieces:
        assert_survives(piece, table)


@both
def test_start_and_end_may_be_missing(table: Vocabulary) -> None:
    piece = random_chorale(3)
    ids = encode(piece, table)
    whole = decode(ids, table)
    for part in (ids[1:], ids[:-1], ids[1:-1]):
        assert decode(part, table) == whole


def test_without_holds_a_note_begins_where_the_pitch_changes() -> None:
    onsets = np.array([[True], [True], [False], [True]]).repeat(4, axis=1)
    piece = Chorale.of([[60] * 4, [60] * 4, [REST] * 4, [60] * 4], onsets=onsets)
    back = decode(encode(piece, PITCH), PITCH)
    assert back.onsets[:, 0].tolist() == [True, False, False, True]


def test_a_hold_of_another_pitch_begins_a_note() -> None:
    hold = ARTICULATED.first_hold
    ids = [hold + 24] * 4 + [hold + 25] * 4

    back = decode(ids, ARTICULATED)

    assert back.pitches[:, 0].tolist() == [60, 61]
    assert back.onsets.all()


def test_without_a_model_piece_the_rest_is_plain() -> None:
    back = decode(encode(minuet(), ARTICULATED), ARTICULATED)
    assert (str(back.meter), back.pickup, back.key) == ("4/4", 0, None)
    assert not back.fermatas.any()


@pytest.mark.parametrize(("pitch", "step"), [(LOWEST_PITCH - 1, 1), (HIGHEST_PITCH + 1, 2)])
def test_a_pitch_outside_the_span_is_refused(pitch: int, step: int) -> None:
    pitches = np.full((4, 4), 60)
    pitches[step, Voice.TENOR] = pitch
    with pytest.raises(
        DataError,
        match=f"step {step}, Tenor: pitch {pitch} is outside 36 to 81, .*; transpose the piece",
    ):
        encode(Chorale.of(pitches), PITCH)


@both
@pytest.mark.parametrize("ids", [[], [START], [END], [START, END], [START, 5, 5, 5, END], [5] * 7])
def test_a_broken_number_of_tokens_is_refused(table: Vocabulary, ids: list[int]) -> None:
    with pytest.raises(DataError, match="tokens between START and END: expected four for every"):
        decode(ids, table)


@pytest.mark.parametrize("wrong", [PAD, MASK, START, END, -1, PITCH.size])
def test_a_token_that_is_no_note_is_refused(wrong: int) -> None:
    with pytest.raises(DataError, match=f"token {wrong} at index 6 is neither a note nor a rest"):
        decode([START, 5, 5, 5, 5, 5, wrong, 5, 5], PITCH)


def test_a_model_piece_must_be_as_long() -> None:
    """Fermatas and meter of another length cannot be used."""
    ids = encode(random_chorale(0, 8), PITCH)
    with pytest.raises(DataError, match="the tokens hold 8 steps, but 'like' has 9"):
        decode(ids, PITCH, like=random_chorale(0, 9))


@both
def test_a_table_has_special_tokens_and_then_the_pitches(table: Vocabulary) -> None:
    """Holds follow the onsets in the same order; the published grid has none."""
    special = {PAD: "PAD", MASK: "MASK", START: "START", END: "END", REST_TOKEN: "REST"}
    onsets = [str(pitch) for pitch in range(LOWEST_PITCH, HIGHEST_PITCH + 1)]
    holds = [f"{name}_" for name in onsets] if table is ARTICULATED else []
    names = [special[id_] for id_ in range(5)] + onsets + holds
    assert list(table.symbols()) == names
    assert (table.first_onset, table.first_hold) == (5, 51 if holds else 5)
    assert table.size == len(names) == (97 if holds else 51)


def test_a_vocabulary_is_found_by_its_name() -> None:
    assert (vocabulary("pitch"), vocabulary("articulated")) == (PITCH, ARTICULATED)
    with pytest.raises(
        UsageError, match="unknown vocabulary 'chords': expected pitch or articulated"
    ):
        vocabulary("chords")


EVERYTHING = tuple(CONDITIONS)


def steps_of(column: np.ndarray) -> list[int]:
    cells = column[:-2].reshape(-1, 4)
    assert (cells == cells[:, :1]).all()
    return [int(row) for row in cells[:, 0]]


def supplied(piece: Chorale, name: str) -> np.ndarray:
    return rows(piece, [name], [name])[:, 0]


def test_there_is_a_row_for_every_token_and_what_is_not_given_is_unknown() -> None:
    assert rows(minuet(), EVERYTHING, EVERYTHING).shape == (4 * 7 + 2, 8)

    assert rows(minuet(), (), EVERYTHING).shape == (30, 0)

    assert rows(minuet(), EVERYTHING, EVERYTHING)[-1].tolist() == [UNKNOWN] * 8

    table = rows(minuet(), ("key", "voice", "bar"), ("voice",))
    assert set(table[:, 0]) == {UNKNOWN}
    assert set(table[:-1, 1]) == {1, 2, 3, 4}
    assert set(table[:, 2]) == {UNKNOWN}


def test_the_voice_is_that_of_the_next_token() -> None:
    assert supplied(minuet(), "voice")[:9].tolist() == [1, 2, 3, 4, 1, 2, 3, 4, 1]


def chords(steps: int, **fields: Any) -> Chorale:
    return Chorale.of([[60] * 4] * steps, **fields)


HELD = np.isin(np.arange(24), [6, 7, 12, 13, 14, 15])


@pytest.mark.parametrize(
    ("name", "piece", "expected"),
    [
        ("beat", minuet(), [1, 2, 3, 4, 1, 2, 3]),  # from the bar line
        ("beat", chords(6, pickup=3), [2, 3, 4, 1, 2, 3]),
        ("bar", minuet(), [25, 26, 27, 28, 17, 18, 19]),  # three quarters have rows of their own
        ("bar", chords(6, pickup=4), [13, 14, 15, 16, 1, 2]),
        ("bar", chords(9, meter=Meter(6, 8)), [UNKNOWN] * 9),
        ("bar", chords(9, meter=Meter(2, 2)), [UNKNOWN] * 9),
        ("bar", chords(9, meter=Meter(2, 4)), [UNKNOWN] * 9),
        ("fermata", minuet(), [1, 1, 1, 1, 2, 2, 2]),
        ("key", chords(3, key=Key("C", "major")), [1] * 3),
        ("key", chords(3, key=Key("B", "major")), [12] * 3),
        ("key", chords(3, key=Key("C", "minor")), [13] * 3),
        ("key", chords(3), [UNKNOWN] * 3),
        ("key", chords(1, key=Key("C#", "major")), [2]),  # keys of one sound have one row
        ("key", chords(1, key=Key("Db", "major")), [2]),
        ("ending", minuet(), [2, 2, 2, 1, 1, 1, 1]),  # quarters to the end, at most 32
        ("ending", chords(160), [32] * 36 + [1 + step // 4 for step in reversed(range(124))]),
        ("phrase", chords(24, fermatas=HELD),  # quarters to the next fermata, at most 9
         [3, 3, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, *[UNKNOWN] * 8]),
        ("phrase", chords(80, fermatas=np.arange(80) >= 76),
         [9] * 48 + [1 + step // 4 for step in reversed(range(32))]),
        ("phrase", chords(8), [UNKNOWN] * 8),
    ],
)  # fmt: skip
def test_a_condition_of_a_step_follows_from_the_form(
    name: str, piece: Chorale, expected: list[int]
) -> None:
    assert steps_of(supplied(piece, name)) == expected


def test_end_has_only_positional_conditions() -> None:
    at_end = dict(zip(EVERYTHING, rows(minuet(), EVERYTHING, EVERYTHING)[-2], strict=True))
    assert at_end == {
        "voice": 1,
        "beat": 4,
        "bar": 20,
        "fermata": UNKNOWN,
        "key": 15,
        "ending": UNKNOWN,
        "style": UNKNOWN,
        "phrase": UNKNOWN,
    }


@pytest.mark.parametrize("seed", range(8))
def test_every_row_lies_in_its_table(seed: int) -> None:
    """An index outside would break an embedding."""
    table = rows(random_chorale(seed, 40 + seed), EVERYTHING, EVERYTHING)
    assert (table >= 0).all()
    assert (table < list(sizes(EVERYTHING).values())).all()


def test_the_place_alone_gives_voice_and_beat() -> None:
    """A piece that starts on a beat needs no chorale; END is not known."""
    piece = Chorale.of([[60] * 4] * 9, key=Key("C", "major"))
    from_place = positional_rows(4 * 9 + 2, EVERYTHING)
    assert np.array_equal(from_place[:-1], rows(piece, EVERYTHING, POSITIONAL)[:-1])


def test_the_place_goes_on_where_a_part_starts() -> None:
    whole = positional_rows(30, EVERYTHING)
    parts = [positional_rows(5, EVERYTHING, start) for start in range(0, 30, 5)]
    assert np.array_equal(np.concatenate(parts), whole)


def test_the_size_of_a_table_counts_the_unknown_row() -> None:
    assert sizes(["key", "voice", "beat", "bar", "fermata", "ending", "phrase"]) == {
        "key": 25, "voice": 5, "beat": 5, "bar": 29, "fermata": 3, "ending": 33,
        "phrase": 10,
    }  # fmt: skip
    assert list(sizes(["key", "voice"])) == ["key", "voice"]


def test_an_unknown_condition_is_refused() -> None:
    known = "voice, beat, bar, fermata, key, ending, phrase"
    with pytest.raises(UsageError, match=f"unknown condition 'mood': expected some of {known}"):
        sizes(["mood"])
    with pytest.raises(UsageError, match="unknown condition 'mood'"):
        rows(minuet(), ["mood"], ["mood"])
