"""Runs in processes of their own: killed, paused, stopped and found again."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_folder import RunFolder
from tests.helpers.music import tiny_data
from tests.helpers.recipes import tiny_recipe
from training.kill_runs import kill_runs

PATIENCE = 100.0


def ended_within(seconds: float, process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> bool:
    """Whether the process ended within that time."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(seconds)
        return True
    return False


class Child:
    """``musicrel train`` in a process of its own.

    Args:
        folder: of the run; its recipe lies beside it.
        words: more arguments.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        recipe = folder.parent / "recipe.toml"
        command = [sys.executable, "-m", "musicrel", "train", "--recipe", str(recipe)]
        command += ["--out", str(folder), "--device", "cpu", *words]
        self.run = RunFolder(folder)
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    def until(self, happened: Callable[[], bool]) -> None:
        """Wait."""
        deadline = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < deadline, "it took too long"
            assert not ended_within(0.02, self.process), self.process.communicate()[1]

    def has(self, event: str, count: int = 1) -> bool:
        """Whether the run has written so many events of this name."""
        return [e["event"] for e in self.run.follow()[0]].count(event) >= count

    def end(self) -> tuple[int, str]:
        """Wait for its end; exit code and what it said on standard error."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a run of very many tiny steps."""
    recipe = tiny_recipe(
        tiny_data(tmp_path / "tiny.json"), steps=100_000, evaluate_every=50, checkpoint_every=50
    )
    recipe = replace(recipe, training=replace(recipe.training, learning_rate=1e-3))
    (tmp_path / "recipe.toml").write_text(recipe.to_toml())
    return tmp_path / "run"


@pytest.fixture
def child(folder: Path) -> Iterator[Child]:
    """The run at work."""
    child = Child(folder)
    try:
        child.until(lambda: child.has("TrainStep"))
        yield child
    finally:
        child.process.kill()
        child.process.communicate()


def test_a_run_is_paused_resumed_and_stopped_by_anyone(child: Child, folder: Path) -> None:
    """Through its folder alone; each is heeded within a second."""
    run_control.ask(folder, "pause")
    child.until(lambda: child.has("TrainPaused"))
    assert child.run.state() == "paused"
    run_control.ask(folder, "resume")
    child.until(lambda: child.has("TrainResumed"))
    asked = time.monotonic()
    run_control.ask(folder, "stop")
    child.until(lambda: child.has("TrainStopped"))
    took = time.monotonic() - asked
    code, said = child.end()

    assert took < 1.0
    assert (code, child.run.state()) == (130, "stopped")
    assert "stopped and saved at step" in said
    assert child.run.latest_checkpoint() is not None


def test_a_terminated_run_saves_first(child: Child) -> None:
    """SIGTERM is a polite request."""
    child.process.send_signal(signal.SIGTERM)

    assert child.end()[0] == 130
    assert child.run.state() == "stopped"


def test_a_killed_run_is_seen_as_such_and_its_lock_is_free(child: Child, folder: Path) -> None:
    """A second writer is refused before, and not after."""
    second = Child(folder, "--resume")
    code, said = second.end()
    assert code == 1
    assert f"is being written by process {child.process.pid}" in said
    assert "Traceback" not in said
    assert child.run.state() == "running"

    child.process.kill()
    child.process.wait()

    assert child.run.state() == "crashed"
    with child.run.lock():
        pass


