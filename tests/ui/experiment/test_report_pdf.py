"""Reports of studies as PDF and from the experiment page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPdfWriter
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.errors import UsageError
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.report.blocks import (
    Block,
    Cell,
    Figure,
    Heading,
    Paragraph,
    Report,
    Table,
)
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment import report_pdf
from musicrel.ui.experiment.study_jobs import REPORT_SAVED, StudyService
from tests.ui.experiment.study_app import SOON, page, state, waiting

STUDY = Path(__file__).parents[2] / "data" / "version1" / "study"
PICTURE = Drawing(width=760, height=40, background="#ffffff", title="", items=())


@pytest.mark.usefixtures("qapp")
def test_a_report_is_printed_on_as_many_pages_as_it_needs(tmp_path: Path) -> None:
    """Two hundred rows fill several pages."""
    rows = tuple((Cell(f"arm {number}"), Cell("1", 1.0)) for number in range(200))
    table = Table(key="t", title="Rows", heads=("arm", "n"), rows=rows)
    blocks = (Heading("First"), Paragraph("Text."), Figure(PICTURE, "Caption"), table)
    report_pdf.write(Report(title="One", blocks=blocks), tmp_path / "long.pdf")
    report_pdf.write(Report(title="One", blocks=blocks[:3]), tmp_path / "short.pdf")

    sizes = {name: (tmp_path / f"{name}.pdf").read_bytes() for name in ("long", "short")}
    assert sizes["long"].startswith(b"%PDF-")
    assert sizes["short"].count(b"/Type /Page\n") == 1
    assert sizes["long"].count(b"/Type /Page\n") > 2


@pytest.mark.usefixtures("qapp")
def test_a_heading_and_a_picture_are_on_the_page_of_their_text() -> None:
    """Wherever the page ends."""
    found = set()
    for number in range(30, 46):
        lines = tuple(Paragraph(f"Line {line}.") for line in range(number))
        blocks: tuple[Block, ...] = (*lines, Heading("Last"), Figure(PICTURE, "Caption"))
        store = QBuffer()
        store.open(QIODevice.OpenModeFlag.WriteOnly)
        document = report_pdf.pages(Report(title="One", blocks=blocks), QPdfWriter(store))
        caption = document.lastBlock()
        parts = (caption.previous().previous(), caption.previous(), caption)
        assert [part.text() for part in (parts[0], caption)] == ["Last", "Caption"]
        assert len({report_pdf.page_of(part) for part in parts}) == 1
        found.add((report_pdf.page_of(caption), report_pdf.page_of(parts[0].previous())))

    assert found == {(0, 0), (1, 0), (1, 1)}


@pytest.mark.usefixtures("qapp")
def test_the_report_of_a_study_is_saved_by_suffix(tmp_path: Path) -> None:
    """A study of version 1, too."""
    service = StudyService()

    for name, start in (("a.html", b"<!DOCTYPE html>"), ("a.pdf", b"%PDF-")):
        message = jobs.run(service.save_report(STUDY, tmp_path / name))
        assert message == REPORT_SAVED.format(name=name, folder=tmp_path)
        assert (tmp_path / name).read_bytes().startswith(start)


def test_a_study_without_training_has_its_own_report(tmp_path: Path) -> None:
    """The message names the file."""
    (tmp_path / "study.toml").write_text('name = "m"\nkind = "memory"\n')
    (tmp_path / "study.json").write_text('{"format": "musicrel-memory", "version": 1}')

    with pytest.raises(UsageError, match=r"its report is report\.md"):
        jobs.run(StudyService().save_report(tmp_path, tmp_path / "a.html"))
    assert not (tmp_path / "a.html").exists()


def test_a_report_is_saved_from_the_page(
    open_app: Callable[[], AppController], qtbot: QtBot, tmp_path: Path
) -> None:
    """The button is disabled, with its reason, before there is a result."""
    app_controller = open_app()
    app_controller.studies.choose(waiting())
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    button = page(app_controller).study.report
    assert not button.isEnabled()
    assert button.toolTip() == "There is no result to report yet"

    app_controller.studies.choose(STUDY)
    qtbot.waitUntil(button.isEnabled, timeout=SOON)
    app_controller.studies.save_report(STUDY, tmp_path / "report.html")
    qtbot.waitUntil((tmp_path / "report.html").exists, timeout=SOON)
