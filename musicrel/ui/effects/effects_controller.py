"""Controllers of the effects on the chosen note, of muted heads, and of pieces written twice.

The note is studied while its view is visible; the model keeps its reading of the piece. The effects
of heads on the whole piece are measured when the user asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QToolButton

from musicrel.chorale import Chorale, Voice
from musicrel.errors import MusicrelError, UsageError
from musicrel.generation.events import MeansProgress, SourcesProgress
from musicrel.generation.heads.mutes import Head, Mutes, Replacement
from musicrel.interpretability import bars, effects, votes
from musicrel.interpretability.bars import Bar, HeadBars
from musicrel.interpretability.effects import (
    OF_PIECE,
    HeadEffects,
    NoteEffects,
    SourceList,
    SourceRow,
)
from musicrel.interpretability.votes import NoteVotes
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.presentation.compose.form import Form, Task, change, new_piece
from musicrel.presentation.words import display_names, muted_heads
from musicrel.score.editing import piece_edits
from musicrel.score.editing.selection import Selection
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.attention.head_grid import Heads
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.effects.effects_panel import VOTES, EffectsPanel, EffectViews
from musicrel.ui.jobs.generation_service import LoadEvent
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.widgets import fields

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.interpretability.ablation import NoteReader

LoadModel = Callable[[str, str], Job[LoadEvent, "LoadedModel"]]
"""Factory of jobs that load a model, from its name and the device."""
EFFECTS: Final = "effects"  # name of the view
CHOOSE_NOTE: Final = tr(
    "Select a note in the roll to see which heads, voices and other notes mattered for it."
)
_HINT: Final = tr(
    "Blue: it helped to predict the note. Orange: it hindered. Strips: the voices it looks at. "
    "M mutes."
)
_PREPARES: Final = tr(
    "Reading the training pieces to learn what each head does on average, once for this model: "
    "{share:.0%}"
)

_OPENED: Final = tr("{bar} is open; Undo brings your piece back")
_MUTED: Final = tr("Muted in {model}: {heads}")
_UNMUTED: Final = tr("No head of {model} is muted")
NEW_PIECE: Final = tr("A &new piece, twice")
NEW_TIP: Final = tr("From the form in Compose, with its seed")
_NEW: Final = tr("a new piece with all heads and with {heads} muted")
_FROM: Final = tr("the piece from bar {bar} on, with all heads and with {heads} muted")
FROM_BAR: Final = tr("This piece from &bar {bar} on, twice")
FROM_TIP: Final = tr("All notes before the bar are kept")
_TIP: Final = tr("What mattered for the chosen note: heads, voices, other notes. Mute heads here.")
_STUDIES: Final = tr("Removing one head after another …")
NONE_MUTED: Final = tr("Mute a head first: choose one in the grid and press M")
READY_TIP: Final = tr("Generate the same once with all heads and once with the muted ones silenced")
FROM_NOTE: Final = tr("This piece from the bar of the chosen &note on, twice")
CHOOSE_LATER: Final = tr("Select a note after the first bar: the notes before its bar are kept")


class NoteQuery(NamedTuple):
    model: str
    device: str
    piece: Chorale
    cell: int  # 4 step + voice
    mutes: Mutes  # the muted heads; ``mutes.by`` replaces heads in all effects

    def is_of(self, other: NoteQuery | None) -> bool:
        return other is not None and self.piece is other.piece and self[:-1] == other[:-1]


class MutedHeads:
    """The muted heads of the form, and what replaces heads of a model without any."""

    def __init__(
        self, document: Document, messages: Messages, attention: AttentionController
    ) -> None:
        self._document, self._messages, self._attention = document, messages, attention
        self._by: Replacement = "mean"

    def of(self, model: str) -> Mutes:
        return self._document.form.muted.of(model) or Mutes(by=self._by)

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

    def choose_by(self, by: Replacement) -> None:
        self._by, model = by, self._attention.model
        if mutes := self.of(model):
            self._set(model, replace(mutes, by=by))

    def _set(self, model: str, mutes: Mutes) -> None:
        self._by, form = mutes.by, self._document.form
        words = _MUTED if mutes else _UNMUTED
        self._messages.show_state(
            words.format(model=display_names.model(model), heads=muted_heads.named(mutes))
        )
        self._document.set_form(replace(form, muted=form.muted.with_mutes(model, mutes)))


class MutedComparison(QObject):
    def __init__(
        self,
        document: Document,
        writing: WritingController,
        playback: PlaybackController,
        *,
        button: QToolButton,
        attention: AttentionController,
    ) -> None:
        super().__init__(document)
        self._document = document
        self._writing, self._writer, self._playback = writing, writing.writer, playback
        self._button, self._attention = button, attention
        self._chosen = 0
        menu = button.menu()
        menu.setToolTipsVisible(True)
        self.from_bar = menu.addAction(FROM_NOTE, self.generate_from_bar)
        self.new = menu.addAction(NEW_PIECE, self.generate_new)
        self.new.setToolTip(NEW_TIP)
        self._writer.job.finished.connect(self._play)
        self._writer.changed.connect(self._play_again)
        for signal in (document.selection_changed, document.screen_changed, self._writer.changed):
            signal.connect(self.update_enabled)
        self.update_enabled()

    @Slot()
    def generate_new(self) -> None:
        words = _NEW.format(heads=self._heads)
        self._writing.request(lambda: new_piece(self._form, count=2, is_pair=True), words)

    @Slot()
    def generate_from_bar(self) -> None:
        piece, step = self._document.piece, self._first_step
        if piece is None or step is None:
            return
        free = np.zeros((piece.steps, len(Voice)), dtype=np.bool_)
        free[step:] = True
        self._writing.request(
            lambda: change(piece, free, self._form, count=2, is_pair=True),
            _FROM.format(bar=piece.bar_number(step), heads=self._heads),
        )

    @Slot()
    def update_enabled(self) -> None:
        reason = GENERATING if self._writer.busy else "" if self._heads else NONE_MUTED
        fields.enable(self._button, reason, READY_TIP)
        piece, step = self._document.piece, self._first_step
        if piece is None or step is None:
            self.from_bar.setText(FROM_NOTE)
            fields.enable(self.from_bar, CHOOSE_LATER)
        else:
            self.from_bar.setText(FROM_BAR.format(bar=piece.bar_number(step)))
            fields.enable(self.from_bar, "", FROM_TIP)

    @property
    def _form(self) -> Form:
        return replace(self._document.form, model=self._attention.model)

    @property
    def _heads(self) -> str:
        form = self._document.form
        return muted_heads.codes(form.muted.of(self._attention.model))

    @property
    def _first_step(self) -> int | None:
        """Return the first step of the bar of the chosen note; None without notes before it."""
        piece, selection = self._document.piece, self._document.selection
        if piece is None or selection is None:
            return None
        step, _ = piece_edits.bar_at(piece, selection.start)
        return step if 0 < step < piece.steps else None

    @Slot()
    def _play(self) -> None:
        task = self._writer.task
        if task is None or not task.is_pair:
            return
        self._writing.choose(1)
        self._writing.rank()
        if task.piece is not None:
            self._playback.seek(_first_free(task), in_ruler=False)
        self._playback.play()

    @Slot()
    def _play_again(self) -> None:
        """Play the other piece once more where the first one has ended: the passage is short."""
        task, number = self._writer.task, self._writer.chosen
        chosen, self._chosen = self._chosen, number
        if task is not None and task.is_pair and number and chosen not in (0, number):
            self._playback.play_again(_first_free(task))


def _voted(reader: NoteReader, cell: int) -> NoteVotes | str:
    """Return the votes for a note, or why there are none: the other views do without them."""
    try:
        return votes.measure(reader, cell)
    except MusicrelError as reason:
        return f"{str(reason)[:1].upper()}{str(reason)[1:]}."


def _first_free(task: Task) -> float:
    free = task.free.any(axis=1) if task.piece is not None else np.zeros(0, dtype=np.bool_)
    return float(np.flatnonzero(free)[0]) if free.any() else 0.0


class EffectsController(QObject):
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
        self._document, self._messages, self._preferences = document, messages, preferences
        self._attention, self._page, self._load = attention, page, load
        self.panel = EffectsPanel(page.choices)
        page.switch.add(EFFECTS, tr("Effects"), _TIP, self.panel)
        self.mutes, self._muted = MutedHeads(document, messages, attention), document.form.muted
        self._reader: tuple[LoadedModel, NoteReader] | None = None
        self._note_job, self._piece_job = LatestJob(self), LatestJob(self)
        self._side = 0
        self._query: NoteQuery | None = None
        self._note: NoteEffects | None = None
        self._sources: SourceList | None = None
        self._found_share: float | None = None  # of the search for sources; None: none runs
        self._votes: NoteVotes | str | None = None  # or why there are none; None: not known yet
        self._bars_job, self._bars_model = LatestJob(self), ""
        self._bars: HeadBars | None = None  # those found so far; None: not searched
        self._bars_share: float | None = None
        self._piece_query: NoteQuery | None = None
        self.of_piece: HeadEffects | None = None  # as far as known; None: not measured
        self._measured_share: float | None = None
        self._problem = ""
        self.comparison = MutedComparison(
            document, writing, playback, button=self.panel.listen, attention=attention
        )
        self._connect()
        self.update()

    @property
    def busy(self) -> bool:
        return any(job.busy for job in (self._note_job, self._piece_job, self._bars_job))

    # ------------------------------------------------------------------ analyses

    @Slot()
    def update(self) -> None:
        self._place_side()
        query = self._wanted()
        if query is not None and (query != self._query or self._wants_votes()):
            if not query.is_of(self._query):
                self._note = self._sources = self._found_share = self._votes = None
            self._study(query)
        measured = self._piece_query
        if measured is not None and (
            measured.piece is not self._document.shown
            or measured.model not in self._attention.models.both
            or measured.mutes.by != self.mutes.of(measured.model).by
        ):
            self._piece_query = self.of_piece = None
            self.cancel_measuring()
        self._show()

    @Slot(str)
    def choose_by(self, by: Replacement) -> None:
        self.mutes.choose_by(by)
        self.update()

    def _search(self, share: float | None) -> None:
        """Search for sources, or without a share study the note alone in place of the search."""
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
        self._piece_job.cancel()
        self._measured_share = None
        self._show()

    @Slot()
    def search_bars(self) -> None:
        self._bars_model, self._bars, self._bars_share = self._attention.model, None, 0.0
        device = self._preferences.device
        self._bars_job.request(partial(self._searching, self._bars_model, device))
        self._show()

    @Slot()
    def end_search(self) -> None:
        self._bars_job.cancel()
        self._bars_share = None
        self._show()

    def _study(self, query: NoteQuery) -> None:
        self._query, self._problem = query, ""
        with_sources, with_votes = self._found_share is not None, self._wants_votes()
        self._note_job.request(
            partial(self._studying, query, with_sources=with_sources, with_votes=with_votes)
        )

    def _wants_votes(self) -> bool:
        return self.panel.details.current == VOTES and self._votes is None

    def _wanted(self) -> NoteQuery | None:
        piece, model, cell = self._document.shown, self._attention.model, self._cell
        if piece is None or not model or cell is None or not self._is_visible():
            return None
        return NoteQuery(model, self._preferences.device, piece, cell, self.mutes.of(model))

    def _is_visible(self) -> bool:
        return self._page.isVisible() and self._page.switch.current == EFFECTS

    @property
    def _cell(self) -> int | None:
        selection, piece = self._document.selection, self._document.shown
        if selection is None or piece is None or selection.start >= piece.steps:
            return None
        return selection.cell

    # ------------------------------------------------------------------ jobs in threads

    def _studying(
        self, query: NoteQuery, *, with_sources: bool, with_votes: bool
    ) -> Job[Any, None]:
        model = yield from self._prepared(query)
        known = self._reader
        if known is None or known[0] is not model or known[1].chorale is not query.piece:
            known = self._reader = None  # its memory is needed
            known = self._reader = model, effects.open_reader(model, query.piece)
        yield effects.measure(known[1], query.cell, query.mutes)
        if with_votes:
            yield _voted(known[1], query.cell)
        if with_sources:
            yield (yield from effects.find_sources(known[1], query.cell))

    def _measuring(self, query: NoteQuery) -> Job[Any, None]:
        from musicrel.interpretability.ablation import global_effects

        model = yield from self._prepared(query)
        yield from global_effects(model, query.piece, by=query.mutes.by)

    def _searching(self, model: str, device: str) -> Job[Any, None]:
        yield from bars.find((yield from self._load(model, device)))

    def _prepared(self, query: NoteQuery) -> Job[Any, LoadedModel]:
        from musicrel.generation.heads import means

        model = yield from self._load(query.model, query.device)
        if query.mutes.by == "mean":
            yield from means.prepare(model)
        return model

    @Slot(object)
    def _on_note_events(self, events: tuple[object, ...]) -> None:
        for event in events:
            match event:
                case NoteEffects():
                    self._note = event
                case NoteVotes() | str():
                    self._votes = event
                case SourceList():
                    self._sources, self._found_share = event, None
                case SourcesProgress():
                    self._found_share = event.share
        self._show()
        if isinstance(events[-1], MeansProgress):
            self.panel.show_empty(_PREPARES.format(share=events[-1].share))

    @Slot(object)
    def _on_piece_events(self, events: tuple[object, ...]) -> None:
        from musicrel.interpretability.ablation import GlobalProgress

        last, query = events[-1], self._piece_query
        if isinstance(last, GlobalProgress) and query is not None:
            self._measured_share = last.share
            self.of_piece = HeadEffects(
                of=OF_PIECE, model=query.model, by=query.mutes.by, by_head=last.effects_LH
            )
            self._show()

    @Slot(object)
    def _on_bars_events(self, events: tuple[object, ...]) -> None:
        if isinstance(events[-1], HeadBars):
            self._bars, self._bars_share = events[-1], events[-1].share
            self._show()

    @Slot(str)
    def _on_bars_failed(self, sentence: str) -> None:
        self._messages.report(sentence)
        self.end_search()

    @Slot(object)
    def _open_bar(self, bar: Bar | None) -> None:
        if bar is None:
            return
        if self._document.generating:
            self._messages.report(GENERATING)
            return
        self._document.show_piece(bar.piece, action="opened")
        self._document.select(Selection(voices=tuple(Voice), start=bar.start, stop=bar.stop))
        self._messages.show_state(_OPENED.format(bar=bar.name))

    @Slot(object)
    def _choose_voter(self, head: Head | None) -> None:
        if head is not None:
            self._page.choices.head_chosen.emit(self._attention.side, head)

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

    @Slot()
    def _on_form_changed(self) -> None:
        if self._muted != self._document.form.muted:
            self._muted = self._document.form.muted
            self._attention.show_analysis()
        self.update()

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
            panel.show_votes(views.votes, self._votes if isinstance(self._votes, str) else "")
        if self._page.switch.current == EFFECTS:
            self._describe("")
        whole, share = self._of_piece()
        panel.show_piece(whole, views.piece, heads, share)
        is_own = self._bars_model == attention.model
        panel.show_bars(
            views.bars,
            self._bars_share if is_own else None,
            is_started=is_own and (self._bars is not None or self._bars_share is not None),
        )
        panel.enable_exports(views)

    def _of_piece(self) -> tuple[HeadEffects | None, float | None]:
        query = self._piece_query
        is_own = query is not None and query.model == self._attention.model
        return (self.of_piece, self._measured_share) if is_own else (None, None)

    def _views(self) -> EffectViews:
        note, found, (whole, _share) = self._note, self._sources, self._of_piece()
        head, mutes = self._attention.head, self.mutes.of(self._attention.model)
        views = EffectViews()
        if whole is not None and self._piece_query is not None:
            title = self._piece_query.piece.title
            views = EffectViews(piece=effects.of_heads(whole, mutes, title, head))
        if self._bars is not None and self._bars_model == self._attention.model and head:
            views = views._replace(bars=bars.of_bars(self._bars, head))
        if note is None:
            return views
        return views._replace(
            heads=effects.of_heads(note.heads, mutes, note.chorale.title, head),
            choices=effects.of_choices(note),
            sources=effects.of_sources(found) if found and found.rows else None,
            votes=votes.of_votes(self._votes) if isinstance(self._votes, NoteVotes) else None,
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
        search, piece, models = panel.sources, panel.piece, self._attention.models
        found = panel.bars
        for signal, slot in (
            *((job.failed, self._on_failed) for job in (self._note_job, self._piece_job)),
            (self._bars_job.failed, self._on_bars_failed),
            (self._bars_job.finished, self.end_search),
            (self._bars_job.events_received, self._on_bars_events),
            (found.start.clicked, self.search_bars),
            (found.cancel.clicked, self.end_search),
            (panel.bar_list.shown.chosen, self._open_bar),
            (panel.votes.shown.chosen, self._choose_voter),
            (panel.details.chosen, self.update),
            *((signal, self.update) for signal in (
                page.opened, page.switch.chosen, models.changed, document.screen_changed,
                document.selection_changed,
            )),
            *((signal, self.comparison.update_enabled) for signal in (
                document.form_changed, self._attention.side_changed, models.changed
            )),
            (document.form_changed, self._on_form_changed),
            (self._note_job.events_received, self._on_note_events),
            (self._piece_job.events_received, self._on_piece_events),
            (self._piece_job.finished, self.cancel_measuring),
            (choices.head_chosen, self._show),
            (choices.mute_toggled, self.mutes.toggle),
            (choices.mutes_cleared, self.mutes.clear),
            (panel.side_chosen, self._choose_side),
            (panel.cleared, lambda: self.mutes.clear(self._attention.side)),
            (panel.by_chosen, self.choose_by),
            (panel.described, self._describe),
            (panel.export_asked, self._export),
            (panel.source_bars.shown.chosen, self._choose_source),
            (search.start.clicked, lambda: self._search(0.0)),
            (search.cancel.clicked, lambda: self._search(None)),
            (piece.start.clicked, self.measure),
            (piece.cancel.clicked, self.cancel_measuring),
        ):  # fmt: skip
            signal.connect(slot)
