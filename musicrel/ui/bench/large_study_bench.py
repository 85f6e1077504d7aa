"""Time to open a study of 500 runs in the app, and the share of a core that following it takes.

The runs are synthetic: 300 are finished, each with 100 steps, ten evaluations and a loss for each
of 76 pieces; three go on, two steps a second each; nothing is trained.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QEventLoop, QTimer

from musicrel.bench.timing import Row, row
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.playback.audio import MiniaudioOutput
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.bench.bench_window import open_app, run_events
from musicrel.ui.widgets import plots

TIMEOUT: Final = 240.0
_IDLE_SECONDS, _IDLE_SHARE = 2.0, 0.05
"""The app is idle when it has used at most this share of a core for so long."""
_FOLLOWED: Final = 30.0
"""Seconds for which the study is followed."""
_BETWEEN_MS: Final = 500
"""Milliseconds between two steps of a run."""
_FINISHED, _GOING_ON, _STEPS, _EVERY, _PIECES = 300, 3, 100, 10, 76
_STUDY: Final = """
name = "many"
seeds = "0-99"
budget = { steps = 100 }
model = { width = 32, layers = 2, heads = 2, feedforward = 64 }
data = { source = "chorales", window = 128 }
training = { evaluate_every = 10 }
arms = [
  { name = "vanilla", scheme = "sinusoidal" },
  { name = "relative", scheme = "relative" },
  { name = "rope", scheme = "rope" },
  { name = "alibi", scheme = "alibi" },
  { name = "none", scheme = "none" },
]
"""
_OPENED: Final = "study of 500 runs: opened"
_PROCESSOR: Final = "study of 500 runs: processor time until then"
_FOLLOWING: Final = "study of 500 runs: share of a core while it is followed"


def large_study_rows() -> list[Row]:
    """Measure opening and following; the window runs its events all the time."""
    with tempfile.TemporaryDirectory() as home, ExitStack() as locks:
        os.environ["MUSICREL_HOME"] = home  # this process runs nothing but the benchmark
        folder, logs = _make_study(locks)
        app_controller = open_app(Player(MiniaudioOutput(null=True)), Settings(device="cpu"))
        app_controller.studies.show()
        run_events(TIMEOUT, lambda: plots.is_loaded() and _is_listed(app_controller))
        _wait_until_idle()
        began, used = time.perf_counter(), time.process_time()
        app_controller.studies.choose(folder)
        run_events(TIMEOUT, lambda: _is_shown(app_controller))
        run_events(0.0)  # paints
        opened, used = time.perf_counter() - began, time.process_time() - used
        share = _share_of_a_core(logs)
        app_controller.projects.discard()
        app_controller.window.close()
    return [
        row(_OPENED, opened, "s"),
        row(_PROCESSOR, used, "s"),
        row(_FOLLOWING, 100 * share, "%"),
    ]


def _wait_until_idle() -> None:
    """Wait until what starts with the app, such as loading the model, is over."""
    ends, share = time.perf_counter() + TIMEOUT, 1.0
    while share > _IDLE_SHARE and time.perf_counter() < ends:
        share = _share(_IDLE_SECONDS)


def _share(seconds: float) -> float:
    """Return the processor time of this process per second of waiting, as the app waits."""
    began, used = time.perf_counter(), time.process_time()
    loop = QEventLoop()
    QTimer.singleShot(round(1e3 * seconds), loop.quit)
    loop.exec()
    return (time.process_time() - used) / (time.perf_counter() - began)


def _is_listed(app_controller: AppController) -> bool:
    """Return True once the list of studies is read, and torch imported for it."""
    return app_controller.window.experiment.list.list.count() > 0


def _is_shown(app_controller: AppController) -> bool:
    now = app_controller.studies.now
    return now is not None and bool(now.verdicts)


def _share_of_a_core(logs: list[EventLog]) -> float:
    """Return the processor time of this process per second, while three runs go on."""
    began, used, step = time.perf_counter(), time.process_time(), _STEPS // 2
    while (elapsed := time.perf_counter() - began) < _FOLLOWED:
        step += 1
        for log in logs:
            log.append(_step(step, 0))
        loop = QEventLoop()  # as the app waits; ``run_events`` itself takes time
        QTimer.singleShot(_BETWEEN_MS, loop.quit)
        loop.exec()
    return (time.process_time() - used) / elapsed


def _make_study(locks: ExitStack) -> tuple[Path, list[EventLog]]:
    """Create the study; return its folder and the logs of the runs that go on."""
    from musicrel.experiment.study import definition, study, study_folder

    planned = study.parse(_STUDY, "many")
    folder = study_folder.unused_folder(planned.name)
    definition.create(folder, planned)
    runs = [folder / run.folder for run in planned.runs]
    for number, run in enumerate(runs[:_FINISHED]):
        _write(run, _STEPS, number)
        (run / "result.json").write_text(json.dumps(_result(number)))
    going_on = runs[_FINISHED : _FINISHED + _GOING_ON]
    for run in going_on:
        _write(run, _STEPS // 2, 0)
    for path in (folder, *going_on):
        locks.enter_context(writer_lock(path))
    return folder, [EventLog(run / "events.jsonl") for run in going_on]


def _write(run: Path, steps: int, number: int) -> None:
    events: list[Mapping[str, Any]] = [
        {"event": "TrainStarted", "step": 0, "parameters": 58_049, "tokens": 0, "notes": []}
    ]
    for step in range(1, steps + 1):
        events.append(_step(step, number))
        if step % _EVERY == 0:
            valid = 2.6 + 1 / step + number / 1000
            seen = {"step": step, "tokens": 500 * step, "seconds": 0.13 * step}
            events.append({"event": "TrainEvaluated", **seen, "valid": valid, "best": valid})
    (run / "events.jsonl").write_text("".join(f"{json.dumps(event)}\n" for event in events))


def _step(step: int, number: int) -> Mapping[str, Any]:
    return {
        "event": "TrainStep", "step": step, "tokens": 500 * step, "progress": step / _STEPS,
        "nats": 2.5 + 1 / step + number / 1000, "gradient_norm": 0.731, "rate": 0.00123,
        "tokens_per_second": 5123.1, "seconds": 0.131 * step, "memory": 412_345_678,
    }  # fmt: skip


def _result(number: int) -> Mapping[str, Any]:
    pieces = [
        {"index": place, "title": str(place), "nats": 100.0 + place + number % 7,
         "notes": 200 + place, "end_nats": 1.0}
        for place in range(_PIECES)
    ]  # fmt: skip
    return {
        "finished": True, "step": _STEPS, "tokens": 50_000, "seconds": 13.1,
        "valid": 2.61 + number / 1000, "test": 2.71 + number / 1000, "parameters": 58_049,
        "peak_bytes": 412_345_678, "rollbacks": 0, "test_pieces": pieces,
    }  # fmt: skip
