"""A finished training run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import run


@pytest.fixture
def whole(source: str, tmp_path: Path) -> Path:
    """Return the folder of an uninterrupted run of twelve steps."""
    run(tiny_recipe(source), tmp_path / "whole")
    return tmp_path / "whole"
