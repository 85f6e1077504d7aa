"""Folders of tiny models for the checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.model import checkpoint
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory


@pytest.fixture(params=["sinusoidal", "relative"])
def causal_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Write a causal model of either scheme."""
    return tiny_model_directory(tmp_path / "tiny", request.param)


@pytest.fixture
def infill_folder(tmp_path: Path) -> Path:
    """Write an infilling model."""
    names = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", conditions=names, family="infill"))
    checkpoint.save(tmp_path / "tiny", model, tiny_card(model))
    return tmp_path / "tiny"


@pytest.fixture
def critic_folder(tmp_path: Path) -> Path:
    """Write a critic."""
    model = tiny_model(tiny_config("relative", conditions=("beat",), family="critic", classes=2))
    checkpoint.save(tmp_path / "tiny", model, tiny_card(model))
    return tmp_path / "tiny"
