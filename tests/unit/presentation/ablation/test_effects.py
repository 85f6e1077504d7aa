"""Effects of heads: colours, words, grid and table."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Voice
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation import effect_grid, effect_scale
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.drawing.drawing import Line, Rectangle, Text
from musicrel.presentation.words import palette
from tests.helpers.colours import contrast

_EFFECTS = HeadEffects(
    of="Alto A4 (bar 2, beat 1)",
    model="relative",
    by="mean",
    by_head=np.array([[0.5, -0.25], [0.001, 0.75]]),
    by_voice=np.array([0.1, 0.0, -0.3, 0.0]),
    looks=np.tile([0.5, 0.2, 0.1, 0.1, 0.1], (2, 2, 1)),
)
_SIZE = (400, 200)
THEMES = (palette.LIGHT, palette.DARK)


def texts(items: tuple[object, ...]) -> list[str]:
    return [item.text for item in items if isinstance(item, Text)]


@pytest.mark.parametrize(
    ("effect", "number", "words"),
    [
        (0.42, "+0.42", "helped by 0.42 nats"),
        (-0.03, "−0.03", "hindered by 0.03 nats"),
        (0.004, "0.00", "made no difference"),
    ],
)
def test_an_effect_has_a_sign_and_a_word(effect: float, number: str, words: str) -> None:
    assert effect_scale.number(effect) == number
    assert effect_scale.words(effect) == words


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_colours_of_both_signs_differ_and_grow_with_the_effect(theme: palette.Theme) -> None:
    helped, hindered = (effect_scale.colour(sign, 1.0, theme) for sign in (1.0, -1.0))

    assert (helped, hindered) == theme.models
    assert effect_scale.colour(0.0, 1.0, theme) == theme.field
    assert effect_scale.colour(9.0, 1.0, theme) == helped
    small, large = (effect_scale.colour(effect, 1.0, theme) for effect in (0.1, 0.8))
    assert contrast(small, theme.field) < contrast(large, theme.field)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_numbers_are_readable_on_every_colour(theme: palette.Theme) -> None:
    for effect in np.linspace(-1, 1, 41):
        fill = effect_scale.colour(float(effect), 1.0, theme)
        assert contrast(effect_scale.ink(fill), fill) >= 4.5


@pytest.mark.parametrize(("most", "full"), [(0.0, 0.05), (0.2, 0.2), (0.21, 0.5), (99.0, 10.0)])
def test_the_scale_ends_at_a_round_number(most: float, full: float) -> None:
    assert effect_scale.full_effect(most) == full


def test_the_largest_effect_is_named() -> None:
    summary = _EFFECTS.summary(Mutes.parse("1.2,2"))

    assert _EFFECTS.largest == Head(1, 1)
    assert summary == (
        "Effects of heads, Alto A4 (bar 2, beat 1); most: Layer 2, head 2 helped by 0.75 nats; "
        "muted: Layer 1, head 2, Layer 2"
    )


def test_a_head_is_described_with_what_it_looks_at() -> None:
    words = _EFFECTS.describe(Head(0, 1))

    assert words == "Layer 1, head 2 hindered by 0.25 nats; looks at soprano 50 %, alto 20 %"
    assert _EFFECTS.describe_voice(Voice.TENOR) == "Tenor as source hindered by 0.30 nats"


def test_heads_that_are_not_measured_yet_have_no_number() -> None:
    """They have no effect in words, either."""
    unknown = replace(_EFFECTS, by_head=np.array([[np.nan, 0.1], [np.nan, np.nan]]), looks=None)

    drawing = effect_grid.draw_chart(unknown, Mutes(), None, _SIZE, palette.LIGHT)

    assert "+0.10" in texts(drawing.items)
    assert "nan" not in "".join(texts(drawing.items))
    assert unknown.describe(Head(0, 0)) == "Layer 1, head 1"
    assert replace(unknown, by_head=np.full((1, 1), np.nan)).largest is None


def test_every_head_and_voice_has_a_tile_with_its_number() -> None:
    drawing = effect_grid.draw_chart(_EFFECTS, Mutes(), None, _SIZE, palette.LIGHT)

    shown = texts(drawing.items)
    for text in ("+0.50", "−0.25", "0.00", "+0.75", "S +0.10", "T −0.30", "L2", "H2"):
        assert text in shown
    for item in drawing.items:
        if isinstance(item, Rectangle):
            assert item.x >= 0
            assert item.x + item.width <= _SIZE[0]
            assert item.y + item.height <= _SIZE[1]


def test_a_strip_has_the_colours_of_the_voices_that_a_head_looks_at() -> None:
    """The widths are the shares."""
    drawing = effect_grid.draw_chart(_EFFECTS, Mutes(), None, _SIZE, palette.LIGHT)
    box = effect_grid.layout_of(_EFFECTS, *_SIZE).head(Head(0, 0))

    strips = [
        item for item in drawing.items
        if isinstance(item, Rectangle) and item.height == 4 and box.contains(item.x, item.y)
    ]  # fmt: skip

    assert [strip.fill for strip in strips][:4] == list(palette.LIGHT.voices)
    assert strips[0].width == pytest.approx(0.5 * (box.width - 2))


def test_muted_heads_are_crossed_out_and_named() -> None:
    mutes = Mutes.parse("1.2,2")
    drawing = effect_grid.draw_chart(_EFFECTS, mutes, None, _SIZE, palette.LIGHT)
    places = effect_grid.layout_of(_EFFECTS, *_SIZE)

    crossed = {
        head
        for head in effect_grid.all_heads(2, 2)
        for item in drawing.items
        if isinstance(item, Line) and places.head(head).contains(*item.points[0])
    }

    assert crossed == {Head(0, 1), Head(1, 0), Head(1, 1)}
    assert "muted: Layer 1, head 2, Layer 2" in drawing.title


def test_a_point_of_the_grid_is_a_head_a_layer_or_a_voice() -> None:
    places = effect_grid.layout_of(_EFFECTS, *_SIZE)

    for head in effect_grid.all_heads(2, 2):
        box = places.head(head)
        assert places.at(box.x + box.width / 2, box.y + box.height / 2) == head
    label, tenor = places.layer(1), places.voice(Voice.TENOR)
    assert places.at(label.x + 1, label.y + 1) == Head(1, WHOLE)
    assert places.at(tenor.x + 1, tenor.y + 1) is Voice.TENOR
    assert places.at(399, 199) is None


def test_the_table_has_all_effects() -> None:
    rows = list(_EFFECTS.table())

    assert rows[0] == ("source", "effect in nats")
    assert rows[1:3] == [("1.1", "0.500000"), ("1.2", "-0.250000")]
    assert rows[-2:] == [("Tenor", "-0.300000"), ("Bass", "0.000000")]


def test_the_page_names_note_piece_and_model() -> None:
    view = effect_grid.view(_EFFECTS, Mutes(), "Air")
    drawing = view.draw(palette.LIGHT)

    assert view.title == "Air, Effects of heads: Alto A4 (bar 2, beat 1)"
    assert "Air, relative" in texts(drawing.items)
    assert list(view.table()) == list(_EFFECTS.table())
