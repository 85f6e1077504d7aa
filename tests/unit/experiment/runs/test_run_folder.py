"""Tests of the folder of a run, and of requests to the run through it."""

from __future__ import annotations

import json
import logging
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from musicrel import untrusted
from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs import environment, events, run_control
from musicrel.experiment.runs.events import TrainStarted
from musicrel.experiment.runs.run_control import RunControl
from musicrel.experiment.runs.run_folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    run = RunFolder(tmp_path / "run")
    run.create("name = 1\n")
    for step in (4, 8):
        run.save_checkpoint(step, {"w": torch.full((3,), float(step))}, {"step": step})
    return run


def test_a_run_is_not_created_in_the_folder_of_a_study(tmp_path: Path) -> None:
    """Their events would be mixed."""
    (tmp_path / "study.toml").write_text("")

    with pytest.raises(UsageError, match="holds a study: choose another --out for the run"):
        RunFolder(tmp_path).create("name = 1\n")
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def names(folder: RunFolder) -> list[str]:
    return sorted(path.name for path in (folder.path / "checkpoints").iterdir())


def step_of(folder: RunFolder) -> int | None:
    state = folder.latest_checkpoint()
    if state is None:
        return None
    tensors, counters = state
    assert tensors["w"].tolist() == [counters["step"]] * 3
    return int(counters["step"])


def test_a_second_run_is_not_created_in_it(folder: RunFolder) -> None:
    with pytest.raises(UsageError, match="already holds a run: resume it with --resume, or"):
        folder.create("name = 2\n")
    assert folder.recipe_toml() == "name = 1\n"


def test_an_event_is_read_as_it_was_written(folder: RunFolder) -> None:
    event = TrainStarted(step=1, parameters=2, tokens=0, notes=("♭",))
    folder.append_event(event)

    assert [events.read(line) for line in folder.events()] == [event]


@pytest.mark.parametrize("back", ["TrainStarted", "TrainRolledBack"])
def test_repeated_steps_are_read_once(folder: RunFolder, back: str) -> None:
    for step in range(5):
        folder.log.append({"step": step})
    folder.log.append({"event": back, "step": 2})
    folder.log.append({"step": 3})

    assert [event["step"] for event in folder.events()] == [0, 1, 2, 2, 3]
    assert len(folder.log.follow()[0]) == 7


def test_the_last_two_checkpoints_are_kept(folder: RunFolder) -> None:
    folder.save_checkpoint(10_000, {"w": torch.zeros(3)}, {"step": 0})

    assert names(folder) == [
        "step-00000008.json", "step-00000008.safetensors",
        "step-00010000.json", "step-00010000.safetensors",
    ]  # fmt: skip


def flipped(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda content: content[:-4],
    "flipped": flipped,
    "empty": lambda _: b"",
    "zeros": lambda content: bytes(len(content)),
    "a list": lambda _: b"[1, 2]",
    "nothing": lambda _: b"null",
    "nameless": lambda _: json.dumps({"step": 8}).encode(),
}


@pytest.mark.parametrize("suffix", [".json", ".safetensors"])
@pytest.mark.parametrize("damage", [*DAMAGE.values(), None], ids=[*DAMAGE, "missing"])
def test_a_damaged_checkpoint_is_skipped(
    folder: RunFolder,
    damage: Callable[[bytes], bytes] | None,
    suffix: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = folder.path / "checkpoints" / f"step-00000008{suffix}"
    if damage is None:
        path.unlink()
    else:
        path.write_bytes(damage(path.read_bytes()))

    with caplog.at_level(logging.WARNING):
        assert step_of(folder) == 4
    if damage is not None or suffix != ".json":
        assert "is damaged" in caplog.text


def test_without_an_intact_checkpoint_there_is_none(folder: RunFolder) -> None:
    for path in (folder.path / "checkpoints").glob("*.safetensors"):
        path.write_bytes(flipped(path.read_bytes()))

    assert step_of(folder) is None
    assert RunFolder(folder.path / "other").latest_checkpoint() is None


def test_a_machine_is_described_by_what_decides_the_last_bit() -> None:
    machine = environment.machine(torch.device("cpu"), 2)

    assert (machine["torch"], machine["device"], machine["threads"]) == (
        torch.__version__,
        "cpu",
        2,
    )
    assert all(isinstance(value, (str, int)) for value in machine.values())


def test_the_commit_is_that_of_the_source_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"([0-9a-f]{40})?", environment.commit())
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert environment.commit() == ""


def test_the_newest_request_is_valid(tmp_path: Path) -> None:
    control = RunControl(tmp_path)
    found = [(control.requested(), control.command())]
    for request in ("pause", "resume", "stop", "cancel"):
        run_control.send_request(tmp_path, request)
        found.append((control.requested(), control.command()))

    assert found == [
        ("run", "run"), ("pause", "pause"), ("run", "run"), ("stop", "stop"), ("cancel", "stop"),
    ]  # fmt: skip


def test_only_requests_since_the_start_of_a_run_are_followed(tmp_path: Path) -> None:
    run_control.send_request(tmp_path, "pause")
    since = run_control.end_offset(tmp_path)

    assert RunControl(tmp_path).requested() == "run"
    run_control.send_request(tmp_path, "stop")
    assert RunControl(tmp_path, since).requested() == "stop"


def test_the_file_is_read_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    control = RunControl(tmp_path)
    run_control.send_request(tmp_path, "pause")
    opened: list[str] = []
    really = untrusted.without_waiting

    def count(path: str, flags: int) -> int:
        opened.append(path)
        return really(path, flags)

    monkeypatch.setattr(untrusted, "without_waiting", count)

    assert [control.requested() for _ in range(100)] == ["pause"] * 100
    assert len(opened) == 1


def test_lines_that_are_no_requests_are_skipped(tmp_path: Path) -> None:
    control = RunControl(tmp_path)
    with (tmp_path / "control.jsonl").open("w") as file:
        file.write('{"wish": "pause"}\n{"wish": "dance"}\n{"wish": 3}\nhello\n{"wish": "st')
        file.flush()
        assert control.requested() == "pause"
        file.write('op"}\n')
        file.flush()
        assert control.requested() == "stop"


def test_an_unknown_request_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown request 'dance' to a run: expected pause"):
        run_control.send_request(tmp_path, "dance")  # type: ignore[arg-type]
    with pytest.raises(FileError, match=r"cannot write .*control.jsonl"):
        run_control.send_request(tmp_path / "nowhere", "stop")
