"""The checks of models, with tiny ones, on all devices there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path

import pytest

from musicrel.checkup import causal_checks, critic_checks, infill_checks
from musicrel.checkup.findings import NotTriedError, Outcome
from musicrel.checkup.subject import Subject
from musicrel.generation import kernel
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import devices
from tests.devices import devices_here
from tests.helpers.models import tiny_model_directory

CAUSAL = causal_checks.CHECKS


def not_tried(work: Callable[[], Outcome]) -> str:
    """Try, and return why it could not be tried; "" if it passed."""
    try:
        outcome = work()
    except NotTriedError as reason:
        return str(reason)
    assert outcome.passed, outcome
    return ""


@devices_here
def test_a_causal_model_passes(causal_folder: Path, device: str) -> None:
    """Only what other devices have is not tried."""
    subject = Subject(causal_folder, device, 1)

    reasons = {name: not_tried(partial(work, subject)) for name, work in CAUSAL.items()}

    own = {"cpu": "replayed step", "cuda": "compiled step"}.get(device)
    special = {"compiled step", "replayed step"}
    assert {name for name, reason in reasons.items() if reason} == (
        special if own is None else {own}
    )


@devices_here
@pytest.mark.parametrize("name", [name for name in infill_checks.CHECKS if name != "bfloat16"])
def test_an_infilling_model_passes(infill_folder: Path, device: str, name: str) -> None:
    """Everything can be tried."""
    assert infill_checks.CHECKS[name](Subject(infill_folder, device, 1)).passed


@devices_here
def test_bfloat16_is_compared_with_float32(infill_folder: Path, device: str) -> None:
    """Random weights are less exact than trained ones."""
    subject = Subject(infill_folder, device, 1)
    if lacking := devices.without_bfloat16(device):
        pytest.skip(lacking)

    outcome = infill_checks.mixed_precision(subject)

    assert outcome.figure is not None
    assert 0 < outcome.figure < 0.01


def test_without_bfloat16_it_is_not_compared(
    infill_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason is that of the device."""
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: "the cpu has none")

    with pytest.raises(NotTriedError, match="the cpu has none"):
        infill_checks.mixed_precision(Subject(infill_folder, "cpu", 1))


@devices_here
def test_a_critic_passes(critic_folder: Path, device: str) -> None:
    """Its judgement is made on the CPU, wherever notes are written."""
    network, judgement = critic_checks.checks(critic_folder, device)

    reasons = not_tried(network.work), not_tried(judgement.work)

    assert reasons == (
        ("torch on the CPU is the reference", "")
        if device == "cpu"
        else ("", "candidates are ranked on the CPU")
    )


class Other(Subject):
    """A subject whose device computes with other weights."""

    @cached_property
    def model(self) -> LoadedModel:
        """Return the model with the weights of another scheme."""
        other = tiny_model_directory(self.folder.parent / "other", "none")
        return load_model(str(other))


@pytest.mark.parametrize(
    "name",
    ["logits, whole piece", "logits, step by step", "attention recorded", "notes at temperature 0"],
)
def test_a_device_that_computes_something_else_fails(causal_folder: Path, name: str) -> None:
    """In everything that is compared."""
    outcome = causal_checks.CHECKS[name](Other(causal_folder, "cpu", 1))

    assert not outcome.passed
    assert outcome.figure


def test_a_kernel_that_is_switched_off_is_not_tried(causal_folder: Path) -> None:
    """The reason is the kernel's."""
    subject = Subject(causal_folder, "cpu", 1)

    with kernel.switched_off(), pytest.raises(NotTriedError, match="kernel is switched off"):
        causal_checks.compiled_step(subject)


def test_a_kernel_that_does_not_work_fails(
    causal_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Torch takes its place, and the finding gives the reason."""
    monkeypatch.setattr(kernel, "reason", lambda: "numba does not work")

    outcome = causal_checks.compiled_step(Subject(causal_folder, "cpu", 1))

    assert not outcome.passed
    assert outcome.finding == "numba does not work"
