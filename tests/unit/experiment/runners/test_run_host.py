"""Tests of copies of run folders between machines."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from musicrel import paths
from musicrel.errors import FileError
from musicrel.experiment.runners import run_host
from musicrel.experiment.runners.run_host import Changes, Outbox, RunHost
from musicrel.experiment.runs.event_log import EventLog


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    (folder / "checkpoints").mkdir(parents=True)
    (folder / "checkpoints" / "step-1.json").write_text("{}")
    (folder / "recipe.toml").write_text("")
    EventLog(folder / "events.jsonl").append({"event": "A"})
    return folder


@pytest.fixture
def copy(tmp_path: Path, run: Path) -> Path:
    run_host.write_all(tmp_path / "copy", run_host.read_all(run))
    return tmp_path / "copy"


def test_a_copy_follows_every_change(run: Path, copy: Path) -> None:
    outbox = Outbox(run)

    (run / "best").mkdir()
    (run / "best" / "model.bin").write_bytes(b"weights")
    (run / "checkpoints" / "step-1.json").unlink()
    EventLog(run / "events.jsonl").append({"event": "B"})
    run_host.apply(copy, outbox.changes())
    assert contents(copy) == contents(run)

    (run / "best" / "model.bin").write_bytes(b"better weights")
    EventLog(run / "events.jsonl").append({"event": "C"})
    changes = outbox.changes()
    run_host.apply(copy, changes)
    assert contents(copy) == contents(run)
    assert changes.lines == {"events.jsonl": (30, b'{"event": "C"}\n')}
    assert outbox.changes() == Changes(lines={}, files={}, removed=())


def test_a_folder_that_is_deleted_on_the_node_leaves_the_copy_as_it_is(
    run: Path, copy: Path
) -> None:
    """A cleaner of temporary files must not reach the folder of the study."""
    outbox, before = Outbox(run), contents(copy)
    shutil.rmtree(run)

    run_host.apply(copy, outbox.changes())

    assert contents(copy) == before


def test_an_incomplete_line_is_sent_when_it_is_complete(run: Path, copy: Path) -> None:
    outbox = Outbox(run)
    with (run / "events.jsonl").open("ab") as file:
        file.write(b'{"event": ')
        file.flush()
        run_host.apply(copy, outbox.changes())
        assert contents(copy)["events.jsonl"] == b'{"event": "A"}\n'
        file.write(b'"B"}\n')
    run_host.apply(copy, outbox.changes())

    assert contents(copy) == contents(run)


def test_a_line_that_a_crash_left_incomplete_is_dropped_from_the_copy(
    run: Path, copy: Path
) -> None:
    with (copy / "events.jsonl").open("ab") as file:
        file.write(b'{"event": "half')

    run_host.apply(copy, Outbox(run).changes())

    assert contents(copy) == contents(run)


def test_locks_and_requests_stay_where_they_are(run: Path) -> None:
    for name in ("writer.lock", "writer.alive", "control.jsonl", ".step-2.json"):
        (run / name).write_text("own")

    assert run_host.read_all(run).keys() == {
        "events.jsonl", "recipe.toml", "checkpoints/step-1.json",
    }  # fmt: skip


def test_the_result_is_written_last(run: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outbox = Outbox(run)
    for name in ("result.json", "step-2.json", "step-2.safetensors"):
        (run / name).write_text("2")
    written: list[str] = []
    monkeypatch.setattr(paths, "write_bytes", lambda path, _: written.append(path.name))

    run_host.apply(copy, outbox.changes())

    assert written == ["step-2.safetensors", "step-2.json", "result.json"]


@pytest.mark.parametrize("name", ["../stolen", "/stolen", ""])
def test_a_path_that_leads_out_of_the_folder_is_refused(copy: Path, name: str) -> None:
    with pytest.raises(FileError, match="expected one inside the run's folder"):
        run_host.apply(copy, Changes(lines={}, files={name: b"x"}, removed=()))


def test_a_deleted_copy_is_not_created_again(tmp_path: Path, run: Path) -> None:
    with pytest.raises(FileError, match="was deleted: the run cannot continue"):
        run_host.apply(tmp_path / "gone", Outbox(run).changes())


def test_a_folder_that_a_node_does_not_have_is_named() -> None:
    answer = RunHost(node="near").start("/nowhere/run", (), None)

    assert answer.problem.startswith("the node near has no folder /nowhere/run: put the study on")


def test_a_program_that_a_node_does_not_have_is_named(tmp_path: Path) -> None:
    host = RunHost(("/nowhere/python", "-m", "musicrel"), node="near")

    answer = host.start(str(tmp_path), (), None)

    assert answer.problem.startswith("cannot start the run: ")
    assert "/nowhere/python" in answer.problem
