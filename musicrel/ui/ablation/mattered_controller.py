"""Controller of what mattered for the chosen note.

The note is studied while its view is visible; the model keeps its reading of the piece.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.editing.selection import Selection
from musicrel.generation.events import MeansProgress, SourcesProgress
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.ablation.note_study import NoteStudy
from musicrel.presentation.ablation.source_list import SourceList, SourceRow
from musicrel.ui.ablation.effect_exports import EffectExports
from musicrel.ui.ablation.mattered_panel import MatteredPanel
from musicrel.ui.ablation.mute_controller import MuteController
from musicrel.ui.ablation.note_jobs import NoteJobs, NoteQuery
from musicrel.ui.ablation.piece_measurement import PieceMeasurement
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.document.document import Document
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker

MATTERED: Final = "mattered"
"""Name of the view."""
CHOOSE_NOTE: Final = (
    "Select a note in the roll to see which heads, voices and other notes mattered for it."
)
HINT: Final = (
    "Blue: it helped to predict the note. Orange: it hindered. Strips: the voices it looks at. "
    "M mutes."
)
PREPARES: Final = (
    "Reading the training pieces to learn what each head does on average, once for this model: "
    "{share:.0%}"
)
STUDIES: Final = "Taking away one head after the other …"


class MatteredController(QObject):
    side_changed = Signal()  # the view is about the other model

    def __init__(
        self,
        document: Document,
        preferences: Preferences,
        *,
        attention: AttentionController,
        mutes: MuteController,
        page: AttentionPage,
        panel: MatteredPanel,
        jobs: NoteJobs,
    ) -> None:
        super().__init__(document)
        self._document, self._preferences = document, preferences
        self._attention, self._mutes = attention, mutes
        self._page, self._panel, self._jobs = page, panel, jobs
        self._job = LatestJob(self)
        self.measurement = PieceMeasurement(jobs, self)
        self._side = 0
        self._heads: list[Head | None] = [None, None]
        self._query: NoteQuery | None = None
        self._study: NoteStudy | None = None
        self._sources: SourceList | None = None
        self._finding: float | None = None
        self._problem = ""
        self._exports = EffectExports(panel.export, page.exports)
        self._connect()
        self.update()

    @property
    def busy(self) -> bool:
        return self._job.busy or self.measurement.busy

    @property
    def model(self) -> str:
        """Return the name of the model that the view is about: A, or B where it was chosen."""
        return self._attention.models.both[self._side]

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return (*self._job.shut_down(), *self.measurement.shut_down())

    # ------------------------------------------------------------------ analyses

    @Slot()
    def update(self) -> None:
        self._place_side()
        query = self._wanted()
        if query is not None and query != self._query:
            if not query.is_of(self._query):
                self._study, self._sources, self._finding = None, None, None
            self._start(query)
        replacements = {name: self._mutes.of(name).by for name in self._attention.models.both}
        self.measurement.keep_only(self._document.shown, replacements)
        self._show()

    @Slot()
    def find_sources(self) -> None:
        query = self._wanted()
        if query is not None:
            self._finding = 0.0
            self._start(query)
            self._show()

    @Slot()
    def cancel_sources(self) -> None:
        """Stop the search for sources; the note stays in view."""
        query, self._finding = self._wanted(), None
        if query is not None:
            self._start(query)  # in place of the search
        self._show()

    @Slot()
    def measure(self) -> None:
        query = self._wanted()
        if query is not None:
            self.measurement.start(query)

    def _start(self, query: NoteQuery) -> None:
        self._query, self._problem = query, ""
        wanted = replace(query, with_sources=self._finding is not None)
        self._job.request(partial(self._jobs.study, wanted))

    def _wanted(self) -> NoteQuery | None:
        """Return the note to be studied; None if none is chosen or its view is not visible."""
        piece, model, cell = self._document.shown, self.model, self._cell
        if piece is None or not model or cell is None or not self._is_visible():
            return None
        return NoteQuery(
            model=model,
            device=self._preferences.device,
            piece=piece,
            cell=cell,
            mutes=self._mutes.of(model),
        )

    def _is_visible(self) -> bool:
        return self._page.isVisible() and self._page.switch.current == MATTERED

    @property
    def _cell(self) -> int | None:
        selection, piece = self._document.selection, self._document.shown
        if selection is None or piece is None or selection.start >= piece.steps:
            return None
        return selection.cell

    @Slot(object)
    def _on_events(self, events: tuple[object, ...]) -> None:
        for event in events:
            if isinstance(event, NoteStudy):
                self._study = event
            elif isinstance(event, SourceList):
                self._sources, self._finding = event, None
            elif isinstance(event, SourcesProgress):
                self._finding = event.share
        self._show()
        if isinstance(events[-1], MeansProgress):
            self._panel.show_empty(PREPARES.format(share=events[-1].share))

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._problem, self._finding = sentence[:1].upper() + sentence[1:], None
        self._show()

    # ------------------------------------------------------------------ display

    @Slot(int)
    def _choose_side(self, side: int) -> None:
        self._side = side
        self.update()

    def _place_side(self) -> None:
        """Have keys and arcs of the page be about the model of the view while it is visible."""
        if not self._attention.models.second:
            self._side = 0
        side = self._side if self._is_visible() else 0
        if side != self._page.side:
            self._page.side = side
            self._attention.show_analysis()
            self.side_changed.emit()

    @Slot(object)
    def _choose_head(self, head: Head | None) -> None:
        self._heads[0] = head
        self._show()

    @Slot(object)
    def _choose_second_head(self, head: Head | None) -> None:
        self._heads[1] = head
        self._show()

    @Slot(object)
    def _emit_head(self, head: Head | None) -> None:
        signals = self._page.head_chosen, self._page.second_head_chosen
        signals[self._page.side].emit(head)

    @Slot(object)
    def _choose_source(self, row: SourceRow) -> None:
        voices = (row.voice or 0,)
        self._document.select(Selection(voices=voices, start=row.start, stop=row.start + 1))

    @Slot()
    def _show(self) -> None:
        mutes, study, panel = self._mutes.of(self.model), self._study, self._panel
        head = self._heads[self._page.side]
        panel.show_sides(self._attention.models.both, self._page.side)
        panel.show_muted(mutes)
        if self._problem or self._cell is None or study is None:
            panel.show_empty(self._problem or (CHOOSE_NOTE if self._cell is None else STUDIES))
        else:
            panel.show_note(study, mutes, head)
            panel.details.show_sources(self._sources, share=self._finding)
        if self._page.switch.current == MATTERED:
            self._describe("")
        effects, share = None, None
        if self.measurement.model == self.model:
            effects, share = self.measurement.effects, self.measurement.share
        panel.details.show_piece(effects, mutes, head, share)
        self._exports.set_views(study, self._sources, effects, mutes)

    def _connect(self) -> None:
        panel, page, document = self._panel, self._page, self._document
        self._job.events_received.connect(self._on_events)
        self._job.failed.connect(self._on_failed)
        self.measurement.changed.connect(self._show)
        self.measurement.failed.connect(self._on_failed)
        for signal, slot in (
            (panel.side_chosen, self._choose_side),
            (panel.grid.chosen, self._emit_head),
            (panel.details.piece.chosen, self._emit_head),
            (page.head_chosen, self._choose_head),
            (page.second_head_chosen, self._choose_second_head),
            (panel.grid.mute_toggled, self._mutes.toggle),
            (panel.details.piece.mute_toggled, self._mutes.toggle),
            (panel.grid.cleared, self._mutes.clear),
            (panel.details.piece.cleared, self._mutes.clear),
            (panel.clear.clicked, self._mutes.clear),
            (panel.by_chosen, self._mutes.choose_by),
            (panel.described, self._describe),
            (panel.details.find_sources.clicked, self.find_sources),
            (panel.details.search_progress.cancel.clicked, self.cancel_sources),
            (panel.details.measure.clicked, self.measure),
            (panel.details.measure_progress.cancel.clicked, self.measurement.cancel),
            (panel.details.source_chosen, self._choose_source),
            (page.opened, self.update),
            (page.switch.chosen, self.update),
            (self._attention.models.changed, self.update),
            (document.form_changed, self.update),
            (document.shown_changed, self.update),
            (document.selection_changed, self.update),
            (self._mutes.changed, self.update),
        ):
            signal.connect(slot)

    @Slot(str)
    def _describe(self, words: str) -> None:
        """Show words about what is under the mouse; without any, what the colours mean."""
        self._page.words.setText(words or HINT)
