"""An infilling model for commands that rewrite."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.model import checkpoint
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import tiny_card, tiny_config, tiny_model


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    conditions = tuple(name for name in CONDITIONS if name != "voice")
    network = tiny_model(tiny_config("relative", conditions=conditions, family="infill"))
    checkpoint.save(folder, network, tiny_card(network))
    return folder
