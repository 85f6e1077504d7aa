"""The Attention page: the sheet above; below it the views of attention of one model or of two.

The plots are made when the page is opened, or with the first analysis if pyqtgraph was not imported
before: the window opens without it.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QContextMenuEvent, QFont, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QLabel,
    QMenu,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from musicrel import jobs
from musicrel.errors import MusicrelError
from musicrel.interpretability import view as files
from musicrel.interpretability import views
from musicrel.interpretability.piece_analysis import head_name, head_noun
from musicrel.interpretability.shown import ALONE, WORDS, Shown
from musicrel.interpretability.view import View
from musicrel.interpretability.views import CLAIMS, MAPS, NOTE, PLACES, SHARES, SURPRISAL
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention.attention_plots import AttentionPlots
from musicrel.ui.attention.head_grid import Choices, head_of_key
from musicrel.ui.attention.view_switch import ViewSwitch
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.widgets import layout, plots, stylesheet
from musicrel.ui.widgets.elided_label import ElidedBox, ElidedLabel
from musicrel.ui.widgets.figure_view import FigurePage

HINT: Final = tr("Point at the map, or select a note in the roll by mouse or arrow keys.")
PROBES: Final = tr("Test the model: order, padding, heads, scale, length, cache")
SECOND_TIP: Final = tr(
    "A second model, B, that reads the same piece; both are compared in all views"
)
_MAPS: Final = (tr("&Maps"), tr("The heads and the attention map of the chosen one"))
_EVERY_HEAD: Final = tr("All heads")
_EXPORT_VIEW: Final = tr("Export this view…")
_NO_EXPORT: Final = tr("There is nothing to export in this view yet")
_LARGEST: Final = tr(" (largest weight)")
_RESET: Final = tr("Reset &zoom")
_RESET_TIP: Final = tr("Show the whole map again (0)")
_CROSS_TIP: Final = tr("Show the attention to the given notes instead of that to the written ones")
_MODEL_A: Final = tr("Model A")
_MODEL_B: Final = tr("Model B")
_WROTE: Final = tr("generated this piece")
_DID_NOT_WRITE: Final = tr("did not generate this piece as it is")
_EXPORT_TIP: Final = tr("Save this view as a picture (PNG, SVG) or its numbers (CSV)")
_CHARTS: Final = {
    NOTE: (tr("&Note"), tr("Attention of the chosen note over time; of A and B on the same scale")),
    SHARES: (tr("Shares"), tr("Attention by distance and voice, and the difference of A and B")),
    SURPRISAL: (
        tr("S&urprisal"),
        tr("Which notes surprise A more, and which B; their running sum"),
    ),
    CLAIMS: (tr("Claims"), tr("What was claimed about relative attention in 2018, measured here")),
    PLACES: (
        tr("Places"),
        tr("Where the heads of a DaRoPE model put the notes, and where these are"),
    ),
}  # title and tooltip
_GROWING: Final = (SHARES, CLAIMS)
CHOOSE_NOTE: Final = tr("Select a note in the roll to see what it attends to.")
CHOOSE_SECOND: Final = tr(
    "Choose a second model, B, to see where in the piece each of the two predicts better."
)
NO_PLACES: Final = tr(
    "Only heads of models with the scheme DaRoPE learn places for notes: choose one as A, and a "
    "finished piece."
)
NOT_YET: Final = tr("Both models are reading the piece …")
NOTHING_READ: Final = tr("No note of the piece has been read yet.")
_CLAIM_MS: Final = 500  # least time between two measurements of the claims while a model writes
_OF_HEADS: Final = (MAPS, NOTE, SHARES, PLACES, CLAIMS)  # views of the chosen heads


class AttentionPage(QWidget):
    opened = Signal()  # the page became visible

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Shown | None = None
        self.choices = Choices(self)
        self._pointed = (0, -1, -1)  # model, row and column of the map under the mouse
        self._sizes = [400, 360]  # heights of the sheet and of the panel below
        middle = Qt.TextElideMode.ElideMiddle  # names of models often differ in their ends
        self.model, self.second_model = ElidedBox(elide=middle), ElidedBox(elide=middle)
        self.run, self.diagnose, self.reset, self.export, self.cross = (
            QToolButton() for _ in range(5)
        )
        self.head, self.caption, self.words = QLabel(), ElidedLabel(elide=middle), ElidedLabel()
        self.empty, self.switch = layout.quiet_notice(), ViewSwitch()
        self._letters = (
            layout.field_label("&A", self.model), layout.field_label("&B", self.second_model)
        )  # fmt: skip
        self._maps, self._body = QStackedWidget(), QStackedWidget()
        self._halves = QSplitter(Qt.Orientation.Vertical)
        self.switch.add(MAPS, *_MAPS, self._maps)
        self.charts = {
            name: FigurePage(title.replace("&", ""), grows=name in _GROWING)
            for name, (title, _) in _CHARTS.items()
        }
        self._claims = QTimer(self, singleShot=True, interval=_CLAIM_MS)
        self.exports = ViewExport(self)
        self._lay_out()
        self._name_buttons()
        self._connect()

    @cached_property
    def plots(self) -> AttentionPlots:
        made = AttentionPlots(self.choices)
        made.pointed.connect(self._point)
        self.reset.clicked.connect(made.show_all)
        self._maps.addWidget(made)
        return made

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.opened.emit()
        if plots.is_loaded():
            QTimer.singleShot(0, self, lambda: self.plots)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Mute the chosen head, wherever the focus is: a note may be chosen after the head."""
        side = self._shown.side if self._shown is not None else 0
        head = self._shown.heads[side] if self._shown is not None else None
        muted = head_of_key(event, head)
        if muted is not None:
            self.choices.mute_toggled.emit(side, muted)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.export.isVisible() or not self._body.underMouse():
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(_EXPORT_VIEW, self.ask_to_export).setEnabled(self.export.isEnabled())
        menu.popup(event.globalPos())

    # ------------------------------------------------------------------ what is shown

    def set_workspace(self, workspace: QWidget) -> None:
        self._halves.insertWidget(0, workspace)
        self._halves.setStretchFactor(0, 1)
        self._halves.setStretchFactor(1, 1)
        self._halves.setSizes(self._sizes)  # the sheet may come from another page

    def show_analysis(self, shown: Shown | None) -> None:
        self._shown = shown
        for part in (self.head, self.words, self.reset, self.export, self.switch):
            part.setVisible(shown is not None)
        self.caption.setText(_caption(shown) if shown else "")
        self.caption.setVisible(bool(self.caption.text()))
        self._body.setCurrentWidget(self.switch.stack if shown else self.empty)
        name = self.switch.current
        if shown is not None:
            self.reset.setVisible(name == MAPS)
            self.head.setText(_heads(shown, name))
            self.head.setVisible(bool(self.head.text()))
            if name == MAPS:
                self._show_maps(shown)
            elif name in self.charts:
                self._show_chart(name, shown)
        self.export.setVisible(shown is not None and (name == MAPS or name in self.charts))
        self._enable_export()

    @property
    def exported(self) -> View | None:
        shown = self._shown
        return views.of(self.switch.current, shown) if shown is not None else None

    @Slot()
    def ask_to_export(self) -> None:
        view = self.exported
        if view is not None:
            self.exports.ask(view)

    # ------------------------------------------------------------------ inside

    def _show_maps(self, shown: Shown) -> None:
        self._maps.setCurrentWidget(self.plots)
        self.plots.show_analysis(shown)
        self._describe(shown)

    def _show_chart(self, name: str, shown: Shown) -> None:
        """Show a chart; claims take the window some time, so they wait while a model writes."""
        if name == CLAIMS:
            self.words.setText("")
            if not self._claims.isActive():
                self._claims.start()
            return
        second = NOT_YET if shown.is_reading else CHOOSE_SECOND
        missing = {NOTE: CHOOSE_NOTE, PLACES: NO_PLACES}.get(name, second)
        self.charts[name].show_view(views.of(name, shown), missing)
        self._describe_chart("")

    @Slot()
    def _show_claims(self) -> None:
        view = views.claims(self._shown) if self._shown is not None else None
        self.charts[CLAIMS].show_view(view, NOTHING_READ)
        self._enable_export()

    def _enable_export(self) -> None:
        name = self.switch.current
        has_chart = name in self.charts and self.charts[name].has_view
        self.export.setEnabled(self._shown is not None and (name == MAPS or has_chart))
        self.export.setToolTip(_EXPORT_TIP if self.export.isEnabled() else _NO_EXPORT)

    @Slot(str)
    def _describe_chart(self, words: str) -> None:
        name, shown = self.switch.current, self._shown
        if name in self.charts and name != CLAIMS and shown is not None:
            whole = self.charts[name].shown.accessibleDescription()
            if name == SHARES:
                whole = WORDS if shown.second else ALONE
            self.words.setText(words or whole)

    def _describe(self, shown: Shown) -> None:
        side, row, column = self._pointed
        analysis = shown.second if side else shown.first
        if analysis is None:
            side, analysis = 0, shown.first
        head, suffix = shown.heads[side], ""
        is_pointed = analysis.has_cell(row) and analysis.is_visible(row, column)
        if not is_pointed and shown.cell is not None:
            row, suffix = shown.cell, _LARGEST
            known = analysis.has_cell(row)
            column = int(analysis.attention_row(row, head).argmax()) if known else 0
        words = HINT
        if analysis.has_cell(row) and analysis.is_visible(row, column):
            weight = float(analysis.attention_row(row, head)[column])
            words = analysis.describe(row, column, weight) + suffix
        self.words.setText(words)
        self.plots.halves[0].map.setAccessibleDescription(words)

    def _point(self, side: int, row: int, column: int) -> None:
        self._pointed = side, row, column
        if self._shown is not None and self.switch.current == MAPS:
            self._describe(self._shown)

    @Slot(object)
    def _choose_step(self, cell: int | None) -> None:
        if cell is not None:
            self.choices.cell_chosen.emit(cell)

    def _keep_sizes(self) -> None:
        self._sizes = self._halves.sizes()

    def _connect(self) -> None:
        for signal, slot in (
            (self.export.clicked, self.ask_to_export),
            (self._halves.splitterMoved, self._keep_sizes),
            (self._claims.timeout, self._show_claims),
        ):
            signal.connect(slot)
        for name, chart in self.charts.items():
            self.switch.add(name, *_CHARTS[name], chart)
            chart.shown.described.connect(self._describe_chart)
            chart.shown.chosen.connect(self._choose_step)

    def _lay_out(self) -> None:
        panel, boxes = QFrame(), (self.model, self.second_model)
        named = [layout.row(*pair, spacing=5) for pair in zip(self._letters, boxes, strict=True)]
        panel.setObjectName("sheet")
        layout.column(
            layout.Wrapped(
                layout.row(self.switch, None),
                layout.row(None, *named, self.diagnose, self.run, spacing=8),
            ),
            layout.row(
                self.head, (self.words, 3), (self.caption, 2), self.cross, self.reset, self.export,
                spacing=10,
            ),
            (self._body, 1),
            owner=panel,
            spacing=6,
            margins=(16, 10, 16, 10),
        )  # fmt: skip
        layout.column(self._halves, owner=self, margins=(10, 4, 10, 4))
        stylesheet.scale_font(self.head, 1.0, QFont.Weight.DemiBold)
        for number, letter in enumerate(self._letters):
            letter.setObjectName(f"model{number}")
        self.caption.setObjectName("quiet")
        self.caption.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._body.addWidget(self.empty)
        self._body.addWidget(self.switch.stack)
        self._halves.setChildrenCollapsible(False)
        self._halves.setHandleWidth(8)
        self._halves.addWidget(panel)

    def _name_buttons(self) -> None:
        for button, text, tip in (
            (self.reset, _RESET, _RESET_TIP),
            (self.export, tr("E&xport…"), _EXPORT_TIP),
            (self.diagnose, tr("Diagnose…"), PROBES),
            (self.cross, tr("C&ross-attention"), _CROSS_TIP),
        ):
            button.setText(text)
            button.setToolTip(tip)
        self.cross.setCheckable(True)
        self.cross.setObjectName("flat")
        self.cross.hide()
        self.run.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.model.setAccessibleName(_MODEL_A)
        self.second_model.setAccessibleName(_MODEL_B)
        self.second_model.setToolTip(SECOND_TIP)


