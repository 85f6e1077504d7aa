"""The difference in surprisal of two models."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.comparison import difference_drawing, model_difference
from musicrel.presentation.comparison.model_difference import DifferenceColours, ModelDifference
from musicrel.presentation.drawing.drawing import Line, Rectangle, Text
from musicrel.presentation.roll import roll
from musicrel.presentation.words.palette import DARK, LIGHT, Theme

Pair = tuple[PieceAnalysis, PieceAnalysis]


def random_difference(piece: Chorale) -> ModelDifference:
    """Return two models with random surprisal."""
    rng = np.random.default_rng(5)
    nats = rng.exponential(size=(2, *piece.pitches.shape)).astype(np.float32)
    return ModelDifference(piece, "relative", "vanilla", nats[0], nats[1])


def test_curve_rises_where_the_first_model_predicts_better(pair: Pair) -> None:
    """Each step adds the difference of its four cells."""
    found = ModelDifference.of(*pair)

    assert found is not None
    assert found.curve.tolist() == [2 * step for step in range(1, 33)]
    assert found.total == 64
    assert list(found.bars) == [32, 32]
    assert list(found.by_voice) == [16, 16, 16, 16]
    assert model_difference.summary(found) == (
        "A 16.000, B 32.000 nats per note; A predicts better in 2 of 2 bars, +64.0 nats in total"
    )


def test_notes_sum_to_the_end_of_the_curve(piece: Chorale) -> None:
    """A note has the surprisal of all its cells."""
    found = random_difference(Chorale.of(piece.pitches + np.arange(32)[:, None] // 3 % 5))
    naive = sum(
        float(found.second_nats[step, voice]) - float(found.first_nats[step, voice])
        for step in range(32)
        for voice in range(4)
    )

    assert sum(b - a for a, b in found.notes.values()) == pytest.approx(naive, abs=1e-4)
    assert found.curve[-1] == pytest.approx(naive, abs=1e-4)


def test_unfinished_reading_has_no_difference(pair: Pair, piece: Chorale) -> None:
    """Nor have readings of pieces of other lengths."""
    growing = PieceAnalysis(piece, "vanilla", 0, 0, wrote=False)
    growing.add(None, nats=1.0)
    short = PieceAnalysis(piece.cropped(0, 1), "vanilla", 0, 0, wrote=False)

    assert ModelDifference.of(pair[0], growing) is None
    assert ModelDifference.of(pair[0], short) is None


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_note_has_the_colour_of_the_model_that_is_surprised_more(
    piece: Chorale, theme: Theme
) -> None:
    """The neutral one means that both are surprised alike."""
    nats = np.full((32, 4), 1.0, dtype=np.float32)
    other = nats + np.array([1, -1, 0, 0.25], dtype=np.float32)
    colours = DifferenceColours(ModelDifference(piece, "a", "b", nats, other), theme)
    fills = [tint.fill for voice in range(4) if (tint := colours.tint(voice, 9))]

    assert fills[:3] == [theme.models[1], theme.models[0], theme.surprisal[0]]
    assert fills[3] not in fills[:3]
    assert colours.tint(0, 40) is None


def test_note_is_described_with_both_values(pair: Pair, piece: Chorale) -> None:
    """In nats over all its cells."""
    found = ModelDifference.of(*pair)
    assert found is not None
    note = roll.draw(piece).notes[0]

    words = DifferenceColours(found, LIGHT).describe(note)
    assert words == "A 16.00 nats, B 32.00: B is surprised more by 16.00"
    assert DifferenceColours(found, LIGHT).describe(note._replace(start=1)) == ""
    assert model_difference.comparison(-0.4) == "A is surprised more by 0.40"
    assert model_difference.comparison(0.001) == "both are surprised alike"


def test_step_of_the_curve_is_described(pair: Pair) -> None:
    """With its place in the piece."""
    found = ModelDifference.of(*pair)
    assert found is not None

    assert model_difference.at_step(found, 17) == "After bar 2, beat 1¼: +36.0 nats; here +2.00"
    assert model_difference.voices(found) == "B − A: S +16.0, A +16.0, T +16.0, B +16.0 nats"


def test_table_has_a_row_for_each_note(pair: Pair) -> None:
    """Step, voice, pitch, length, both values, difference, and the curve at its beginning."""
    found = ModelDifference.of(*pair)
    assert found is not None
    head, *rows = model_difference.table(found)

    assert head[4:7] == ("relative", "vanilla", "difference")
    assert rows[3] == (0, "B", 48, 32, 16.0, 32.0, 16.0, 2.0)


def test_drawing_has_the_coloured_roll_and_the_curve(pair: Pair) -> None:
    """The notes are in the colour of B; the last point of the curve is the highest."""
    found = ModelDifference.of(*pair)
    assert found is not None
    drawing = difference_drawing.draw(found, LIGHT)
    fills = [item.fill for item in drawing.items if isinstance(item, Rectangle)]
    curve = max(
        (item for item in drawing.items if isinstance(item, Line)),
        key=lambda line: len(line.points),
    )

    assert fills.count(LIGHT.models[1]) >= 4
    assert not set(fills) & set(LIGHT.voices)
    assert len(curve.points) == 33
    assert curve.points[-1][1] == min(y for _, y in curve.points)
    texts = [item.text for item in drawing.items if isinstance(item, Text)]
    assert {"A: relative", "B: vanilla", "A +16.0", "B +16.0 nats"} <= set(texts)


def test_axis_of_the_curve_finds_steps(pair: Pair) -> None:
    """Outside there is none."""
    found = ModelDifference.of(*pair)
    assert found is not None
    axis = difference_drawing.axis(found, 700)

    assert [axis.step_at(axis.x(step) + 0.1) for step in (0, 17, 31)] == [0, 17, 31]
    assert axis.step_at(0) is None
    assert axis.step_at(699) is None
