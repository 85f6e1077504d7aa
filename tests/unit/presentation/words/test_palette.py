"""Contrast and distinguishability of colours."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest

from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from tests.helpers.colours import contrast

THEMES = [pytest.param(theme, id=theme.name) for theme in (LIGHT, DARK)]
TEXT = 4.5
SHAPE = 3.0
APART = 17.0
"""Distance in CIELAB; 2.3 is just noticeable."""

# Machado, Oliveira and Fernandes 2009, severity 1: linear RGB as these eyes see it.
EYES = {
    "usual": np.eye(3),
    "protan": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deutan": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritan": np.array([
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def test_contrast_of_black_and_white_is_21() -> None:
    """The definition's own example, in both orders."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_whatever_it_stands_on(theme: Theme) -> None:
    """Every text reaches a contrast of 4.5; only that of disabled parts may be fainter."""
    grounds = (theme.window, theme.panel, theme.field, theme.hover, theme.lane, theme.lane_black)
    inks = (theme.text, theme.quiet, theme.accent, *theme.models)
    pairs = [(ink, ground) for ink in inks for ground in grounds]
    pairs += [(edge, theme.lane) for edge in theme.voice_edges]  # names of curves
    pairs += [(theme.lane, model) for model in theme.models]  # letters of the models A and B
    pairs += [(theme.on_accent, theme.accent), (theme.on_accent, theme.accent_hover)]
    pairs += [(theme.on_warning, theme.warning), (theme.on_key, theme.key_white)]
    pairs += [(theme.on_voice, voice) for voice in theme.voices]
    pairs += [(theme.warning, theme.on_warning)]  # Mute, switched on

    assert [pair for pair in pairs if contrast(*pair) < TEXT] == []


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_stand_out(theme: Theme) -> None:
    """Notes by their edges, and the accent, reach a contrast of 3 on every row."""
    grounds = (theme.lane, theme.lane_black, theme.panel)
    shapes = (*theme.voice_edges, theme.accent)

    assert [(s, g) for s in shapes for g in grounds if contrast(s, g) < SHAPE] == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("part", ["voices", "voice_edges", "models"])
def test_voices_and_models_stay_apart_for_all_eyes(theme: Theme, eyes: str, part: str) -> None:
    """No two look alike, also with a kind of colour blindness; letters name them as well."""
    seen = [lab(colour, EYES[eyes]) for colour in getattr(theme, part)]

    assert min(math.dist(one, other) for one, other in itertools.combinations(seen, 2)) > APART


def lab(colour: str, eyes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return a colour in CIELAB as ``eyes`` see it."""
    srgb = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(np.clip(TO_XYZ @ eyes @ linear, 0, None) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])
