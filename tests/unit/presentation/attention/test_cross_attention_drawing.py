"""The map of cross-attention to given notes: rows, columns, names."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale, Flags, Voice
from musicrel.errors import DataError
from musicrel.presentation.attention import cross_attention_drawing
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.drawing.drawing import Drawing, Raster, Text
from musicrel.presentation.words.palette import LIGHT


def chorale(steps: int) -> Chorale:
    """Return a piece with quarters in the soprano and held notes below."""
    soprano = [72 + step // 4 % 8 for step in range(steps)]
    return Chorale.of([[top, 67, 64, 48] for top in soprano], title="Wachet auf")


def given(steps: int, *voices: Voice) -> Flags:
    """Whole voices."""
    return np.tile(np.isin(np.arange(4), voices), (steps, 1))


def even(steps: int) -> Weights:
    """Each cell looks at all steps alike."""
    return np.full((4 * steps, steps), 1 / steps, dtype=np.float32)


def draw(weights: Weights, known: Flags) -> Drawing:
    """In light colours, the mean of layer 2."""
    piece = chorale(len(known))
    return cross_attention_drawing.draw(weights, piece, known, layer=2, head=None, theme=LIGHT)


def dots(drawing: Drawing) -> Raster:
    """Return the map; the colour scale is a raster, too."""
    return next(item for item in drawing.items if isinstance(item, Raster))


def texts(drawing: Drawing) -> list[str]:
    """All that is written."""
    return [item.text for item in drawing.items if isinstance(item, Text)]


def test_down_are_the_cells_written_and_across_the_steps() -> None:
    """Given cells have no row; a step is as wide as four cells are high."""
    raster = dots(draw(even(16), given(16, Voice.SOPRANO)))

    assert raster.pixels.shape == (48, 16, 3)
    assert raster.width / 16 == 4 * raster.height / 48


def test_the_melody_stands_above() -> None:
    """By name, where a note begins; the voices of the rows beside them."""
    drawing = draw(even(16), given(16, Voice.SOPRANO, Voice.TENOR))

    assert texts(drawing)[:2] == ["Cross-attention, layer 2, mean of its heads", "Wachet auf"]
    assert [text for text in texts(drawing) if text in ("C5", "C♯5", "D5", "D♯5", "E4")] == [
        "C5", "C♯5", "D5", "D♯5",
    ]  # fmt: skip
    assert [text for text in texts(drawing) if text in tuple("SATB")] == ["A", "B"] * 16


def test_names_that_have_no_room_are_left_out() -> None:
    """Four steps of a long piece are narrower than a name."""
    drawing = draw(even(400), given(400, Voice.SOPRANO))

    names = [text for text in texts(drawing) if text[-1].isdigit() and not text.isdigit()]
    assert 10 < len(names) < 50


def test_a_cell_that_looks_at_one_step_is_dark_there() -> None:
    """The others are the colour of nothing; rows are those of the written cells."""
    weights = np.zeros((32, 8), dtype=np.float32)
    weights[5, 3] = 1.0  # alto of step 1, the fourth of the written cells: A T B, A

    pixels = dots(draw(weights, given(8, Voice.SOPRANO))).pixels

    assert pixels[3, 3].sum() < pixels[3, 2].sum() == pixels[4, 3].sum()


@pytest.mark.parametrize("shape", [(32,), (32, 7), (31, 8)])
def test_weights_that_do_not_fit_the_piece_are_refused(shape: tuple[int, ...]) -> None:
    """With the size that would."""
    with pytest.raises(DataError, match=r"expected \(32, 8\) and \(8, 4\) for this piece"):
        draw(np.zeros(shape, dtype=np.float32), given(8, Voice.SOPRANO))


def test_where_nothing_was_written_there_is_nothing_to_see() -> None:
    """All four voices are given."""
    with pytest.raises(
        DataError, match="all notes are given: expected at least one generated note"
    ):
        draw(even(8), given(8, *Voice))


def test_infilling_model_has_a_row_for_every_cell() -> None:
    """All notes are known but the hidden one, so no voice stands above."""
    drawing = cross_attention_drawing.draw_infill(
        even(16), chorale(16), layer=None, head=None, theme=LIGHT, model="both"
    )

    assert dots(drawing).pixels.shape == (64, 16, 3)
    assert texts(drawing)[0] == "Attention of both, mean of all heads"
    assert [text for text in texts(drawing) if text in tuple("SATB")] == ["S", "A", "T", "B"] * 16
    assert not [text for text in texts(drawing) if text in ("C5", "C♯5")]
