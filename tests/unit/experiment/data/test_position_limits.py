"""Positional tables that are too short are refused before training."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.errors import UsageError
from musicrel.experiment.data import dataset, position_limits
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training.train import train
from tests.helpers.recipes import tiny_recipe


def learned(source: str, rows: int, **model: object) -> Recipe:
    """Return a small recipe with a table of ``rows`` positions."""
    recipe = tiny_recipe(source, "learned")
    changed = replace(recipe.model, options={"max_length": rows}, **model)  # type: ignore[arg-type]
    return replace(recipe, model=changed)


def longest(source: str) -> int:
    """Return the tokens of the longest evaluated piece, including START."""
    pieces = dataset.load(source).pieces
    return 1 + 4 * max(piece.steps for split in ("valid", "test") for piece in pieces[split])


def test_a_table_must_cover_the_longest_evaluated_piece(source: str) -> None:
    """To the token."""
    tokens, found = longest(source), dataset.load(source)

    position_limits.check(learned(source, tokens), found)
    with pytest.raises(UsageError, match=rf"is measured has {tokens}: expected its option max_l"):
        position_limits.check(learned(source, tokens - 1), found)


def test_windows_are_enough_where_pieces_are_read_in_windows(source: str) -> None:
    """Whole pieces may then be refused, which is a result."""
    recipe = learned(source, 32)

    position_limits.check(
        replace(recipe, data=replace(recipe.data, measured="window")), dataset.load(source)
    )
    with pytest.raises(UsageError, match=r"windows have 32: expected .* 32 or more, or a window"):
        position_limits.check_window(learned(source, 31))


@pytest.mark.parametrize(("scheme", "expected"), [("relative", None), ("learned", 3200)])
def test_other_schemes_are_unlimited(scheme: str, expected: int | None, source: str) -> None:
    """They extrapolate or clip."""
    assert position_limits.max_tokens(tiny_recipe(source, scheme)) == expected


def test_a_run_that_could_not_be_evaluated_is_not_started(source: str, tmp_path: Path) -> None:
    """Otherwise it would fail at its first evaluation."""
    with pytest.raises(UsageError, match="scheme 'learned' has positions for 40 tokens, but the l"):
        jobs.run(train(learned(source, 40), tmp_path / "run"))
    assert not (tmp_path / "run").exists()
