"""Whether positions reach as far as what is read."""

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
    """A small recipe with a table of so many positions."""
    recipe = tiny_recipe(source, "learned")
    changed = replace(recipe.model, options={"max_length": rows}, **model)  # type: ignore[arg-type]
    return replace(recipe, model=changed)


def longest(source: str) -> int:
    """Tokens of the longest piece that is measured, START among them."""
    pieces = dataset.load(source).pieces
    return 1 + 4 * max(piece.steps for split in ("valid", "test") for piece in pieces[split])


def test_a_table_has_to_hold_the_longest_piece_that_is_measured(source: str) -> None:
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
def test_other_schemes_go_on(scheme: str, expected: int | None, source: str) -> None:
    """They extend or clip."""
    assert position_limits.tokens(tiny_recipe(source, scheme)) == expected


def test_a_run_that_could_not_be_measured_is_not_begun(source: str, tmp_path: Path) -> None:
    """It would learn for an hour and fail then."""
    with pytest.raises(UsageError, match="scheme 'learned' has positions for 40 tokens, but the l"):
        jobs.run(train(learned(source, 40), tmp_path / "run"))
    assert not (tmp_path / "run").exists()
