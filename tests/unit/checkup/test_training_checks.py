"""The checks of training, with a few steps, on all devices there are."""

from __future__ import annotations

import pytest
import torch

from musicrel.checkup import training_checks
from musicrel.checkup.findings import NotTriedError
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.model import devices
from tests.devices import devices_here

NO_BFLOAT16 = "cpu of this machine has no hardware support for bfloat16"


@pytest.fixture
def plan() -> Recipe:
    """Return the plan of a small causal model."""
    return training_checks.small("vanilla-base", "single")


@devices_here
def test_training_learns(plan: Recipe, device: str) -> None:
    """The first loss is that of the CPU."""
    outcome = training_checks.learns(plan, device, 1)

    assert outcome.passed, outcome
    assert outcome.finding.startswith("loss from 4.")


@devices_here
def test_training_resumes(plan: Recipe, device: str) -> None:
    """The loss after a checkpoint is that of a run that went on."""
    assert training_checks.resumes(plan, device, 1).passed


def test_training_that_does_not_learn_fails(plan: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first loss is as it should be."""
    monkeypatch.setattr(torch.optim.AdamW, "step", lambda *_: None)

    outcome = training_checks.learns(plan, "cpu", 1)

    assert outcome.figure == 0
    assert not outcome.passed


def test_without_bfloat16_mixed_precision_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is that of the device."""
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: NO_BFLOAT16)

    with pytest.raises(NotTriedError, match=NO_BFLOAT16):
        training_checks.learns(training_checks.small("vanilla-base", "mixed"), "cpu", 1)
