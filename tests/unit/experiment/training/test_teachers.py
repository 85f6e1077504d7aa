"""Distillation: the loss, the teachers that fit, and runs that read, stop and resume."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from musicrel.errors import DataError, ModelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.data.masking import MaskedBatches
from musicrel.experiment.objectives.evaluation import soft_nats
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.events import (
    READ_BY_TEACHERS,
    TrainEvaluating,
    TrainEvent,
)
from musicrel.experiment.training import needed_models
from musicrel.experiment.training.learner import Learner
from musicrel.experiment.training.needed_models import FOLDER
from musicrel.model import checkpoint
from musicrel.model.card import read_card
from musicrel.model.tokens.vocabulary import MASK, PAD
from tests.helpers.recipes import teacher, tiny_recipe
from tests.helpers.runs import assert_same_run, run

CPU = torch.device("cpu")


def padded_batch(recipe: Recipe) -> Batch:
    pieces = dataset.load(recipe.data.source).pieces["train"]
    order = Batches(pieces, recipe.data, 2, 0)
    return next(b for b in map(order.at, range(20)) if (b.targets_BT == PAD).any())


def test_the_soft_loss_is_the_cross_entropy_with_the_wanted_distribution() -> None:
    """The sum of -q log p over all tokens, written out; nothing at PAD."""
    generator = torch.Generator().manual_seed(0)
    logits, other = (torch.randn(2, 3, 5, generator=generator).double() for _ in range(2))
    wanted, targets = other.softmax(-1), torch.tensor([[1, 2, PAD], [3, 4, 1]])

    found = soft_nats(logits, wanted, targets)

    for b in range(2):
        for t in range(3):
            q, p = wanted[b, t].tolist(), logits[b, t].softmax(-1).log().tolist()
            naive = -sum(q[v] * p[v] for v in range(5)) if targets[b, t] else 0.0
            assert float(found[b, t]) == pytest.approx(naive, abs=1e-12)


def some_probabilities(batch: Batch, recipe: Recipe) -> torch.Tensor:
    shape = (*batch.targets_BT.shape, recipe.config().tokens)
    return torch.randn(shape, generator=torch.Generator().manual_seed(1)).softmax(-1)


def test_the_loss_mixes_notes_and_teachers_and_shows_that_of_the_notes(student: Recipe) -> None:
    """0.3 of the notes' cross-entropy and 0.7 of the teachers': the norm of its gradient."""
    batch, learner, plain = padded_batch(student), Learner(student, CPU), Learner(student, CPU)
    soft = some_probabilities(batch, student)
    output = learner.model(batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B)
    log_p = output.logits_BTV.log_softmax(-1)
    wanted = 0.7 * soft + 0.3 * torch.nn.functional.one_hot(batch.targets_BT, log_p.shape[-1])
    real = batch.targets_BT != PAD
    (-(wanted * log_p).sum(-1)[real].mean()).backward()
    grads = [weight.grad for weight in learner.model.parameters() if weight.grad is not None]
    norm = torch.stack([grad.norm() for grad in grads]).norm()

    loss = learner.step(batch, 0, 0.01, wanted_BTV=soft)
    beside = plain.step(batch, 0, 0.01)

    assert loss.gradient_norm == pytest.approx(float(norm), rel=1e-4)
    assert loss.gradient_norm != pytest.approx(beside.gradient_norm, rel=1e-3)
    assert loss.nats == beside.nats


def test_micro_batches_learn_the_same_from_teachers(student: Recipe) -> None:
    recipe = student.changed(training={"token_masking": 0.3})
    batch = padded_batch(recipe)
    soft = some_probabilities(batch, recipe)

    whole, parts = (Learner(recipe, CPU).step(batch, 0, 0.01, n, soft) for n in (1, 2))

    assert whole.nats == pytest.approx(parts.nats, rel=1e-5)
    assert whole.gradient_norm == pytest.approx(parts.gradient_norm, rel=1e-4)


def test_masked_tokens_follow_the_seed_and_the_number_of_the_step(student: Recipe) -> None:
    recipe = student.changed(training={"token_masking": 0.3})
    batch, learner = padded_batch(recipe), Learner(recipe, CPU)
    read: list[torch.Tensor] = []
    learner.model.register_forward_pre_hook(lambda _, given: read.append(given[0]))

    for number in (3, 3, 4):
        learner.step(batch, number, 0.0)

    assert (read[0] == MASK).any()
    assert torch.equal(read[0], read[1])
    assert not torch.equal(read[0], read[2])


def test_a_teacher_of_another_vocabulary_or_other_conditions_is_refused(
    student: Recipe, tmp_path: Path
) -> None:
    config = student.config()
    pitch = student.changed(data={"vocabulary": "pitch"})
    fewer = student.changed(data={"conditions": ("voice", "beat")})
    teacher(pitch, tmp_path / "pitch", 0)
    teacher(fewer, tmp_path / "fewer", 0)

    sentence = "pitch cannot be a teacher: its number of tokens is 51, expected 97 as in the model"
    with pytest.raises(ModelError, match=sentence):
        needed_models.teacher_sha256(tmp_path / "pitch", config)
    sentence = "the list of its conditions is voice, beat, expected voice, beat, bar, fermata,"
    with pytest.raises(ModelError, match=f"fewer cannot be a teacher: {sentence}"):
        needed_models.teacher_sha256(tmp_path / "fewer", config)
    with pytest.raises(ModelError, match="nowhere"):
        needed_models.teacher_sha256(tmp_path / "nowhere", config)


def test_only_causal_and_infilling_models_are_distilled(student: Recipe) -> None:
    masked = replace(student.training, teachers=(), distil=0.0, token_masking=0.1)
    model = replace(student.model, family="masked")

    with pytest.raises(UsageError, match="teachers are used for family 'causal' or 'infill' only"):
        replace(student, model=model)
    with pytest.raises(UsageError, match="input tokens are masked for family 'causal' only"):
        replace(student, model=model, training=masked)


def test_a_distilled_run_resumes_bit_exactly_and_names_its_teachers(
    student: Recipe, tmp_path: Path
) -> None:
    recipe = student.changed(training={"token_masking": 0.2})
    run(recipe, tmp_path / "whole")

    run(recipe, tmp_path / "parts", stop_at=5)
    run(recipe, tmp_path / "parts", resume=True)

    assert_same_run(tmp_path / "whole", tmp_path / "parts")
    hashes = [checkpoint.weights_sha256(Path(name)) for name in recipe.training.teachers]
    assert read_card(tmp_path / "whole" / "model").training["teachers_sha256"] == hashes


@pytest.fixture
def filler(source: str, tmp_path: Path) -> Recipe:
    """Return the recipe of an infilling model with two teachers."""
    tiny = tiny_recipe(source, averaged="sequences")
    recipe = replace(
        tiny,
        model=replace(tiny.model, family="infill"),
        data=replace(tiny.data, conditions=("beat", "key", "ending")),
        masking=MaskingPart(mode="mixture", mixed=False),
    )
    folders = (
        teacher(recipe, tmp_path / "one", 5),
        teacher(recipe, tmp_path / "two", 6, width=24, scheme="sinusoidal"),
    )
    return recipe.changed(training={"teachers": tuple(map(str, folders)), "distil": 0.7})


def test_teachers_of_an_infilling_model_read_each_batch_as_it_does(
    filler: Recipe, tmp_path: Path
) -> None:
    """The mean of their probabilities where notes are hidden, from networks in float64."""
    data = dataset.load(filler.data.source)
    found = needed_models.SoftTargets(filler, data, tmp_path / "run")
    assert list(found.read_missing(CPU)) == []
    order = MaskedBatches(
        data.pieces["train"], filler.data, filler.masking, 2, filler.training.seed, family="infill"
    )
    for step in (0, 7):
        batch = order.at(step)
        wanted = found.at(step, batch)
        assert wanted is not None
        each = []
        for name in filler.training.teachers:
            network = checkpoint.load(Path(name)).network.double().eval()
            mask = batch.mask if bool((batch.ids_BT == PAD).any()) else None
            with torch.no_grad():
                output = network(
                    batch.ids_BT, batch.conditions_BTC, starts_B=batch.starts_B, mask=mask
                )
            each.append(output.logits_BTV.softmax(-1))
        hidden = batch.targets_BT != PAD
        mean = (each[0] + each[1]) / 2
        torch.testing.assert_close(wanted[hidden].double(), mean[hidden], atol=1e-5, rtol=0)


def test_a_distilled_infilling_run_resumes_bit_exactly(filler: Recipe, tmp_path: Path) -> None:
    run(filler, tmp_path / "whole")

    run(filler, tmp_path / "parts", stop_at=5)
    run(filler, tmp_path / "parts", resume=True)

    assert_same_run(tmp_path / "whole", tmp_path / "parts")
    assert not (tmp_path / "whole" / FOLDER).exists()


def test_a_run_stopped_while_its_teachers_read_resumes_there(
    student: Recipe, tmp_path: Path
) -> None:
    pieces = len(dataset.load(student.data.source).pieces["train"])

    def stop(event: TrainEvent) -> None:
        if isinstance(event, TrainEvaluating) and event.done == pieces + 1:
            run_control.send_request(tmp_path / "parts", "stop")

    run(student, tmp_path / "whole")
    stopped, _ = run(student, tmp_path / "parts", stop)
    _, events = run(student, tmp_path / "parts", resume=True)

    read = [e for e in events if isinstance(e, TrainEvaluating) and e.split == READ_BY_TEACHERS]
    assert not stopped.finished
    assert stopped.step == 0
    assert [(e.done, e.pieces) for e in read] == [(n, pieces) for n in range(1, pieces + 1)]
    assert len(list((tmp_path / "parts" / FOLDER).iterdir())) == 2
    assert_same_run(tmp_path / "whole", tmp_path / "parts")


def test_a_run_does_not_resume_with_other_teachers(student: Recipe, tmp_path: Path) -> None:
    run(student, tmp_path / "run", stop_at=5)
    teacher(student, tmp_path / "one", 9)

    with pytest.raises(DataError, match=r"the teachers .*one, .*two are not those the run started"):
        run(student, tmp_path / "run", resume=True)


def test_the_recipes_of_teachers_are_run_first_in_folders_of_their_own(
    student: Recipe, tmp_path: Path
) -> None:
    alone = replace(student.training, teachers=(), distil=0.0, seed=7)
    (tmp_path / "teach.toml").write_text(replace(student, training=alone).to_toml())
    named = (str(tmp_path / "one"), str(tmp_path / "teach.toml"))
    recipe = student.changed(training={"teachers": named})
    _, events = run(recipe, tmp_path / "whole")

    stopped, _ = run(recipe, tmp_path / "parts", stop_at=5)
    run(recipe, tmp_path / "parts", resume=True)

    assert not stopped.finished
    assert "distilled from tiny, which is trained first in" in str(events[0])
    assert not (tmp_path / "whole" / "teacher-1").exists()
    assert_same_run(tmp_path / "whole", tmp_path / "parts")
    hashes = [
        checkpoint.weights_sha256(tmp_path / name) for name in ("one", "whole/teacher-2/model")
    ]
    assert read_card(tmp_path / "whole" / "model").training["teachers_sha256"] == hashes


def test_a_chain_of_runs_is_made_from_its_beginning(student: Recipe, tmp_path: Path) -> None:
    first = student.changed(training={"teachers": (), "distil": 0.0})
    (tmp_path / "first.toml").write_text(first.to_toml())
    begun = replace(student.training, init_from=str(tmp_path / "first.toml"))
    (tmp_path / "second.toml").write_text(replace(student, training=begun).to_toml())
    last = first.changed(
        model={"counterpoint": True}, training={"init_from": str(tmp_path / "second.toml")}
    )

    run(last, tmp_path / "run")

    folders = [tmp_path / "run" / part for part in ("base/base", "base", ".")]
    cards = [read_card(folder / "model").training for folder in folders]
    weights = [checkpoint.weights_sha256(folder / "model") for folder in folders]
    assert [card.get("begun_with_sha256") or None for card in cards] == [None, *weights[:2]]
    assert len(cards[1]["teachers_sha256"]) == 2
