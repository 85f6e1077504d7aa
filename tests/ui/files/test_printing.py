"""Printing: dialogs, jobs, pages."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QFileDialog

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import FileError, UsageError
from musicrel.figures import engraver, sheets
from musicrel.figures.sheets import Content, PrintChoice
from musicrel.ui.actions.commands import NOTHING_TO_PRINT
from musicrel.ui.document.document import GENERATING
from musicrel.ui.files import exports
from musicrel.ui.files.exports import PrintDialog
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import child
from tests.ui.user import User

BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
LONG = Chorale.of(np.tile(BAR, (44, 1)), title="Wär Gott nicht mit uns", composer="Anna B.")
SHORT = LONG.cropped(0, 64)


def pdf_printer(path: Path) -> QPrinter:
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(path))
    printer.setPageLayout(sheets.page_layout(letter=False))
    return printer


def pages_of(path: Path) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))


@pytest.fixture
def one_printer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", staticmethod(lambda: ["Office"]))


@pytest.fixture
def no_printer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", staticmethod(list))


def opened(window: MainWindow) -> PrintDialog:
    """Print by the menu; return the dialog that opens."""
    window.commands.file.print.trigger()
    return child(window, PrintDialog)


# ---------------------------------------------------------------------- jobs


@pytest.mark.parametrize(("content", "pages"), [("score", 2), ("roll", 1), ("both", 3)])
def test_score_and_roll_are_printed_as_vectors(
    tmp_path: Path, content: Content, pages: int
) -> None:
    shares: list[float] = []
    job = exports.print_piece(LONG, pdf_printer(tmp_path / "a.pdf"), PrintChoice(content=content))
    result = jobs.run(job, shares.append)

    assert pages_of(tmp_path / "a.pdf") == pages
    assert b"/Subtype /Image" not in (tmp_path / "a.pdf").read_bytes()
    assert result.sentence.endswith("sent to a.pdf")
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert shares == sorted(shares)


def test_captioned_scores_share_pages_without_overlapping(tmp_path: Path) -> None:
    """The second begins below the first, with its caption above its first system."""
    job = sheets.write_captioned([(SHORT, "A"), (LONG, "B")], tmp_path / "a.pdf", PrintChoice())
    count = jobs.run(job)
    assert pages_of(tmp_path / "a.pdf") == count > 1

    scores = [(jobs.run(engraver.engrave(piece, width=900)), name)
              for piece, name in ((SHORT, "A"), (LONG, "B"))]  # fmt: skip
    found = sheets.captioned_pages(scores, SHORT.title, 267.0, sheets.SCALE)
    assert [text.text for page in found for text in page.texts] == [SHORT.title, "A", "B"]
    assert sum(len(page.systems) for page in found) == sum(len(one.systems) for one, _ in scores)
    for page in found:
        ends = [top + system.height * sheets.SCALE for system, top in page.systems]
        starts = [top for _, top in page.systems]
        assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
        assert ends[-1] <= 267.0


def test_only_the_chosen_pages_are_printed(tmp_path: Path) -> None:
    printer = pdf_printer(tmp_path / "a.pdf")
    printer.setFromTo(2, 2)
    result = jobs.run(exports.print_piece(LONG, printer, PrintChoice()))
    printer.setFromTo(3, 4)

    assert result.sentence == "1 page sent to a.pdf"
    with pytest.raises(UsageError, match="not printed: there is no page 3: the piece has 2 pages"):
        jobs.run(exports.print_piece(LONG, printer, PrintChoice()))


@pytest.mark.parametrize("layout", ["staves", "parts"])
def test_four_staves_need_more_pages(tmp_path: Path, layout: str) -> None:
    choice = PrintChoice(layout="parts" if layout == "parts" else "staves")
    jobs.run(exports.save_pdf(LONG, tmp_path / "a.pdf", choice))

    assert pages_of(tmp_path / "a.pdf") == (3 if layout == "parts" else 2)


def test_a_cancelled_print_is_taken_back(tmp_path: Path) -> None:
    aborted: list[bool] = []

    class Printer(QPrinter):
        def abort(self) -> bool:
            aborted.append(True)
            return super().abort()

    printer = Printer(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFileName(str(tmp_path / "a.pdf"))
    job = exports.print_piece(LONG, printer, PrintChoice())
    next(job)
    job.close()
    assert not (tmp_path / "a.pdf").exists()
    assert aborted == []

    job = exports.print_piece(LONG, printer, PrintChoice())
    while next(job) < 0.9:
        pass
    job.close()
    assert aborted == [True]


@pytest.mark.qt_log_ignore(r"QPainter::begin")
def test_a_printer_that_accepts_nothing_is_one_sentence(tmp_path: Path) -> None:
    printer = pdf_printer(tmp_path / "no folder" / "a.pdf")

    with pytest.raises(FileError, match=r"not printed: the printer accepts nothing: .* save a PDF"):
        jobs.run(exports.print_piece(SHORT, printer, PrintChoice()))


def test_a_pdf_that_cannot_be_saved_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    with pytest.raises(FileError, match=r"the PDF is not saved: cannot write .*a\.pdf"):
        jobs.run(exports.save_pdf(SHORT, tmp_path / "file" / "a.pdf", PrintChoice()))


# ---------------------------------------------------------------------- dialogs


@pytest.mark.usefixtures("no_printer")
def test_without_a_printer_a_pdf_can_be_saved(user: User, tmp_path: Path) -> None:
    user.generate()
    dialog = opened(user.window)

    assert not dialog.action_button.isEnabled()
    assert dialog.action_button.toolTip() == dialog.note.text() == exports.NO_PRINTER
    dialog.save_button.click()
    chooser = child(user.window, QFileDialog)
    assert Path(chooser.selectedFiles()[0]).name == "Chorale 7.pdf"
    chooser.fileSelected.emit(str(tmp_path / "mine.pdf"))
    chooser.close()
    user.wait(lambda: not user.app.files.worker.busy)
    assert user.state == f"Saved 1 page as mine.pdf in {tmp_path}"
    assert pages_of(tmp_path / "mine.pdf") == 1


@pytest.mark.usefixtures("one_printer")
def test_the_dialog_of_the_system_follows(user: User, tmp_path: Path) -> None:
    user.generate()
    dialog = opened(user.window)
    dialog.content.setCurrentIndex(dialog.content.findData("both"))
    dialog.action_button.click()
    system = child(user.window, QPrintDialog)
    system.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    system.printer().setOutputFileName(str(tmp_path / "out.pdf"))
    system.done(QDialog.DialogCode.Accepted)
    user.wait(lambda: not user.app.files.worker.busy)

    assert user.state == "2 pages sent to out.pdf"
    assert pages_of(tmp_path / "out.pdf") == 2
    user.wait(lambda: user.window.findChild(PrintDialog) is None)
    again = opened(user.window)
    assert again.choice.content == "both"
    again.reject()


@pytest.mark.usefixtures("one_printer")
def test_a_dialog_that_is_closed_prints_nothing(user: User) -> None:
    user.generate()
    opened(user.window).action_button.click()
    system = child(user.window, QPrintDialog)
    system.reject()

    assert not user.app.files.worker.busy


@pytest.mark.usefixtures("one_printer")
def test_staves_are_those_of_the_view_and_a_roll_has_none(user: User) -> None:
    user.generate()
    user.commands.four_staves.setChecked(True)
    dialog = opened(user.window)

    assert dialog.choice == PrintChoice(layout="parts")
    dialog.content.setCurrentIndex(dialog.content.findData("roll"))
    assert not dialog.staves.isEnabled()
    assert dialog.staves.toolTip() != ""
    dialog.reject()


@pytest.mark.usefixtures("one_printer")
def test_repeat_signs_are_those_of_the_menu_unless_the_dialog_has_others(user: User) -> None:
    user.generate()
    user.commands.repeat_signs.setChecked(True)
    dialog = opened(user.window)

    assert dialog.choice == PrintChoice(repeat_signs=True)
    dialog.repeat_signs.click()
    assert dialog.choice == PrintChoice()
    dialog.reject()


def test_a_page_is_shorter_with_repeat_signs(tmp_path: Path) -> None:
    counts = []
    for signs in (False, True):
        choice = PrintChoice(repeat_signs=signs)
        counts.append(jobs.run(sheets.write_pdf(LONG, tmp_path / "a.pdf", choice)))

    assert counts[0] > counts[1] > 0


@pytest.mark.usefixtures("one_printer")
def test_without_verovio_the_roll_is_printed(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    user.generate()
    monkeypatch.setattr(engraver, "disabled_reason", lambda: engraver.MISSING)
    dialog = opened(user.window)

    assert dialog.choice.content == "roll"
    assert dialog.content.toolTip() == engraver.MISSING
    dialog.reject()


def test_there_is_nothing_to_print_at_first_and_during_generation(user: User) -> None:
    command = user.commands.file.print
    assert (command.isEnabled(), command.toolTip()) == (False, NOTHING_TO_PRINT)
    user.hold(40)
    assert (command.isEnabled(), command.toolTip()) == (False, GENERATING)
    user.stop()
    assert command.isEnabled()
    assert command.shortcut().toString() == "Ctrl+P"
    user.app.files.ask_to_print()
    dialog = child(user.window, PrintDialog)
    dialog.reject()
