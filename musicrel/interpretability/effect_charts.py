"""Charts of effects: grids of heads, probable notes, layers, sources; maps as thumbnails.

Lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from musicrel.chorale import REST, Voice
from musicrel.figures.figure import Figure, Hit
from musicrel.figures.paint import (
    MIDDLE,
    RIGHT,
    SMALL,
    TEXT,
    fill,
    ink,
    mixed,
    text_width,
    tile,
    write,
)
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes, all_heads
from musicrel.interpretability.bars import Bar
from musicrel.interpretability.effects import (
    LENS_CHOICES,
    MOST,
    ZERO,
    Choice,
    HeadEffects,
    NoteEffects,
    SourceList,
    SourceRow,
    full_effect,
    number,
)
from musicrel.interpretability.maps import colour_map
from musicrel.interpretability.piece_analysis import (
    MAX_LEVEL,
    Levels,
    PieceAnalysis,
    full_weights,
    head_name,
    percent,
)
from musicrel.interpretability.votes import NoteVotes
from musicrel.language import tr
from musicrel.presentation.words.palette import Theme

_NAMES, _TOP, _FOOT, _GAP, _STRIP = 38.0, 16.0, 18.0, 3.0, 4.0
_VOICE_GAP: Final = 6.0
_WIDEST_TILE: Final = 132.0
_NUMBER: Final = 38.0
_SWATCHES: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
_PALEST: Final = 0.12  # share of the colour that a small effect has, so that its sign is seen
_FRAME, _CROSS = 2.5, 1.6
_LOWEST_HEAD: Final = 22.0  # with a number above a strip
_NARROWEST_HEAD, _NARROWEST_GRID = 46.0, 260.0  # for a number; for the scale of colours
_MOST_WIDE: Final = 8  # heads side by side for which a view makes room


@dataclass(frozen=True, slots=True)
class HeadGrid:
    layers: int
    heads: int
    width: int
    height: int
    has_mean: bool = False  # a row above the first layer, with the mean of all heads
    has_voices: bool = False  # a row below the last layer
    foot: float = 0.0  # height below the rows

    @property
    def row(self) -> float:
        used = _TOP + self.foot + (_VOICE_GAP if self.has_voices else 0)
        return max(self.height - used, 1) / (self.layers + self.has_voices + self.has_mean)

    @property
    def least(self) -> tuple[float, float]:
        wide = _NAMES + min(self.heads, _MOST_WIDE) * _NARROWEST_HEAD
        high = (self.layers + self.has_voices) * _LOWEST_HEAD + _TOP + self.foot + _VOICE_GAP
        return max(wide, _NARROWEST_GRID), high

    def head(self, head: Head | None) -> QRectF:
        """Return the tile of a head; None: of the mean."""
        row, column = (0, 0) if head is None else (head.layer + self.has_mean, head.head)
        return self._tile(_TOP + row * self.row, column, self.heads)

    def layer(self, layer: int) -> QRectF:
        top = _TOP + (layer + self.has_mean) * self.row
        return QRectF(0, top, _NAMES - _GAP, self.row - _GAP)

    def voice(self, voice: int) -> QRectF:
        return self._tile(_TOP + self.layers * self.row + _VOICE_GAP, voice, len(Voice))

    def at(self, x: float, y: float) -> Head | Voice | None:
        places: list[tuple[Head | Voice, QRectF]] = [
            *((head, self.head(head)) for head in all_heads(self.layers, self.heads)),
            *((Head(n, WHOLE), self.layer(n)) for n in range(self.layers)),
            *((voice, self.voice(voice)) for voice in Voice if self.has_voices),
        ]
        return next((found for found, box in places if box.contains(x, y)), None)

    def _tile(self, top: float, column: int, columns: int) -> QRectF:
        place = min((self.width - _NAMES) / columns, _WIDEST_TILE * self.heads / columns)
        return QRectF(_NAMES + column * place, top, place - _GAP, self.row - _GAP)

    def write_names(self, painter: QPainter, theme: Theme) -> None:
        layers = range(self.layers)
        rows = [(self.layer(layer), tr("L{layer}", layer=layer + 1)) for layer in layers]
        if self.has_mean:
            rows.append((self.layer(-1), tr("Mean")))
        if self.has_voices:
            rows.append(
                (QRectF(0, self.voice(0).y(), _NAMES - _GAP, self.row - _GAP), tr("Voice", "short"))
            )
        for head in range(self.heads):
            box = self.head(Head(0, head))
            rows.append((QRectF(box.x(), 0, box.width(), _TOP - 2), tr("H{head}", head=head + 1)))
        for box, text in rows:
            write(painter, box, text, theme.quiet, SMALL, side=MIDDLE)

    def frame(self, painter: QPainter, head: Head | None, theme: Theme) -> None:
        painter.setPen(QPen(QColor(theme.accent), _FRAME))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.head(head))


# -------------------------------------------------------------------- thumbnails


def thumbnails(
    analysis: PieceAnalysis, mutes: Mutes, chosen: Head | None, width: int, height: int,
    theme: Theme,
) -> Figure:  # fmt: skip
    grid = HeadGrid(analysis.layers, analysis.heads, width, height, has_mean=True)
    maps = stretched(analysis.thumbnails)

    def paint(painter: QPainter) -> None:
        grid.write_names(painter, theme)
        for levels, head in zip(maps, (None, *all_heads(grid.layers, grid.heads)), strict=True):
            box = grid.head(head)
            painter.drawImage(box, image(levels, theme))
            painter.setPen(QPen(QColor(theme.edge), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
            if head is not None and head in mutes:
                _cross(painter, box, theme)
        grid.frame(painter, chosen, theme)

    def at(x: float, y: float) -> Hit | None:
        if grid.head(None).contains(x, y):
            return Hit(value=None)
        head = grid.at(x, y)
        return Hit(value=head) if isinstance(head, Head) and head.head != WHOLE else None

    name = head_name(chosen)
    words = tr("{head}, muted", head=name) if chosen is not None and chosen in mutes else name
    return Figure(width, height, theme.panel, words, paint, at)


def stretched(thumbnails: Levels) -> Levels:
    """Return thumbnails whose strongest weights have the last colour."""
    stretch = 1 / np.sqrt(full_weights(thumbnails))
    levels: Levels = np.minimum(thumbnails * stretch[:, None, None], MAX_LEVEL).astype(np.uint8)
    return levels


def image(levels: Levels, theme: Theme) -> QImage:
    colours = colour_map(theme).getLookupTable(nPts=MAX_LEVEL + 1, alpha=False)
    dots = np.ascontiguousarray(colours[levels])
    rows, columns, channels = dots.shape
    size = columns, rows, channels * columns
    return QImage(dots.data, *size, QImage.Format.Format_RGB888).copy()


# -------------------------------------------------------------------- effects


def effects(
    effects: HeadEffects, mutes: Mutes, chosen: Head | None, width: int, height: int, theme: Theme
) -> Figure:
    """Return the effects of heads and voices; strips show where a head looks, by voice."""
    grid = effect_grid(effects, width, height)
    is_framed = chosen in all_heads(*effects.shape)

    def paint(painter: QPainter) -> None:
        grid.write_names(painter, theme)
        for one in all_heads(*effects.shape):
            _head(painter, effects, one, grid.head(one), theme, is_muted=one in mutes)
        for voice in Voice if effects.by_voice is not None else ():
            _voice(painter, effects, voice, grid.voice(voice), theme)
        if is_framed:
            grid.frame(painter, chosen, theme)
        _scale(painter, effects.full, height - _FOOT + 2, theme)

    def words(place: Head | Voice) -> str:
        if isinstance(place, Voice):
            return effects.describe_voice(place)
        text = str(place) if place.head == WHOLE else effects.describe(place)
        return tr("{text}; muted", text=text) if place.head != WHOLE and place in mutes else text

    def at(x: float, y: float) -> Hit | None:
        place = grid.at(x, y)
        return None if place is None else Hit(words(place), place, words(place))

    summary = effects.summary(mutes)
    spoken = f"{words(chosen)}. {summary}" if chosen is not None and is_framed else summary
    return Figure(width, height, theme.panel, spoken, paint, at, grid.least)


def effect_grid(effects: HeadEffects, width: int, height: int) -> HeadGrid:
    has_voices = effects.by_voice is not None
    return HeadGrid(*effects.shape, width, height, has_voices=has_voices, foot=_FOOT)


def colour(effect: float, full: float, theme: Theme) -> str:
    """Return the colour of an effect in nats: one for parts that helped, one for the others."""
    if abs(effect) < ZERO:
        return theme.field
    share = _PALEST + (1 - _PALEST) * min(abs(effect) / full, 1.0)
    return mixed(theme.field, theme.models[0 if effect > 0 else 1], share)


def _head(
    painter: QPainter, effects: HeadEffects, head: Head, box: QRectF, theme: Theme, *,
    is_muted: bool,
) -> None:  # fmt: skip
    effect = float(effects.by_head[head])
    known = bool(np.isfinite(effect))
    fill = colour(effect, effects.full, theme) if known and not is_muted else theme.panel
    tile(painter, box, fill, theme)
    if is_muted:
        _cross_out(painter, box, fill, theme)
    if known:
        above = box if effects.looks is None else box.adjusted(0, 0, 0, -_STRIP)
        write(painter, above, number(effect), theme.text if is_muted else ink(fill), side=MIDDLE)
    if effects.looks is not None:
        x, width = box.x() + 1, box.width() - 2
        shares = effects.looks[head].tolist()
        for share, shade in zip(shares, (*theme.voices, theme.faint), strict=True):
            strip = QRectF(x, box.bottom() - _STRIP - 1, share * width, _STRIP)
            painter.fillRect(strip, QColor(shade))
            x += share * width


def _cross_out(painter: QPainter, box: QRectF, fill: str, theme: Theme) -> None:
    """Draw crosses side by side, so that one is left on each side of the number."""
    count = max(round(box.width() / box.height()), 1)
    step = box.width() / count
    for place in range(count):
        if count == 1 or 2 * place != count - 1:  # the number is there
            one = QRectF(box.x() + place * step, box.y(), step, box.height())
            _cross(painter, one.adjusted(2, 2, -2, -2), theme)
    width = min(_NUMBER, box.width())
    patch = QRectF(box.center().x() - width / 2, box.y() + 1, width, box.height() - 2)
    painter.fillRect(patch, QColor(fill))


def _cross(painter: QPainter, box: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.on_warning), _CROSS))
    painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
    painter.drawLine(QLineF(box.bottomLeft(), box.topRight()))


def _voice(
    painter: QPainter, effects: HeadEffects, voice: Voice, box: QRectF, theme: Theme
) -> None:
    effect = 0.0 if effects.by_voice is None else float(effects.by_voice[voice])
    fill = colour(effect, effects.full, theme)
    tile(painter, box, fill, theme)
    strip = QRectF(box.x() + 1, box.y() + 1, _STRIP, box.height() - 2)
    painter.fillRect(strip, QColor(theme.voices[voice]))
    write(painter, box, f"{voice.letter} {number(effect)}", ink(fill), side=MIDDLE)


def _scale(painter: QPainter, full: float, y: float, theme: Theme) -> None:
    low = tr("hindered −{full:g}", full=full)
    x = text_width(painter, low, SMALL) + 6
    write(painter, QRectF(0, y, x, 14), low, theme.quiet, SMALL)
    for share in _SWATCHES:
        tile(painter, QRectF(x, y + 2, 11, 10), colour(share * full, full, theme), theme)
        x += 11
    high = tr("+{full:g} nats helped", full=full)
    write(painter, QRectF(x + 6, y, 200, 14), high, theme.quiet, SMALL)


# -------------------------------------------------------------------- most probable notes

_PITCH, _PERCENT = 84.0, 46.0
_LOWEST_ROW, _LOWEST_PAIR, _HIGHEST_ROW, _LEGEND = 20.0, 27.0, 36.0, 22.0
_LEAST_CHOICES: Final = (_PITCH + _PERCENT + 60, 3 * _LOWEST_PAIR + _LEGEND)


def choices(note: NoteEffects, width: int, height: int, theme: Theme) -> Figure:
    is_pair = note.log_p_muted is not None
    room = max(height - _LEGEND, _LOWEST_ROW)
    fitting = int(room / (_LOWEST_PAIR if is_pair else _LOWEST_ROW))
    rows = note.choices(min(max(fitting, 2), MOST))
    high = min(room / len(rows), _HIGHEST_ROW)

    def paint(painter: QPainter) -> None:
        for place, row in enumerate(rows):
            _choice(painter, row, QRectF(0, place * high, width, high), theme)
        if is_pair:
            y = len(rows) * high + 4
            texts = tr("all heads"), tr("{codes} muted", codes=note.mutes)
            for place, (text, colour) in enumerate(zip(texts, theme.models, strict=True)):
                x = 100 * place
                painter.fillRect(QRectF(x, y + 3, 9, 9), QColor(colour))
                room = 84 if not place else width - x - 13
                write(painter, QRectF(x + 13, y, room, 15), text, theme.quiet, SMALL)

    spoken = ", ".join(
        f"{row.name} {percent(row.p)}"
        + ("" if row.p_muted is None else tr(", muted {p}", p=percent(row.p_muted)))
        for row in rows
    )
    title = f"{note.note}. {note.surprisal}. {spoken}"
    return Figure(width, height, theme.panel, title, paint, least=_LEAST_CHOICES)


def _choice(painter: QPainter, row: Choice, box: QRectF, theme: Theme) -> None:
    name = QRectF(0, box.y(), _PITCH - 8, box.height())
    write(painter, name, row.name, theme.text, side=RIGHT, bold=row.is_note)
    shares = [row.p, *(() if row.p_muted is None else (row.p_muted,))]
    each, room = (box.height() - 5) / len(shares), box.width() - _PITCH - _PERCENT
    for place, (share, colour) in enumerate(zip(shares, theme.models, strict=False)):
        bar = QRectF(_PITCH, box.y() + 2.5 + place * each, room, each - 1)
        fill(painter, bar, 0, 1, mixed(theme.panel, theme.edge, 0.5))
        fill(painter, bar, 0, max(share, 1 / room), colour)
        right = QRectF(box.width() - _PERCENT, bar.y(), _PERCENT - 2, bar.height())
        size = TEXT if len(shares) == 1 else SMALL
        write(painter, right, percent(share), theme.text, size, side=RIGHT)


# -------------------------------------------------------------------- layers

_LAYER, _HIGHEST_LAYER = 96.0, 34.0
_LOWEST_LAYER, _NARROWEST_CHOICE = 19.0, 84.0


def layers(note: NoteEffects, width: int, height: int, theme: Theme) -> Figure:
    rows = note.layers()
    high = min((height - _TOP) / len(rows), _HIGHEST_LAYER)
    wide = (width - _LAYER) / LENS_CHOICES

    def paint(painter: QPainter) -> None:
        for place, text in enumerate((tr("Most probable"), tr("Second"), tr("Third"))):
            box = QRectF(_LAYER + place * wide + 6, 0, wide - 6, _TOP - 2)
            write(painter, box, text, theme.quiet, SMALL)
        for row, (name, found) in enumerate(rows):
            y = _TOP + row * high
            write(painter, QRectF(0, y, _LAYER - 4, high - _GAP), name, theme.quiet, SMALL)
            for place, one in enumerate(found):
                box = QRectF(_LAYER + place * wide, y, wide - _GAP, high - _GAP)
                colour = mixed(theme.field, theme.models[0], one.p)
                tile(painter, box, colour, theme)
                inside, right = box.adjusted(6, 0, -46, 0), box.adjusted(0, 0, -5, 0)
                write(painter, inside, one.name, ink(colour), bold=one.is_note)
                write(painter, right, percent(one.p), ink(colour), SMALL, side=RIGHT)

    spoken = ". ".join(
        f"{name}: {', '.join(f'{one.name} {percent(one.p)}' for one in found)}"
        for name, found in rows
    )
    least = _LAYER + LENS_CHOICES * _NARROWEST_CHOICE, _TOP + len(rows) * _LOWEST_LAYER
    return Figure(width, height, theme.panel, spoken, paint, least=least)


# -------------------------------------------------------------------- votes

_PART: Final = 124.0  # width of the names of parts


def votes(found: NoteVotes, width: int, _height: int, theme: Theme) -> Figure:
    """Return what each part added to each of the most probable notes, a column for each."""
    wide = (width - _PART) / len(found.notes)

    def paint(painter: QPainter) -> None:
        texts = [f"{note.name} {percent(note.p)}" for note in found.notes]
        fit = all(text_width(painter, text, SMALL) < wide - 2 * _GAP for text in texts)
        for place, (note, text) in enumerate(zip(found.notes, texts, strict=True)):
            box = QRectF(_PART + place * wide, 0, wide - _GAP, _HEAD)
            shade, shown = theme.text if note.is_note else theme.quiet, text if fit else note.name
            write(painter, box, shown, shade, SMALL, side=MIDDLE, bold=note.is_note)
        for row, vote in enumerate(found.votes):
            y = _HEAD + row * _ROW
            name = QRectF(0, y, _PART - 8, _ROW - 2)
            write(painter, name, vote.name, theme.text if vote.head else theme.quiet, 11)
            for place, nats in enumerate(vote.raised):
                box = QRectF(_PART + place * wide, y, wide - _GAP, _ROW - 2)
                shade = colour(nats, found.full, theme)
                tile(painter, box, shade, theme)
                write(painter, box, number(nats), ink(shade), SMALL, side=MIDDLE)

    def at(_x: float, y: float) -> Hit | None:
        row = int((y - _HEAD) // _ROW)
        if not 0 <= row < len(found.votes):
            return None
        vote = found.votes[row]
        return Hit(found.describe(vote), vote.head)

    height = round(_HEAD + len(found.votes) * _ROW) + 4
    title = tr("Votes for {note}. {words}", note=found.note, words=found.words)
    return Figure(width, height, theme.panel, title, paint, at)


# -------------------------------------------------------------------- strongest bars

_BAR, _THUMBNAIL, _NUMBER_OF_BAR = 30.0, 72.0, 64.0


def bars(found: Sequence[Bar], width: int, _height: int, theme: Theme) -> Figure:
    """Return bars of chorales, each with its notes, and how far a head raised them."""
    most = max((bar.raised for bar in found), default=0.0)

    def paint(painter: QPainter) -> None:
        for row, bar in enumerate(found):
            _bar(painter, bar, QRectF(0, row * _BAR, width, _BAR - 2), most, theme)

    def at(_x: float, y: float) -> Hit | None:
        row = int(y // _BAR)
        if not 0 <= row < len(found):
            return None
        bar = found[row]
        text = tr("{bar}: {raised:+.2f} nats. Click to open it.")
        return Hit(text.format(bar=bar.name, raised=bar.raised), bar, bar.name)

    spoken = "; ".join(f"{bar.name} {number(bar.raised)}" for bar in found)
    return Figure(width, round(len(found) * _BAR) + 4, theme.panel, spoken, paint, at)


def _bar(painter: QPainter, bar: Bar, box: QRectF, most: float, theme: Theme) -> None:
    picture = QRectF(box.x(), box.y() + 1, _THUMBNAIL, box.height() - 2)
    _notes(painter, bar, picture, theme)
    left, right = picture.right() + 8, _NUMBER_OF_BAR + _VALUE
    name = QRectF(left, box.y(), box.width() - left - right - 8, box.height())
    write(painter, name, bar.name, theme.text, 11, elide=Qt.TextElideMode.ElideMiddle)
    value = QRectF(name.right() + 8, box.y() + 9, _NUMBER_OF_BAR, box.height() - 18)
    fill(painter, value, 0, bar.raised / most if most > 0 else 0, theme.models[0])
    last = QRectF(box.width() - _VALUE, box.y(), _VALUE - 2, box.height())
    write(painter, last, number(bar.raised), theme.text, SMALL, side=RIGHT)


def _notes(painter: QPainter, bar: Bar, box: QRectF, theme: Theme) -> None:
    tile(painter, box, theme.field, theme)
    pitches_T4 = bar.piece.pitches[bar.start : bar.stop]
    sounding = pitches_T4[pitches_T4 != REST]
    if not sounding.size:
        return
    low, step = int(sounding.min()), (box.width() - 4) / len(pitches_T4)
    high = (box.height() - 4) / (int(sounding.max()) - low + 1)
    for (place, voice), pitch in np.ndenumerate(pitches_T4):
        if pitch != REST:
            gap = int(bar.piece.onsets[bar.start + place, voice])  # before a note
            x = box.x() + 2 + place * step + gap
            y = box.bottom() - 2 - (int(pitch) - low + 1) * high
            note = QRectF(x, y, step - gap, max(high, 1.5))
            painter.fillRect(note, QColor(theme.voices[voice]))


# -------------------------------------------------------------------- sources

_ROW, _HEAD = 18.0, 22.0
_SOURCE, _EFFECT = 0.42, 0.68  # left ends of the bars of weights and of effects, in widths
_VALUE: Final = 40.0


def sources(found: SourceList, width: int, _height: int, theme: Theme) -> Figure:
    weight = max((row.weight for row in found.rows), default=0.0) or 1.0
    full = full_effect(max((abs(row.effect) for row in found.rows), default=1.0))
    places = list(_places(found))
    height = round(max((top + _ROW for top, _ in places), default=0)) + 4

    def paint(painter: QPainter) -> None:
        for top, row in places:
            if isinstance(row, str):
                line = QRectF(0, top + 4, width, _HEAD - 4)
                write(painter, line, row, theme.quiet, SMALL, bold=True)
            else:
                _source(painter, row, QRectF(0, top, width, _ROW), (weight, full), theme)

    def at(_x: float, y: float) -> Hit:
        rows = (row for top, row in places if isinstance(row, SourceRow) and top <= y < top + _ROW)
        row = next(rows, None)
        return Hit(row.describe() if row else found.words, row)

    title = tr("Sources of {note}. {words}", note=found.note, words=found.words)
    return Figure(width, height, theme.panel, title, paint, at)


def _places(found: SourceList) -> Iterator[tuple[float, SourceRow | str]]:
    """Yield headings and rows with their upper edges."""
    top = 0.0
    for is_random, rows in groupby(found.rows, lambda row: row.is_random):
        yield top, tr("Random others") if is_random else tr("Strongest by weight")
        top += _HEAD
        for row in rows:
            yield top, row
            top += _ROW


def _source(
    painter: QPainter, row: SourceRow, box: QRectF, full: tuple[float, float], theme: Theme
) -> None:
    left, middle, y = _SOURCE * box.width(), _EFFECT * box.width(), box.y()
    name = QRectF(0, y, left - 8, _ROW)
    is_long = text_width(painter, row.name, 11) > name.width()
    write(painter, name, row.short if is_long else row.name, theme.text, 11)
    weight = QRectF(left, y + 4, middle - left - _VALUE, _ROW - 8)
    colour = theme.accent if row.voice is None else theme.voices[row.voice]
    fill(painter, weight, 0, row.weight / full[0], colour)
    share_box = QRectF(middle - _VALUE, y, _VALUE - 8, _ROW)
    write(painter, share_box, percent(row.weight), theme.quiet, SMALL, side=RIGHT)
    effect = QRectF(middle, y + 4, box.width() - middle - _VALUE, _ROW - 8)
    share = max(min(row.effect / full[1], 1.0), -1.0) / 2
    fill(painter, effect, 0.5, 0.5 + share, theme.models[0 if row.effect > 0 else 1])
    painter.fillRect(QRectF(effect.center().x(), y, 1, _ROW), QColor(theme.line_bar))
    right = QRectF(box.width() - _VALUE, y, _VALUE - 2, _ROW)
    write(painter, right, number(row.effect), theme.text, SMALL, side=RIGHT)
