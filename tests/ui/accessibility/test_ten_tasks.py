"""Ten tasks by the accessibility tree and the keyboard alone, without mouse and pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
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
from tests.ui.fakes import FakeJobs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.qt_log_ignore("This plugin does not support"),  # offscreen: raise, hints
]
Key, Role = Qt.Key, QAccessible.Role
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT, NONE = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier
_TABS = 80
"""Presses of Tab after which a part counts as out of reach."""


@pytest.fixture(autouse=True)
def study_processes(no_process_is_left: None) -> None:  # noqa: F811
    """End the processes of studies."""


@pytest.fixture
def spoken(app_controller: AppController) -> list[str]:
    """Return the announcements so far."""
    return record(app_controller)


def record(app_controller: AppController) -> list[str]:
    """Record the announcements of an app from now on."""
    texts: list[str] = []

    def send(event: QAccessibleEvent) -> None:
        assert isinstance(event, QAccessibleAnnouncementEvent)
        texts.append(event.message())

    app_controller.speech.announcer.send = send
    return texts


def focused(window: QWidget) -> QWidget:
    """Return the widget with the keyboard."""
    return QApplication.focusWidget() or window


def key(window: QWidget, *keys: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
    """Press keys, one after the other, where the keyboard is."""
    for one in keys:
        QTest.keyClick(focused(window), one, modifier)


def write(window: QWidget, text: str) -> None:
    """Write a text where the keyboard is."""
    QTest.keyClicks(focused(window), text)


def tab_to(window: QWidget, title: str) -> None:
    """Press Tab until a part with a name has the keyboard."""
    passed = []
    for _ in range(_TABS):
        name = tree.name(tree.interface(focused(window)))
        if name == title:
            return
        passed.append(name)
        key(window, Key.Key_Tab)
    raise LookupError(f"Tab does not reach {title!r}: {passed}")


def notes(window: MainWindow) -> list[str]:
    """Return the notes of the roll as they are read."""
    return tree.names(tree.find(window, "Piano roll", Role.List))


def compose(window: MainWindow, spoken: list[str], qtbot: QtBot) -> None:
    """Generate a piece by its key."""
    spoken.clear()
    key(window, Key.Key_G, modifier=CTRL)
    qtbot.waitUntil(lambda: any(text.startswith("Generated in") for text in spoken))


def test_write(
    app_controller: AppController, window: MainWindow, spoken: list[str], qtbot: QtBot
) -> None:
    """Enter a number of bars, generate, then write a note by its letter."""
    tab_to(window, "Bars")
    key(window, Key.Key_A, modifier=CTRL)
    write(window, "3")
    tab_to(window, "Generate")
    key(window, Key.Key_Space)
    qtbot.waitUntil(lambda: any(text.startswith("Generated in") for text in spoken))

    assert len(notes(window)) > 0
    assert notes(window)[-1].startswith("Bass D3, bar 3, beat 4¾")

    key(window, Key.Key_Escape)
    key(window, Key.Key_Home)
    key(window, Key.Key_N)
    write(window, "G")
    key(window, Key.Key_Escape)
    assert notes(window)[0] == "Soprano G4, bar 1, beat 1, quarter"
    del app_controller


def test_lock(
    app_controller: AppController, window: MainWindow, spoken: list[str], qtbot: QtBot
) -> None:
    """Select a note by arrow keys, lock it by its key."""
    compose(window, spoken, qtbot)
    tree.focus(tree.find(window, "Piano roll", Role.List))
    key(window, Key.Key_Right, Key.Key_Down)

    roll = tree.find(window, "Piano roll", Role.List)
    note = roll.focusChild()
    assert tree.name(note).startswith("Alto G4, bar 1, beat 1")
    key(window, Key.Key_K, modifier=CTRL)

    assert "locked" in tree.name(note)
    assert [text for text in notes(window) if "locked" in text] == [tree.name(note)]
    del app_controller


def test_rewrite_and_choose_a_candidate(
    app_controller: AppController, window: MainWindow, spoken: list[str], qtbot: QtBot
) -> None:
    """Select a bar, rewrite it, go through the candidates, accept the second."""
    compose(window, spoken, qtbot)
    before = notes(window)
    tab_to(window, "Candidates")
    key(window, Key.Key_A, modifier=CTRL)
    write(window, "3")
    tree.focus(tree.find(window, "Piano roll", Role.List))
    key(window, Key.Key_Right)
    key(window, Key.Key_A, modifier=CTRL | SHIFT)
    key(window, Key.Key_R, modifier=CTRL | SHIFT)
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)
    table = tree.find(window, "Candidates, the original first, then the best", Role.Table)
    assert table.childCount() > 0
    key(window, Key.Key_Down, modifier=ALT)
    qtbot.waitUntil(lambda: any("Enter accepts it" in text for text in spoken))
    key(window, Key.Key_Return, modifier=CTRL)

    qtbot.waitUntil(lambda: spoken[-1].startswith("Accepted candidate"))
    assert notes(window) != before


def test_harmonise(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Choose a melody by its first letters; Enter starts."""
    key(window, Key.Key_H, modifier=CTRL)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    melody = tree.find(dialog, "Melody", Role.ComboBox)
    qtbot.waitUntil(lambda: bool(melody.state().focused))
    write(dialog, "Ode")
    assert melody.text(QAccessible.Text.Value) == "Ode to Joy"
    key(dialog, Key.Key_Return)
    qtbot.waitUntil(lambda: bool(jobs.candidate_requests) and not app_controller.candidates.busy)
    qtbot.waitUntil(lambda: bool(notes(window)))

    assert notes(window)[0].startswith("Soprano")


