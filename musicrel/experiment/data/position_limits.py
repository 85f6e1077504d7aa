"""Whether the positions of a model reach as far as what it will read, found before it learns.

Only schemes with a table of positions have an end; a run whose first evaluation reads a longer
piece would fail when it has learned for an hour.

This file knows lengths; it knows nothing of how anything is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from musicrel.corpus.splits import Split
from musicrel.errors import UsageError
from musicrel.experiment.data.dataset import DataSet
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.model.positions.table import SCHEMES
from musicrel.tokens.codec import VOICES

_TABLE: Final = "max_length"
"""The option that says how many positions a table has."""
_READ_BESIDES: Final[Mapping[str, int]] = {
    "causal": 1,
    "encoder_decoder": 1,
    "masked": 2,
    "infill": 0,
    "critic": 0,
}
"""Tokens that a family reads of a piece besides those of the notes."""
_OF_STEPS: Final = ("infill", "critic")
"""Families whose positions are steps; the encoder's are too, with a quarter of the rows."""
_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")


def tokens(recipe: Recipe) -> int | None:
    """How many tokens the positions of a recipe's model reach; None where they go on and on."""
    scheme, family = SCHEMES.get(recipe.model.scheme), recipe.model.family
    if scheme is None or scheme.beyond != "refuses" or family not in _READ_BESIDES:
        return None
    rows = int(recipe.model.options.get(_TABLE, scheme.options[_TABLE]))
    return rows * VOICES if family in _OF_STEPS else rows


def check_window(recipe: Recipe) -> None:
    """See that the windows of training are within reach.

    Raises:
        UsageError: they are not.
    """
    _check(recipe, recipe.data.window, "windows have", "or a window that is no longer")


def check(recipe: Recipe, data: DataSet) -> None:
    """See that windows are within reach, and the pieces that are read whole.

    Raises:
        UsageError: they are not.
    """
    check_window(recipe)
    if recipe.data.measured == "whole":
        steps = [piece.steps for split in _MEASURED for piece in data.pieces.get(split, ())]
        longest = max(steps, default=0) * VOICES + _READ_BESIDES.get(recipe.model.family, 0)
        remedy = 'or measured = "window" in [data]' if recipe.model.family == "causal" else ""
        _check(recipe, longest, "the longest piece that is measured has", remedy)


def _check(recipe: Recipe, length: int, what: str, remedy: str) -> None:
    reached = tokens(recipe)
    if reached is not None and length > reached:
        rows = -(-length // VOICES) if recipe.model.family in _OF_STEPS else length
        raise UsageError(
            f"scheme {recipe.model.scheme!r} has positions for {reached:,} tokens, but {what} "
            f"{length:,}: expected its option {_TABLE} to be {rows} or more{', ' if remedy else ''}"
            f"{remedy}"
        )
