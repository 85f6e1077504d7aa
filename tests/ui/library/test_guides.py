"""The guides and the log in the Help menu."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu
from pytestqt.qtbot import QtBot

from musicrel import paths
from musicrel.ui.shell import card_dialog
from musicrel.ui.shell.card_dialog import GUIDES, CardDialog, GuideSearch
from tests.ui.controllers.user_actions import child
from tests.ui.user import User

ROOT = Path(__file__).parents[3]
FOLDERS = ("musicrel/ui", "musicrel/presentation", "musicrel/analysis/claims")
PAGES = {
    "teaching.md": "",
    "two_models.md": "",
    "accessibility.md": "",
    "causal_map.md": "## In the app",
}
CHAPTERS = sorted(path.name for path in (ROOT / "docs" / "guide").glob("[0-9]*.md"))
"""Guide -> the heading of the section with names of buttons; "": the whole guide."""
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
FIELD = re.compile(r"\{.*?\}")
LETTERS = re.compile("[A-Za-z]{4}")


def test_all_guides_are_there() -> None:
    assert [name for name in GUIDES if not (card_dialog.folder() / name).is_file()] == []


def test_a_guide_is_shown_in_the_app(user: User) -> None:
    user.commands.library.guides.actions()[1].trigger()

    dialog = child(user.window, CardDialog)
    assert dialog.windowTitle() == "Command line"
    assert "musicrel generate" in dialog.text.toPlainText()
    dialog.close()


def test_f1_opens_the_user_guide(user: User) -> None:
    (action,) = (
        one
        for one in user.commands.library.guides.actions()
        if one.shortcut() == QKeySequence("F1")
    )
    action.trigger()

    dialog = child(user.window, CardDialog)
    assert dialog.windowTitle() == "User guide"
    dialog.text.setSource(dialog.text.source().resolved(QUrl("01-first-piece.md")))
    assert dialog.text.toPlainText().startswith("The first piece")
    dialog.close()


def test_all_guides_are_searched_from_the_field_above(user: User) -> None:
    user.commands.library.guides.actions()[0].trigger()
    dialog = child(user.window, CardDialog)
    field, found = child(dialog, GuideSearch), child(dialog, QListWidget)
    assert not found.isVisible()

    QTest.keyClicks(field, "practice files")
    titles = [found.item(row).text() for row in range(found.count())]
    assert titles[0].startswith("Playing: Practice files – ")
    assert any("Practice files, metronome and fermatas – " in title for title in titles)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert dialog.text.source().fileName() == "04-playing.md"
    assert dialog.text.textCursor().selectedText().lower() == "practice files"

    field.setText("saxophone")
    assert [found.item(row).text() for row in range(found.count())] == ["No guide has “saxophone”."]
    found.itemActivated.emit(found.item(0))
    assert dialog.text.source().fileName() == "04-playing.md"
    field.clear()
    assert not found.isVisible()
    dialog.close()


def test_a_section_is_opened_at_its_heading(user: User) -> None:
    user.commands.library.guides.actions()[0].trigger()
    dialog = child(user.window, CardDialog)
    field, found = child(dialog, GuideSearch), child(dialog, QListWidget)
    opened = {}
    for words in ("programs", "scheme", "window"):
        field.setText(words)
        for item in filter(None, map(found.item, range(found.count()))):
            found.itemActivated.emit(item)
            cursor = dialog.text.textCursor()
            block = cursor.block()
            while not block.blockFormat().headingLevel():
                block = block.previous()
            opened[item.text().partition(" – ")[0]] = block.text().strip()
    assert len(opened) > 30
    assert [title for title, heading in opened.items() if not title.endswith(heading)] == []
    dialog.close()


def test_a_guide_that_is_not_installed_has_the_reason(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    menu = QMenu()
    qtbot.addWidget(menu)

    card_dialog.fill(menu, menu)

    assert {action.isEnabled() for action in menu.actions()} == {False}
    assert {action.toolTip() for action in menu.actions()} == {card_dialog.ABSENT}


def test_guides_inside_the_wheel_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    assert card_dialog.folder() == tmp_path / "docs"
    (tmp_path / "assets" / "docs").mkdir(parents=True)
    assert card_dialog.folder() == tmp_path / "assets" / "docs"


def test_web_pages_open_in_the_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    built, inside = tmp_path / "dist" / "docs", tmp_path / "assets" / "manual"
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    assert card_dialog.open_page(card_dialog.first_page(), open_url) == card_dialog.NO_PAGES
    for folder in (built, inside):
        folder.mkdir(parents=True)
        (folder / "index.html").touch()
        assert card_dialog.open_page(card_dialog.first_page(), open_url) == ""
    assert opened == [str(folder / "index.html") for folder in (built, inside)]


def test_the_help_menu_says_how_to_make_the_web_pages(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(card_dialog, "first_page", lambda: tmp_path / "index.html")

    user.commands.library.web_pages.trigger()

    assert user.message == (
        "There are no web pages here: python packaging/build_docs.py makes them"
    )


@pytest.mark.parametrize(
    ("opens", "problem"),
    [(True, ""), (False, "no program opens {path}: open it in a file manager")],
)
def test_a_folder_is_opened_in_the_file_manager(opens: bool, problem: str, tmp_path: Path) -> None:
    opened: list[str] = []

    def open_url(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return opens

    assert card_dialog.open_outside(tmp_path, open_url) == problem.format(path=tmp_path)
    assert opened == [str(tmp_path)]


def test_the_versions_are_in_the_about_box(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(
        "musicrel.ui.shell.main_window.QMessageBox.about", lambda *words: shown.append(words[-1])
    )

    user.commands.about.trigger()

    assert all(name in shown[0] for name in ("musicrel ", "Python 3", "torch ", "Qt ", "device"))


@cache
def texts_on_screen() -> tuple[re.Pattern[str], ...]:
    """Return the texts in the code, without marks of keys; a field stands for anything."""
    found = {
        node.value.replace("&", "")
        for folder in FOLDERS
        for file in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return tuple(
        re.compile(".+".join(map(re.escape, FIELD.split(text))))
        for text in found
        if not FIELD.search(text) or LETTERS.search(FIELD.sub("", text))
    )


def names_in(guide: str, heading: str) -> Iterator[str]:
    text = (card_dialog.folder() / guide).read_text(encoding="utf-8")
    section = text.partition(heading)[2].partition("\n## ")[0] if heading else text
    for match in BOLD.finditer(section):
        yield " ".join(match[1].split())


@pytest.mark.parametrize(("guide", "heading"), PAGES.items())
def test_names_of_buttons_are_those_on_the_screen(guide: str, heading: str) -> None:
    """Another name in the code must be changed in the guide, too."""
    names = set(names_in(guide, heading)) - {"bold"}

    assert len(names) > 5
    unknown = {one for one in names if not any(text.fullmatch(one) for text in texts_on_screen())}
    assert unknown == set()


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_names_in_the_user_guide_are_those_on_the_screen(chapter: str) -> None:
    names = {part for name in names_in(f"guide/{chapter}", "") for part in name.split(" > ")}
    screen = texts_on_screen()

    assert names
    assert {one for one in names if not any(text.fullmatch(one) for text in screen)} == set()


@pytest.mark.parametrize("guide", [*card_dialog.GUIDES, *(f"guide/{name}" for name in CHAPTERS)])
def test_pictures_and_links_of_a_guide_lead_to_files(guide: str) -> None:
    text = (card_dialog.folder() / guide).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", text)
    local = [target for target in targets if not target.startswith("http")]
    beside = (card_dialog.folder() / guide).parent

    assert [one for one in local if not (beside / one).is_file()] == []
