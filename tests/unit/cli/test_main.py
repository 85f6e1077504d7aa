"""Exit codes and error sentences of the command line."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import musicrel
from musicrel.cli import output
from musicrel.cli.arguments import Command
from musicrel.cli.commands import checks
from musicrel.cli.main import main
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from tests.unit.cli.conftest import Place, write_five_parts

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
    def fail() -> None:
        raise os_error(code)

    monkeypatch.setitem(checks.COMMANDS, "models", Command(command_that(fail)))

    assert main(["models"]) == 1

    answer = capsys.readouterr()
    assert answer.err == f"musicrel models: the system reports: {os.strerror(code)}\n"


def test_output_stays_open_after_an_error_of_the_system(
    monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    def fail() -> None:
        output.print_text("before")
        raise os_error(errno.EIO)

    monkeypatch.setitem(checks.COMMANDS, "models", Command(command_that(fail)))
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
    monkeypatch.setitem(
        checks.COMMANDS, "models", Command(command_that(lambda: output.print_text("a line")))
    )
    monkeypatch.setattr(sys, "stdout", FailingStream(os_error(code), buffered=buffered))
    assert main(["models"]) == 1
    assert capsys.readouterr().err == sentence


def test_version_names_all_parts(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert ended.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["musicrel", "Python", "torch", "Qt"]
    assert all(line.split()[1][0].isdigit() for line in lines)


LEFT_OUT = "Baritone was left out: only the four parts taken as the voices were kept"
WRITING = "--model tiny --quality draft --rules none --out out.json --json"


@pytest.mark.parametrize(
    "command",
    [
        "convert five.mid out.musicxml", "convert five.mid out.mid --practice all",
        "grade five.mid", "grade five.mid --json", f"infill five.mid --voices A {WRITING}",
        f"vary five.mid {WRITING}", f"continue five.mid --bars 1 {WRITING}",
        f"generate --prompt five.mid --bars 3 {WRITING}",
        f"generate --from five.mid --rewrite alto {WRITING}", "plot roll five.mid --out out.svg",
        "ablate note five.mid --note alto:1.3 --by zero --model tiny --json",
    ],
)  # fmt: skip
def test_a_command_reports_what_was_left_out_of_its_file(command: str, here: Place) -> None:
    answer = here.run(command)
    assert answer.err.count(LEFT_OUT) == 1
    if "--json" in command:
        assert answer.json["report"] == [f"five.mid: {LEFT_OUT}"]


def test_harmonise_reports_which_line_was_taken(here: Place) -> None:
    answer = here.run(f"harmonise five.mid {WRITING}")
    sentence = "five.mid: of its 5 lines with notes 'Soprano' was taken as the melody"
    assert sentence in answer.err
    assert sentence in answer.json["report"]


@pytest.fixture
def folder(here: Place) -> None:
    (here.folder / "songs").mkdir()
    write_five_parts(here.folder / "songs/a.mid", steps=4)


@pytest.mark.usefixtures("folder")
def test_evaluate_reports_the_files_of_a_folder(here: Place) -> None:
    answer = here.run("evaluate --model counts --data folder:songs --split train --json")
    read = f"a.mid: no key, 4/4, 1 bar, 4 voices; for training; {LEFT_OUT}"
    assert answer.json["report"] == [read]
    assert answer.err.splitlines() == ["1 of 1 files used: train 1, valid 0, test 0", read]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("model", ["counts", "tiny"])
def test_evaluate_says_which_split_of_a_folder_has_pieces(model: str, here: Place) -> None:
    here.run("convert songs/a.mid songs/b.json")
    answer = here.run(f"evaluate --model {model} --data folder:songs", code=1)
    assert answer.out == ""
    assert answer.err.splitlines()[-1].endswith(
        "is empty (1 of 2 files used: train 1, valid 0, test 0; 1 with the same piece as another "
        "file): choose another with --split, as in --split train"
    )


def test_a_report_does_not_go_into_the_next_command(here: Place) -> None:
    here.run("grade five.mid --json")
    assert "report" not in here.json("models")


@pytest.mark.usefixtures("here")
def test_the_python_interface_logs_a_report_that_it_does_not_return(
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = Path("five.mid")
    piece = musicrel.Chorale.read(path)
    assert caplog.messages == [f"five.mid: {LEFT_OUT}"]
    assert files.import_satb(path) == ImportedPiece(chorale=piece, report=(LEFT_OUT,))
    assert len(caplog.messages) == 1
