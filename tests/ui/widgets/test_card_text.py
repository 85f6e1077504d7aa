"""A text from outside: nothing that it names is loaded, in any window that shows a card."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

from musicrel.model import checkpoint
from musicrel.ui.jobs.worker import wait_for_all
from musicrel.ui.library.model_library import ModelLibrary
from musicrel.ui.shell import card_dialog
from musicrel.ui.widgets.card_text import CardText
from tests.helpers.models import tiny_card, tiny_config, tiny_model

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints

OpenCard = Callable[[QWidget], AbstractContextManager[QTextBrowser]]

HOSTILE = (
    "<img src='{place}'><h1>Trusted</h1>",
    "![a picture]({place})",
    "<link rel=stylesheet href='{place}'><script>1</script>",
    "[click](file://{place})",
)


@contextmanager
def of_dialog(parent: QWidget) -> Iterator[QTextBrowser]:
    """Open the dialog with the card of a model."""
    yield card_dialog.of_model(parent, "bad").text


@contextmanager
def of_list(parent: QWidget) -> Iterator[QTextBrowser]:
    """Open the list of models, and select one."""
    library = ModelLibrary(parent, lambda: False)
    library.show("bad")
    assert library.dialog is not None
    yield library.dialog.card
    library.dialog.close()
    wait_for_all(library.shut_down())


@pytest.mark.parametrize("open_card", [of_dialog, of_list])
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_card_loads_nothing(
    qtbot: QtBot, home: Path, hostile: str, open_card: OpenCard
) -> None:
    """HTML in it is no HTML, its pictures stay on the disk, and its links lead nowhere."""
    home.mkdir()
    picture = home / "secret.png"
    assert QImage(3, 3, QImage.Format.Format_RGB32).save(str(picture))
    model = tiny_model(tiny_config("relative"))
    licence = hostile.format(place=picture)
    checkpoint.save(home / "models" / "bad", model, tiny_card(model, licence=licence))
    parent = QWidget()
    qtbot.addWidget(parent)

    with open_card(parent) as text:
        document = text.document()
        text.grab()  # Qt loads a picture when it is painted
        kind = QTextDocument.ResourceType.ImageResource.value
        kept = [document.resource(kind, QUrl(name)) for name in (str(picture), picture.as_uri())]
        text.anchorClicked.emit(QUrl.fromLocalFile(str(picture)))
        shown, html, source = text.toPlainText(), document.toHtml(), text.source()

    assert "Licence" in shown
    assert [image.size() for image in kept if isinstance(image, QImage)] == 2 * [QSize(1, 1)]
    assert source.isEmpty()
    assert "<h1>Trusted" not in html


def test_a_card_is_shown(qtbot: QtBot) -> None:
    """With the Markdown that our own cards have: headings and tables."""
    text = CardText()
    qtbot.addWidget(text)
    text.show_markdown("# Model\n\n| by voice | |\n| --- | ---: |\n| alto | 0.5 |")

    assert text.toPlainText().split() == ["Model", "by", "voice", "alto", "0.5"]
    assert "<table" in text.document().toHtml()
