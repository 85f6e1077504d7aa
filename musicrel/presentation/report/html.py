"""Reports as one HTML file without scripts or network: pictures and files are inside."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from html import escape
from typing import Final

from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.report.blocks import (
    Block,
    Cell,
    Figure,
    Fold,
    Heading,
    Items,
    Link,
    Paragraph,
    Report,
    Table,
)

_CODE: Final = re.compile(r"`([^`]+)`")
_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
{body}
</body>
</html>
"""
_STYLE: Final = """\
body { font: 16px/1.5 "DejaVu Sans", "Noto Sans", "Segoe UI", Helvetica, Arial, sans-serif;
  color: #1b1f27; background: #ffffff; max-width: 60rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.75rem; padding-top: 0.75rem;
  border-top: 1px solid #d3d7df; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.4rem; }
p { margin: 0.5rem 0; }
.lead { font-size: 1.1rem; font-weight: 600; }
.warning { background: #fdeee2; color: #6b3410; padding: 0.6rem 0.9rem; border-radius: 4px; }
.note, .caption { color: #565e6c; font-size: 0.85rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.7rem 0.25rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #565e6c; }
td { border-bottom: 1px solid #e4e7ed; }
th.number, td.number { text-align: right; white-space: nowrap; }
a { color: #4654cf; }
h3 a { font-size: 0.8rem; font-weight: 400; margin-left: 0.75rem; }
svg { display: block; max-width: 100%; height: auto; }
code { font-size: 0.9em; overflow-wrap: anywhere; }
summary { cursor: pointer; margin: 0.75rem 0; font-weight: 600; }
@page { margin: 16mm; }
@media print {
  body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
  table { font-size: 8.5pt; }
  th, td { padding: 0.15rem 0.6rem 0.15rem 0; }
  h1, h2, h3, summary { break-after: avoid; }
  tr, .figure { break-inside: avoid; }
  .warning { border: 1px solid #6b3410; }
  h3 a { display: none; }
  .scroll { overflow: visible; }
}
"""


def to_html(report: Report) -> str:
    """Return ``report`` as a page for browsers."""
    body = body_html(report, svg.to_svg, links=True)
    return _PAGE.format(title=escape(report.title), style=_STYLE, body=body)


def body_html(report: Report, picture: Callable[[Drawing], str], *, links: bool) -> str:
    """Return the content of the page.

    Args:
        links: True to include files and folds; False on paper, where all is open.
    """
    writer = _Writer(picture, links=links)
    title = f"<h1>{escape(report.title)}</h1>"
    return "\n".join([title, *(writer.block(block) for block in report.blocks)])


class _Writer:
    """Writes blocks as HTML; arguments as of ``body_html``."""

    def __init__(self, picture: Callable[[Drawing], str], *, links: bool) -> None:
        self._picture, self._links = picture, links

    def block(self, block: Block) -> str:
        """Return the HTML of a part."""
        text = ""
        match block:
            case Heading():
                text = f"<h2>{escape(block.text)}</h2>"
            case Paragraph():
                text = f'<p class="{block.role}">{_inline(block.text)}</p>'
            case Items():
                items = "".join(f"<li>{_inline(text)}</li>\n" for text in block.texts)
                text = f"<ul>\n{items}</ul>"
            case Table():
                text = self._table(block)
            case Figure():
                caption = f'<p class="caption">{_inline(block.caption)}</p>'
                text = f'<div class="figure">\n{self._picture(block.drawing)}{caption}</div>'
            case Fold():
                text = self._fold(block)
        return text

    def _fold(self, fold: Fold) -> str:
        inside = "\n".join(self.block(part) for part in fold.blocks)
        if not self._links:
            return inside
        opened = " open" if fold.opened else ""
        title = f"<summary>{escape(fold.title)}</summary>"
        return f"<details{opened}>\n{title}\n{inside}\n</details>"

    def _table(self, table: Table) -> str:
        kept = [place for place in range(len(table.heads)) if self._is_shown(table, place)]
        numeric = {place for place in kept if _is_numeric(table.rows, place)}
        heads = "".join(_tagged("th", escape(table.heads[place]), place in numeric)
                        for place in kept)  # fmt: skip
        rows = "".join(
            f"<tr>{''.join(self._cell(row[place], place in numeric) for place in kept)}</tr>\n"
            for row in table.rows
        )
        file = Link(
            text="CSV",
            name=f"{table.key}.csv",
            media="text/csv",
            content=table.to_csv().encode("utf-8"),
        )
        title = escape(table.title) + (_link(file) if self._links else "")
        note = f'\n<p class="note">{_inline(table.note)}</p>' if table.note else ""
        return (
            f'<h3>{title}</h3>\n<div class="scroll"><table>\n<thead><tr>{heads}</tr></thead>\n'
            f"<tbody>\n{rows}</tbody></table></div>{note}"
        )

    def _is_shown(self, table: Table, place: int) -> bool:
        return self._links or not any(row[place].link for row in table.rows)

    def _cell(self, cell: Cell, numeric: bool) -> str:
        return _tagged("td", _link(cell.link) if cell.link else _inline(cell.text), numeric)


def _tagged(tag: str, content: str, numeric: bool) -> str:
    return f"<{tag}{' class=number align=right' if numeric else ''}>{content}</{tag}>"


def _is_numeric(rows: Sequence[Sequence[Cell]], place: int) -> bool:
    return any(row[place].value is not None for row in rows)


def _link(file: Link) -> str:
    content = base64.b64encode(file.content).decode("ascii")
    name = escape(file.name, quote=True)
    return f'<a download="{name}" href="data:{file.media};base64,{content}">{escape(file.text)}</a>'


def _inline(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text))