def _heads(shown: Shown, view: str) -> str:
    """Return the chosen heads; "" in a view that is not about heads or names them itself."""
    if view not in _OF_HEADS or (shown.second is not None and view == MAPS):
        return ""
    if view == PLACES:
        return head_name(shown.heads[0]) if shown.heads[0] else _EVERY_HEAD
    if shown.second is None:
        return head_name(shown.heads[0])
    names = (head_noun(head) for head in shown.heads)
    return ". ".join(f"{letter}: {name}" for letter, name in zip("AB", names, strict=True))


def _caption(shown: Shown) -> str:
    if shown.second is not None:
        return ""
    relation = _WROTE if shown.first.wrote else _DID_NOT_WRITE
    return f"{display_names.model(shown.first.model)} {relation}"


TITLE: Final = tr("Export the view")
BUSY: Final = tr("Another view is still being exported: try again in a moment")


class ViewExport(QObject):
    """Exports one view at a time: a picture at once, a table, which may be large, in a thread."""

    exported = Signal(object)  # the file was written
    failed = Signal(str)  # it was not; the reason as one sentence

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._worker = LatestJob(self)
        self._worker.finished.connect(self.exported)
        self._worker.failed.connect(self.failed)

    def ask(self, view: View) -> QFileDialog:
        return dialogs.ask_new_path(
            self._window,
            TITLE,
            name=view.title,
            suffixes=files.SUFFIXES,
            answer=lambda path: self.write(view, path),
        )

    def write(self, view: View, path: Path) -> None:
        job = _writing(view, path, stylesheet.current_theme())
        if self._worker.busy:
            self.failed.emit(BUSY)
        elif path.suffix.lower() == files.CSV:
            self._worker.start(job)
        else:  # plots are widgets, which only the main thread can make
            try:
                self.exported.emit(jobs.run(job))
            except MusicrelError as reason:
                self.failed.emit(str(reason))


def _writing(view: View, path: Path, theme: Theme) -> Job[Path, Path]:
    yield path
    view.write(path, theme)
    return path
