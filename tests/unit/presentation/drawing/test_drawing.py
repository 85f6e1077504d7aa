"""Drawing: what both painters rely on."""

from __future__ import annotations

from musicrel.presentation.drawing.drawing import shortened, shortened_inside, width_of


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


def test_a_name_can_lose_its_middle() -> None:
    """Its beginning and its end stay, in the same width."""
    name = "A: relative-width-256-eight-heads-second-try, layer 2, head 1"
    short = shortened_inside(name, 12, 260)

    assert width_of(short, 12) <= 260
    assert short.startswith("A: relative")
    assert short.endswith("layer 2, head 1")
    assert shortened_inside("A: relative", 12, 260) == "A: relative"
    assert len(shortened_inside(name, 12, 0)) == 3
