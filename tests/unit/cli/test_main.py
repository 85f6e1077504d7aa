"""Exit codes and error sentences of the command line."""

from __future__ import annotations

import argparse
import errno
import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import mido
import numpy as np
import pytest

import musicrel
from musicrel.chorale import RANGES, REST, Chorale, Meter, Voice
from musicrel.cli import output
from musicrel.cli.arguments import Command
from musicrel.cli.commands import checks
from musicrel.cli.main import main
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from tests.helpers.models import tiny_model_directory

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
    """Exit code 1; a reader that has gone needs no sentence."""
    monkeypatch.setitem(
        checks.COMMANDS, "models", Command(command_that(lambda: output.print_text("a line")))
    )
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


Run = Callable[..., tuple[int, str, str]]

_PARTS = {"Soprano": 72, "Alto": 67, "Tenor": 60, "Baritone": 55, "Bass": 48}
_LEFT_OUT = "Baritone was left out: only the four parts taken as the voices were kept"


def five_parts(path: Path, *, steps: int = 8) -> Path:
    file = mido.MidiFile(ticks_per_beat=480)
    for name, pitch in _PARTS.items():
        track = mido.MidiTrack([mido.MetaMessage("track_name", name=name)])
        for step in range(steps):
            track.append(mido.Message("note_on", note=pitch + step % 3))
            track.append(mido.Message("note_off", note=pitch + step % 3, time=480))
        file.tracks.append(track)
    path.parent.mkdir(exist_ok=True)
    file.save(path)
    return path


@pytest.fixture
def run(tmp_path: Path, capsys: Capture) -> Run:
    names = {
        "F": str(five_parts(tmp_path / "five.mid")),
        "M": str(tiny_model_directory(tmp_path / "model")),
        "OUT": str(tmp_path / "out"),
        "FOLDER": str(five_parts(tmp_path / "folder" / "a.mid", steps=4).parent),
    }

    def call(command: str) -> tuple[int, str, str]:
        for name, value in names.items():
            command = command.replace(f"{{{name}}}", value)
        code = main(command.split())
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


_WRITING = "--model {M} --quality draft --rules none --out {OUT}.json --json"


@pytest.mark.parametrize(
    "command",
    [
        "convert {F} {OUT}.musicxml", "convert {F} {OUT}.mid --practice all", "grade {F}",
        "grade {F} --json", f"infill {{F}} --voices A {_WRITING}", f"vary {{F}} {_WRITING}",
        f"continue {{F}} --bars 1 {_WRITING}", f"generate --prompt {{F}} --bars 3 {_WRITING}",
        f"generate --from {{F}} --rewrite alto {_WRITING}", "plot roll {F} --out {OUT}.svg",
        "ablate note {F} --note alto:1.3 --by zero --model {M} --json",
    ],
)  # fmt: skip
def test_a_command_reports_what_was_left_out_of_its_file(command: str, run: Run) -> None:
    code, out, err = run(command)
    assert code == 0, err
    assert err.count(_LEFT_OUT) == 1
    if "--json" in command:
        (sentence,) = json.loads(out)["report"]
        assert sentence.endswith(f"five.mid: {_LEFT_OUT}")


def test_harmonise_reports_which_line_was_taken(run: Run) -> None:
    code, out, err = run(f"harmonise {{F}} {_WRITING}")
    sentence = "five.mid: of its 5 lines with notes 'Soprano' was taken as the melody"
    assert (code, sentence in err) == (0, True)
    assert sentence in json.loads(out)["report"]


def test_evaluate_reports_the_files_of_a_folder(run: Run) -> None:
    code, out, err = run("evaluate --model counts --data folder:{FOLDER} --split train --json")
    assert (code, json.loads(out)["report"]) == (0, [f"a.mid: {_LEFT_OUT}"])
    assert err.splitlines() == [
        "1 of 1 files used: train 1, valid 0, test 0",
        f"a.mid: {_LEFT_OUT}",
    ]


