"""The logit lens of a cell: what each layer would have chosen, as names of notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Chorale
from musicrel.presentation.ablation import effect_scale, page
from musicrel.presentation.ablation.page import Box, PageTexts
from musicrel.presentation.ablation.token_names import Choice, Distribution, most_probable
from musicrel.presentation.attention.colour_scale import rgb
from musicrel.presentation.attention.piece_analysis import cell_name, percent
from musicrel.presentation.comparison.views import View
from musicrel.presentation.drawing.drawing import Drawing, Item, Rectangle, Text, shortened
from musicrel.presentation.words.palette import Theme
from musicrel.tokens.vocabulary import Vocabulary

CHOICES: Final = 3
_HEADING: Final = "What each layer would choose: {note}"
_WORDS: Final = (
    "Logit lens: the output of every layer read as if it were the last one. Bold: the note of the "
    "piece. Colour: its probability."
)
_SPOKEN: Final = "{layer}: {choices}"
_FIRST: Final = "Before layer 1"
_LAYER: Final = "Layer {number}"
_LAST: Final = "Layer {number} (model)"
_ORDINALS: Final = ("Most probable", "Second", "Third")
_LEFT: Final = 96.0
_TOP: Final = 18.0
_GAP: Final = 3.0
_TEXT: Final = 12.0
_SMALL: Final = 10.0
_HIGHEST_ROW: Final = 34.0
_PAGE_ROW: Final = 34


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class LensTable:
    """The most probable tokens after each layer."""

    chorale: Chorale
    cell: int  # 4 step + voice
    token: int
    vocabulary: Vocabulary
    # log-probabilities after no layer, after layer 1 ..., nats, (1 + layers, V)
    log_p_by_layer: Distribution

    def rows(self) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
        """Return the name of each layer and its most probable tokens."""
        last = len(self.log_p_by_layer) - 1
        key = self.chorale.key
        return tuple(
            (_name(number, last), most_probable(log_p, CHOICES, self.vocabulary, key))
            for number, log_p in enumerate(self.log_p_by_layer)
        )


def draw_chart(lens: LensTable, width: int, height: int, theme: Theme) -> Drawing:
    """Draw a row for each layer and a column for each of its most probable tokens."""
    rows = lens.rows()
    high = min((height - _TOP) / len(rows), _HIGHEST_ROW)
    wide = (width - _LEFT) / CHOICES
    items: list[Item] = [
        Text(x=_LEFT + place * wide + 6, y=_TOP - 6, text=text, size=_SMALL, colour=theme.quiet)
        for place, text in enumerate(_ORDINALS)
    ]
    for row, (name, choices) in enumerate(rows):
        y = _TOP + row * high
        label = shortened(name, _SMALL, _LEFT)
        middle = y + high / 2 + 3
        items.append(Text(x=0, y=middle, text=label, size=_SMALL, colour=theme.quiet))
        for place, choice in enumerate(choices):
            x = _LEFT + place * wide
            is_note = choice.token == lens.token
            box = Box(x, y, wide - _GAP, high - _GAP)
            items += _cell(choice, box, theme, is_note=is_note)
    spoken = ". ".join(
        _SPOKEN.format(layer=name, choices=", ".join(map(_spoken, choices)))
        for name, choices in rows
    )
    return Drawing(
        width=width, height=height, background=theme.panel, title=spoken, items=tuple(items)
    )


def table(lens: LensTable) -> Iterator[tuple[object, ...]]:
    """Yield layer, rank, note, probability and whether it is the note of the piece by rows."""
    yield ("layer", "rank", "note", "p", "is the note")
    for name, choices in lens.rows():
        for rank, choice in enumerate(choices, start=1):
            is_note = "yes" if choice.token == lens.token else ""
            yield (name, rank, choice.name, f"{choice.probability:.6f}", is_note)


def view(lens: LensTable, model: str) -> View:
    """Return the table as a picture and as rows."""
    texts = PageTexts(
        heading=_HEADING.format(note=cell_name(lens.chorale, lens.cell)),
        piece=lens.chorale.title,
        model=model,
        words=_WORDS,
    )
    height = round(_TOP) + _PAGE_ROW * len(lens.log_p_by_layer)
    return page.view(
        texts, lambda theme: draw_chart(lens, page.WIDTH, height, theme), lambda: table(lens)
    )


def _name(number: int, last: int) -> str:
    if not number:
        return _FIRST
    return (_LAST if number == last else _LAYER).format(number=number)


def _cell(choice: Choice, box: Box, theme: Theme, *, is_note: bool) -> Iterator[Item]:
    """Draw a token and its probability."""
    fill = _shade(choice.probability, theme)
    ink, middle = effect_scale.ink(fill), box.y + box.height / 2 + 4
    yield Rectangle(**box._asdict(), fill=fill, edge=theme.edge)
    share = percent(choice.probability)
    name = shortened(choice.name, _TEXT, box.width - 48)
    yield Text(x=box.x + 6, y=middle, text=name, size=_TEXT, colour=ink, bold=is_note)
    right = box.x + box.width - 5
    yield Text(x=right, y=middle, text=share, size=_SMALL, colour=ink, anchor="end")


def _shade(probability: float, theme: Theme) -> str:
    """Return the colour of a probability, 0 to 1."""
    pairs = zip(rgb(theme.field), rgb(theme.models[0]), strict=True)
    mixed = (round(low + probability * (high - low)) for low, high in pairs)
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _spoken(choice: Choice) -> str:
    return f"{choice.name} {percent(choice.probability)}"
