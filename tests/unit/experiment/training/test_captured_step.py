"""Steps that are captured as a whole, with a capture that repeats them on the CPU.

Learning rates are powers of two, which float32 holds exactly, so that results agree to the bit.
"""
# ruff: noqa: N806  # shape suffixes: found_P

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.objectives import objectives
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.events import TrainMemoryShort, TrainNoted, TrainStep
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import learner, trainer
from musicrel.experiment.training.learner import Learner, StepInputs
from musicrel.model.positions import base
from musicrel.model.positions.table import SCHEMES
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import OnEvent, assert_same_run, events_of, run, story
from tests.unit.experiment.training.test_rollback import Spoiled

CPU = torch.device("cpu")
RATE = 2.0**-7
STEPS = 5

Repeated = Callable[[], Tensor]


def repeated(step: Repeated) -> Repeated:
    """Run a step three times, as before a capture, and return it."""
    for _ in range(3):
        step()
    return step


@pytest.fixture
def captured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learner, "capture_for", lambda _: repeated)


def capturing(plan: Recipe, monkeypatch: pytest.MonkeyPatch) -> Learner:
    with monkeypatch.context() as here:
        here.setattr(learner, "capture_for", lambda _: repeated)
        return Learner(plan, CPU)


def batches(plan: Recipe) -> list[Batch]:
    objective = objectives.for_recipe(plan, dataset.load(plan.data.source))
    return [objective.at(step) for step in range(STEPS)]


PLANS: dict[str, dict[str, dict[str, Any]]] = {
    "causal": {},
    "vanilla": {"model": {"scheme": "sinusoidal", "intervals": True}},
    "learned": {"model": {"scheme": "learned", "options": {"max_length": 400}}},
    "masked": {"model": {"family": "masked"}},
    "infill": {
        "model": {"family": "infill"},
        "data": {"conditions": ("beat", "key")},
        "masking": {"mode": "mixture", "mixed": False},
    },
    "accumulated": {"training": {"accumulate": 2, "averaged": "batches", "label_smoothing": 0.1}},
    "sequences alike": {"training": {"averaged": "sequences", "token_masking": 0.2}},
    "distilled": {"training": {"teachers": ("one",), "distil": 0.5}},
}


def trained(plan: Recipe, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Learner, Learner]]:
    """Train two learners alike, one of them by captured steps; yield both after every step."""
    plain, other = Learner(plan, CPU), capturing(plan, monkeypatch)
    for number, batch in enumerate(batches(plan)):
        size = (*batch.ids_BT.shape, plain.model.config.tokens)
        soft = torch.randn(size).softmax(-1) if plan.training.distil else None
        losses = [
            each.step(batch, number, RATE, plan.training.accumulate, soft)
            for each in (plain, other)
        ]
        assert asdict(losses[0]) == pytest.approx(asdict(losses[1]), rel=1e-5)
        yield plain, other


