"""The effects of all heads as a grid: a row for each layer, and one for the four voices.

A strip below each number shows where the head looks, in the colours of the voices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product, starmap
from typing import Final

import numpy as np

from musicrel.chorale import Voice
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation import effect_scale, page
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.page import Box, PageTexts
from musicrel.presentation.comparison.views import View
from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Rectangle, Text
from musicrel.presentation.words.palette import Theme

_LEFT: Final = 34.0
_TOP: Final = 16.0
_BOTTOM: Final = 18.0
_GAP: Final = 3.0
_VOICE_GAP: Final = 6.0
_STRIP: Final = 4.0
_SMALL: Final = 10.0
_TEXT: Final = 12.0
_FRAME: Final = 2.5
_CROSS: Final = 1.6
_PATCH: Final = 38.0
_WIDEST_TILE: Final = 132.0
_PAGE_ROW: Final = 44
_VOICES: Final = "Voice"
_WORDS: Final = (
    "Change of -log p in nats if the output of a head is replaced by {by}; positive: it helped."
)
_STRIPS: Final = " Strips: where the head looks, by voice."
_REPLACEMENTS: Final = {"mean": "its mean", "zero": "zero"}


@dataclass(frozen=True, slots=True)
class GridLayout:
    """The places of the tiles."""

    layers: int  # rows of heads
    heads: int
    has_voices: bool  # whether a row of the four voices follows
    width: int  # of the drawing in pixels
    height: int  # of the drawing in pixels

    @property
    def row(self) -> float:
        used = _TOP + _BOTTOM + (_VOICE_GAP if self.has_voices else 0)
        return max(self.height - used, 1) / (self.layers + self.has_voices)

    def head(self, head: Head) -> Box:
        return self._tile(_TOP + head.layer * self.row, head.head, self.heads)

    def layer(self, layer: int) -> Box:
        return Box(0, _TOP + layer * self.row, _LEFT - _GAP, self.row - _GAP)

    def voice(self, voice: int) -> Box:
        return self._tile(_TOP + self.layers * self.row + _VOICE_GAP, voice, len(Voice))

    def at(self, x: float, y: float) -> Head | Voice | None:
        """Return the head, the whole layer or the voice at a point."""
        for head in all_heads(self.layers, self.heads):
            if self.head(head).contains(x, y):
                return head
        for layer in range(self.layers):
            if self.layer(layer).contains(x, y):
                return Head(layer, WHOLE)
        voices = Voice if self.has_voices else ()
        return next((voice for voice in voices if self.voice(voice).contains(x, y)), None)

    def _tile(self, top: float, column: int, columns: int) -> Box:
        place = min((self.width - _LEFT) / columns, _WIDEST_TILE * self.heads / columns)
        return Box(_LEFT + column * place, top, place - _GAP, self.row - _GAP)


def all_heads(layers: int, heads: int) -> tuple[Head, ...]:
    return tuple(starmap(Head, product(range(layers), range(heads))))


def layout_of(effects: HeadEffects, width: int, height: int) -> GridLayout:
    """Return the places of the tiles in a drawing of this size."""
    has_voices = effects.by_voice is not None
    return GridLayout(effects.layers, effects.heads, has_voices, width, height)


def draw_chart(
    effects: HeadEffects,
    mutes: Mutes,
    chosen: Head | None,
    size: tuple[int, int],
    theme: Theme,
) -> Drawing:
    """Draw the grid.

    Args:
        chosen: the head with a frame; None: none.
        size: width and height in pixels.
    """
    places = layout_of(effects, *size)
    items: list[Item] = [*_labels(places, theme)]
    for head in all_heads(effects.layers, effects.heads):
        items += _head(effects, head, places, theme, is_muted=head in mutes)
    if effects.by_voice is not None:
        items += _voices(effects.by_voice.tolist(), effects.full, places, theme)
    if chosen is not None and chosen.head != WHOLE:
        items.append(_frame(places.head(chosen), theme))
    items += effect_scale.legend(effects.full, _LEFT, size[1] - 4, theme)
    return Drawing(
        width=size[0], height=size[1], background=theme.panel, title=effects.summary(mutes),
        items=tuple(items),
    )  # fmt: skip


def view(effects: HeadEffects, mutes: Mutes, piece: str) -> View:
    """Return the grid as a picture and a table."""
    rows = effects.layers + 2
    texts = PageTexts(
        heading=f"Effects of heads: {effects.of}",
        piece=piece,
        model=effects.model,
        words=_WORDS.format(by=_REPLACEMENTS[effects.by])
        + (_STRIPS if effects.looks is not None else ""),
    )
    size = page.WIDTH, rows * _PAGE_ROW
    return page.view(
        texts, lambda theme: draw_chart(effects, mutes, None, size, theme), effects.table
    )


def _labels(places: GridLayout, theme: Theme) -> Iterator[Item]:
    for layer in range(places.layers):
        box = places.layer(layer)
        yield _text(f"L{layer + 1}", box.x + box.width / 2, box, theme.quiet, _SMALL)
    for head in range(places.heads):
        box = places.head(Head(0, head))
        yield Text(
            x=box.x + box.width / 2, y=_TOP - 6, text=f"H{head + 1}", size=_SMALL,
            colour=theme.quiet, anchor="middle",
        )  # fmt: skip
    if places.has_voices:
        box = places.voice(0)
        yield _text(_VOICES, _LEFT / 2 - 2, box, theme.quiet, _SMALL)


def _head(
    effects: HeadEffects, head: Head, places: GridLayout, theme: Theme, *, is_muted: bool
) -> Iterator[Item]:
    """Draw the tile of a head."""
    box, effect = places.head(head), effects.of_head(head)
    known = bool(np.isfinite(effect))
    fill = effect_scale.colour(effect, effects.full, theme) if known else theme.panel
    fill = theme.panel if is_muted else fill
    yield Rectangle(**box._asdict(), fill=fill, edge=theme.edge)
    if is_muted:
        yield from _crossed_out(box, theme)
        yield _behind_number(box, fill)
    if known:
        colour = theme.text if is_muted else effect_scale.ink(fill)
        above = box._replace(height=box.height - _STRIP) if effects.looks is not None else box
        yield _text(effect_scale.number(effect), box.x + box.width / 2, above, colour, _TEXT)
    if effects.looks is not None:
        yield from _looks(effects.looks[head.layer, head.head].tolist(), box, theme)


def _crossed_out(box: Box, theme: Theme) -> Iterator[Item]:
    """Draw crosses side by side, so that one is left on each side of the number."""
    count = max(round(box.width / box.height), 1)
    top, bottom, step = box.y + 2, box.y + box.height - 2, box.width / count
    for place in range(count):
        left, right = box.x + place * step + 2, box.x + (place + 1) * step - 2
        for points in (((left, top), (right, bottom)), ((left, bottom), (right, top))):
            yield Line(points=points, colour=theme.on_warning, width=_CROSS)


def _behind_number(box: Box, fill: str) -> Rectangle:
    """Return a patch that keeps the number readable where the tile is crossed out."""
    width = min(_PATCH, box.width)
    x = box.x + (box.width - width) / 2
    return Rectangle(x=x, y=box.y + 1, width=width, height=box.height - 2, fill=fill)


def _looks(shares: list[float], box: Box, theme: Theme) -> Iterator[Item]:
    """Draw the shares of attention as a strip in the colours of the voices; START is grey."""
    x, width = box.x + 1, box.width - 2
    for share, fill in zip(shares, (*theme.voices, theme.faint), strict=True):
        yield Rectangle(
            x=x, y=box.y + box.height - _STRIP - 1, width=share * width, height=_STRIP, fill=fill
        )
        x += share * width


def _voices(effects: list[float], full: float, places: GridLayout, theme: Theme) -> Iterator[Item]:
    """Draw the tiles of the voices as sources."""
    for voice, effect in zip(Voice, effects, strict=True):
        box, fill = places.voice(voice), effect_scale.colour(effect, full, theme)
        yield Rectangle(**box._asdict(), fill=fill, edge=theme.edge)
        yield Rectangle(
            x=box.x + 1, y=box.y + 1, width=_STRIP, height=box.height - 2, fill=theme.voices[voice]
        )
        text = f"{voice.letter} {effect_scale.number(effect)}"
        yield _text(text, box.x + box.width / 2, box, effect_scale.ink(fill), _TEXT)


def _frame(box: Box, theme: Theme) -> Item:
    """Return the frame of the chosen head."""
    right, bottom = box.x + box.width, box.y + box.height
    corners = ((box.x, box.y), (right, box.y), (right, bottom), (box.x, bottom), (box.x, box.y))
    return Line(points=corners, colour=theme.accent, width=_FRAME)


def _text(text: str, x: float, box: Box, colour: str, size: float) -> Text:
    y = box.y + box.height / 2 + size / 3 - 1
    return Text(x=x, y=y, text=text, size=size, colour=colour, anchor="middle")
