"""The contrast of all pairs of text and background in the style sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.widgets import stylesheet
from tests.helpers.colours import contrast

TEXT = 4.5
RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
STATE = re.compile(r"::?[\w-]+")
WITHOUT_TEXT = ("QSlider", "QScrollBar", "QProgressBar", "::indicator", "#play")
"""Shapes and icons; their colours are those of ``test_palette``."""
PAINTED = "QListWidget#plain::item"
"""Text that a delegate paints with the palette: in ``on_accent`` where it is selected."""
PAIRS = (
    ("color", "background"),
    ("selection-color", "selection-background-color"),
)


def rules(sheet: str) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for selectors, body in RULE.findall(sheet):
        pairs = (line.split(":", 1) for line in body.split(";") if ":" in line)
        values = {name.strip(): value.strip() for name, value in pairs}
        for selector in selectors.split(","):
            found.setdefault(selector.strip(), {}).update(values)
    return found


def pairs(sheet: str, theme: Theme) -> Iterator[tuple[str, str, str]]:
    """Yield selector, ink and ground; a part without a colour has that of its usual state."""
    grounds = (theme.window, theme.panel, theme.field)
    known = rules(sheet)
    for selector, own in known.items():
        if ":disabled" in selector or any(part in selector for part in WITHOUT_TEXT):
            continue  # disabled parts are exempt (WCAG 2.1, 1.4.3)
        usual = known.get(STATE.sub("", selector), {})
        for ink_name, ground_name in PAIRS:
            if ink_name not in own and ground_name not in own:
                continue
            painted = theme.on_accent if selector == f"{PAINTED}:selected" else theme.text
            ink = own.get(ink_name, usual.get(ink_name, painted))
            ground = own.get(ground_name, usual.get(ground_name, "transparent"))
            for under in (ground,) if ground.startswith("#") else grounds:
                yield selector, ink, under


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_text_of_the_style_sheet_can_be_read(theme: Theme, qapp: QApplication) -> None:
    stylesheet.apply(theme)

    found = list(pairs(qapp.styleSheet(), theme))

    assert len(found) > 100
    assert [pair for pair in found if contrast(*pair[1:]) < TEXT] == []


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_placeholder_of_a_field_can_be_read(theme: Theme, qtbot: QtBot) -> None:
    """Qt would make it half transparent; this colour is painted."""
    stylesheet.apply(theme)
    field = QLineEdit(placeholderText="As last time")
    qtbot.addWidget(field)
    field.ensurePolished()

    placeholder = field.palette().color(QPalette.ColorRole.PlaceholderText)

    assert placeholder.alpha() == 255
    assert contrast(placeholder.name(), theme.field) >= TEXT
