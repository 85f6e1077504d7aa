"""Tests of a study from its first run to its verdict."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np
import pytest

from musicrel import jobs
from musicrel.errors import DataError, FileError, ModelError, UsageError
from musicrel.experiment.runners.side_by_side import JobHost, in_process
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.events import (
    RunBegan,
    RunEnded,
    RunEvent,
    StudyEvent,
    StudyFinished,
    StudyPaused,
    StudyResumed,
    StudyStarted,
    StudyStopped,
    TrainStarted,
    TrainStep,
)
from musicrel.experiment.runs.run_folder import RunFolder, state_of
from musicrel.experiment.study import results, study, study_report
from musicrel.experiment.study.compare import compare, write_results
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import Study
from musicrel.experiment.study.study_curves import CurveChoice
from tests.helpers.music import jsb_file, random_chorale
from tests.helpers.runs import story

OnEvent = Callable[[StudyEvent], object]


def small_study(source: str) -> Study:
    text = f"""
        name = "small"
        seeds = [0, 1]
        budget = {{ steps = 8 }}
        model = {{ width = 16, layers = 1, heads = 2, feedforward = 64 }}
        data = {{ source = "{source}", window = 32 }}
        training = {{ batch = 2, warmup_steps = 3, evaluate_every = 4, checkpoint_every = 2 }}
        arms = [
          {{ name = "vanilla", scheme = "sinusoidal" }},
          {{ name = "relative", scheme = "relative", options = {{ max_distance = 20 }} }},
        ]
    """
    return study.parse("\n".join(line.strip() for line in text.splitlines()), "small.toml")


def run(
    study_: Study, folder: Path, on_event: OnEvent = id, **options: Any
) -> tuple[StudyResults, list[StudyEvent]]:
    events: list[StudyEvent] = []

    def note(event: StudyEvent) -> None:
        events.append(event)
        on_event(event)

    options.setdefault("runner", in_process())
    return jobs.run(compare(study_, folder, **options), note), events


def steps_of(events: list[StudyEvent]) -> list[tuple[str, int, int]]:
    return [
        (event.arm, event.seed, event.of_run.step)
        for event in events
        if isinstance(event, RunEvent) and isinstance(event.of_run, TrainStep)
    ]


@pytest.fixture
def whole(source: str, tmp_path: Path) -> Path:
    run(small_study(source), tmp_path / "whole")
    return tmp_path / "whole"


def test_a_study_finishes_all_its_runs_with_a_verdict(source: str, tmp_path: Path) -> None:
    found, events = run(small_study(source), tmp_path / "study")

    assert [(e.arm, e.seed, e.number) for e in events if isinstance(e, RunBegan)] == [
        ("vanilla", 0, 1), ("relative", 0, 2), ("vanilla", 1, 3), ("relative", 1, 4),
    ]  # fmt: skip
    assert isinstance(events[0], StudyStarted)
    assert events[-1] == StudyFinished(sentence=found.sentence)
    assert len(steps_of(events)) == 4 * 8
    assert found.finished
    for planned in found.study.runs:
        folder = RunFolder(tmp_path / "study" / planned.folder)
        assert folder.state() == "finished"
        assert (folder.model / "model.safetensors").exists()
    assert state_of(tmp_path / "study", "results.json") == "finished"


def test_runs_side_by_side_give_the_same_results(whole: Path, source: str, tmp_path: Path) -> None:
    runner = replace(in_process(), slots=4)
    _, events = run(small_study(source), tmp_path / "turns", runner=runner)

    assert [type(event) for event in events[:5]] == [StudyStarted, *[RunBegan] * 4]
    for planned in small_study(source).runs:
        assert story(whole / planned.folder) == story(tmp_path / "turns" / planned.folder)
    first, second = (
        json.loads((one / "results.json").read_text()) for one in (whole, tmp_path / "turns")
    )
    assert first["verdicts"] == second["verdicts"]
    assert [(e["arm"], e["seed"], e["test"]) for e in first["runs"]] == [
        (e["arm"], e["seed"], e["test"]) for e in second["runs"]
    ]


def test_arms_are_trained_on_the_same_data(source: str, tmp_path: Path) -> None:
    _, events = run(small_study(source), tmp_path / "study")

    tokens: dict[tuple[str, int], list[int]] = {}
    for event in events:
        if isinstance(event, RunEvent) and isinstance(event.of_run, TrainStep):
            tokens.setdefault((event.arm, event.seed), []).append(event.of_run.tokens)
    assert tokens["vanilla", 0] == tokens["relative", 0]
    assert tokens["vanilla", 1] == tokens["relative", 1]
    assert tokens["vanilla", 0] != tokens["vanilla", 1]


def test_the_results_have_their_keys(whole: Path) -> None:
    written = json.loads((whole / "results.json").read_text())

    assert {"study", "arms", "runs", "verdict"} <= written.keys()
    assert [arm["name"] for arm in written["arms"]] == ["vanilla", "relative"]
    keys = {"arm", "seed", "parameters", "valid", "test", "tokens", "seconds", "peak_bytes"}
    assert all(keys <= entry.keys() for entry in written["runs"])
    keys = {"difference", "low", "high", "pieces", "seeds", "things", "sentence"}
    assert keys <= written["verdict"].keys()

    tests = {
        arm: np.mean([entry["test"] for entry in written["runs"] if entry["arm"] == arm])
        for arm in ("vanilla", "relative")
    }
    assert written["verdict"]["difference"] == pytest.approx(tests["vanilla"] - tests["relative"])
    assert (written["verdict"]["pieces"], written["verdict"]["seeds"]) == (2, 2)
    sizes = {entry["arm"]: entry["parameters"] for entry in written["runs"]}
    assert {arm["name"]: arm["parameters"] for arm in written["arms"]} == sizes


def test_results_are_rewritten_from_the_runs_alone(whole: Path, source: str) -> None:
    before = (whole / "results.json").read_bytes()
    (whole / "results.json").unlink()

    write_results(small_study(source), whole)

    assert (whole / "results.json").read_bytes() == before


def test_a_resumed_study_equals_an_uninterrupted_one(
    whole: Path, source: str, tmp_path: Path
) -> None:
    folder = tmp_path / "parts"

    def stop(event: StudyEvent) -> None:
        if steps_of([event]) == [("relative", 0, 5)]:
            run_control.send_request(folder, "stop")

    found, events = run(small_study(source), folder, stop)
    assert events[-1] == StudyStopped(finished=1)
    assert not found.finished
    assert found.sentence == "no seed is finished in both arms yet"
    assert state_of(folder, "results.json") == "stopped"

    again, more = run(small_study(source), folder, resume=True)

    assert again.finished
    assert steps_of(more)[0] == ("relative", 0, 6)
    first, second = (json.loads((one / "results.json").read_text()) for one in (whole, folder))
    assert first["verdict"] == second["verdict"]


def test_a_study_closed_early_is_resumed(whole: Path, source: str, tmp_path: Path) -> None:
    job = compare(small_study(source), tmp_path / "parts", runner=in_process())
    for event in job:
        if steps_of([event]) == [("vanilla", 0, 5)]:
            break
    job.close()
    assert state_of(tmp_path / "parts", "results.json") == "crashed"

    _, more = run(small_study(source), tmp_path / "parts", resume=True)

    assert steps_of(more)[0] == ("vanilla", 0, 5)
    first, second = (
        json.loads((one / "results.json").read_text()) for one in (whole, tmp_path / "parts")
    )
    assert first["verdict"] == second["verdict"]


def test_a_study_is_paused_through_its_folder(source: str, tmp_path: Path) -> None:
    folder = tmp_path / "study"

    def react(event: StudyEvent) -> None:
        if steps_of([event]) == [("vanilla", 0, 3)]:
            run_control.send_request(folder, "pause")
        if isinstance(event, StudyPaused):
            assert state_of(folder, "results.json") == "paused"
            run_control.send_request(folder, "resume")

    found, events = run(small_study(source), folder, react)

    own = [event for event in events if not isinstance(event, (RunEvent, RunBegan, RunEnded))]
    assert [type(event) for event in own] == [
        StudyStarted, StudyPaused, StudyResumed, StudyFinished,
    ]  # fmt: skip
    assert found.finished


def test_the_log_of_a_study_has_no_events_of_runs(whole: Path) -> None:
    lines = [json.loads(line) for line in (whole / "events.jsonl").read_text().splitlines()]

    assert [line["event"] for line in lines] == [
        "StudyStarted", *["RunBegan", "RunEnded"] * 4, "StudyFinished",
    ]  # fmt: skip


def test_events_of_runs_are_nested_in_json() -> None:
    inner = TrainStarted(step=0, parameters=5, tokens=0)
    written = msgspec.to_builtins(RunEvent(arm="a", seed=1, of_run=inner))

    assert written["of_run"] == {
        "event": "TrainStarted", "step": 0, "parameters": 5, "tokens": 0, "notes": (),
    }  # fmt: skip


def test_a_run_that_fails_is_named_and_the_study_can_be_resumed(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> NoReturn:
        raise ModelError("the loss exploded")

    with monkeypatch.context() as failing:
        failing.setattr(JobHost, "call", fail)
        with pytest.raises(ModelError, match=r"^vanilla, seed 0: the loss exploded; the study"):
            run(small_study(source), tmp_path / "study")
    assert run(small_study(source), tmp_path / "study", resume=True)[0].finished


def test_a_folder_with_another_study_is_refused(whole: Path, source: str, tmp_path: Path) -> None:
    """For a new study and for a resumed one; a folder without a study cannot be resumed."""
    other = study.parse(small_study(source).text.replace("steps = 8", "steps = 9"), "x.toml")
    with pytest.raises(UsageError, match="already holds a study: resume it with --resume"):
        run(small_study(source), whole)
    with pytest.raises(UsageError, match="holds the study 'small' with other values than 'small'"):
        run(other, whole, resume=True)
    with pytest.raises(UsageError, match="holds no study: expected a folder with study"):
        run(other, tmp_path / "nothing", resume=True)


def test_empty_data_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    pieces = {"train": [random_chorale(1)], "valid": [random_chorale(2)], "test": []}
    source = f"jsb:{jsb_file(tmp_path / 'data.json', pieces)}"

    with pytest.raises(DataError, match="the test split of 'jsb' is empty"):
        run(small_study(source), tmp_path / "study")
    assert not (tmp_path / "study").exists()


def test_runs_on_different_pieces_are_not_compared(whole: Path, source: str) -> None:
    path = whole / "runs" / "relative-seed1" / "result.json"
    values = json.loads(path.read_text())
    values["test_pieces"][0]["notes"] += 1
    path.write_text(json.dumps(values))

    with pytest.raises(DataError, match="vanilla and relative were evaluated on different pieces"):
        results.collect(small_study(source), whole)
    assert len(study_report.curves(whole, CurveChoice()).arms) == 2


@pytest.mark.parametrize(
    ("content", "problem"), [("{", "it is not valid JSON"), ("{}", "it lacks 'finished'")]
)
def test_a_damaged_result_is_named(whole: Path, source: str, content: str, problem: str) -> None:
    (whole / "runs" / "relative-seed1" / "result.json").write_text(content)
    with pytest.raises(FileError, match=rf"result.json is damaged: {problem}"):
        results.collect(small_study(source), whole)
