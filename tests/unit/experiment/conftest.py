"""What the tests of experiments share: a tiny data set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.music import tiny_data


@pytest.fixture
def source(tmp_path: Path) -> str:
    """The name of a data set of ten tiny pieces."""
    return tiny_data(tmp_path / "tiny.json")
