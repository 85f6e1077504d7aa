"""Tables as Markdown, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

_LATEX: Final = str.maketrans(
    {one: f"\\{one}" for one in "&%$#_{}"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    | {"\N{MINUS SIGN}": "$-$", "\N{EN DASH}": "--", "\N{NO-BREAK SPACE}": "~", "<": "$<$"}
)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def to_csv(rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV; lines end as on Unix, so that files are equal on every system."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def to_latex(
    key: str,
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[str]],
    sides: str,
) -> str:
    """Return a table of the package ``booktabs``; ``sides`` has a letter, l or r, a column."""
    lines = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in (head, *rows)]
    return "\n".join(
        [
            r"\begin{table}  % \usepackage{booktabs}",
            r"\centering",
            rf"\caption{{{title.translate(_LATEX)}}}",
            rf"\label{{tab:{key}}}",
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            lines[0],
            r"\midrule",
            *lines[1:],
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )
