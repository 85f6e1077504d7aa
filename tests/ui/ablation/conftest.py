"""The app with a tiny model that studies notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from musicrel import jobs
from musicrel.editing.selection import Selection
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.jobs import Job
from musicrel.presentation.ablation import note_effects
from musicrel.ui.ablation.note_effects_controller import EFFECTS, NoteEffectsController
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.document.document import Document
from musicrel.ui.jobs.generation_service import LoadEvent, Loading, ModelCache
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load a model with random weights, two layers of two heads, that has studied a note.

    The kernel is compiled the first time.
    """
    model = load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))
    reader = note_effects.open_reader(model, random_chorale(4, 16, margin=2))
    note_effects.measure(reader, 20, Mutes.parse("1.1", "zero"))
    jobs.run(note_effects.find_sources(reader, 20))
    return model


@pytest.fixture(autouse=True)
def loads_tiny(tiny: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(_self: ModelCache, name: str, _device: str) -> Job[LoadEvent, LoadedModel]:
        yield Loading(model=name)
        return replace(tiny, name=name)

    monkeypatch.setattr(ModelCache, "load", load)


@pytest.fixture
def generate(
    app: AppController, attention: AttentionController, qtbot: QtBot
) -> Callable[[], None]:
    def run() -> None:
        app.compose.generate()
        qtbot.waitUntil(lambda: app.document.piece is not None)
        qtbot.waitUntil(lambda: attention.shown is not None)

    return run


@pytest.fixture
def ablation(
    app: AppController, generate: Callable[[], None], qtbot: QtBot
) -> Iterator[NoteEffectsController]:
    """Yield the controllers with a generated piece; heads are replaced by zero."""
    generate()
    app.ablation.mutes.choose_by("zero")
    yield app.ablation
    qtbot.waitUntil(lambda: not app.ablation.busy)


@pytest.fixture
def document(app: AppController) -> Document:
    return app.document


@pytest.fixture
def studied(
    ablation: NoteEffectsController, document: Document, window: MainWindow, qtbot: QtBot
) -> NoteEffectsController:
    """Open the view and choose a note of bar 2."""
    window.attention.switch.open(EFFECTS)
    document.select(Selection(voices=(1,), start=20, stop=21))
    qtbot.waitUntil(lambda: not ablation.busy, timeout=30_000)
    return ablation
