"""The views of one note: effects of heads, its distribution, sources and layers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import QAction, QContextMenuEvent, QFocusEvent, QFont, QHelpEvent, QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QToolTip,
    QWidget,
)

from musicrel.chorale import Voice
from musicrel.figures import effects as figures
from musicrel.figures.figure import Figure
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.note_effects import NoteEffects, SourceList, SourceRow
from musicrel.presentation.words import muted_heads
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention import mute_menu
from musicrel.ui.attention.view_switch import ViewSwitch
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.figure_view import FigureView

_BY_TIP: Final = (
    "Output of a head that is taken away or muted: its mean over the training pieces, or zero. "
    "The mean keeps what the head does for every note; zero removes that, too."
)
_NONE_MUTED: Final = "No head is muted"
_MUTED_TIP: Final = (
    "Muted heads count for this note here, and for all notes in Generate, Rewrite, Continue and "
    "Harmonise"
)
_EXPORTS: Final = (
    "&Effects of heads…", "&Most probable notes…", "&Sources…", "&Layers…", "&Whole piece…",
)  # fmt: skip
NOT_YET: Final = "Not known yet: find the sources or measure the piece first"
_CLEAR: Final = "Unmute all"
_HEADS: Final = "What each head and voice did"
_CHOICES: Final = "Most probable notes"
_SIDE_TIP: Final = "Show the effects in {model}, and mute its heads"
_SIDE_NAME: Final = "Effects in {letter}, {model}"
_MUTED: Final = "Muted: {heads}"
_GRID_TIP: Final = (
    f"Effect of each head on the chosen note. {mute_menu.MUTE_KEYS} Right-click for more."
)
_LISTEN: Final = "Listen to the &difference"
_EXPORT_TIP: Final = "Save a view as a picture (PNG, SVG) or its numbers (CSV)"
_BY: Final = "Replace &by"
_OF_PIECE: Final = "Effects on the whole piece"
_FINDING: Final = "Removing one note after the other …"
_SOURCES: Final = (
    "See which other notes the model looks at, and which of them matter.",
    "Find the sources",
    "Remove 64 notes with the largest weights and 64 random ones, one at a time",
)
_PIECE: Final = (
    "How much worse is the whole piece predicted without each head?",
    "&Measure all heads",
    "Replace each head at all notes of the piece; this takes a while",
)
"""Sentence, button and tooltip of the analyses."""
_VIEWS: Final = {
    "sources": ("&Sources", "Other notes: how much the model looks at them, and what they do"),
    "layers": ("La&yers", "What each layer would choose, were it the last (logit lens)"),
    "piece": ("Whole piece", "Effect of each head on all notes of the piece"),
}
_FINE: Final = 1000


class NoteEffectsPanel(QStackedWidget):
    """The views of one note, or a sentence in their place; a passive widget.

    Attributes:
        sides: the buttons that choose between the models A and B; hidden where there is one.
        listen: opens the choice of what is generated without and with muted heads.
        export: opens the choice of the view to be saved.
        effects_of: name of the model whose effects are shown; "" before the first.
        surprisal: of the note, without and with muted heads.
        details: sources, layers, and effects on the whole piece.
    """

    side_chosen = Signal(int)
    head_chosen = Signal(object)  # of the note or of the whole piece
    mute_toggled = Signal(object)
    cleared = Signal()  # all heads are to be unmuted
    export_asked = Signal(int)  # the number of a view
    by_chosen = Signal(str)  # "mean" or "zero"
    described = Signal(str)  # what is under the mouse, in words

    def __init__(self) -> None:
        super().__init__()
        self.empty = layout.quiet_notice()
        self.sides = QToolButton(), QToolButton()
        self.by, self.muted, self.clear = QComboBox(), ElidedLabel(), QPushButton(_CLEAR)
        self.listen, self.export = QToolButton(), QToolButton()
        self.grid, self.choices = (
            EffectGridView(_HEADS),
            FigureView(_CHOICES),
        )
        self.surprisal, self.details = QLabel(), DetailViews()
        self._note, self._inside = ElidedLabel(), QWidget()
        self.effects_of = ""
        self._make()
        self._lay_out()
        self.show_muted(Mutes())
        for grid in (self.grid, self.details.grid):
            grid.chosen.connect(self.head_chosen)
            grid.mute_toggled.connect(self.mute_toggled)
            grid.cleared.connect(self.cleared)
        for part in (self.grid, self.details):
            part.described.connect(self.described)
        self.clear.clicked.connect(self.cleared)
        self.by.activated.connect(self._choose_by)

    # ------------------------------------------------------------------ what is shown

    def show_empty(self, sentence: str) -> None:
        self.empty.setText(sentence)
        self.setCurrentWidget(self.empty)

    def show_sides(self, models: tuple[str, str], side: int) -> None:
        """Name the models between which the user can choose.

        Args:
            models: names of A and B; B is "" without one.
        """
        for place, (button, model) in enumerate(zip(self.sides, models, strict=True)):
            button.setVisible(bool(models[1]))
            button.setChecked(place == side)
            button.setToolTip(_SIDE_TIP.format(model=model))
            button.setAccessibleName(_SIDE_NAME.format(letter="AB"[place], model=model))

    def show_note(self, note: NoteEffects, mutes: Mutes, head: Head | None) -> None:
        """Show what is known of a note.

        Args:
            head: the head with a frame; None: none.
        """
        self.setCurrentWidget(self._inside)
        self._note.setText(note.note)
        self.effects_of = note.model
        self.grid.show_effects(note.heads, mutes, head)
        self.surprisal.setText(note.surprisal)
        self.choices.set_figure(partial(figures.choices, note))
        self.details.show_lens(note)

    def show_muted(self, mutes: Mutes) -> None:
        heads = muted_heads.codes(mutes)
        self.muted.setText(_MUTED.format(heads=heads) if mutes else _NONE_MUTED)
        self.clear.setEnabled(bool(mutes))
        self.clear.setToolTip(_MUTED_TIP if mutes else _NONE_MUTED)
        self.by.setCurrentIndex(self.by.findData(mutes.by))

    def enable_exports(self, are_known: Sequence[bool]) -> None:
        for action, is_known in zip(self.export.menu().actions(), are_known, strict=True):
            action.setEnabled(is_known)
            action.setToolTip("" if is_known else NOT_YET)

    # ------------------------------------------------------------------ inside

    @Slot(int)
    def _choose_by(self, row: int) -> None:
        self.by_chosen.emit(self.by.itemData(row))

    @Slot(QAction)
    def _ask_export(self, action: QAction) -> None:
        self.export_asked.emit(self.export.menu().actions().index(action))

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
        self.by.addItem("Mean", "mean")
        self.by.addItem("Zero", "zero")
        self.by.setToolTip(_BY_TIP)
        self.muted.setToolTip(_MUTED_TIP)
        self.grid.setToolTip(_GRID_TIP)
        for button, text, tip in (
            (self.listen, _LISTEN, ""),
            (self.export, "Export…", _EXPORT_TIP),
        ):
            button.setObjectName("menu")
            button.setText(text)
            button.setToolTip(tip)
            button.setMenu(QMenu(button))
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.menu().setToolTipsVisible(True)
        for title in _EXPORTS:
            self.export.menu().addAction(title)
        self.export.menu().triggered.connect(self._ask_export)
        for label in (self._note, self.surprisal):
            stylesheet.scale_font(label, 1.0, QFont.Weight.DemiBold)

    def _lay_out(self) -> None:
        tools = layout.row(
            layout.row(*self.sides, spacing=2), (self._note, 3),
            layout.row(layout.field_label(_BY, self.by), self.by, spacing=5),
            (self.muted, 2), self.clear, self.listen, self.export, spacing=10,
        )  # fmt: skip
        columns = layout.row(
            (self.grid, 10),
            (layout.column(self.surprisal, (self.choices, 1), spacing=4), 8),
            (self.details, 10),
            spacing=20,
        )
        layout.column(tools, (columns, 1), owner=self._inside, spacing=6)
        self.addWidget(self.empty)
        self.addWidget(self._inside)


class DetailViews(QWidget):
    """The views and the buttons that start their analyses; a passive widget."""

    described = Signal(str)  # what is under the mouse, in words
    source_chosen = Signal(object)  # a clicked ``SourceRow``

    def __init__(self) -> None:
        super().__init__()
        self.switch = ViewSwitch()
        self.source_bars, self.lens = FigureView("Sources", grows=True), FigureView("Layers")
        self.grid = EffectGridView(_OF_PIECE)
        self._sentence, inside = layout.quiet_notice(), QWidget()
        layout.column(self._sentence, self.source_bars, None, owner=inside)
        self.sources = Analysis(*_SOURCES, layout.ColumnScroller(inside))
        self.piece = Analysis(*_PIECE, self.grid)
        self._found: SourceList | None = None
        views = (self.sources, self.lens, self.piece)
        for (name, texts), view in zip(_VIEWS.items(), views, strict=True):
            self.switch.add(name, *texts, view)
        self.switch.open("layers")
        layout.column(layout.row(self.switch, None), (self.switch.stack, 1), owner=self, spacing=4)
        self.source_bars.pointed.connect(self._point)
        self.source_bars.clicked.connect(self._click)
        self.grid.described.connect(self.described)

    def show_lens(self, note: NoteEffects) -> None:
        self.lens.set_figure(partial(figures.layers, note))

    def show_sources(self, found: SourceList | None, share: float | None = None) -> None:
        """Show the sources of a note; None: the button that starts the search.

        Args:
            share: progress of the search, 0 to 1; None: none is running.
        """
        self._found = found
        self.sources.show_state(share, is_started=found is not None or share is not None)
        self._sentence.setText(_FINDING if found is None else found.words)
        has_rows = found is not None and bool(found.rows)
        self._sentence.setHidden(has_rows)
        self.source_bars.set_figure(self._draw_sources if has_rows else None)

    def show_piece(
        self, effects: HeadEffects | None, mutes: Mutes, head: Head | None, share: float | None
    ) -> None:
        """Show the effects of heads on the whole piece.

        Args:
            effects: as far as known; None: the button that starts the measurement.
            share: progress of the measurement, 0 to 1; None: none is running.
        """
        self.grid.show_effects(effects, mutes, head)
        self.piece.show_state(share, is_started=effects is not None)

    # ------------------------------------------------------------------ inside

    def _draw_sources(self, width: int, _height: int, theme: Theme) -> Figure:
        assert self._found is not None  # noqa: S101  # it is drawn
        return figures.sources(self._found, width, theme)

    def _row_at(self, y: float) -> SourceRow | None:
        return None if self._found is None or y < 0 else figures.source_at(self._found, y)

    @Slot(float, float)
    def _point(self, _x: float, y: float) -> None:
        row, found = self._row_at(y), self._found
        self.described.emit(row.describe() if row else found.words if found else "")

    @Slot(float, float)
    def _click(self, _x: float, y: float) -> None:
        row = self._row_at(y)
        if row is not None:
            self.source_chosen.emit(row)


class Analysis(QStackedWidget):
    """A view, before its analysis a button that starts it, meanwhile with progress and Cancel."""

    def __init__(self, sentence: str, action: str, tip: str, view: QWidget) -> None:
        super().__init__()
        self.start, self.cancel = QPushButton(action), QPushButton("Cancel")
        self.start.setToolTip(tip)
        self._progress = QProgressBar(maximum=_FINE)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName("Progress")
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


_HEAD_MUTED: Final = "{words}; muted"


class EffectGridView(FigureView):
    """The effects of all heads and voices, where heads are chosen and muted; a passive widget."""

    chosen = Signal(object)
    mute_toggled = Signal(object)  # a Head, or a whole layer
    cleared = Signal()  # all heads are to be unmuted
    described = Signal(str)  # the head or voice under the mouse or with the frame, in words

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._effects: HeadEffects | None = None
        self._mutes = Mutes()
        self._head: Head | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pointed.connect(self._point)
        self.clicked.connect(self._click)

    def show_effects(self, effects: HeadEffects | None, mutes: Mutes, head: Head | None) -> None:
        self._effects, self._mutes, self._head = effects, mutes, head
        make = None if effects is None else partial(figures.grid, effects, mutes=mutes, chosen=head)
        self.set_figure(make)

    def spoken_text(self) -> str:
        effects, head = self._effects, self._head
        if effects is None or head is None or not effects.has(head):
            return super().spoken_text()
        return f"{self._words(effects, head)}. {effects.summary(self._mutes)}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        size = (self._effects.layers, self._effects.heads) if self._effects is not None else (0, 0)
        toggle, choose = self.mute_toggled.emit, self.chosen.emit
        if not mute_menu.press(event, self._head, size, toggle, choose):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        head = self._at(event.pos().toPointF()) if by_mouse else self._head
        if not isinstance(head, Head):
            super().contextMenuEvent(event)
            return
        menu = mute_menu.mute_menu(
            self, head, self._mutes, self.mute_toggled.emit, self.cleared.emit
        )
        menu.popup(event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        by_key = event.reason() in (
            Qt.FocusReason.TabFocusReason,
            Qt.FocusReason.BacktabFocusReason,
        )
        if self._head is None and self._effects is not None and by_key:
            self.chosen.emit(Head(0, 0))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            words = self._describe(event.pos().toPointF())
            if words:
                QToolTip.showText(event.globalPos(), words, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    # ------------------------------------------------------------------ inside

    def _at(self, place: QPointF) -> Head | Voice | None:
        effects, figure = self._effects, self.figure
        if effects is None or figure is None:
            return None
        places = figures.EffectGrid(effects, figure.width, figure.height)
        return places.at(place.x() / self.factor, place.y() / self.factor)

    def _describe(self, place: QPointF) -> str:
        effects, found = self._effects, self._at(place)
        if effects is None or found is None:
            return ""
        if isinstance(found, Voice):
            return effects.describe_voice(found)
        return str(found) if found.head == WHOLE else self._words(effects, found)

    def _words(self, effects: HeadEffects, head: Head) -> str:
        words = effects.describe(head)
        return _HEAD_MUTED.format(words=words) if head in self._mutes else words

    def _point(self, x: float, y: float) -> None:
        self.described.emit(self._describe(QPointF(x, y) * self.factor) if x >= 0 else "")

    def _click(self, x: float, y: float) -> None:
        self.setFocus()
        found = self._at(QPointF(x, y) * self.factor)
        if isinstance(found, Head) and found.head == WHOLE:
            self.mute_toggled.emit(found)
        elif isinstance(found, Head):
            self.chosen.emit(found)