@pytest.mark.parametrize("model", ["counts", "{M}"])
def test_evaluate_says_which_split_of_a_folder_has_pieces(model: str, run: Run) -> None:
    _, out, _ = run("convert {FOLDER}/a.mid {FOLDER}/b.json")
    code, out, err = run(f"evaluate --model {model} --data folder:{{FOLDER}}")
    assert (code, out) == (1, "")
    assert err.splitlines()[-1].endswith(
        "is empty (1 of 2 files used: train 1, valid 0, test 0; 1 with the same piece as another "
        "file): choose another with --split, as in --split train"
    )


def test_a_report_does_not_go_into_the_next_command(run: Run) -> None:
    run("grade {F} --json")
    code, out, _ = run("models --json")
    assert (code, "report" in json.loads(out)) == (0, False)


def test_the_python_interface_logs_a_report_that_it_does_not_return(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = five_parts(tmp_path / "five.mid")

    piece = musicrel.Chorale.read(path)

    assert caplog.messages == [f"five.mid: {_LEFT_OUT}"]
    assert files.import_satb(path) == ImportedPiece(chorale=piece, report=(_LEFT_OUT,))
    assert len(caplog.messages) == 1


QUARTER = 480
TUNE = [67, 69, 71, 72, 71, 69, 67, 67]


class Key(NamedTuple):
    """A note: start and stop in quarters, pitch, and the number of its track."""

    start: float
    stop: float
    pitch: int
    track: int = 0


def line(pitches: list[int], length: float = 1, start: float = 0) -> list[Key]:
    return [
        Key(start + place * length, start + (place + 1) * length, pitch)
        for place, pitch in enumerate(pitches)
    ]


def meter(quarter: float, numerator: int) -> tuple[float, mido.MetaMessage]:
    """Return a time signature over quarters, and its position."""
    return quarter, mido.MetaMessage("time_signature", numerator=numerator, denominator=4)


def tempo(quarter: float, value: float) -> tuple[float, mido.MetaMessage]:
    """Return a tempo in quarters per minute, and its position."""
    return quarter, mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(value))


def midi(path: Path, keys: list[Key], *messages: tuple[float, mido.MetaMessage]) -> Path:
    file = mido.MidiFile(ticks_per_beat=QUARTER)
    for number in range(max([key.track for key in keys], default=0) + 1):
        events: list[tuple[float, int, Any]] = [
            (at, 0, message) for at, message in messages if not number
        ]
        for start, stop, pitch, track in keys:
            if track == number:
                events.append((start, 2, mido.Message("note_on", note=pitch)))
                events.append(
                    (stop, 1 if stop > start else 3, mido.Message("note_off", note=pitch))
                )
        track_, now = mido.MidiTrack(), 0
        for at, _, message in sorted(events, key=lambda event: event[:2]):
            track_.append(message.copy(time=round(at * QUARTER) - now))
            now = round(at * QUARTER)
        file.tracks.append(track_)
    file.save(path)
    return path


