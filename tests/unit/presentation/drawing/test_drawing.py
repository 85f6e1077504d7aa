"""Drawing: what both painters rely on."""

from __future__ import annotations

from musicrel.presentation.drawing.drawing import shortened, width_of


def test_a_text_that_fits_stays_whole() -> None:
    """And one that does not ends in an ellipsis, within the width."""
    long = "Wachet auf, ruft uns die Stimme"

    assert shortened("Wachet auf", 12, 200) == "Wachet auf"
    short = shortened(long, 12, 100)
    assert short == "Wachet auf, r…"
    assert width_of(short, 12) <= 100


def test_no_room_leaves_the_ellipsis() -> None:
    """Not more than there is."""
    assert shortened("Wachet auf", 12, 0) == "…"
