"""The contrast of colours (WCAG 2.1)."""

from __future__ import annotations

_LINEAR_BELOW = 0.04045


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 (none) to 21 (WCAG 2.1, 1.4.3)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    """Return an sRGB channel as linear light, both 0 to 1."""
    return channel / 12.92 if channel <= _LINEAR_BELOW else ((channel + 0.055) / 1.055) ** 2.4
