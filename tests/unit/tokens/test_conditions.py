"""The conditions of a token sequence."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import UsageError
from musicrel.tokens.conditions import (
    CONDITIONS,
    POSITIONAL,
    UNKNOWN,
    positional_rows,
    rows,
    sizes,
)
from tests.helpers.music import minuet, random_chorale

EVERYTHING = tuple(CONDITIONS)


def steps_of(column: np.ndarray) -> list[int]:
    """Return the row of each step, equal for all four voices, without END and after it."""
    cells = column[:-2].reshape(-1, 4)
    assert (cells == cells[:, :1]).all()
    return [int(row) for row in cells[:, 0]]


def supplied(piece: Chorale, name: str) -> np.ndarray:
    """Return the column of one condition."""
    return rows(piece, [name], [name])[:, 0]


def test_there_is_a_row_for_every_token() -> None:
    """START and END included."""
    assert rows(minuet(), EVERYTHING, EVERYTHING).shape == (4 * 7 + 2, 7)


def test_the_voice_is_that_of_the_next_token() -> None:
    """START is followed by a soprano, the first bass by a soprano again."""
    assert supplied(minuet(), "voice")[:9].tolist() == [1, 2, 3, 4, 1, 2, 3, 4, 1]


def test_the_beat_counts_from_the_bar_line() -> None:
    """A pickup of a quarter begins on a beat; one of three sixteenths begins on its second one."""
    late = Chorale.of([[60] * 4] * 6, pickup=3)

    assert steps_of(supplied(minuet(), "beat")) == [1, 2, 3, 4, 1, 2, 3]
    assert steps_of(supplied(late, "beat")) == [2, 3, 4, 1, 2, 3]


def test_the_bar_of_three_quarters_has_rows_of_its_own() -> None:
    """Sixteen rows for 4/4, then twelve for 3/4; the minuet begins on its third quarter."""
    assert steps_of(supplied(minuet(), "bar")) == [25, 26, 27, 28, 17, 18, 19]


def test_the_bar_of_four_quarters_comes_first() -> None:
    """A pickup of a quarter begins on the fourth quarter."""
    piece = Chorale.of([[60] * 4] * 6, pickup=4)

    assert steps_of(supplied(piece, "bar")) == [13, 14, 15, 16, 1, 2]


@pytest.mark.parametrize("meter", [Meter(6, 8), Meter(2, 2), Meter(2, 4)])
def test_the_bar_of_another_meter_is_unknown(meter: Meter) -> None:
    """Also for one with the length of a bar of 3/4 or 4/4."""
    assert set(supplied(Chorale.of([[60] * 4] * 9, meter=meter), "bar")) == {UNKNOWN}


def test_fermatas_are_marked_step_by_step() -> None:
    """1 is none, 2 is one."""
    assert steps_of(supplied(minuet(), "fermata")) == [1, 1, 1, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("key", "row"),
    [(Key("C", "major"), 1), (Key("B", "major"), 12), (Key("C", "minor"), 13), (None, UNKNOWN)],
)
def test_the_key_is_constant(key: Key | None, row: int) -> None:
    """Twelve major keys, then twelve minor ones; a piece without a key is unknown."""
    assert steps_of(supplied(Chorale.of([[60] * 4] * 3, key=key), "key")) == [row] * 3


def test_keys_of_one_sound_have_one_row() -> None:
    """Rows are pitch classes, not spellings."""
    sharp, flat = (Chorale.of([[60] * 4], key=Key(tonic, "major")) for tonic in ("C#", "Db"))

    assert np.array_equal(supplied(sharp, "key"), supplied(flat, "key"))


def test_the_ending_counts_quarters_backwards() -> None:
    """The last four steps are row 1, whatever the meter."""
    assert steps_of(supplied(minuet(), "ending")) == [2, 2, 2, 1, 1, 1, 1]


def test_far_from_the_end_the_count_stands_still() -> None:
    """32 rows: the last eight bars of 4/4."""
    column = steps_of(supplied(Chorale.of([[60] * 4] * 160), "ending"))

    assert column[:36] == [32] * 36
    assert column[36:40] == [31] * 4


def test_the_phrase_counts_quarters_to_the_next_fermata() -> None:
    """1 during it; before it every quarter begun; unknown after the last one."""
    holds = np.zeros(24, dtype=np.bool_)
    holds[6:8] = holds[12:16] = True
    column = steps_of(supplied(Chorale.of([[60] * 4] * 24, fermatas=holds), "phrase"))

    assert column == [3, 3, 2, 2, 2, 2, 1, 1, 2, 2, 2, 2, 1, 1, 1, 1, *[UNKNOWN] * 8]


def test_far_from_a_fermata_the_count_stands_still() -> None:
    """From two bars of 4/4 before it; a piece without any is unknown."""
    holds = np.arange(80) >= 76
    column = steps_of(supplied(Chorale.of([[60] * 4] * 80, fermatas=holds), "phrase"))
    none = steps_of(supplied(Chorale.of([[60] * 4] * 8), "phrase"))

    assert column[:52] == [9] * 48 + [8] * 4
    assert none == [UNKNOWN] * 8


def test_end_has_only_positional_conditions() -> None:
    """At END the grid continues; fermata and remaining quarters are unknown."""
    at_end = dict(zip(EVERYTHING, rows(minuet(), EVERYTHING, EVERYTHING)[-2], strict=True))

    assert at_end == {
        "voice": 1,
        "beat": 4,
        "bar": 20,
        "fermata": UNKNOWN,
        "key": 15,
        "ending": UNKNOWN,
        "phrase": UNKNOWN,
    }


def test_after_end_all_is_unknown() -> None:
    """Nothing follows."""
    assert rows(minuet(), EVERYTHING, EVERYTHING)[-1].tolist() == [UNKNOWN] * 7


def test_what_is_not_given_is_unknown() -> None:
    """The columns stay in the model's order."""
    table = rows(minuet(), ("key", "voice", "bar"), ("voice",))

    assert set(table[:, 0]) == {UNKNOWN}
    assert set(table[:-1, 1]) == {1, 2, 3, 4}
    assert set(table[:, 2]) == {UNKNOWN}


def test_what_the_model_lacks_is_left_out() -> None:
    """More conditions than the model's may be given."""
    assert rows(minuet(), (), EVERYTHING).shape == (30, 0)


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
    """Token by token gives the same rows as all at once."""
    whole = positional_rows(30, EVERYTHING)
    parts = [positional_rows(5, EVERYTHING, start) for start in range(0, 30, 5)]

    assert np.array_equal(np.concatenate(parts), whole)


def test_the_size_of_a_table_counts_the_unknown_row() -> None:
    """In the order asked for."""
    assert sizes(["key", "voice", "beat", "bar", "fermata", "ending", "phrase"]) == {
        "key": 25, "voice": 5, "beat": 5, "bar": 29, "fermata": 3, "ending": 33,
        "phrase": 10,
    }  # fmt: skip
    assert list(sizes(["key", "voice"])) == ["key", "voice"]


def test_an_unknown_condition_is_refused() -> None:
    """The message lists the known ones."""
    known = "voice, beat, bar, fermata, key, ending, phrase"

    with pytest.raises(UsageError, match=f"unknown condition 'mood': expected some of {known}"):
        sizes(["mood"])
    with pytest.raises(UsageError, match="unknown condition 'mood'"):
        rows(minuet(), ["mood"], ["mood"])
