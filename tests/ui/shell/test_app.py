"""The process: imports, uncaught exceptions, exit."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from musicrel import __main__ as program
from musicrel.cli import main as cli_module
from musicrel.presentation.words.pages import PAGES
from musicrel.project import SUFFIX
from musicrel.score.files import READABLE
from musicrel.ui import app as app_module
from musicrel.ui import display
from musicrel.ui.app import LOG_FILE, CrashReporter
from musicrel.ui.app_controller import AppController
from musicrel.ui.display import describe_failure, has_display
from musicrel.ui.files.session import RECOVER
from musicrel.ui.shell import card_dialog
from tests.helpers.models import tiny_model_directory

SHOWN_AND_CLOSED = """
import pathlib, sys
from PySide6.QtCore import QTimer
from musicrel.ui import app
from musicrel.ui.shell import main_window

LATE = (
    "numba", "scipy", "verovio", "pretty_midi", "tqdm", "psutil",
    "musicrel.ui.experiment.experiment_page",
)

def shown(window):
    print([name for name in LATE if name in sys.modules])
    window.experiment.study.expect(pathlib.Path("study"))
    print([name for name in ("torch", "pyqtgraph") if name in sys.modules])
    QTimer.singleShot(0, window.close)

class Window(main_window.MainWindow):
    def __init__(self):
        super().__init__()
        self.painted.connect(lambda: shown(self))

app.MainWindow = Window
sys.exit(app.main(["musicrel"]))
"""
WITHOUT_WARMING_UP = """
from musicrel.ui.jobs.generation_service import ModelCache
ModelCache.warm_up = lambda *asked: (event for event in ())
"""
TOO_BUSY = "a job did not end in time"
"""On a loaded machine torch may take longer to import than the app waits."""
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
PREPARED = """
from musicrel.ui import startup
startup.prepare()
import gc, linecache, sys
from musicrel.ui.shell import main_window
print(gc.isenabled(), main_window.__file__ in linecache.cache)
"""


def start(home: Path, code: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MUSICREL_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_window_and_a_study_are_shown_before_what_they_do_not_need_is_imported(home: Path) -> None:
    tiny_model_directory(home / "models" / "tiny")

    ended = start(home, SHOWN_AND_CLOSED)

    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.split() == ["[]", "[]"]
    log = (home / LOG_FILE).read_text().splitlines()
    assert [line for line in log if not line.endswith(TOO_BUSY)] == []


def test_app_starts_without_a_writable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    ended = start(tmp_path / "file", WITHOUT_WARMING_UP + SHOWN_AND_CLOSED)

    assert ended.returncode == 0
    assert "cannot be saved" in ended.stderr


def test_uncaught_exception_is_logged_and_reported(
    home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    reporter = CrashReporter()
    reporter.install()
    caplog.set_level(logging.CRITICAL)
    with qtbot.waitSignal(reporter.crashed) as signal:
        thread = threading.Thread(target=lambda: 1 // 0)
        thread.start()
        thread.join()

    assert str(home / LOG_FILE) in signal.args[0]
    assert "ZeroDivisionError" in caplog.text
    with qtbot.waitSignal(reporter.crashed):
        sys.excepthook(ValueError, ValueError("odd"), None)
    assert "odd" in caplog.text


@pytest.mark.parametrize(
    ("reported_on", "stays", "opened", "is_shown"),
    [
        ("compose", False, "attention", False),
        ("attention", False, "compose", False),
        ("compose", False, "experiment", False),
        ("compose", True, "attention", True),
        ("experiment", False, "compose", True),
        ("compose", False, "compose", True),
    ],
)
def test_an_error_belongs_to_its_page(
    reported_on: str, opened: str, *, stays: bool, is_shown: bool, app: AppController
) -> None:
    app.window.pages.open(reported_on)
    app.messages.report("an error", stays=stays)

    app.window.pages.open(opened)

    assert (app.window.compose_page.banner.message == "An error") == is_shown


def test_imports_collect_no_garbage_and_read_no_sources() -> None:
    """PySide6 would keep the source of every module in memory."""
    ended = subprocess.run(
        [sys.executable, "-c", PREPARED], capture_output=True, text=True, check=True
    )

    assert ended.stdout.split() == ["False", "False"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Start nothing, but return what would be."""
    found: list[str] = []

    def note(kind: str) -> int:
        found.append(kind)
        return 0

    monkeypatch.setattr(app_module, "main", lambda _argv: note("window"))
    monkeypatch.setattr(cli_module, "main", lambda _words: note("command"))
    return found


