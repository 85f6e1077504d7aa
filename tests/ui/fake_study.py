"""A stand-in for ``musicrel compare``: writes what a study writes, without learning anything.

    python fake_study.py compare --resume --out DIR --since N --device auto

Every step waits until there is a file ``go`` in the folder; so a test decides how far it comes.
This file knows the form of a study's folder; it knows nothing of windows.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import WriterLock
from musicrel.experiment.runs.run_control import FolderControl

STEPS = 4
FAILS = "musicrel compare: vanilla, seed 0: the loss is no number; the study can be resumed\n"


def main(words: list[str]) -> int:
    """Carry out all runs; the exit code."""
    folder = Path(words[words.index("--out") + 1])
    control = FolderControl(folder, int(words[words.index("--since") + 1]))
    log = EventLog(folder / "events.jsonl")
    with WriterLock(folder):
        log.append({"event": "StudyStarted"})
        for run in sorted((folder / "runs").iterdir(), reverse=True):
            if not (run / "result.json").exists() and not _learn(run, folder, log, control):
                saved = control.asked() != "cancel"
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


def _learn(run: Path, folder: Path, log: EventLog, control: FolderControl) -> bool:
    """Make one run; whether it came to its end."""
    own = EventLog(run / "events.jsonl")
    with WriterLock(run):
        own.append({"event": "TrainStarted", "step": 0, "parameters": 100, "tokens": 0})
        for step in range(1, STEPS + 1):
            if not _may_go_on(folder, log, own, control):
                own.append({"event": "TrainStopped", "step": step - 1, "saved": True})
                return False
            own.append(_step(step))
            own.append(_evaluated(step))
        (run / "result.json").write_text(json.dumps(_result()))
        own.append({"event": "TrainFinished", "step": STEPS, "tokens": 40, "seconds": 4.0,
                    "valid": 2.6, "test": 2.7})  # fmt: skip
    return True


def _may_go_on(folder: Path, log: EventLog, own: EventLog, control: FolderControl) -> bool:
    """Wait for the test, and heed what is wanted."""
    paused = False
    while not (folder / "go").exists() or control.wish() == "pause":
        if control.wish() == "stop":
            return False
        if control.wish() == "pause" and not paused:
            paused = True
            own.append({"event": "TrainPaused", "step": 0})
            log.append({"event": "StudyPaused"})
        if paused and control.wish() == "run":
            break
        time.sleep(0.02)
    if paused:
        own.append({"event": "TrainResumed", "step": 0})
        log.append({"event": "StudyResumed"})
    return control.wish() != "stop"


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
        "parameters": 100, "peak_bytes": 5_000_000, "rollbacks": 0, "test_pieces": [],
    }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
