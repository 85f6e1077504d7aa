"""The empty piece that notes are written in."""

from __future__ import annotations

import pytest

from musicrel.chorale import REST, Key, Meter
from musicrel.errors import UsageError
from musicrel.presentation.compose.blank_piece import TITLE, blank_piece
from musicrel.presentation.compose.form import Form


def test_piece_has_bars_meter_and_key_of_the_form() -> None:
    """It is silent."""
    piece = blank_piece(Form(bars=5, meter=Meter(3, 4), key=Key("D", "major"), phrases=""))
    assert (piece.steps, piece.meter, piece.key) == (60, Meter(3, 4), Key("D", "major"))
    assert (piece.pitches == REST).all()
    assert (piece.title, piece.provenance) == (TITLE, None)


def test_only_entered_phrases_and_pickups_are_kept() -> None:
    """Those that the seed would draw are Bach's, not those of the melody."""
    drawn = blank_piece(Form(bars=8, seed=3))
    assert (drawn.pickup, bool(drawn.fermatas.any())) == (0, False)
    entered = blank_piece(Form(bars=8, pickup=4, phrases="4,4"))
    assert (entered.pickup, bool(entered.fermatas.any())) == (4, True)


def test_invalid_form_is_refused() -> None:
    """The reason is the form's."""
    with pytest.raises(UsageError, match="The phrases have 3 bars"):
        blank_piece(Form(bars=8, phrases="3"))
