"""The dialog with a model card."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.shell import card_dialog


def test_card_of_a_bundled_model_is_shown(qtbot: QtBot) -> None:
    """The title names the model."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = card_dialog.of_model(parent, "relative")
    assert dialog.windowTitle() == "About relative"
    assert "Training data" in dialog.text.toPlainText()
    assert "musicrel evaluate --model relative --split test" in dialog.text.toPlainText()


def test_missing_model_is_reported(qtbot: QtBot) -> None:
    """The text is the reason."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = card_dialog.of_model(parent, "nobody")
    assert "no model 'nobody': expected a model directory" in dialog.text.toPlainText()


@pytest.mark.parametrize(("width", "shown"), [(1660, 830), (300, 300)])
def test_pictures_of_a_guide_fit_its_width(
    qtbot: QtBot, tmp_path: Path, width: int, shown: int
) -> None:
    """A wide one is shown smaller, a narrow one as it is."""
    image = QImage(width, width // 2, QImage.Format.Format_RGB32)
    image.fill(0)
    assert image.save(str(tmp_path / "chart.png"))
    parent = QWidget()
    qtbot.addWidget(parent)
    guide = tmp_path / "guide.md"
    guide.write_text("![Chart](chart.png)", encoding="utf-8")

    dialog = card_dialog.of_guide(parent, "Guide", guide)
    found = dialog.text.loadResource(
        QTextDocument.ResourceType.ImageResource.value, QUrl("chart.png")
    )

    assert isinstance(found, QImage)
    assert found.deviceIndependentSize().width() == pytest.approx(shown)


def test_links_between_guides_lead_there_and_back(qtbot: QtBot, tmp_path: Path) -> None:
    """Each page shows its own pictures and links; the button is disabled on the first one."""
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "first.md").write_text("# First\n\n[on](../second.md)\n", "utf-8")
    (tmp_path / "second.md").write_text("# Second\n\n[third](part/third.md)\n", "utf-8")
    (tmp_path / "part" / "third.md").write_text("# Third\n", "utf-8")
    parent = QWidget()
    qtbot.addWidget(parent)
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


def test_a_guide_that_cannot_be_read_gives_the_reason(qtbot: QtBot, tmp_path: Path) -> None:
    """It may have been deleted while the app is open."""
    parent = QWidget()
    qtbot.addWidget(parent)

    dialog = card_dialog.of_guide(parent, "Guide", tmp_path / "gone.md")

    assert dialog.text.toPlainText().startswith("cannot read")