@pytest.mark.parametrize(
    ("name", "with_display", "reason"),
    [
        ("gone.musicrel", False, "there is no such file"),
        ("gone.mid", False, "there is no such file"),
        ("gone.musicrel", True, "there is no such file"),
        ("hymn.musicrel", False, "a display is needed to open it, but musicrel convert reads it"),
    ],
)
def test_document_that_cannot_be_opened_is_a_sentence(
    name: str,
    reason: str,
    *,
    with_display: bool,
    started: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "hymn.musicrel").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["musicrel", name])
    monkeypatch.setattr(display, "has_display", lambda: with_display)

    assert program.main() == 1
    assert capsys.readouterr().err.startswith(f"musicrel: cannot open {name}: {reason}")
    assert started == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        *(([f"hymn{suffix}"], "window") for suffix in (SUFFIX, *READABLE, ".MID")),
        ([], "window"),
        ([RECOVER, "abc"], "window"),
        (["--out=gone.mid"], "command"),
        (["generate"], "command"),
        (["--version"], "command"),
    ],
)
def test_documents_open_in_a_window_and_commands_do_not(
    words: list[str], kind: str, started: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for word in words:
        (tmp_path / word).touch()
    monkeypatch.setattr(sys, "argv", ["musicrel", *words])
    monkeypatch.setattr(display, "has_display", lambda: True)
    program.main()

    assert started == [kind]


@pytest.mark.parametrize(
    ("platform", "variables", "has"),
    [
        *(("linux", {name: "something"}, True) for name in DISPLAYS),
        ("linux", {"DISPLAY": "", "HOME": "/"}, False),
        ("win32", {}, True),
        ("darwin", {}, True),
    ],
)
def test_linux_has_a_display_if_a_variable_is_set(
    platform: str, variables: dict[str, str], *, has: bool
) -> None:
    """Other systems always have one; the default is the environment of this process."""
    assert has_display(platform, variables) == has
    assert has_display()


BOTH = {"DISPLAY": ":7", "WAYLAND_DISPLAY": "wayland-0"}


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        (BOTH, "the display WAYLAND_DISPLAY=wayland-0 or DISPLAY=:7 cannot be reached: check"),
        (BOTH | {"QT_QPA_PLATFORM": "xbc"}, "platform 'xbc' of the variable QT_QPA_PLATFORM"),
        (BOTH | {"QT_QPA_PLATFORM": "xcb"}, "the display DISPLAY=:7 cannot be reached"),
        (
            BOTH | {"QT_QPA_PLATFORM": "wayland"},
            "the display WAYLAND_DISPLAY=wayland-0 cannot be reached",
        ),
        ({"QT_QPA_PLATFORM": "xcb"}, "the platform 'xcb' of the variable"),
        ({"QT_QPA_PLATFORM": "wayland"}, "the platform 'wayland' of the variable"),
    ],
)
def test_a_failure_names_the_display_or_the_platform(
    variables: dict[str, str], sentence: str
) -> None:
    """The platform decides if it is set; else both displays are tried."""
    assert sentence in describe_failure(variables)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one display")
