"""The views beside the maps: one note, shares, surprisal and claims, of one model or of two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Voice
from musicrel.figures import claims, differences, shares
from musicrel.figures.attention_views import CLAIMS, NOTE, SHARES, SURPRISAL
from musicrel.presentation.attention import claim_rows
from musicrel.presentation.comparison import model_difference, share_difference
from musicrel.presentation.comparison.model_difference import ModelDifference
from musicrel.presentation.comparison.note_attention import NoteAttention
from musicrel.presentation.comparison.views import Shown
from musicrel.ui.attention.attention_plots import show_shares
from musicrel.ui.attention.chart import Chart
from musicrel.ui.attention.view_switch import ViewSwitch

_TITLES: Final[Mapping[str, tuple[str, str]]] = {
    NOTE: ("&Note", "Attention of the chosen note over time; of A and B on the same scale"),
    SHARES: ("Shares", "Attention by distance and voice, and the difference of A and B"),
    SURPRISAL: ("S&urprisal", "Which notes surprise A more, and which B; their running sum"),
    CLAIMS: ("Claims", "What was claimed about relative attention in 2018, measured here"),
}
CHOOSE_NOTE: Final = "Select a note in the roll to see what it attends to."
CHOOSE_SECOND: Final = (
    "Choose a second model, B, to see where in the piece each of the two predicts better."
)
NOT_YET: Final = "Both models are reading the piece …"
NOTHING_READ: Final = "No note of the piece has been read yet."
_CURVE: Final = "{summary}.  The curve rises where A predicts better."
_CLAIM_MS: Final = 500
"""Least time between two measurements of the claims while a model writes."""


class ComparisonViews(QObject):
    """The views and what they show.

    Attributes:
        difference: the difference in surprisal that is shown; None without one.
    """

    described = Signal(str)  # a sentence about the place under the mouse, or about the whole view
    cell_chosen = Signal(int)

    def __init__(self, switch: ViewSwitch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._switch = switch
        self._shown: Shown | None = None
        self._reading = False
        self._attention: NoteAttention | None = None
        self.difference: ModelDifference | None = None
        self.charts = {name: Chart(title.replace("&", "")) for name, (title, _) in _TITLES.items()}
        for name, chart in self.charts.items():
            switch.add(name, *_TITLES[name], chart)
            chart.clicked.connect(lambda step: self.cell_chosen.emit(step * len(Voice)))
        self._timer = QTimer(self, singleShot=True, interval=_CLAIM_MS)
        self._timer.timeout.connect(self._show_claims)
        self._show: Mapping[str, Callable[[Chart, Shown], str]] = {
            NOTE: self._show_note,
            SHARES: self._show_shares,
            SURPRISAL: self._show_surprisal,
            CLAIMS: self._schedule_claims,
        }
        self.charts[NOTE].pointed.connect(self._point_note)
        self.charts[SURPRISAL].pointed.connect(self._point_curve)

    def show(self, shown: Shown | None, *, reading: bool = False) -> None:
        """Show the visible view.

        Args:
            shown: the analyses; None: there are none.
            reading: whether the second model is still reading the piece.
        """
        self._shown, self._reading = shown, reading
        self.difference = self._known_difference(shown)
        chart = self.charts.get(self._switch.current)
        if shown is not None and chart is not None:
            self.described.emit(self._show[self._switch.current](chart, shown))

    @property
    def has_view(self) -> bool:
        chart = self.charts.get(self._switch.current)
        return chart is None or chart.has_chart or self._switch.current == CLAIMS

    # ------------------------------------------------------------------ the views

    def _show_note(self, chart: Chart, shown: Shown) -> str:
        self._attention = found = shown.note
        if found is None:
            chart.show_chart(None, CHOOSE_NOTE)
            return ""
        words = f"{found.title}.  {found.words}"
        chart.show_chart(lambda canvas: shares.make_note(canvas, found), words)
        return words

    def _show_shares(self, chart: Chart, shown: Shown) -> str:
        show_shares(chart, shown.shares)
        return share_difference.WORDS if shown.second else share_difference.ALONE

    def _show_surprisal(self, chart: Chart, shown: Shown) -> str:
        found = self.difference
        if found is None:
            chart.show_chart(None, NOT_YET if self._reading else CHOOSE_SECOND)
            return ""
        step = None if shown.cell is None else shown.cell // len(Voice)
        words = _CURVE.format(summary=model_difference.summary(found))
        chart.show_chart(lambda canvas: differences.make(canvas, found, step), words)
        chart.setToolTip(model_difference.voices(found))
        return words

    def _schedule_claims(self, _chart: Chart, _shown: Shown) -> str:
        if not self._timer.isActive():
            self._timer.start()
        return ""

    @Slot()
    def _show_claims(self) -> None:
        shown, chart = self._shown, self.charts[CLAIMS]
        if shown is None or not shown.first.cells:
            chart.show_chart(None, NOTHING_READ)
            return
        rows = claim_rows.claim_rows(shown.first, shown.second, shown.heads)
        words = (f"{row.measure.title}. {claim_rows.in_words(row, shown.models)}" for row in rows)
        chart.show_chart(
            lambda canvas: claims.make_page(canvas, rows, shown.models),
            " ".join(words).replace("\n", "; "),
            height=partial(claims.page_height, rows),
        )

    def _known_difference(self, shown: Shown | None) -> ModelDifference | None:
        """Return the difference, the same object as long as the analyses are the same."""
        found, before = shown.difference if shown is not None else None, self.difference
        if found is not None and before is not None:
            is_same = (
                found.first_nats.base is before.first_nats.base
                and found.second_nats.base is before.second_nats.base
            )
            return before if is_same else found
        return found

    # ------------------------------------------------------------------ the mouse

    @Slot(object)
    def _point_note(self, step: int | None) -> None:
        found = self._attention
        if found is not None:
            whole = f"{found.title}.  {found.words}"
            self.described.emit(whole if step is None else found.at_step(step))

    @Slot(object)
    def _point_curve(self, step: int | None) -> None:
        found = self.difference
        if found is not None:
            words = _CURVE.format(summary=model_difference.summary(found))
            self.described.emit(words if step is None else model_difference.at_step(found, step))
