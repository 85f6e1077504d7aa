"""The controller of the Roman numerals: under the roll, and, with the same switch, in the score."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.harmony import analysis
from musicrel.settings import NUMERALS_HIDDEN, NUMERALS_SHOWN
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.roll_numerals import RollNumerals

TIP: Final = "Show the chords as Roman numerals; files and prints of the score have them, too"


class NumeralsLayer(QObject):
    """The numerals of the shown piece, analysed in a thread.

    Args:
        action: switches them on; the score follows it, too.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        strip: RollNumerals,
        action: QAction,
    ) -> None:
        super().__init__(document)
        self._document, self._preferences = document, preferences
        self._strip, self._action = strip, action
        self._job = LatestJob(self)
        action.setToolTip(TIP)
        action.setChecked(preferences.settings.numerals == NUMERALS_SHOWN)
        for signal, slot in (
            (action.toggled, self._update),
            (action.triggered, self._remember),
            (document.generation_started, self._update),
            (document.shown_changed, self._update),
            (self._job.finished, strip.show_numerals),
            (self._job.failed, messages.report),
        ):
            signal.connect(slot)
        self._update()

    @property
    def busy(self) -> bool:
        """Return True while a piece is being analysed."""
        return self._job.busy

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the job to end; return the workers to wait for."""
        return self._job.shut_down()

    @Slot(bool)
    def _remember(self, on: bool) -> None:
        self._preferences.remember(numerals=NUMERALS_SHOWN if on else NUMERALS_HIDDEN)

    @Slot()
    def _update(self) -> None:
        """Analyse the shown piece if numerals are on; those before stay until that is done."""
        piece = self._document.shown
        self._job.cancel()
        if not self._action.isChecked():
            self._strip.show_numerals(None)
        elif piece is None:
            self._strip.show_numerals(())
        else:
            self._strip.show_numerals(self._strip.numerals or ())
            self._job.request(partial(analysis.analyse, piece))
