"""A run as a folder."""

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
    """A run that has begun and has two checkpoints."""
    run = RunFolder(tmp_path / "run")
    run.begin("name = 1\n")
    for step in (4, 8):
        run.save_checkpoint(step, {"w": torch.full((3,), float(step))}, {"step": step})
    return run


def test_a_run_does_not_begin_in_the_folder_of_a_study(tmp_path: Path) -> None:
    """Their events would be mixed."""
    (tmp_path / "study.toml").write_text("")

    with pytest.raises(UsageError, match="holds a study: choose another --out, of the run alone"):
        RunFolder(tmp_path).begin("name = 1\n")
    assert [path.name for path in tmp_path.iterdir()] == ["study.toml"]


def names(folder: RunFolder) -> list[str]:
    """The files of all checkpoints."""
    return sorted(path.name for path in (folder.path / "checkpoints").iterdir())


def step_of(folder: RunFolder) -> int | None:
    """Which checkpoint is the newest that is whole."""
    state = folder.latest_checkpoint()
    if state is None:
        return None
    tensors, counters = state
    assert tensors["w"].tolist() == [counters["step"]] * 3
    return int(counters["step"])


def test_a_run_begins_with_its_recipe(folder: RunFolder) -> None:
    """So that it can be resumed by its folder alone."""
    assert folder.recipe_toml() == "name = 1\n"


def test_a_second_run_does_not_begin_in_it(folder: RunFolder) -> None:
    """With both ways out."""
    with pytest.raises(
        UsageError, match="holds a run already: go on with --resume, or choose another --out"
    ):
        folder.begin("name = 2\n")
    assert folder.recipe_toml() == "name = 1\n"


def test_a_folder_without_a_run_cannot_be_resumed(tmp_path: Path) -> None:
    """There or not."""
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(UsageError, match="holds no run to resume: start it without --resume"):
            RunFolder(path).recipe_toml()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Here a file stands in its place."""
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*file/run/run.json"):
        RunFolder(tmp_path / "file" / "run").begin("")


def test_events_come_back_in_order(folder: RunFolder) -> None:
    """A line each."""
    events: list[dict[str, Any]] = [{"event": "A", "step": 1}, {"event": "B", "notes": ["♭"]}]
    for event in events:
        folder.append_event(event)

    assert folder.events() == events


def test_before_the_first_event_there_are_none(folder: RunFolder) -> None:
    """The file need not exist."""
    assert list(folder.events()) == []


def test_a_line_that_was_cut_off_is_left_out(folder: RunFolder) -> None:
    """The power failed while it was written."""
    folder.append_event({"step": 1})
    with (folder.path / "events.jsonl").open("a") as file:
        file.write('{"step": 2, "na')

    assert list(folder.events()) == [{"step": 1}]


def test_an_event_cut_within_a_letter_is_left_out(folder: RunFolder) -> None:
    """Bytes of half a letter are no reason to lose the others."""
    folder.append_event({"step": 1})
    with (folder.path / "events.jsonl").open("ab") as file:
        file.write(b'{"title": "\xc3')

    assert list(folder.events()) == [{"step": 1}]


@pytest.mark.parametrize("back", ["TrainStarted", "TrainRolledBack"])
def test_steps_that_are_made_again_stand_once(folder: RunFolder, back: str) -> None:
    """The file only grows; what holds is read out of it."""
    for step in range(5):
        folder.append_event({"step": step})
    folder.append_event({"event": back, "step": 2})
    folder.append_event({"step": 3})

    assert [event["step"] for event in folder.events()] == [0, 1, 2, 2, 3]
    assert len(folder.follow()[0]) == 7


def test_a_checkpoint_comes_back(folder: RunFolder) -> None:
    """The newest."""
    assert step_of(folder) == 8


def test_the_last_two_checkpoints_are_kept(folder: RunFolder) -> None:
    """Ten thousand steps are still in order."""
    folder.save_checkpoint(10_000, {"w": torch.zeros(3)}, {"step": 0})

    assert names(folder) == [
        "step-00000008.json", "step-00000008.safetensors",
        "step-00010000.json", "step-00010000.safetensors",
    ]  # fmt: skip


def test_a_checkpoint_may_be_written_again(folder: RunFolder) -> None:
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
def test_a_damaged_checkpoint_is_passed_over(
    folder: RunFolder,
    damage: Callable[[Path], None],
    suffix: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The one before is taken, and the log says why; a table that is missing was never written."""
    damage(folder.path / "checkpoints" / f"step-00000008{suffix}")

    with caplog.at_level(logging.WARNING):
        assert step_of(folder) == 4
    if damage is not Path.unlink or suffix != ".json":
        assert "is damaged" in caplog.text


def test_without_a_whole_checkpoint_there_is_none(folder: RunFolder) -> None:
    """Both are damaged, or none was written."""
    for path in (folder.path / "checkpoints").glob("*.safetensors"):
        _flip(path)

    assert step_of(folder) is None
    assert RunFolder(folder.path / "other").latest_checkpoint() is None


def test_a_result_says_the_run_is_done(folder: RunFolder) -> None:
    """As JSON."""
    folder.write_result({"valid": 0.5, "test": None})

    assert json.loads((folder.path / "result.json").read_text()) == {"valid": 0.5, "test": None}
