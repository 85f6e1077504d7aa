"""Preview of infilling: the roll shows the first candidate while it is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Slot

from musicrel.presentation.roll import infill_snapshot
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.sketch import Sketch

if TYPE_CHECKING:
    from musicrel.generation.infill.infill_generator import InfillProgress

PREVIEW: Final = "Writing and revising {which}: {share:.0%}"
FIRST: Final = "Candidate 1 of {count} is finished: select it to play it meanwhile"
FIRST_OF: Final = "candidate 1 of {count}"


class InfillPreview(QObject):
    """The controller of the preview, which ends when the user selects a candidate."""

    def __init__(
        self, document: Document, messages: Messages, candidates: CandidatesController
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._candidates = document, messages, candidates
        self._active = False
        candidates.run.infill_progressed.connect(self._show_infill_progress)
        candidates.run.candidates_changed.connect(self._show_first)
        document.shown_changed.connect(self._deactivate)
        candidates.changed.connect(self._end_preview)

    @Slot(object)
    def _show_infill_progress(self, event: InfillProgress) -> None:
        builder = self._candidates.builder
        if builder is None or not self._candidates.busy:
            return
        now = infill_snapshot.padded_piece(builder.plan(), event.pitches[0], event.onsets[0])
        self._document.draw(Sketch(piece=now))
        first = FIRST_OF.format(count=builder.count)
        which = self._candidates.what if builder.count == 1 else first
        parts = builder.count / len(event.pitches)  # batches, written one after the other
        share = parts * event.done / max(event.total, 1)
        self._messages.show_state(PREVIEW.format(which=which, share=share))
        self._active = True

    @Slot()
    def _show_first(self) -> None:
        run, builder = self._candidates.run, self._candidates.builder
        first = next((one for one in run.candidates if one.seed is not None), None)
        if not self._active or first is None or builder is None:
            return
        self._document.draw(Sketch(piece=first.chorale))
        if run.candidate_count + run.repeated < builder.count:
            self._messages.show_state(FIRST.format(count=builder.count))

    @Slot()
    def _deactivate(self) -> None:
        """End the preview: another piece is shown."""
        self._active = False

    @Slot()
    def _end_preview(self) -> None:
        if self._active and not self._candidates.busy:
            self._active = False
            self._document.draw(None)
