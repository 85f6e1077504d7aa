"""Every disabled command, button and field gives the reason in its tooltip."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMenu,
    QWidget,
)
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.model.device_choice import Measurement
from musicrel.presentation.compose import models
from musicrel.presentation.words.pages import PAGES
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import form_controller
from musicrel.ui.jobs.generation_service import Compiling, Loaded, LoadEvent
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.library import shortcut_sheet
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import show_chords
from tests.ui.user import User

CONTROLS: Final = (QAbstractButton, QComboBox, QAbstractSpinBox, QLineEdit)
WORDS: Final = 3
"""Fewest words of a reason."""


def submenus(menu: QMenu) -> Iterator[QMenu]:
    yield menu
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from submenus(inner)


def menus(window: MainWindow) -> list[QMenu]:
    tops = [action.menu() for action in window.menuBar().actions()]
    return [menu for top in tops if isinstance(top, QMenu) for menu in submenus(top)]


def commands(window: MainWindow) -> list[QAction]:
    actions = (action for menu in menus(window) for action in menu.actions())
    return [action for action in actions if not action.isSeparator() and action.menu() is None]


def plain(text: str) -> str:
    return text.replace("&", "").strip(" ….").casefold()


def is_reason(tooltip: str, *names: str) -> bool:
    text = plain(tooltip.partition(" (Ctrl")[0])
    return len(text.split()) >= WORDS and text not in map(plain, names)


def reasons(widget: QWidget) -> Iterator[str]:
    yield widget.toolTip()
    around = widget.parentWidget()
    while around is not None and not around.isEnabled():
        yield around.toolTip()
        around = around.parentWidget()


def name_of(widget: QWidget) -> str:
    if isinstance(widget, QAbstractButton):
        return widget.text() or widget.accessibleName()
    return widget.currentText() if isinstance(widget, QComboBox) else widget.accessibleName()


def is_part(widget: QWidget) -> bool:
    return isinstance(widget.parentWidget(), (QAbstractSpinBox, QComboBox))


def unexplained(window: MainWindow) -> set[str]:
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


def test_menus_show_tooltips(app: AppController) -> None:
    """Otherwise nobody would see the reasons."""
    assert [menu.title() for menu in menus(app.window) if not menu.toolTipsVisible()] == []


def test_without_a_piece(app: AppController) -> None:
    assert unexplained(app.window) == set()


def test_with_a_piece(app: AppController) -> None:
    show_chords(app)
    assert unexplained(app.window) == set()
    for voice in range(4):
        app.locks.toggle_voice(voice)
    assert unexplained(app.window) == set()


def test_while_a_piece_is_generated(user: User) -> None:
    user.hold(64)
    assert unexplained(user.window) == set()
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)


def test_while_candidates_are_generated(user: User) -> None:
    show_chords(user.app)
    user.jobs.hold_candidates = True
    user.form.candidates.setValue(3)
    user.app.writing.rewrite()
    user.wait(user.jobs.waiting.is_set)
    assert unexplained(user.window) == set()
    user.jobs.gate.set()
    user.wait(lambda: not user.writer.busy)


def test_while_candidates_are_shown(user: User) -> None:
    show_chords(user.app)
    user.rewrite()
    assert unexplained(user.window) == set()
    user.writing.back()
    assert unexplained(user.window) == set()


def test_without_a_model(
    make_app: Callable[[], AppController],
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    monkeypatch.setattr(models, "installed", lambda: ((), ()))
    app = make_app()
    with qtbot.waitExposed(window):
        window.show()
    assert unexplained(window) == set()
    show_chords(app)
    assert unexplained(window) == set()


# ---------------------------------------------------------------------- the same control, enabled


class Tooltips:
    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.enabled: dict[int, set[str]] = {}
        self.disabled: dict[int, tuple[str, set[str]]] = {}

    def collect(self) -> None:
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
        return {
            f"{name}: {tooltip}"
            for control, (name, tooltips) in self.disabled.items()
            for tooltip in tooltips & self.enabled.get(control, set())
        }


def test_a_tooltip_is_another_one_while_its_control_is_disabled(user: User) -> None:
    seen = Tooltips(user.window)
    seen.collect()
    user.hold(64)
    seen.collect()
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)
    seen.collect()
    show_chords(user.app)
    seen.collect()
    user.rewrite()
    seen.collect()
    user.writing.back()
    seen.collect()
    user.writing.dismiss()
    user.app.locks.toggle_voice(0)
    seen.collect()
    assert seen.without_reason == set()


F6, ESC = Qt.Key.Key_F6, Qt.Key.Key_Escape


COMPILING = "Preparing musicrel for this computer, once: 50 %"
MEASURING = "Measuring which device is faster for writing, once: GPU, 50 %"
every_preparation = pytest.mark.parametrize(
    ("event", "state"),
    [
        (Compiling(34, 68), COMPILING),
        (Measurement(task="writing", device="cuda", share=0.5), MEASURING),
    ],
)


@every_preparation
def test_preparations_are_announced_with_their_progress(
    user: User, event: LoadEvent, state: str
) -> None:
    user.jobs.preparation = event
    user.app.model.warm_up()
    user.wait(lambda: user.state == state)
    label, progress = user.controls.preparation, user.controls.progress
    assert (label.isVisible(), label.text()) == (True, state)
    assert (progress.isVisible(), progress.value()) == (True, 500)

    user.jobs.gate.set()

    user.wait(lambda: user.state == form_controller.READY)
    assert (label.isVisible(), progress.isVisible()) == (False, False)


@every_preparation
def test_writing_waits_for_preparations_and_can_be_stopped(
    user: User, event: LoadEvent, state: str
) -> None:
    user.jobs.preparation = event
    user.app.writing.generate()
    user.wait(lambda: user.state == state)

    user.writing.stop()
    user.jobs.gate.set()

    user.wait(lambda: not user.document.generating)
    assert user.document.piece is None
    user.wait(user.controls.preparation.isHidden)


def test_a_missing_kernel_is_mentioned(user: User) -> None:
    user.jobs.warning = "the compiled kernel is switched off: pieces are written by torch"
    narrow = user.window.minimumSizeHint().width()

    user.app.model.warm_up()

    user.wait(lambda: user.state == f"Ready; {user.jobs.warning}")
    assert user.window.minimumSizeHint().width() == narrow


def test_the_speed_stays_if_a_loading_ends_later(user: User) -> None:
    user.app.writing.generate()
    user.wait(lambda: not user.document.generating)
    assert "tokens/s" in user.window.model_status

    (loading,) = user.app.model.findChildren(LatestJob)
    loading.events_received.emit((Loaded(model="full", sha256="0", device="CPU"),))

    assert "tokens/s" in user.window.model_status
    assert user.state == form_controller.READY


def test_f6_visits_form_sheet_and_takes(user: User) -> None:
    user.document.show_piece(Chorale.of([[72, 67, 64, 48]] * 16), action="imported")
    page = user.page
    user.window.resize(1400, 1000)
    user.commands.takes.show.setChecked(True)
    user.wait(user.window.takes.view.isVisible)
    page.roll.setFocus()
    for part in (user.window.takes.view, page.controls.compose_form.bars, page.roll):
        QTest.keyClick(user.window, F6)
        assert part.hasFocus()


def test_escape_in_the_form_returns_to_the_sheet(user: User) -> None:
    page = user.page
    form = page.controls.compose_form
    for field in (form.bars, form.phrases, form.meter):
        field.setFocus()
        QTest.keyClick(field, ESC)
        assert page.roll.hasFocus()


def test_sheet_has_the_focus_after_the_candidates(user: User) -> None:
    page = user.page
    page.show_candidates(on=True)
    page.candidates.retry.setFocus()
    page.show_candidates(on=False)
    assert page.roll.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Menu, Qt.Key.Key_F10])
def test_context_menu_opens_by_key(app: AppController, key: Qt.Key) -> None:
    app.document.show_piece(Chorale.of([[72, 67, 64, 48]] * 16))
    app.document.select(Selection(voices=(1,), start=0, stop=2))
    roll, menu = app.window.compose_page.roll, app.edit.menu
    roll.setFocus()
    if key == Qt.Key.Key_Menu:  # the event that Qt makes of the key
        reason = QContextMenuEvent.Reason.Keyboard
        middle = roll.viewport().rect().center()
        QApplication.sendEvent(roll, QContextMenuEvent(reason, middle, roll.mapToGlobal(middle)))
    else:
        QTest.keyClick(roll, key, Qt.KeyboardModifier.ShiftModifier)
    assert menu.isVisible()
    menu.close()
    assert app.document.selection == Selection(voices=(1,), start=0, stop=2)


def test_shortcut_sheet_has_both(window: MainWindow) -> None:
    menus = shortcut_sheet.of_menus(window.menuBar())
    assert "F6" in [line.keys for line in menus["View"]]
    assert shortcut_sheet.of_views()[shortcut_sheet.FORM][0].keys == "Esc"
