"""The parts of a report as plain data: headings, texts, tables and figures in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Self, TypeAlias, TypeVar

from musicrel.language import decimal
from musicrel.presentation.words import markdown
from musicrel.presentation.words.markdown import to_csv

if TYPE_CHECKING:
    from musicrel.experiment.study.layer_report import CostCurves
    from musicrel.experiment.study.statistics import Comparison
    from musicrel.experiment.study.study_curves import Curves

NONE: Final = "–"
"""Text of a cell without a value, which is empty in CSV."""

Role = Literal["text", "lead", "warning", "note"]
"""Kind of a paragraph; ``lead``: the main finding, ``note``: small print."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    text: str
    name: str  # file name under which it is saved
    media: str  # media type, as ``audio/midi``
    content: bytes  # bytes of the file


@dataclass(frozen=True, slots=True)
class Cell:
    text: str  # as people read it
    # the unrounded value, used in CSV; None: the text, if it is not ``NONE``
    value: float | None = None
    link: Link | None = None  # a file that the text opens; such cells are left out of CSV

    @property
    def plain(self) -> float | str:
        if self.value is not None:
            return self.value
        return "" if self.text == NONE else self.text


def number(value: float | None, form: str, without: str = NONE) -> Cell:
    if value is None:
        return Cell(without)
    return Cell(decimal(value, form).replace("-", "\N{MINUS SIGN}"), value)


def count(value: int) -> Cell:
    return Cell(decimal(value, ","), value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    key: str  # name of its files, without a suffix
    title: str
    heads: tuple[str, ...]  # titles of the columns
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""  # small print below
    further_rows: tuple[tuple[Cell, ...], ...] = ()  # rows that only the CSV has

    @classmethod
    def of(
        cls,
        key: str,
        title: str,
        columns: Mapping[str, Callable[[_T], Cell]],
        items: Iterable[_T],
        note: str = "",
    ) -> Self:
        """Return a table with a row for each item; ``columns`` are titles and cells of an item."""
        rows = tuple(tuple(fill(item) for fill in columns.values()) for item in items)
        return cls(key=key, title=title, heads=tuple(columns), rows=rows, note=note)

    @property
    def plain_places(self) -> list[int]:
        """Return the places of the columns that are no links."""
        return [
            place
            for place in range(len(self.heads))
            if not any(row[place].link is not None for row in self.rows)
        ]

    def is_numeric(self, place: int) -> bool:
        return any(row[place].value is not None for row in self.rows)

    def order(self, place: int, *, descending: bool) -> list[int]:
        """Return the places of the rows sorted by a column; rows without a value come last."""
        cells = [row[place].plain for row in self.rows]
        known = [row for row, cell in enumerate(cells) if cell != ""]
        rest = [row for row, cell in enumerate(cells) if cell == ""]
        known.sort(key=lambda row: (isinstance(cells[row], str), cells[row]), reverse=descending)
        return [*known, *rest]

    def to_csv(self) -> str:
        kept = self.plain_places
        rows = [[row[place].plain for place in kept] for row in (*self.rows, *self.further_rows)]
        return to_csv([[self.heads[place] for place in kept], *rows])

    def to_latex(self) -> str:
        kept = self.plain_places
        cells = [[row[place].text for place in kept] for row in self.rows]
        sides = "".join("r" if self.is_numeric(place) else "l" for place in kept)
        heads = [self.heads[place] for place in kept]
        return markdown.to_latex(self.key, self.title, heads, cells, sides)

    def to_markdown(self) -> list[str]:
        kept = self.plain_places
        cells = [[row[place].text.replace("|", "\\|") for place in kept] for row in self.rows]
        return markdown.table([self.heads[place] for place in kept], cells)


@dataclass(frozen=True, slots=True)
class Heading:
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; text between backticks is set as code."""

    text: str
    role: Role = "text"


@dataclass(frozen=True, slots=True)
class Items:
    """A list with bullets; text between backticks is set as code."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Intervals:
    pairs: tuple[Comparison, ...]  # at least one, all in one unit


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceDifference:
    index: int
    title: str
    notes: int
    first: float  # loss of the first arm, mean over the seeds finished in both
    second: float  # the same of the second arm
    by_seed: tuple[float, ...]

    @property
    def difference(self) -> float:
        return self.first - self.second

    @property
    def agreeing(self) -> int:
        """Return the number of seeds whose difference has the sign of the mean."""
        return sum((one > 0) == (self.difference > 0) for one in self.by_seed)


@dataclass(frozen=True, slots=True)
class PieceDifferences:
    pair: Comparison
    pieces: tuple[PieceDifference, ...]  # the largest difference first
    marked: int = 10  # number of the first ones that are marked in the figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    data: Curves | CostCurves | Intervals | PieceDifferences
    title: str  # description in one sentence, for screen readers
    caption: str = ""
    file: str = ""  # name of the file that has only this figure; "" for none


@dataclass(frozen=True, slots=True)
class Fold:
    title: str
    blocks: tuple[Table | Paragraph | Figure, ...]
    opened: bool = False


Block: TypeAlias = Heading | Paragraph | Items | Table | Figure | Fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    title: str
    blocks: tuple[Block, ...]  # its parts in reading order

    @property
    def parts(self) -> Iterator[Block]:
        """Return all blocks, those in folds in place of the folds."""
        for block in self.blocks:
            yield from block.blocks if isinstance(block, Fold) else (block,)

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(part for part in self.parts if isinstance(part, Table))

    @property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(part for part in self.parts if isinstance(part, Figure))

    def to_markdown(self) -> str:
        parts = ["\n".join(_markdown(part)) for part in self.parts]
        return "\n\n".join([f"# {self.title}", *(part for part in parts if part)]) + "\n"


def _markdown(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield f"## {block.text}"
        case Paragraph():
            yield f"**{block.text}**" if block.role == "lead" else block.text
        case Items():
            yield from (f"- {text}" for text in block.texts)
        case Table():
            yield from (f"### {block.title}", "", *block.to_markdown())
            yield from ("", block.note) if block.note else ()
        case Figure() if block.file:
            yield f"![{block.title}]({block.file})"
        case _:
            pass
