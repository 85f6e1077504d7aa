"""Tests of the study of the published comparison: runs, both measures and the cost of faults."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.cli.main import main
from musicrel.errors import ModelError, UsageError
from musicrel.experiment import probes
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives import objectives
from musicrel.experiment.objectives.evaluation import batch_logits, token_nats
from musicrel.experiment.objectives.published_objective import BATCH, PublishedObjective
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runners.side_by_side import in_process
from musicrel.experiment.runs.events import TrainStep
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import published, study, study_folder, study_report
from musicrel.experiment.study.compare import compare
from musicrel.experiment.training.trainer import learning_rate
from musicrel.model.card import read_card
from musicrel.model.networks import build
from tests.helpers.music import tiny_data
from tests.helpers.published import needs_jsb16
from tests.helpers.runs import events_of, run


def small(source: str, **training: object) -> Recipe:
    recipe = study.load("published").arms[1].recipe
    few = {"steps": 9, "warmup_steps": 3, "evaluate_every": 4, "checkpoint_every": 2}
    return recipe.changed(data={"source": source}, training={**few | training})


def objective(recipe: Recipe) -> PublishedObjective:
    found = objectives.for_recipe(recipe, dataset.load(recipe.data.source))
    assert isinstance(found, PublishedObjective)
    return found


def test_the_bundled_study_is_as_published() -> None:
    shipped = study.load("published")

    sizes = {arm.recipe.model.scheme: arm.parameters for arm in shipped.arms}
    assert sizes == {
        "learned": 437_045,
        "relative_as_published": 469_813,
        "relative_of_spread_1": 453_493,
        "relative": 453_493,
    }
    schemes = {fault.faulty for fault in published.FAULTS} | {"learned"}
    assert schemes == {*sizes} == {*published.INDEPENDENT}
    for arm in shipped.arms:
        training = arm.recipe.training
        assert (training.batch, training.accumulate, training.averaged) == (8, 4, "batches")
        assert (training.learning_rate, training.weight_decay) == (5e-4, 0.01)
        assert (training.warmup_steps, training.clip, training.decayed) == (100, 1.0, "all")
        assert training.schedule_steps == 27_620 * published.EPOCHS // 4
        assert training.steps % 6_905 == 0
        assert training.evaluate_every == 6_905


@needs_jsb16
def test_an_epoch_of_the_bundled_study_has_every_window_once() -> None:
    """In 6,905 steps, a quarter of 27,620 batches; the last one is a window short."""
    found = objective(study.load("published").arms[0].recipe)

    assert found.steps_an_epoch == 6_905
    assert [len(found.at(step).ids_BT) for step in (0, 6_904, 6_905)] == [32, 31, 32]
    assert found.count("test") == 77
    assert found.vocabulary["symbols"][:8] == (
        "PAD", "MASK", "CLS", "SEP", "UNK", "START", "END", "36",
    )  # fmt: skip


def test_the_learning_rate_follows_the_published_schedule() -> None:
    """0 at the first step, the peak after the warm-up, 0 after ten epochs."""
    training = study.load("published").arms[0].recipe.training

    rates = [learning_rate(training, step, 0.5) for step in (0, 50, 100, 34_575, 69_050)]

    assert rates == pytest.approx([0, 2.5e-4, 5e-4, 2.5e-4, 0])


def test_a_batch_depends_on_its_step_only(source: str) -> None:
    first, again = objective(small(source)), objective(small(source))
    later = [again.at(step) for step in reversed(range(6))][::-1]

    for step in range(6):
        assert torch.equal(first.at(step).ids_BT, later[step].ids_BT)
        assert torch.equal(first.at(step).targets_BT, later[step].targets_BT)


def test_each_batch_of_eight_has_the_same_weight_in_a_step(source: str, tmp_path: Path) -> None:
    recipe = small(source)
    recipe = recipe.changed(model={"dropout": 0.0, "attention_dropout": 0.0})
    torch.manual_seed(recipe.training.seed)
    model = build(recipe.config())
    batch = objective(recipe).at(0)
    means = []
    for part in batch.parts(4):
        nats = token_nats(batch_logits(model, part), part.targets_BT).detach()
        means.append(float(nats.sum()) / part.tokens)

    first = events_of(TrainStep, run(recipe, tmp_path / "run")[1])[0]

    assert first.nats == pytest.approx(np.mean(means), abs=1e-5)


def test_losses_are_measured_by_both_measures(source: str) -> None:
    recipe = small(source)
    found, model = objective(recipe), build(recipe.config())
    torch.nn.init.normal_(model.embed_token.weight, std=0.5)

    proper = jobs.run(found.evaluate(model, "test", ()))
    printed = jobs.run(found.evaluate(model, "test as published", ()))

    assert proper.nats_per_note == pytest.approx(
        jobs.run(objective(recipe).evaluate(model, "test", ())).nats_per_note, abs=1e-9
    )
    again = jobs.run(found.evaluate(model, "test as published", ()))
    assert again.nats_per_note == printed.nats_per_note
    windows = found._windows("test")
    assert [loss.title for loss in proper.pieces] == list(windows.titles)
    assert sum(loss.notes for loss in printed.pieces) == -(-len(windows) // BATCH)
    assert printed.nats_per_note != pytest.approx(proper.nats_per_note, abs=1e-4)
    with torch.no_grad():
        model.embed_token.weight[5, 0] += 1e-3
    moved = jobs.run(found.evaluate(model, "test as published", ()))
    assert abs(moved.nats_per_note - printed.nats_per_note) > 1e-3  # other masks, not the change


def test_a_resumed_run_equals_an_uninterrupted_one_to_the_bit(source: str, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole", tmp_path / "parted"

    first, _ = run(small(source), whole)
    run(small(source), parted, stop_at=5)
    second, _ = run(small(source), parted, resume=True)

    weights = [(folder / "model/model.safetensors").read_bytes() for folder in (whole, parted)]
    assert weights[0] == weights[1]
    assert first.further == second.further
    assert set(first.further) == {"valid as published", "test as published"}
    beside = [
        [event["beside"] for event in RunFolder(folder).events() if "beside" in event]
        for folder in (whole, parted)
    ]
    assert beside[0] == beside[1]
    assert len(beside[0]) == 3


def four_epochs(source: str) -> study.Study:
    text = study.load("published").text.replace("jsb:Jsb16thSeparated.json", source)
    steps = objective(small(source)).steps_an_epoch
    for old, new in (
        (r"\nsteps = \d+_\d+", f"\nsteps = {4 * steps}"),
        ("evaluate_every = 6_905", f"evaluate_every = {steps}"),
        ("width = 128", "width = 16"),
        ("feedforward = 512", "feedforward = 16"),
    ):
        text = re.sub(old, new, text)
    return study.parse(text, "small")


def test_the_report_compares_with_the_printed_losses(source: str, tmp_path: Path) -> None:
    folder = tmp_path / "study"

    found = jobs.run(compare(four_epochs(source), folder, runner=in_process()))

    result = published.findings(found)
    assert result is not None
    assert result.epochs_run == 4
    assert [epoch.number for epoch in result.arms["vanilla"]] == [1, 2, 3, 4]
    assert all(
        math.isfinite(loss)
        for epochs in result.arms.values()
        for epoch in epochs
        for loss in (epoch.train, epoch.valid, epoch.valid_as_published)
    )
    skew = next(cost for cost in result.costs if cost.fault.without == "relative_of_spread_1")
    results = {run.arm: run.result for run in found.runs if run.result}
    worse, better = results["relative-as-published"].test, results["relative-corrected"].test
    assert skew.proper == pytest.approx((worse or 0) - (better or 0))
    parts = [cost.proper for cost in result.costs]
    assert sum(parts[:3]) == pytest.approx(parts[3])
    report = study_report.read(found).to_markdown()
    assert "4 of the 10 epochs of the published schedule were run." in report
    assert "| 4 | publication | 0.5082 | 0.4539 |  |" in report
    assert "| Vanilla, independent | 0.5631 | 0.5073 | 0.4787 | 0.4576 | 0.4861 |" in report
    lows = [(cost.interval or (0.0, 0.0))[0] for cost in result.costs]
    assert all(low < cost.proper for low, cost in zip(lows, result.costs, strict=True))
    assert "| the skew is wrong: every logit by distance ends up at a wrong pair | " in report
    written = json.loads((folder / "results.json").read_text())
    assert written["published"]["epochs_run"] == 4
    assert [{*cost["fault"]} for cost in written["published"]["costs"]] == [
        {"says", "faulty", "without"}
    ] * 4


def test_other_studies_have_no_such_findings() -> None:
    other = study.load("smoke")
    unfinished = study.load("published")
    for study_ in (other, unfinished):
        found = type("Found", (), {"study": study_, "runs": ()})
        assert published.findings(found) is None  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    run(small(tiny_data(folder / "tiny.json")), folder / "run")
    return folder / "run/model"


def test_a_published_model_can_be_diagnosed(trained: Path) -> None:
    found = jobs.run(probes.diagnose(str(trained)))

    assert [probe.name for probe in found] == [*probes.PROBES]
    assert [probe.finding for probe in found if probe.verdict == "wrong"] == []
    assert found[2].figure == 0, "some windows end before their sixteenth token"


def test_an_evaluation_of_a_published_model_agrees_with_its_card(
    trained: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", "--model", str(trained), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)

    assert found["nats_per_note"] == pytest.approx(read_card(trained).test_nats_per_note)
    assert (found["unit"], found["end_nats"]) == ("nats/token", None)
    assert main(["evaluate", "--model", str(trained), "--given", "all"]) == 2
    assert "is always conditioned as in training" in capsys.readouterr().err


def test_a_published_model_cannot_generate(
    trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "x.mid"

    assert main(["generate", "--bars", "1", "--model", str(trained), "--out", str(out)]) == 1
    assert "is an arm of the published comparison" in capsys.readouterr().err
    with pytest.raises(ModelError, match="predicts tokens in windows of one beat, not piece"):
        jobs.run(study_folder.install(trained, "mine"))
    assert not out.exists()


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('scheme = "learned"', 'scheme = "magic"', "scheme 'magic' .* is not an arm"),
        ("window = 16", "window = 400", "windows of 400 tokens are longer than the published"),
        ("schedule_steps = 69_050", "schedule_steps = 40", "schedule_steps is 40: expected at lea"),
        ("schedule_steps = 69_050\n", "", "'warmup_linear': expected schedule_steps"),
    ],
)
def test_an_invalid_study_is_refused(old: str, new: str, sentence: str) -> None:
    text = study.load("published").text
    assert old in text

    with pytest.raises(UsageError, match=sentence):
        study.parse(text.replace(old, new), "edited")
