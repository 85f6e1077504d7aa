"""Kill a study again and again; in the end it equals one that was not disturbed, to the bit.

``python -m tests.faults.kill_study 200`` kills 200 times and prints the result. Each time, the
process of the study and that of its run are killed at a random instant, every third time while a
checkpoint is written, and the study is resumed.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil

from musicrel.experiment.runs.run_folder import RunFolder

_STEPS_A_KILL: Final = 20
_MAX_LIFE_SECONDS: Final = 0.5
_POLL_SECONDS: Final = 0.01
_WRITING_EVERY: Final = 3
_LONGEST_WAIT: Final = 30.0
_STUDY: Final = """
name = "killed"
budget = {{ steps = {steps} }}
model = {{ width = 32, layers = 1, heads = 2, feedforward = 64 }}
data = {{ window = 64 }}
training = {{ batch = 2, warmup_steps = 5, evaluate_every = {evaluate}, checkpoint_every = 2 }}
arms = [
  {{ name = "vanilla", scheme = "sinusoidal" }},
  {{ name = "relative", scheme = "relative" }},
]
"""


@dataclass(slots=True)
class Report:
    """The outcome.

    Attributes:
        kills: number of kills.
        in_a_write: those that left a file half written.
        problems: what was damaged after a kill, or differs in the end.
    """

    kills: int = 0
    in_a_write: int = 0
    problems: list[str] = field(default_factory=list)


def kill_study(folder: Path, kills: int, seed: int = 0) -> Report:
    steps = max(kills * _STEPS_A_KILL // 2, 10)
    study = folder / "study.toml"
    study.write_text(_STUDY.format(steps=steps, evaluate=steps // 2), encoding="utf-8")
    _wait_for_end(_start(study, folder / "whole"))
    report, rng, killed = Report(), random.Random(seed), folder / "killed"  # noqa: S311
    while report.kills < kills:
        writing = report.kills % _WRITING_EVERY == 0
        if not _kill_once(study, killed, rng.uniform(0, _MAX_LIFE_SECONDS), writing=writing):
            break
        report.kills += 1
        report.in_a_write += _is_writing(killed)
        for run in _runs(killed):
            report.problems += [f"kill {report.kills}: {one}" for one in _problems(run)]
    _wait_for_end(_start(study, killed))
    pairs = zip(_runs(folder / "whole"), _runs(killed), strict=True)
    for whole, again in pairs:
        report.problems += [f"{whole.path.name}: {one}" for one in differences(whole, again)]
    return report


def _runs(study: Path) -> list[RunFolder]:
    return [RunFolder(path) for path in sorted((study / "runs").glob("*"))]


def _start(study: Path, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "musicrel", "compare", "--out", str(folder)]
    command += ["--device", "cpu"]
    begun = (folder / "study.toml").exists()
    command += ["--resume"] if begun else ["--study", str(study)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _wait_for_end(process: subprocess.Popen[bytes]) -> None:
    _, messages = process.communicate()
    assert process.returncode == 0, messages.decode(errors="replace")


def _kill_once(study: Path, folder: Path, life: float, *, writing: bool) -> bool:
    """Start or resume the study and kill it; return False if it ended by itself.

    ``life`` is in seconds after its first event.
    """
    before = _written(folder)
    process = _start(study, folder)
    while process.poll() is None and _written(folder) == before:
        time.sleep(_POLL_SECONDS)
    with suppress(subprocess.TimeoutExpired):
        process.wait(life)
    # a write is over in a millisecond: sleeping in between would miss it
    deadline = time.monotonic() + _LONGEST_WAIT
    while writing and process.poll() is None and time.monotonic() < deadline:
        if _is_writing(folder) and _stop_mid_write(process, folder):
            break
    if process.poll() is not None:
        _wait_for_end(process)
        return False
    tree = _tree(process)
    for one in tree:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.communicate()
    psutil.wait_procs(tree)
    return True


def _tree(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    return [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]


def _stop_mid_write(process: subprocess.Popen[bytes], folder: Path) -> bool:
    """Stop the processes during a write; let them continue if the write is already over."""
    tree = _tree(process)
    for one in tree:
        with suppress(psutil.NoSuchProcess):
            one.suspend()
    if _is_writing(folder):
        return True
    for one in tree:
        with suppress(psutil.NoSuchProcess):
            one.resume()
    return False


def _is_writing(folder: Path) -> bool:
    return any(folder.glob("runs/*/checkpoints/.step-*"))


def _problems(run: RunFolder) -> list[str]:
    saved = any(event.get("event") == "TrainSaved" for event in run.log.events())
    lost = saved and run.result() is None and run.latest_checkpoint() is None
    return [*run.problems(), *(["no checkpoint loads"] if lost else [])]


def differences(whole: RunFolder, killed: RunFolder) -> list[str]:
    """Return the parts of a killed run that differ from those of an undisturbed one."""
    found = []
    histories = [_history(whole), _history(killed)]
    if histories[0] != histories[1]:
        pairs = enumerate(zip(*histories, strict=False))
        first = next((place for place, (one, other) in pairs if one != other), "length")
        found.append(f"the events differ (first: {first})")
    last = max((whole.path / "checkpoints").glob("*.safetensors")).name
    parts = ("model/model.safetensors", f"checkpoints/{last}")
    return found + [
        f"{part} differs" for part in parts if _content(whole, part) != _content(killed, part)
    ]


def _content(run: RunFolder, part: str) -> bytes:
    return (run.path / part).read_bytes()


def _history(run: RunFolder) -> list[tuple[Any, ...]]:
    """Return the events that determine the run, without times."""
    names = ("event", "step", "tokens", "nats", "gradient_norm", "rate", "valid", "best")
    return [
        tuple(event.get(name) for name in names)
        for event in run.events()
        if event["event"] in ("TrainStep", "TrainEvaluated")
    ]


def _written(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("runs/*/events.jsonl"))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = kill_study(Path(folder), int(sys.argv[1]))
    print(*report.problems, f"{report.kills} kills", sep="\n")  # noqa: T201
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main())
