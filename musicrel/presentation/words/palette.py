"""All colours of the app as plain data: one light and one dark theme.

The voices' hues follow Okabe and Ito (2008, "Color Universal Design"): orange, reddish purple,
bluish green, blue; their lightness is spread so that they stay apart for protan, deutan and tritan
eyes. Text reaches a contrast of 4.5 on its background, shapes reach 3 (WCAG 2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """Colours as ``#rrggbb``."""

    name: str  # ``light`` or ``dark``
    window: str
    panel: str  # background of areas with controls
    field: str  # background of text fields and lists
    hover: str  # a field or button under the pointer
    edge: str  # lines around fields and between areas
    text: str
    quiet: str  # labels and secondary text
    faint: str  # disabled text
    accent: str  # main button, focus, and the position being written
    accent_hover: str  # the main button under the pointer
    on_accent: str
    warning: str  # background of an error message
    on_warning: str
    lane: str  # row of a white key in the roll
    lane_black: str  # row of a black key in the roll
    line_step: str  # grid line of a sixteenth in the roll
    line_beat: str  # grid line of a beat in the roll
    line_bar: str
    key_white: str
    key_black: str
    on_key: str  # text on a white key
    voices: tuple[str, str, str, str]  # fill of notes of soprano, alto, tenor, bass
    voice_edges: tuple[str, str, str, str]  # outline of these notes
    on_voice: str  # text on a note
    surprisal: tuple[str, str, str]  # colour scale of surprisal, from low to high
    models: tuple[str, str]  # colours of the models A and B where two are compared


def rgb(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``, 0 to 255."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


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
    surprisal=("#e4e8f0", "#f5cf5e", "#ee6f3c"),
    models=("#4654cf", "#b5461e"),
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
    surprisal=("#7d879a", "#d9a93c", "#ff8a5c"),
    models=("#93a1ff", "#ff8a5c"),
)
