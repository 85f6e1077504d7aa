"""Engraved systems that are kept."""

from __future__ import annotations

from musicrel.presentation.score.engraving_cache import EngravingCache
from musicrel.presentation.score.score_picture import Column, System


def system() -> System:
    """Return an empty system."""
    return System(
        ink=(), heads=(), staves=(), columns=(Column(0, 0.0),), lines=(), top=0.0, bottom=1.0,
        right=1.0,
    )  # fmt: skip


def test_what_was_put_is_kept() -> None:
    """By its key; anything else is unknown."""
    cache, kept = EngravingCache(), (system(),)

    assert cache.put(("width", b"digest"), kept) is kept
    assert cache.get(("width", b"digest")) is kept
    assert cache.get(("width", b"other")) is None


def test_what_was_not_used_for_long_is_forgotten() -> None:
    """Systems in use stay, however old they are."""
    cache, first, second = EngravingCache(), (system(),), (system(),)
    cache.put("first", first)
    cache.put("second", second)
    for number in range(399):
        cache.put(number, (system(),))
        assert cache.get("first") is first

    assert cache.get("second") is None
