"""Thumbnails of takes, and how many are kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from musicrel.presentation.words.palette import DARK, LIGHT
from musicrel.project.take_table import TakeRow
from musicrel.ui.takes.thumbnails import MAX_KEPT, Thumbnails
from musicrel.ui.widgets import stylesheet
from tests.ui.takes.pieces import FIRST, REWRITTEN, rows

SIZE = QSize(120, 44)
CHANGED = replace(rows(1, REWRITTEN)[0], before=FIRST, origin="rewritten from “Air”")


def colours(row: TakeRow) -> set[str]:
    """Return the colours of a thumbnail that are not transparent."""
    image = Thumbnails().picture(row, SIZE, 1.0).pixmap.toImage()
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    found = (image.pixelColor(x, y) for x, y in places)
    return {colour.name() for colour in found if colour.alpha() == 255}


def test_changed_notes_have_the_colour_of_their_voice(qapp: QApplication) -> None:
    """All others are muted."""
    del qapp
    shown = colours(CHANGED)

    assert {LIGHT.voices[1], QColor(LIGHT.line_bar).name()} <= shown
    assert LIGHT.voices[0] not in shown
    assert set(LIGHT.voices) <= colours(rows(1)[0])


def test_a_thumbnail_is_painted_once(qapp: QApplication) -> None:
    """Another size, theme or piece of the same number needs another one."""
    kept = Thumbnails()
    first = kept.picture(CHANGED, SIZE, 1.0)

    assert kept.picture(replace(CHANGED, rating=3), SIZE, 1.0) is first
    assert kept.picture(CHANGED, SIZE * 2, 1.0) is not first
    first = kept.picture(CHANGED, SIZE, 1.0)
    assert kept.picture(CHANGED, SIZE, 2.0).pixmap.width() == 240
    assert kept.picture(rows(1)[0], SIZE, 1.0).changes == ""
    stylesheet.apply(DARK)
    assert kept.picture(CHANGED, SIZE, 1.0) is not first
    stylesheet.apply(LIGHT)
    assert len(kept) == 1
    del qapp


@pytest.mark.usefixtures("qapp")
def test_only_the_latest_thumbnails_are_kept() -> None:
    """A thousand takes need no more memory than those on the screen."""
    kept = Thumbnails()
    for row in rows(MAX_KEPT + 50):
        kept.picture(row, SIZE, 1.0)
        assert len(kept) <= MAX_KEPT
