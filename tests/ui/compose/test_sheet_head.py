"""The head of the sheet: title, heading, legend and buttons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

PIECE = Chorale.of(np.full((32, 4), [72, 67, 64, 48]))
LONG = "O Haupt voll Blut und Wunden, rewritten 3"


def test_long_title_is_whole_on_the_attention_page(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The legend keeps its letters."""
    page = window.compose_page
    window.resize(1100, 700)
    app_controller.document.show_piece(replace(PIECE, title=LONG), action="opened")
    window.pages.open("attention")

    qtbot.waitUntil(lambda: not page.title.is_elided)
    assert page.legend.voice_at(page.legend.width() - 4) == 3


def test_legend_has_names_where_there_is_room(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A short title takes no more than it needs."""
    page = window.compose_page
    window.resize(1440, 900)
    app_controller.document.show_piece(replace(PIECE, title="Air"), action="opened")

    qtbot.waitUntil(lambda: page.legend.width() >= page.legend.sizeHint().width())
    assert not page.title.is_elided
    assert not page.heading.is_elided


@pytest.mark.parametrize("size", [(1000, 600), (1100, 700), (1440, 900)])
def test_generate_is_visible_and_the_form_needs_no_scrolling(
    app_controller: AppController, window: MainWindow, size: tuple[int, int], qtbot: QtBot
) -> None:
    """The button stays in place while the advanced part is open; that scrolls."""
    controls = window.compose_page.controls
    window.resize(*size)
    qtbot.waitUntil(lambda: window.width() == size[0])
    button, form = controls.generate_button, controls.compose_form
    assert button.mapTo(window, button.rect().bottomLeft()).y() < size[1]
    if size[1] >= 700:
        assert form.advanced.heading.visibleRegion().boundingRect() == form.advanced.heading.rect()
    form.advanced.heading.click()
    qtbot.waitUntil(form.model.isVisible)

    assert button.mapTo(window, button.rect().bottomLeft()).y() < size[1]
    assert button.visibleRegion().boundingRect() == button.rect()
    del app_controller
