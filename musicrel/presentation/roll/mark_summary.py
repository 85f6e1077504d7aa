"""How often a piece breaks the rules, beside Bach: a line to be read at once, and a table.

This file knows counts and words; it knows nothing of where they are shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from musicrel.presentation.roll.marks import Count
from musicrel.presentation.words import names

NOTHING: Final = "No rule is broken"
_CELL: Final = "padding: 1px 10px 1px 0"


def line(counts: Iterable[Count]) -> str:
    """As in '3 marks: Overlap 2, Voice crossing 1', the most frequent first."""
    found = sorted((one for one in counts if one.found), key=lambda one: -one.found)
    if not found:
        return NOTHING
    marks = names.count(sum(one.found for one in found), "mark")
    return f"{marks}: {', '.join(f'{one.title} {one.found}' for one in found)}"


def table(counts: Iterable[Count]) -> str:
    """All rules looked for, each with its rate here and Bach's, as HTML for a tooltip."""
    head = ("Rule", "Marks", "Here", "Bach", "")
    rows = [
        (one.title, f"{one.found}", f"{one.rate:.2f}", f"{one.bach:.2f}", one.unit)
        for one in counts
    ]
    lines = [_row(head, "th"), *(_row(row, "td") for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def spoken(counts: Iterable[Count]) -> str:
    """The same in sentences, for those who listen."""
    return ". ".join(
        f"{one.title}: {one.found}, {one.rate:.2f} {one.unit}, Bach {one.bach:.2f}"
        for one in counts
        if one.found
    )


def _row(cells: Iterable[str], tag: str) -> str:
    aligned = ["left", "right", "right", "right", "left"]
    inside = (
        f'<{tag} align="{side}" style="{_CELL}">{escape(cell)}</{tag}>'
        for side, cell in zip(aligned, cells, strict=True)
    )
    return f"<tr>{''.join(inside)}</tr>"
