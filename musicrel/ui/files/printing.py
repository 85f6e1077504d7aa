"""Printing: the dialogs of what and where, and the job that follows.

The parts of Qt that print are imported with the first use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QWidget

from musicrel.chorale import Chorale
from musicrel.presentation.score import engraver
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_jobs import StartJob
from musicrel.ui.files.print_dialog import PrintChoice, PrintDialog
from musicrel.ui.score import paper, score_pdf

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog

NO_PRINTER: Final = "No printer is set up on this computer: save a PDF instead"
_SAVE_TITLE: Final = "Save as PDF"


class Printing(QObject):
    """The way from the command to the job that prints."""

    def __init__(self, window: QWidget, start: StartJob, folder: Callable[[], str]) -> None:
        super().__init__(window)
        self._window, self._start, self._folder = window, start, folder
        self._choice = PrintChoice()

    def ask(self, piece: Chorale, choice: PrintChoice) -> PrintDialog:
        from PySide6.QtPrintSupport import QPrinterInfo

        dialog = PrintDialog(self._window)
        dialog.set_choice(replace(choice, content=self._choice.content))
        if reason := engraver.disabled_reason():
            dialog.set_no_score(reason)
        if not QPrinterInfo.availablePrinterNames():
            dialog.set_no_printer(NO_PRINTER)
        dialog.print_clicked.connect(lambda choice: self.ask_printer(piece, choice))
        dialog.save_clicked.connect(lambda choice: self._ask_path(piece, choice))
        dialog.open()
        return dialog

    def ask_printer(self, piece: Chorale, choice: PrintChoice) -> QPrintDialog:
        """Open the dialog of the system for printer, paper and pages."""
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        from musicrel.ui.files import print_jobs

        self._choice = choice
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(piece.title or print_jobs.NAMELESS)
        printer.setCreator("musicrel")
        printer.setPageLayout(paper.layout())
        dialog = QPrintDialog(printer, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answer(result: int) -> None:
            if result == QDialog.DialogCode.Accepted:
                job = print_jobs.print_piece(piece, printer, choice)
                self._start(job, print_jobs.doing(piece))

        dialog.finished.connect(answer)
        QDialog.open(dialog)  # that of QPrintDialog needs a slot
        return dialog

    def _ask_path(self, piece: Chorale, choice: PrintChoice) -> None:
        """Open the dialog for the file of a PDF."""
        from musicrel.ui.files import print_jobs

        self._choice = choice

        def save(path: Path) -> None:
            self._start(print_jobs.save_pdf(piece, path, choice), print_jobs.doing(piece))

        file_dialogs.ask_new_path(
            self._window,
            _SAVE_TITLE,
            name=piece.title,
            suffixes=(score_pdf.SUFFIX,),
            answer=save,
            folder=self._folder(),
        )
