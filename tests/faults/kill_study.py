"""Kill a study again and again; in the end it equals one that was not disturbed, to the bit.

``python -m tests.faults.kill_study 200`` kills 200 times and prints the result. Each time, the
process of the study and that of its run are killed at a random instant, and the study is resumed.
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
from typing import Final

import psutil

from musicrel.experiment.runs.run_folder import RunFolder
from training.kill_runs import differences

_STEPS_A_KILL: Final = 20
_MAX_LIFE_SECONDS: Final = 0.5
_POLL_SECONDS: Final = 0.01
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
        problems: what was damaged after a kill, or differs in the end.
    """

    kills: int = 0
    problems: list[str] = field(default_factory=list)


def kill_study(folder: Path, kills: int, seed: int = 0) -> Report:
    steps = max(kills * _STEPS_A_KILL // 2, 10)
    study = folder / "study.toml"
    study.write_text(_STUDY.format(steps=steps, evaluate=steps // 2), encoding="utf-8")
    _wait_for_end(_start(study, folder / "whole"))
    report, rng, killed = Report(), random.Random(seed), folder / "killed"  # noqa: S311
    while report.kills < kills and _kill_once(study, killed, rng.uniform(0, _MAX_LIFE_SECONDS)):
        report.kills += 1
        for run in _runs(killed):
            report.problems += [f"kill {report.kills}: {one}" for one in run.problems()]
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


def _kill_once(study: Path, folder: Path, life: float) -> bool:
    """Start or resume the study and kill it; return False if it ended by itself."""
    before = _written(folder)
    process = _start(study, folder)
    while process.poll() is None and _written(folder) == before:
        time.sleep(_POLL_SECONDS)
    with suppress(subprocess.TimeoutExpired):
        process.wait(life)
    if process.poll() is not None:
        _wait_for_end(process)
        return False
    tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    for one in tree:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.communicate()
    psutil.wait_procs(tree)
    return True


def _written(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("runs/*/events.jsonl"))


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        report = kill_study(Path(folder), int(sys.argv[1]))
    print(*report.problems, f"{report.kills} kills", sep="\n")  # noqa: T201
    return bool(report.problems)


if __name__ == "__main__":
    sys.exit(main())
