"""Fixtures of the tests of models and preferences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.jobs.worker import end_all
from musicrel.ui.library.model_library import ModelLibrary
from tests.helpers.models import tiny_model_directory


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.fixture
def writing() -> list[bool]:
    """Return whether notes are being written: the last entry."""
    return [False]


@pytest.fixture
def library(
    parent: QWidget, home: Path, writing: list[bool], qtbot: QtBot
) -> Iterator[ModelLibrary]:
    tiny_model_directory(home / "models" / "mine")
    library = ModelLibrary(parent, lambda: writing[-1])
    library.show("mine")
    qtbot.addWidget(library.dialog)
    yield library
    library.dialog.close()
    end_all(library)


@pytest.fixture
def download(tmp_path: Path) -> Path:
    """Return a model folder outside of the user's models; its card names it "tiny"."""
    return tiny_model_directory(tmp_path / "downloads" / "tiny")
