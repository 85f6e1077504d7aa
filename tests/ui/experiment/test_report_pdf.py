"""Reports of studies as PDF and from the experiment page."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPdfWriter

from musicrel import jobs
from musicrel.errors import UsageError
from musicrel.experiment.study.blocks import Block, Cell, Figure, Heading, Paragraph, Report, Table
from musicrel.experiment.study.study_curves import CurveChoice, Curves
from musicrel.ui.experiment import report_pdf, study_jobs
from tests.ui.experiment.study_app import SOON, page, state, waiting
from tests.ui.user import User

STUDY = Path(__file__).parents[2] / "data" / "version1" / "study"
PICTURE = Figure(data=Curves(title="", arms=(), choice=CurveChoice()), title="", caption="Caption")


@pytest.mark.usefixtures("qapp")
def test_a_report_is_printed_on_as_many_pages_as_it_needs(tmp_path: Path) -> None:
    rows = tuple((Cell(f"arm {number}"), Cell("1", 1.0)) for number in range(200))
    table = Table(key="t", title="Rows", heads=("arm", "n"), rows=rows)
    blocks = (Heading("First"), Paragraph("Text."), PICTURE, table)
    report_pdf.write(Report(title="One", blocks=blocks), tmp_path / "long.pdf")
    report_pdf.write(Report(title="One", blocks=blocks[:3]), tmp_path / "short.pdf")

    sizes = {name: (tmp_path / f"{name}.pdf").read_bytes() for name in ("long", "short")}
    assert sizes["long"].startswith(b"%PDF-")
    assert sizes["short"].count(b"/Type /Page\n") == 1
    assert sizes["long"].count(b"/Type /Page\n") > 2


@pytest.mark.usefixtures("qapp")
def test_a_heading_and_a_picture_are_on_the_page_of_their_text() -> None:
    found = set()
    for number in range(16, 48, 2):
        lines = tuple(Paragraph(f"Line {line}.") for line in range(number))
        blocks: tuple[Block, ...] = (*lines, Heading("Last"), PICTURE)
        store = QBuffer()
        store.open(QIODevice.OpenModeFlag.WriteOnly)
        document = report_pdf.pages(Report(title="One", blocks=blocks), QPdfWriter(store))
        caption = document.lastBlock()
        parts = (caption.previous().previous(), caption.previous(), caption)
        assert [part.text() for part in (parts[0], caption)] == ["Last", "Caption"]
        assert len({report_pdf.page_of(part) for part in parts}) == 1
        found.add((report_pdf.page_of(caption), report_pdf.page_of(parts[0].previous())))

    assert found == {(0, 0), (1, 0), (1, 1)}


def test_a_study_without_training_has_its_own_report(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('name = "m"\nkind = "memory"\n')
    (tmp_path / "study.json").write_text('{"format": "musicrel-memory", "version": 1}')

    with pytest.raises(UsageError, match=r"its report is report\.md"):
        jobs.run(study_jobs.read_report(tmp_path))


def test_a_report_is_saved_from_the_page(user: User, tmp_path: Path) -> None:
    user.app.studies.choose(waiting())
    user.wait(lambda: state(user.app) == "queued", timeout=SOON)
    button = page(user.app).study.report
    assert not button.isEnabled()
    assert button.toolTip() == "There is no result to report yet"

    user.app.studies.choose(STUDY)
    user.wait(button.isEnabled, timeout=SOON)
    for name, start in (("report.html", b"<!DOCTYPE html>"), ("report.pdf", b"%PDF-")):
        user.app.studies.save_report(STUDY, tmp_path / name)
        user.wait((tmp_path / name).exists, timeout=SOON)
        assert (tmp_path / name).read_bytes().startswith(start)
