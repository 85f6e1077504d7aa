"""A program in place of ``musicrel``: its runs have everything but a model, and take no time.

``recipe.toml`` holds ``steps``, optionally ``fails``, a sentence, and ``waits``, a step. A run that
starts from its beginning goes no further than that step until it receives a request.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from pathlib import Path
from typing import Final

from musicrel.experiment.runs import child_process, folder_lock
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.run_control import RunControl

PROGRAM: Final = (sys.executable, "-m", "tests.helpers.runners.fake_run")
EVERY: Final = 5
"""Steps between two checkpoints."""


def recipe(steps: int = 12, waits: int | None = None, fails: str = "") -> str:
    text = f'steps = {steps}\nfails = "{fails}"\n'
    return text if waits is None else f"{text}waits = {waits}\n"


class _Run:
    def __init__(self, folder: Path, since: int) -> None:
        self.folder, self.requests = folder, RunControl(folder, since)
        self.log = EventLog(folder / "events.jsonl")
        self.recipe = tomllib.loads((folder / "recipe.toml").read_text())
        self.abandoned = False

    def event(self, name: str, **values: object) -> None:
        self.log.append({"event": name, **values})

    def abandon(self) -> None:
        self.abandoned = True

    def requested(self) -> str:
        return "stop" if self.abandoned else self.requests.requested()

    def save(self, step: int) -> None:
        (self.folder / "checkpoint.json").write_text(json.dumps(step))
        self.event("TrainSaved", step=step)

    def main(self) -> int:
        checkpoint = self.folder / "checkpoint.json"
        start = json.loads(checkpoint.read_text()) if checkpoint.exists() else 0
        self.event("TrainStarted", step=start, parameters=1, tokens=0, notes=())
        if self.recipe["fails"]:
            sys.stderr.write(f"musicrel train: {self.recipe['fails']}\n")
            return 1
        for step in range(start, self.recipe["steps"]):
            if step and step % EVERY == 0 and step != start:
                self.save(step)
            if not self._may_continue(step, waits=start == 0 and step == self.recipe.get("waits")):
                return self._stop(step)
            self._step(step + 1)
        steps = self.recipe["steps"]
        result = {"finished": True, "step": steps, "tokens": steps, "seconds": 0.0, "valid": 1.0,
                  "test": 1.0}  # fmt: skip
        (self.folder / "result.json").write_text(json.dumps(result))
        return 0

    def _may_continue(self, step: int, *, waits: bool) -> bool:
        while waits and self.requested() == "run":
            time.sleep(0.01)
        if self.requested() == "pause":
            self.event("TrainPaused", step=step)
            while self.requested() == "pause":
                time.sleep(0.01)
            if self.requested() == "run":
                self.event("TrainResumed", step=step)
        return self.requested() == "run"

    def _stop(self, step: int) -> int:
        saved = self.requested() != "cancel"
        if saved:
            self.save(step)
        self.event("TrainStopped", step=step, saved=saved)
        return 130

    def _step(self, step: int) -> None:
        self.event(
            "TrainStep", step=step, tokens=step, progress=step / self.recipe["steps"],
            nats=1 / step, gradient_norm=1.0, rate=1.0, tokens_per_second=1.0, seconds=1.0 * step,
            memory=1,
        )  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--since", type=int)
    parser.add_argument("--lifeline", action="store_true")
    options, _ = parser.parse_known_args()
    run = _Run(options.out, options.since)
    if options.lifeline:
        child_process.end_with_parent(run.abandon)
    with folder_lock.writer_lock(options.out):
        return run.main()


if __name__ == "__main__":
    sys.exit(main())
