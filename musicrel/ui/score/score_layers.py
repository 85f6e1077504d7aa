"""A cache of painted systems as pixmaps."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from musicrel.editing.selection import Selection
from musicrel.presentation.score.score_picture import Owner, Score, System
from musicrel.presentation.score.score_window import ABOVE, MARGIN, ScoreWindow
from musicrel.presentation.words.palette import Theme
from musicrel.ui.score.score_paint import ScorePainter

_VIEWS: Final = 2
"""Pictures take as many bytes as this many views at most: those in sight, and some beside them."""
_MIN_KEPT: Final = 3
"""Systems that are kept in any case: of those taller than half a view, three are in sight."""


class _Look(NamedTuple):
    """Everything that the picture of a system is painted from, besides the glyphs."""

    system: System
    chosen: frozenset[Owner]
    theme: Theme
    scale: float
    width: int
    ratio: float


class ScoreLayers:
    """A cache of the most recently used systems; each is painted on demand."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[_Look, QPixmap]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def kept_bytes(self) -> int:
        """Return the bytes of the pictures."""
        return sum(_bytes(picture) for _, picture in self._kept.values())

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
            ratio: device pixels per logical pixel.
        """
        if window.score is None:
            return QPixmap()
        system, chosen = window.score.systems[index], frozenset[Owner]()
        if selection is not None:
            heads = system.selected(selection.voices, selection.start, selection.stop)
            chosen = frozenset(Owner(head.note.voice, head.start) for head in heads)
        look = _Look(system, chosen, theme, window.scale, window.width, ratio)
        kept = self._kept.pop(index, None)
        if kept is None or kept[0] != look:
            kept = (look, _painted(window.score, look))
        self._kept[index] = kept
        self._evict(most=_VIEWS * window.width * window.height * ratio**2 * kept[1].depth() / 8)
        return kept[1]

    def _evict(self, most: float) -> None:
        """Drop the systems that were not used for longest while they take more than ``most``."""
        while len(self) > _MIN_KEPT and self.kept_bytes > most:
            del self._kept[next(iter(self._kept))]


def _bytes(picture: QPixmap) -> int:
    return picture.width() * picture.height() * picture.depth() // 8


def _painted(score: Score, look: _Look) -> QPixmap:
    height = round(look.system.height * look.scale) + 2 * ABOVE
    picture = QPixmap((QSize(look.width, height).toSizeF() * look.ratio).toSize())
    picture.fill(Qt.GlobalColor.transparent)
    ink = ScorePainter(score, look.scale * look.ratio, snaps=True)
    corner = QPointF(MARGIN * look.ratio, ABOVE * look.ratio)
    with QPainter(picture) as painter:
        ink.paint(painter, look.system, corner, QColor(look.theme.text))
        if look.chosen:
            ink.paint(painter, look.system, corner, QColor(look.theme.accent), only=look.chosen)
    picture.setDevicePixelRatio(look.ratio)
    return picture
