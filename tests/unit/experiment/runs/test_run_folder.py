"""Tests of the folder of a run."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs.run_folder import RunFolder


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    """Return a started run with two checkpoints."""
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
    """Return the files of all checkpoints."""
    return sorted(path.name for path in (folder.path / "checkpoints").iterdir())


def step_of(folder: RunFolder) -> int | None:
    """Return the step of the newest intact checkpoint."""
    state = folder.latest_checkpoint()
    if state is None:
        return None
    tensors, counters = state
    assert tensors["w"].tolist() == [counters["step"]] * 3
    return int(counters["step"])


def test_a_run_folder_holds_its_recipe(folder: RunFolder) -> None:
    """The folder alone suffices to resume the run."""
    assert folder.recipe_toml() == "name = 1\n"


def test_a_second_run_is_not_created_in_it(folder: RunFolder) -> None:
    """The message names both remedies."""
    with pytest.raises(
        UsageError, match="already holds a run: resume it with --resume, or choose another --out"
    ):
        folder.create("name = 2\n")
    assert folder.recipe_toml() == "name = 1\n"


def test_a_folder_without_a_run_cannot_be_resumed(tmp_path: Path) -> None:
    """The folder exists or not."""
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(UsageError, match="holds no run to resume: start it without --resume"):
            RunFolder(path).recipe_toml()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A file is in its place."""
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*file/run/run.json"):
        RunFolder(tmp_path / "file" / "run").create("")


def test_events_are_read_in_order(folder: RunFolder) -> None:
    """One line each."""
    events: list[dict[str, Any]] = [{"event": "A", "step": 1}, {"event": "B", "notes": ["♭"]}]
    for event in events:
        folder.append_event(event)

    assert folder.events() == events


def test_a_new_run_has_no_events(folder: RunFolder) -> None:
    """The file need not exist."""
    assert list(folder.events()) == []


def test_a_torn_line_is_skipped(folder: RunFolder) -> None:
    """The power failed while it was written."""
    folder.append_event({"step": 1})
    with (folder.path / "events.jsonl").open("a") as file:
        file.write('{"step": 2, "na')

    assert list(folder.events()) == [{"step": 1}]


def test_an_event_torn_within_a_character_is_skipped(folder: RunFolder) -> None:
    """The other events are kept."""
    folder.append_event({"step": 1})
    with (folder.path / "events.jsonl").open("ab") as file:
        file.write(b'{"title": "\xc3')

    assert list(folder.events()) == [{"step": 1}]


@pytest.mark.parametrize("back", ["TrainStarted", "TrainRolledBack"])
def test_repeated_steps_are_read_once(folder: RunFolder, back: str) -> None:
    """The file itself keeps all lines."""
    for step in range(5):
        folder.append_event({"step": step})
    folder.append_event({"event": back, "step": 2})
    folder.append_event({"step": 3})

    assert [event["step"] for event in folder.events()] == [0, 1, 2, 2, 3]
    assert len(folder.log.follow()[0]) == 7


def test_the_newest_checkpoint_is_loaded(folder: RunFolder) -> None:
    """Its tensors and counters are those saved."""
    assert step_of(folder) == 8


def test_the_last_two_checkpoints_are_kept(folder: RunFolder) -> None:
    """Step numbers of five digits sort correctly."""
    folder.save_checkpoint(10_000, {"w": torch.zeros(3)}, {"step": 0})

    assert names(folder) == [
        "step-00000008.json", "step-00000008.safetensors",
        "step-00010000.json", "step-00010000.safetensors",
    ]  # fmt: skip


def test_a_checkpoint_may_be_saved_again(folder: RunFolder) -> None:
    """The last step of a run may be a multiple of the interval."""
    folder.save_checkpoint(8, {"w": torch.full((3,), 8.0)}, {"step": 8})

    assert step_of(folder) == 8
    assert len(names(folder)) == 4


def _truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-4])


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _zeros(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _foreign(path: Path) -> None:
    path.write_text("[1, 2]")


def _nothing(path: Path) -> None:
    path.write_text("null")


def _nameless(path: Path) -> None:
    path.write_text(json.dumps({"step": 8}))


@pytest.mark.parametrize("suffix", [".json", ".safetensors"])
@pytest.mark.parametrize(
    "damage", [_truncate, _flip, _empty, _zeros, _foreign, _nothing, _nameless, Path.unlink]
)
def test_a_damaged_checkpoint_is_skipped(
    folder: RunFolder,
    damage: Callable[[Path], None],
    suffix: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The one before is loaded, and the log gives the reason unless it was never completed."""
    damage(folder.path / "checkpoints" / f"step-00000008{suffix}")

    with caplog.at_level(logging.WARNING):
        assert step_of(folder) == 4
    if damage is not Path.unlink or suffix != ".json":
        assert "is damaged" in caplog.text


def test_without_an_intact_checkpoint_there_is_none(folder: RunFolder) -> None:
    """Both are damaged, or none was saved."""
    for path in (folder.path / "checkpoints").glob("*.safetensors"):
        _flip(path)

    assert step_of(folder) is None
    assert RunFolder(folder.path / "other").latest_checkpoint() is None


def test_a_result_is_written_as_json(folder: RunFolder) -> None:
    """Numbers and nulls are kept."""
    folder.write_result({"valid": 0.5, "test": None})

    assert json.loads((folder.path / "result.json").read_text()) == {"valid": 0.5, "test": None}