def test_choose_a_take(
    app_controller: AppController, window: MainWindow, spoken: list[str], qtbot: QtBot
) -> None:
    """Go to the strip by F6, to a take by an arrow key; Enter uses it."""
    for _ in range(2):
        compose(window, spoken, qtbot)
    takes = tree.find(window, "Takes", Role.List)
    titles = [tree.name(one) for one in tree.children(takes)]
    assert len(titles) == 2
    assert ", current take" in titles[0]
    tree.focus(tree.find(window, "Piano roll", Role.List))
    key(window, Key.Key_F6)
    key(window, Key.Key_Right)
    key(window, Key.Key_Return)

    qtbot.waitUntil(lambda: any("is the current piece" in text for text in spoken))
    titles = [tree.name(one) for one in tree.children(takes)]
    assert ", current take" in titles[1]
    del app_controller


def test_play(
    app_controller: AppController,
    window: MainWindow,
    output: ManualOutput,
    spoken: list[str],
    qtbot: QtBot,
) -> None:
    """The space bar plays; announcements wait until it is pressed again."""
    compose(window, spoken, qtbot)
    tree.focus(tree.find(window, "Piano roll", Role.List))
    assert not tree.find(window, "Play", Role.Button).state().disabled
    key(window, Key.Key_Space)
    assert not tree.find(window, "Pause", Role.Button).state().disabled
    assert app_controller.player.playing
    spoken.clear()
    key(window, Key.Key_A, modifier=CTRL)
    QApplication.processEvents()  # the end of the event
    assert spoken == []

    key(window, Key.Key_Space)

    qtbot.waitUntil(lambda: bool(spoken))
    assert spoken[0].startswith("Soprano, Alto, Tenor, Bass, bar 1, beat 1 to bar 2, beat 4¾, ")
    del output


def test_export(
    app_controller: AppController,
    window: MainWindow,
    spoken: list[str],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    """Write the path into the field that has the keyboard; Enter exports."""
    compose(window, spoken, qtbot)
    key(window, Key.Key_X, modifier=CTRL | SHIFT)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), QFileDialog))
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    qtbot.waitUntil(lambda: tree.interface(focused(dialog)).role() == Role.EditableText)
    key(dialog, Key.Key_A, modifier=CTRL)
    write(dialog, str(tmp_path / "mine.mid"))
    key(dialog, Key.Key_Return)

    qtbot.waitUntil(lambda: any("Exported mine.mid" in text for text in spoken))
    assert Chorale.read(tmp_path / "mine.mid").steps == 32
    del app_controller


def test_mute_a_head(
    app_controller: AppController, window: MainWindow, spoken: list[str], qtbot: QtBot
) -> None:
    """Go to the heads by Tab, to a head by arrow keys; M mutes it."""
    compose(window, spoken, qtbot)
    key(window, Key.Key_2, modifier=CTRL)
    qtbot.waitUntil(lambda: app_controller.attention.shown is not None)
    qtbot.waitUntil(lambda: window.attention.plots is not None)
    tab_to(window, "Heads")
    key(window, Key.Key_Down, Key.Key_Right)
    qtbot.waitUntil(lambda: any("Layer 1, head 2" in text for text in spoken))
    key(window, Key.Key_M)

    qtbot.waitUntil(lambda: spoken[-1] == "Muted in full: Layer 1, head 2")
    heads = tree.interface(focused(window))
    assert heads.text(QAccessible.Text.Description) == "Layer 1, head 2, muted"


def test_start_a_study_and_read_its_verdict(
    open_app: Callable[[], AppController],  # noqa: F811
    qtbot: QtBot,
) -> None:
    """Choose a template, start, wait for the verdict, read the curves."""
    app_controller = open_app()
    window, spoken = app_controller.window, record(app_controller)
    key(window, Key.Key_1, modifier=CTRL)
    key(window, Key.Key_3, modifier=CTRL)
    start = tree.find(window, "Start", Role.Button)
    qtbot.waitUntil(lambda: not start.state().disabled, timeout=SOON)
    tab_to(window, "Start from")
    write(window, "Test")
    key(window, Key.Key_Space)
    qtbot.waitUntil(lambda: has_text(window, "2 runs"), timeout=SOON)
    tab_to(window, "Start")
    key(window, Key.Key_Space)
    folder = study_folder.runs_folder() / "smoke"
    studies = tree.find(window, "Studies", Role.List)
    qtbot.waitUntil(lambda: any("unning" in name for name in tree.names(studies)), timeout=SOON)
    (folder / "go").touch()

    qtbot.waitUntil(lambda: has_text(window, "Not enough to say"), timeout=SOON)
    qtbot.waitUntil(lambda: any("finished" in text for text in spoken), timeout=SOON)
    curves = tree.find(window, "Learning curves", Role.List)
    qtbot.waitUntil(lambda: len(tree.names(curves)) == 2, timeout=SOON)
    assert tree.names(curves)[0].startswith("Vanilla, 1 seed, nats/note; first 2.900 at 1 steps")


def has_text(window: QWidget, part: str) -> bool:
    """Return whether a label or field of the window has a text."""
    kinds = (QAccessible.Text.Name, QAccessible.Text.Value)
    seen = tree.below(tree.interface(window))
    return any(part in one.text(kind) for one in seen for kind in kinds)
