"""Switches of a recipe: each has its effect, and runs with all of them resume bit-exactly."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from musicrel.errors import UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.objectives.evaluation import token_nats
from musicrel.experiment.recipe.recipe import DataPart, Recipe, from_tables
from musicrel.experiment.runs.events import TrainStarted, TrainStep
from musicrel.experiment.training.learner import Learner
from musicrel.model import devices
from musicrel.model.config import Family
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import ARTICULATED, END, PAD, START
from tests.helpers.music import random_chorale
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import assert_same_run, events_of, run

CPU = torch.device("cpu")
PIECES = [random_chorale(seed, 6 + 9 * seed, margin=3) for seed in range(5)]
NO_BFLOAT16 = "cpu of this machine has no hardware support for bfloat16"


def with_training(recipe: Recipe, **values: Any) -> Recipe:
    return recipe.changed(training={**values})


def still(source: str, **training: Any) -> Recipe:
    """Return a recipe without dropout, so that losses can be recomputed."""
    recipe = tiny_recipe(source, **training)
    return recipe.changed(model={"dropout": 0.0})


def first_batch(recipe: Recipe, sequences: int = 4) -> Batch:
    pieces = dataset.load(recipe.data.source).pieces["train"]
    return Batches(pieces, recipe.data, sequences, 0).at(0)


def order_of(**of: Any) -> Batches:
    values: dict[str, Any] = {"source": "", "window": 400}
    return Batches(PIECES, DataPart(**values | of), 4, 0)


def test_smoothing_spreads_a_share_evenly() -> None:
    """(1 - e) of the target's nats and e of the mean over all tokens; nothing at PAD."""
    logits, targets = torch.randn(2, 5, 9).double(), torch.tensor([[1, 2, 3, 0, 0]] * 2)

    found = token_nats(logits, targets, smoothing=0.2)

    log_p = logits.log_softmax(-1)
    plain = -log_p.gather(-1, targets[..., None])[..., 0]
    expected = (0.8 * plain - 0.2 * log_p.mean(-1)) * (targets != PAD)
    torch.testing.assert_close(found, expected, atol=1e-12, rtol=0)


def test_a_smoothed_run_learns_otherwise_and_shows_the_same(source: str) -> None:
    recipe = still(source)
    batch = first_batch(recipe)
    plain, smoothed = Learner(recipe, CPU), Learner(with_training(recipe, label_smoothing=0.3), CPU)

    losses = [each.step(batch, 0, 0.01) for each in (plain, smoothed)]

    assert losses[0].nats == losses[1].nats
    assert losses[0].gradient_norm != losses[1].gradient_norm


def test_accumulated_batches_make_one_step(source: str, tmp_path: Path) -> None:
    widest: list[int] = []

    def watch(module: nn.Module, args: tuple[Tensor, ...]) -> None:
        if module.training:
            widest.append(len(args[0]))

    hook = nn.modules.module.register_module_forward_pre_hook(watch)
    steps = []
    try:
        for batch, accumulate in ((4, 1), (2, 2)):
            recipe = still(source, batch=batch, accumulate=accumulate, steps=3)
            steps.append(events_of(TrainStep, run(recipe, tmp_path / f"{accumulate}")[1]))
            assert max(widest) == batch
            widest.clear()
    finally:
        hook.remove()

    assert [event.tokens for event in steps[0]] == [event.tokens for event in steps[1]]
    assert [event.nats for event in steps[0]] == pytest.approx(
        [event.nats for event in steps[1]], rel=1e-5
    )


