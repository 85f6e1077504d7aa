"""Painting shared by figures and widgets: fonts, texts, colours, boxes, Roman numerals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from musicrel.analysis import numeral
from musicrel.analysis.numeral import Numeral
from musicrel.chorale import Voice
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

TEXT, SMALL = 12, 10  # sizes of most texts of figures in pixels
RIGHT: Final = Qt.AlignmentFlag.AlignRight
MIDDLE: Final = Qt.AlignmentFlag.AlignHCenter
_PLAIN, _BOLD = QFont.Weight.Normal, QFont.Weight.Bold


def text_width(painter: QPainter, text: str, size: int = TEXT) -> float:
    return QFontMetricsF(sized_font(painter.font(), size, _PLAIN)).horizontalAdvance(text)


def write(
    painter: QPainter, box: QRectF, text: str, colour: str, size: int = TEXT, *,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft, bold: bool = False,
    elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:  # fmt: skip
    font = sized_font(painter.font(), size, _BOLD if bold else _PLAIN)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    fitting = QFontMetricsF(font).elidedText(text, elide, box.width() + 1)
    painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, fitting)


def fill(painter: QPainter, box: QRectF, low: float, high: float, colour: str) -> None:
    left, right = sorted((box.x() + low * box.width(), box.x() + high * box.width()))
    painter.fillRect(QRectF(left, box.y(), right - left, box.height()), QColor(colour))


def tile(painter: QPainter, box: QRectF, colour: str, theme: Theme) -> None:
    painter.fillRect(box, QColor(colour))
    painter.setPen(QPen(QColor(theme.edge), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


def mixed(low: str, high: str, share: float) -> str:
    one, other = QColor(low).getRgb()[:3], QColor(high).getRgb()[:3]  # type: ignore[index]
    pairs = zip(one, other, strict=True)
    return QColor(*(round(first + share * (last - first)) for first, last in pairs)).name()


def ink(colour: str) -> str:
    """Return the colour of text on a filled tile, the one of more contrast (WCAG 2.1)."""
    shade = QColor(colour)
    red, green, blue = map(_linear, (shade.redF(), shade.greenF(), shade.blueF()))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4  # noqa: PLR2004


def sized_font(font: QFont, pixels: float, weight: QFont.Weight = QFont.Weight.DemiBold) -> QFont:
    sized = QFont(font)
    sized.setPixelSize(round(pixels))
    sized.setWeight(weight)
    return sized


def translucent(colour: str, opacity: float) -> QColor:
    mixed = QColor(colour)
    mixed.setAlphaF(opacity)
    return mixed


def fill_rounded(painter: QPainter, box: QRectF, radius: float, colour: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(box, radius, radius)


def draw_letter(painter: QPainter, box: QRectF, voice: int, theme: Theme, size: float = 10) -> None:
    fill_rounded(painter, box, 3, theme.voices[voice])
    painter.setFont(sized_font(painter.font(), size, QFont.Weight.Bold))
    painter.setPen(QColor(theme.on_voice))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, Voice(voice).letter)


def draw_numeral(painter: QPainter | None, place: QPointF, text: str, font: QFont) -> float:
    """Draw a Roman numeral with stacked figures at the left end of its line; return its width.

    Without a painter it is only measured. The font has a size in pixels.
    """
    small = QFont(font)
    small.setPixelSize(max(round(font.pixelSize() * 0.62), 1))
    on_line, of_figures = QFontMetricsF(font), QFontMetricsF(small)
    size, x = font.pixelSize(), 0.0
    for piece in numeral.pieces(names.numeral(text)):
        if painter is not None:
            for part, used, up in (
                (piece.text, font, 0.0),
                (piece.upper, small, 0.44),
                (piece.lower, small, -0.2),
            ):
                painter.setFont(used)
                painter.drawText(place + QPointF(x, -up * size), part)
        figures = max(map(of_figures.horizontalAdvance, (piece.upper, piece.lower)))
        x += on_line.horizontalAdvance(piece.text) + (figures + 0.06 * size if figures else 0)
    return x


NUMERAL_GAP: Final = 5.0  # least distance of two numerals


def spread_numerals(
    numerals: Sequence[Numeral],
    x_of: Callable[[int], float],
    width_of: Callable[[str], float],
    is_goal: Callable[[Numeral], bool] = lambda _: False,
) -> list[tuple[Numeral, float]]:
    """Return the numerals that do not touch each other, each with its left end.

    Those with a key come first, then the goals of phrases, then longer chords before shorter ones.
    """

    def rank(one: Numeral) -> tuple[bool, bool, int]:
        return one.text == one.figure, not is_goal(one), one.start - one.stop

    taken: dict[int, tuple[float, float]] = {}  # start of a chord -> edges of its label
    for found in sorted(numerals, key=rank):
        left = x_of(found.start)
        right = left + width_of(found.text) + NUMERAL_GAP
        if all(right <= other[0] or other[1] <= left for other in taken.values()):
            taken[found.start] = (left, right)
    return [(found, taken[found.start][0]) for found in numerals if found.start in taken]
