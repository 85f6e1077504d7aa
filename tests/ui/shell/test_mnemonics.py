"""The letters that are underlined."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from musicrel.presentation.words.pages import PAGES
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints


def letters(texts: Iterable[str]) -> list[str]:
    """Return the letter after "&" of each text that has one."""
    found = (re.search(r"&(\w)", text.replace("&&", "")) for text in texts)
    return [match[1].lower() for match in found if match]


def texts(page: QWidget) -> list[str]:
    """Return the texts of all labels with a field and of all buttons."""
    labels = [label.text() for label in page.findChildren(QLabel) if label.buddy() is not None]
    return labels + [button.text() for button in page.findChildren(QAbstractButton)]


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_no_field_has_the_letter_of_a_menu(
    name: str, app_controller: AppController, window: MainWindow
) -> None:
    """Alt and the letter would open neither; so on every page, also in what is folded."""
    del app_controller
    window.pages.open(name)

    menus = letters(act.text() for act in window.menuBar().actions())
    inside = letters(texts(window.pages))

    assert set(menus) & set(inside) == set()
    assert len(menus) == len(set(menus)) == len(window.menuBar().actions())


def test_no_two_fields_of_the_form_have_the_same_letter(
    app_controller: AppController, window: MainWindow
) -> None:
    """With the tempo, which is on the same page."""
    del app_controller
    inside = letters(texts(window.compose_page))
    assert sorted(inside) == sorted(set(inside))


def test_a_question_mark_opens_the_shortcuts_right_after_the_start(
    app_controller: AppController, window: MainWindow
) -> None:
    """The sheet has the focus, not a field that takes the key."""
    assert window.focusWidget() is window.compose_page.roll

    window.activateWindow()
    QTest.keyClick(window.compose_page.roll, Qt.Key.Key_Question)

    assert app_controller.library.shortcuts is not None
    app_controller.library.shortcuts.close()