def test_mixed_precision_computes_in_bfloat16(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matrices are multiplied in bfloat16; weights and loss are float32."""
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: "")
    recipe = still(source)
    batch = first_batch(recipe)
    single, mixed = Learner(recipe, CPU), Learner(with_training(recipe, precision="mixed"), CPU)
    seen: list[torch.dtype] = []
    mixed.model.head.register_forward_hook(lambda *call: seen.append(call[2].dtype))

    losses = [each.step(batch, 0, 0.01).nats for each in (single, mixed)]

    assert seen == [torch.bfloat16]
    assert mixed.notes == ()
    assert losses[1] == pytest.approx(losses[0], rel=1e-2)
    assert losses[1] != losses[0]
    assert all(parameter.dtype == torch.float32 for parameter in mixed.model.parameters())


def test_without_hardware_support_precision_is_single(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: NO_BFLOAT16)
    single, mixed = (
        run(tiny_recipe(source, steps=3, precision=precision), tmp_path / precision)[1]
        for precision in ("single", "mixed")
    )

    (of_single,), (of_mixed,) = (events_of(TrainStarted, events) for events in (single, mixed))
    assert of_single.notes == ()
    assert of_mixed.notes == (f"{NO_BFLOAT16}: the run is in single precision",)
    nats = [[event.nats for event in events_of(TrainStep, events)] for events in (single, mixed)]
    assert nats[0] == nats[1]


def padding(order: Batches, steps: int) -> float:
    batches = [order.at(step) for step in range(steps)]
    places = sum(batch.ids_BT.numel() for batch in batches)
    return 1 - sum(batch.tokens for batch in batches) / places


def test_buckets_pad_less_and_miss_nothing() -> None:
    plain, bucketed = order_of(), order_of(buckets=5)

    samples = [bucketed.order(step) for step in range(10)]

    assert padding(bucketed, 20) < 0.5 * padding(plain, 20)
    assert sorted(chain(*samples[:5])) == list(range(20))
    assert sorted(chain(*samples[5:])) == list(range(20, 40))
    assert [order_of(buckets=5).order(step) for step in reversed(range(10))] == samples[::-1]


def test_buckets_come_in_random_order() -> None:
    """Otherwise every group of batches would end with the longest."""
    longest = {
        max(range(4), key=lambda place: min(dataset.samples_at(4 * group + place, 2, 4, 0,
                                                                    lambda sample: sample)))
        for group in range(30)
    }  # fmt: skip

    assert longest == {0, 1, 2, 3}


def test_a_curriculum_starts_with_short_windows() -> None:
    part = DataPart(source="", window=400, first_window=16, curriculum_steps=20)
    windows = [dataset.window_at(part, step) for step in range(25)]
    order = Batches(PIECES, part, 4, 0)

    assert windows[0] == 16
    assert windows[20:] == [400] * 5
    assert windows == sorted(windows)
    assert all(window % 4 == 0 for window in windows)
    assert all(order.at(step).ids_BT.shape[1] <= windows[step] for step in range(25))
    assert max(order.at(step).ids_BT.shape[1] for step in range(20, 25)) > 100


def test_short_pieces_are_filled_up_with_others() -> None:
    names = ("voice", "ending")
    order = order_of(window=150, concatenate=True, transpose=False, conditions=names,
                     condition_dropout=0.0)  # fmt: skip
    encoded = [codec.encode(piece, ARTICULATED).tolist() for piece in PIECES]
    noted = [conditions.rows(piece, names, names) for piece in PIECES]
    begun = 0
    for step in range(20):
        batch = order.at(step)
        assert batch.ids_BT.shape == (4, 150) or (batch.ids_BT[:, -1] != PAD).all()
        assert not (batch.targets_BT == START).any()
        for row in range(4):
            ids = batch.ids_BT[row].tolist()
            for place in [p for p in range(1, len(ids)) if ids[p] == START]:
                begun += 1
                assert ids[place - 1] == END
                assert batch.targets_BT[row, place - 1] == PAD
                stop = ids.index(END, place) + 1 if END in ids[place:] else len(ids)
                owners = [n for n, other in enumerate(encoded)
                          if other[: stop - place] == ids[place:stop]]  # fmt: skip
                rows = batch.conditions_BTC[row, place:stop].numpy()
                assert any((rows == noted[n][: stop - place]).all() for n in owners)
    assert begun > 20


def everything(source: str, family: Family) -> Recipe:
    recipe = tiny_recipe(
        source, batch=2, accumulate=2, precision="mixed", label_smoothing=0.1, decay="inverse_sqrt"
    )
    return recipe.changed(
        model={
            "family": family,
            "norm": "post",
            "activation": "relu",
            "attention_dropout": 0.1,
            "position_dropout": 0.1,
        },
        data={
            "buckets": 3,
            "first_window": 8,
            "curriculum_steps": 6,
            "concatenate": family == "causal",
        },
    )


@pytest.mark.parametrize("family", ["causal", "masked"])
@pytest.mark.parametrize("stop_at", [1, 5])
def test_a_run_with_all_switches_resumes_bit_exactly(
    source: str, tmp_path: Path, family: Family, stop_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devices, "without_bfloat16", lambda _: "")
    recipe = everything(source, family)

    run(recipe, tmp_path / "whole")
    assert not run(recipe, tmp_path / "parted", stop_at=stop_at)[0].finished
    assert run(recipe, tmp_path / "parted", resume=True)[0].finished

    assert_same_run(tmp_path / "whole", tmp_path / "parted")


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("data", {"first_window": 3, "curriculum_steps": 5}, "first_window is 3: expected 4 to less"),
    ("data", {"first_window": 32, "curriculum_steps": 5}, "first_window is 32: .* window of 32"),
    ("data", {"curriculum_steps": 5}, "first_window is 0: expected 4 to less than the window of"),
    ("data", {"first_window": 8}, "curriculum_steps is 0: expected over how many steps"),
    ("data", {"transpose": False, "farthest_shift": 3}, "farthest_shift is 3 and transpose is fal"),
    ("data", {"farthest_shift": 13}, "farthest_shift is 13: expected 0 to 12 semitones"),
    ("masking", {"mode": "word"}, "mode is 'word': expected 'token', 'time', 'published', 'mix"),
    ("model", {"family": "classifier"}, "family is 'classifier' and the data are .*: expected fam"),
    ("data", {"source": "bytes:honest"}, "family is 'causal' and the data are 'bytes:honest'"),
]


@pytest.mark.parametrize(("part", "values", "sentence"), REFUSED)
def test_a_switch_that_cannot_be_set_so_is_refused(
    source: str, part: str, values: dict[str, Any], sentence: str
) -> None:
    tables = tiny_recipe(source).to_tables()
    tables[part] |= values
    with pytest.raises(UsageError, match=sentence):
        from_tables(tables, "edited")


@pytest.mark.parametrize(
    ("part", "values", "sentence"),
    [
        ("training", {"samples": True}, "the family is 'masked': set samples = false"),
        ("data", {"concatenate": True}, "for family 'causal' only, the family is 'masked'"),
        ("data", {"measured": "window"}, "sliding windows are evaluated for family 'causal' only"),
    ],
)
def test_options_of_causal_models_are_refused_for_others(
    source: str, part: str, values: dict[str, Any], sentence: str
) -> None:
    recipe = tiny_recipe(source)
    recipe = recipe.changed(model={"family": "masked"})
    with pytest.raises(UsageError, match=sentence):
        replace(recipe, **{part: replace(getattr(recipe, part), **values)})
