"""The score page of the README, without a model."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.corpus import melodies

_PACKAGING = Path(__file__).parents[3] / "packaging"


def test_a_piece_is_a_page_of_black_on_white(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It has a title and systems, free margins, and is stored as a small PNG."""
    del qtbot  # an application must exist
    monkeypatch.syspath_prepend(str(_PACKAGING))
    script = importlib.import_module("score_picture")
    piece = Chorale.of([(72, 67, 64, 48), (74, 65, 62, 50)] * 16, title="A page")
    image = script.page(piece)
    grey = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)
    grey = grey[:, : image.width()]

    assert grey[:, :20].min() == grey[:, -20:].min() == grey[:5].min() == grey[-5:].min() == 255
    assert grey[: script.TITLE_ROOM].min() < 64
    assert grey[script.TITLE_ROOM :].min() < 64
    script.store(image, tmp_path / "page.png")
    assert 1_000 < (tmp_path / "page.png").stat().st_size < 100_000
    assert script.TUNE in melodies.names()
