"""Attention to steps: shares to both sides, rows in any order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.step_analysis import BOTH_SIDES, INFILL, StepAnalysis

PIECE = Chorale.of(np.tile([[72, 67, 64, 48]], (48, 1)), title="Three bars")
CELL = 4 * 20 + 2
"""The tenor of the fifth sixteenth of bar 2."""


def analysis(piece: Chorale = PIECE) -> StepAnalysis:
    """Return an analysis by one layer of two heads without rows."""
    return StepAnalysis(piece, "both", 1, 2, wrote=False, kind=INFILL)


def on(step: int, steps: int = 48) -> np.ndarray:
    """Return rows of two heads: the first attends to ``step``, the second to all steps alike."""
    row = np.zeros((1, 2, steps), dtype=np.float32)
    row[0, 0, step] = 1
    row[0, 1] = 1 / steps
    return row


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (3, "earlier"),
        (4, "within a bar"),
        (15, "within a bar"),
        (16, "within a beat"),
        (18, "within a beat"),
        (19, "step before"),
        (20, "same step"),
        (21, "step after"),
        (22, "a beat after"),
        (24, "a beat after"),
        (25, "a bar after"),
        (36, "a bar after"),
        (37, "later"),
    ],
)
def test_attention_divides_by_distance_to_both_sides(step: int, name: str) -> None:
    """The past comes first; the note is in the middle."""
    found = analysis()
    found.add_at(CELL, on(step))

    shares = found.by_lag(Head(0, 0), CELL)
    assert tuple(share.name for share in shares) == BOTH_SIDES
    assert [share.name for share in shares if share.here] == [name]


@pytest.mark.parametrize("cell", [0, CELL, 4 * 47 + 3])
@pytest.mark.parametrize("head", [None, Head(0, 0), Head(0, 1)])
def test_shares_are_the_whole_attention(cell: int, head: Head | None) -> None:
    """At the edges of the piece, too."""
    found = analysis()
    found.add_at(cell, on(20))

    shares = found.by_lag(head, cell)
    assert sum(share.whole for share in shares) == pytest.approx(1, abs=1e-5)
    assert sum(share.here or 0 for share in shares) == pytest.approx(1, abs=1e-5)


def test_distances_are_those_of_the_meter() -> None:
    """A bar of 3/4 has twelve sixteenths."""
    found = analysis(Chorale.of(PIECE.pitches, meter=Meter(3, 4)))
    found.add_at(CELL, on(33))

    assert [share.name for share in found.by_lag(Head(0, 0), CELL) if share.here] == ["later"]


def test_rows_become_known_in_any_order() -> None:
    """Unknown rows are empty, and count in no mean."""
    found = analysis()
    found.add_at(CELL, on(7))

    assert (found.cells, found.has_cell(CELL), found.has_cell(CELL - 1)) == (1, True, False)
    assert not found.map(None)[: CELL - 1].any()
    assert found.map(Head(0, 0))[CELL, 7] == 255
    assert found.map(Head(0, 0))[CELL].all(), "a known row has no empty dots"
    row = found.attention_row(CELL, Head(0, 0))
    assert row[7] == 1
    assert row.sum() == 1
    assert [share.whole for share in found.by_lag(Head(0, 0), None)][1] == 1
    assert not found.is_complete


def test_a_row_may_be_read_twice() -> None:
    """It counts once."""
    found = analysis()
    for _ in range(2):
        found.add_at(CELL, on(7))

    assert found.cells == 1


def test_wanted_cell_is_read_first_then_onsets_then_held_cells() -> None:
    """All are read once."""
    onsets = np.zeros((48, 4), dtype=np.bool_)
    onsets[::8] = True
    found = analysis(replace(PIECE, onsets=onsets))
    found.wanted = CELL
    order = []
    while (cell := found.next_cell()) is not None:
        found.add_at(cell, on(0))
        order.append(cell)

    assert order[0] == CELL
    assert sorted(order) == list(range(192))
    assert {cell // 4 % 8 for cell in order[1:25]} == {0}
    assert order[1:25] != sorted(order[1:25]), "the shares of the first rows are about the whole's"
    assert found.is_complete


def test_arcs_and_profile_lead_to_steps() -> None:
    """An arc ends in the voice of its note."""
    found = analysis()
    found.add_at(CELL, on(7))

    (arc,) = found.arcs(CELL, Head(0, 0), most=1)
    assert (arc.step, arc.voice, arc.weight) == (7, 2, 1)
    assert found.profile(CELL, Head(0, 0)).weights.shape == (48, 1)
    words = found.describe(CELL, 7, 0.25)
    assert words == "Tenor E4 (bar 2, beat 2): 25 % on bar 1, beat 2¾"


def test_thumbnails_show_the_largest_weights() -> None:
    """A piece of 48 steps has 48 columns; four cells share a row."""
    found = analysis()
    found.add_at(CELL, on(7))

    assert found.thumbnails.shape == (3, 48, 48)
    assert found.thumbnails[1, 20, 7] == 255
    assert not found.thumbnails[1, 21].any()


def test_reading_without_heads_is_complete_with_its_surprisal() -> None:
    """Long pieces keep no weights."""
    found = StepAnalysis(PIECE, "both", 0, 0, wrote=False, kind=INFILL)
    found.set_nats(np.full((48, 4), 2.0))

    assert found.is_complete
    assert (found.nats == 2).all()
