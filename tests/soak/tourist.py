"""A user of the window who performs random actions, from a fixed seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import psutil
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QFileDialog, QWidget

from musicrel.playback.player import Player
from musicrel.score import json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import ManualOutput
from tests.ui.controllers.user_actions import question
from tests.ui.fakes import earlier_piece

SEED = 20_261
KEYS = (
    Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Left, Qt.Key.Key_Right,
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_1, Qt.Key.Key_4, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_0, Qt.Key.Key_BracketLeft,
    Qt.Key.Key_BracketRight, Qt.Key.Key_Return,
)  # fmt: skip
LEFT = Qt.MouseButton.LeftButton
NOT_HERE = frozenset({"&Quit", "&About musicrel", "Open the folder with the &log"})
"""Actions that end the tour or wait for an answer."""
PROJECTS = ("a.musicrel", "b.musicrel", "bad.mid/c.musicrel")


class Tourist:
    """A user that performs random actions; ``place`` is an empty folder for files."""

    def __init__(
        self, app_controller: AppController, window: MainWindow, output: ManualOutput, place: Path
    ) -> None:
        json_file.write(earlier_piece(), place / "old.json")
        (place / "bad.mid").write_bytes(b"no MIDI")
        self.app_controller, self.window = app_controller, window
        self.output, self.place = output, place
        self.player: Player = app_controller.player
        self.rng = random.Random(SEED)  # noqa: S311  # no secret
        self.done: dict[str, int] = {}  # name of an action -> how often it was performed
        self.kinds: tuple[Callable[[], None], ...] = (
            self.press_button, self.press_button, self.trigger, self.trigger, self.key,
            self.click_roll, self.drag_roll, self.spin, self.write, self.open, self.save,
            self.render, self.render, self.resize, self.wheel, self.rewrite, self.audition,
            self.take, self.phrase,
        )  # fmt: skip

    def step(self) -> None:
        kind = self.rng.choice(self.kinds)
        self.done[kind.__name__] = self.done.get(kind.__name__, 0) + 1
        kind()
        QApplication.processEvents()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        for dialog in self.window.findChildren(QFileDialog):
            dialog.close()
        self.close_menu()
        box = question(self.window)
        if box is not None:
            self.rng.choice(box.buttons()).click()
        melody = self.app_controller.writing.dialog
        if melody is not None:
            self.rng.choice((melody.accept, melody.reject))()
        for other in self.window.findChildren(QDialog):
            if other.isVisible():
                other.reject()

    def press_button(self) -> None:
        buttons = self.window.findChildren(QAbstractButton)
        QTimer.singleShot(0, self.close_menu)
        self.rng.choice([b for b in buttons if b.isVisible() and b.isEnabled()]).click()

    def close_menu(self) -> None:
        menu = QApplication.activePopupWidget()
        if menu is not None:
            menu.close()

    def trigger(self) -> None:
        act = self.window.commands
        groups = (act.themes, act.devices, act.pages)
        owners = (act, act.file, act.play, act.rewriting, act.takes, act.library)
        known = [a for owner in owners for a in vars(owner).values()]
        known += act.rewriting.voices
        actions = [a for a in known if isinstance(a, QAction)]
        actions += [a for group in groups for a in group.actions()]
        allowed = [a for a in actions if a.isEnabled() and a.text() not in NOT_HERE]
        self.rng.choice(allowed).trigger()

    def key(self) -> None:
        focused = QApplication.focusWidget()
        roll = self.window.compose_page.roll
        target = roll if not isinstance(focused, QWidget) or self.rng.random() < 0.5 else focused
        QTest.keyClick(target, self.rng.choice(KEYS))

    def click_roll(self) -> None:
        QTest.mouseClick(self.window.compose_page.roll.viewport(), LEFT, pos=self.anywhere())

    def drag_roll(self) -> None:
        """Drag between any two points of the roll."""
        port = self.window.compose_page.roll.viewport()
        QTest.mousePress(port, LEFT, pos=self.anywhere())
        QTest.mouseMove(port, self.anywhere())
        QTest.mouseMove(port, self.anywhere())
        QTest.mouseRelease(port, LEFT, pos=self.anywhere())

    def anywhere(self) -> QPoint:
        port = self.window.compose_page.roll.viewport()
        height = port.height() if self.rng.random() < 0.6 else 30
        return QPoint(self.rng.randrange(port.width()), self.rng.randrange(max(height, 1)))

    def spin(self) -> None:
        compose_form = self.window.compose_page.controls.compose_form
        playback = self.window.playback
        strip = self.rng.choice(playback.mixer.strips)
        self.rng.choice(
            (
                lambda: compose_form.bars.setValue(self.rng.randrange(1, 6)),
                lambda: compose_form.seed.set_value(self.rng.randrange(99)),
                lambda: compose_form.meter.setCurrentIndex(self.rng.randrange(2)),
                lambda: compose_form.model.setCurrentIndex(self.rng.randrange(2)),
                lambda: compose_form.candidates.setValue(self.rng.randrange(1, 5)),
                lambda: compose_form.phrases.setText(self.rng.choice(("", "1,1", "2", "x"))),
                lambda: playback.transport.tempo.setValue(self.rng.randrange(20, 320)),
                lambda: strip.volume.setValue(self.rng.randrange(200)),
                lambda: playback.mixer.sound.setCurrentIndex(self.rng.randrange(2)),
            )
        )()

    def write(self) -> None:
        self.window.compose_page.controls.generate_button.click()

    def rewrite(self) -> None:
        self.window.compose_page.strip.rewrite.click()

    def audition(self) -> None:
        panel = self.window.compose_page.candidates
        keys = (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return)
        QTest.keyClick(panel.table, self.rng.choice(keys))
        self.rng.choice([*panel.weights.fields.values()]).stepUp()

    def take(self) -> None:
        keys = (Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Return, Qt.Key.Key_P, Qt.Key.Key_C,
                Qt.Key.Key_2, Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Escape)  # fmt: skip
        view = self.window.takes.view
        view.setFocus()
        QTest.keyClick(view, self.rng.choice(keys))

    def phrase(self) -> None:
        brackets = self.window.compose_page.brackets
        places = [QPoint(self.rng.randrange(brackets.width()), 8) for _ in range(2)]
        QTest.mousePress(brackets, LEFT, pos=places[0])
        QTest.mouseMove(brackets, places[1])
        QTest.mouseRelease(brackets, LEFT, pos=places[1])
        self.close_menu()
        keys = (Qt.Key.Key_Left, Qt.Key.Key_Right)
        shift = self.rng.choice((Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier(0)))
        QTest.keyClick(brackets, self.rng.choice(keys), shift)
        if not brackets.disabled_reason:
            brackets.menu.offer(brackets.lane, brackets.selected)
            self.rng.choice(brackets.menu.actions()).trigger()

    def open(self) -> None:
        self.app_controller.projects.open(
            self.place / self.rng.choice(("old.json", "bad.mid", "gone.mid", "a.musicrel"))
        )

    def save(self) -> None:
        piece = self.app_controller.document.piece
        if piece is not None:
            name = self.rng.choice(("a.mid", "b.json", "c.svg", "bad.mid/d.mid"))
            self.app_controller.files.export(piece, self.place / name)
            self.app_controller.projects.save_as(self.place / self.rng.choice(PROJECTS))

    def render(self) -> None:
        """Render audio; sometimes the device is missing."""
        self.output.lost = "the device is gone" if self.rng.random() < 0.1 else ""
        if self.player.work():
            self.output.advance(self.rng.random())

    def resize(self) -> None:
        self.window.resize(self.rng.randrange(1000, 1500), self.rng.randrange(600, 900))

    def wheel(self) -> None:
        roll = self.window.compose_page.roll
        self.rng.choice((roll.zoom_in, roll.zoom_out, roll.fit))()
        bar = roll.horizontalScrollBar()
        bar.setValue(self.rng.randrange(bar.maximum() + 1))


def resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)
