"""The app with a tiny model that studies notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.jobs import Job
from musicrel.presentation.ablation import note_study
from musicrel.ui.ablation.ablation import Ablation
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.document.document import Document
from musicrel.ui.jobs.generation_service import LoadEvent, Loading, ModelCache
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load a model with random weights, two layers of two heads, that has studied a note.

    The kernel is compiled the first time.
    """
    model = load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))
    reader = note_study.open_reader(model, random_chorale(4, 16, margin=2))
    note_study.study(reader, 20, Mutes.parse("1.1", "zero"))
    note_study.sources(reader, 20)
    return model


@pytest.fixture(autouse=True)
def loads_tiny(tiny: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the tiny model in place of any other."""

    def load(_self: ModelCache, name: str, _device: str) -> Job[LoadEvent, LoadedModel]:
        yield Loading(model=name)
        return replace(tiny, name=name)

    monkeypatch.setattr(ModelCache, "load", load)


@pytest.fixture
def generate(
    app_controller: AppController, attention: AttentionController, qtbot: QtBot
) -> Callable[[], None]:
    """Return a function that generates a piece and waits for its analysis."""

    def run() -> None:
        app_controller.compose.generate()
        qtbot.waitUntil(lambda: app_controller.document.piece is not None)
        qtbot.waitUntil(lambda: attention.shown is not None)

    return run


@pytest.fixture
def ablation(
    app_controller: AppController, generate: Callable[[], None], qtbot: QtBot
) -> Iterator[Ablation]:
    """Yield the controllers with a generated piece; heads are replaced by zero."""
    generate()
    app_controller.ablation.mutes.choose_by("zero")
    yield app_controller.ablation
    qtbot.waitUntil(lambda: not app_controller.ablation.controller.busy)


@pytest.fixture
def document(app_controller: AppController) -> Document:
    """Return the document."""
    return app_controller.document
