"""Controller of attention: the analysis of the piece by the selected model, and its views.

The note in view is the newest one during generation, else the selected one. A piece is analysed
only if the analysis is visible: on the attention page, or as note colours.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Voice
from musicrel.editing.selection import Selection
from musicrel.generation.events import GenerationStep
from musicrel.presentation.attention.attention_record import MAX_RECORDED_TOKENS
from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis
from musicrel.presentation.attention.surprisal import SurprisalColours
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.attention.analysis_cache import Analyse, AnalysisCache, AnalysisRequest
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.attention.diagnosis_panel import DiagnosisController
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_run import GenerationRun
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.roll_arcs import RollArcs
from musicrel.ui.widgets import stylesheet
from musicrel.ui.widgets.page_switch import Pages

MODEL_TIP: Final = (
    "Model whose attention is shown; the one that writes is chosen in Compose, under Advanced"
)
GENERATES: Final = "The model that is generating; another one can be chosen when it has finished"
NO_PIECE: Final = "Generate a piece to see the attention of the model."
WAITS: Final = "No note has been generated yet."
ANALYSES: Final = "Analysing the piece with {model} …"
PROGRESS: Final = "Analysing the piece with {model}: {share:.0%}"
NO_MODEL: Final = "No model is installed."
TOO_LONG: Final = (
    "This piece has {tokens:,} cells. Attention is available for pieces of up to {most:,} cells "
    "({bars} bars of 4/4), because the weights of all heads would take gigabytes."
)
_CELLS_A_BAR: Final = 64


class AttentionController(QObject):
    """The controller of the analysis.

    Args:
        document: the piece, the selection and the model.
        messages: show the progress.
        preferences: name the device.
        run: generates pieces; its steps bring their attention.
        analyse: factory of jobs that analyse a piece.
        pages: the pages, of which one is open.
        page: the attention page.
        compose_page: roll, and its colours by surprisal.
        actions: the menu commands.

    Attributes:
        diagnosis: the controller of the diagnosis of a model.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        run: GenerationRun,
        analyse: Analyse,
        pages: Pages,
        page: AttentionPage,
        compose_page: ComposePage,
        actions: Commands,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._run, self._pages, self._page, self._actions = run, pages, page, actions
        self._compose_page, self._roll = compose_page, compose_page.roll
        self._form_view = compose_page.controls.compose_form
        self._analyses = AnalysisCache(analyse, self)
        self._arcs = RollArcs(self._roll)
        self.diagnosis = DiagnosisController(page)
        self._head: Head | None = None
        self._problem = ""
        self._chosen, self._writes = "", document.form.model
        self._model = self.model
        self._tinted = False
        self._connect()
        self._show_run()
        self.show_analysis()

    @property
    def analyses(self) -> AnalysisCache:
        """Return the analyses of the piece."""
        return self._analyses

    @property
    def model(self) -> str:
        """Return the model that the page names.

        It is the one that is generating; else the one chosen on the page, until a piece is
        generated or the form has another model; else that of the form.
        """
        if self._document.generating:
            return self._run.form.model
        is_installed = self._document.choice_of(self._chosen) is not None
        return self._chosen if is_installed else self._document.form.model

    @property
    def shown(self) -> PieceAnalysis | None:
        """Return the analysis that the page shows; None unless it is by the model it names."""
        analysis = self._analyses.current
        return analysis if analysis is not None and analysis.model == self.model else None

    @Slot()
    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return (*self._analyses.shut_down(), *self.diagnosis.shut_down())

    @Slot()
    def _diagnose(self) -> None:
        """Diagnose the selected model."""
        model = self.model
        if model:
            self.diagnosis.open(model, self._preferences.device)

    # ------------------------------------------------------------------ the piece

    @Slot()
    def _begin_generation(self) -> None:
        self._problem = self._chosen = ""
        self._document.select(None)
        form = self._run.form
        self._analyses.begin(form.request().plan(), form.model)
        self._show_run()

    @Slot(object)
    def _on_steps_generated(self, steps: tuple[GenerationStep, ...]) -> None:
        if self._document.sketch is not None:
            self._analyses.add(steps, self._document.sketch.piece)

    @Slot(object)
    def _on_shown_changed(self, piece: Chorale | None) -> None:
        """Analyse another piece from now on."""
        self._problem = ""
        self._analyses.end(piece)
        self._update_analysis()
        self._show_run()

    @Slot()
    def _update_analysis(self) -> None:
        """Analyse the piece with the selected model if the analysis is visible."""
        model, piece = self.model, self._document.shown
        seen = self._by_surprisal() or (self._is_visible() and not _too_long(piece))
        if piece is not None and model and seen:
            device = self._preferences.device
            self._analyses.request(AnalysisRequest(model, device, piece))
        self.show_analysis()

    def _is_visible(self) -> bool:
        return self._pages.current == "attention"

    def _by_surprisal(self) -> bool:
        return self._compose_page.surprisal.isChecked()

    # ------------------------------------------------------------------ user actions

    @Slot(object)
    def _choose_head(self, head: Head | None) -> None:
        self._head = head
        self.show_analysis()

    @Slot(int)
    def _choose_cell(self, cell: int) -> None:
        """Select the note of a cell."""
        step, voice = divmod(cell, len(Voice))
        self._document.select(Selection(voices=(voice,), start=step, stop=step + 1))

    @Slot(QAction)
    def _choose_tint(self, action: QAction) -> None:
        self._compose_page.surprisal.setChecked(action.data() == "surprisal")

    @Slot(bool)
    def _switch_tint(self, on: bool) -> None:
        commands.check(self._actions.tints, "surprisal" if on else "voice")
        self._update_analysis()

    @Slot(int)
    def _choose_model(self, row: int) -> None:
        """Analyse the piece with another model; the one that writes stays."""
        self._chosen = self._page.model.itemData(row)
        self._show_model()

    @Slot()
    def _on_form_changed(self) -> None:
        """Follow the form once another model writes."""
        if self._writes != self._document.form.model:
            self._chosen, self._writes = "", self._document.form.model
        self._show_model()

    def _show_model(self) -> None:
        """Name the model of the page, and analyse the piece with it if it is another one."""
        self._mirror_models()
        if self.model != self._model:
            self._model, self._problem = self.model, ""
            self._update_analysis()

    # ------------------------------------------------------------------ display

    @property
    def _cell(self) -> int | None:
        """Return the cell in view: the newest one during generation, else the selected one."""
        analysis = self.shown
        if self._document.generating and analysis is not None and analysis.cells:
            return analysis.cells - 1
        selection = self._document.selection
        return selection.cell if selection is not None else None

    @Slot()
    def show_analysis(self) -> None:
        """Show the analysis of the note in view, in the colours of the theme."""
        analysis, visible = self.shown, self._is_visible()
        head = self._head
        if head is not None and analysis is not None and analysis.has_weights:
            inside = head.layer < analysis.layers and head.head < analysis.heads
            head = self._head = head if inside else None
        if visible:
            self._page.set_empty(self._why_empty())
            self._page.show_analysis(analysis, head, self._cell)
        self._arcs.show_cell(analysis if visible else None, head, self._cell)
        self._colour_notes()

    def _colour_notes(self) -> None:
        """Colour the notes by surprisal, if this is on and known."""
        page, analysis, on = self._compose_page, self.shown, self._by_surprisal()
        picture, heat = page.roll.picture, None
        page.show_heat_legend(on=on)
        if on and analysis is not None and picture is not None:
            heat = SurprisalColours(picture.notes, analysis.nats, stylesheet.current_theme())
        page.heat_legend.show_scale(
            heat.scale if heat else None, analysis.model if analysis else ""
        )
        if on or self._tinted:
            page.roll.set_heat(heat)
        self._tinted = on

    def _why_empty(self) -> str:
        analysis, model = self.shown, self.model
        piece = analysis.chorale if analysis is not None else self._document.shown
        if piece is not None and _too_long(piece):
            bars, tokens = MAX_RECORDED_TOKENS // _CELLS_A_BAR, piece.steps * len(Voice)
            return TOO_LONG.format(tokens=tokens, most=MAX_RECORDED_TOKENS, bars=bars)
        if self._problem:
            return self._problem
        if self._document.generating:
            return WAITS
        if piece is None:
            return NO_PIECE
        return ANALYSES.format(model=model) if model else NO_MODEL

    @Slot(float)
    def _on_analysis_progress(self, share: float) -> None:
        """Show the progress of an analysis."""
        text = PROGRESS.format(model=self.model, share=share)
        self._messages.show_state(text if share < 1 else "")  # the page names the model
        if self._is_visible() and self.shown is None and not _too_long(self._document.shown):
            self._page.set_empty(text)

    @Slot(str)
    def _on_analysis_failed(self, sentence: str) -> None:
        self._problem = sentence[:1].upper() + sentence[1:]
        self.show_analysis()

    def _show_run(self) -> None:
        """Show Stop during generation, else Generate."""
        for action in self._page.run.actions():
            self._page.run.removeAction(action)
        self._page.run.setDefaultAction(
            self._actions.stop if self._document.generating else self._actions.generate
        )
        self._mirror_models()

    def _mirror_models(self) -> None:
        """Offer the models of the form, with the one selected whose maps are shown."""
        box, models = self._page.model, self._form_view.model
        box.setModel(models.model())
        box.setCurrentIndex(box.findData(self.model))
        box.setEnabled(models.isEnabled() and not self._document.generating)
        box.setToolTip(GENERATES if self._document.generating else MODEL_TIP)
        self._page.diagnose.setEnabled(models.isEnabled())

    def _connect(self) -> None:
        page, document, surprisal = self._page, self._document, self._compose_page.surprisal
        document.generation_started.connect(self._begin_generation)
        document.shown_changed.connect(self._on_shown_changed)
        document.selection_changed.connect(self.show_analysis)
        self._run.steps_generated.connect(self._on_steps_generated)
        self._analyses.changed.connect(self.show_analysis)
        self._analyses.progressed.connect(self._on_analysis_progress)
        self._analyses.failed.connect(self._on_analysis_failed)
        self._pages.opened.connect(self._update_analysis)
        page.head_chosen.connect(self._choose_head)
        page.cell_chosen.connect(self._choose_cell)
        page.failed.connect(self._messages.report)
        page.diagnose.clicked.connect(self._diagnose)
        page.model.activated.connect(self._choose_model)
        document.form_changed.connect(self._on_form_changed)
        self._actions.tints.triggered.connect(self._choose_tint)
        surprisal.toggled.connect(self._switch_tint)
        commands.check(self._actions.tints, "voice")


def _too_long(piece: Chorale | None) -> bool:
    """Return True if ``piece`` is too long for its weights to be stored."""
    return piece is not None and piece.steps * len(Voice) > MAX_RECORDED_TOKENS
