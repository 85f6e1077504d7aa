"""A stand-in for ``musicrel compare`` that writes the files of a study without any training.

    python fake_study.py compare --resume --out DIR --since N --device auto

Every step waits until the folder has a file ``go``, so a test controls its progress.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.runs.run_control import RunControl

STEPS = 4
FAILS = "musicrel compare: vanilla, seed 0: the loss is not finite; the study can be resumed\n"


def main(words: list[str]) -> int:
    """Run all runs; return the exit code."""
    folder = Path(words[words.index("--out") + 1])
    control = RunControl(folder, int(words[words.index("--since") + 1]))
    log = EventLog(folder / "events.jsonl")
    with writer_lock(folder):
        log.append({"event": "StudyStarted"})
        for run in sorted((folder / "runs").iterdir(), reverse=True):
            if not (run / "result.json").exists() and not _train(run, folder, log, control):
                saved = control.requested() != "cancel"
                log.append({"event": "StudyStopped", "finished": 0, "saved": saved})
                return 130
        if (folder / "fail").exists():
            sys.stderr.write(FAILS)
            return 1
        (folder / "results.json").write_text(
            json.dumps({"verdicts": [{"sentence": "relative is better by 1.000 nats/note"}]})
        )
        log.append({"event": "StudyFinished", "sentence": "relative is better"})
    return 0


def _train(run: Path, folder: Path, log: EventLog, control: RunControl) -> bool:
    own = EventLog(run / "events.jsonl")
    with writer_lock(run):
        own.append({"event": "TrainStarted", "step": 0, "parameters": 100, "tokens": 0})
        for step in range(1, STEPS + 1):
            if not _may_continue(folder, log, own, control):
                own.append({"event": "TrainStopped", "step": step - 1, "saved": True})
                return False
            own.append(_step(step))
            own.append(_evaluated(step))
        (run / "result.json").write_text(json.dumps(_result()))
        own.append({"event": "TrainFinished", "step": STEPS, "tokens": 40, "seconds": 4.0,
                    "valid": 2.6, "test": 2.7})  # fmt: skip
    return True


def _may_continue(folder: Path, log: EventLog, own: EventLog, control: RunControl) -> bool:
    """Wait for the test and for the end of a pause; return whether to continue."""
    paused = False
    while not (folder / "go").exists() or control.command() == "pause":
        if control.command() == "stop":
            return False
        if control.command() == "pause" and not paused:
            paused = True
            own.append({"event": "TrainPaused", "step": 0})
            log.append({"event": "StudyPaused"})
        if paused and control.command() == "run":
            break
        time.sleep(0.02)
    if paused:
        own.append({"event": "TrainResumed", "step": 0})
        log.append({"event": "StudyResumed"})
    return control.command() != "stop"


def _step(step: int) -> dict[str, object]:
    return {
        "event": "TrainStep", "step": step, "tokens": 10 * step, "progress": step / STEPS,
        "nats": 4.0 - step / 10, "gradient_norm": 1.0, "rate": 0.1, "tokens_per_second": 10.0,
        "seconds": float(step), "memory": 5_000_000,
    }  # fmt: skip


def _evaluated(step: int) -> dict[str, object]:
    valid = 3.0 - step / 10
    seen = {"step": step, "tokens": 10 * step, "seconds": float(step)}
    return {"event": "TrainEvaluated", **seen, "valid": valid, "best": valid}


def _result() -> dict[str, object]:
    return {
        "finished": True, "step": STEPS, "tokens": 40, "seconds": 4.0, "valid": 2.6, "test": 2.7,
        "parameters": 100, "peak_bytes": 5_000_000, "rollbacks": 0,
        "test_pieces": [{"index": 0, "title": "a", "nats": 10.0, "notes": 4, "end_nats": 0.0}],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
