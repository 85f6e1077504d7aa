"""Reasons why the seed of a used take may give other notes: its settings, or the machine."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.chorale import Chorale
from musicrel.presentation.compose import machine_differences
from musicrel.presentation.compose.form_from_provenance import form_from_provenance
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent, WarmUp
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker

LEFT_OUT: Final = "{title} was made with {settings}, not in the form: its seed gives other notes"
DIFFERS: Final = "{title} was made with {differences}: its seed may give other notes here"


class Recall(QObject):
    """A comparison of the settings and the machine of the present piece with those here.

    The latter loads the model of the piece, which is the one that writes next.
    """

    def __init__(
        self, document: Document, messages: Messages, preferences: Preferences, *, warm_up: WarmUp
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._warm_up, self._job = warm_up, LatestJob(self)
        self._here: Loaded | None = None
        self._job.events_received.connect(self._note)
        self._job.finished.connect(self._compare)

    @property
    def busy(self) -> bool:
        """Return True while the model of the piece is being loaded."""
        return self._job.busy

    @Slot()
    def recall(self) -> None:
        piece = self._document.piece
        origin = piece.provenance if piece is not None else None
        left_out = form_from_provenance(origin).left_out
        if piece is not None and left_out:
            text = LEFT_OUT.format(title=piece.title, settings=", ".join(left_out))
            self._messages.show_state(text)
            self._job.cancel()
        elif origin is not None and origin.machine and self._document.choice_of(origin.model):
            self._here = None
            self._job.request(partial(self._warm_up, origin.model, self._preferences.device))
        else:
            self._job.cancel()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the job to end; return the workers to wait for."""
        return self._job.shut_down()

    @Slot(object)
    def _note(self, events: tuple[LoadEvent, ...]) -> None:
        self._here = next((one for one in events if isinstance(one, Loaded)), self._here)

    @Slot()
    def _compare(self) -> None:
        piece = self._document.piece
        if piece is not None and self._here is not None and not self._document.generating:
            self._show_differences(piece, self._here)

    def _show_differences(self, piece: Chorale, here: Loaded) -> None:
        origin = piece.provenance
        if origin is None or origin.model != here.model:
            return
        found = machine_differences.describe(origin.machine, here.machine)
        if found:
            self._messages.show_state(DIFFERS.format(title=piece.title, differences=found))