@pytest.mark.parametrize("changes", PLANS.values(), ids=PLANS)
def test_a_captured_step_is_the_step_to_the_bit(
    source: str, changes: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights, averages and moments, with dropout and after a capture, where nothing is padded."""
    plan = tiny_recipe(source).changed(**changes).changed(data={"window": 16})

    for plain, other in trained(plan, monkeypatch):
        assert plain.state().keys() == other.state().keys()
        assert all(map(torch.equal, plain.state().values(), other.state().values()))


@pytest.mark.parametrize("changes", PLANS.values(), ids=PLANS)
def test_padding_changes_no_loss(
    source: str, changes: dict[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tiny_recipe(source).changed(**changes)
    plan = plan.changed(data={"window": 100}, model={"dropout": 0.0})
    one = capturing(plan, monkeypatch)
    assert any(one._padded(batch) > batch.ids_BT.shape[1] for batch in batches(plan))

    assert len(list(trained(plan, monkeypatch))) == STEPS


def test_batches_have_a_few_lengths_and_the_same_content(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = tiny_recipe(source).changed(data={"window": 100})
    one = capturing(plan, monkeypatch)
    lengths = set()
    for number, batch in enumerate(batches(plan)):
        inputs = one.prepare(batch, number)
        lengths.add(inputs.batch.ids_BT.shape[1])
        tokens = batch.ids_BT.shape[1]
        for own, whole in zip(inputs.tensors(), batch.tensors(), strict=True):
            assert own.ndim == 1 or not own[:, tokens:].any()
            assert torch.equal(own if own.ndim == 1 else own[:, :tokens], whole)
    assert lengths <= {28, 56, 84, 100}


def test_a_batch_is_not_padded_beyond_the_table_of_positions(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = {"scheme": "learned", "options": {"max_length": 70}}
    plan = tiny_recipe(source).changed(model=model, data={"window": 64})
    batch = Batch(
        torch.ones(1, 20, dtype=torch.int64),
        torch.ones(1, 20, dtype=torch.int64),
        torch.zeros(1, 20, 6, dtype=torch.int64),
        torch.tensor([44]),
    )

    inputs = capturing(plan, monkeypatch).prepare(batch, 0)

    assert inputs.batch.ids_BT.shape == (1, 26)
    assert inputs.batch.reach == 70


def test_steps_are_captured_once_for_each_shape(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    captures: list[int] = []

    def counted(step: Repeated) -> Repeated:
        captures.append(1)
        return repeated(step)

    plan = tiny_recipe(source)
    one, (batch, *_) = capturing(plan, monkeypatch), batches(plan)
    monkeypatch.setattr(one, "_capture", counted)
    for number in range(3):
        one.step(batch, number, RATE)
    assert len(captures) == 1
    one.step(batch, 3, RATE, parts=2)
    assert len(captures) == 2
    one.load_state({name: tensor.clone() for name, tensor in one.state().items()})
    one.step(batch, 4, RATE)
    assert len(captures) == 3


class OnlyThere(TorchDispatchMode):
    """Fails where an operation reads or makes a tensor of the host."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch leaves it untyped

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        found = func(*args, **kwargs or {})
        for one in tree_leaves((args, kwargs, found)):
            assert not isinstance(one, Tensor) or one.is_meta, f"{func} on the host"
        return found


def assert_alone_on_device(plan: Recipe, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a step runs on tensors without values, so that it can be captured."""
    monkeypatch.setattr(base, "is_captured", lambda _: True)
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: nullcontext())  # there is none for meta
    objective = objectives.for_recipe(plan, dataset.load(plan.data.source))
    inputs = StepInputs(objective.at(0), None)
    one = Learner(plan, CPU)
    one.model.reserve(inputs.batch.reach)
    one.model.to("meta")
    there = inputs.each(lambda tensor: tensor.to("meta"))
    numbers_N = torch.ones(4, device="meta")

    with OnlyThere():
        found_P = one._gradients(there, numbers_N)

    assert found_P.shape == (3,)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_a_step_with_any_scheme_asks_the_host_nothing(
    source: str, scheme: str, dropout: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With dropout in the attention its scores are written out."""
    plan = tiny_recipe(source, scheme, accumulate=2, label_smoothing=0.1, averaged="sequences")

    assert_alone_on_device(plan.changed(model={"attention_dropout": dropout}), monkeypatch)


@pytest.mark.parametrize(
    "name", ["relative", "relative-infill", "relative-harmoniser", "tiny-masked", "bytes-source"]
)
def test_a_step_of_any_family_asks_the_host_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = recipe.load(name).changed(
        model={"width": 16, "layers": 1, "heads": 2, "feedforward": 16, "options": {}},
        data={"window": 64},
        training={"teachers": (), "distil": 0.0, "init_from": "", "accumulate": 2, "batch": 2},
    )

    assert_alone_on_device(plan, monkeypatch)


def without_times(folder: Path) -> list[dict[str, Any]]:
    changing = {"seconds", "tokens_per_second", "memory"}
    return [
        {name: value for name, value in event.items() if name not in changing}
        for event in RunFolder(folder).events()
    ]


def both(
    plan: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, on_event: OnEvent = id
) -> list[Path]:
    folders = [tmp_path / "plain", tmp_path / "captured"]
    run(plan, folders[0], on_event)
    monkeypatch.setattr(learner, "capture_for", lambda _: repeated)
    run(plan, folders[1], on_event)
    return folders


def exact(source: str, **training: Any) -> Recipe:
    """Return a recipe with whole windows and rates that float32 holds exactly."""
    values: dict[str, Any] = {
        "learning_rate": RATE,
        "warmup_steps": 0,
        "decay": "linear",
        "final_rate": 1.0,
    }
    return tiny_recipe(source, **values | training).changed(data={"window": 16})


@pytest.mark.usefixtures("captured")
def test_losses_are_read_while_later_steps_run(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    begin, check = Learner.start, learner._checked

    def start(one: Learner, inputs: StepInputs, number: int, *how: Any) -> Any:
        order.append(f"begin {number}")
        return begin(one, inputs, number, *how)

    def checked(found: list[float], tokens: list[int], number: int) -> Any:
        order.append(f"read {number}")
        return check(found, tokens, number)

    monkeypatch.setattr(Learner, "start", start)
    monkeypatch.setattr(learner, "_checked", checked)
    run(tiny_recipe(source, steps=5, evaluate_every=100, checkpoint_every=4), tmp_path / "run")

    assert order == [
        "begin 0", "begin 1", "begin 2", "read 0", "begin 3", "read 1", "read 2", "read 3",
        "begin 4", "read 4",
    ]  # fmt: skip


def test_the_events_of_a_run_are_the_same_in_the_same_order(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, other = both(exact(source), tmp_path, monkeypatch)

    assert without_times(plain) == without_times(other)
    assert_same_run(plain, other)


@pytest.mark.parametrize("step", [0, 1, 4, 7, 11])
@pytest.mark.parametrize("nats", [float("nan"), 100.0])
def test_a_divergence_that_is_found_late_rolls_back_alike(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int, nats: float
) -> None:
    folders = [tmp_path / "plain", tmp_path / "captured"]
    for folder in folders:
        with monkeypatch.context() as here:
            Spoiled(step, 1, nats).install(here)
            if folder.name == "captured":
                here.setattr(learner, "capture_for", lambda _: repeated)
            run(exact(source), folder)

    assert without_times(folders[0]) == without_times(folders[1])
    assert story(folders[0]) == story(folders[1])


@pytest.mark.parametrize("capture", [None, repeated], ids=["plain", "captured"])
def test_a_trial_that_diverges_ends_before_the_step(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capture: Any
) -> None:
    """Neither this step nor those that had begun after it count."""
    Spoiled(4, 1, 100.0).install(monkeypatch)
    monkeypatch.setattr(learner, "capture_for", lambda _: capture)

    result, events = run(exact(source, trial=True), tmp_path / "run")

    last = events_of(TrainStep, events)[-1]
    assert (result.step, result.tokens) == (last.step, last.tokens)
    assert result.step == 4


@pytest.mark.usefixtures("captured")
def test_a_captured_run_resumes_bit_exactly(source: str, tmp_path: Path) -> None:
    run(tiny_recipe(source), tmp_path / "whole")
    first, events = run(tiny_recipe(source), tmp_path / "parts", stop_at=5)
    run(tiny_recipe(source), tmp_path / "parts", resume=True)

    assert first.step == events_of(TrainStep, events)[-1].step
    assert_same_run(tmp_path / "whole", tmp_path / "parts")


def test_too_little_memory_for_a_capture_halves_the_batch(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def capture(step: Repeated) -> Repeated:
        if len(failed) == 2:
            return repeated(step)
        failed.append(1)
        try:
            raise torch.OutOfMemoryError("CUDA out of memory")
        finally:
            raise RuntimeError("operation failed due to a previous error during capture")

    failed: list[int] = []
    monkeypatch.setattr(learner, "capture_for", lambda _: capture)
    result, events = run(tiny_recipe(source, batch=4), tmp_path / "run")

    assert [(e.step, e.parts) for e in events_of(TrainMemoryShort, events)] == [(0, 2), (0, 4)]
    assert result.finished
    assert not events_of(TrainNoted, events)


def test_a_capture_that_fails_is_noted_and_changes_nothing(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(step: Repeated) -> Repeated:
        step()
        raise RuntimeError("CUDA error: operation not permitted\nwhen stream is capturing")

    run(exact(source), tmp_path / "plain")
    monkeypatch.setattr(learner, "capture_for", lambda _: fails)
    _, events = run(exact(source), tmp_path / "other")

    note = trainer._NOT_CAPTURED.format("CUDA error: operation not permitted")
    assert events_of(TrainNoted, events) == [TrainNoted(step=1, note=note)]
    assert_same_run(tmp_path / "plain", tmp_path / "other")


@pytest.mark.usefixtures("captured")
def test_an_error_in_making_a_batch_ends_the_run(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_objective: object, step: int) -> Batch:
        raise ZeroDivisionError(f"step {step}")

    monkeypatch.setattr(objectives.ChoraleObjective, "at", broken)

    with pytest.raises(ZeroDivisionError, match="step 0"):
        run(tiny_recipe(source), tmp_path / "run")
