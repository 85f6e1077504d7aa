"""The pieces of two models as a drawing, one below the other: notes that agree are faint."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.twin.agreement import Agreement
from musicrel.presentation.words.palette import Theme

_TITLE: Final = "{side}: {model}"
_WHOLE_TITLE: Final = "{first} and {second}: {agreement}"


def draw(agreement: Agreement, models: tuple[str, str], theme: Theme) -> Drawing:
    """Draw both pieces."""
    parts = [
        _draw_side(agreement, side, _TITLE.format(side="AB"[side], model=models[side]), theme)
        for side in range(len(agreement.pieces))
    ]
    first, second = models
    title = _WHOLE_TITLE.format(first=first, second=second, agreement=agreement.describe())
    return replace(arrangement.below(parts), title=title)


def _draw_side(agreement: Agreement, side: int, title: str, theme: Theme) -> Drawing:
    """Draw one piece; the notes that the other one has, too, have the colours of the paper."""
    piece = agreement.pieces[side]
    differing = {(note.voice, note.start) for note in agreement.only[side]}

    def colours(voice: int, step: int) -> tuple[str, str] | None:
        return None if (voice, step) in differing else (theme.edge, theme.line_bar)

    return roll_drawing.draw(replace(piece, title=title), theme, colours, agreement.pieces)
