"""Controllers of the effects on the chosen note, and of muted heads.

The note is studied while its view is visible; the model keeps its reading of the piece. The effects
of heads on the whole piece are measured when the user asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.generation.events import MeansProgress, SourcesProgress
from musicrel.generation.heads.mutes import Head, Mutes, Replacement
from musicrel.jobs import Job
from musicrel.presentation.attention import effects
from musicrel.presentation.attention.effects import (
    OF_PIECE,
    HeadEffects,
    NoteEffects,
    SourceList,
    SourceRow,
)
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.attention.effects_panel import EffectsPanel, EffectViews
from musicrel.ui.attention.head_grid import Heads
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.muted_comparison import MutedComparison
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_service import LoadEvent
from musicrel.ui.jobs.worker import LatestJob

if TYPE_CHECKING:
    from musicrel.generation.ablation.note_reader import NoteReader
    from musicrel.generation.loaded_model import LoadedModel

LoadModel = Callable[[str, str], Job[LoadEvent, "LoadedModel"]]
"""Factory of jobs that load a model, from its name and the device."""
EFFECTS: Final = "effects"
"""Name of the view."""
_TITLE: Final = "Effects"
_TIP: Final = "What mattered for the chosen note: heads, voices, other notes. Mute heads here."
CHOOSE_NOTE: Final = (
    "Select a note in the roll to see which heads, voices and other notes mattered for it."
)
_HINT: Final = (
    "Blue: it helped to predict the note. Orange: it hindered. Strips: the voices it looks at. "
    "M mutes."
)
_PREPARES: Final = (
    "Reading the training pieces to learn what each head does on average, once for this model: "
    "{share:.0%}"
)
_STUDIES: Final = "Removing one head after another …"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteQuery:
    model: str
    device: str
    piece: Chorale
    cell: int  # 4 step + voice
    mutes: Mutes  # the muted heads; ``mutes.by`` replaces heads in all effects

    def is_of(self, other: NoteQuery | None) -> bool:
        if other is None or self.piece is not other.piece:
            return False
        return (self.model, self.device, self.cell) == (other.model, other.device, other.cell)


_MUTED: Final = "Muted in {model}: {heads}"
_UNMUTED: Final = "No head of {model} is muted"


class MutedHeadsController(QObject):
    """The controller of muted heads, which are a part of the form."""

    changed = Signal()  # other heads are muted, or they are replaced by something else

    def __init__(
        self, document: Document, messages: Messages, attention: AttentionController
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._attention = document, messages, attention
        self._by: Replacement = "mean"
        self._before = document.form.muted
        document.form_changed.connect(self._on_form_changed)

    def of(self, model: str) -> Mutes:
        form = self._document.form
        return form.muted.of(model) or Mutes(by=self._by)

    def toggle(self, side: int, head: Head) -> None:
        """Mute or unmute a head, or a whole layer, of a model that the page shows."""
        analysis, model = self._attention.analyses_shown[side], self._attention.models.both[side]
        if analysis is None or not analysis.has_weights:
            return
        try:
            mutes = self.of(model).toggled(head, analysis.layers, analysis.heads)
        except UsageError as reason:  # another model of this name had more heads
            self._messages.report(str(reason))
        else:
            self._set(model, mutes)

    def clear(self, side: int) -> None:
        self._set(self._attention.models.both[side], Mutes(by=self._by))

    @Slot(str)
    def choose_by(self, by: Replacement) -> None:
        """Choose what replaces the heads of the model whose effects are shown."""
        self._by, model = by, self._attention.model
        mutes = self.of(model)
        if mutes:
            self._set(model, replace(mutes, by=by))
        self.changed.emit()

    def _set(self, model: str, mutes: Mutes) -> None:
        self._by, form = mutes.by, self._document.form
        heads = ", ".join(map(str, mutes.heads))
        words = _MUTED if mutes else _UNMUTED
        self._messages.show_state(words.format(model=model, heads=heads))
        self._document.set_form(replace(form, muted=form.muted.with_mutes(model, mutes)))

    @Slot()
    def _on_form_changed(self) -> None:
        before, self._before = self._before, self._document.form.muted
        if self._before != before:
            self._attention.show_analysis()
            self.changed.emit()


class EffectsController(QObject):
    """The owner of the view and of muted heads; its jobs run in worker threads.

    Attributes:
        comparison: the controller of the button that generates without and with muted heads.
        of_piece: effects on the whole piece as far as known; None: they were not measured.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        attention: AttentionController,
        page: AttentionPage,
        writing: WritingController,
        playback: PlaybackController,
        load: LoadModel,
    ) -> None:
        super().__init__(document)
        self._document, self._preferences = document, preferences
        self._attention, self._page, self._load = attention, page, load
        self.panel = EffectsPanel(page.choices)
        page.switch.add(EFFECTS, _TITLE, _TIP, self.panel)
        self.mutes = MutedHeadsController(document, messages, attention)
        self._reader: tuple[LoadedModel, NoteReader] | None = None
        self._note_job, self._piece_job = LatestJob(self), LatestJob(self)
        self._side = 0
        self._query: NoteQuery | None = None
        self._note: NoteEffects | None = None
        self._sources: SourceList | None = None
        self._found_share: float | None = None  # of the search for sources; None: none runs
        self._piece_query: NoteQuery | None = None
        self.of_piece: HeadEffects | None = None
        self._measured_share: float | None = None
        self._problem = ""
        self.comparison = MutedComparison(
            document, writing, playback, button=self.panel.listen, attention=attention
        )
        self._connect()
        self.update()

    @property
    def busy(self) -> bool:
        return self._note_job.busy or self._piece_job.busy

    # ------------------------------------------------------------------ analyses

    @Slot()
    def update(self) -> None:
        self._place_side()
        query = self._wanted()
        if query is not None and query != self._query:
            if not query.is_of(self._query):
                self._note, self._sources, self._found_share = None, None, None
            self._study(query)
        measured = self._piece_query
        if measured is not None and (
            measured.piece is not self._document.shown
            or measured.model not in self._attention.models.both
            or measured.mutes.by != self.mutes.of(measured.model).by
        ):
            self._piece_query = self.of_piece = None
            self._stop_measuring()
        self._show()

    @Slot()
    def find_sources(self) -> None:
        self._search(0.0)

    @Slot()
    def cancel_sources(self) -> None:
        self._search(None)  # the note alone is studied in place of the search

    def _search(self, share: float | None) -> None:
        self._found_share, query = share, self._wanted()
        if query is not None:
            self._study(query)
        self._show()

    @Slot()
    def measure(self) -> None:
        query = self._wanted()
        if query is not None:
            self._piece_query, self.of_piece, self._measured_share = query, None, 0.0
            self._piece_job.request(partial(self._measuring, query))
            self._show()

    @Slot()
    def cancel_measuring(self) -> None:
        self._stop_measuring()
        self._show()

    def _stop_measuring(self) -> None:
        self._piece_job.cancel()
        self._measured_share = None

    def _study(self, query: NoteQuery) -> None:
        self._query, self._problem = query, ""
        with_sources = self._found_share is not None
        self._note_job.request(partial(self._studying, query, with_sources=with_sources))

    def _wanted(self) -> NoteQuery | None:
        piece, model, cell = self._document.shown, self._attention.model, self._cell
        if piece is None or not model or cell is None or not self._is_visible():
            return None
        return NoteQuery(
            model=model,
            device=self._preferences.device,
            piece=piece,
            cell=cell,
            mutes=self.mutes.of(model),
        )

    def _is_visible(self) -> bool:
        return self._page.isVisible() and self._page.switch.current == EFFECTS

    @property
    def _cell(self) -> int | None:
        selection, piece = self._document.selection, self._document.shown
        if selection is None or piece is None or selection.start >= piece.steps:
            return None
        return selection.cell

    # ------------------------------------------------------------------ jobs in threads

    def _studying(self, query: NoteQuery, *, with_sources: bool) -> Job[Any, None]:
        model = yield from self._prepared(query)
        if (
            self._reader is None
            or self._reader[0] is not model
            or self._reader[1].chorale is not query.piece
        ):
            self._reader = None  # its memory is needed
            self._reader = model, effects.open_reader(model, query.piece)
        reader = self._reader[1]
        yield effects.measure(reader, query.cell, query.mutes)
        if with_sources:
            yield (yield from effects.find_sources(reader, query.cell))

    def _measuring(self, query: NoteQuery) -> Job[Any, None]:
        from musicrel.generation.ablation.global_effects import global_effects

        model = yield from self._prepared(query)
        yield from global_effects(model, query.piece, by=query.mutes.by)

    def _prepared(self, query: NoteQuery) -> Job[Any, LoadedModel]:
        from musicrel.generation.ablation import means

        model = yield from self._load(query.model, query.device)
        if query.mutes.by == "mean":
            yield from means.prepare(model)
        return model

    @Slot(object)
    def _on_note_events(self, events: tuple[object, ...]) -> None:
        for event in events:
            if isinstance(event, NoteEffects):
                self._note = event
            elif isinstance(event, SourceList):
                self._sources, self._found_share = event, None
            elif isinstance(event, SourcesProgress):
                self._found_share = event.share
        self._show()
        if isinstance(events[-1], MeansProgress):
            self.panel.show_empty(_PREPARES.format(share=events[-1].share))

    @Slot(object)
    def _on_piece_events(self, events: tuple[object, ...]) -> None:
        from musicrel.generation.ablation.global_effects import GlobalProgress

        last, query = events[-1], self._piece_query
        if isinstance(last, GlobalProgress) and query is not None:
            self._measured_share = last.share
            self.of_piece = HeadEffects(
                of=OF_PIECE, model=query.model, by=query.mutes.by, by_head=last.effects_LH
            )
            self._show()

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._problem = sentence[:1].upper() + sentence[1:]
        self._found_share = self._measured_share = None
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
        self._attention.choose_side(self._side if self._is_visible() else 0)

    @Slot(object)
    def _choose_source(self, row: SourceRow | None) -> None:
        if row is not None:
            voices = (row.voice or 0,)
            self._document.select(Selection(voices=voices, start=row.start, stop=row.start + 1))

    @Slot()
    def _show(self) -> None:
        attention, note, panel, found = self._attention, self._note, self.panel, self._sources
        mutes, views = self.mutes.of(attention.model), self._views()
        heads = Heads(side=attention.side, mutes=mutes, chosen=attention.head)
        panel.show_sides(attention.models.both, attention.side)
        panel.show_muted(mutes)
        if self._problem or self._cell is None or note is None:
            panel.show_empty(self._problem or (CHOOSE_NOTE if self._cell is None else _STUDIES))
        else:
            panel.show_note(note, views, heads)
            panel.show_sources(views.sources, found.words if found else "", self._found_share)
        if self._page.switch.current == EFFECTS:
            self._describe("")
        of_piece, share = self._of_piece()
        panel.show_piece(of_piece, views.piece, heads, share)
        panel.enable_exports(views)

    def _of_piece(self) -> tuple[HeadEffects | None, float | None]:
        query = self._piece_query
        is_own = query is not None and query.model == self._attention.model
        return (self.of_piece, self._measured_share) if is_own else (None, None)

    def _views(self) -> EffectViews:
        note, found, (of_piece, _share) = self._note, self._sources, self._of_piece()
        head, mutes = self._attention.head, self.mutes.of(self._attention.model)
        views = EffectViews()
        if of_piece is not None and self._piece_query is not None:
            title = self._piece_query.piece.title
            views = EffectViews(piece=effects.of_heads(of_piece, mutes, title, head))
        if note is None:
            return views
        return views._replace(
            heads=effects.of_heads(note.heads, mutes, note.chorale.title, head),
            choices=effects.of_choices(note),
            sources=effects.of_sources(found) if found and found.rows else None,
            layers=effects.of_layers(note),
        )

    @Slot(int)
    def _export(self, number: int) -> None:
        view = self._views()[number]
        if view is not None:
            self._page.exports.ask(view)

    @Slot(str)
    def _describe(self, words: str) -> None:
        self._page.words.setText(words or _HINT)

    def _connect(self) -> None:
        panel, page, document, choices = self.panel, self._page, self._document, self._page.choices
        bars, search, piece = panel.source_bars.shown, panel.sources, panel.piece
        self._note_job.events_received.connect(self._on_note_events)
        self._piece_job.events_received.connect(self._on_piece_events)
        self._piece_job.finished.connect(self.cancel_measuring)
        for job in (self._note_job, self._piece_job):
            job.failed.connect(self._on_failed)
        for signal in (
            page.opened, page.switch.chosen, self._attention.models.changed, document.form_changed,
            document.shown_changed, document.selection_changed, self.mutes.changed,
        ):  # fmt: skip
            signal.connect(self.update)
        for signal, slot in (
            (self.mutes.changed, self.comparison.update_enabled),
            (self._attention.side_changed, self.comparison.update_enabled),
            (self._attention.models.changed, self.comparison.update_enabled),
            (choices.head_chosen, self._show),
            (choices.mute_toggled, self.mutes.toggle),
            (choices.mutes_cleared, self.mutes.clear),
            (panel.side_chosen, self._choose_side),
            (panel.cleared, lambda: self.mutes.clear(self._attention.side)),
            (panel.by_chosen, self.mutes.choose_by),
            (panel.described, self._describe),
            (panel.export_asked, self._export),
            (bars.chosen, self._choose_source),
            (search.start.clicked, self.find_sources),
            (search.cancel.clicked, self.cancel_sources),
            (piece.start.clicked, self.measure),
            (piece.cancel.clicked, self.cancel_measuring),
        ):
            signal.connect(slot)
