"""A training step."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training.learner import DivergedError, Learner
from musicrel.model import checkpoint
from musicrel.model.tokens.vocabulary import PAD
from tests.helpers.models import tiny_card
from tests.helpers.recipes import tiny_recipe

CPU = torch.device("cpu")


@pytest.fixture
def recipe(source: str) -> Recipe:
    """Return a recipe without dropout, so that losses can be recomputed."""
    recipe = tiny_recipe(source)
    return recipe.changed(model={"dropout": 0.0})


@pytest.fixture
def batches(recipe: Recipe) -> list[Batch]:
    pieces = dataset.load(recipe.data.source).pieces["train"]
    order = Batches(pieces, recipe.data, recipe.training.batch, recipe.training.seed)
    return [order.at(step) for step in range(6)]


def weights(learner: Learner) -> list[torch.Tensor]:
    return [parameter.detach().clone() for parameter in learner.model.parameters()]


def test_the_loss_is_the_mean_over_real_targets(recipe: Recipe, batches: list[Batch]) -> None:
    learner = Learner(recipe, CPU)
    batch = next(batch for batch in batches if (batch.targets_BT == PAD).any())
    with torch.inference_mode():
        output = learner.model(batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B)
        log_p = output.logits_BTV.double().log_softmax(-1)
    expected = [
        -float(log_p[b, t, batch.targets_BT[b, t]])
        for b, t in (batch.targets_BT != PAD).nonzero().tolist()
    ]

    loss = learner.step(batch, 0, 0.01)

    assert loss.nats == pytest.approx(sum(expected) / len(expected), rel=1e-5)


def test_sequences_may_count_alike_however_many_targets_they_have(
    recipe: Recipe, batches: list[Batch]
) -> None:
    alike = recipe.changed(training={"averaged": "sequences"})
    batch = next(batch for batch in batches if (batch.targets_BT == PAD).any())
    learner, other = Learner(alike, CPU), Learner(recipe, CPU)
    logits = learner.model(batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B).logits_BTV
    nats = [
        torch.nn.functional.cross_entropy(row, targets, ignore_index=PAD)
        for row, targets in zip(logits, batch.targets_BT, strict=True)
    ]
    torch.stack(nats).mean().backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
    norm = torch.stack(
        [weight.grad.norm() for weight in learner.model.parameters() if weight.grad is not None]
    ).norm()

    loss, plain = learner.step(batch, 0, 0.01), other.step(batch, 0, 0.01)

    assert loss.gradient_norm == pytest.approx(float(norm), rel=1e-5)
    assert loss.gradient_norm != pytest.approx(plain.gradient_norm, rel=1e-4)
    assert loss.nats == pytest.approx(plain.nats, rel=1e-5)


def test_learning_lowers_the_loss(recipe: Recipe, batches: list[Batch]) -> None:
    learner = Learner(recipe, CPU)

    losses = [learner.step(batches[0], number, 0.02).nats for number in range(30)]

    assert losses[-1] < losses[0] - 0.5


def test_the_gradient_is_clipped_after_it_is_measured(recipe: Recipe, batches: list[Batch]) -> None:
    recipe = recipe.changed(training={"clip": 1e-3})
    learner = Learner(recipe, CPU)

    norm = learner.step(batches[0], 0, 0.01).gradient_norm

    moments = [v for n, v in learner.state().items() if n.endswith("exp_avg")]
    clipped = math.sqrt(sum(float(moment.square().sum()) for moment in moments)) / 0.1
    assert norm > 0.01
    assert clipped == pytest.approx(1e-3, rel=1e-2)


def test_only_matrices_decay(recipe: Recipe, batches: list[Batch]) -> None:
    decays = []
    for decay in (0.0, 0.5):
        learner = Learner(recipe.changed(training={"weight_decay": decay}),
                          CPU)  # fmt: skip
        learner.step(batches[0], 0, 0.01)
        decays.append(dict(learner.model.named_parameters()))
    moved = {name for name, value in decays[0].items() if not torch.equal(value, decays[1][name])}

    assert moved == {
        "blocks.0.attention.project_in.weight",
        "blocks.0.attention.project_out.weight",
        "blocks.0.feedforward.0.weight",
        "blocks.0.feedforward.2.weight",
    }


def test_the_average_follows_the_weights(recipe: Recipe, batches: list[Batch]) -> None:
    """The new is d old + (1 - d) weights with d = min(ema, (1 + n) / (10 + n)), written out."""
    recipe = recipe.changed(training={"ema": 0.2})
    learner = Learner(recipe, CPU)
    expected = weights(learner)

    for number, batch in enumerate(batches):
        learner.step(batch, number, 0.01)
        decay = min(0.2, (1 + number) / (10 + number))
        expected = [
            decay * average + (1 - decay) * now
            for average, now in zip(expected, weights(learner), strict=True)
        ]

    assert (1 + 0) / (10 + 0) < 0.2 < (1 + 5) / (10 + 5)
    for found, wanted in zip(learner.averaged.parameters(), expected, strict=True):
        torch.testing.assert_close(found, wanted)


def test_the_seed_determines_the_initial_weights(recipe: Recipe) -> None:
    one, same = weights(Learner(recipe, CPU)), weights(Learner(recipe, CPU))
    other = Learner(recipe.changed(training={"seed": 1}), CPU)

    assert all(map(torch.equal, one, same))
    assert not any(map(torch.equal, one[:1], weights(other)[:1]))
    assert all(map(torch.equal, other.averaged.parameters(), other.model.parameters()))


def test_dropout_follows_the_number_of_the_step(source: str, batches: list[Batch]) -> None:
    losses = [Learner(tiny_recipe(source), CPU).step(batches[0], n, 0.01).nats for n in (3, 3, 4)]
    assert losses[0] == losses[1] != losses[2]


def test_a_checkpoint_of_version_1_is_restored(recipe: Recipe, batches: list[Batch]) -> None:
    learner, other = Learner(with_tables(recipe), CPU), Learner(with_tables(recipe), CPU)
    learner.step(batches[0], 0, 0.01)
    old = {
        name.replace("rhythm_WG", "pace_WG").replace("voice_leading_MS", "led_MS"): value.clone()
        for name, value in learner.state().items()
    }

    other.load_state(old)

    assert other.state().keys() == learner.state().keys() != old.keys()
    assert learner.step(batches[1], 1, 0.01) == other.step(batches[1], 1, 0.01)


def test_the_state_of_another_model_is_refused(recipe: Recipe) -> None:
    state = Learner(recipe, CPU).state()
    other = Learner(recipe.changed(model={"scheme": "sinusoidal"}), CPU)

    with pytest.raises(ModelError, match="the checkpoint is of another model"):
        other.load_state(state)


def with_tables(recipe: Recipe) -> Recipe:
    return recipe.changed(model={"counterpoint": True})


def test_loaded_weights_are_frozen_and_new_parts_are_trained(
    recipe: Recipe, batches: list[Batch], tmp_path: Path
) -> None:
    before = Learner(recipe, CPU)
    before.step(batches[0], 0, 0.01)
    checkpoint.save(tmp_path, before.model, tiny_card(before.model))

    learner = Learner(with_tables(recipe), CPU, tmp_path)
    losses = [learner.step(batches[number % 6], number, 0.01).nats for number in range(30)]
    other = Learner(with_tables(recipe), CPU, tmp_path)
    other.load_state(learner.state())

    known, learned = before.model.state_dict(), learner.model.state_dict()
    assert all(torch.equal(known[name], learned[name]) for name in known)
    assert {name for name in learned if name not in known} == {
        "counterpoint.voice_leading_MS",
        "counterpoint.cadence_HD",
        "counterpoint.rhythm_WG",
    }
    assert learned["counterpoint.voice_leading_MS"].any()
    assert sum(losses[-6:]) < sum(losses[:6])
    assert learner.init_sha256 == checkpoint.weights_sha256(tmp_path)
    assert learner.step(batches[0], 30, 0.01) == other.step(batches[0], 30, 0.01)


def test_a_model_of_another_shape_is_refused_for_initialisation(
    recipe: Recipe, tmp_path: Path
) -> None:
    wider = Learner(recipe.changed(model={"width": 24}), CPU).model
    checkpoint.save(tmp_path / "wider", wider, tiny_card(wider))

    with pytest.raises(ModelError, match=r"wider: its width is 24 and not 16"):
        Learner(with_tables(recipe), CPU, tmp_path / "wider")


def test_a_model_without_other_parts_trains_all_weights_further(
    recipe: Recipe, batches: list[Batch], tmp_path: Path
) -> None:
    before = Learner(recipe, CPU).model
    checkpoint.save(tmp_path, before, tiny_card(before))

    learner = Learner(recipe, CPU, tmp_path)
    known = before.state_dict()
    assert all(
        torch.equal(value, known[name]) for name, value in learner.model.state_dict().items()
    )
    learner.step(batches[0], 0, 0.01)

    learned = dict(learner.model.named_parameters())
    assert not any(torch.equal(value, known[name]) for name, value in learned.items())


def test_a_model_keeps_all_tables_of_the_one_it_is_initialised_from(
    recipe: Recipe, tmp_path: Path
) -> None:
    before = Learner(with_tables(recipe), CPU).model
    checkpoint.save(tmp_path, before, tiny_card(before))

    Learner(with_tables(recipe), CPU, tmp_path)
    with pytest.raises(ModelError, match=r"it has other counterpoint tables; expected a model of"):
        Learner(recipe, CPU, tmp_path)


def test_a_non_finite_loss_is_raised(recipe: Recipe, batches: list[Batch]) -> None:
    learner = Learner(recipe, CPU)
    with torch.no_grad():
        learner.model.head.bias[5] = float("nan")

    with pytest.raises(DivergedError, match=r"the loss of step 7 is nan with a gradient of norm"):
        learner.step(batches[0], 7, 0.01)

    assert all(torch.isfinite(value).all() for value in learner.averaged.parameters())
