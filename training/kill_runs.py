"""Kill a training run repeatedly, and check that it ends as if undisturbed.

    python -m training.kill_runs --kills 200

A small run is killed (SIGKILL) at random instants, every third time in the middle of a write, and
resumed each time. After every kill its newest whole checkpoint must load; at the end every loss,
every evaluation and the weights must equal those of an undisturbed run to the last bit.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe.recipe import DataPart, ModelPart, Recipe, TrainingPart
from musicrel.experiment.runs.run_folder import RunFolder

_STEPS_A_KILL: Final = 30
_MAX_LIFE_SECONDS: Final = 0.5
_WRITING_EVERY: Final = 3
_POLL_SECONDS: Final = 0.002
_TIMEOUT: Final = 120.0


@dataclass(slots=True, kw_only=True)
class Report:
    kills: int = 0
    in_a_write: int = 0  # those that left a file half written
    # parts that differ from the undisturbed run; empty for success
    differences: tuple[str, ...] = ()


def kill_runs(folder: Path, kills: int, seed: int) -> Report:
    """Kill a run in ``folder`` up to ``kills`` times, at instants drawn with ``seed``."""
    recipe = _recipe(kills * _STEPS_A_KILL)
    file = folder / "recipe.toml"
    file.write_text(recipe.to_toml(), encoding="utf-8")
    _wait_for_end(_start(file, folder / "whole"))
    report, rng = Report(), random.Random(seed)  # noqa: S311  # instants, not secrets
    run = RunFolder(folder / "killed")
    while report.kills < kills:
        writing = report.kills % _WRITING_EVERY == 0
        if not _kill_once(file, run, rng.uniform(0, _MAX_LIFE_SECONDS), writing=writing):
            break
        report.kills += 1
        report.in_a_write += _is_writing(run)
        _check_state(run)
    _wait_for_end(_start(file, run.path))
    report.differences = tuple(differences(RunFolder(folder / "whole"), run))
    return report


def _recipe(steps: int) -> Recipe:
    """Build the recipe of a run that mostly saves."""
    return Recipe(
        name="killed",
        model=ModelPart(scheme="relative", width=64, layers=2, heads=2, feedforward=128),
        data=DataPart(window=64),
        training=TrainingPart(
            steps=steps, batch=2, warmup_steps=5, evaluate_every=steps // 3, checkpoint_every=1
        ),
    )


def _start(recipe: Path, folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "musicrel", "train", "--recipe", str(recipe)]
    command += ["--out", str(folder), "--device", "cpu"]
    if (folder / "recipe.toml").exists():
        command.append("--resume")
    return subprocess.Popen(command, stderr=subprocess.PIPE)  # noqa: S603  # our own program


def _wait_for_end(process: subprocess.Popen[bytes]) -> None:
    _, messages = process.communicate()
    if process.returncode != 0:
        raise MusicrelError(f"the run failed: {messages.decode(errors='replace').strip()}")


def _kill_once(recipe: Path, run: RunFolder, life: float, *, writing: bool) -> bool:
    """Start or resume the run and kill it; return False if it ended by itself."""
    _, offset = run.log.follow()
    process = _start(recipe, run.path)
    deadline = time.monotonic() + _TIMEOUT
    while process.poll() is None and not run.log.follow(offset)[0]:
        if time.monotonic() > deadline:
            process.kill()
            raise MusicrelError(f"the run did nothing for {_TIMEOUT:g} seconds")
        time.sleep(_POLL_SECONDS)
    time.sleep(life)
    # a write is over in a millisecond: sleeping in between would miss it
    while writing and process.poll() is None and not _stop_mid_write(process, run):
        if time.monotonic() > deadline:
            break
    ended = process.poll() is not None
    process.kill()
    _, messages = process.communicate()
    if ended and process.returncode != 0:
        raise MusicrelError(f"the run failed: {messages.decode(errors='replace').strip()}")
    return not ended


def _stop_mid_write(process: subprocess.Popen[bytes], run: RunFolder) -> bool:
    """Stop the process during a write; let it continue if the write is already over."""
    if not _is_writing(run):
        return False
    process.send_signal(signal.SIGSTOP)
    if _is_writing(run):
        return True
    process.send_signal(signal.SIGCONT)
    return False


def _is_writing(run: RunFolder) -> bool:
    return any((run.path / "checkpoints").glob(".step-*"))


def _check_state(run: RunFolder) -> None:
    """Check that the run can resume: its newest checkpoint loads, and no earlier one is lost."""
    if run.state() not in ("crashed", "queued"):
        raise MusicrelError(f"the killed run has the state {run.state()}: expected crashed")
    saved = any(event.get("event") == "TrainSaved" for event in run.log.follow()[0])
    if saved and run.latest_checkpoint() is None:
        raise MusicrelError("no checkpoint of the killed run loads")


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
    names = ("event", "step", "tokens", "nats", "gradient_norm", "rate", "valid", "best")
    return [
        tuple(event.get(name) for name in names)
        for event in run.events()
        if event["event"] in ("TrainStep", "TrainEvaluated")
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = kill_runs(Path(folder), args.kills, args.seed)
    print(f"{report.kills} kills, {report.in_a_write} in the middle of a write")
    print("\n".join(report.differences) or "the run is the same to the last bit")
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
