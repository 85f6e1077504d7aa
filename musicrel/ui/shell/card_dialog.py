"""Dialogs with a model card, or with a guide and a search in all guides."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, Qt, QUrl, Slot
from PySide6.QtGui import (
    QDesktopServices,
    QImage,
    QKeySequence,
    QShortcut,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from musicrel import paths, untrusted
from musicrel.errors import FileError, ModelError
from musicrel.language import tr
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.presentation.compose import model_card
from musicrel.presentation.words import guide_search
from musicrel.presentation.words.guide_search import Section
from musicrel.ui.widgets.card_text import CardText

_ABOUT: Final = tr("About {name}")
_ABOUT_NONE: Final = tr("About the model")
_NONE_SELECTED: Final = tr("No model is selected.")
NO_PROGRAM: Final = tr("no program opens {path}: open it in a file manager")

_SEARCH: Final = tr("Search in all guides (Ctrl+F)")
_FOUND: Final = tr("Sections found")
_NOTHING: Final = tr("No guide has “{text}”.")
_ROWS: Final = 7  # sections that are seen at once
_SPACING: Final = 2  # pixels around each
_ABOVE: Final = 40  # pixels between the upper edge of a guide and the words that are shown
_PICTURE: Final = 830  # greatest width of a picture in pixels: that of the text of a guide


class CardDialog(QDialog):
    def __init__(self, parent: QWidget, title: str, text: QTextBrowser) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.text = text
        self.text.setAccessibleName(title)
        self.text.document().setDocumentMargin(16)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text)
        layout.addWidget(self.buttons)
        self.resize(640, 660)


class GuideText(QTextBrowser):
    """A text whose pictures fit its width."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return what a link names; a picture at most as wide as the text, and as sharp."""
        found: object = super().loadResource(kind, name)
        if kind != QTextDocument.ResourceType.ImageResource.value or not isinstance(
            found, QByteArray
        ):
            return found
        image, widest = QImage.fromData(found), round(_PICTURE * self.devicePixelRatioF())
        if image.width() > widest:
            image = image.scaledToWidth(widest, Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(max(image.width() / _PICTURE, 1.0))
        return image


class GuideSearch(QLineEdit):
    """A field above a guide; sections of all guides with its words are listed below it."""

    def __init__(self, dialog: CardDialog, path: Path) -> None:
        super().__init__(placeholderText=_SEARCH, clearButtonEnabled=True)
        self._text, self._found = dialog.text, QListWidget()
        self._pages: list[Path] = []  # of each section
        self._sections: list[Section] = []
        self._first = path
        self.setAccessibleName(_SEARCH)
        self._found.setAccessibleName(_FOUND)
        self._found.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._found.setSpacing(_SPACING)
        self._found.hide()
        box = dialog.layout()
        if isinstance(box, QVBoxLayout):
            box.insertWidget(0, self)
            box.insertWidget(1, self._found)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), dialog)
        find.activated.connect(self.setFocus)
        self.textChanged.connect(self._search)
        self.returnPressed.connect(lambda: self._open(self._found.item(0)))
        self._found.itemActivated.connect(self._open)
        self._found.itemClicked.connect(self._open)

    @Slot(str)
    def _search(self, text: str) -> None:
        if not self._sections:
            self._read()
        hits = guide_search.search(self._sections, text)
        self._found.clear()
        for hit in hits:
            item = QListWidgetItem(f"{hit.title} – {hit.excerpt}" if hit.excerpt else hit.title)
            item.setData(Qt.ItemDataRole.UserRole, hit.place)
            self._found.addItem(item)
        if text.strip() and not hits:
            self._found.addItem(_NOTHING.format(text=text.strip()))
        rows = min(self._found.count(), _ROWS)
        height = rows * (self._found.sizeHintForRow(0) + 2 * _SPACING)
        self._found.setFixedHeight(height + 2 * self._found.frameWidth() + 2 * _SPACING)
        self._found.setVisible(bool(text.strip()))

    @Slot(QListWidgetItem)
    def _open(self, item: QListWidgetItem | None) -> None:
        """Show a section; its words are selected where they stand together."""
        place = item.data(Qt.ItemDataRole.UserRole) if item is not None else None
        if place is None:
            return
        self._text.setSource(QUrl.fromLocalFile(str(self._pages[place])))
        document, before = self._text.document(), self._pages[:place].count(self._pages[place])
        start, end = (*_headings(document), document.characterCount())[before : before + 2]
        cursor = document.find(self.text().strip(), start)
        if cursor.isNull() or cursor.position() >= end:
            cursor = QTextCursor(document)
            cursor.setPosition(start)
        self._text.setTextCursor(cursor)
        bar = self._text.verticalScrollBar()
        bar.setValue(bar.value() + self._text.cursorRect().top() - _ABOVE)

    def _read(self) -> None:
        """Read all guides: the user guide and its chapters, the one that is shown, the others."""
        chapters = sorted((folder() / "guide").glob("*.md"))
        for path in dict.fromkeys((*chapters, self._first, *(folder() / name for name in GUIDES))):
            with contextlib.suppress(FileError):
                text = untrusted.read(path, "guide").decode(errors="replace")
                found = [*guide_search.sections(text)]
                self._sections += found
                self._pages += [path] * len(found)


