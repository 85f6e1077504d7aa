"""The path from a model folder to a piece, with a tiny model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs, settings
from musicrel.chorale import Chorale, Key
from musicrel.errors import ModelError, UsageError
from musicrel.generation.events import GenerationStep, PhraseEndTrial
from musicrel.generation.request import GenerationRequest
from musicrel.model import processor
from musicrel.model.card import WEIGHTS
from musicrel.playback.player import Player
from musicrel.presentation.compose.form import Form, RequestBuilder
from musicrel.score import files
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.generation_service import MAX_KEPT, Loaded, Loading, ModelCache
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_model_directory
from tests.helpers.sound import ManualOutput

REQUEST = GenerationRequest(bars=1, seed=3)


@pytest.fixture
def tiny(home: Path) -> Path:
    """Return a model with random weights in the user's folder."""
    return tiny_model_directory(home / "models" / "tiny")


def test_compose_reports_loading_and_every_token(tiny: Path) -> None:
    """It also reports phrase endings, and returns the piece with its provenance."""
    events: list[object] = []

    generated = jobs.run(ModelCache().compose(tiny.name, "cpu", REQUEST), events.append)

    assert events[0] == Loading(model="tiny")
    assert isinstance(events[1], Loaded)
    assert events[1].device == "CPU"
    assert sum(isinstance(event, GenerationStep) for event in events) == 64
    assert any(isinstance(event, PhraseEndTrial) for event in events)
    assert all(isinstance(event, GenerationStep | PhraseEndTrial) for event in events[2:])
    assert generated.chorale.provenance is not None
    assert generated.chorale.provenance.sha256 == events[1].sha256


def test_same_seed_gives_the_same_piece(tiny: Path) -> None:
    """The second run uses the cached model."""
    model_cache = ModelCache()
    first, second = (jobs.run(model_cache.compose(tiny.name, "cpu", REQUEST)) for _ in range(2))

    assert first.chorale == second.chorale


def test_model_is_loaded_once(tiny: Path) -> None:
    """Its weights are not read again."""
    model_cache = ModelCache()
    jobs.run(model_cache.warm_up(tiny.name, "cpu"))
    (tiny / WEIGHTS).unlink()

    assert jobs.run(model_cache.compose(tiny.name, "cpu", REQUEST)).tokens == 64


def test_a_model_is_kept_once_for_a_device(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if one request leaves the choice of the device to the program."""
    monkeypatch.setattr(processor, "may_have_accelerator", lambda: False)
    tiny_model_directory(home / "models" / "tiny")
    model_cache = ModelCache()

    first, second = (jobs.run(model_cache.load("tiny", device)) for device in ("cpu", "auto"))

    assert first is second


def test_the_models_used_last_are_kept(home: Path) -> None:
    """Memory does not grow with every model that is tried; others are loaded again."""
    names = [f"model{number}" for number in range(MAX_KEPT + 1)]
    for name in names:
        tiny_model_directory(home / "models" / name)
    model_cache = ModelCache()
    first, second, *_ = [jobs.run(model_cache.load(name, "cpu")) for name in names[:-1]]
    jobs.run(model_cache.load(names[0], "cpu"))
    jobs.run(model_cache.load(names[-1], "cpu"))

    assert jobs.run(model_cache.load(names[0], "cpu")) is first
    assert jobs.run(model_cache.load(names[1], "cpu")) is not second


def test_model_that_changed_is_loaded_again(tiny: Path) -> None:
    """A training run may replace its files."""
    model_cache = ModelCache()
    relative = jobs.run(model_cache.compose(tiny.name, "cpu", REQUEST))
    tiny_model_directory(tiny, "sinusoidal")
    vanilla = jobs.run(model_cache.compose(tiny.name, "cpu", REQUEST))

    assert relative.chorale.provenance != vanilla.chorale.provenance


def test_a_piece_beyond_the_vocabulary_is_continued_at_its_pitch(tiny: Path) -> None:
    """It is transposed for the model only; a piece that is too wide is an error."""
    high = Chorale.of([(86, 79, 76, 62)] * 16, key=Key("Gb", "major"))
    builder = RequestBuilder(piece=high, bars=1, form=Form(model="tiny", rules=()), count=2)

    made = jobs.run(ModelCache().generate_candidates(tiny.name, "cpu", builder))

    for one in made.ranked:
        assert (one.chorale.pitches[:16] == high.pitches).all()
        assert (one.chorale.steps, one.chorale.key) == (32, high.key)
    wide = replace(builder, piece=Chorale.of([(86, 79, 76, 30)] * 16))
    with pytest.raises(UsageError, match="the piece ranges from F♯1 to D6: expected pitches"):
        jobs.run(ModelCache().generate_candidates(tiny.name, "cpu", wide))


def test_damaged_model_fails_the_job(tiny: Path) -> None:
    """The error follows the event of loading."""
    (tiny / WEIGHTS).write_bytes(b"broken")
    events: list[object] = []

    with pytest.raises(ModelError, match="truncated"):
        jobs.run(ModelCache().warm_up(tiny.name, "cpu"), events.append)
    assert events == [Loading(model="tiny")]


def test_app_generates_and_saves_with_a_real_model(
    tiny: Path, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """From a model folder to a file, through the window."""
    model_cache = ModelCache()
    app_controller = AppController(
        window,
        model_cache.compose,
        model_cache.warm_up,
        analyse=model_cache.analyse,
        generate_candidates=model_cache.generate_candidates,
        settings=Settings(model=tiny.name, device="cpu"),
        player=Player(ManualOutput(), threaded=False),
    )
    document = app_controller.document
    compose_form = window.compose_page.controls.compose_form
    compose_form.bars.setValue(2)
    compose_form.phrases.setText("1,1")
    compose_form.key.setCurrentText("G major")
    compose_form.seed.set_value(3)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(
        lambda: window.state == "Ready" and "CPU" in window.model_status, timeout=30_000
    )
    QTest.mouseClick(window.compose_page.controls.generate_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: document.piece is not None, timeout=30_000)

    assert document.piece is not None
    assert (document.piece.steps, str(document.piece.key)) == (32, "G major")
    app_controller.files.export(document.piece, tmp_path / "piece.mid")
    qtbot.waitUntil(lambda: not app_controller.files.busy)
    assert files.read(tmp_path / "piece.mid").steps == 32
    assert settings.load().save_folder == str(tmp_path)
