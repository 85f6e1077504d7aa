"""The views of the Attention page as pictures and tables, for one model or two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import paths
from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention import (
    attention_drawing,
    cross_attention_drawing,
    heat_map,
)
from musicrel.presentation.attention.attention_record import Weights, to_weights
from musicrel.presentation.attention.claim_rows import ClaimRow, claim_rows
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, head_name, with_heads
from musicrel.presentation.attention.step_analysis import CROSS, StepAnalysis
from musicrel.presentation.comparison import (
    claims_chart,
    difference_drawing,
    model_difference,
    note_attention,
    share_difference,
)
from musicrel.presentation.comparison.model_difference import ModelDifference
from musicrel.presentation.comparison.note_attention import NoteAttention
from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.files import pictures
from musicrel.presentation.study.csv_text import to_csv
from musicrel.presentation.words.palette import Theme

CSV: Final = ".csv"
SUFFIXES: Final = (".png", ".svg", CSV)
"""Suffixes of the files that a view can be written to."""
_VOICES: Final = len(Voice)
_DIGITS: Final = 6


@dataclass(frozen=True)
class View:
    """A view that can be written to a file."""

    title: str  # of the view and the piece; proposed as the name of the file
    draw: Callable[[Theme], Drawing]
    # returns its numbers by rows, the names of the columns first
    table: Callable[[], Iterable[Iterable[object]]]


@dataclass(frozen=True)
class Shown:
    """The selection on the page."""

    first: PieceAnalysis
    # that by model B of the same piece; None: one model is shown
    second: PieceAnalysis | None = None
    # the chosen heads of A and B; None: the mean of all
    heads: tuple[Head | None, Head | None] = (None, None)
    cell: int | None = None  # the chosen note; None: none

    @property
    def models(self) -> tuple[str, str]:
        """Return the names of A and B, "" without B."""
        return self.first.model, self.second.model if self.second else ""

    @property
    def legend(self) -> tuple[str, str]:
        """Return the names of A and B with their heads, "" without B."""
        return with_heads(self.models, self.heads)

    @property
    def note(self) -> NoteAttention | None:
        """Return the attention of the chosen note; None without one."""
        return NoteAttention.of((self.first, self.second), self.heads, self.cell)

    @property
    def shares(self) -> share_difference.Groups:
        """Return the shares of attention by distance and voice."""
        return share_difference.groups(self.first, self.second, self.heads, self.cell)

    @property
    def difference(self) -> ModelDifference | None:
        """Return the difference in surprisal; None without two complete analyses."""
        return ModelDifference.of(self.first, self.second) if self.second else None


def check_suffix(path: Path) -> None:
    """Check that a view can be written to ``path``."""
    if path.suffix.lower() not in SUFFIXES:
        known = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise UsageError(f"cannot write {path}: expected a name that ends in {known}")


def check_pair(families: Sequence[str], names: Sequence[str]) -> None:
    """Check that two models answer the same question and can be compared."""
    kinds = [family == "infill" for family in families]
    if len(set(kinds)) > 1:
        infill, causal = (names[kinds.index(kind)] for kind in (True, False))
        raise UsageError(
            f"{infill} sees both sides of a note and {causal} does not: expected two models that "
            "write from left to right, or two infilling models"
        )


def write(view: View, path: Path, theme: Theme) -> None:
    """Write a view in the format of the suffix: PNG, SVG or CSV."""
    if path.suffix.lower() == CSV:
        paths.write_text(path, to_csv(view.table()))
    else:
        pictures.write(view.draw(theme), path)


def maps(shown: Shown) -> View:
    """Return the maps of the chosen heads, side by side on one scale."""

    @cache  # the weights are large, and read once for a file
    def known() -> tuple[tuple[PieceAnalysis, Head | None, Weights], ...]:
        return tuple(
            (analysis, head, to_weights(analysis.map(head)))
            for analysis, head in zip((shown.first, shown.second), shown.heads, strict=True)
            if analysis is not None
        )

    def draw(theme: Theme) -> Drawing:
        full = max(heat_map.full_weight(weights) for _, _, weights in known())
        return arrangement.beside([_map(*one, full, theme) for one in known()])

    def table() -> Iterator[tuple[object, ...]]:
        for place, (analysis, head, weights) in enumerate(known()):
            named = analysis.model, head_name(head).lower()
            yield from map_table(named, weights, analysis.chorale, with_header=not place)

    return View(_title(shown, head_name(shown.heads[0])), draw, table)


def note(shown: Shown) -> View | None:
    """Return the attention of the chosen note; None without one."""
    found = shown.note
    if found is None:
        return None
    return View(
        _title(shown, found.title),
        lambda theme: note_attention.draw(found, theme),
        lambda: note_attention.table(found),
    )


def shares(shown: Shown) -> View:
    groups, models, piece = shown.shares, shown.models, shown.first.chorale.title
    return View(
        _title(shown, "shares of attention"),
        lambda theme: share_difference.draw(groups, models, shown.legend, piece, theme),
        lambda: share_difference.table(groups, shown.legend),
    )


def surprisal(shown: Shown) -> View | None:
    """Return the difference in surprisal; None without two complete analyses."""
    found = shown.difference
    if found is None:
        return None
    return View(
        _title(shown, f"{found.first} and {found.second}"),
        lambda theme: difference_drawing.draw(found, theme),
        lambda: model_difference.table(found),
    )


def claims(shown: Shown) -> View | None:
    """Return the claims, measured in this piece; None before a note is known."""
    if not shown.first.cells:
        return None
    piece = shown.first.chorale.title

    @cache
    def rows() -> tuple[ClaimRow, ...]:
        return claim_rows(shown.first, shown.second, shown.heads)

    return View(
        _title(shown, "claims"),
        lambda theme: claims_chart.draw(rows(), shown.legend, piece, theme),
        lambda: claims_chart.table(rows(), shown.legend),
    )


def map_table(
    named: tuple[str, str], weights: Weights, chorale: Chorale, *, with_header: bool = True
) -> Iterator[tuple[object, ...]]:
    """Yield a map by rows: model, head, step and voice of the query, and the weight of each key.

    Args:
        weights: (cells, keys); keys are the steps of the piece, or START and the cells.
    """
    if with_header:
        yield ("model", "head", "step", "voice", *_keys(weights.shape[1], chorale.steps))
    for cell, row in enumerate(np.round(weights.astype(np.float64), _DIGITS).tolist()):
        step, voice = divmod(cell, _VOICES)
        yield (*named, step, Voice(voice).letter, *row)


def _keys(columns: int, steps: int) -> list[str]:
    """Return the names of the columns, as "START" and "12 T", or "12" for a step."""
    if columns == steps:
        return [str(step) for step in range(steps)]
    cells = (divmod(cell, _VOICES) for cell in range(columns - 1))
    return ["START", *(f"{step} {Voice(voice).letter}" for step, voice in cells)]


def _map(
    analysis: PieceAnalysis, head: Head | None, weights: Weights, full: float, theme: Theme
) -> Drawing:
    draw: Callable[..., Drawing] = attention_drawing.draw
    if isinstance(analysis, StepAnalysis):
        draw = cross_attention_drawing.draw_infill
        if analysis.kind == CROSS:
            draw = partial(cross_attention_drawing.draw, given=analysis.given)
    return draw(
        weights,
        analysis.chorale,
        layer=None if head is None else head.layer + 1,
        head=None if head is None else head.head + 1,
        theme=theme,
        model=analysis.model,
        full=full,
    )


def _title(shown: Shown, what: str) -> str:
    return f"{shown.first.chorale.title}, {what}" if shown.first.chorale.title else what
