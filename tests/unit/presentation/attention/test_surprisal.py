"""Notes coloured by surprisal."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.presentation.attention.surprisal import Scale, SurprisalColours, of_notes, tint
from musicrel.presentation.roll import roll
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from tests.helpers.colours import contrast

PIECE = Chorale.of([[72, 67, 64, 48], [72, 67, 64, 48], [74, 67, 64, -1]])
NOTES = roll.draw(PIECE).notes
NATS = np.array([[1, 2, 3, 4], [0.5, 0, 0, 0.25], [6, 0, 0, 9]], dtype=np.float32)


def test_note_has_the_surprise_of_the_cell_it_begins_in() -> None:
    """And beside it that of all its cells; a rest is no note."""
    values = of_notes(NOTES, NATS)

    assert [value.onset for value in values.values()] == [1, 2, 3, 4, 6]
    assert [value.whole for value in values.values()] == [1.5, 2, 3, 4.25, 6]


def test_note_that_is_not_known_yet_has_none() -> None:
    """While a piece is written, and in one that nobody has read."""
    nats = np.full((3, 4), np.nan, dtype=np.float32)
    nats[0, :2] = 1.0

    assert [note.voice for note in of_notes(NOTES, nats)] == [0, 1]
    heat = SurprisalColours(NOTES, nats, LIGHT)
    assert heat.tint(2, 0) is None
    assert heat.describe(NOTES[2]) == ""


def test_scale_is_clamped_at_two_and_a_half_deviations() -> None:
    """One wild note does not make all the others pale."""
    nats = np.array([1.0] * 99 + [30.0], dtype=np.float32)
    scale = Scale.of(nats)

    assert scale.high == pytest.approx(nats.mean() + 2.5 * nats.std(), rel=1e-5)
    assert scale.low == 0
    assert (scale.share(-1), scale.share(30.0)) == (0, 1)
    assert scale.share((scale.low + scale.high) / 2) == pytest.approx(0.5)


def test_scale_of_equal_or_no_values_has_a_width() -> None:
    """Nothing is divided by nothing."""
    assert Scale.of(np.full(5, 2.0, dtype=np.float32)) == Scale(2.0, 2.1)
    assert Scale.of(np.array([], dtype=np.float32)) == Scale(0.0, 1.0)


def test_scale_goes_no_further_than_the_values() -> None:
    """A colour that no note has would need no place on the legend."""
    assert Scale.of(np.array([1, 1, 2], dtype=np.float32)).high == 2


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_letter_can_be_read_on_every_colour(theme: Theme) -> None:
    """With a contrast of 4.5, all along the scale."""
    fills = [tint(theme, share).fill for share in np.linspace(0, 1, 21)]

    assert [fill for fill in fills if contrast(theme.on_voice, fill) < 4.5] == []
    assert (fills[0], fills[-1]) == (theme.surprisal[0], theme.surprisal[-1])


def test_every_step_of_a_note_has_its_colour() -> None:
    """So that a unison drawn in parts is coloured as its notes are."""
    heat = SurprisalColours(NOTES, NATS, LIGHT)

    assert heat.tint(1, 0) == heat.tint(1, 2) != heat.tint(2, 2)
    assert heat.tint(3, 2) is None


def test_a_note_is_described_in_nats_and_as_a_probability() -> None:
    """With the sum over its cells where there are several."""
    heat = SurprisalColours(NOTES, NATS, LIGHT)

    assert heat.describe(NOTES[0]) == "1.00 nats (p = 37 %), 1.50 nats in total"
    assert heat.describe(NOTES[-1]) == "6.00 nats (p = 0.2 %)"
