"""Encoding chorales as token ids, and decoding."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import paths
from musicrel.chorale import REST, Chorale, Voice
from musicrel.corpus import bundled, jsb
from musicrel.errors import DataError
from musicrel.tokens.codec import cell_of, decode, encode, index_of
from musicrel.tokens.vocabulary import (
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
)
from tests.helpers.music import minuet, random_chorale

both = pytest.mark.parametrize("table", VOCABULARIES.values(), ids=list(VOCABULARIES))


def assert_survives(piece: Chorale, table: Vocabulary) -> None:
    """Assert that pitches survive in both tables, and onsets in the table with holds."""
    back = decode(encode(piece, table), table, like=piece)

    assert np.array_equal(back.pitches, piece.pitches)
    if table.holds:
        assert back == piece
    assert back == replace(piece, onsets=back.onsets)


def test_cells_stand_in_raster_order_after_start() -> None:
    """S A T B of step 0, then S A T B of step 1."""
    cells = [(step, voice) for step in range(5) for voice in Voice]

    assert [index_of(step, voice) for step, voice in cells] == list(range(1, 21))
    assert [cell_of(index) for index in range(1, 21)] == cells


def test_the_published_grid_spells_pitches() -> None:
    """START, a token per cell, END; a rest has a token of its own."""
    ids = encode(Chorale.of([[60, 59, REST, 36]] * 2), PITCH)
    first = PITCH.first_onset
    step = [first + 60 - 36, first + 59 - 36, REST_TOKEN, first]

    assert ids.tolist() == [START, *step, *step, END]
    assert ids.dtype == np.int64


def test_articulated_tokens_tell_held_from_repeated() -> None:
    """The soprano repeats its note, the bass holds it."""
    onsets = np.array([[True] * 4, [True, False, False, False]])
    ids = encode(Chorale.of([[60, 59, 52, 36]] * 2, onsets=onsets), ARTICULATED)
    names = [ARTICULATED.symbols()[id_] for id_ in ids]

    assert names == ["START", "60", "59", "52", "36", "60", "59_", "52_", "36_", "END"]


@both
@pytest.mark.parametrize("seed", range(20))
def test_a_piece_survives(table: Vocabulary, seed: int) -> None:
    """Decoding inverts encoding; all that tokens do not encode comes from ``like``."""
    assert_survives(random_chorale(seed, 1 + 5 * seed), table)


@both
def test_the_bundled_chorales_survive(table: Vocabulary) -> None:
    """Every piece that is shipped, in both tables."""
    if not (paths.assets() / bundled.FILE_NAME).is_file():
        pytest.skip("the bundled corpus has not been built")
    pieces = [piece for split in bundled.load_all().values() for piece in split]

    assert pieces
    for piece in pieces:
        assert_survives(piece, table)


@both
def test_jsb16_survives(table: Vocabulary) -> None:
    """Every piece of the published data; it is not shipped."""
    path = paths.shared_data() / "jsb" / jsb.FILE_NAME
    if not path.is_file():
        pytest.skip("needs the shared data: JSB16")
    pieces = [piece for split in jsb.read(path).values() for piece in split]

    assert len(pieces) == 382
    for piece in pieces:
        assert_survives(piece, table)


@both
def test_start_and_end_may_be_missing(table: Vocabulary) -> None:
    """An unfinished piece has no END."""
    piece = random_chorale(3)
    ids = encode(piece, table)

    whole = decode(ids, table)

    for part in (ids[1:], ids[:-1], ids[1:-1]):
        assert decode(part, table) == whole


def test_without_holds_a_note_begins_where_the_pitch_changes() -> None:
    """Repeats are lost in the published grid; a rest between two notes is not."""
    onsets = np.array([[True], [True], [False], [True]]).repeat(4, axis=1)
    piece = Chorale.of([[60] * 4, [60] * 4, [REST] * 4, [60] * 4], onsets=onsets)

    back = decode(encode(piece, PITCH), PITCH)

    assert back.onsets[:, 0].tolist() == [True, False, False, True]


def test_a_hold_of_another_pitch_begins_a_note() -> None:
    """Models may not generate it, but other tokens are decoded as well."""
    hold = ARTICULATED.first_hold
    ids = [hold + 24] * 4 + [hold + 25] * 4

    back = decode(ids, ARTICULATED)

    assert back.pitches[:, 0].tolist() == [60, 61]
    assert back.onsets.all()


def test_without_a_model_piece_the_rest_is_plain() -> None:
    """4/4 without pickup, key or fermata."""
    back = decode(encode(minuet(), ARTICULATED), ARTICULATED)

    assert (str(back.meter), back.pickup, back.key) == ("4/4", 0, None)
    assert not back.fermatas.any()


@pytest.mark.parametrize(("pitch", "step"), [(LOWEST_PITCH - 1, 1), (HIGHEST_PITCH + 1, 2)])
def test_a_pitch_outside_the_span_is_refused(pitch: int, step: int) -> None:
    """The message names the cell, the pitch, the span and the remedy."""
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
    """Only whole steps can be read, and at least one."""
    with pytest.raises(DataError, match="tokens between START and END: expected four for every"):
        decode(ids, table)


@pytest.mark.parametrize("wrong", [PAD, MASK, START, END, -1, PITCH.size])
def test_a_token_that_is_no_note_is_refused(wrong: int) -> None:
    """The message names the token and its index, START included."""
    with pytest.raises(DataError, match=f"token {wrong} at index 6 is neither a note nor a rest"):
        decode([START, 5, 5, 5, 5, 5, wrong, 5, 5], PITCH)


def test_a_model_piece_must_be_as_long() -> None:
    """Fermatas and meter of another length cannot be used."""
    ids = encode(random_chorale(0, 8), PITCH)

    with pytest.raises(DataError, match="the tokens hold 8 steps, but 'like' has 9"):
        decode(ids, PITCH, like=random_chorale(0, 9))
