"""Tests of the status of studies and runs, as observers read it from their folders."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from musicrel import jobs
from musicrel.errors import FileError, ModelError
from musicrel.experiment.runs import child_process, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import (
    Node,
    NodesChanged,
    RunEnded,
    RunLost,
    RunPlaced,
    StudyEvent,
    StudyFinished,
    StudyStarted,
    StudyStopped,
)
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import (
    definition,
    estimate,
    results,
    study,
    study_folder,
    study_report,
    study_text,
)
from musicrel.experiment.study.run_watch import RunWatch
from musicrel.experiment.study.study_curves import CurveChoice
from musicrel.experiment.study.study_watch import StudyWatch
from musicrel.model import checkpoint
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def queued_study(name: str = "smoke") -> Path:
    folder = study_folder.unused_folder(name)
    definition.create(folder, study.load("smoke"))
    return folder


def step(number: int, nats: float = 2.0) -> dict[str, Any]:
    return {
        "event": "TrainStep", "step": number, "tokens": 10 * number, "progress": number / 10,
        "nats": nats, "gradient_norm": 1.0, "rate": 0.1, "tokens_per_second": 5.0,
        "seconds": 2.0 * number, "memory": 7,
    }  # fmt: skip


def started(number: int = 0) -> dict[str, Any]:
    return {"event": "TrainStarted", "step": number, "parameters": 9, "tokens": 0, "notes": []}


def evaluated(number: int, valid: float) -> dict[str, Any]:
    return {"event": "TrainEvaluated", "step": number, "tokens": 0, "valid": valid, "best": valid}


def write(folder: Path, *lines: dict[str, Any] | StudyEvent) -> None:
    for line in lines:
        EventLog(folder / "events.jsonl").append(line)


def finish(run: Path, **values: Any) -> None:
    result = {
        "finished": True, "step": 10, "tokens": 100, "seconds": 20.0, "valid": 2.0, "test": 2.0,
        "parameters": 58_049, "test_pieces": [
            {"index": 0, "title": "a", "nats": 10.0, "notes": 4, "end_nats": 0.0}
        ],
    }  # fmt: skip
    (run / "result.json").write_text(json.dumps(result | values))


def test_run_is_followed_line_by_line() -> None:
    run = queued_study() / "runs/vanilla-seed0"
    watch = RunWatch(run, "vanilla", 0)
    write(run, started(), step(1), step(2), evaluated(2, 2.5))
    now = watch.poll(check_process=True)
    assert (now.step, now.parameters, now.progress, now.loss) == (2, 9, 0.2, 2.5)
    assert watch.poll(check_process=False) is now

    write(run, {"event": "TrainEvaluating", "step": 2, "split": "valid", "given": [], "done": 1,
                "pieces": 3})  # fmt: skip
    assert watch.poll(check_process=False).evaluating == ("valid", 1, 3)


def test_steps_of_an_older_version_have_no_seconds() -> None:
    run = queued_study() / "runs/vanilla-seed0"
    old = {name: value for name, value in step(1).items() if name != "seconds"}
    without_loss = {name: value for name, value in step(3).items() if name != "nats"}
    write(run, started(), old, step(2, 1.5), without_loss, {**step(4), "tokens": "many"})
    now = RunWatch(run, "vanilla", 0).poll(check_process=False)

    assert [(point.step, point.seconds, point.nats) for point in now.train] == [
        (1, 0.0, 2.0), (2, 4.0, 1.5),
    ]  # fmt: skip
    assert (now.step, now.tokens, now.seconds) == (2, 20, 4.0)


def test_repeated_steps_are_seen_once() -> None:
    run = queued_study() / "runs/vanilla-seed0"
    write(run, started(), step(1), step(2), evaluated(2, 2.5), step(3), started(1), step(2, 9.0))
    watch = RunWatch(run, "vanilla", 0)
    now = watch.poll(check_process=True)
    assert [(point.step, point.nats) for point in now.train] == [(1, 2.0), (2, 9.0)]
    assert now.valid == ()

    write(run, {"event": "TrainRolledBack", "step": 1, "exploded": 2, "reason": "no number",
                "rate_factor": 0.5, "count": 1})  # fmt: skip
    now = watch.poll(check_process=True)
    assert [point.step for point in now.train] == [1]
    remark = "no number: resuming from step 1 with 0.5 of the learning rate"
    assert now.remarks == (remark,)
    write(run, {"event": "TrainNoted", "step": 1, "note": "it takes longer"})
    assert watch.poll(check_process=True).remarks == (remark, "it takes longer")


def test_restarted_run_is_read_from_its_start() -> None:
    run = queued_study() / "runs/vanilla-seed0"
    write(run, started(), step(1), step(2))
    watch = RunWatch(run, "vanilla", 0)
    watch.poll(check_process=True)
    (run / "events.jsonl").unlink()
    write(run, started())

    assert watch.poll(check_process=True).train == ()


def test_samples_are_in_the_folder_of_the_run() -> None:
    """A path in the event cannot lead out of it."""
    run = queued_study() / "runs/vanilla-seed0"
    write(run, {"event": "TrainSampled", "step": 4, "file": "../../x.json", "nats_per_note": 1.0})

    now = RunWatch(run, "vanilla", 0).poll(check_process=True)
    assert [*map(now.sample_file, now.samples)] == [run / "samples/x.json"]


def test_study_is_watched_from_start_to_end() -> None:
    folder = queued_study()
    watch = StudyWatch(folder, clock=(clock := Clock()))

    def poll() -> str:
        clock.now += 2
        return watch.poll().state

    assert poll() == "queued"
    with writer_lock(folder):
        write(folder, {"event": "StudyStarted"})
        assert poll() == "running"
        write(folder, {"event": "StudyPaused"})
        assert poll() == "paused"
    assert poll() == "crashed"
    (folder / child_process.LOG).write_text(
        "a note\nmusicrel compare: the disk is full; make room\n"
    )
    assert (poll(), watch.poll().problem) == ("failed", "the disk is full; make room")
    for run in (folder / "runs").iterdir():
        finish(run)
    assert poll() == "failed"
    (sentence,) = watch.poll().verdicts
    assert sentence.startswith("Not enough to say")


@pytest.mark.parametrize(
    "stored", ['{"runs": []}', '{"verdicts": [{"sentence": "relative is better than vanilla"}]}']
)
def test_the_verdict_is_that_of_the_runs_not_a_stored_one(stored: str) -> None:
    folder = queued_study()
    for run in (folder / "runs").iterdir():
        finish(run)
    (folder / results.RESULTS).write_text(stored)
    now = StudyWatch(folder).poll()

    assert now.state == "finished"
    assert now.verdicts[0].startswith("Not enough to say")


def test_run_of_an_older_version_makes_its_study_unreadable() -> None:
    folder = queued_study()
    for run in (folder / "runs").iterdir():
        finish(run)
        (run / "recipe.toml").write_text("")
        (run / "run.json").write_text('{"format": "musicrel-run", "version": 1}')
    now = StudyWatch(folder).poll()

    assert now.state == "unreadable"
    assert "is of format version 1" in now.problem
    (folder / definition.ABOUT).write_text('{"format": "musicrel-study", "version": 99}')
    assert "update musicrel" in StudyWatch(folder).poll().problem


def test_the_pace_is_the_median_of_the_last_minutes() -> None:
    folder = queued_study()
    watch = StudyWatch(folder, clock=(clock := Clock()))
    write(folder, {"event": "StudyStarted"})
    with writer_lock(folder):
        for number in range(1, 30):
            clock.now += 30_000 if number == 15 else 20
            write(folder / "runs/vanilla-seed0", step(5 * number))  # 10 s of training each
            watch.poll()
        now = watch.poll()

    assert now.state == "running"
    assert now.pace == pytest.approx(2.0)


def test_a_pause_does_not_count_into_the_pace() -> None:
    folder = queued_study()
    watch = StudyWatch(folder, clock=(clock := Clock()))
    write(folder, {"event": "StudyStarted"})
    with writer_lock(folder):
        for number, event in enumerate(["", "", "StudyPaused", "StudyResumed", ""], 1):
            clock.now += 20 if event != "StudyResumed" else 9_000
            if event:
                write(folder, {"event": event})
            write(folder / "runs/vanilla-seed0", step(5 * number))
            watch.poll()
        now = watch.poll()

    assert now.pace == pytest.approx(2.0)


def test_run_alone_is_watched_as_a_study_of_one() -> None:
    folder = queued_study() / "runs/vanilla-seed0"
    now = StudyWatch(folder).poll()

    assert (now.kind, now.state, [run.arm for run in now.runs]) == (
        "run", "queued", ["vanilla-seed0"],
    )  # fmt: skip


def test_folders_of_the_user_and_opened_ones_are_known(tmp_path: Path) -> None:
    one = queued_study()
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(one, elsewhere)
    study_folder.remember(elsewhere)
    study_folder.remember(one)
    assert set(study_folder.known_folders()) == {one, elsewhere}
    shutil.rmtree(elsewhere)
    assert study_folder.known_folders() == [one]

    with pytest.raises(FileError, match="holds no study and no run"):
        study_folder.remember(tmp_path)


def test_names_that_no_folder_can_have_are_left_out(tmp_path: Path, home: Path) -> None:
    folder = queued_study()
    names = [str(tmp_path / ("x" * 5000)), "a\0b", 7, "[" * 100]
    (home / "runs/opened.json").write_text(json.dumps(names))

    assert study_folder.known_folders() == [folder]


@pytest.mark.parametrize("line", [{"event": "TrainStep", "step": 1}, {"event": ["x"], "step": 1}])
def test_damaged_events_leave_the_others(line: dict[str, Any]) -> None:
    run = queued_study() / "runs/vanilla-seed0"
    write(run, started(), step(1), line, evaluated(2, 2.5))

    assert RunWatch(run, "vanilla", 0).poll(check_process=True).loss == 2.5
    assert study_report.curves(run, CurveChoice()).arms[0].mean[1].tolist() == [2.5]
    assert [event["event"] for event in RunFolder(run).events()][-1] == "TrainEvaluated"


def test_study_of_the_same_name_gets_another_folder() -> None:
    assert queued_study("a b/c").name == "a-b-c"
    assert queued_study("a b/c").name == "a-b-c-2"
    assert study_folder.unused_folder("..").name == "study"
    assert len(study_folder.unused_folder("long " * 80).name) < 130


def test_time_is_estimated_from_runs_of_the_same_size() -> None:
    smoke = study.load("smoke")
    folder = queued_study()
    assert estimate.seconds(smoke, []) is None

    for run in (folder / "runs").iterdir():
        finish(run)
    speeds = estimate.known_speeds([folder], {})
    assert estimate.seconds(smoke, speeds.values()) == pytest.approx(2 * 80 * 20 / 10)
    assert estimate.known_speeds([folder], speeds) == speeds
    wider = study.parse(smoke.text.replace("width = 48", "width = 64"), "wider")
    assert estimate.seconds(wider, speeds.values()) is None
    timed = study.parse(smoke.text.replace("steps = 80", "minutes = 2"), "timed")
    assert estimate.seconds(timed, []) == 2 * 2 * 60


def test_the_reason_of_a_failure_is_in_the_log(tmp_path: Path) -> None:
    program = (sys.executable, "-c", "import sys; sys.exit('musicrel train: too hot')")
    process = child_process.start(tmp_path, [], program)
    assert process.wait(60) == 1
    assert child_process.failure_reason(tmp_path) == "too hot"
    (tmp_path / "log.txt").write_text("stopped and saved; go on with --resume\n")
    assert child_process.failure_reason(tmp_path) == ""
    assert child_process.failure_reason(tmp_path / "none") == ""


def test_model_is_installed_once(home: Path, tmp_path: Path) -> None:
    def install(name: str, to: str = "mine") -> str:
        return jobs.run(study_folder.install(tmp_path / name, to))

    tiny_model_directory(tmp_path / "one")
    assert install("one") == install("one") == "mine"
    network = tiny_model(tiny_config("relative"), seed=1)
    checkpoint.save(tmp_path / "other", network, tiny_card(network))
    assert install("other") == install("other") == "mine-2"
    assert {path.name for path in (home / "models").iterdir()} == {"mine", "mine-2"}
    for to in ("min", "x [1]", "relative"):  # a part of another name, a pattern, a bundled model
        assert install("one", to) == install("one", to) in (to, f"{to}-2")
    assert install("one", "a:b") == "ab"
    with pytest.raises(ModelError, match="none"):
        install("none")


def test_requests_reach_runs_whose_study_has_died() -> None:
    folder = queued_study()
    run = folder / "runs/vanilla-seed0"
    with writer_lock(run):
        study_folder.send_request(folder, "stop")
        with writer_lock(folder):
            study_folder.send_request(folder, "pause")
            study_folder.send_request(folder, "cancel")

    def requests(where: Path) -> list[str]:
        return [line["wish"] for line in EventLog(where / run_control.CONTROL).events()]

    assert requests(folder) == ["stop", "pause", "cancel"]
    assert requests(run) == ["stop", "cancel"]


def test_only_a_study_that_has_not_started_is_deleted() -> None:
    folder = queued_study()
    write(folder / "runs/vanilla-seed0", started())
    with pytest.raises(FileError, match="has started meanwhile: it is not deleted"):
        study_folder.discard(folder)

    other = queued_study()
    study_folder.discard(other)
    assert not other.exists()
    with pytest.raises(FileError, match="was deleted: cannot stop the study in it"):
        study_folder.send_request(other, "stop")
    with pytest.raises(FileError, match="was deleted: there is nothing to resume"):
        study_folder.launch(other, "cpu")


@pytest.mark.parametrize(
    ("name", "unit", "writes"),
    [("smoke", "nats/note", True), ("bytes", "nats/sequence", False),
     ("published", "nats/token", False)],
)  # fmt: skip
def test_a_status_has_the_unit_of_the_losses(
    name: str, unit: str, *, writes: bool, tmp_path: Path
) -> None:
    definition.create(tmp_path / name, study.load(name))
    seen = StudyWatch(tmp_path / name).poll()

    assert seen.unit == unit
    assert (study_text.not_for_compose(seen) == "") is writes


ONE, TWO = Node(name="one", cpus=2), Node(name="two", cpus=1, gpus=1)
PLACED = RunPlaced(arm="vanilla", seed=3, node="one")


def test_nodes_and_places_are_those_of_the_last_events() -> None:
    folder = queued_study()
    write(folder, NodesChanged(nodes=(ONE, TWO)), PLACED)
    watch = StudyWatch(folder, iter(range(9)).__next__)
    now = watch.poll()
    assert (now.nodes, now.places) == ((ONE, TWO), {("vanilla", 3, None): "one"})
    assert watch.poll() is now

    lost = RunLost(arm="vanilla", seed=3, node="one")
    write(folder, lost)
    now = watch.poll()
    assert (now.places, now.losses) == ({}, (lost,))
    write(folder, RunPlaced(arm="vanilla", seed=3, node="two"))
    assert watch.poll().places == {("vanilla", 3, None): "two"}
    write(folder, RunEnded(arm="vanilla", seed=3, valid=1.0, test=1.0, seconds=1.0))
    assert watch.poll().places == {}

    (folder / "events.jsonl").unlink()  # another study in the same folder
    write(folder, NodesChanged(nodes=(TWO,)))
    assert watch.poll().nodes == (TWO,)


@pytest.mark.parametrize(
    "event",
    [StudyStarted(study="a", runs=1, finished=0, arms=()), StudyStopped(finished=0),
     StudyFinished(sentence="")],
)  # fmt: skip
def test_nothing_runs_when_a_study_starts_or_ends(event: StudyEvent) -> None:
    folder = queued_study()
    write(folder, NodesChanged(nodes=(ONE,)), PLACED, event)
    now = StudyWatch(folder).poll()
    assert (now.nodes, now.places, now.losses) == ((), {}, ())


def test_damaged_events_are_skipped() -> None:
    folder = queued_study()
    write(
        folder,
        {"event": "RunPlaced", "arm": 3, "seed": 3, "node": "one"},
        {"event": "RunPlaced", "seed": 3, "node": "one"},
        {"event": "RunLost", "arm": "vanilla", "seed": "3", "node": "one"},
        {"event": "NodesChanged", "nodes": "one"},
        {"event": "NodesChanged", "nodes": [{"name": "one"}]},
    )
    now = StudyWatch(folder).poll()
    assert (now.nodes, now.places, now.losses) == ((), {}, ())
