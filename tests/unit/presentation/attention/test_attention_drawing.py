"""The attention map on a page: dots, axes, scale."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.errors import DataError
from musicrel.presentation.attention import attention_drawing, heat_map
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.drawing.drawing import Drawing, Raster, Text
from musicrel.presentation.words.palette import DARK, LIGHT


def chorale(steps: int) -> Chorale:
    """Return a piece in which every voice has one note."""
    return Chorale.of([[72, 67, 64, 48]] * steps, title="Wachet auf")


def causal(tokens: int) -> Weights:
    """Each token looks at all up to itself alike."""
    rows = np.tri(tokens, dtype=np.float32)
    uniform: Weights = rows / rows.sum(axis=1, keepdims=True)
    return uniform


def draw(weights: Weights, steps: int, head: int | None = 3) -> Drawing:
    """In light colours."""
    return attention_drawing.draw(weights, chorale(steps), layer=2, head=head, theme=LIGHT)


def dots(drawing: Drawing) -> Raster:
    """Return the map; the colour scale is a raster, too."""
    return next(item for item in drawing.items if isinstance(item, Raster))


def texts(drawing: Drawing) -> list[str]:
    """All that is written."""
    return [item.text for item in drawing.items if isinstance(item, Text)]


def rgb(colour: str) -> list[int]:
    """Return red, green and blue."""
    return [int(colour[place : place + 2], 16) for place in (1, 3, 5)]


def test_the_title_names_layer_head_and_piece() -> None:
    """Both counted from 1; without a head it is the mean."""
    assert texts(draw(causal(18), 4))[:2] == ["Attention, layer 2, head 3", "Wachet auf"]
    assert texts(draw(causal(18), 4, head=None))[0] == "Attention, layer 2, mean of its heads"


def test_the_title_may_name_the_model_and_the_mean_of_all_layers() -> None:
    """The app compares two models."""
    drawing = attention_drawing.draw(
        causal(18), chorale(4), layer=None, head=None, theme=LIGHT, model="relative"
    )

    assert texts(drawing)[0] == "Attention of relative, mean of all heads"


def test_two_maps_can_have_one_scale() -> None:
    """The last colour stands for the given weight."""
    drawing = attention_drawing.draw(causal(18), chorale(4), layer=1, head=1, theme=LIGHT, full=0.5)

    assert texts(drawing)[-2] == "≥ 50 %"


def test_every_cell_that_is_chosen_has_a_row() -> None:
    """START chooses the first, the last cell and END choose none; shorter beginnings fit too."""
    assert dots(draw(causal(18), 4)).pixels.shape == (16, 16, 3)
    assert dots(draw(causal(17), 4)).pixels.shape == (16, 16, 3)
    assert dots(draw(causal(9), 4)).pixels.shape == (9, 9, 3)
    assert dots(draw(causal(1), 4)).pixels.shape == (1, 1, 3)


def test_a_large_weight_is_darker_than_a_small_one() -> None:
    """None is the paper's colour, the largest that of text; in the dark it is the other way."""
    weights = np.zeros((8, 8), dtype=np.float32)
    weights[6, :3] = [0.9, 0.1, 0.0]

    light = dots(attention_drawing.draw(weights, chorale(2), layer=1, head=1, theme=LIGHT)).pixels
    dark = dots(attention_drawing.draw(weights, chorale(2), layer=1, head=1, theme=DARK)).pixels

    assert light[6, 0].sum() < light[6, 1].sum() < light[6, 2].sum()
    assert dark[6, 0].sum() > dark[6, 1].sum() > dark[6, 2].sum()
    assert light[6, 2].tolist() == rgb(LIGHT.lane)


def test_what_cannot_be_looked_at_is_empty() -> None:
    """Above the diagonal of a causal model; a model that sees both ways has dots there."""
    one_way = dots(draw(causal(18), 4)).pixels
    both_ways = dots(draw(np.full((18, 18), 1 / 18, dtype=np.float32), 4)).pixels

    assert one_way[0, 1].tolist() == rgb(LIGHT.panel)
    assert (both_ways == both_ways[0, 0]).all()


def test_the_axes_have_bars_and_voices() -> None:
    """Numbers of bars on both; letters where there is room for them, down one more than across."""
    short, long = draw(causal(130), 32), draw(causal(770), 192)

    assert [text for text in texts(short) if text.isdigit()] == ["1", "1", "2", "2"]
    assert sum(text in tuple("SATB") for text in texts(short)) == 0
    tiny = draw(causal(66), 16)
    letters = [text for text in texts(tiny) if text in tuple("SATB")]
    assert letters[:64] == list(16 * "SATB")
    assert letters[64:] == list(16 * "SATB")[:-1]
    assert len(letters) == 64 + 63
    assert [text for text in texts(long) if text.isdigit()][-1] == "12"


def test_the_colour_scale_is_labelled_with_weights() -> None:
    """Evenly coloured is the square root; the last number stands for all above."""
    weights = np.full((8, 8), 0.4, dtype=np.float32)

    numbers = [text for text in texts(draw(weights, 2)) if "%" in text]

    assert numbers == ["0 %", "2.5 %", "10 %", "22.5 %", "≥ 40 %"]


def test_a_long_piece_has_a_dot_for_several_cells() -> None:
    """The strongest of them shows."""
    weights = np.zeros((1682, 1682), dtype=np.float32)
    weights[1001, 701] = 1.0

    pixels = dots(draw(weights, 420)).pixels

    assert len(pixels) == heat_map.SIZE
    assert (pixels[500, 350] == rgb(LIGHT.text)).all()


@pytest.mark.parametrize("shape", [(8,), (8, 7), (0, 0), (11, 11), (2, 8, 8)])
def test_weights_that_do_not_fit_the_piece_are_refused(shape: tuple[int, ...]) -> None:
    """With the size that would."""
    with pytest.raises(DataError, match=r"expected \(N, N\) with N from 1 to 10, the tokens"):
        draw(np.zeros(shape, dtype=np.float32), 2)
