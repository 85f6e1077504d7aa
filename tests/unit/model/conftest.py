"""Precision, and a model on disk, for the tests of models."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from musicrel.model import checkpoint
from tests.helpers.memory import Allocations
from tests.helpers.models import tiny_card, tiny_config, tiny_model


@pytest.fixture
def float64() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    model = tiny_model(tiny_config("relative", conditions=("voice",)))
    checkpoint.save(tmp_path / "tiny", model, tiny_card(model))
    return tmp_path / "tiny"


@pytest.fixture
def allocated() -> Iterator[Allocations]:
    with Allocations() as mode:
        yield mode
