"""A cache of painted systems as pixmaps."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score.score_picture import Owner, Score, System
from musicrel.presentation.score.score_window import ABOVE, MARGIN, ScoreWindow
from musicrel.presentation.words.palette import Theme
from musicrel.ui.score.score_paint import ScorePainter

_MAX_KEPT: Final = 12


class _Kept(NamedTuple):
    """The pixmap of a system, and what it was painted from."""

    system: System
    chosen: frozenset[Owner]
    picture: QPixmap


class ScoreLayers:
    """A cache of the most recently used systems; each is painted on demand."""

    def __init__(self) -> None:
        self._shown: tuple[float, float, int] | None = None
        self._kept: dict[int, _Kept] = {}

    def forget(self) -> None:
        """Drop all pixmaps."""
        self._kept.clear()

    def picture(
        self,
        window: ScoreWindow,
        index: int,
        theme: Theme,
        selection: Selection | None,
        ratio: float,
    ) -> QPixmap:
        """Return the ink of a system, as large as its box.

        Args:
            window: the visible part of the score.
            index: of the system.
            theme: the colours.
            selection: notes to be painted in the accent colour.
            ratio: device pixels per logical pixel.
        """
        if window.score is None:
            return QPixmap()
        if self._shown != (window.scale, ratio, window.width):
            self._shown = (window.scale, ratio, window.width)
            self.forget()
        system, chosen = window.score.systems[index], frozenset[Owner]()
        if selection is not None:
            heads = system.selected(selection.voices, selection.start, selection.stop)
            chosen = frozenset(Owner(head.note.voice, head.start) for head in heads)
        kept = self._kept.pop(index, None)
        if kept is None or kept.system is not system or kept.chosen != chosen:
            kept = _Kept(system, chosen, self._painted(window.score, system, chosen, theme))
        self._kept[index] = kept
        if len(self._kept) > _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return kept.picture

    def _painted(
        self, score: Score, system: System, chosen: frozenset[Owner], theme: Theme
    ) -> QPixmap:
        scale, ratio, width = self._shown or (1.0, 1.0, 1)
        height = round(system.height * scale) + 2 * ABOVE
        picture = QPixmap((QSize(width, height).toSizeF() * ratio).toSize())
        picture.fill(Qt.GlobalColor.transparent)
        painter, ink = QPainter(picture), ScorePainter(score, scale * ratio, snaps=True)
        corner = QPointF(MARGIN * ratio, ABOVE * ratio)
        ink.paint(painter, system, corner, QColor(theme.text))
        if chosen:
            ink.paint(painter, system, corner, QColor(theme.accent), only=chosen)
        painter.end()
        picture.setDevicePixelRatio(ratio)
        return picture
