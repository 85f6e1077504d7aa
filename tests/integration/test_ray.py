"""A study on a real Ray cluster of three nodes, one of which is killed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition
from musicrel.experiment.study.study import Study
from tests.helpers.music import tiny_data
from tests.helpers.runners import ray_nodes
from tests.helpers.runners.ray_nodes import Nodes
from tests.helpers.runs import story

pytestmark = [
    pytest.mark.timeout(3600),  # minutes; half an hour beside twenty other processes
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None, reason="Ray is not installed: the extra [cluster]"
    ),
]

EVERY: Final = 50
"""Steps between two checkpoints."""
STUDY: Final = """
name = "small"
seeds = [0, 1, 2, 3, 4]
budget = {{ steps = 1000 }}
model = {{ width = 16, layers = 1, heads = 2, feedforward = 64 }}
data = {{ source = "{source}", window = 32 }}
training = {{ batch = 2, warmup_steps = 3, evaluate_every = 250, checkpoint_every = {every} }}
arms = [
  {{ name = "vanilla", scheme = "sinusoidal" }},
  {{ name = "relative", scheme = "relative", options = {{ max_distance = 20 }} }},
]
"""
VARYING: Final = {
    "seconds": 1, "tokens_per_second": 1, "memory": 1, "peak_bytes": 1, "commit": "",
}  # fmt: skip
"""What differs from run to run even on one machine, and a value in its place."""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Nodes]:
    with ray_nodes.running(3) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    source = tiny_data(folder / "tiny.json")
    (folder / "small.toml").write_text(STUDY.format(source=source, every=EVERY))
    return folder / "small.toml"


@pytest.fixture(scope="module")
def local(study: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("local") / "out"
    finish(compare(out, "--study", study, "--jobs", 2))
    return out


def compare(out: Path, *words: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "musicrel", "compare", "--out", str(out), "--device", "cpu"]
    return subprocess.Popen(
        [*command, *map(str, words)],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )


def finish(process: subprocess.Popen[str], code: int = 0) -> str:
    """Wait for its end; return standard error."""
    _, errors = process.communicate()
    assert process.returncode == code, errors
    return errors


def until(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    while not happened():
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        raise AssertionError(process.communicate()[1])


def at_work(out: Path) -> int:
    runs = [RunFolder(path) for path in (out / "runs").glob("*")]
    busy = [run for run in runs if run.state() == "running" and run.latest_checkpoint()]
    return len(busy)


def processes(out: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if "train" in words and any(word.startswith(str(out)) for word in words):
            found.append(process)
    return found


def lost_steps(run: Path) -> list[int]:
    repeated, last = [], 0
    for event in RunFolder(run).log.events():
        if event["event"] == "TrainStarted" and last:
            repeated.append(last - event["step"])
        if event["event"] == "TrainStep":
            last = event["step"]
    return repeated


def without_times(out: Path) -> dict[str, bytes]:
    for path in [*out.glob("runs/*/result.json"), *out.glob("runs/*/model/card.json")]:
        path.write_text(json.dumps(_constant(json.loads(path.read_text()))))
    for path in out.glob("runs/*/events.jsonl"):
        lines = [json.dumps(_constant(json.loads(line))) for line in path.read_text().splitlines()]
        path.write_text("\n".join(lines) + "\n")
    finish(compare(out, "--report"))
    return {path.name: path.read_bytes() for path in out.glob("re*.*")} | {
        "curves.svg": (out / "curves.svg").read_bytes()
    }


def _constant(values: Any) -> Any:
    if isinstance(values, dict):
        return {name: VARYING.get(name, _constant(value)) for name, value in values.items()}
    return values


def assert_same_study(one: Path, other: Path) -> None:
    wanted = definition.read(one)
    assert isinstance(wanted, Study)
    for planned in wanted.runs:
        assert story(one / planned.folder) == story(other / planned.folder)
        model = f"{planned.folder}/model/model.safetensors"
        assert (one / model).read_bytes() == (other / model).read_bytes()
    first, second = without_times(one), without_times(other)
    assert first.keys() == second.keys()
    assert {"results.json", "report.md", "results.csv"} <= first.keys()
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.parametrize("storage", [(), ("--fetch",)], ids=["shared", "fetched"])
def test_a_study_begun_here_is_finished_on_ray_though_a_node_is_killed(
    nodes: Nodes, study: Path, local: Path, tmp_path: Path, storage: tuple[str, ...]
) -> None:
    out = tmp_path / "out"
    process = compare(out, "--study", study)
    until(lambda: at_work(out) == 1, process)
    run_control.send_request(out, "stop")
    finish(process, 130)

    cluster = ("--runner", "ray", "--address", nodes.address, *storage)
    process = compare(out, "--resume", *cluster)
    until(lambda: at_work(out) >= (3 if not storage else 2), process)
    nodes.kill_one()
    errors = finish(process)

    assert "was lost; the run resumes on another one" in errors
    assert processes(out) == []
    lost = [steps for run in (out / "runs").iterdir() for steps in lost_steps(run)]
    assert lost
    assert max(lost) <= EVERY
    assert_same_study(local, out)


def test_no_process_is_left_when_the_study_is_killed(
    nodes: Nodes, study: Path, local: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = compare(out, "--study", study, "--runner", "ray", "--address", nodes.address)
    until(lambda: at_work(out) >= 1, process)
    left = processes(out)
    process.kill()
    process.communicate()

    assert left
    assert psutil.wait_procs(left, timeout=120)[1] == []
    finish(compare(out, "--resume", "--jobs", 2))
    assert_same_study(local, out)
