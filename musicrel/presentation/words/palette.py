"""All colours of the app, as plain data: one light and one dark theme.

The voices' hues follow Okabe and Ito (2008, "Color Universal Design"): orange, reddish purple,
bluish green, blue; their lightness is spread so that they stay apart for protan, deutan and tritan
eyes. Text reaches a contrast of 4.5 on whatever it stands on, shapes reach 3 (WCAG 2.1).

This file knows colours; it knows nothing of Qt or of what is drawn in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_LINEAR_BELOW: Final = 0.04045


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours as ``#rrggbb``.

    Attributes:
        name: ``light`` or ``dark``.
        window: behind everything.
        panel: areas with controls.
        field: where one types or chooses.
        hover: a field or button under the mouse.
        edge: lines around fields and between areas.
        text: what is read first.
        quiet: labels and side remarks.
        faint: what is disabled.
        accent: the one colour that says "here": main button, focus, the place being written.
        accent_hover: the main button under the mouse.
        on_accent: text on ``accent``.
        warning: background of a message about a failure.
        on_warning: text on ``warning``.
        lane: a row of the roll that is a white key.
        lane_black: a row of the roll that is a black key.
        line_step: a sixteenth in the roll.
        line_beat: a beat in the roll.
        line_bar: a bar line in the roll.
        key_white: a white key of the keyboard.
        key_black: a black key of the keyboard.
        on_key: the name on a white key.
        voices: notes of soprano, alto, tenor, bass.
        voice_edges: the lines around them.
        on_voice: text on a note.
        surprise: notes by how surprising they were, from not at all to very.
    """

    name: str
    window: str
    panel: str
    field: str
    hover: str
    edge: str
    text: str
    quiet: str
    faint: str
    accent: str
    accent_hover: str
    on_accent: str
    warning: str
    on_warning: str
    lane: str
    lane_black: str
    line_step: str
    line_beat: str
    line_bar: str
    key_white: str
    key_black: str
    on_key: str
    voices: tuple[str, str, str, str]
    voice_edges: tuple[str, str, str, str]
    on_voice: str
    surprise: tuple[str, str, str]


LIGHT: Final = Theme(
    name="light",
    window="#eceef2",
    panel="#f7f8fa",
    field="#ffffff",
    hover="#eef0f5",
    edge="#d3d7df",
    text="#1b1f27",
    quiet="#565e6c",
    faint="#9aa1ad",
    accent="#4654cf",
    accent_hover="#3a48bd",
    on_accent="#ffffff",
    warning="#fdeee2",
    on_warning="#6b3410",
    lane="#ffffff",
    lane_black="#f3f4f8",
    line_step="#eff1f5",
    line_beat="#e4e7ed",
    line_bar="#bfc5d0",
    key_white="#fdfdfe",
    key_black="#3b414c",
    on_key="#5b6371",
    voices=("#f2b84b", "#e97fb4", "#7fdcb0", "#5f9df2"),
    voice_edges=("#a06800", "#b23a80", "#0b6b46", "#2a68c8"),
    on_voice="#14161b",
    surprise=("#e4e8f0", "#f5cf5e", "#ee6f3c"),
)
DARK: Final = Theme(
    name="dark",
    window="#121419",
    panel="#191c22",
    field="#23272f",
    hover="#2b303a",
    edge="#343a45",
    text="#e7e9ee",
    quiet="#a1a9b7",
    faint="#646c7a",
    accent="#93a1ff",
    accent_hover="#a6b2ff",
    on_accent="#12152b",
    warning="#3a2618",
    on_warning="#ffcfa6",
    lane="#1b1e25",
    lane_black="#171a20",
    line_step="#1f232b",
    line_beat="#272c35",
    line_bar="#444c5a",
    key_white="#9aa1ae",
    key_black="#20242c",
    on_key="#15181e",
    voices=("#ecb34c", "#dc64a2", "#74deb2", "#4a8fee"),
    voice_edges=("#ecb34c", "#dc64a2", "#74deb2", "#4a8fee"),
    on_voice="#14161b",
    surprise=("#7d879a", "#d9a93c", "#ff8a5c"),
)


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 (none) to 21 (WCAG 2.1, 1.4.3)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of ``#rrggbb``, 0 to 1 (WCAG 2.1)."""
    red, green, blue = (_linear(int(colour[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    """An sRGB channel as light, both 0 to 1."""
    return channel / 12.92 if channel <= _LINEAR_BELOW else ((channel + 0.055) / 1.055) ** 2.4
