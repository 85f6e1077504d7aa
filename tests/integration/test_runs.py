"""Tests of runs in child processes that are killed, paused, stopped and resumed."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from musicrel.cli.main import main
from musicrel.experiment.runs import child_process, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from tests.helpers.music import tiny_data
from tests.helpers.recipes import tiny_recipe


def ended_within(seconds: float, process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return True
    return False


class Child:
    """``musicrel train`` in a child process.

    Args:
        folder: of the run; its recipe is beside it.
        words: more arguments.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        recipe = folder.parent / "recipe.toml"
        command = [sys.executable, "-m", "musicrel", "train", "--recipe", str(recipe)]
        command += ["--out", str(folder), "--device", "cpu", *words]
        self.run = RunFolder(folder)
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def until(self, happened: Callable[[], bool]) -> None:
        while not happened():
            assert not ended_within(0.02, self.process), self.process.communicate()[1]

    def has(self, event: str, count: int = 1) -> bool:
        return [e["event"] for e in self.run.log.follow()[0]].count(event) >= count

    def end(self) -> tuple[int, str]:
        """Wait for its end; return exit code and standard error."""
        _, errors = self.process.communicate()
        return self.process.returncode, errors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    recipe = tiny_recipe(
        tiny_data(tmp_path / "tiny.json"), steps=100_000, evaluate_every=50, checkpoint_every=50
    )
    recipe = recipe.changed(training={"learning_rate": 1e-3})
    (tmp_path / "recipe.toml").write_text(recipe.to_toml())
    return tmp_path / "run"


@pytest.fixture
def child(folder: Path) -> Iterator[Child]:
    child = Child(folder)
    try:
        child.until(lambda: child.has("TrainStep"))
        yield child
    finally:
        with child.process:  # which closes its pipes
            child.process.kill()


def test_a_run_is_paused_resumed_and_stopped_through_its_folder(child: Child, folder: Path) -> None:
    run_control.send_request(folder, "pause")
    child.until(lambda: child.has("TrainPaused"))
    assert child.run.state() == "paused"
    run_control.send_request(folder, "resume")
    child.until(lambda: child.has("TrainResumed"))
    run_control.send_request(folder, "stop")
    child.until(lambda: child.has("TrainStopped"))
    code, errors = child.end()

    assert (code, child.run.state()) == (130, "stopped")
    assert "stopped and saved at step" in errors
    assert child.run.latest_checkpoint() is not None


def test_a_terminated_run_saves_first(child: Child) -> None:
    child.process.send_signal(signal.SIGTERM)
    assert child.end()[0] == 130
    assert child.run.state() == "stopped"


def test_a_run_on_a_lifeline_saves_and_ends_with_its_parent(folder: Path) -> None:
    run = RunFolder(folder)
    run.create((folder.parent / "recipe.toml").read_text())
    with child_process.start(folder, ("--device", "cpu"), ends_with_parent=True) as process:
        while not any(event["event"] == "TrainStep" for event in run.log.follow()[0]):
            assert not ended_within(0.02, process)
        assert process.stdin is not None
        process.stdin.close()

        assert process.wait() == 130
    assert run.state() == "stopped"
    assert run.latest_checkpoint() is not None


def test_a_killed_run_is_crashed_and_its_lock_is_free(child: Child, folder: Path) -> None:
    second = Child(folder, "--resume")
    code, errors = second.end()
    assert code == 1
    assert f"is being written by process {child.process.pid}" in errors
    assert "Traceback" not in errors
    assert child.run.state() == "running"

    child.process.kill()
    child.process.wait()

    assert child.run.state() == "crashed"
    with child.run.lock():
        pass


def test_a_request_during_the_start_of_a_run_is_followed(child: Child, folder: Path) -> None:
    run_control.send_request(folder, "stop")
    child.end()
    since = run_control.end_offset(folder)
    run_control.send_request(folder, "stop")

    again = Child(folder, "--resume", "--since", str(since))
    again.end()

    lines = (folder / "events.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines[-2:]] == ["TrainStarted", "TrainStopped"]


STUDY = """
name = "small"
budget = {{ steps = {steps} }}
model = {{ width = 16, layers = 1, heads = 2, feedforward = 64 }}
data = {{ source = "{source}", window = 32 }}
training = {{ batch = 2, warmup_steps = 3, evaluate_every = 500, checkpoint_every = 20 }}
arms = [
  {{ name = "vanilla", scheme = "sinusoidal" }},
  {{ name = "relative", scheme = "relative", options = {{ max_distance = 20 }} }},
]
"""


def study_file(folder: Path, steps: int) -> Path:
    """Write a small study of two runs; return its file."""
    source = tiny_data(folder / "tiny.json")
    (folder / "small.toml").write_text(STUDY.format(steps=steps, source=source))
    return folder / "small.toml"


def musicrel(*words: object) -> subprocess.CompletedProcess[str]:
    """Run ``musicrel WORDS``; return the completed process."""
    command = [sys.executable, "-m", "musicrel", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_compare_makes_each_run_in_a_process_of_its_own_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    answer = musicrel(
        "compare", "--study", study_file(tmp_path, 6), "--out", out, "--device", "cpu", "--json"
    )
    assert answer.returncode == 0, answer.stderr
    printed = json.loads(answer.stdout)

    names = ("results.json", "report.md", "results.csv", "curves.svg")
    before = {name: (out / name).read_bytes() for name in names}
    for name in names:
        (out / name).unlink()
    assert main(["compare", "--out", str(out), "--report"]) == 0

    assert printed["verdict"]["sentence"] in capsys.readouterr().out
    assert {name: (out / name).read_bytes() for name in names} == before
    assert {path.read_text() for path in out.rglob("writer.lock")} == {""}
    assert "2 runs, 0 finished" in answer.stderr


def test_a_resumed_comparison_joins_a_run_that_survived_its_kill(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "musicrel", "compare", "--study"]
    command += [str(study_file(tmp_path, 1000)), "--out", str(out), "--device", "cpu"]
    run = RunFolder(out / "runs" / "vanilla-seed0")
    watcher = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not any(event["event"] == "TrainStep" for event in run.log.follow()[0]):
        assert not ended_within(0.02, watcher)
    watcher.kill()
    watcher.wait()
    assert run.state() == "running"

    answer = musicrel("compare", "--resume", "--out", out, "--device", "cpu")

    assert answer.returncode == 0, answer.stderr
    started = [event for event in run.log.follow()[0] if event["event"] == "TrainStarted"]
    assert len(started) == 1


def test_a_stop_request_to_a_study_stops_its_current_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "musicrel", "compare", "--study"]
    command += [str(study_file(tmp_path, 100_000)), "--out", str(out), "--device", "cpu"]
    run = RunFolder(out / "runs" / "vanilla-seed0")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    while not any(event["event"] == "TrainStep" for event in run.log.follow()[0]):
        assert not ended_within(0.02, process)
    run_control.send_request(out, "stop")
    _, errors = process.communicate()

    assert process.returncode == 130
    assert "stopped and saved; resume with --resume" in errors
    assert run.state() == "stopped"
