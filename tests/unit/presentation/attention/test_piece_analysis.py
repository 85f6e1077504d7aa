"""Attention and surprisal of a model over a piece."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import (
    LAGS,
    PieceAnalysis,
    cell_name,
    pair,
    percent,
)

PIECE = Chorale.of(np.tile([[72, 67, 64, -1]], (40, 1)))
OTHER_HEAD = Head(1, 0)


def analysed(at: int, cells: int = 160, piece: Chorale = PIECE) -> PieceAnalysis:
    """Return an analysis with two layers of one head.

    The first looks back ``at`` cells, or at START where there are none; the second evenly at all.
    """
    reading = PieceAnalysis(piece, "bach", 2, 1, wrote=True)
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
    shares = analysed(back).by_lag(Head(0, 0), cell)

    assert [share.name for share in shares if share.here] == [expected]


def test_distances_are_those_of_the_meter() -> None:
    """A bar of 3/4 ends sooner than one of 4/4, a beat of 6/8 is an eighth."""
    waltz = Chorale.of(PIECE.pitches, meter=Meter(3, 4))
    jig = Chorale.of(PIECE.pitches, meter=Meter(6, 8))

    assert analysed(64, piece=waltz).by_lag(Head(0, 0), 80)[4].here == 1
    assert analysed(12, piece=jig).by_lag(Head(0, 0), 80)[3].here == 1


@pytest.mark.parametrize("head", [None, Head(0, 0), OTHER_HEAD])
def test_distances_share_the_whole_attention(head: Head | None) -> None:
    """They sum to 1, for one note and over the piece; with START, so do the voices."""
    shares = analysed(5).by_lag(head, 77)
    start = shares[-1]

    assert [share.name for share in shares] == list(reversed(LAGS))
    assert sum(share.whole for share in shares) == pytest.approx(1, abs=1e-5)
    assert sum(share.here or 0 for share in shares) == pytest.approx(1, abs=1e-5)
    voices = analysed(5).by_voice(head, 77)
    assert sum(share.whole for share in voices) + start.whole == pytest.approx(1, abs=1e-5)


def test_attention_divides_by_voice() -> None:
    """Cell 80 is a soprano; three cells back is the alto of the step before."""
    reading = analysed(3)

    assert [share.here for share in reading.by_voice(Head(0, 0), 80)] == [0, 1, 0, 0]
    assert all(share.here is None for share in reading.by_voice(None, None))


def test_mean_of_all_heads_is_a_head_too() -> None:
    """Its row is the mean of the rows, up to rounding; its map and arcs follow."""
    reading = analysed(1)
    expected = (reading.attention_row(9, Head(0, 0)) + reading.attention_row(9, OTHER_HEAD)) / 2

    assert reading.attention_row(9, None) == pytest.approx(expected, abs=0.005)
    assert reading.map(None).shape == (160, 160)
    (strongest,) = reading.arcs(9, None, most=1)
    assert (strongest.step, strongest.voice) == divmod(8, 4)


def test_thumbnails_show_the_largest_weights() -> None:
    """The mean is first, then the heads; a part that is not generated yet is empty."""
    mean, first, second = analysed(1, cells=80).thumbnails

    assert first.shape == (60, 60)
    assert (first.diagonal()[:30] == 255).all()
    assert not first[31:].any()
    assert not np.triu(first, 1).any()
    assert (second[29] < mean[29]).sum() == 1


def test_surprise_of_every_cell_is_kept() -> None:
    """The array is steps by voices; nan where unknown."""
    nats = analysed(1, cells=6).nats

    assert nats.shape == (40, 4)
    assert nats[1, 1] == pytest.approx(0.5)
    assert np.isnan(nats[1, 2:]).all()


def test_stopped_piece_knows_its_own_cells_only() -> None:
    """A step that was begun and cropped is no longer there."""
    reading = analysed(1, cells=10)
    reading.finish(PIECE.cropped(0, 2))

    assert (reading.cells, reading.has_cell(7), reading.has_cell(8), reading.has_cell(None)) == (
        8,
        True,
        False,
        False,
    )


def test_reading_without_heads_has_surprise_alone() -> None:
    """This is so for pieces that are too long to keep weights."""
    reading = PieceAnalysis(PIECE, "bach", 0, 0, wrote=False)
    reading.add(None, nats=2.0)

    assert not reading.has_weights
    assert reading.nats[0, 0] == 2.0


def test_a_pair_of_cells_is_described() -> None:
    """Query and key have pitch and place; a rest and START have names, too."""
    assert pair(PIECE, 5, 3, 0.234) == (
        "Alto G4 (bar 1, beat 1¼): 23 % on Tenor E4 (bar 1, beat 1)"
    )
    assert pair(PIECE, 4, 0, 0.004) == "Soprano C5 (bar 1, beat 1¼): 0.4 % on START"
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
