"""A model that is taught one's own pieces, and its card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.cli.main import main
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.objectives.evaluation import Evaluation, evaluate
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.events import PieceLoss, TrainEvaluating
from musicrel.experiment.training import teaching
from musicrel.experiment.training.learner import Learner
from musicrel.generation.loaded_model import load_model
from musicrel.model import catalogue, checkpoint
from musicrel.model.card import read_card
from musicrel.model.tokens import conditions
from musicrel.model.tokens.vocabulary import vocabulary
from musicrel.score import files
from tests.helpers.music import random_chorale
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import events_of, run


@pytest.fixture
def base(source: str, tmp_path: Path) -> Path:
    run(tiny_recipe(source), tmp_path / "base")
    return tmp_path / "base" / "model"


@pytest.fixture
def pieces(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    for seed in range(40):
        files.write(random_chorale(seed, 48), tmp_path / "mine" / f"{seed}.json")
    return tmp_path / "mine"


@pytest.fixture
def lesson(base: Path, pieces: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    brief = {"steps": 4, "schedule_steps": 40, "evaluate_every": 2}
    monkeypatch.setattr(teaching, "_TRAINING", {**teaching._TRAINING, **brief})
    monkeypatch.setattr(teaching, "WRITTEN", 2)
    few = bundled.load("test")[:3]
    monkeypatch.setattr(bundled, "load", lambda split: few if split == "test" else few[:1])
    return teaching.lesson(str(base), f"folder:{pieces}", "mine")


def test_a_lesson_is_the_recipe_of_the_model_begun_with_its_weights(
    base: Path, pieces: Path
) -> None:
    found = teaching.lesson(str(base), f"folder:{pieces}", "mine")

    assert found.model == tiny_recipe("chorales").model
    assert found.data.source == f"replay:folder:{pieces}"
    assert found.training.init_from == str(base)
    assert found.training.stop_after > 0


def test_a_shipped_model_is_found_wherever_the_program_is_installed(pieces: Path) -> None:
    assert teaching.lesson("relative", f"folder:{pieces}", "x").training.init_from == (
        "models/relative"
    )


@pytest.mark.parametrize(
    ("name", "error", "sentence"),
    [
        ("nobody", ModelError, "no model 'nobody'"),
        ("relative-infill", UsageError, "the model relative-infill cannot be taught: expected one"),
    ],
)
def test_models_that_cannot_be_taught_are_refused(
    name: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        teaching.lesson(name, "folder:x", "x")


def test_the_card_compares_the_model_with_the_one_before(
    lesson: Recipe, base: Path, tmp_path: Path
) -> None:
    result, events = run(lesson, tmp_path / "run")

    card = read_card(tmp_path / "run" / "model")
    held_out = jobs.run(data_test_losses(base, lesson))
    assert card.taught["pieces"] == 40
    assert card.taught["before"] == pytest.approx(held_out.nats_per_note)
    assert card.taught["after"] == card.test_nats_per_note
    gain = card.taught["gain"]
    assert gain["value"] == pytest.approx(card.taught["before"] - card.taught["after"])
    assert gain["low"] <= gain["value"] <= gain["high"]
    assert card.taught["bach_after"] == card.figures["nats_per_note"]["Bach"]
    assert card.taught["bach_before"] != card.taught["bach_after"]
    assert card.taught["written"] == 2
    assert result.taught == teaching.sentence(card.taught)
    sign = "-" if gain["value"] > 0 else "+"
    assert f"nats/note, {sign}{abs(gain['value']) / card.taught['before']:.1%} (" in result.taught
    splits = {event.split for event in events_of(TrainEvaluating, events)}
    assert {"test", "Bach", teaching.NEW_PIECES} <= splits


def test_a_lesson_begins_with_the_model_as_it_was(lesson: Recipe, base: Path) -> None:
    """The style of its pieces adds nothing yet."""
    learner = Learner(lesson, torch.device("cpu"), base)

    assert lesson.data.conditions[-1] == conditions.STYLE
    known, own = checkpoint.load(base).network.state_dict(), learner.model.state_dict()
    assert all(torch.equal(own.pop(name), values) for name, values in known.items())
    assert own
    assert not any(values.any() for values in own.values())


def test_a_model_that_was_taught_can_be_taught_again(
    lesson: Recipe, pieces: Path, tmp_path: Path
) -> None:
    run(lesson, tmp_path / "once")
    again = teaching.lesson(str(tmp_path / "once" / "model"), f"folder:{pieces}", "again")

    assert again.data.conditions == lesson.data.conditions
    assert run(again, tmp_path / "twice")[0].finished


def data_test_losses(model: Path, lesson: Recipe) -> Any:
    from musicrel.experiment.data import dataset

    network = checkpoint.load(model).network
    test = dataset.load(lesson.data.source).pieces["test"]
    return evaluate(network, test, vocabulary("articulated"), conditions.POSITIONAL)


def test_a_lesson_that_was_stopped_is_resumed(lesson: Recipe, tmp_path: Path) -> None:
    run(lesson, tmp_path / "whole")
    stopped, _ = run(lesson, tmp_path / "run", stop_at=2)
    assert not stopped.finished
    resumed, _ = run(lesson, tmp_path / "run", resume=True)

    whole, again = (read_card(tmp_path / name / "model") for name in ("whole", "run"))
    assert resumed.finished
    assert again.taught == whole.taught
    assert again.weights_sha256 == whole.weights_sha256


def test_the_command_installs_the_model_once(
    lesson: Recipe, base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    source, out = lesson.data.source.removeprefix("replay:"), str(tmp_path / "mine-run")
    words = ["train", "--from", str(base), "--data", source, "--out", out, "--device", "cpu"]

    assert main(words) == 0
    assert main([*words, "--resume"]) == 0

    (installed,) = catalogue.user_models().iterdir()
    assert installed.name == "mine-run"
    assert read_card(installed).taught["pieces"] == 40


def test_what_is_written_has_the_forms_of_the_pieces(base: Path) -> None:
    forms = [random_chorale(seed, 32 + 16 * seed) for seed in range(2)]

    written = jobs.run(teaching.write_pieces(load_model(str(base)), forms, 3))

    assert [piece.steps for piece in written] == [32, 48, 32]


def test_copied_passages_are_found_in_any_key_and_new_ones_are_not() -> None:
    taught = random_chorale(1, 64)
    other = random_chorale(2, 64)
    half = Chorale.of(
        np.concatenate([taught.transposed(2).pitches[:32], other.pitches[:32]]),
    )

    assert teaching.copied([taught.transposed(3)], [taught]) == 1.0
    assert teaching.copied([other], [taught]) == 0.0
    assert teaching.copied([half], [taught]) == pytest.approx(1 / 33)


def test_the_gain_is_the_difference_over_all_notes() -> None:
    def evaluation(*nats: float) -> Evaluation:
        losses = (
            PieceLoss(index=n, title="", nats=one, notes=10 * (n + 1)) for n, one in enumerate(nats)
        )
        return Evaluation((), tuple(losses))

    gain = teaching.gain(evaluation(5, 12, 9), evaluation(4, 8, 9))

    assert gain.value == pytest.approx((26 - 21) / 60)
    assert 0 <= gain.low < gain.value < gain.high
