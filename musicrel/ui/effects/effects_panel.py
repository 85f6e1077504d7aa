"""The views of one note: effects of heads, its distribution, sources and layers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from musicrel.generation.heads.mutes import Mutes
from musicrel.interpretability import why
from musicrel.interpretability.effects import HeadEffects, NoteEffects
from musicrel.interpretability.view import View
from musicrel.language import tr
from musicrel.presentation.words import display_names, muted_heads
from musicrel.ui.attention.head_grid import MUTE_KEYS, Choices, HeadGridView, Heads
from musicrel.ui.attention.view_switch import ViewSwitch
from musicrel.ui.widgets import fields, layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.figure_view import FigurePage, FigureView

_BY_TIP: Final = tr(
    "Output of a removed or muted head: its mean over the training pieces, or zero. The mean "
    "keeps what the head contributes to every note; zero removes that as well."
)
_CLEAR: Final = tr("Unmute all")
_HEADS: Final = tr("What each head and voice did")
_OF_PIECE: Final = tr("Effects on the whole piece")
_CHOICES: Final = tr("Most probable notes")
_SIDE_TIP: Final = tr("Show the effects in {model}, and mute its heads")
_SIDE_NAME: Final = tr("Effects in {letter}, {model}")
_FINDING: Final = tr("Removing one note after another …")
_MUTED: Final = tr("Muted: {heads}")
_LISTEN: Final = tr("Listen to the &difference")
_EXPORT_TIP: Final = tr("Save a view as a picture (PNG, SVG) or its numbers (CSV)")
_BY: Final = tr("Replace &by")
_GRID_TIP: Final = tr(
    "Effect of each head on the chosen note. {keys} Right-click for more.", keys=MUTE_KEYS
)
_WHY_TIP: Final = tr(
    "Why this note, in one sentence: its chord, how probable it was, and the voice that did most "
    "for it"
)
_MUTED_TIP: Final = tr(
    "Muted heads are muted for this note here, and for all notes in Generate, Rewrite, Continue "
    "and Harmonise"
)
_EXPORTS: Final = (
    tr("&Effects of heads…"), tr("&Most probable notes…"), tr("&Sources…"), tr("V&otes…"),
    tr("&Layers…"), tr("&Whole piece…"), tr("Strongest &bars…"),
)  # fmt: skip
"""Titles of ``EffectViews`` in the menu."""
NOT_YET: Final = tr(
    "Not known yet: open the votes, find the sources, measure the piece or search the chorales "
    "first"
)
_SOURCES: Final = (
    tr("See which other notes the model looks at, and which of them matter."),
    tr("Find the sources"),
    tr("Remove 64 notes with the largest weights and 64 random ones, one at a time"),
)
_PIECE: Final = (
    tr("How much worse is the prediction of the whole piece without each head?"),
    tr("&Measure all heads"),
    tr("Replace each head at all notes of the piece; this takes a while"),
)  # sentence, button and tooltip of the analyses
_BARS: Final = (
    tr("In which bars of Bach's chorales does the chosen head do most for the notes?"),
    tr("Search the chora&les"),
    tr("Read the 75 chorales that the models were not trained on; this takes a minute"),
)
_STRONGEST: Final = tr("Strongest bars")
VOTES, BARS = "votes", "bars"  # names of views
CHOOSE_HEAD: Final = tr("Choose a head in the grid on the left to see its strongest bars.")
_VOTING: Final = tr("Adding up what each head gave to each note …")
_VIEWS: Final = {
    "sources": (
        tr("&Sources"),
        tr("Other notes: how much the model looks at them, and what they do"),
    ),
    VOTES: (tr("V&otes"), tr("Which head raised or lowered which note (direct logit attribution)")),
    "layers": (tr("La&yers"), tr("What each layer would choose if it were the last (logit lens)")),
    "piece": (tr("Whole piece"), tr("Effect of each head on all notes of the piece")),
    BARS: (tr("Bars"), tr("The twenty bars of Bach's chorales for which the chosen head did most")),
}
_FINE: Final = 1000


class EffectViews(NamedTuple):
    """The views of a note and its piece that are shown and exported; None: not known yet."""

    heads: View | None = None
    choices: View | None = None
    sources: View | None = None
    votes: View | None = None
    layers: View | None = None
    piece: View | None = None
    bars: View | None = None


class EffectsPanel(QStackedWidget):
    side_chosen = Signal(int)
    export_asked = Signal(int)  # the number of a view
    by_chosen = Signal(str)  # "mean" or "zero"
    described = Signal(str)  # what is under the mouse, in words
    cleared = Signal()  # all heads are to be unmuted

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.empty = layout.quiet_notice()
        self.sides = QToolButton(), QToolButton()
        self.by, self.muted, self.clear = QComboBox(), ElidedLabel(), QPushButton(_CLEAR)
        self.listen, self.export = QToolButton(), QToolButton()
        self.grid = HeadGridView(_HEADS, choices)
        self.piece_grid = HeadGridView(_OF_PIECE, choices)
        self.choices, self.lens = FigureView(_CHOICES), FigureView(tr("Layers"))
        self.source_bars = FigurePage(tr("Sources"), grows=True)
        self.sources = Analysis(*_SOURCES, self.source_bars)
        self.piece = Analysis(*_PIECE, self.piece_grid)
        self.votes = FigurePage(tr("Votes"), grows=True)
        self.bar_list = FigurePage(_STRONGEST, grows=True)
        self.bars = Analysis(*_BARS, self.bar_list)
        self.why = QLabel()
        self.surprisal, self.details = QLabel(), ViewSwitch()
        self._inside = QWidget()
        self.effects_of = ""  # name of the model whose effects are shown; "" before the first
        self._make()
        self._lay_out()
        self.show_muted(Mutes())
        pages = self.source_bars, self.votes, self.bar_list
        for view in (self.grid, self.piece_grid, *(page.shown for page in pages)):
            view.described.connect(self.described)
        self.clear.clicked.connect(self.cleared)
        self.by.activated.connect(lambda row: self.by_chosen.emit(self.by.itemData(row)))

    # ------------------------------------------------------------------ what is shown

    def show_empty(self, sentence: str) -> None:
        self.empty.setText(sentence)
        self.setCurrentWidget(self.empty)

    def show_sides(self, models: tuple[str, str], side: int) -> None:
        for grid in (self.grid, self.piece_grid):
            grid.heads = grid.heads._replace(side=side)
        named = map(display_names.model, models)
        for place, (button, model) in enumerate(zip(self.sides, named, strict=True)):
            button.setVisible(bool(models[1]))
            button.setChecked(place == side)
            button.setToolTip(_SIDE_TIP.format(model=model))
            button.setAccessibleName(_SIDE_NAME.format(letter="AB"[place], model=model))

    def show_note(self, note: NoteEffects, views: EffectViews, heads: Heads) -> None:
        self.setCurrentWidget(self._whole)
        self.why.setText(why.sentence(note))
        self.effects_of = note.model
        _show_grid(self.grid, note.heads, views.heads, heads)
        self.surprisal.setText(note.surprisal)
        for figure, view in ((self.choices, views.choices), (self.lens, views.layers)):
            figure.set_figure(view.body if view else None)

    def show_sources(self, view: View | None, words: str, share: float | None) -> None:
        is_started = bool(words) or share is not None
        self.sources.show_state(share, is_started=is_started)
        self.source_bars.show_view(view, words or _FINDING)

    def show_votes(self, view: View | None, problem: str) -> None:
        self.votes.show_view(view, problem or _VOTING)

    def show_bars(self, view: View | None, share: float | None, *, is_started: bool) -> None:
        self.bars.show_state(share, is_started=is_started)
        self.bar_list.show_view(view, CHOOSE_HEAD)

    def show_piece(
        self, effects: HeadEffects | None, view: View | None, heads: Heads, share: float | None
    ) -> None:
        _show_grid(self.piece_grid, effects, view, heads)
        self.piece.show_state(share, is_started=effects is not None)

    def show_muted(self, mutes: Mutes) -> None:
        heads = muted_heads.codes(mutes)
        self.muted.setText(_MUTED.format(heads=heads))
        for part in (self.muted, self.clear):
            part.setVisible(bool(mutes))
        self.by.setCurrentIndex(self.by.findData(mutes.by))

    def enable_exports(self, views: Sequence[View | None]) -> None:
        for action, view in zip(self.export.menu().actions(), views, strict=True):
            action.setEnabled(view is not None)
            action.setToolTip("" if view is not None else NOT_YET)

    # ------------------------------------------------------------------ inside

    def _make(self) -> None:
        chosen = QButtonGroup(self)
        for side, button in enumerate(self.sides):
            button.setObjectName("flat")
            button.setText("AB"[side])
            button.setCheckable(True)
            button.setMinimumWidth(32)
            chosen.addButton(button, side)
            button.hide()
        chosen.idClicked.connect(self.side_chosen)
        fields.add_entries(self.by, ((tr("Mean"), "mean"), (tr("Zero"), "zero")))
        self.by.setToolTip(_BY_TIP)
        for part in (self.muted, self.clear):
            part.setToolTip(_MUTED_TIP)
        self.grid.setToolTip(_GRID_TIP)
        for button, text in ((self.listen, _LISTEN), (self.export, tr("Export…"))):
            button.setObjectName("menu")
            button.setText(text)
            button.setMenu(QMenu(button))
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setToolTip(_EXPORT_TIP)
        menu = self.export.menu()
        menu.setToolTipsVisible(True)
        for number, title in enumerate(_EXPORTS):
            menu.addAction(title, partial(self.export_asked.emit, number))
        views = (self.sources, self.votes, self.lens, self.piece, self.bars)
        for view, (name, texts) in zip(views, _VIEWS.items(), strict=True):
            self.details.add(name, *texts, view)
        self.details.open("layers")
        self._make_texts()

    def _make_texts(self) -> None:
        stylesheet.scale_font(self.surprisal, 1.0, QFont.Weight.DemiBold)
        for label in (self.surprisal, self.why):
            label.setWordWrap(True)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.why.setToolTip(_WHY_TIP)

    def _lay_out(self) -> None:
        how = layout.row(
            layout.row(*self.sides, spacing=2),
            layout.row(layout.field_label(_BY, self.by), self.by, spacing=5),
            self.muted, self.clear, None, spacing=10,
        )  # fmt: skip
        tools = layout.Wrapped(how, layout.row(None, self.listen, self.export, spacing=10))
        note = layout.column(self.surprisal, (self.choices, 1), spacing=4)
        columns = layout.Wrapped(
            layout.row((self.grid, 10), (note, 8), spacing=20),
            layout.column(layout.row(self.details, None), (self.details.stack, 1), spacing=4),
            spacing=20, shares=(18, 10),
        )  # fmt: skip
        layout.column(self.why, tools, (columns, 1), owner=self._inside, spacing=6)
        self._whole = layout.ColumnScroller(self._inside)
        self.addWidget(self.empty)
        self.addWidget(self._whole)


def _show_grid(
    grid: HeadGridView, effects: HeadEffects | None, view: View | None, heads: Heads
) -> None:
    layers, number = (0, 0) if effects is None else effects.shape
    grid.show_heads(heads._replace(layers=layers, heads=number), view.body if view else None)


class Analysis(QStackedWidget):
    """A view, before its analysis a button that starts it, meanwhile with progress and Cancel."""

    def __init__(self, sentence: str, action: str, tip: str, view: QWidget) -> None:
        super().__init__()
        self.start, self.cancel = QPushButton(action), QPushButton(tr("Cancel"))
        self.start.setToolTip(tip)
        self._progress = QProgressBar(maximum=_FINE)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("Progress"))
        self._before, self._started, self.running = QWidget(), QWidget(), QWidget()
        label, button = layout.quiet_notice(sentence), layout.row(None, self.start, None)
        layout.column(
            None, label, button, None, owner=self._before, spacing=10, margins=(12, 0, 12, 0)
        )
        layout.row((self._progress, 1), self.cancel, owner=self.running, spacing=8)
        layout.column((view, 1), self.running, owner=self._started, spacing=4)
        self.addWidget(self._before)
        self.addWidget(self._started)
        self.show_state(None, is_started=False)

    def show_state(self, share: float | None, *, is_started: bool) -> None:
        self.running.setVisible(share is not None)
        self._progress.setValue(round((share or 0) * _FINE))
        self.setCurrentWidget(self._started if is_started else self._before)
