"""Ten tasks by the accessibility tree and the keyboard alone, without mouse and pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.experiment.study import study_folder
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import ManualOutput
from tests.ui.accessibility import accessible_tree as tree
from tests.ui.experiment.conftest import no_process_is_left, open_app  # noqa: F401  # fixtures
from tests.ui.experiment.study_app import SOON
from tests.ui.user import User

Key, Role = Qt.Key, QAccessible.Role
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT, NONE = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
_TABS = 80
"""Presses of Tab after which a part counts as out of reach."""


@pytest.fixture(autouse=True)
def study_processes(no_process_is_left: None) -> None:  # noqa: F811
    """End the processes of studies."""


@pytest.fixture
def spoken(app: AppController) -> list[str]:
    return record(app)


def record(app: AppController) -> list[str]:
    texts: list[str] = []

    def send(event: QAccessibleEvent) -> None:
        assert isinstance(event, QAccessibleAnnouncementEvent)
        texts.append(event.message())

    app.speech.announcer.send = send
    return texts


def focused(window: QWidget) -> QWidget:
    return QApplication.focusWidget() or window


def key(window: QWidget, *keys: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    for one in keys:
        QTest.keyClick(focused(window), one, modifier)


def write(window: QWidget, text: str) -> None:
    QTest.keyClicks(focused(window), text)


def tab_to(window: QWidget, title: str) -> None:
    passed = []
    for _ in range(_TABS):
        name = tree.name(tree.interface(focused(window)))
        if name == title:
            return
        passed.append(name)
        key(window, Key.Key_Tab)
    raise LookupError(f"Tab does not reach {title!r}: {passed}")


def notes(window: MainWindow) -> list[str]:
    return tree.names(tree.find(window, "Piano roll", Role.List))


def compose(window: MainWindow, spoken: list[str], qtbot: QtBot) -> None:
    spoken.clear()
    key(window, Key.Key_G, modifier=CTRL)
    qtbot.waitUntil(lambda: any(text.startswith("Generated in") for text in spoken))


def test_write(user: User, spoken: list[str]) -> None:
    tab_to(user.window, "Bars")
    key(user.window, Key.Key_A, modifier=CTRL)
    write(user.window, "3")
    tab_to(user.window, "Generate")
    key(user.window, Key.Key_Space)
    user.wait(lambda: any(text.startswith("Generated in") for text in spoken))

    assert len(notes(user.window)) > 0
    assert notes(user.window)[-1].startswith("Bass D3, bar 3, beat 4¾")

    key(user.window, Key.Key_Escape)
    key(user.window, Key.Key_Home)
    key(user.window, Key.Key_N)
    write(user.window, "G")
    key(user.window, Key.Key_Escape)
    assert notes(user.window)[0] == "Soprano G4, bar 1, beat 1, quarter"


def test_lock(user: User, spoken: list[str]) -> None:
    compose(user.window, spoken, user.qtbot)
    tree.focus(tree.find(user.window, "Piano roll", Role.List))
    key(user.window, Key.Key_Right, Key.Key_Down)

    roll = tree.find(user.window, "Piano roll", Role.List)
    note = roll.focusChild()
    assert tree.name(note).startswith("Alto G4, bar 1, beat 1")
    key(user.window, Key.Key_K, modifier=CTRL)

    assert "locked" in tree.name(note)
    assert [text for text in notes(user.window) if "locked" in text] == [tree.name(note)]


def test_rewrite_and_choose_a_candidate(user: User, spoken: list[str]) -> None:
    compose(user.window, spoken, user.qtbot)
    before = notes(user.window)
    tab_to(user.window, "Candidates")
    key(user.window, Key.Key_A, modifier=CTRL)
    write(user.window, "3")
    tree.focus(tree.find(user.window, "Piano roll", Role.List))
    key(user.window, Key.Key_Right)
    key(user.window, Key.Key_A, modifier=CTRL | SHIFT)
    key(user.window, Key.Key_R, modifier=CTRL | SHIFT)
    user.wait(lambda: not user.writer.busy)
    table = tree.find(user.window, "Candidates, the original first, then the best", Role.Table)
    assert table.childCount() > 0
    key(user.window, Key.Key_Down, modifier=ALT)
    user.wait(lambda: any("accept it (Ctrl+Return)" in text for text in spoken))
    key(user.window, Key.Key_Return, modifier=CTRL)

    user.wait(lambda: spoken[-1].startswith("Accepted candidate"))
    assert notes(user.window) != before


def test_harmonise(user: User) -> None:
    key(user.window, Key.Key_H, modifier=CTRL)
    user.wait(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    melody = tree.find(dialog, "Melody", Role.ComboBox)
    user.wait(lambda: bool(melody.state().focused))
    write(dialog, "Ode")
    assert melody.text(QAccessible.Text.Value) == "Ode to Joy"
    key(dialog, Key.Key_Return)
    user.wait(lambda: bool(user.jobs.candidate_requests) and not user.writer.busy)
    user.wait(lambda: bool(notes(user.window)))

    assert notes(user.window)[0].startswith("Soprano")


def current_takes(takes: QAccessibleInterface) -> list[bool]:
    return [", current take" in tree.name(one) for one in tree.children(takes)]


def test_choose_a_take(user: User, spoken: list[str]) -> None:
    for _ in range(2):
        compose(user.window, spoken, user.qtbot)
    user.wait(lambda: user.window.takes.view.takes.rowCount() == 2)
    key(user.window, Key.Key_T, modifier=CTRL)
    takes = tree.find(user.window, "Takes", Role.List)
    user.wait(lambda: current_takes(takes) == [True, False])
    tree.focus(tree.find(user.window, "Piano roll", Role.List))
    key(user.window, Key.Key_F6)
    key(user.window, Key.Key_Right)
    key(user.window, Key.Key_Return)

    user.wait(lambda: any("is the current piece" in text for text in spoken))
    user.wait(lambda: current_takes(takes) == [False, True])


def test_play(user: User, output: ManualOutput, spoken: list[str]) -> None:
    compose(user.window, spoken, user.qtbot)
    tree.focus(tree.find(user.window, "Piano roll", Role.List))
    user.wait(lambda: not tree.find(user.window, "Play", Role.Button).state().disabled)
    key(user.window, Key.Key_Space)
    assert not tree.find(user.window, "Pause", Role.Button).state().disabled
    assert user.app.player.playing
    spoken.clear()
    key(user.window, Key.Key_A, modifier=CTRL)
    QApplication.processEvents()  # the end of the event
    assert spoken == []

    key(user.window, Key.Key_Space)

    user.wait(lambda: bool(spoken))
    assert spoken[0].startswith("Soprano, Alto, Tenor, Bass, bar 1, beat 1 to bar 2, beat 4, ")
    del output


def test_export(user: User, spoken: list[str], tmp_path: Path) -> None:
    compose(user.window, spoken, user.qtbot)
    key(user.window, Key.Key_X, modifier=CTRL | SHIFT)
    user.wait(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    user.wait(lambda: tree.interface(focused(dialog)).role() == Role.EditableText)
    key(dialog, Key.Key_A, modifier=CTRL)
    write(dialog, str(tmp_path / "mine.mid"))
    key(dialog, Key.Key_Return)

    user.wait(lambda: any("Exported mine.mid" in text for text in spoken))
    assert Chorale.read(tmp_path / "mine.mid").steps == 32


def test_mute_a_head(user: User, spoken: list[str]) -> None:
    compose(user.window, spoken, user.qtbot)
    key(user.window, Key.Key_2, modifier=CTRL)
    user.wait(lambda: user.app.attention.shown is not None)
    user.wait(lambda: user.window.attention.plots is not None)
    tab_to(user.window, "Heads")
    key(user.window, Key.Key_Down, Key.Key_Right)
    user.wait(lambda: any("Layer 1, head 2" in text for text in spoken))
    key(user.window, Key.Key_M)

    user.wait(lambda: spoken[-1] == "Muted in full: head 1.2")
    heads = tree.interface(focused(user.window))
    assert heads.text(QAccessible.Text.Description) == "Layer 1, head 2, muted"


def test_start_a_study_and_read_its_verdict(
    open_app: Callable[[], AppController],  # noqa: F811
    qtbot: QtBot,
) -> None:
    app = open_app()
    window, spoken = app.window, record(app)
    key(window, Key.Key_1, modifier=CTRL)
    key(window, Key.Key_3, modifier=CTRL)
    start = tree.find(window, "Start", Role.Button)
    qtbot.waitUntil(lambda: not start.state().disabled, timeout=SOON)
    tab_to(window, "Test run: start here")
    key(window, Key.Key_Space)
    qtbot.waitUntil(lambda: has_text(window, "2 runs"), timeout=SOON)
    tab_to(window, "Start")
    key(window, Key.Key_Space)
    folder = study_folder.runs_folder() / "smoke"
    studies = tree.find(window, "Studies", Role.List)
    qtbot.waitUntil(lambda: any("unning" in name for name in tree.names(studies)), timeout=SOON)
    (folder / "go").touch()

    qtbot.waitUntil(lambda: has_text(window, "The study works. "), timeout=SOON)
    qtbot.waitUntil(lambda: any("finished" in text for text in spoken), timeout=SOON)
    curves = tree.find(window, "Learning curves", Role.List)
    qtbot.waitUntil(lambda: len(tree.names(curves)) == 2, timeout=SOON)
    assert tree.names(curves)[0].startswith("Vanilla, 1 seed, nats/note; first 2.900 at 1 steps")


def has_text(window: QWidget, part: str) -> bool:
    kinds = (QAccessible.Text.Name, QAccessible.Text.Value)
    seen = tree.below(tree.interface(window))
    return any(part in one.text(kind) for one in seen for kind in kinds)
