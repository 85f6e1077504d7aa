"""Controller of attention: the analyses of the piece by one or two models, and their views.

The note in view is the newest one during generation, else the selected one. A piece is analysed
only if the analysis is visible: on the attention page, or as note colours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSignalBlocker, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Voice
from musicrel.editing.selection import Selection
from musicrel.generation.events import GenerationStep
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.attention_record import MAX_RECORDED_TOKENS
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.attention.step_analysis import StepAnalysis
from musicrel.presentation.comparison.views import Shown
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.attention.analysis_cache import Analyse, AnalysisCache, AnalysisRequest
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.attention.comparison_views import SURPRISAL
from musicrel.ui.attention.diagnosis_panel import DiagnosisController
from musicrel.ui.attention.named_models import NamedModels
from musicrel.ui.attention.note_tint import NoteTint
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_run import GenerationRun
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.roll.roll_arcs import RollArcs
from musicrel.ui.widgets.page_switch import Pages

NO_PIECE: Final = "Generate a piece to see the attention of the model."
WAITS: Final = "No note has been generated yet."
ANALYSES: Final = "Analysing the piece with {model} …"
PROGRESS: Final = "Analysing the piece with {model}: {share:.0%}"
NO_MODEL: Final = "No model is installed."
TOO_LONG: Final = (
    "This piece has {tokens:,} cells. Attention is available for pieces of up to {most:,} cells "
    "({bars} bars of 4/4), because the weights of all heads would take gigabytes."
)
EXPORTED: Final = "Exported {name} to {folder}"
_CELLS_A_BAR: Final = 64


class AttentionController(QObject):
    """The controller of the analysis.

    Args:
        run: generates pieces; its steps bring their attention.
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
        self._analyses = AnalysisCache(analyse, self)
        self._arcs = RollArcs(self._roll)
        self._tint = NoteTint(
            self._roll,
            compose_page.heat_legend,
            lambda on: compose_page.show_heat_legend(on=on),
        )
        form_view = compose_page.controls.compose_form
        self.models = NamedModels(page, form_view.model, document, run)
        self.diagnosis = DiagnosisController(page)
        self._heads: list[Head | None] = [None, None]
        self._problem = ""
        self._connect()
        self._show_run()
        self.show_analysis()

    @property
    def analyses(self) -> AnalysisCache:
        return self._analyses

    @property
    def shown(self) -> PieceAnalysis | None:
        """Return the analysis that the page shows; None unless it is by the model it names."""
        analysis = self._analyses.current
        return analysis if analysis is not None and analysis.model == self.models.first else None

    @property
    def shown_second(self) -> PieceAnalysis | None:
        """Return the analysis by model B of the same piece, as far as it is known."""
        first, second = self.shown, self._analyses.second
        if first is None or second is None or second.model != self.models.second:
            return None
        return second if second.chorale is first.chorale else None

    @Slot()
    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        jobs = (self._analyses, self.diagnosis, self._page.exports)
        return tuple(worker for part in jobs for worker in part.shut_down())

    @Slot()
    def _diagnose(self) -> None:
        model = self.models.first
        if model:
            self.diagnosis.open(model, self._preferences.device)

    # ------------------------------------------------------------------ the piece

    @Slot()
    def _begin_generation(self) -> None:
        self._problem = ""
        self.models.forget_choice()
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
        self._problem = ""
        choice = self._document.choice_of(self._run.form.model)
        with QSignalBlocker(self._analyses):  # shown once, below
            self._analyses.end(piece, keep=choice is None or choice.family != "encoder_decoder")
        self._update_analysis()
        self._show_run()

    @Slot()
    def _update_analysis(self) -> None:
        piece, device = self._document.shown, self._preferences.device
        visible = self._is_visible() and not _too_long(piece)
        names = [name for name in self.models.both if name] if visible else [self.models.first]
        if piece is not None and self.models.first and (visible or self._by_surprisal()):
            with QSignalBlocker(self._analyses):  # shown once, below
                self._analyses.request(*(AnalysisRequest(name, device, piece) for name in names))
        self._analyses.changed.emit()

    def _is_visible(self) -> bool:
        return self._pages.current == "attention"

    def _by_surprisal(self) -> bool:
        return self._compose_page.surprisal.isChecked()

    # ------------------------------------------------------------------ user actions

    @Slot(object)
    def _choose_head(self, head: Head | None) -> None:
        self._heads[0] = head
        self.show_analysis()

    @Slot(object)
    def _choose_second_head(self, head: Head | None) -> None:
        self._heads[1] = head
        self.show_analysis()

    @Slot(int)
    def _choose_cell(self, cell: int) -> None:
        step, voice = divmod(cell, len(Voice))
        self._document.select(Selection(voices=(voice,), start=step, stop=step + 1))

    @Slot(QAction)
    def _choose_tint(self, action: QAction) -> None:
        self._compose_page.surprisal.setChecked(action.data() == "surprisal")

    @Slot(bool)
    def _switch_tint(self, on: bool) -> None:
        commands.check(self._actions.tints, "surprisal" if on else "voice")
        self._update_analysis()

    @Slot()
    def _on_models_changed(self) -> None:
        self._problem = ""
        if self._analyses.busy:
            self._messages.show_state("")  # the progress of one that may no longer be wanted
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
        analysis, second, visible = self.shown, self.shown_second, self._is_visible()
        for one in (analysis, second):
            if isinstance(one, StepAnalysis):
                one.wanted = self._cell
        self._page.cross.setVisible(analysis is not None and analysis.cross is not None)
        analysis, second = self._kind(analysis), self._kind(second)
        shown = self._shown(analysis, second)
        if visible:
            self._page.set_empty(self._why_empty())
            reading = bool(self.models.second) and second is None and not self._problem
            self._page.show_analysis(shown, reading=reading)
        self._colour_notes()
        with_arcs = visible and self._page.switch.current != SURPRISAL
        side = self._page.side
        shown_arcs = (analysis, second)[side] if with_arcs else None
        self._arcs.show_cell(shown_arcs, self._heads[side], self._cell)

    def _kind(self, analysis: PieceAnalysis | None) -> PieceAnalysis | None:
        """Return the cross-attention of an analysis if this is chosen and there is any."""
        if analysis is None or not self._page.cross.isChecked():
            return analysis
        return analysis.cross or analysis

    def _shown(self, first: PieceAnalysis | None, second: PieceAnalysis | None) -> Shown | None:
        """Return the selection of the page, with heads that the models have."""
        if first is None or not first.has_weights:
            return None
        if second is not None and (not second.has_weights or second.kind != first.kind):
            second = None
        for place, analysis in enumerate((first, second)):
            head = self._heads[place]
            inside = head is not None and analysis is not None and _has_head(analysis, head)
            self._heads[place] = head if inside else None
        return Shown(first, second, (self._heads[0], self._heads[1]), self._cell)

    def _colour_notes(self) -> None:
        """Colour the notes by surprisal, if this is on, or by the difference that is shown."""
        compared = self._is_visible() and self._page.switch.current == SURPRISAL
        difference = self._page.comparison.difference if compared else None
        if difference is not None:
            self._tint.show_difference(difference)
        elif self._by_surprisal():
            self._tint.show_surprisal(self.shown)
        else:
            self._tint.show_voices()

    def _why_empty(self) -> str:
        analysis, model = self.shown, self.models.first
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

    @Slot(str, float)
    def _on_analysis_progress(self, model: str, share: float) -> None:
        text = PROGRESS.format(model=model, share=share)
        self._messages.show_state(text if share < 1 else "")  # the page names the model
        if self._is_visible() and self.shown is None and not _too_long(self._document.shown):
            self._page.set_empty(text)

    @Slot(str)
    def _on_analysis_failed(self, sentence: str) -> None:
        self._problem = sentence[:1].upper() + sentence[1:]
        self.show_analysis()
        # The page has a place for the reason of model A only.
        self._messages.show_state(self._problem if self.shown is not None else "")

    @Slot(object)
    def _on_exported(self, path: Path) -> None:
        self._messages.show_state(EXPORTED.format(name=path.name, folder=path.parent))

    def _show_run(self) -> None:
        """Show Stop during generation, else Generate."""
        for action in self._page.run.actions():
            self._page.run.removeAction(action)
        self._page.run.setDefaultAction(
            self._actions.stop if self._document.generating else self._actions.generate
        )
        self.models.show()

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
        page.second_head_chosen.connect(self._choose_second_head)
        page.switch.chosen.connect(self.show_analysis)
        page.cross.toggled.connect(self.show_analysis)
        self.models.changed.connect(self._on_models_changed)
        page.cell_chosen.connect(self._choose_cell)
        page.exports.failed.connect(self._messages.report)
        page.exports.exported.connect(self._on_exported)
        page.diagnose.clicked.connect(self._diagnose)
        self._actions.tints.triggered.connect(self._choose_tint)
        surprisal.toggled.connect(self._switch_tint)
        commands.check(self._actions.tints, "voice")


def _has_head(analysis: PieceAnalysis, head: Head) -> bool:
    return head.layer < analysis.layers and head.head < analysis.heads


def _too_long(piece: Chorale | None) -> bool:
    """Return True if ``piece`` is too long for its weights to be stored."""
    return piece is not None and piece.steps * len(Voice) > MAX_RECORDED_TOKENS