PIANO = [
    *(Key(key.start, key.stop, key.pitch + lower, lower // -12) for key in line(TUNE)
      for lower in (0, -4, -12, -24)),
]  # fmt: skip


def harmonised(capsys: Capture, model: Path, source: Path, *words: str) -> tuple[Chorale, str]:
    """Harmonise ``source``; return the piece and the messages."""
    out = source.with_name("out.json")
    options = ["--model", str(model), "--quality", "draft", *words, "--out", str(out)]
    code = main(["harmonise", str(source), *options])
    printed = capsys.readouterr().err
    assert code == 0, printed
    return files.read(out), printed


@pytest.mark.parametrize(
    ("keys", "messages", "sentence"),
    [
        pytest.param(line([p - 36 for p in TUNE]), (), "transposed up by 3 octaves", id="too low"),
        pytest.param(line([p + 36 for p in TUNE]), (), "down by 3 octaves", id="too high"),
        pytest.param(
            line([24, 108, 36, 96]), (), "notes outside the range of the voice were transposed by "
            "octaves in bar 1", id="wide",
        ),
        pytest.param(
            [Key(k.start, k.stop, k.pitch - d) for k in line(TUNE) for d in (0, 4, 7)], (),
            "chords within one voice were reduced to the outer note in bars 1 and 2", id="chords",
        ),
        pytest.param(
            [Key(k.start, k.stop + 0.4, k.pitch) for k in line([67, 69, 71, 72])], (),
            "overlapping notes were shortened in bar 1", id="overlapping",
        ),
        pytest.param(
            [Key(k.start, k.start + k.start % 2, k.pitch) for k in line(TUNE)], (),
            "notes of zero length were left out in bars 1 and 2", id="without length",
        ),
        pytest.param(
            line(TUNE * 2), (meter(0, 4), meter(8, 3)),
            "meter changes (3/4 from bar 3) were dropped: 4/4 throughout", id="meters",
        ),
        pytest.param(
            line(TUNE * 2), (tempo(0, 120), tempo(8, 80)),
            "tempo changes in bar 3 were dropped: 120 throughout", id="tempos",
        ),
        pytest.param(
            line([60 + n for n in range(12)], 1 / 3), (), "(triplets?) were quantised in "
            "bar 1", id="triplets",
        ),
        pytest.param(
            PIANO, (), "of its 3 lines with notes the one on track 1", id="piano",
        ),
    ],
)  # fmt: skip
def test_changes_are_reported_and_the_rest_is_harmonised(
    keys: list[Key],
    messages: tuple[Any, ...],
    sentence: str,
    *,
    model: Path,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    piece, printed = harmonised(capsys, model, midi(tmp_path / "tune.mid", keys, *messages))
    assert sentence in printed
    assert (piece.pitches[:, 0] != REST).any()
    assert (piece.pitches[:, 1:] != REST).any()


def test_a_pickup_is_read_from_rests_or_a_short_bar(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    hymn = midi(tmp_path / "hymn.mid", line(TUNE, start=2), meter(0, 3))
    first, printed = harmonised(capsys, model, hymn)
    assert (first.pickup, first.meter, first.steps) == (4, Meter(3, 4), 32)
    assert printed == "hymn.mid: 2 quarters of silence before the first note were removed\n"

    pickup = midi(tmp_path / "pickup.mid", line(TUNE), meter(0, 1), meter(1, 3))
    second, printed = harmonised(capsys, model, pickup)
    assert (second.pickup, second.meter, second.steps, printed) == (4, Meter(3, 4), 32, "")


@pytest.mark.parametrize("keys", [[], [Key(n, n, 60) for n in range(4)]], ids=["empty", "lengths"])
def test_a_file_without_notes_is_refused(
    keys: list[Key], model: Path, tmp_path: Path, capsys: Capture
) -> None:
    source = midi(tmp_path / "tune.mid", keys)
    words = ["--model", str(model), "--out", str(tmp_path / "out.mid")]
    assert main(["harmonise", str(source), *words]) == 1
    assert "it has no notes: expected a melody" in capsys.readouterr().err
    assert not (tmp_path / "out.mid").exists()


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """Write forty minutes at 120 quarters per minute."""
    return midi(tmp_path / "long.mid", line(TUNE * 600))


def test_a_passage_of_forty_minutes_is_rewritten(
    long_file: Path, model: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.json"
    words = ["--voices", "A,T", "--steps", "0:16", "--quality", "draft", "--out", str(out)]
    assert main(["infill", str(long_file), "--model", str(model), *words]) == 0

    printed = capsys.readouterr().err
    assert "too long for a piece: the first 16,384 were kept" in printed
    assert "long.mid: it is too long, only its first 255 bars are used" in printed
    piece = files.read(out)
    assert piece.bars == 255
    low, high = RANGES[Voice.ALTO]
    alto = piece.pitches[:, Voice.ALTO]
    assert np.isin(alto, [REST, *range(low, high + 1)]).all()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["continue", "LONG"], "the piece would have 1,028 bars: expected at most 256 of 4/4"),
        (
            ["generate", "--from", "LONG", "--rewrite", "alto:1"],
            "the piece has 1,024 bars: expected at most 256 of 4/4",
        ),
    ],
)
def test_forty_minutes_are_too_long_to_continue_or_rewrite(
    words: list[str],
    sentence: str,
    *,
    long_file: Path,
    model: Path,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    options = [str(long_file) if word == "LONG" else word for word in words]
    code = main([*options, "--model", str(model), "--out", str(tmp_path / "out.mid")])
    assert code == 2
    assert sentence in capsys.readouterr().err