def _headings(document: QTextDocument) -> list[int]:
    """Return where the headings of a guide begin, one for each of its sections."""
    blocks = map(document.findBlockByNumber, range(document.blockCount()))
    return [block.position() for block in blocks if block.blockFormat().headingLevel()]


def of_guide(parent: QWidget, title: str, path: Path) -> CardDialog:
    """Return a dialog with a guide, or with the reason why it cannot be read.

    Its links to other guides open in the dialog, and a button leads back.
    """
    text = GuideText()
    text.setOpenExternalLinks(True)
    try:
        untrusted.read(path, "guide")
        text.setSource(QUrl.fromLocalFile(str(path)))
    except FileError as reason:
        text.setPlainText(f"{reason}")
    dialog = CardDialog(parent, title, text)
    GuideSearch(dialog, path)
    back = dialog.buttons.addButton(tr("&Back"), QDialogButtonBox.ButtonRole.ActionRole)
    back.setEnabled(False)
    back.clicked.connect(text.backward)
    text.backwardAvailable.connect(back.setEnabled)
    for button in dialog.buttons.buttons():
        if isinstance(button, QPushButton):
            button.setAutoDefault(False)  # Enter belongs to the search
    dialog.resize(900, 680)
    return dialog


def of_model(parent: QWidget, name: str) -> CardDialog:
    if not name:
        return CardDialog(parent, _ABOUT_NONE, CardText(_NONE_SELECTED))
    try:
        folder = catalogue.find(name)
        text = model_card.to_markdown(read_card(folder), folder.name)
    except ModelError as reason:
        text = f"{reason}"
    return CardDialog(parent, _ABOUT.format(name=name), CardText(text))


# file -> title in the menu
GUIDES: Final = {
    "guide/README.md": tr("&User guide"),
    "cli.md": tr("&Command line"),
    "attention.md": tr("&Attention and positional schemes"),
    "causal_map.md": tr("E&ffects and muted heads"),
    "two_models.md": tr("T&wo models side by side"),
    "teaching.md": tr("For &teachers"),
    "laboratory.md": tr("&Experiments"),
    "accessibility.md": tr("&Keyboard and screen readers"),
    "results.md": tr("&Results"),
    "how_it_works.md": tr("&How it works"),
    "formats.md": tr("File f&ormats"),
    "reference/commands.md": tr("Reference of co&mmands"),
    "reference/python.md": tr("Reference of &Python"),
}
KEYS: Final = {"guide/README.md": "F1"}
ABSENT: Final = tr("This guide is part of the source code of musicrel and is not installed")
NO_PAGES: Final = tr("there are no web pages here: python packaging/build_docs.py makes them")

_FIRST: Final = "index.html"


def fill(menu: QMenu, window: QWidget) -> None:
    menu.setToolTipsVisible(True)
    for name, title in GUIDES.items():
        action, path = menu.addAction(title), folder() / name
        action.setShortcut(QKeySequence(KEYS.get(name, "")))
        action.setEnabled(path.is_file())
        action.setToolTip("" if path.is_file() else ABSENT)
        plain = title.replace("&", "")
        action.triggered.connect(
            lambda _checked, plain=plain, path=path: of_guide(window, plain, path).open()
        )


def folder() -> Path:
    """Return the folder of the guides: in the wheel, or in the source tree."""
    inside = paths.assets() / "docs"
    return inside if inside.is_dir() else paths.assets().parent / "docs"


def first_page() -> Path:
    """Return the first of the web pages: in the wheel, or where ``build_docs.py`` writes it."""
    inside = paths.assets() / "manual" / _FIRST
    return inside if inside.is_file() else paths.assets().parent / "dist" / "docs" / _FIRST


def open_page(page: Path, opens: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> str:
    """Open a web page in the browser; return why that is not possible, or ""."""
    return open_outside(page, opens) if page.is_file() else NO_PAGES


def open_outside(path: Path, opens: Callable[[QUrl], bool] = QDesktopServices.openUrl) -> str:
    """Open a folder or file in the system's program for it; return why not, or ""."""
    return "" if opens(QUrl.fromLocalFile(str(path))) else NO_PROGRAM.format(path=path)
