"""A user who does anything at any time: five hundred actions by chance, always the same ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from tests.ui.controllers.test_file_controller import made

from musicrel.playback.player import Player
from musicrel.score import json_file
from musicrel.ui.app_controller import House
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import ManualOutput
from tests.ui.fakes import FakeJobs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.qt_log_ignore("This plugin does not support"),  # offscreen: raise, hints
]

ACTIONS = 500
SEED = 20_261
KEYS = (
    Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Left, Qt.Key.Key_Right,
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_1, Qt.Key.Key_4, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_Plus, Qt.Key.Key_Minus, Qt.Key.Key_0, Qt.Key.Key_BracketLeft,
    Qt.Key.Key_BracketRight, Qt.Key.Key_Return,
)  # fmt: skip
LEFT = Qt.MouseButton.LeftButton
NOT_HERE = frozenset({"&Quit", "&About musicrel"})
"""What ends the tour, or waits for an answer."""


class Tourist:
    """Does one thing after another."""

    def __init__(self, house: House, window: MainWindow, output: ManualOutput, place: Path) -> None:
        self.house, self.window, self.output, self.place = house, window, output, place
        self.player: Player = house.listening._player
        self.chance = random.Random(SEED)  # noqa: S311  # no secret
        self.done: dict[str, int] = {}
        self.kinds: tuple[Callable[[], None], ...] = (
            self.press_button, self.press_button, self.trigger, self.trigger, self.key,
            self.click_roll, self.drag_roll, self.spin, self.write, self.open, self.save,
            self.hear, self.hear, self.resize, self.wheel, self.rewrite, self.audition,
        )  # fmt: skip

    def step(self) -> None:
        """One action; then the app has its turn."""
        kind = self.chance.choice(self.kinds)
        self.done[kind.__name__] = self.done.get(kind.__name__, 0) + 1
        kind()
        QApplication.processEvents()
        for dialog in self.window.findChildren(QFileDialog):
            dialog.close()
        menu, melody = QApplication.activePopupWidget(), self.house.harmonising.dialog
        if menu is not None:
            menu.close()
        if melody is not None:
            self.chance.choice((melody.accept, melody.reject))()

    def press_button(self) -> None:
        """Any button that is there."""
        buttons = self.window.findChildren(QAbstractButton)
        self.chance.choice([b for b in buttons if b.isVisible() and b.isEnabled()]).click()

    def trigger(self) -> None:
        """Any command of the menus, themes and places among them."""
        act = self.window.commands
        groups = (act.themes, act.devices, act.places)
        known = [a for owner in (act, act.play, act.rewriting) for a in vars(owner).values()]
        known += act.rewriting.voices
        actions = [a for a in known if isinstance(a, QAction)]
        actions += [a for group in groups for a in group.actions()]
        allowed = [a for a in actions if a.isEnabled() and a.text() not in NOT_HERE]
        self.chance.choice(allowed).trigger()

    def key(self) -> None:
        """Any key, wherever the keyboard is."""
        focused = QApplication.focusWidget()
        roll = self.window.page.roll
        target = roll if not isinstance(focused, QWidget) or self.chance.random() < 0.5 else focused
        QTest.keyClick(target, self.chance.choice(KEYS))

    def click_roll(self) -> None:
        """Anywhere, ruler and keyboard too."""
        QTest.mouseClick(self.window.page.roll.viewport(), LEFT, pos=self.anywhere())

    def drag_roll(self) -> None:
        """From anywhere to anywhere."""
        port = self.window.page.roll.viewport()
        QTest.mousePress(port, LEFT, pos=self.anywhere())
        QTest.mouseMove(port, self.anywhere())
        QTest.mouseMove(port, self.anywhere())
        QTest.mouseRelease(port, LEFT, pos=self.anywhere())

    def anywhere(self) -> QPoint:
        """A point of the roll, often in its ruler."""
        port = self.window.page.roll.viewport()
        height = port.height() if self.chance.random() < 0.6 else 30
        return QPoint(self.chance.randrange(port.width()), self.chance.randrange(max(height, 1)))

    def spin(self) -> None:
        """Another value in the form, the transport or the mixer."""
        entries, listening = self.window.page.controls.entries, self.window.listening
        strip = self.chance.choice(listening.mixer.strips)
        self.chance.choice(
            (
                lambda: entries.bars.setValue(self.chance.randrange(1, 6)),
                lambda: entries.seed.set_value(self.chance.randrange(99)),
                lambda: entries.meter.setCurrentIndex(self.chance.randrange(2)),
                lambda: entries.model.setCurrentIndex(self.chance.randrange(2)),
                lambda: self.window.page.strip.count.setValue(self.chance.randrange(1, 5)),
                lambda: entries.phrases.setText(self.chance.choice(("", "1,1", "2", "x"))),
                lambda: listening.transport.tempo.setValue(self.chance.randrange(20, 320)),
                lambda: strip.volume.setValue(self.chance.randrange(200)),
                lambda: listening.mixer.sound.setCurrentIndex(self.chance.randrange(2)),
            )
        )()

    def write(self) -> None:
        """Generate or stop, whichever the button does."""
        self.window.page.controls.main.click()

    def rewrite(self) -> None:
        """Rewrite or cancel, whichever the button does."""
        self.window.page.strip.rewrite.click()

    def audition(self) -> None:
        """Go through the candidates, take one, weigh them anew."""
        panel = self.window.page.candidates
        keys = (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Return)
        QTest.keyClick(panel.table, self.chance.choice(keys))
        self.chance.choice([*panel.weights.fields.values()]).stepUp()

    def open(self) -> None:
        """A piece, or what is none."""
        self.house.filing.open(self.place / self.chance.choice(("old.json", "bad.mid", "gone.mid")))

    def save(self) -> None:
        """Where it can be written, and where not."""
        piece = self.house.studio.piece
        if piece is not None:
            name = self.chance.choice(("a.mid", "b.json", "c.svg", "bad.mid/d.mid"))
            self.house.filing.save_as(piece, self.place / name)

    def hear(self) -> None:
        """Let the device take some sound; now and then it is pulled out."""
        self.output.lost = "the device is gone" if self.chance.random() < 0.1 else ""
        if self.player.work():
            self.output.turn(self.chance.random())

    def resize(self) -> None:
        """Another size of the window."""
        self.window.resize(self.chance.randrange(1000, 1500), self.chance.randrange(600, 900))

    def wheel(self) -> None:
        """Zoom and scroll."""
        roll = self.window.page.roll
        self.chance.choice((roll.zoom_in, roll.zoom_out, roll.fit))()
        bar = roll.horizontalScrollBar()
        bar.setValue(self.chance.randrange(bar.maximum() + 1))


def test_five_hundred_actions_do_no_harm(
    *,
    house: House,
    window: MainWindow,
    jobs: FakeJobs,
    output: ManualOutput,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    """No exception, no Qt warning, no thread, timer or window left: pytest-qt and conftest look."""
    json_file.write(made(), tmp_path / "old.json")
    (tmp_path / "bad.mid").write_bytes(b"no MIDI")
    tourist = Tourist(house, window, output, tmp_path)
    for _ in range(ACTIONS):
        tourist.step()

    assert len(tourist.done) == len(set(tourist.kinds))
    assert len(jobs.asked) > 5
    assert len(house.keeping.history._entries) > 5
    window.commands.stop.trigger()
    assert len(jobs.asked_to_rewrite) > 5
    jobs_of = (house.studio, house.filing, house.harmonising)
    qtbot.waitUntil(lambda: not any(one.busy for one in jobs_of))
    window.close()
    assert house.all_ended
    timers = [timer for timer in house.findChildren(QTimer) if timer.isActive()]
    assert timers == []
    assert not house.listening._player.playing
