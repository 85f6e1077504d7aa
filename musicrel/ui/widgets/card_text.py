"""View of a model card, or of another text from outside."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import QImage, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser

_WITHOUT_HTML: Final = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class CardText(QTextBrowser):
    """A text from outside: HTML in it is left out, nothing is loaded, and links lead nowhere."""

    def __init__(self, markdown: str = "") -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.show_markdown(markdown)

    def show_markdown(self, markdown: str) -> None:
        self.document().setMarkdown(markdown, _WITHOUT_HTML)
        self.moveCursor(QTextCursor.MoveOperation.Start)  # else it opens at its end

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return an empty picture; for no picture at all Qt itself would look on the disk."""
        del name
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return QByteArray()
        empty = QImage(1, 1, QImage.Format.Format_ARGB32)
        empty.fill(Qt.GlobalColor.transparent)
        return empty
