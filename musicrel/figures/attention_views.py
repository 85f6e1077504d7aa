"""The views of the Attention page as pictures and tables, for one model or two, or two pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from musicrel.generation.heads.mutes import Head
from musicrel.presentation import two_models
from musicrel.presentation.attention import claim_rows
from musicrel.presentation.attention import shown as tables
from musicrel.presentation.attention.claim_rows import ClaimRow
from musicrel.presentation.attention.piece_analysis import (
    CROSS,
    PieceAnalysis,
    head_name,
    to_weights,
)
from musicrel.presentation.attention.shown import Shown
from musicrel.presentation.attention.view import Heading, Table, View, of_module
from musicrel.presentation.two_models import Agreement
from musicrel.presentation.words.palette import Theme

if TYPE_CHECKING:
    from musicrel.figures.figure import Figure

MAPS, NOTE, SHARES = "maps", "note", "shares"
SURPRISAL, CLAIMS = "surprisal", "claims"  # names of the views

ROWS: Final = "Rows: predicted cells. Columns: the cells attended to, START first. Numbers: bars."
STEP_ROWS: Final = (
    "Rows: cells, each predicted from all others. Columns: the sixteenths attended to. "
    "Numbers: bars."
)
_AXES: Final = "Above: weights of A. Below: weights of B, on the same scale. Colours: voices."
_WEIGHTS: Final = "Weights by step. Colours: voices."
_CLAIMS: Final = "Claims about relative attention"
_INTERVALS: Final = (
    "Bars: this piece, with intervals of 95 % over its bars. Grey: Bach. Dotted: equal weights."
)
_HIGH, _LOW = 320, 200  # heights of an exported chart of two models and of one in pixels


def of(name: str, shown: Shown) -> View | None:
    return _MAKERS[name](shown) if name in _MAKERS else None


def maps(shown: Shown) -> View:
    analyses = [one for one in (shown.first, shown.second) if one is not None]
    parts = list(zip(analyses, shown.heads, strict=False))
    heads = [head_name(head).lower() for _, head in parts]

    def table() -> Iterator[tuple[object, ...]]:
        for place, (one, head) in enumerate(parts):
            named, weights = (one.model, heads[place]), to_weights(one.map(head))
            rows = tables.map_table(named, weights, one.known.tolist(), one.chorale)
            yield from list(rows)[bool(place) :]

    return of_maps(_title(shown, head_name(shown.heads[0])), parts, heads, table)


def of_maps(
    title: str,
    parts: Sequence[tuple[PieceAnalysis, Head | None]],
    heads: Sequence[str],
    table: Table,
) -> View:
    """Return maps of one piece side by side, on one colour scale.

    Args:
        heads: the name of each head.
    """
    first, both = parts[0][0], len(parts) > 1
    what = "Cross-attention" if first.kind == CROSS else "Attention"
    titles = [f"{what} of {one.model}, {head}" for (one, _), head in zip(parts, heads, strict=True)]
    heading = f"{what}: {' and '.join(one.model for one, _ in parts)}" if both else titles[0]
    words = ROWS if first.is_causal else STEP_ROWS
    return of_module(
        "maps",
        title,
        Heading(heading, (first.chorale.title, words)),
        lambda figures, _width, _height, theme: figures.figure(parts, theme, titles, heading),
        table,
    )


def note(shown: Shown) -> View | None:
    found = shown.note
    if found is None:
        return None
    both = all(found.models)
    words = f"{found.chorale.title}. {_AXES if both else _WEIGHTS}"
    return of_module(
        "model_charts",
        _title(shown, found.title),
        Heading(f"Attention of {found.title}", (words, found.words), found.legend),
        lambda figures, *size: figures.note(found, *size),
        lambda: tables.note_table(found),
        height=_HIGH if both else _LOW,
    )


def shares(shown: Shown) -> View:
    groups = shown.shares
    heading = f"Shares of attention: {' and '.join(filter(None, shown.models))}"
    words = tables.WORDS if shown.second else tables.ALONE
    return of_module(
        "model_charts",
        _title(shown, "shares of attention"),
        Heading(heading, (shown.first.chorale.title, words), shown.legend),
        lambda figures, width, _height, theme: figures.shares(groups, width, theme),
        lambda: tables.share_table(groups, shown.legend),
    )


def surprisal(shown: Shown) -> View | None:
    found, step = shown.difference, None if shown.cell is None else shown.cell // 4
    if found is None:
        return None
    page = of_module(
        "model_charts",
        _title(shown, f"{found.first} and {found.second}"),
        Heading("", ()),
        lambda figures, *size: figures.curve(found, *size, step),
        found.table,
    )
    return replace(page, draw=_drawn(lambda figures, theme: figures.roll_and_curve(found, theme)))


def claims(shown: Shown) -> View | None:
    if not shown.first.cells:
        return None

    @cache
    def rows() -> tuple[ClaimRow, ...]:
        return claim_rows.claim_rows(shown.first, shown.second, shown.heads)

    models, legend = shown.models, shown.legend
    return of_module(
        "model_charts",
        _title(shown, "claims"),
        Heading(_CLAIMS, (shown.first.chorale.title, _INTERVALS), legend),
        lambda figures, width, _height, theme: figures.claims(rows(), models, width, theme),
        lambda: claim_rows.table(rows(), legend),
        exported=lambda figures, width, _height, theme: figures.claims(
            rows(), legend, width, theme, exported=True
        ),
    )


def of_agreement(found: Agreement, models: tuple[str, str], title: str = "") -> View:
    """Return two pieces, as of two models, in which notes that agree are faint."""
    draw = _drawn(lambda figures, theme: figures.of_agreement(found, models, theme))
    return View(title, draw, lambda: two_models.table(found, models))


def _drawn(make: Callable[[Any, Theme], Figure]) -> Callable[[Theme], Figure]:
    return lambda theme: make(import_module("musicrel.figures.model_charts"), theme)


_MAKERS: Final = {MAPS: maps, NOTE: note, SHARES: shares, SURPRISAL: surprisal, CLAIMS: claims}


def _title(shown: Shown, what: str) -> str:
    return f"{shown.first.chorale.title}, {what}" if shown.first.chorale.title else what
