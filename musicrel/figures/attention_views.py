"""The views of the Attention page as pictures and tables, for one model or two, or two pieces.

Qt is imported with the first picture: tables need none.

The effects on a note as views: pages with a heading, and tables. Tables need no Qt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from musicrel.figures.view import View
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation import two_models
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.note_effects import NoteEffects, SourceList
from musicrel.presentation.attention import claim_rows
from musicrel.presentation.attention.claim_rows import ClaimRow
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, head_name, to_weights
from musicrel.presentation.comparison import model_difference, note_attention, share_difference
from musicrel.presentation.comparison import views as shown_views
from musicrel.presentation.comparison.views import Shown
from musicrel.presentation.two_models import Agreement
from musicrel.presentation.words.palette import Theme

if TYPE_CHECKING:
    from musicrel.figures.figure import Figure

_Make: TypeAlias = "Callable[[Any, Theme], Figure]"  # draws, given the module of figures
_Table: TypeAlias = Callable[[], Iterable[Iterable[object]]]


def of_heads(effects: HeadEffects, mutes: Mutes, piece: str) -> View:
    by = "zero" if effects.by == "zero" else "its mean"
    words = (
        f"Change of -log p in nats if the output of a head is replaced by {by}; positive: it "
        "helped."
    )
    if effects.looks is not None:
        words += " Strips: where the head looks, by voice."
    height = (effects.layers + 2) * 44

    texts = f"Effects of heads: {effects.of}", piece, effects.model, words
    return _page(
        texts,
        lambda figures, theme: figures.grid(effects, figures.WIDTH, height, theme, mutes),
        effects.table,
    )


def of_choices(note: NoteEffects) -> View:
    texts = f"Most probable notes: {note.note}", note.chorale.title, note.model, note.surprisal
    return _page(
        texts,
        lambda figures, theme: figures.choices(note, figures.WIDTH, 260, theme),
        note.choices_table,
    )


def of_layers(note: NoteEffects) -> View:
    height = 16 + 34 * len(note.log_p_by_layer)
    words = (
        "Logit lens: the output of every layer read as if it were the last one. Bold: the note of "
        "the piece. Colour: its probability."
    )
    texts = f"What each layer would choose: {note.note}", note.chorale.title, note.model, words
    return _page(
        texts,
        lambda figures, theme: figures.layers(note, figures.WIDTH, height, theme),
        note.layers_table,
    )


def of_sources(found: SourceList) -> View:
    words = "Left: attention, mean of all heads. Right: effect of removing the source, in nats."
    texts = f"Sources of {found.note}", found.chorale.title, found.model, words, f"{found.words}."
    return _page(
        texts, lambda figures, theme: figures.sources(found, figures.WIDTH, theme), found.table
    )


def _page(texts: tuple[str, ...], make: _Make, table: _Table) -> View:
    """Return a view of a heading, the title of the piece, the name of the model and words."""
    heading, piece, model, *words = texts
    lines = (", ".join(filter(None, (piece, model))), *words)
    draw = _drawn("effects", lambda own, theme: own.page(make(own, theme), heading, lines, theme))
    return View(", ".join(filter(None, (piece, heading))), draw, table)


def _drawn(module: str, make: _Make) -> Callable[[Theme], Figure]:
    """Return the drawing of a view; its module is imported with the first picture."""
    return lambda theme: make(import_module(f"musicrel.figures.{module}"), theme)


MAPS, NOTE, SHARES = "maps", "note", "shares"
SURPRISAL, CLAIMS = "surprisal", "claims"  # names of the views


def of(name: str, shown: Shown) -> View | None:
    make = _MAKERS.get(name)
    return make(shown) if make is not None else None


def maps(shown: Shown) -> View:
    analyses = [one for one in (shown.first, shown.second) if one is not None]
    parts = list(zip(analyses, shown.heads, strict=False))
    heads = [head_name(head).lower() for _, head in parts]

    def table() -> Iterator[tuple[object, ...]]:
        for place, (one, head) in enumerate(parts):
            named, weights = (one.model, heads[place]), to_weights(one.map(head))
            rows = shown_views.map_table(named, weights, one.known.tolist(), one.chorale)
            yield from list(rows)[bool(place) :]

    title = _title(shown, head_name(shown.heads[0]))
    return View(title, lambda theme: draw_maps(parts, heads, theme), table)


def draw_maps(
    parts: Sequence[tuple[PieceAnalysis, Head | None]], heads: Sequence[str], theme: Theme
) -> Figure:
    return _drawn("maps", lambda maps, theme: maps.figure(parts, theme, heads))(theme)


def note(shown: Shown) -> View | None:
    found = shown.note
    if found is None:
        return None
    draw = _drawn("shares", lambda shares, theme: shares.of_note(found, theme))
    return View(_title(shown, found.title), draw, lambda: note_attention.table(found))


def shares(shown: Shown) -> View:
    groups = shown.shares
    draw = _drawn("shares", lambda shares, theme: shares.figure(shown, theme))
    title = _title(shown, "shares of attention")
    return View(title, draw, lambda: share_difference.table(groups, shown.legend))


def surprisal(shown: Shown) -> View | None:
    found = shown.difference
    if found is None:
        return None
    draw = _drawn("differences", lambda differences, theme: differences.figure(found, theme))
    title = _title(shown, f"{found.first} and {found.second}")
    return View(title, draw, lambda: model_difference.table(found))


def claims(shown: Shown) -> View | None:
    if not shown.first.cells:
        return None

    @cache
    def rows() -> tuple[ClaimRow, ...]:
        return claim_rows.claim_rows(shown.first, shown.second, shown.heads)

    piece, legend = shown.first.chorale.title, shown.legend
    draw = _drawn("claims", lambda claims, theme: claims.figure(rows(), legend, piece, theme))
    return View(_title(shown, "claims"), draw, lambda: claim_rows.table(rows(), legend))


def of_agreement(found: Agreement, models: tuple[str, str], title: str = "") -> View:
    """Return two pieces, as of two models, in which notes that agree are faint."""
    draw = _drawn("differences", lambda figures, theme: figures.of_agreement(found, models, theme))
    return View(title, draw, lambda: two_models.table(found, models))


_MAKERS: Final = {
    MAPS: maps,
    NOTE: note,
    SHARES: shares,
    SURPRISAL: surprisal,
    CLAIMS: claims,
}


def _title(shown: Shown, what: str) -> str:
    return f"{shown.first.chorale.title}, {what}" if shown.first.chorale.title else what
