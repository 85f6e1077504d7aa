"""Notes coloured by the surprisal of one model, or by the difference of two."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.figures import roll
from musicrel.interpretability.piece_analysis import PieceAnalysis
from musicrel.interpretability.surprisal import (
    ModelDifference,
    Scale,
    colours_of,
    comparison,
    of_notes,
)
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from tests.helpers.colours import contrast
from tests.helpers.known import known
from tests.helpers.music import read

PIECE = Chorale.of([[72, 67, 64, 48], [72, 67, 64, 48], [74, 67, 64, -1]])
NOTES = roll.draw(PIECE).notes
NATS = np.array([[1, 2, 3, 4], [0.5, 0, 0, 0.25], [6, 0, 0, 9]], dtype=np.float32)


def test_note_has_the_surprise_of_the_cell_it_begins_in() -> None:
    values = of_notes(NOTES, NATS)

    assert [value.onset for value in values.values()] == [1, 2, 3, 4, 6]
    assert [value.whole for value in values.values()] == [1.5, 2, 3, 4.25, 6]


def test_note_that_is_not_known_yet_has_none() -> None:
    nats = np.full((3, 4), np.nan, dtype=np.float32)
    nats[0, :2] = 1.0

    assert [note.voice for note in of_notes(NOTES, nats)] == [0, 1]
    heat = colours_of(NOTES, nats, LIGHT)
    assert heat.tint(2, 0) is None
    assert heat.describe(NOTES[2]) == ""


def test_scale_is_clamped_at_two_and_a_half_deviations() -> None:
    nats = np.array([1.0] * 99 + [30.0], dtype=np.float32)
    scale = Scale.of(nats)

    assert scale.high == pytest.approx(nats.mean() + 2.5 * nats.std(), rel=1e-5)
    assert scale.low == 0
    assert (scale.share(-1), scale.share(30.0)) == (0, 1)
    assert scale.share((scale.low + scale.high) / 2) == pytest.approx(0.5)


def test_scale_of_equal_or_no_values_has_a_width() -> None:
    assert Scale.of(np.full(5, 2.0, dtype=np.float32)) == Scale(2.0, 2.1)
    assert Scale.of(np.array([], dtype=np.float32)) == Scale(0.0, 1.0)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_letter_can_be_read_on_every_colour(theme: Theme) -> None:
    """With a contrast of 4.5, all along the scale."""
    fills = [colours_of((), None, theme).at(share).fill for share in np.linspace(0, 1, 21)]

    assert [fill for fill in fills if contrast(theme.on_voice, fill) < 4.5] == []
    assert (fills[0], fills[-1]) == (theme.surprisal[0], theme.surprisal[-1])


def test_a_note_is_described_in_nats_and_as_a_probability() -> None:
    heat = colours_of(NOTES, NATS, LIGHT)

    assert heat.describe(NOTES[0]) == "1.00 nats (p = 37 %), 1.50 nats in total"
    assert heat.describe(NOTES[-1]) == "6.00 nats (p = 0.2 %)"


Pair = tuple[PieceAnalysis, PieceAnalysis]


@pytest.fixture
def piece() -> Chorale:
    return Chorale.of(np.tile([[72, 67, 64, 48]], (32, 1)), title="Two bars")


@pytest.fixture
def pair(piece: Chorale) -> Pair:
    """Return A and B, which needs half a nat more for each cell."""
    return read("relative", 0.5, 1, piece), read("vanilla", 1.0, 4, piece)


def random_difference(piece: Chorale) -> ModelDifference:
    rng = np.random.default_rng(5)
    nats = rng.exponential(size=(2, *piece.pitches.shape)).astype(np.float32)
    return ModelDifference(piece, "relative", "vanilla", nats[0], nats[1])


def test_curve_rises_where_the_first_model_predicts_better(pair: Pair) -> None:
    found = known(ModelDifference.of(*pair))
    assert found.curve.tolist() == [2 * step for step in range(1, 33)]
    assert found.total == 64
    assert list(found.bars) == [32, 32]
    assert found.summary == (
        "A predicts this piece better in 2 of 2 bars, +64.0 nats in total; mean surprisal 0.500 "
        "nats/note under A, 1.000 under B"
    )


def test_notes_sum_to_the_end_of_the_curve(piece: Chorale) -> None:
    found = random_difference(Chorale.of(piece.pitches + np.arange(32)[:, None] // 3 % 5))
    naive = sum(
        float(found.second_nats[step, voice]) - float(found.first_nats[step, voice])
        for step in range(32)
        for voice in range(4)
    )

    assert sum(b - a for a, b in found.notes.values()) == pytest.approx(naive, abs=1e-4)
    assert found.curve[-1] == pytest.approx(naive, abs=1e-4)


def test_unfinished_reading_has_no_difference(pair: Pair, piece: Chorale) -> None:
    growing = PieceAnalysis(piece, "vanilla", 0, 0, wrote=False)
    growing.add(None, nats=1.0)
    short = PieceAnalysis(piece.cropped(0, 1), "vanilla", 0, 0, wrote=False)

    assert ModelDifference.of(pair[0], growing) is None
    assert ModelDifference.of(pair[0], short) is None


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_note_has_the_colour_of_the_model_that_predicts_it_better(
    piece: Chorale, theme: Theme
) -> None:
    nats = np.full((32, 4), 1.0, dtype=np.float32)
    other = nats + np.array([1, -1, 0, 0.25], dtype=np.float32)
    colours = ModelDifference(piece, "a", "b", nats, other).colours(theme)
    fills = [tint.fill for voice in range(4) if (tint := colours.tint(voice, 9))]

    assert fills[:3] == [theme.models[0], theme.models[1], theme.surprisal[0]]
    assert fills[3] not in fills[:3]
    assert colours.tint(0, 40) is None


def test_note_is_described_with_both_values(pair: Pair, piece: Chorale) -> None:
    found = known(ModelDifference.of(*pair))
    note = roll.draw(piece).notes[0]

    words = found.colours(LIGHT).describe(note)
    assert words == "A 16.00 nats, B 32.00: B is surprised more by 16.00"
    assert found.colours(LIGHT).describe(note._replace(start=1)) == ""
    assert comparison(-0.4) == "A is surprised more by 0.40"
    assert comparison(0.001) == "both are surprised alike"


def test_step_of_the_curve_is_described(pair: Pair) -> None:
    found = known(ModelDifference.of(*pair))

    assert found.at_step(17) == "After bar 2, beat 1¼: +36.0 nats; here +2.00"
    assert found.voices == "B − A: S +16.0, A +16.0, T +16.0, B +16.0 nats"


def test_table_has_a_row_for_each_note(pair: Pair) -> None:
    found = known(ModelDifference.of(*pair))
    head, *rows = found.table()

    assert head[4:7] == ("relative", "vanilla", "difference")
    assert rows[3] == (0, "B", 48, 32, 16.0, 32.0, 16.0, 2.0)
