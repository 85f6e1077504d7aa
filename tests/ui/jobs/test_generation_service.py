"""The path from a model folder to a piece, with a tiny model; the kernel is compiled meanwhile."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import jobs, settings
from musicrel.chorale import Chorale, Key
from musicrel.errors import UsageError
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.events import Generated, GenerationStep, PhraseEndTrial
from musicrel.model import device_choice, devices
from musicrel.model.device_choice import Measurement
from musicrel.playback.player import Player
from musicrel.presentation.compose import form
from musicrel.presentation.compose.form import Form
from musicrel.score import files
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.generation_service import (
    MAX_KEPT,
    Compiling,
    KernelCompilation,
    Loaded,
    Loading,
    ModelCache,
)
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.measured_devices import Graphics
from tests.helpers.models import tiny_model_directory
from tests.helpers.sound import ManualOutput

LIVE = form.new_piece(Form(model="tiny", bars=1, seed=3, phrases=(), pickup=0), is_live=True)
WAITS = "import pathlib, sys, time\nwhile not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.01)"
COUNTS = "import sys\nopen(sys.argv[1], 'a').write('started ')"


def piece(models: ModelCache, on_event: Callable[[object], None] = print) -> Generated:
    made = jobs.run(models.write(LIVE, "cpu"), on_event)
    assert isinstance(made, Generated)
    return made


@pytest.fixture
def tiny(home: Path) -> Path:
    return tiny_model_directory(home / "models" / "tiny")


@pytest.mark.usefixtures("tiny")
def test_compose_reports_loading_and_every_token() -> None:
    events: list[object] = []

    generated = piece(ModelCache(), events.append)

    assert events[0] == Loading(model="tiny")
    assert isinstance(events[1], Loaded)
    assert events[1].device == "CPU"
    assert sum(isinstance(event, GenerationStep) for event in events) == 64
    assert any(isinstance(event, PhraseEndTrial) for event in events)
    assert all(isinstance(event, GenerationStep | PhraseEndTrial) for event in events[2:])
    assert generated.chorale.provenance is not None
    assert generated.chorale.provenance.sha256 == events[1].sha256


def test_a_model_is_kept_once_for_a_device(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "may_have_accelerator", lambda: False)
    tiny_model_directory(home / "models" / "tiny")
    model_cache = ModelCache()

    first, second = (jobs.run(model_cache.load("tiny", device)) for device in ("cpu", "auto"))

    assert first is second


@pytest.fixture
def gpu(tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Graphics:
    assert tiny.is_dir()
    return Graphics(monkeypatch, tmp_path)


def loaded(device: str, made_on: str = "") -> tuple[list[object], Loaded]:
    """Return the events between the first and the last, and the last."""
    events: list[object] = []
    models = ModelCache(KernelCompilation(lambda: False))
    jobs.run(models.load("tiny", device, made_on), events.append)
    assert isinstance(events[-1], Loaded)
    return events[1:-1], events[-1]


def test_auto_is_measured_with_the_first_model_and_shown_in_words(gpu: Graphics) -> None:
    gpu.answer(
        {"device": "cpu", "share": 0.5},
        {"device": "cpu", "tokens_per_second": 2.0},
        {"device": "cuda", "tokens_per_second": 1.0},
    )

    events, first = loaded("auto")

    assert set(events) == {Measurement(task="writing", device="cpu", share=0.5)}
    assert (first.device, first.machine["device"]) == ("writing on the CPU", "cpu")
    gpu.have(cpu=1.0, cuda=2.0)
    jobs.run(device_choice.choose("auto", "training"))
    assert loaded("auto")[1].device == "writing on the CPU, training on the GPU"


def test_the_device_of_the_user_or_of_a_piece_is_shown_by_its_name(gpu: Graphics) -> None:
    gpu.have(cpu=1.0, cuda=2.0)
    jobs.run(device_choice.choose("auto", "writing"))

    assert loaded("cpu") == loaded("auto", made_on="cpu")
    assert loaded("cpu")[1].device == "CPU"


def test_a_gpu_that_failed_is_mentioned(gpu: Graphics) -> None:
    gpu.answer(
        {"device": "cpu", "tokens_per_second": 2.0}, {"device": "cuda", "failed": "out of memory"}
    )

    assert loaded("auto")[1].warning.startswith("the GPU failed when the speed of writing was")
    assert loaded("auto")[1].device == "writing on the CPU"


def test_the_kernel_is_compiled_before_the_cpu_is_measured(gpu: Graphics, tmp_path: Path) -> None:
    compilation = KernelCompilation(lambda: True, python(WAITS, tmp_path / "done"), half_way)
    job = ModelCache(compilation).load("tiny", "auto")

    assert [next(job), next(job)] == [Loading(model="tiny"), Compiling(34, 69)]
    assert gpu.started == []
    (tmp_path / "done").touch()
    for _ in job:
        pass
    assert gpu.started == ["writing"]


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
    model_cache = ModelCache()
    relative = piece(model_cache)
    tiny_model_directory(tiny, "sinusoidal")
    vanilla = piece(model_cache)

    assert relative.chorale.provenance != vanilla.chorale.provenance


@pytest.mark.usefixtures("tiny")
def test_a_piece_beyond_the_vocabulary_is_continued_at_its_pitch() -> None:
    """It is transposed for the model only; a piece that is too wide is an error."""
    high = Chorale.of([(86, 79, 76, 62)] * 16, key=Key("Gb", "major"))
    entries = Form(model="tiny", rules=(), candidates=2)

    made = jobs.run(ModelCache().write(form.continuation(high, 1, entries), "cpu"))

    assert isinstance(made, CandidateSet)
    for one in made.ranked:
        assert (one.chorale.pitches[:16] == high.pitches).all()
        assert (one.chorale.steps, one.chorale.key) == (32, high.key)
    wide = Chorale.of([(86, 79, 76, 30)] * 16)
    with pytest.raises(UsageError, match="the piece ranges from F♯1 to D6: expected pitches"):
        form.continuation(wide, 1, entries)


def test_app_generates_and_saves_with_a_real_model(
    tiny: Path, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    model_cache = ModelCache()
    app = AppController(
        window,
        model_cache,
        settings=Settings(model=tiny.name, device="cpu"),
        player=Player(ManualOutput(), threaded=False),
    )
    document = app.document
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
    app.files.export(document.piece, tmp_path / "piece.mid")
    qtbot.waitUntil(lambda: not app.files.worker.busy)
    assert files.read(tmp_path / "piece.mid").steps == 32
    assert settings.load().save_folder == str(tmp_path)


def half_way() -> tuple[int, int]:
    return 34, 69


def python(code: str, file: Path) -> list[str]:
    return [sys.executable, "-c", code, str(file)]


def test_a_job_waits_until_the_kernel_is_compiled(tmp_path: Path) -> None:
    """It yields events meanwhile, so that it can be cancelled."""
    done = tmp_path / "done"
    steps = itertools.count(1)
    job = KernelCompilation(lambda: True, python(WAITS, done), lambda: (next(steps), 69)).wait()

    assert [next(job), next(job)] == [Compiling(1, 69), Compiling(2, 69)]
    done.touch()

    assert {event.total for event in job} <= {69}


def test_nothing_is_compiled_where_nothing_is_missing(tmp_path: Path) -> None:
    started = tmp_path / "started"
    compilation = KernelCompilation(lambda: False, python(COUNTS, started), half_way)

    assert list(compilation.wait()) == []
    assert not started.exists()


def test_several_jobs_share_one_process(tmp_path: Path) -> None:
    """Later requests start no other job, even if the first one was cancelled."""
    started = tmp_path / "started"
    compilation = KernelCompilation(lambda: True, python(COUNTS, started), half_way)
    compilation.wait().close()
    threads = [threading.Thread(target=lambda: list(compilation.wait())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    list(compilation.wait())

    assert started.read_text() == "started "


@pytest.mark.parametrize("command", [["no-such-program"], [sys.executable, "-c", "exit(1)"]])
def test_a_failure_ends_the_waiting(command: list[str]) -> None:
    """The kernel is compiled on its first use then, or torch takes its place."""
    assert set(KernelCompilation(lambda: True, command, half_way).wait()) <= {Compiling(34, 69)}


def test_a_model_is_ready_after_the_compilation(home: Path, tmp_path: Path) -> None:
    tiny_model_directory(home / "models" / "tiny")
    compilation = KernelCompilation(lambda: True, python(WAITS, tmp_path / "done"), half_way)
    events: list[object] = []

    def note(event: object) -> None:
        events.append(event)
        (tmp_path / "done").touch()

    jobs.run(ModelCache(compilation).warm_up("tiny", "cpu"), note)

    assert events[0] == Loading(model="tiny")
    assert isinstance(events[-1], Loaded)
    assert set(events[1:-1]) <= {Compiling(34, 69)}
