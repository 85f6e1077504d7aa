"""The checks of a device, with tiny models on all devices there are, and their findings."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel.cli import checkup
from musicrel.cli.checkup import CAUSAL, INFILL, Check, Outcome, Subject
from musicrel.errors import ModelError
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.generation import kernel
from musicrel.generation.causal import device_writer
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import checkpoint, devices
from musicrel.model.tokens.conditions import CONDITIONS
from tests.devices import devices_here
from tests.helpers.known import known
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory

NO_BFLOAT16 = "cpu of this machine has no hardware support for bfloat16"


@pytest.fixture(params=["sinusoidal", "relative"])
def causal_folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tiny_model_directory(tmp_path / "tiny", request.param)


@pytest.fixture
def infill_folder(tmp_path: Path) -> Path:
    names = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", conditions=names, family="infill"))
    checkpoint.save(tmp_path / "tiny", model, tiny_card(model))
    return tmp_path / "tiny"


def tried(outcome: Outcome | Exception) -> dict[str, Any]:
    def work() -> Outcome:
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return checkup.tried(Check("model", "logits", work))


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome("", 0.5, 0.5), "passed"), (Outcome("", 0.6, 0.5), "failed"),
        (Outcome("", math.nan, 0.5), "failed"), (Outcome("", 0.0, holds=False), "failed"),
        (Outcome("", math.inf), "failed"), (Outcome(""), "passed"),
        (Outcome("", holds=False), "failed"), (Outcome("", holds=None), "not tried"),
    ],
)  # fmt: skip
def test_a_figure_above_its_limit_fails(outcome: Outcome, verdict: str) -> None:
    found = tried(outcome)
    assert found["verdict"] == verdict
    assert found["limit"] == (None if outcome.figure is None else outcome.limit)
    assert found["figure"] in {0.5, 0.6, 0.0, None}


@pytest.mark.parametrize(
    ("error", "finding"),
    [
        (ModelError("it is damaged"), "it is damaged"),
        (RuntimeError("CUDA error: no kernel\nfor this device"), "CUDA error: no kernel"),
        (NotImplementedError("aten::x is not there"), "aten::x is not there"),
        (TypeError("MPS has no float64"), "MPS has no float64"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_an_error_is_a_finding_with_its_first_line(error: Exception, finding: str) -> None:
    found = tried(error)
    assert (found["verdict"], found["finding"], found["figure"]) == ("failed", finding, None)


def test_a_mistake_in_the_program_is_no_finding() -> None:
    with pytest.raises(AttributeError):
        tried(AttributeError())


def test_all_shipped_models_are_checked_and_training() -> None:
    checks = checkup.checks("cpu", 1)
    models = {one.subject for one in checks if not one.subject.startswith("training")}
    assert models == {
        "hymns", "relative", "relative-infill", "relative-jsb",
        "vanilla", "vanilla-infill", "vanilla-jsb",
    }  # fmt: skip
    assert {one.subject for one in checks} - models == {
        "training vanilla-base",
        "training relative-base",
        "training relative-infill-base",
    }


def not_tried(outcome: Outcome) -> str:
    """Return why it was not tried; "" if it passed."""
    assert outcome.verdict != "failed", outcome
    return outcome.finding if outcome.holds is None else ""


@devices_here
def test_a_causal_model_passes(causal_folder: Path, device: str) -> None:
    subject = Subject(causal_folder, device, 1)

    reasons = {name: not_tried(work(subject)) for name, work in CAUSAL.items()}

    replayed = {"replayed step", "replayed step beside a thread"}
    special = {"cpu": replayed, "cuda": {"compiled step"}}
    assert {name for name, reason in reasons.items() if reason} == special.get(
        device, {*replayed, "compiled step", "tokens chosen there"}
    )


@devices_here
@pytest.mark.parametrize("name", [name for name in INFILL if name != "bfloat16"])
def test_an_infilling_model_passes(infill_folder: Path, device: str, name: str) -> None:
    assert INFILL[name](Subject(infill_folder, device, 1)).verdict == "passed"


@devices_here
def test_bfloat16_is_compared_with_float32(infill_folder: Path, device: str) -> None:
    subject = Subject(infill_folder, device, 1)
    if lacking := devices.without_bfloat16(device):
        pytest.skip(lacking)

    outcome = checkup.mixed_precision(subject)

    assert 0 < known(outcome.figure) < 0.01


def test_without_bfloat16_it_is_not_compared(
    infill_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: "the cpu has none")
    outcome = checkup.mixed_precision(Subject(infill_folder, "cpu", 1))
    assert not_tried(outcome) == "the cpu has none"


class Other(Subject):
    @cached_property
    def model(self) -> LoadedModel:
        other = tiny_model_directory(self.folder.parent / "other", "none")
        return load_model(str(other))


@pytest.mark.parametrize(
    "name",
    ["logits, whole piece", "logits, step by step", "attention recorded", "notes at temperature 0"],
)
def test_a_device_that_computes_something_else_fails(causal_folder: Path, name: str) -> None:
    outcome = CAUSAL[name](Other(causal_folder, "cpu", 1))
    assert outcome.verdict == "failed"
    assert outcome.figure


def test_a_device_that_chooses_other_tokens_fails(
    causal_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device_writer.DeviceWriter, "_raised", lambda _, logits, __: -logits)
    outcome = checkup.tokens_of_device(Subject(causal_folder, "cpu", 1))
    assert outcome.verdict == "failed"
    assert known(outcome.figure) > 9


def test_a_kernel_that_is_switched_off_is_not_tried(causal_folder: Path) -> None:
    subject = Subject(causal_folder, "cpu", 1)
    with kernel.switched_off():
        assert "kernel is switched off" in not_tried(checkup.compiled_step(subject))


def test_a_kernel_that_does_not_work_fails(
    causal_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "reason", lambda: "numba does not work")
    outcome = checkup.compiled_step(Subject(causal_folder, "cpu", 1))
    assert outcome.verdict == "failed"
    assert outcome.finding == "numba does not work"


def test_numbers_pass_up_to_a_difference_of_a_ten_thousandth() -> None:
    expected = np.zeros((2, 3))
    found = expected.copy()
    found[1, 2] = -9e-5

    assert checkup.compared_numbers("logits", found, expected).verdict == "passed"
    found[0, 0] = 2e-4
    outcome = checkup.compared_numbers("logits", found, expected)
    assert outcome.verdict == "failed"
    assert outcome.figure == pytest.approx(2e-4)
    assert outcome.finding == "largest difference of 6 logits: 2.0e-04"


def test_numbers_of_another_shape_and_a_piece_of_another_length_fail() -> None:
    outcome = checkup.compared_numbers("logits", np.zeros((1, 3)), np.zeros((2, 3)))
    assert outcome.verdict == "failed"
    assert outcome.finding == "logits of shape (1, 3) instead of (2, 3)"

    piece = checkup.piece()
    outcome = checkup.compared_pieces(piece.cropped(0, 16), piece)
    assert outcome.verdict == "failed"
    assert outcome.finding == "16 steps instead of 64"


def test_every_other_note_counts() -> None:
    piece = checkup.piece()
    pitches, onsets = piece.pitches.copy(), piece.onsets.copy()
    pitches[:, 0] += 1
    held = np.flatnonzero(~onsets[:, 2])[0]
    onsets[held, 2] = True
    changed = replace(piece, pitches=pitches, onsets=onsets)

    assert checkup.compared_pieces(piece, piece).verdict == "passed"
    outcome = checkup.compared_pieces(changed, piece)
    assert outcome.verdict == "failed"
    assert outcome.finding == "65 of 256 cells have another note"


@pytest.fixture
def plan() -> Recipe:
    return checkup.small("vanilla-base", "single")


@devices_here
def test_training_learns(plan: Recipe, device: str) -> None:
    outcome = checkup.learns(plan, device, 1)
    assert outcome.verdict == "passed", outcome
    assert outcome.finding.startswith("loss from 4.")


@devices_here
def test_training_resumes(plan: Recipe, device: str) -> None:
    assert checkup.resumes(plan, device, 1).verdict == "passed"


@devices_here
def test_recorded_training_is_compared_where_steps_are_recorded(plan: Recipe, device: str) -> None:
    found = checkup.recorded_training(plan, device)

    assert found.verdict == ("passed" if device == "cuda" else "not tried")


@devices_here
def test_the_speed_of_training_is_shown(
    plan: Recipe, device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup, "_TIMED_STEPS", {})

    found = checkup.training_speed(plan, device, 1)

    assert found.verdict == "passed"
    assert re.fullmatch(r"[1-9][\d,]* tokens a second", found.finding)


def test_training_that_does_not_learn_fails(plan: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.optim.AdamW, "step", lambda *_: None)
    outcome = checkup.learns(plan, "cpu", 1)
    assert outcome.figure == 0
    assert outcome.verdict == "failed"


def test_without_bfloat16_mixed_precision_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: NO_BFLOAT16)
    outcome = checkup.learns(checkup.small("vanilla-base", "mixed"), "cpu", 1)
    assert not_tried(outcome) == NO_BFLOAT16
