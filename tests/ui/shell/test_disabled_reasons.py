"""Every disabled command, button and field gives the reason in its tooltip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from musicrel.presentation.compose import models
from musicrel.presentation.words.pages import PAGES
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import hold, rewrite, show_chords
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CONTROLS: Final = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit)
WORDS: Final = 3
"""Fewest words of a reason."""


def submenus(menu: QMenu) -> Iterator[QMenu]:
    """Yield a menu and all menus in it."""
    yield menu
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from submenus(inner)


def menus(window: MainWindow) -> list[QMenu]:
    """Return all menus of the menu bar."""
    tops = [action.menu() for action in window.menuBar().actions()]
    return [menu for top in tops if isinstance(top, QMenu) for menu in submenus(top)]


def commands(window: MainWindow) -> list[QAction]:
    """Return all commands of the menus."""
    actions = (action for menu in menus(window) for action in menu.actions())
    return [action for action in actions if not action.isSeparator() and action.menu() is None]


def plain(text: str) -> str:
    """Return a text without mnemonics, dots and case."""
    return text.replace("&", "").strip(" ….").casefold()


def is_reason(tooltip: str, *names: str) -> bool:
    """Return True if a tooltip is more than the name of its control."""
    text = plain(tooltip.partition(" (Ctrl")[0])
    return len(text.split()) >= WORDS and text not in map(plain, names)


def reasons(widget: QWidget) -> Iterator[str]:
    """Yield the tooltip of a widget, and those of the disabled groups around it."""
    yield widget.toolTip()
    around = widget.parentWidget()
    while around is not None and not around.isEnabled():
        yield around.toolTip()
        around = around.parentWidget()


def name_of(widget: QWidget) -> str:
    """Return the text of a widget."""
    if isinstance(widget, QAbstractButton):
        return widget.text() or widget.accessibleName()
    return widget.currentText() if isinstance(widget, QComboBox) else widget.accessibleName()


def is_part(widget: QWidget) -> bool:
    """Return True for the field of a spin box or combo box, which has no tooltip of its own."""
    return isinstance(widget.parentWidget(), (QAbstractSpinBox, QComboBox))


def unexplained(window: MainWindow) -> set[str]:
    """Return the disabled controls of all pages that give no reason."""
    found = {
        f"menu: {action.text()!r} ({action.toolTip()!r})"
        for action in commands(window)
        if not action.isEnabled() and not is_reason(action.toolTip(), action.text())
    }
    for page in PAGES:
        window.pages.open(page.name)
        for kind in CONTROLS:
            for widget in window.findChildren(kind):
                if widget.isEnabled() or not widget.isVisible() or is_part(widget):
                    continue
                name = name_of(widget)
                if not any(is_reason(text, name) for text in reasons(widget)):
                    kind_name = type(widget).__name__
                    found.add(f"{page.name}: {kind_name} {name!r} ({widget.toolTip()!r})")
    window.pages.open("compose")
    return found


def test_menus_show_tooltips(app_controller: AppController, window: MainWindow) -> None:
    """Otherwise nobody would see the reasons."""
    del app_controller
    assert [menu.title() for menu in menus(window) if not menu.toolTipsVisible()] == []


def test_without_a_piece(app_controller: AppController, window: MainWindow) -> None:
    """An empty sheet."""
    del app_controller
    assert unexplained(window) == set()


def test_with_a_piece(app_controller: AppController, window: MainWindow) -> None:
    """With everything locked, too."""
    show_chords(app_controller)
    assert unexplained(window) == set()
    for voice in range(4):
        app_controller.locks.toggle_voice(voice)
    assert unexplained(window) == set()


def test_while_a_piece_is_generated(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Half of it is written."""
    hold(qtbot, window, jobs, 64)
    assert unexplained(window) == set()
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)


def test_while_candidates_are_generated(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """None of them is finished."""
    show_chords(app_controller)
    jobs.hold_candidates = True
    window.compose_page.controls.compose_form.candidates.setValue(3)
    app_controller.rewrite.rewrite()
    qtbot.waitUntil(jobs.waiting.is_set)
    assert unexplained(window) == set()
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)


def test_while_candidates_are_shown(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The original or one of them."""
    show_chords(app_controller)
    rewrite(app_controller, window, qtbot)
    assert unexplained(window) == set()
    app_controller.candidates.back()
    assert unexplained(window) == set()


def test_without_a_model(
    make_app: Callable[[], AppController],
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """With a piece and without one."""
    monkeypatch.setattr(models, "installed", lambda: ((), ()))
    app_controller = make_app()
    with qtbot.waitExposed(window):
        window.show()
    assert unexplained(window) == set()
    show_chords(app_controller)
    assert unexplained(window) == set()


# ---------------------------------------------------------------------- the same control, enabled


class Tooltips:
    """The tooltips of all controls while they were enabled, and while they were not."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.enabled: dict[int, set[str]] = {}
        self.disabled: dict[int, tuple[str, set[str]]] = {}

    def collect(self) -> None:
        """Add the tooltips of now."""
        for action in commands(self._window):
            self._add(id(action), action.text(), action.toolTip(), on=action.isEnabled())
        for kind in CONTROLS:
            for widget in self._window.findChildren(kind):
                if widget.isVisible() and not is_part(widget):
                    around = " ".join(reasons(widget))
                    self._add(id(widget), name_of(widget), around, on=widget.isEnabled())

    def _add(self, control: int, name: str, tooltip: str, *, on: bool) -> None:
        if on:
            self.enabled.setdefault(control, set()).add(tooltip)
        else:
            self.disabled.setdefault(control, (name, set()))[1].add(tooltip)

    @property
    def without_reason(self) -> set[str]:
        """Return the controls whose tooltip is the same while they are disabled."""
        return {
            f"{name}: {tooltip}"
            for control, (name, tooltips) in self.disabled.items()
            for tooltip in tooltips & self.enabled.get(control, set())
        }


def test_a_tooltip_is_another_one_while_its_control_is_disabled(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It gives the reason then, and else what the control does."""
    seen = Tooltips(window)
    seen.collect()
    hold(qtbot, window, jobs, 64)
    seen.collect()
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    seen.collect()
    show_chords(app_controller)
    seen.collect()
    rewrite(app_controller, window, qtbot)
    seen.collect()
    app_controller.candidates.back()
    seen.collect()
    app_controller.candidates.dismiss()
    app_controller.locks.toggle_voice(0)
    seen.collect()
    assert seen.without_reason == set()


def test_tooltips_of_the_candidates_are_others_while_they_are_generated(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """None can be accepted yet."""
    seen = Tooltips(window)
    show_chords(app_controller)
    rewrite(app_controller, window, qtbot)
    seen.collect()
    jobs.hold_candidates = True
    app_controller.rewrite.rewrite()
    qtbot.waitUntil(jobs.waiting.is_set)
    seen.collect()
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)
    assert seen.without_reason == set()
