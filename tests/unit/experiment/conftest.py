"""Fixtures of the tests of experiments."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.music import tiny_data


@pytest.fixture
def source(tmp_path: Path) -> str:
    return tiny_data(tmp_path / "tiny.json")
