"""Tests of the event log, with one writer and several readers."""

from __future__ import annotations

import errno
import os
from io import FileIO
from pathlib import Path

import pytest

from musicrel import untrusted
from musicrel.errors import FileError
from musicrel.experiment.runs import event_log
from musicrel.experiment.runs.event_log import EventDict, EventLog, drop_repeated_steps


@pytest.fixture
def log(tmp_path: Path) -> EventLog:
    log = EventLog(tmp_path / "events.jsonl")
    log.append({"step": 1})
    log.append({"step": 2, "title": "♭"})
    return log


def test_a_follower_gets_every_event_once(log: EventLog) -> None:
    first, offset = log.follow()
    nothing, same = log.follow(offset)
    log.append({"step": 3})
    more, _ = log.follow(same)

    assert first == [{"step": 1}, {"step": 2, "title": "♭"}]
    assert (nothing, same) == ([], offset)
    assert more == [{"step": 3}]


def test_a_follower_opens_no_file_that_has_not_grown(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An observer of 500 runs asks for all of them each time."""
    log.append({"event": "A"})
    _, offset = log.follow()
    monkeypatch.setattr(untrusted, "opened", None)

    assert log.follow(offset) == ([], offset)


def test_a_follower_waits_for_the_end_of_a_line(log: EventLog) -> None:
    _, offset = log.follow()
    with log.path.open("ab") as file:
        file.write(b'{"step"')
        file.flush()
        before = log.follow(offset)
        file.write(b": 3}\n")
    after, _ = log.follow(offset)

    assert before == ([], offset)
    assert after == [{"step": 3}]


def test_a_follower_of_no_file_gets_nothing(tmp_path: Path) -> None:
    assert EventLog(tmp_path / "none").follow() == ([], 0)
    assert EventLog(tmp_path / "none").last() is None


def test_a_follower_starts_over_if_the_file_has_become_shorter(log: EventLog) -> None:
    _, offset = log.follow()
    log.path.write_text('{"step": 7}\n')

    assert log.follow(offset)[0] == [{"step": 7}]


def test_lines_that_are_no_events_are_skipped(log: EventLog) -> None:
    """Numbers, lists, invalid UTF-8, deep brackets, a line torn within a character."""
    with log.path.open("ab") as file:
        file.write(b'1\n[2]\n{"a\n\xff\xfe\n' + b"[" * 100_000 + b'\n{"step": 3}\n{"title": "\xc3')

    assert [event["step"] for event in log.events()] == [1, 2, 3]


def test_a_torn_line_is_truncated_before_more_is_written(log: EventLog) -> None:
    """Otherwise the next line would be lost with it; complete lines stay byte for byte."""
    whole = log.path.read_bytes()
    with log.path.open("ab") as file:
        file.write(b'{"step": 3, "na')

    log.repair()

    assert log.path.read_bytes() == whole
    log.append({"step": 3})
    assert [event["step"] for event in log.events()] == [1, 2, 3]


def test_repairing_a_missing_file_does_nothing(tmp_path: Path) -> None:
    EventLog(tmp_path / "none").repair()
    (tmp_path / "torn").write_bytes(b'{"st')
    EventLog(tmp_path / "torn").repair()

    assert not (tmp_path / "none").exists()
    assert (tmp_path / "torn").read_bytes() == b""


def test_the_last_event_is_found_in_a_long_file(log: EventLog) -> None:
    for step in range(3000):
        log.append({"step": step, "text": "x" * 50})

    assert log.last() == {"step": 2999, "text": "x" * 50}


def test_a_full_disk_leaves_complete_lines(log: EventLog, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = log.path.read_bytes()

    class Small(FileIO):
        def write(self, content: bytes) -> int:  # type: ignore[override]
            return super().write(content[:4])

    monkeypatch.setattr(event_log, "FileIO", Small)
    with pytest.raises(FileError, match=r"cannot write .*: No space left on device"):
        log.append({"step": 3})

    monkeypatch.undo()
    assert log.path.read_bytes() == whole


def test_a_file_that_cannot_be_read_is_named(
    log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(untrusted, "without_waiting", fail)
    with pytest.raises(FileError, match=r"cannot read .*events.jsonl: the disk cannot be read"):
        log.follow()


@pytest.mark.parametrize(
    "line",
    ['{"event": ["x"], "step": 1}', '{"step": "1"}', '{"step": true}', '{"step": -1}',
     '{"step": 1' + "0" * 400 + "}", '{"a": ' + "[" * 70 + "]" * 70 + "}"],
    ids=["a list", "a text", "a flag", "negative", "too large", "deep"],
)  # fmt: skip
def test_events_with_damaged_entries_are_skipped(log: EventLog, line: str) -> None:
    with log.path.open("a") as file:
        file.write(line + "\n")

    assert [event["step"] for event in log.events()] == [1, 2]


def test_a_rewind_without_a_step_drops_nothing() -> None:
    events: list[EventDict] = [{"event": "TrainStep", "step": 3}, {"event": "TrainStarted"}]

    assert drop_repeated_steps(events, frozenset({"TrainStarted"})) == events


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_a_pipe_is_no_log(tmp_path: Path) -> None:
    """Reading it would wait for a writer."""
    os.mkfifo(tmp_path / "events.jsonl")

    with pytest.raises(FileError, match=r"events.jsonl: it is a device or a pipe"):
        EventLog(tmp_path / "events.jsonl").follow()