@pytest.mark.parametrize(
    ("variable", "value"), [("DISPLAY", ":4242"), ("QT_QPA_PLATFORM", "banana")]
)
def test_without_a_usable_display_one_sentence_is_printed(
    variable: str, value: str, tmp_path: Path
) -> None:
    """The process exits with 1, where Qt would abort it."""
    without = {name: text for name, text in os.environ.items() if name not in DISPLAYS}
    answer = subprocess.run(
        [sys.executable, "-m", "musicrel"],
        env={**without, variable: value, "MUSICREL_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.returncode == 1
    assert answer.stdout == ""
    assert answer.stderr.startswith("musicrel: cannot open a window: the ")
    assert value in answer.stderr
    assert answer.stderr.count("\n") == 1


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_card_of_a_bundled_model_is_shown(parent: QWidget) -> None:
    dialog = card_dialog.of_model(parent, "relative")
    assert dialog.windowTitle() == "About relative"
    assert "Training data" in dialog.text.toPlainText()
    assert "musicrel evaluate --model relative --split test" in dialog.text.toPlainText()


def test_missing_model_is_reported(parent: QWidget) -> None:
    dialog = card_dialog.of_model(parent, "nobody")
    assert "no model 'nobody': expected a model directory" in dialog.text.toPlainText()


@pytest.mark.parametrize(("width", "shown"), [(1660, 830), (300, 300)])
def test_pictures_of_a_guide_fit_its_width(
    parent: QWidget, tmp_path: Path, width: int, shown: int
) -> None:
    image = QImage(width, width // 2, QImage.Format.Format_RGB32)
    image.fill(0)
    assert image.save(str(tmp_path / "chart.png"))
    guide = tmp_path / "guide.md"
    guide.write_text("![Chart](chart.png)", encoding="utf-8")

    dialog = card_dialog.of_guide(parent, "Guide", guide)
    found = dialog.text.loadResource(
        QTextDocument.ResourceType.ImageResource.value, QUrl("chart.png")
    )

    assert isinstance(found, QImage)
    assert found.deviceIndependentSize().width() == pytest.approx(shown)


def test_links_between_guides_lead_there_and_back(parent: QWidget, tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "first.md").write_text("# First\n\n[on](../second.md)\n", "utf-8")
    (tmp_path / "second.md").write_text("# Second\n\n[third](part/third.md)\n", "utf-8")
    (tmp_path / "part" / "third.md").write_text("# Third\n", "utf-8")
    dialog = card_dialog.of_guide(parent, "Guide", tmp_path / "part" / "first.md")
    back = next(one for one in dialog.buttons.buttons() if one.text() == "&Back")
    assert (dialog.text.toPlainText().split(), back.isEnabled()) == (["First", "on"], False)

    for link, words in (("../second.md", ["Second", "third"]), ("part/third.md", ["Third"])):
        dialog.text.setSource(dialog.text.source().resolved(QUrl(link)))
        assert dialog.text.toPlainText().split() == words
    for words in (["Second", "third"], ["First", "on"]):
        back.click()
        assert dialog.text.toPlainText().split() == words

    assert not back.isEnabled()


def test_a_guide_that_cannot_be_read_gives_the_reason(parent: QWidget, tmp_path: Path) -> None:
    dialog = card_dialog.of_guide(parent, "Guide", tmp_path / "gone.md")

    assert dialog.text.toPlainText().startswith("cannot read")


def letters(texts: Iterable[str]) -> list[str]:
    found = (re.search(r"&(\w)", text.replace("&&", "")) for text in texts)
    return [match[1].lower() for match in found if match]


def texts(page: QWidget) -> list[str]:
    labels = [label.text() for label in page.findChildren(QLabel) if label.buddy() is not None]
    return labels + [button.text() for button in page.findChildren(QAbstractButton)]


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_no_field_has_the_letter_of_a_menu(name: str, app: AppController) -> None:
    """Alt and the letter would open neither; so on every page, also in what is folded."""
    app.window.pages.open(name)

    menus = letters(act.text() for act in app.window.menuBar().actions())
    assert not set(menus) & set(letters(texts(app.window.pages)))
    assert app.window.pages.switch.buttons[name].accessibleName().lower().startswith(f"{name}: ")
    assert len(menus) == len(set(menus)) == len(app.window.menuBar().actions())


def test_no_two_fields_of_the_form_have_the_same_letter(app: AppController) -> None:
    inside = letters(texts(app.window.compose_page))
    assert sorted(inside) == sorted(set(inside))


def test_a_question_mark_opens_the_shortcuts_right_after_the_start(app: AppController) -> None:
    assert app.window.focusWidget() is app.window.compose_page.roll

    app.window.activateWindow()
    QTest.keyClick(app.window.compose_page.roll, Qt.Key.Key_Question)

    assert app.library.shortcuts is not None
    app.library.shortcuts.close()
