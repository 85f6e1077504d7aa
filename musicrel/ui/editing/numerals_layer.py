"""The controller of the Roman numerals: under the roll, and, with the same switch, in the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QLineF, QObject, QPoint, QPointF, QRectF, Slot
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen

from musicrel.analysis import numeral_search
from musicrel.analysis.numeral import Numeral, key_label
from musicrel.figures.paint import draw_numeral, sized_font, spread_numerals
from musicrel.figures.roll import KEYBOARD_WIDTH
from musicrel.language import tr
from musicrel.presentation.words import names
from musicrel.settings import NUMERALS_HIDDEN, NUMERALS_SHOWN
from musicrel.ui.document.document import Document
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.roll.roll_overlay import Overlay
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets.stylesheet import current_theme

TIP: Final = tr("Show the chords as Roman numerals, also in files and prints of the score")


class NumeralsLayer(QObject):
    """The numerals of the piece that a document shows, analysed in a thread.

    The document and its roll are those of the window, or those of model B.
    """

    def __init__(
        self, services: Services, roll: RollView | None = None, document: Document | None = None
    ) -> None:
        document, preferences = document or services.document, services.preferences
        super().__init__(document)
        self._document, self._preferences = document, preferences
        self._strip = strip = RollNumerals(roll or services.page.roll)
        self._action = action = services.commands.numerals
        self.job = LatestJob(self)
        action.setToolTip(TIP)
        action.setChecked(preferences.settings.numerals == NUMERALS_SHOWN)
        for signal, slot in (
            (action.toggled, self._update),
            (action.triggered, self._remember),
            (document.screen_changed, self._update),
            (self.job.finished, strip.show_numerals),
            (self.job.failed, services.messages.report),
        ):
            signal.connect(slot)
        self._update()

    @Slot(bool)
    def _remember(self, on: bool) -> None:
        self._preferences.remember(numerals=NUMERALS_SHOWN if on else NUMERALS_HIDDEN)

    @Slot()
    def _update(self) -> None:
        piece = self._document.shown
        self.job.cancel()
        if not self._action.isChecked():
            self._strip.show_numerals(None)
        elif piece is None:
            self._strip.show_numerals(())
        else:
            self._strip.show_numerals(self._strip.numerals or ())
            self.job.request(partial(numeral_search.analyse, piece))


NAME: Final = tr("Roman numerals")
_CHORD: Final = tr("{figure} in {key}")
HEIGHT: Final = 26
_LINE: Final = 18.0  # distance of the baseline from the upper edge
_INDENT: Final = 3.0  # distance of a label from the beginning of its chord


class RollNumerals(Overlay):
    """A strip with the numerals of the visible steps; where they are close, some are left out."""

    def __init__(self, roll: RollView) -> None:
        super().__init__(roll, NAME, parent=roll)
        self.numerals: tuple[Numeral, ...] | None = None

    def show_numerals(self, numerals: Sequence[Numeral] | None) -> None:
        hidden = numerals is None
        if hidden != self.isHidden():
            self.setHidden(hidden)
            self.roll.setViewportMargins(0, 0, 0, 0 if hidden else HEIGHT)
        self.numerals = None if numerals is None else tuple(numerals)
        self.setAccessibleDescription(
            ", ".join(names.numeral(found.text) for found in numerals or ())
        )
        self.rearrange()

    def tip_at(self, place: QPoint) -> str:
        view, x = self.roll.seen, place.x() - KEYBOARD_WIDTH
        if x < 0:
            return ""
        step = int(view.step_at(x))
        here = (found for found in self.numerals or () if found.start <= step < found.stop)
        return next((_CHORD.format(figure=one.figure, key=names.key(one.key)) for one in here), "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, seen = current_theme(), self._visible()
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(theme.panel))
            painter.fillRect(QRectF(0, 0, self.width(), 1), QColor(theme.line_bar))
            font = self._font()
            if seen:
                painter.setPen(QColor(theme.quiet))
                draw_numeral(painter, QPointF(10, _LINE), key_label(seen[0].key), font)
            painter.setClipRect(QRectF(KEYBOARD_WIDTH, 0, self.width(), self.height()))
            painter.setPen(QPen(QColor(theme.quiet), 1))
            for numeral in seen:
                x = round(self._x(numeral.start)) + 0.5
                painter.drawLine(QLineF(x, 1, x, 5.0))
            painter.setPen(QColor(theme.text))
            for numeral, left in self.labels:
                draw_numeral(painter, QPointF(left + _INDENT, _LINE), numeral.text, font)

    @property
    def labels(self) -> list[tuple[Numeral, float]]:
        """Return what is shown at the right of the first key, which is not repeated there."""
        seen, font = self._visible(), self._font()
        seen[:1] = [replace(first, text=first.figure) for first in seen[:1]]
        return spread_numerals(
            seen, self._x, lambda text: draw_numeral(None, QPointF(), text, font)
        )

    def _visible(self) -> list[Numeral]:
        steps = self.roll.seen.seen_steps
        return [n for n in self.numerals or () if n.stop > steps.start and n.start < steps.stop]

    def _x(self, step: int) -> float:
        return KEYBOARD_WIDTH + self.roll.seen.x(step)

    def _font(self) -> QFont:
        return sized_font(self.font(), 13.0, QFont.Weight.Medium)

    @Slot()
    def rearrange(self) -> None:
        lanes = self.roll.viewport().geometry()
        self.setGeometry(lanes.left(), lanes.bottom() + 1, lanes.width(), HEIGHT)
        self.update()
