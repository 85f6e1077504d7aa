"""The parts of a report as plain data: headings, texts, tables and figures in reading order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.study.csv_text import to_csv

NONE: Final = "–"
"""Text of a cell without a value, which is empty in CSV."""

Role = Literal["text", "lead", "warning", "note"]
"""Kind of a paragraph; ``lead``: the main finding, ``note``: small print."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A file inside the report, saved or opened by a click."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    key: str  # name of its CSV file, without a suffix
    title: str
    heads: tuple[str, ...]  # titles of the columns
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""  # small print below
    further_rows: tuple[tuple[Cell, ...], ...] = ()  # rows that only the CSV has

    def to_csv(self) -> str:
        """Return the table as CSV with unrounded values; columns of links are left out."""
        kept = [
            place
            for place in range(len(self.heads))
            if not any(row[place].link is not None for row in self.rows)
        ]
        rows = [[row[place].plain for place in kept] for row in (*self.rows, *self.further_rows)]
        return to_csv([[self.heads[place] for place in kept], *rows])


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section."""

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
class Figure:
    """A drawing and its caption."""

    drawing: Drawing
    caption: str


@dataclass(frozen=True, slots=True)
class Fold:
    """Parts that are opened by a click on their title."""

    title: str
    blocks: tuple[Table | Paragraph | Figure, ...]
    opened: bool = False


Block: TypeAlias = Heading | Paragraph | Items | Table | Figure | Fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    title: str
    blocks: tuple[Block, ...]  # its parts in reading order

    @property
    def tables(self) -> tuple[Table, ...]:
        """Return all tables, those of folds included."""
        found: list[Table] = []
        for block in self.blocks:
            inside = block.blocks if isinstance(block, Fold) else (block,)
            found += [part for part in inside if isinstance(part, Table)]
        return tuple(found)
