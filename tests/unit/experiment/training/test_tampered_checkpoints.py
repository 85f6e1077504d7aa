"""Checkpoints that someone has changed, with checksums that fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import safetensors.torch
from torch import Tensor

from musicrel import jobs
from musicrel.errors import DataError, ModelError
from musicrel.experiment.runs.checkpoints import Checkpoints
from musicrel.experiment.training.train import train
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import run

Tensors = dict[str, Tensor]


@pytest.fixture
def folder(source: str, tmp_path: Path) -> Path:
    """Return the folder of a run that was stopped after the sixth of twelve steps."""
    run(tiny_recipe(source), tmp_path / "run", stop_at=6)
    return tmp_path / "run"


def tamper(
    folder: Path, change: Callable[[Tensors], object], counters: Mapping[str, object] | None = None
) -> None:
    """Change tensors and counters of all checkpoints."""
    for path in (folder / "checkpoints").glob("*.safetensors"):
        tensors = safetensors.torch.load(path.read_bytes())
        change(tensors)
        path.write_bytes(safetensors.torch.save(tensors))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        entry = path.with_suffix(".json")
        values = json.loads(entry.read_text()) | dict(counters or {}) | {"sha256": digest}
        entry.write_text(json.dumps(values))


def changed(suffix: str, change: Callable[[Tensor], Tensor]) -> Callable[[Tensors], object]:
    """Return a change of the first tensor whose name ends in ``suffix``."""

    def apply(tensors: Tensors) -> None:
        name = next(name for name in tensors if name.endswith(suffix))
        tensors[name] = change(tensors[name])

    return apply


def _repeated(tensor: Tensor) -> Tensor:
    return tensor.reshape(-1).repeat(3)


CHANGES: Final[Mapping[str, Callable[[Tensors], object]]] = {
    "no tensors": lambda tensors: tensors.clear(),
    "a moment is missing": lambda tensors: tensors.pop(
        next(name for name in tensors if name.endswith("exp_avg_sq"))
    ),
    "a moment of another shape": changed("exp_avg", _repeated),
    "several steps": changed("step", _repeated),
    "weights of another shape": changed("bias", _repeated),
    "a moment in double precision": changed("exp_avg", Tensor.double),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_run_does_not_resume_from_tensors_of_another_model(
    source: str, folder: Path, change: Callable[[Tensors], object]
) -> None:
    tamper(folder, change)

    with pytest.raises(ModelError, match="the checkpoint is of another model"):
        jobs.run(train(tiny_recipe(source), folder, resume=True))


def test_a_checkpoint_with_weights_that_are_not_finite_is_damaged(
    source: str, folder: Path
) -> None:
    """The run starts again from the beginning where there is no other."""
    tamper(folder, changed("bias", lambda tensor: tensor.fill_(float("nan"))))

    problems = Checkpoints(folder / "checkpoints").problems()
    assert problems
    assert all("non-finite" in problem for problem in problems)
    _, events = run(tiny_recipe(source), folder, resume=True)
    assert events[0].step == 0


@pytest.mark.parametrize(
    "counters",
    [
        {"step": "6"}, {"step": -1}, {"tokens": None}, {"seconds": "x"},
        {"seconds": float("nan")}, {"rate_factor": 0}, {"rate_factor": 1e300}, {"parts": 0},
        {"parts": 10**9}, {"best": "x"}, {"best_sha256": 3}, {"smooth": []}, {"step": 2**60},
    ],
    ids=str,
)  # fmt: skip
def test_a_run_does_not_resume_from_impossible_counters(
    source: str, folder: Path, counters: dict[str, Any]
) -> None:
    tamper(folder, id, counters)

    with pytest.raises(DataError, match="the counters of the newest checkpoint are damaged"):
        jobs.run(train(tiny_recipe(source), folder, resume=True))
