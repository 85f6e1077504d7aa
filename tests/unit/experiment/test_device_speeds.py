"""The program that measures devices, with tiny models and a clock that advances by reading it."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from musicrel import jobs
from musicrel.chorale import Voice
from musicrel.experiment import device_speeds
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs.events import TrainStep
from musicrel.experiment.training.train import train
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.model import device_choice
from musicrel.presentation.compose import models
from tests.helpers.models import tiny_model_directory


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    clock = SimpleNamespace(perf_counter=lambda: float(next(ticks)))
    monkeypatch.setattr(device_speeds, "time", clock)


def test_the_second_piece_is_timed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With the first one the device is prepared. The clock is read when it begins and ends."""
    monkeypatch.setattr(device_speeds, "MODEL", str(tiny_model_directory(tmp_path / "tiny")))
    monkeypatch.setattr(device_speeds, "BARS", 1)
    shares: list[float] = []

    rate = jobs.run(device_speeds.written("cpu"), shares.append)

    assert rate == GenerationRequest(bars=1).steps * len(Voice)
    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.5 < shares[-1] <= 1


def test_steps_of_training_are_timed_when_it_is_steady(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Four steps prepare the device; the clock is read after every step."""
    monkeypatch.setattr(device_speeds, "RECIPE", "tiny")
    shares: list[float] = []
    tokens: list[int] = []

    rate = jobs.run(device_speeds.trained("cpu"), shares.append)
    jobs.run(
        train(recipe.load("tiny"), tmp_path / "run"),
        lambda event: tokens.append(event.tokens) if isinstance(event, TrainStep) else None,
    )

    assert rate == pytest.approx((tokens[6] - tokens[3]) / 3)
    assert shares == sorted(shares)
    assert shares[-1] < 1


def test_each_device_is_a_line_and_a_failure_is_no_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def work(device: str) -> Job[float, float]:
        yield 0.5
        if device == "cpu":
            raise RuntimeError("no memory\nand a traceback")
        return 12.5

    monkeypatch.setattr(device_speeds, "WORK", {"writing": work})

    device_speeds.main("writing", "cpu", "mps")

    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [
        {"device": "cpu", "share": 0.5},
        {"device": "cpu", "failed": "no memory"},
        {"device": "mps", "share": 0.5},
        {"device": "mps", "tokens_per_second": 12.5},
    ]


def test_every_task_is_measured_with_the_default_model_and_a_bundled_recipe() -> None:
    assert tuple(device_speeds.WORK) == device_choice.TASKS
    assert models.DEFAULTS[models.WRITE] == device_speeds.MODEL
    assert recipe.load(device_speeds.RECIPE).model.scheme == "relative"
