"""The selection on the Attention page, of one model or two, and the table of a map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, Weights, with_heads
from musicrel.presentation.comparison import share_difference
from musicrel.presentation.comparison.model_difference import ModelDifference
from musicrel.presentation.comparison.note_attention import NoteAttention

_VOICES: Final = len(Voice)
_DIGITS: Final = 6


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
        return self.first.model, self.second.model if self.second else ""

    @property
    def legend(self) -> tuple[str, str]:
        return with_heads(self.models, self.heads)

    @property
    def note(self) -> NoteAttention | None:
        return NoteAttention.of((self.first, self.second), self.heads, self.cell)

    @property
    def shares(self) -> share_difference.Groups:
        return share_difference.groups(self.first, self.second, self.heads, self.cell)

    @property
    def difference(self) -> ModelDifference | None:
        return ModelDifference.of(self.first, self.second) if self.second else None


def check_pair(families: Sequence[str], names: Sequence[str]) -> None:
    kinds = [family == "infill" for family in families]
    if len(set(kinds)) > 1:
        infill, causal = (names[kinds.index(kind)] for kind in (True, False))
        raise UsageError(
            f"{infill} sees both sides of a note and {causal} does not: expected two models that "
            "write from left to right, or two infilling models"
        )


def map_table(
    named: tuple[str, str], weights: Weights, cells: Iterable[int], chorale: Chorale
) -> Iterator[tuple[object, ...]]:
    """Yield a map by rows: model, head, step and voice of the query, and the weight of each key.

    Args:
        weights: (cells, keys); keys are the steps of the piece, or START and the cells.
        cells: the rows in the table.
    """
    yield ("model", "head", "step", "voice", *_keys(weights.shape[1], chorale.steps))
    for cell in cells:
        step, voice = divmod(cell, _VOICES)
        row = np.round(weights[cell].astype(np.float64), _DIGITS).tolist()
        yield (*named, step, Voice(voice).letter, *row)


def _keys(columns: int, steps: int) -> list[str]:
    """Return the names of the columns, as "START" and "12 T", or "12" for a step."""
    if columns == steps:
        return [str(step) for step in range(steps)]
    cells = (divmod(cell, _VOICES) for cell in range(columns - 1))
    return ["START", *(f"{step} {Voice(voice).letter}" for step, voice in cells)]
