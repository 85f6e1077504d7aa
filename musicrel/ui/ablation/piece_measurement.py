"""The measurement of the effects of heads on a whole piece, in a worker thread."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Replacement
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.ui.ablation.note_jobs import NoteJobs, NoteQuery
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker


class PieceMeasurement(QObject):
    """A runner of one measurement at a time.

    Attributes:
        effects: of the last measurement as far as known; None: there is none.
        share: its progress, 0 to 1; None: none is running.
    """

    changed = Signal()  # effects or progress have changed
    failed = Signal(str)  # it failed; an error message for the user

    def __init__(self, jobs: NoteJobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._job = jobs, LatestJob(self)
        self._query: NoteQuery | None = None
        self.effects: HeadEffects | None = None
        self.share: float | None = None
        self._job.events_received.connect(self._on_events)
        self._job.finished.connect(self._on_finished)
        self._job.failed.connect(self._on_failed)

    @property
    def busy(self) -> bool:
        return self._job.busy

    @property
    def model(self) -> str:
        """Return the name of the measured model; "" without one."""
        return self._query.model if self._query is not None else ""

    def start(self, query: NoteQuery) -> None:
        """Measure the piece of a query under its model."""
        self._query, self.effects, self.share = query, None, 0.0
        self._job.request(partial(self._jobs.measure, query))
        self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """Stop; what is known stays."""
        self._job.cancel()
        self.share = None
        self.changed.emit()

    def keep_only(self, piece: Chorale | None, replacements: Mapping[str, Replacement]) -> None:
        """Drop a measurement of another piece, model or replacement."""
        before = self._query
        if before is None:
            return
        if before.piece is not piece or replacements.get(before.model) != before.mutes.by:
            self._query = self.effects = None
            self.cancel()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the job to end; return the workers to wait for."""
        return self._job.shut_down()

    @Slot(object)
    def _on_events(self, events: tuple[object, ...]) -> None:
        from musicrel.presentation.ablation.piece_effects import Measured

        measured = [event for event in events if isinstance(event, Measured)]
        if measured:
            self.effects, self.share = measured[-1]
            self.changed.emit()

    @Slot(object)
    def _on_finished(self, effects: HeadEffects) -> None:
        self.effects, self.share = effects, None
        self.changed.emit()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self.share = None
        self.failed.emit(sentence)
