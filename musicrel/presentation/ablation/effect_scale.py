"""The diverging colour scale of effects, and effects in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from musicrel.presentation.attention.colour_scale import rgb
from musicrel.presentation.drawing.drawing import Item, Rectangle, Text, width_of
from musicrel.presentation.words.palette import Theme

HELPED: Final = "helped"
HINDERED: Final = "hindered"
_FULL: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Possible ends of the scale in nats: few, so that it rarely changes from note to note."""
_PALEST: Final = 0.12
"""Share of the colour that a small effect has, so that its sign is seen."""
_ZERO: Final = 0.005
"""Effects in nats below this are written as 0.00."""
_INK: Final = ("#000000", "#ffffff")
_SWATCHES: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
_SWATCH: Final = 11.0
_SMALL: Final = 10.0
_GAP: Final = 5.0


def full_effect(most: float) -> float:
    """Return the end of a scale that holds effects of up to ``most`` nats."""
    return next((full for full in _FULL if most <= full), _FULL[-1])


def colour(effect: float, full: float, theme: Theme) -> str:
    """Return the colour of an effect.

    Args:
        effect: in nats; positive: helped.
    """
    if abs(effect) < _ZERO:
        return theme.field
    share = _PALEST + (1 - _PALEST) * min(abs(effect) / full, 1.0)
    end = theme.models[0] if effect > 0 else theme.models[1]
    mixed = (
        round(low + share * (high - low))
        for low, high in zip(rgb(theme.field), rgb(end), strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def ink(fill: str) -> str:
    """Return the colour of text on a filled tile, the one of more contrast."""
    return max(_INK, key=lambda one: _contrast(one, fill))


def number(effect: float) -> str:
    return "0.00" if abs(effect) < _ZERO else f"{effect:+.2f}".replace("-", "−")


def words(effect: float) -> str:
    """Return an effect in words, as 'helped by 0.42 nats'."""
    if abs(effect) < _ZERO:
        return "made no difference"
    return f"{HELPED if effect > 0 else HINDERED} by {abs(effect):.2f} nats"


def legend(full: float, x: float, y: float, theme: Theme) -> Iterator[Item]:
    """Draw the scale in a line: hindered, colours, helped.

    Args:
        full: the end of the scale in nats.
    """
    low, high = f"{HINDERED} −{full:g}", f"+{full:g} nats {HELPED}"
    yield Text(x=x, y=y, text=low, size=_SMALL, colour=theme.quiet)
    x += width_of(low, _SMALL) + _GAP
    for share in _SWATCHES:
        fill = colour(share * full, full, theme)
        yield Rectangle(x=x, y=y - 9, width=_SWATCH, height=10, fill=fill, edge=theme.edge)
        x += _SWATCH
    yield Text(x=x + _GAP, y=y, text=high, size=_SMALL, colour=theme.quiet)


def _contrast(one: str, other: str) -> float:
    """Return the contrast of two colours (WCAG 2.1), 1 to 21."""
    low, high = sorted(map(_luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(name: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.1), 0 to 1."""
    linear = [
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4  # noqa: PLR2004
        for channel in (value / 255 for value in rgb(name))
    ]
    return sum(share * value for share, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
