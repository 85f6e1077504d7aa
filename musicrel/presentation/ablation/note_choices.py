"""The most probable notes of a cell, without and with muted heads: data, drawing and table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.ablation import effect_scale, page
from musicrel.presentation.ablation.page import PageTexts
from musicrel.presentation.ablation.token_names import Distribution, most_probable, token_name
from musicrel.presentation.attention.piece_analysis import cell_name, percent
from musicrel.presentation.comparison.views import View
from musicrel.presentation.drawing.drawing import Drawing, Item, Rectangle, Text
from musicrel.presentation.words.palette import Theme
from musicrel.tokens.vocabulary import Vocabulary

WITHOUT: Final = "all heads"
WITH: Final = "{heads} muted"
_HEADING: Final = "Most probable notes: {note}"
_SURPRISAL: Final = "Surprisal {before:.2f} nats"
_CHANGE: Final = "Surprisal {before:.2f} nats, muted {after:.2f} ({effect})"
_MOST: Final = 6
_HEIGHT: Final = 260
"""Height of an exported chart in pixels."""
_NAMES: Final = 84.0
_NUMBERS: Final = 46.0
_TEXT: Final = 12.0
_SMALL: Final = 10.0
_LOWEST_ROW: Final = 20.0
_LOWEST_PAIR: Final = 27.0
_HIGHEST_ROW: Final = 36.0
_LEGEND: Final = 22.0


class ChoiceRow(NamedTuple):
    """A token that may stand in the cell."""

    name: str
    before: float  # its probability with all heads
    after: float | None  # its probability with muted heads; None where none is muted
    is_note: bool


@dataclass(frozen=True, eq=False)
class NoteChoices:
    """The distribution of a cell."""

    chorale: Chorale
    cell: int  # 4 step + voice
    token: int
    vocabulary: Vocabulary
    before: Distribution  # log-probabilities with all heads, (V,), nats
    after: Distribution | None = None  # those with the muted heads; None where none is muted
    mutes: Mutes = field(default_factory=Mutes)

    @property
    def nats(self) -> tuple[float, float | None]:
        """Return the surprisal of the chosen note, without and with muted heads."""
        after = None if self.after is None else -float(self.after[self.token])
        return -float(self.before[self.token]), after

    @property
    def words(self) -> str:
        before, after = self.nats
        if after is None:
            return _SURPRISAL.format(before=before)
        return _CHANGE.format(
            before=before, after=after, effect=effect_scale.number(after - before)
        )

    def rows(self, most: int = _MOST) -> tuple[ChoiceRow, ...]:
        """Return the tokens that are most probable without or with muted heads, and the note.

        They are in order of probability with all heads.
        """
        key = self.chorale.key
        highest = self.before if self.after is None else np.maximum(self.before, self.after)
        tokens = [one.token for one in most_probable(highest, most, self.vocabulary)]
        if self.token not in tokens:
            tokens[-1] = self.token
        return tuple(
            ChoiceRow(
                token_name(token, self.vocabulary, key),
                float(np.exp(self.before[token])),
                None if self.after is None else float(np.exp(self.after[token])),
                token == self.token,
            )
            for token in sorted(tokens, key=lambda token: -float(self.before[token]))
        )


def draw_chart(choices: NoteChoices, width: int, height: int, theme: Theme) -> Drawing:
    """Draw a bar for each token, or two with muted heads."""
    room = max(height - _LEGEND, _LOWEST_ROW)
    lowest = _LOWEST_ROW if choices.after is None else _LOWEST_PAIR
    rows = choices.rows(min(max(int(room / lowest), 2), _MOST))
    high = min(room / len(rows), _HIGHEST_ROW)
    items: list[Item] = []
    for place, row in enumerate(rows):
        items += _row(row, place * high, high, width, theme)
    items += _legend(choices, len(rows) * high + _LEGEND - 6, theme)
    spoken = ", ".join(map(_spoken, rows))
    return Drawing(
        width=width,
        height=height,
        background=theme.panel,
        title=f"{cell_name(choices.chorale, choices.cell)}. {choices.words}. {spoken}",
        items=tuple(items),
    )


def table(choices: NoteChoices) -> Iterator[tuple[object, ...]]:
    """Yield token, probability without and with muted heads, and whether it is the note."""
    yield ("note", "p", "p with muted heads", "is the note")
    for row in choices.rows(len(choices.before)):
        after = "" if row.after is None else f"{row.after:.6f}"
        yield (row.name, f"{row.before:.6f}", after, "yes" if row.is_note else "")


def view(choices: NoteChoices, model: str) -> View:
    """Return the distribution as a picture and a table."""
    texts = PageTexts(
        heading=_HEADING.format(note=cell_name(choices.chorale, choices.cell)),
        piece=choices.chorale.title,
        model=model,
        words=choices.words,
    )
    return page.view(
        texts,
        lambda theme: draw_chart(choices, page.WIDTH, _HEIGHT, theme),
        lambda: table(choices),
    )


def _row(row: ChoiceRow, top: float, high: float, width: int, theme: Theme) -> Iterator[Item]:
    """Draw name, bars and numbers of a token."""
    middle = top + high / 2 + 4
    yield Text(
        x=_NAMES - 8, y=middle, text=row.name, size=_TEXT, colour=theme.text, anchor="end",
        bold=row.is_note,
    )  # fmt: skip
    pairs = [(row.before, theme.models[0])]
    if row.after is not None:
        pairs.append((row.after, theme.models[1]))
    each = (high - 5) / len(pairs)
    for place, (share, fill) in enumerate(pairs):
        y, room = top + 2.5 + place * each, width - _NAMES - _NUMBERS
        yield Rectangle(x=_NAMES, y=y, width=room, height=each - 1, fill=theme.edge, opacity=0.5)
        yield Rectangle(x=_NAMES, y=y, width=max(share * room, 1), height=each - 1, fill=fill)
        size = _TEXT if len(pairs) == 1 else _SMALL
        yield Text(
            x=width - 2, y=y + each / 2 + size / 3, text=percent(share), size=size,
            colour=theme.text, anchor="end",
        )  # fmt: skip


def _legend(choices: NoteChoices, y: float, theme: Theme) -> Iterator[Item]:
    if choices.after is None:
        return
    x = _NAMES
    texts = (WITHOUT, WITH.format(heads=choices.mutes))
    for text, fill in zip(texts, theme.models, strict=True):
        yield Rectangle(x=x, y=y - 8, width=9, height=9, fill=fill)
        yield Text(x=x + 13, y=y, text=text, size=_SMALL, colour=theme.quiet)
        x += 100


def _spoken(row: ChoiceRow) -> str:
    after = "" if row.after is None else f", muted {percent(row.after)}"
    return f"{row.name} {percent(row.before)}{after}"
