"""The guides and the log in the Help menu."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from musicrel import paths
from musicrel.ui.app_controller import AppController
from musicrel.ui.library import guides
from musicrel.ui.library.guides import GUIDES, GuideMenu
from musicrel.ui.shell.card_dialog import CardDialog
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints


def test_all_guides_are_there() -> None:
    """The source tree has them; a wheel gets a copy."""
    assert [name for name in GUIDES if not (guides.folder() / name).is_file()] == []


@pytest.mark.usefixtures("app_controller")
def test_a_guide_is_shown_in_the_app(window: MainWindow) -> None:
    """Its title is that of the menu."""
    window.commands.library.guides.actions()[1].trigger()

    dialog = window.findChild(CardDialog)
    assert dialog is not None
    assert dialog.windowTitle() == "Command line"
    assert "musicrel generate" in dialog.text.toPlainText()
    dialog.close()


@pytest.mark.usefixtures("app_controller")
def test_f1_opens_the_user_guide(window: MainWindow) -> None:
    """Its list of chapters comes first, and each of them opens in the same dialog."""
    (action,) = (
        one
        for one in window.commands.library.guides.actions()
        if one.shortcut() == QKeySequence("F1")
    )
    action.trigger()

    dialog = window.findChild(CardDialog)
    assert dialog is not None
    assert dialog.windowTitle() == "User guide"
    dialog.text.setSource(dialog.text.source().resolved(QUrl("01-first-piece.md")))
    assert dialog.text.toPlainText().startswith("The first piece")
    dialog.close()


def test_a_guide_that_is_not_installed_has_the_reason(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The entry is disabled."""
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    menu = QMenu()
    qtbot.addWidget(menu)

    GuideMenu(menu)

    assert {action.isEnabled() for action in menu.actions()} == {False}
    assert {action.toolTip() for action in menu.actions()} == {guides.ABSENT}


def test_guides_inside_the_wheel_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They belong to that version."""
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    assert guides.folder() == tmp_path / "docs"
    (tmp_path / "assets" / "docs").mkdir(parents=True)
    assert guides.folder() == tmp_path / "assets" / "docs"


def test_web_pages_open_in_the_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those in the wheel come before those that were built beside the source."""
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    built, inside = tmp_path / "dist" / "docs", tmp_path / "assets" / "manual"
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    assert guides.open_page(guides.first_page(), open_url) == guides.NO_PAGES
    for folder in (built, inside):
        folder.mkdir(parents=True)
        (folder / "index.html").touch()
        assert guides.open_page(guides.first_page(), open_url) == ""
    assert opened == [str(folder / "index.html") for folder in (built, inside)]


@pytest.mark.usefixtures("app_controller")
def test_the_help_menu_says_how_to_make_the_web_pages(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here nobody has made them."""
    monkeypatch.setattr(guides, "first_page", lambda: tmp_path / "index.html")

    window.commands.library.web_pages.trigger()

    assert window.compose_page.banner.message == (
        "There are no web pages here: python packaging/build_docs.py makes them"
    )


@pytest.mark.parametrize(
    ("opens", "problem"),
    [(True, ""), (False, "no program opens {path}: open it in a file manager")],
)
def test_a_folder_is_opened_in_the_file_manager(opens: bool, problem: str, tmp_path: Path) -> None:
    """Without one the sentence has the path."""
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return opens

    assert guides.open_outside(tmp_path, open_url) == problem.format(path=tmp_path)
    assert opened == [str(tmp_path)]


def test_the_versions_are_in_the_about_box(
    app_controller: AppController, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With those of Python, torch and Qt, and the device."""
    del app_controller
    shown: list[str] = []
    monkeypatch.setattr(
        "musicrel.ui.shell.main_window.QMessageBox.about", lambda *words: shown.append(words[-1])
    )

    window.commands.about.trigger()

    assert all(name in shown[0] for name in ("musicrel ", "Python 3", "torch ", "Qt ", "device"))
