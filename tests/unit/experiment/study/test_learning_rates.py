"""The search for learning rates: its definition, its choice, and its place in a study."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel import jobs
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runners.side_by_side import in_process
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.events import (
    PieceLoss,
    RatesChosen,
    RunBegan,
    RunEnded,
    RunEvent,
    StudyEvent,
    TrainResult,
    TrainStep,
)
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import (
    definition,
    estimate,
    results,
    run_table,
    study,
    study_report,
    study_tables,
    study_text,
)
from musicrel.experiment.study.compare import compare, write_results
from musicrel.experiment.study.estimate import Speed
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.study import Study
from musicrel.experiment.study.study_watch import StudyWatch

TEXT = """
name = "searched"
seeds = [3, 4]
budget = { steps = 10 }
model = { width = 16, layers = 1, heads = 2, feedforward = 64 }
data = { source = "SOURCE", window = 32 }
training = { batch = 2, warmup_steps = 5, evaluate_every = 5, stop_after = 2 }
search = { learning_rates = [0.01, 0.001], share = 0.4 }
arms = [
  { name = "vanilla", scheme = "sinusoidal" },
  { name = "relative", scheme = "relative", options = { max_distance = 20 } },
]
"""


def searched(source: str = "chorales", old: str = "", new: str = "") -> Study:
    assert old in TEXT
    return study.parse(TEXT.replace(old, new).replace("SOURCE", source), "searched.toml")


def run(
    study_: Study,
    folder: Path,
    on_event: Callable[[StudyEvent], object] = id,
    *,
    resume: bool = False,
) -> list[StudyEvent]:
    events: list[StudyEvent] = []

    def note(event: StudyEvent) -> None:
        if not isinstance(event, RunEvent):
            events.append(event)
        on_event(event)

    jobs.run(compare(study_, folder, runner=in_process(), resume=resume), note)
    return events


def result(valid: float | None) -> TrainResult:
    return TrainResult(
        finished=True, step=4, tokens=9, seconds=1.0, valid=valid, test=None, parameters=5,
        stopped="" if valid else "diverged: it did",
    )  # fmt: skip


def test_every_arm_tries_all_rates_with_the_first_seed_and_a_share_of_the_budget() -> None:
    found = searched()

    assert [trial.folder for trial in found.trials] == [
        "runs/vanilla-lr0.001-seed3", "runs/relative-lr0.001-seed3",
        "runs/vanilla-lr0.01-seed3", "runs/relative-lr0.01-seed3",
    ]  # fmt: skip
    training = found.trials[2].recipe.training
    assert (training.learning_rate, training.steps, training.warmup_steps) == (0.01, 4, 2)
    assert (training.trial, training.stop_after, training.seed) == (True, 0, 3)
    assert [one.rate for one in found.every_run] == [0.001, 0.001, 0.01, 0.01, *[None] * 4]
    assert [one.share for one in found.every_run] == [0.4] * 4 + [1.0] * 4
    assert searched(old=", share = 0.4").trials[0].recipe.training.steps == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[0.01, 0.001]", "[0.01]", r"learning_rates is \[0.01\]: expected at least two different"),
        ("[0.01, 0.001]", "[0.01, 0.01]", "two different numbers, more than 0, at most 1,000"),
        ("[0.01, 0.001]", "[0.01, -1]", "two different numbers, more than 0, at most 1,000"),
        (
            "share = 0.4",
            "share = 2",
            r"share of \[search\] is 2.0: expected more than 0, at most 1",
        ),
        ("share = 0.4", "seed = 4", r"search has unknown entry 'seed'"),
        (
            'scheme = "sinusoidal"',
            'scheme = "sinusoidal", training = { learning_rate = 0.1 }',
            r"arm 'vanilla' sets learning_rate, which \[search\] chooses: remove one of them",
        ),
        (
            '"relative", scheme',
            '"vanilla-lr0.01", scheme',
            "two runs have the folder runs/vanilla-lr0.01-seed3: rename the arm",
        ),
    ],
)
def test_a_search_that_is_not_valid_is_refused(old: str, new: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        searched(old=old, new=new)


@pytest.mark.parametrize(
    ("tried", "chosen"),
    [
        ([("a", 0.01, result(2.0)), ("a", 0.1, result(1.5))], {"a": 0.1}),
        ([("a", 0.1, result(2.0)), ("a", 0.01, result(2.0))], {"a": 0.01}),
        ([("a", 0.1, result(None)), ("a", 0.01, result(9.0))], {"a": 0.01}),
        ([("a", 0.1, result(2.0)), ("a", 0.01, None), ("b", 0.1, result(2.0))], {"b": 0.1}),
        ([("a", 0.1, result(None))], {}),
    ],
    ids=["lowest loss", "the lower of two alike", "one diverged", "one is not tried yet", "none"],
)
def test_the_rate_with_the_lowest_loss_is_chosen_once_all_are_tried(
    tried: list[tuple[str, float, TrainResult | None]], chosen: dict[str, float]
) -> None:
    runs = [
        RunStatus(arm=arm, seed=0, folder=Path(), rate=rate, result=found)
        for arm, rate, found in tried
    ]
    assert results.choose_rates(runs) == chosen


def test_the_chosen_rates_are_used_for_all_seeds(source: str, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    events = run(searched(source), folder)

    began = [(e.arm, e.seed, e.rate, e.number) for e in events if isinstance(e, RunBegan)]
    assert began[:2] == [("vanilla", 3, 0.001, 1), ("relative", 3, 0.001, 2)]
    assert began[4:] == [
        ("vanilla", 3, None, 5), ("relative", 3, None, 6),
        ("vanilla", 4, None, 7), ("relative", 4, None, 8),
    ]  # fmt: skip
    ended = [event for event in events if isinstance(event, RunEnded)]
    tried = {(e.arm, e.rate): e.valid for e in ended if e.rate is not None}
    best = {
        arm: min((loss, rate) for (name, rate), loss in tried.items() if name == arm)[1]
        for arm in ("vanilla", "relative")
    }
    assert [event.rates for event in events if isinstance(event, RatesChosen)] == [best]
    assert all(event.test is None for event in ended[:4])
    for planned in searched(source).runs:
        text = (folder / planned.folder / "recipe.toml").read_text()
        assert recipe.parse(text, "recipe.toml").training.learning_rate == best[planned.arm]

    written = json.loads((folder / "results.json").read_text())
    assert written["search"]["chosen"] == best
    assert written["search"]["share"] == 0.4
    assert [entry["chosen"] for entry in written["search"]["runs"]].count(True) == 2
    assert len(written["runs"]) == 4
    _assert_report(folder, searched(source), best)
    _assert_watched(folder, best)


def _assert_report(folder: Path, wanted: Study, best: dict[str, Any]) -> None:
    found = results.collect(wanted, folder)
    assert {arm.name: arm.recipe.training.learning_rate for arm in found.study.arms} == best
    [line] = [line for line in study_report.method(found) if "learning rate of each arm" in line]
    assert line.startswith(
        "The learning rate of each arm is that of 0.001 and 0.01 with the lowest loss on "
        "validation, each tried with seed 3 and 40 % of the budget: "
        f"vanilla {best['vanilla']:g}, relative {best['relative']:g}. "
    )
    assert "a better one may lie beyond" in line
    assert "### Learning rates tried" in study_report.read(found).to_markdown()
    assert any("after 2 evaluations in a row" in line for line in study_report.method(found))
    table = study_tables.search(found)
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        ("Vanilla", "0.001"), ("Vanilla", "0.01"), ("Relative", "0.001"), ("Relative", "0.01"),
    ]  # fmt: skip
    costs = study_tables.costs(found)
    assert costs.heads[-1] == "time of search"
    seconds = [one.result.seconds for one in found.trials[::2] if one.result is not None]
    assert costs.rows[0][-1].value == pytest.approx(sum(seconds))


def _assert_watched(folder: Path, best: dict[str, Any]) -> None:
    now = StudyWatch(folder).poll()
    assert len(now.runs) == 8
    assert [run.rate for run in now.compared] == [None] * 4
    assert [run.rate for run in now.listed] == [None] * 4 + [0.001, 0.001, 0.01, 0.01]
    assert now.rates == best
    assert study_text.share(now) == 1.0
    assert run_table.cells(now.runs[0])[0].text == "Vanilla, rate 0.001"
    named = f"Learning rates, chosen on validation: Vanilla {best['vanilla']:g}, Relative "
    assert named in study_text.verdict(now)


def test_a_resumed_study_reuses_its_search(source: str, tmp_path: Path) -> None:
    folder, wanted = tmp_path / "study", searched(source)
    steps: list[str] = []

    def stop_in_the_third(event: StudyEvent) -> None:
        if isinstance(event, RunBegan) and event.number == 3:
            run_control.send_request(folder, "stop")

    def note(event: StudyEvent) -> None:
        if isinstance(event, RunEvent) and isinstance(event.of_run, TrainStep):
            steps.append(f"{event.arm} {event.rate}")

    run(wanted, folder, stop_in_the_third)
    assert not (folder / "runs" / "vanilla-seed3").exists()
    before = (folder / "runs" / "vanilla-lr0.001-seed3" / "result.json").read_bytes()

    run(wanted, folder, note, resume=True)

    assert not [step for step in steps if step.endswith("0.001")]
    assert (folder / "runs" / "vanilla-lr0.001-seed3" / "result.json").read_bytes() == before
    assert write_results(wanted, folder).finished


def test_an_arm_that_diverges_with_every_rate_ends_the_study(source: str, tmp_path: Path) -> None:
    folder, wanted = tmp_path / "study", searched(source)

    def diverge(event: StudyEvent) -> None:
        if isinstance(event, RunEnded) and event.arm == "vanilla":
            path = RunFolder(folder / f"runs/vanilla-lr{event.rate:g}-seed3")
            path.write_result(replace(result(None), stopped="diverged"))

    with pytest.raises(ModelError, match=r"arm 'vanilla' diverged with every learning rate of "
                       r"\[search\], 0.001, 0.01: start another study"):  # fmt: skip
        run(wanted, folder, diverge)
    found = results.collect(wanted, folder)
    assert not any(run.result for run in found.runs)
    assert "| diverged |" in study_report.read(found).to_markdown()
    [line] = [line for line in study_report.method(found) if "Diverged" in line]
    assert "Diverged, and left out: vanilla with 0.001, vanilla with 0.01." in line


def test_a_study_is_readable_whenever_a_trial_or_a_run_of_it_has_finished(tmp_path: Path) -> None:
    folder, wanted, seconds = tmp_path / "study", searched(), iter(range(100))
    definition.create(folder, wanted)
    watch = StudyWatch(folder, clock=lambda: float(next(seconds)))
    piece = PieceLoss(index=0, title="a", nats=10.0, notes=4, end_nats=0.0)
    verdicts = []
    for planned in wanted.every_run:
        definition.create_runs(folder, [planned])
        ended = replace(result(2.0), test=2.0, test_pieces=(piece,), stopped="")
        RunFolder(folder / planned.folder).write_result(ended)
        now = watch.poll()
        assert now.problem == ""
        verdicts.append(len(now.verdicts))

    assert verdicts == [0, 0, 0, 0, 0, 1, 1, 1]


def test_the_search_counts_in_the_estimated_time() -> None:
    wanted = searched()
    speeds = [
        Speed(recipe=arm.recipe, parameters=arm.parameters, per_token=1.0, per_step=0.5)
        for arm in wanted.arms
    ]

    assert estimate.seconds(wanted, speeds) == pytest.approx(2 * (2 + 0.8) * 10 * 0.5)
