"""Checks that the positional scheme of a model covers the lengths it will read.

Only schemes with a table of positions are limited. Checking before training avoids a run that fails
at its first evaluation.
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
"""Option with the size of the position table."""
_EXTRA_TOKENS: Final[Mapping[str, int]] = {
    "causal": 1,
    "encoder_decoder": 1,
    "masked": 2,
    "infill": 0,
    "critic": 0,
}
"""Tokens besides the notes that each family reads of a piece."""
_OF_STEPS: Final = ("infill", "critic")
"""Families with one position per time step. The encoder of ``encoder_decoder`` has such positions
too, but needs only a quarter of the rows."""
_MEASURED: Final[tuple[Split, ...]] = ("valid", "test")


def max_tokens(recipe: Recipe) -> int | None:
    """Return the number of tokens a recipe's model has positions for; None: unlimited."""
    scheme, family = SCHEMES.get(recipe.model.scheme), recipe.model.family
    if scheme is None or scheme.extrapolation != "refuses" or family not in _EXTRA_TOKENS:
        return None
    rows = int(recipe.model.options.get(_TABLE, scheme.options[_TABLE]))
    return rows * VOICES if family in _OF_STEPS else rows


def check_window(recipe: Recipe) -> None:
    """Check that training windows fit the position table."""
    _check(recipe, recipe.data.window, "windows have", "or a window that is no longer")


def check(recipe: Recipe, data: DataSet) -> None:
    """Check that training windows and whole evaluated pieces fit the position table."""
    check_window(recipe)
    if recipe.data.measured == "whole":
        steps = [piece.steps for split in _MEASURED for piece in data.pieces.get(split, ())]
        longest = max(steps, default=0) * VOICES + _EXTRA_TOKENS.get(recipe.model.family, 0)
        remedy = 'or measured = "window" in [data]' if recipe.model.family == "causal" else ""
        _check(recipe, longest, "the longest piece that is measured has", remedy)


def _check(recipe: Recipe, length: int, what: str, remedy: str) -> None:
    reached = max_tokens(recipe)
    if reached is not None and length > reached:
        rows = -(-length // VOICES) if recipe.model.family in _OF_STEPS else length
        raise UsageError(
            f"scheme {recipe.model.scheme!r} has positions for {reached:,} tokens, but {what} "
            f"{length:,}: expected its option {_TABLE} to be {rows} or more{', ' if remedy else ''}"
            f"{remedy}"
        )
