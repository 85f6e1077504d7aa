"""Controller of attention: the analyses of the piece by one or two models, and their views.

The note in view is the newest one during generation, else the selected one. A piece is analysed
only if the analysis is visible: on the attention page, or as note colours.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox

from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import GenerationStep
from musicrel.generation.heads.mutes import Head, all_heads
from musicrel.interpretability.piece_analysis import MAX_RECORDED_TOKENS, PieceAnalysis
from musicrel.interpretability.shown import Shown
from musicrel.interpretability.surprisal import NoteColours, colours_of
from musicrel.interpretability.views import SURPRISAL
from musicrel.language import tr
from musicrel.presentation.compose.models import arranged
from musicrel.presentation.two_models import model_b
from musicrel.presentation.words import display_names
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.attention.analysis_cache import Analyse, AnalysisCache, AnalysisRequest
from musicrel.ui.attention.attention_page import SECOND_TIP, AttentionPage
from musicrel.ui.attention.diagnosis import Diagnosis
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.controllers.writer import Writer
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.roll.roll_overlay import RollArcs
from musicrel.ui.widgets import fields, stylesheet
from musicrel.ui.widgets.page_switch import Pages

NO_PIECE: Final = tr("Generate a piece to see the attention of the model.")
WAITS: Final = tr("No note has been generated yet.")
ANALYSES: Final = tr("Analysing the piece with {model} …")
PROGRESS: Final = tr("Analysing the piece with {model}: {share:.0%}")
NO_MODEL: Final = tr("No model is installed.")
TOO_LONG: Final = tr(
    "This piece has {tokens:,} cells. Attention is available for pieces of up to {most:,} cells "
    "({bars} bars of 4/4), because the weights of all heads would take gigabytes."
)
EXPORTED: Final = tr("Exported {name} to {folder}")
MODEL_TIP: Final = tr(
    "Model whose attention is shown; the one that writes is chosen in Compose, under Advanced"
)
GENERATES: Final = tr(
    "The model that is generating; another one can be chosen when it has finished"
)
NOBODY: Final = tr("No second model")
NO_OTHER: Final = tr("No other model that reads a piece as this one does is installed")


class AttentionController(QObject):
    side_changed = Signal()

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        writing: Writer,
        analyse: Analyse,
        pages: Pages,
        page: AttentionPage,
        compose_page: ComposePage,
        actions: Commands,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._writing, self._pages, self._page, self._actions = writing, pages, page, actions
        self._compose_page, self._roll = compose_page, compose_page.roll
        self.analyses = AnalysisCache(analyse, self)
        self._arcs = RollArcs(self._roll)
        self._tint = NoteTint(compose_page)
        form_view = compose_page.controls.compose_form
        self.models = NamedModels(page, form_view.model, document, lambda: writing.form.model)
        self.diagnosis = Diagnosis(page)
        self._heads: list[Head | None] = [None, None]
        self.side = 0
        self._problem = ""
        self._connect()
        self._show_run()
        self.show_analysis()

    @property
    def shown(self) -> PieceAnalysis | None:
        """Return the analysis that the page shows; None unless it is by the model it names."""
        analysis = self.analyses.current
        return analysis if analysis is not None and analysis.model == self.models.first else None

    @property
    def shown_second(self) -> PieceAnalysis | None:
        first, second = self.shown, self.analyses.second
        if first is None or second is None or second.model != self.models.second:
            return None
        return second if second.chorale is first.chorale else None

    @property
    def analyses_shown(self) -> tuple[PieceAnalysis | None, PieceAnalysis | None]:
        return self.shown, self.shown_second

    @property
    def model(self) -> str:
        return self.models.both[self.side]

    @property
    def head(self) -> Head | None:
        return self._heads[self.side]

    def choose_side(self, side: int) -> None:
        if side != self.side:
            self.side = side
            self.show_analysis()
            self.side_changed.emit()

    @Slot()
    def shut_down(self) -> None:
        self.analyses.shut_down()
        self.diagnosis.close()

    @Slot()
    def _diagnose(self) -> None:
        model = self.models.first
        if model:
            self.diagnosis.diagnose(model, self._preferences.device)

    # ------------------------------------------------------------------ the piece

    def _begin_generation(self) -> None:
        self._problem = ""
        self.models.forget_choice()
        self._document.select(None)
        self.analyses.begin(self._writing.composition.padded_piece(), self._writing.form.model)
        self._show_run()

    @Slot(object)
    def _on_steps_generated(self, steps: tuple[GenerationStep, ...]) -> None:
        if self._document.sketch is not None:
            self.analyses.add(steps, self._document.sketch.piece)

    @Slot(object)
    def _on_screen_changed(self, piece: Chorale | None) -> None:
        if self._document.generating:
            self._begin_generation()
            return
        self._problem = ""
        choice = self._document.choice_of(self._writing.form.model)
        with QSignalBlocker(self.analyses):  # shown once, below
            is_read = choice is not None and (
                choice.family == "encoder_decoder" or choice.learns_places
            )
            self.analyses.end(piece, keep=not is_read)
        self._update_analysis()
        self._show_run()

    @Slot()
    def _update_analysis(self) -> None:
        piece, device = self._document.shown, self._preferences.device
        visible = self._is_visible() and not _too_long(piece)
        names = [name for name in self.models.both if name] if visible else [self.models.first]
        if piece is not None and self.models.first and (visible or self._by_surprisal()):
            with QSignalBlocker(self.analyses):  # shown once, below
                self.analyses.request(*(AnalysisRequest(name, device, piece) for name in names))
        self.analyses.changed.emit()

    def _is_visible(self) -> bool:
        return self._pages.current == "attention"

    def _by_surprisal(self) -> bool:
        return self._compose_page.surprisal.isChecked()

    # ------------------------------------------------------------------ user actions

    def _choose_head(self, side: int, head: Head | None) -> None:
        self._heads[side] = head
        self.show_analysis()

    @Slot(int)
    def _choose_cell(self, cell: int) -> None:
        step, voice = divmod(cell, len(Voice))
        self._document.select(Selection(voices=(voice,), start=step, stop=step + 1))

    @Slot(bool)
    def _switch_tint(self, on: bool) -> None:
        commands.check(self._actions.tints, "surprisal" if on else "voice")
        self._update_analysis()

    @Slot()
    def _on_models_changed(self) -> None:
        self._problem = ""
        if self.analyses.busy:
            self._messages.show_state("")  # the progress of one that may no longer be wanted
        self._update_analysis()

    # ------------------------------------------------------------------ display

    @property
    def _cell(self) -> int | None:
        analysis = self.shown
        if self._document.generating and analysis is not None and analysis.cells:
            return analysis.cells - 1
        selection = self._document.selection
        return selection.cell if selection is not None else None

    @Slot()
    def show_analysis(self) -> None:
        visible, page, cell = self._is_visible(), self._page, self._cell
        for one in self.analyses_shown:
            if one is not None:
                one.wanted = cell
        page.cross.setVisible(self.shown is not None and self.shown.cross is not None)
        kinds = [self._kind(one) for one in self.analyses_shown]
        shown = self._selection(*kinds)
        if visible:
            page.empty.setText(self._why_empty())
            page.show_analysis(shown)
        is_compared = visible and page.switch.current == SURPRISAL
        if not (is_compared and shown is not None and self._tint.show_difference(shown)):
            self._tint.show_surprisal(self.shown, on=self._by_surprisal())
        with_arcs = visible and page.switch.current != SURPRISAL
        self._arcs.show_cell(kinds[self.side] if with_arcs else None, self.head, cell)

    def _kind(self, analysis: PieceAnalysis | None) -> PieceAnalysis | None:
        if analysis is None or not self._page.cross.isChecked():
            return analysis
        return analysis.cross or analysis

    def _selection(self, first: PieceAnalysis | None, second: PieceAnalysis | None) -> Shown | None:
        if first is None or not first.has_weights:
            return None
        is_reading = bool(self.models.second) and second is None and not self._problem
        if second is not None and (not second.has_weights or second.kind != first.kind):
            second = None
        for place, analysis in enumerate((first, second)):
            if analysis is None or self._heads[place] not in all_heads(*analysis.shape):
                self._heads[place] = None
        muted, (a, b) = self._document.form.muted, self.models.both
        return Shown(
            first, second, (self._heads[0], self._heads[1]), self._cell, (muted.of(a), muted.of(b)),
            self.side, is_reading,
        )  # fmt: skip

    def _why_empty(self) -> str:
        analysis, model = self.shown, self.models.first
        piece = analysis.chorale if analysis is not None else self._document.shown
        if piece is not None and _too_long(piece):
            bars, tokens = MAX_RECORDED_TOKENS // 64, piece.steps * len(Voice)
            return TOO_LONG.format(tokens=tokens, most=MAX_RECORDED_TOKENS, bars=bars)
        if self._problem:
            return self._problem
        if self._document.generating:
            return WAITS
        if piece is None:
            return NO_PIECE
        return ANALYSES.format(model=display_names.model(model)) if model else NO_MODEL

    @Slot(str, float)
    def _on_analysis_progress(self, model: str, share: float) -> None:
        text = PROGRESS.format(model=display_names.model(model), share=share)
        self._messages.show_state(text if share < 1 else "")  # the page names the model
        if self._is_visible() and self.shown is None and not _too_long(self._document.shown):
            self._page.empty.setText(text)

    @Slot(str)
    def _on_analysis_failed(self, sentence: str) -> None:
        self._problem = sentence[:1].upper() + sentence[1:]
        self.show_analysis()
        # The page has a place for the reason of model A only.
        self._messages.show_state(self._problem if self.shown is not None else "")

    def _show_run(self) -> None:
        run, actions = self._page.run, self._actions
        for action in run.actions():
            run.removeAction(action)
        run.setDefaultAction(actions.stop if self._document.generating else actions.generate)
        self.models.show()

    @Slot(object)
    def _tell_exported(self, path: Path) -> None:
        self._messages.show_state(EXPORTED.format(name=path.name, folder=path.parent))

    def _connect(self) -> None:
        page, document, surprisal = self._page, self._document, self._compose_page.surprisal
        page.choices.head_chosen.connect(self._choose_head)
        page.choices.cell_chosen.connect(self._choose_cell)
        for signal, slot in (
            (document.screen_changed, self._on_screen_changed),
            (document.selection_changed, self.show_analysis),
            (self._writing.steps_generated, self._on_steps_generated),
            (self.analyses.changed, self.show_analysis),
            (self.analyses.progressed, self._on_analysis_progress),
            (self.analyses.failed, self._on_analysis_failed),
            (self._pages.opened, self._update_analysis),
            (page.switch.chosen, self.show_analysis),
            (page.cross.toggled, self.show_analysis),
            (self.models.changed, self._on_models_changed),
            (page.exports.failed, self._messages.report),
            (page.exports.exported, self._tell_exported),
            (page.diagnose.clicked, self._diagnose),
            (
                self._actions.tints.triggered,
                lambda action: surprisal.setChecked(action.data() == "surprisal"),
            ),
            (surprisal.toggled, self._switch_tint),
        ):
            signal.connect(slot)
        commands.check(self._actions.tints, "voice")


def _too_long(piece: Chorale | None) -> bool:
    return piece is not None and piece.steps * len(Voice) > MAX_RECORDED_TOKENS


class NoteTint:
    def __init__(self, page: ComposePage) -> None:
        self._page, self._roll, self._legend = page, page.roll, page.heat_legend
        self._on = False
        self._compared: tuple[object, ...] = ()

    def show_surprisal(self, analysis: PieceAnalysis | None, *, on: bool) -> None:
        picture, colours = self._roll.picture, None
        if on and analysis is not None and picture is not None:
            theme = stylesheet.current_theme()
            colours = colours_of(picture.notes, analysis.nats, theme, analysis.model)
        self._set(colours, on=on)

    def show_difference(self, shown: Shown) -> bool:
        """Show the difference of two models; return False where it is not known."""
        compared = shown.first, shown.second, stylesheet.current_theme()
        difference = shown.difference
        if difference is not None and compared != self._compared:
            self._set(difference.colours(compared[2]), on=True)
            self._compared = compared
        return difference is not None

    def _set(self, colours: NoteColours | None, *, on: bool) -> None:
        self._compared = ()
        if on:
            self._legend.show_scale(colours)
        self._page.show_heat_legend(on=on)
        if on or self._on:
            self._roll.set_heat(colours)
        self._on = on


class NamedModels(QObject):
    """The choice of both models: A, whose attention is shown, and B, which reads the piece too.

    A is the one that is generating; else the one chosen on the page, until a piece is generated or
    the form has another model; else that of the form. B answers the same question as A: both write
    from left to right, or both see both sides. The last choice of B wins: that on the page, or that
    of the model that writes beside A.
    """

    changed = Signal()

    def __init__(
        self,
        page: AttentionPage,
        form_box: QComboBox,
        document: Document,
        writer: Callable[[], str],
    ) -> None:
        super().__init__(page)
        self._page, self._form_box, self._document = page, form_box, document
        self._writer = writer
        self._chosen, self._chosen_second, self._writes = "", "", document.form.model
        self._before = self.both
        page.model.activated.connect(self._choose)
        page.second_model.activated.connect(
            lambda row: self.follow(page.second_model.itemData(row))
        )
        document.form_changed.connect(self._on_form_changed)

    @property
    def first(self) -> str:
        if self._document.generating:
            return self._writer()
        is_installed = self._document.choice_of(self._chosen) is not None
        return self._chosen if is_installed else self._document.form.model

    @property
    def second(self) -> str:
        return model_b(self.first, self._chosen_second, self._document.choices)

    @property
    def both(self) -> tuple[str, str]:
        return self.first, self.second

    def forget_choice(self) -> None:
        self._chosen = ""

    @Slot(str)
    def follow(self, name: str) -> None:
        self._chosen_second = name
        self.show()

    @Slot()
    def show(self) -> None:
        box, models, generating = self._page.model, self._form_box, self._document.generating
        box.setModel(models.model())
        box.setCurrentIndex(box.findData(self.first))
        box.setEnabled(models.isEnabled() and not generating)
        box.setToolTip(GENERATES if generating else MODEL_TIP)
        self._page.diagnose.setEnabled(models.isEnabled())
        self._offer_second()
        if self.both != self._before:
            self._before = self.both
            self.changed.emit()

    def _offer_second(self) -> None:
        box, first = self._page.second_model, self._document.choice_of(self.first)
        choices = [choice for choice in self._document.choices if choice != first]
        fitting = [one for one in choices if first and one.is_infill == first.is_infill]
        offered = (choice for some in arranged(fitting) for choice in some)
        entries = [(NOBODY, ""), *((choice.title, choice.name) for choice in offered)]
        if entries != [(box.itemText(row), box.itemData(row)) for row in range(box.count())]:
            box.clear()
            fields.add_entries(box, ((title, name, title) for title, name in entries))
        box.setCurrentIndex(max(box.findData(self.second), 0))
        reason = GENERATES if self._document.generating else "" if fitting else NO_OTHER
        fields.enable(box, reason, SECOND_TIP)

    @Slot(int)
    def _choose(self, row: int) -> None:
        """Analyse the piece with another model; the one that writes stays.

        The model that was B changes places with A: a model is not compared with itself.
        """
        first, second, chosen = *self.both, self._page.model.itemData(row)
        if second and chosen == second:
            self._chosen_second = first
        self._chosen = chosen
        self.show()

    @Slot()
    def _on_form_changed(self) -> None:
        if self._writes != self._document.form.model:
            self._chosen, self._writes = "", self._document.form.model
        self.show()
