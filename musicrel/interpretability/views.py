"""The views of the Attention page as pictures and tables, for one model or two, or two pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Final

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability import claim_rows
from musicrel.interpretability import shown as tables
from musicrel.interpretability.claim_rows import ClaimRow
from musicrel.interpretability.piece_analysis import (
    CROSS,
    PieceAnalysis,
    head_name,
    head_noun,
    to_weights,
)
from musicrel.interpretability.results import Places
from musicrel.interpretability.shown import Shown
from musicrel.interpretability.view import Heading, Table, View
from musicrel.language import tr
from musicrel.presentation import two_models
from musicrel.presentation.two_models import Agreement

MAPS, NOTE, SHARES = "maps", "note", "shares"
SURPRISAL, CLAIMS, PLACES = "surprisal", "claims", "places"  # names of the views

ROWS: Final = tr(
    "Rows: predicted cells. Columns: the cells attended to, START first. Numbers: bars."
)
STEP_ROWS: Final = tr(
    "Rows: cells, each predicted from all others. Columns: the sixteenths attended to. "
    "Numbers: bars."
)
_AXES: Final = tr("Above: weights of A. Below: weights of B, on the same scale. Colours: voices.")
_WEIGHTS: Final = tr("Weights by step. Colours: voices.")
_INTERVALS: Final = tr(
    "Bars: this piece, with intervals of 95 % over its bars. Grey: Bach. Dotted: equal weights."
)
_IN_BARS: Final = tr("In bars. Dotted: where the notes are.")
_HIGH, _LOW = 320, 200  # heights of an exported chart of two models and of one in pixels


def of(name: str, shown: Shown) -> View | None:
    return _MAKERS[name](shown) if name in _MAKERS else None


def maps(shown: Shown) -> View:
    analyses = [one for one in (shown.first, shown.second) if one is not None]
    parts = list(zip(analyses, shown.heads, strict=False))
    heads = [head_noun(head) for _, head in parts]

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
    """Return maps of one piece side by side, on one colour scale, with the name of each head."""
    first, both = parts[0][0], len(parts) > 1
    one_of, both_of = tr("Attention of {model}, {head}"), tr("Attention: {models}")
    if first.kind == CROSS:
        one_of, both_of = tr("Cross-attention of {model}, {head}"), tr("Cross-attention: {models}")
    models = [one.model for one, _ in parts]
    titles = [
        one_of.format(model=model, head=head) for model, head in zip(models, heads, strict=True)
    ]
    heading = both_of.format(models=tr(" and ").join(models)) if both else titles[0]
    words = ROWS if first.is_causal else STEP_ROWS
    chart = ("maps", "figure", parts, titles, heading)
    return View(title, Heading(heading, (first.chorale.title, words)), chart, table)


def note(shown: Shown) -> View | None:
    found = shown.note
    if found is None:
        return None
    both = all(found.legend)
    words = f"{found.chorale.title}. {_AXES if both else _WEIGHTS}"
    return View(
        _title(shown, found.title),
        Heading(tr("Attention of {note}", note=found.title), (words, found.words), found.legend),
        ("charts", "note", found),
        partial(tables.note_table, found),
        height=_HIGH if both else _LOW,
    )


def shares(shown: Shown) -> View:
    groups = shown.shares
    models = tr(" and ").join(filter(None, shown.models))
    heading = tr("Shares of attention: {models}", models=models)
    words = tables.WORDS if shown.second else tables.ALONE
    return View(
        _title(shown, tr("shares of attention")),
        Heading(heading, (shown.first.chorale.title, words), shown.legend),
        ("charts", "shares", groups),
        partial(tables.share_table, groups, shown.legend),
    )


def surprisal(shown: Shown) -> View | None:
    found, step = shown.difference, None if shown.cell is None else shown.cell // 4
    if found is None:
        return None
    return View(
        _title(shown, tr(" and ").join((found.first, found.second))),
        None,
        ("charts", "curve", found, step),
        found.table,
        exported=("charts", "roll_and_curve", found),
    )


def claims(shown: Shown) -> View | None:
    if not shown.first.cells:
        return None

    @cache
    def rows() -> tuple[ClaimRow, ...]:
        return claim_rows.claim_rows(shown.first, shown.second, shown.heads)

    heading = tr("Claims about relative attention")
    return View(
        _title(shown, tr("claims")),
        Heading(heading, (shown.first.chorale.title, _INTERVALS), shown.legend),
        ("charts", "claims", rows, shown.models, False),
        lambda: claim_rows.table(rows(), shown.legend),
        exported=("charts", "claims", rows, shown.legend, True),
    )


def places(shown: Shown) -> View | None:
    first = shown.first
    if first.places is None:
        return None
    return of_places(first.places, first.chorale, shown.heads[0], shown.cell)


def of_places(found: Places, piece: Chorale, head: Head | None, cell: int | None = None) -> View:
    """Return where the heads of a model put the notes of a piece; None: all heads alike."""
    heading = tr("Where the heads put the notes")
    colours = tr("Lines: heads, mean of the four voices.")
    if head is not None:
        heading = tr("Where {head} puts the notes", head=head.noun)
        colours = tr("Colours: voices. Grey: other heads.")
    return View(
        ", ".join(filter(None, (piece.title, heading[:1].lower() + heading[1:]))),
        Heading(heading, (piece.title, f"{_IN_BARS} {colours}")),
        ("charts", "places", found, piece, head, cell),
        partial(tables.place_table, found),
        height=_HIGH,
    )


def of_agreement(found: Agreement, models: tuple[str, str], title: str = "") -> View:
    """Return two pieces, as of two models, in which notes that agree are faint."""
    table = partial(two_models.table, found, models)
    return View(title, None, ("charts", "of_agreement", found, models), table)


_MAKERS: Final[dict[str, Callable[[Shown], View | None]]] = {
    MAPS: maps, NOTE: note, SHARES: shares, SURPRISAL: surprisal, CLAIMS: claims,
    PLACES: places,
}  # fmt: skip


def _title(shown: Shown, what: str) -> str:
    return ", ".join(filter(None, (shown.first.chorale.title, what)))
