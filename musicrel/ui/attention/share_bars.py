"""Shares of attention as bars: the mean over the piece, with a mark for the selected note."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF

from musicrel.presentation.attention.piece_analysis import LAG_MEANINGS, Share, percent
from musicrel.presentation.words.palette import Theme
from musicrel.ui.attention.plot_panel import PlotPanel
from musicrel.ui.widgets import plots

_ROW: Final = 22
"""Height of a row in pixels."""
_BAR: Final = 0.42
"""Height of a bar as a share of its row."""
_MARK: Final = 15
_AXES: Final = {"left": None, "right": 56}
"""Axes with names and numbers."""
_OVER_PIECE: Final = "{name}: {whole} over the piece"
_AND_NOTE: Final = "{name}: {whole} over the piece, this note {here}"


class ShareBars(PlotPanel):
    """A bar, a number and a mark for each share; a passive widget.

    Args:
        voices: True if the shares are those of the voices, which have colours.
    """

    def __init__(self, name: str, *, voices: bool = False) -> None:
        super().__init__(name, _AXES)
        self._voices = voices
        library = plots.library()
        self._grooves, self.bars = (
            library.BarGraphItem(x0=0, y=[], width=1, height=_BAR, pen=None) for _ in range(2)
        )
        self.marks = library.ScatterPlotItem(symbol="|", size=_MARK)
        self.box.setMouseEnabled(x=False, y=False)
        for item in (self._grooves, self.bars, self.marks):
            self.box.addItem(item, ignoreBounds=True)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of ``theme``."""
        super().set_theme(theme)
        for side in _AXES:
            self.plot.getAxis(side).setPen(None)
            self.plot.getAxis(side).setTextPen(theme.text)
        self._grooves.setOpts(brush=theme.edge)
        self.bars.setOpts(brush=theme.accent, brushes=theme.voices if self._voices else None)
        self.marks.setBrush(theme.text)
        self.marks.setPen(plots.library().mkPen(theme.panel, width=1.5))

    def show_shares(self, shares: tuple[Share, ...]) -> None:
        """Show ``shares``, one below the other."""
        rows = range(len(shares))
        self._grooves.setOpts(y=rows)
        self.bars.setOpts(y=rows, width=[share.whole for share in shares])
        marked = [(share.here, row) for row, share in enumerate(shares) if share.here is not None]
        self.marks.setData(pos=marked)
        self.label("left", ((row, share.name) for row, share in enumerate(shares)))
        self.label("right", ((row, percent(share.whole)) for row, share in enumerate(shares)))
        self.box.setRange(QRectF(0, -0.5, 1, len(shares)), padding=0)
        self.view.setFixedHeight(len(shares) * _ROW)
        self.setAccessibleDescription(", ".join(_words(share) for share in shares))
        self.setToolTip("\n".join(_words(share) + _meaning(share) for share in shares))


def _meaning(share: Share) -> str:
    meaning = LAG_MEANINGS.get(share.name, "")
    return f" ({meaning})" if meaning else ""


def _words(share: Share) -> str:
    whole = percent(share.whole)
    if share.here is None:
        return _OVER_PIECE.format(name=share.name, whole=whole)
    return _AND_NOTE.format(name=share.name, whole=whole, here=percent(share.here))
