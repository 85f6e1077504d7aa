"""The menu of models to compare with."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from musicrel.ui.actions.compare_menu import CompareMenu
from tests.ui.conftest import CHOICES


def test_the_menu_keeps_no_entries_of_earlier_offers(qapp: QApplication) -> None:
    """Models are offered again whenever the form has another one."""
    menu = CompareMenu()
    for first in ("full", "plain", "full"):
        menu.offer(CHOICES, first)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    names = [action.data() for action in menu.findChildren(QAction) if action.data()]

    assert names == ["full", "plain"]
