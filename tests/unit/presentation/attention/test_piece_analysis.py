"""What one model makes of one piece."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.presentation.attention.piece_analysis import (
    LAGS,
    Head,
    Reading,
    cell_name,
    pair,
    percent,
)

PIECE = Chorale.of(np.tile([[72, 67, 64, -1]], (40, 1)))
OTHER_HEAD = Head(1, 0)


def looking(at: int, cells: int = 160, piece: Chorale = PIECE) -> Reading:
    """A reading with two layers of one head.

    The first looks back ``at`` cells, or at START where there are none; the second evenly at all.
    """
    reading = Reading(piece, "bach", 2, 1, wrote=True)
    for cell in range(cells):
        row = np.zeros((2, 1, cell + 1), dtype=np.float32)
        row[0, 0, max(cell + 1 - at, 0)] = 1
        row[1, 0] = 1 / (cell + 1)
        reading.add(row, nats=cell / 10)
    return reading


@pytest.mark.parametrize(
    ("cell", "back", "expected"),
    [
        (83, 1, "same step"),
        (83, 3, "same step"),
        (83, 4, "step before"),
        (80, 1, "step before"),
        (80, 4, "step before"),
        (80, 5, "within a beat"),
        (80, 16, "within a beat"),
        (80, 17, "within a bar"),
        (80, 64, "within a bar"),
        (80, 65, "earlier"),
        (80, 81, "START"),
        (0, 1, "START"),
    ],
)
def test_attention_divides_by_distance(cell: int, back: int, expected: str) -> None:
    """By steps, not by cells: just before a soprano stands the bass of the step before."""
    shares = looking(back).by_lag(Head(0, 0), cell)

    assert [share.name for share in shares if share.here] == [expected]


def test_distances_are_those_of_the_meter() -> None:
    """A bar of 3/4 ends sooner than one of 4/4, a beat of 6/8 is an eighth."""
    waltz = Chorale.of(PIECE.pitches, meter=Meter(3, 4))
    jig = Chorale.of(PIECE.pitches, meter=Meter(6, 8))

    assert looking(64, piece=waltz).by_lag(Head(0, 0), 80)[4].here == 1
    assert looking(12, piece=jig).by_lag(Head(0, 0), 80)[3].here == 1


@pytest.mark.parametrize("head", [None, Head(0, 0), OTHER_HEAD])
def test_distances_share_the_whole_attention(head: Head | None) -> None:
    """They sum to 1, for one note and over the piece; with START, so do the voices."""
    shares = looking(5).by_lag(head, 77)
    start = shares[-1]

    assert [share.name for share in shares] == list(reversed(LAGS))
    assert sum(share.whole for share in shares) == pytest.approx(1, abs=1e-5)
    assert sum(share.here or 0 for share in shares) == pytest.approx(1, abs=1e-5)
    voices = looking(5).by_voice(head, 77)
    assert sum(share.whole for share in voices) + start.whole == pytest.approx(1, abs=1e-5)


def test_attention_divides_by_voice() -> None:
    """Cell 80 is a soprano; three cells back is the alto of the step before."""
    reading = looking(3)

    assert [share.here for share in reading.by_voice(Head(0, 0), 80)] == [0, 1, 0, 0]
    assert all(share.here is None for share in reading.by_voice(None, None))


def test_mean_of_all_heads_is_a_head_too() -> None:
    """Its row is the mean of the rows, up to rounding; its map and arcs follow."""
    reading = looking(1)
    expected = (reading.looked_at(9, Head(0, 0)) + reading.looked_at(9, OTHER_HEAD)) / 2

    assert reading.looked_at(9, None) == pytest.approx(expected, abs=0.005)
    assert reading.map(None).shape == (160, 160)
    (strongest,) = reading.arcs(9, None, most=1)
    assert (strongest.step, strongest.voice) == divmod(8, 4)


def test_thumbnail_shows_the_strongest_of_what_it_covers() -> None:
    """The diagonal of a head that looks one cell back; empty where nothing is written yet."""
    small = looking(1, cells=80).thumbnail(Head(0, 0))

    assert small.shape == (60, 60)
    assert (small.diagonal()[:30] == 255).all()
    assert not small[31:].any()
    assert not np.triu(small, 1).any()


def test_surprise_of_every_cell_is_kept() -> None:
    """As steps by voices; nan where nothing is known."""
    nats = looking(1, cells=6).nats

    assert nats.shape == (40, 4)
    assert nats[1, 1] == pytest.approx(0.5)
    assert np.isnan(nats[1, 2:]).all()


def test_stopped_piece_knows_its_own_cells_only() -> None:
    """A step that was begun and cropped is no longer there."""
    reading = looking(1, cells=10)
    reading.ended(PIECE.cropped(0, 2))

    assert (reading.cells, reading.knows(7), reading.knows(8), reading.knows(None)) == (
        8,
        True,
        False,
        False,
    )


def test_reading_without_heads_has_surprise_alone() -> None:
    """As of pieces that are too long for weights."""
    reading = Reading(PIECE, "bach", 0, 0, wrote=False)
    reading.add(None, nats=2.0)

    assert not reading.has_weights
    assert reading.nats[0, 0] == 2.0


def test_pair_is_told_in_words() -> None:
    """Who looked at what, with pitch and place; a rest and START have names too."""
    assert pair(PIECE, 5, 3, 0.234) == (
        "Alto G4 (bar 1, beat 1¼) looked 23 % at Tenor E4 (bar 1, beat 1)"
    )
    assert pair(PIECE, 4, 0, 0.004) == "Soprano C5 (bar 1, beat 1¼) looked 0.4 % at START"
    assert cell_name(PIECE, 3) == "Bass rest (bar 1, beat 1)"


@pytest.mark.parametrize(
    ("weight", "words"),
    [(0.0, "0 %"), (0.0004, "< 0.1 %"), (0.0044, "0.4 %"), (0.01, "1 %"), (1.0, "100 %")],
)
def test_percents_are_as_exact_as_they_are_useful(weight: float, words: str) -> None:
    """A small weight is not called none."""
    assert percent(weight) == words


def test_heads_are_counted_from_one_for_people() -> None:
    """From 0 for arrays."""
    assert str(Head(0, 3)) == "Layer 1, head 4"