def test_what_is_asked_while_a_run_starts_is_heeded(child: Child, folder: Path) -> None:
    """The starter told how long the file of wishes was."""
    run_control.ask(folder, "stop")
    child.end()
    since = run_control.length(folder)
    run_control.ask(folder, "stop")

    again = Child(folder, "--resume", "--since", str(since))
    again.end()

    lines = (folder / "events.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines[-2:]] == ["TrainStarted", "TrainStopped"]


@pytest.mark.slow
@pytest.mark.timeout(900)  # minutes; more on a busy machine
def test_a_run_killed_twenty_five_times_is_the_run_that_was_not(tmp_path: Path) -> None:
    """At random instants, in the middle of writes too: losses and weights to the last bit."""
    report = kill_runs(tmp_path, kills=25, seed=1)

    assert report.differences == ()
    assert report.kills == 25
    assert report.in_a_write > 0


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
    """A small study of two runs."""
    source = tiny_data(folder / "tiny.json")
    (folder / "small.toml").write_text(STUDY.format(steps=steps, source=source))
    return folder / "small.toml"


def musicrel(*words: object) -> subprocess.CompletedProcess[str]:
    """The answer of ``musicrel WORDS``."""
    command = [sys.executable, "-m", "musicrel", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_compare_makes_each_run_in_a_process_of_its_own_and_reports(tmp_path: Path) -> None:
    """Then the report is made anew from the folders alone."""
    out = tmp_path / "out"
    answer = musicrel(
        "compare", "--study", study_file(tmp_path, 6), "--out", out, "--device", "cpu", "--json"
    )
    assert answer.returncode == 0, answer.stderr
    told = json.loads(answer.stdout)

    names = ("results.json", "report.md", "results.csv", "curves.svg")
    before = {name: (out / name).read_bytes() for name in names}
    for name in names:
        (out / name).unlink()
    again = musicrel("compare", "--out", out, "--report")

    assert told["verdict"]["sentence"] in again.stdout
    assert {name: (out / name).read_bytes() for name in names} == before
    assert {path.read_text() for path in out.rglob("writer.lock")} == {""}
    assert "2 runs, 0 of them finished" in answer.stderr


def test_a_killed_comparison_leaves_its_run_at_work_and_joins_it_again(tmp_path: Path) -> None:
    """The run outlives whoever started it."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "musicrel", "compare", "--study"]
    command += [str(study_file(tmp_path, 1500)), "--out", str(out), "--device", "cpu"]
    run = RunFolder(out / "runs" / "vanilla-seed0")
    watcher = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + PATIENCE
    while not any(event["event"] == "TrainStep" for event in run.follow()[0]):
        assert time.monotonic() < deadline
        assert not ended_within(0.02, watcher)
    watcher.kill()
    watcher.wait()
    assert run.state() == "running"

    answer = musicrel("compare", "--resume", "--out", out, "--device", "cpu")

    assert answer.returncode == 0, answer.stderr
    started = [event for event in run.follow()[0] if event["event"] == "TrainStarted"]
    assert len(started) == 1


def test_a_study_stopped_in_its_folder_goes_on_later(tmp_path: Path) -> None:
    """The wish is passed on to the run at work."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "musicrel", "compare", "--study"]
    command += [str(study_file(tmp_path, 100_000)), "--out", str(out), "--device", "cpu"]
    run = RunFolder(out / "runs" / "vanilla-seed0")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + PATIENCE
    while not any(event["event"] == "TrainStep" for event in run.follow()[0]):
        assert time.monotonic() < deadline
        assert not ended_within(0.02, process)
    run_control.ask(out, "stop")
    _, said = process.communicate(timeout=PATIENCE)

    assert process.returncode == 130
    assert "stopped and saved; go on with --resume" in said
    assert run.state() == "stopped"


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--study", "nobody"), 2, "no study 'nobody'"),
        ((), 2, "--study names none"),
        (("--resume",), 2, "holds no study"),
        (("--report",), 2, "holds no study"),
        (("--study", "smoke", "--events", "-", "--json"), 2, "choose one"),
        (("--study", "smoke", "--device", "abacus"), 2, "unknown device 'abacus'"),
    ],
)
def test_bad_studies_get_one_sentence(
    words: tuple[str, ...], code: int, sentence: str, tmp_path: Path
) -> None:
    """And no traceback; nothing is made."""
    answer = musicrel("compare", "--out", tmp_path / "out", *words)

    assert answer.returncode == code
    assert sentence in answer.stderr
    assert "Traceback" not in answer.stderr
    assert not (tmp_path / "out").exists()
