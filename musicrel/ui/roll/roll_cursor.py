"""The cursor of note input on the piano roll: where the next note begins, and how long it is."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent

from musicrel.chorale import Voice
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.widgets.paint import fill_rounded, sized_font, translucent
from musicrel.ui.widgets.stylesheet import current_theme

_TINT: Final = 0.22
_LINE: Final = 3
_CHIP: Final = 17


class Place(NamedTuple):
    """Voice, first step and steps of the next note."""

    voice: int
    step: int
    length: int


class RollCursor(LanesOverlay):
    """The cursor: a band in the colour of the voice with a line at its beginning."""

    place: Place | None = None

    def show_place(self, place: Place | None) -> None:
        """Move to another place; None: note input is off."""
        self.place = place
        self.rearrange()

    def has_content(self) -> bool:
        """Return whether note input is on."""
        return self.place is not None

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the band, the line and the letter of the voice; at the end of the paper inside."""
        if self.place is None:
            return
        theme, view = current_theme(), self.roll.seen
        colour = theme.voice_edges[self.place.voice]
        left = min(round(view.x(self.place.step)), view.width - _LINE)
        right = max(round(view.x(self.place.step + self.place.length)), left + _LINE)
        with QPainter(self) as painter:
            band = QRectF(left, 0, right - left, self.height())
            painter.fillRect(band, translucent(theme.voices[self.place.voice], _TINT))
            painter.fillRect(QRectF(left, 0, _LINE, self.height()), QColor(colour))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(sized_font(painter.font(), 11, QFont.Weight.Bold))
            chip = QRectF(min(left, view.width - _CHIP), self.height() - _CHIP - 2, _CHIP, _CHIP)
            fill_rounded(painter, chip, 3, theme.voices[self.place.voice])
            painter.setPen(QColor(theme.on_voice))
            letter = Voice(self.place.voice).letter
            painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, letter)
