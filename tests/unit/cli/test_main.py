"""Exit codes and error sentences of the command line."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable

import pytest

from musicrel.cli import output
from musicrel.cli.commands import models
from musicrel.cli.main import main

Capture = pytest.CaptureFixture[str]


class FailingStream(io.StringIO):
    """A standard output whose writing, or else only its flushing, fails."""

    def __init__(self, error: OSError, *, buffered: bool) -> None:
        super().__init__()
        self._error = error
        self._buffered = buffered

    def write(self, text: str) -> int:
        if not self._buffered:
            raise self._error
        return len(text)

    def flush(self) -> None:
        raise self._error


def command_that(action: Callable[[], object]) -> Callable[[argparse.Namespace], int]:
    """Return a command's ``run`` that calls ``action``."""

    def run(options: argparse.Namespace) -> int:
        del options
        action()
        return 0

    return run


def os_error(code: int) -> OSError:
    return OSError(code, os.strerror(code))


@pytest.mark.parametrize("code", [errno.EPIPE, errno.EIO, errno.ENOSPC])
def test_an_error_of_the_system_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, code: int
) -> None:
    """Exit code 1; the pipe of another process is not our standard output."""

    def fail() -> None:
        raise os_error(code)

    monkeypatch.setattr(models, "run", command_that(fail))

    assert main(["models"]) == 1

    answer = capsys.readouterr()
    assert answer.err == f"musicrel models: the system reports: {os.strerror(code)}\n"


def test_output_stays_open_after_an_error_of_the_system(
    monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    """Text printed before and after the error is not lost."""

    def fail() -> None:
        output.print_text("before")
        raise os_error(errno.EIO)

    monkeypatch.setattr(models, "run", command_that(fail))
    main(["models"])
    output.print_text("after")
    sys.stdout.flush()

    assert capfd.readouterr().out == "before\nafter\n"


@pytest.mark.parametrize("buffered", [True, False])
@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        (errno.EPIPE, ""),
        (errno.ENOSPC, "musicrel: cannot write the output: No space left on device\n"),
    ],
)
def test_output_that_cannot_be_written_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, code: int, sentence: str, *, buffered: bool
) -> None:
    """Exit code 1; a reader that has gone needs no sentence."""
    monkeypatch.setattr(models, "run", command_that(lambda: output.print_text("a line")))
    monkeypatch.setattr(sys, "stdout", FailingStream(os_error(code), buffered=buffered))

    assert main(["models"]) == 1

    assert capsys.readouterr().err == sentence


def test_version_names_all_parts(capsys: Capture) -> None:
    """One line each; no command is needed."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["musicrel", "Python", "torch", "Qt"]
    assert all(line.split()[1][0].isdigit() for line in lines)
