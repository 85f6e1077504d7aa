"""Every command that reads a file reports what was changed or left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import mido
import pytest

import musicrel
from musicrel.cli.main import main
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from tests.helpers.models import tiny_model_directory

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]

_PARTS = {"Soprano": 72, "Alto": 67, "Tenor": 60, "Baritone": 55, "Bass": 48}
_LEFT_OUT = "Baritone was left out: only the four parts taken as the voices were kept"


def five_parts(path: Path, *, steps: int = 8) -> Path:
    """Write a MIDI file of five voices."""
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
    """Return a function that runs a command on the file F, with the model M."""
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
        "convert {F} {OUT}.musicxml",
        "convert {F} {OUT}.mid --practice all",
        "grade {F}",
        "grade {F} --json",
        f"infill {{F}} --voices A {_WRITING}",
        f"vary {{F}} {_WRITING}",
        f"continue {{F}} --bars 1 {_WRITING}",
        f"generate --prompt {{F}} --bars 3 {_WRITING}",
        f"generate --from {{F}} --rewrite alto {_WRITING}",
        "plot roll {F} --out {OUT}.svg",
        "ablate note {F} --note alto:1.3 --by zero --model {M} --json",
    ],
)
def test_a_command_reports_what_was_left_out_of_its_file(command: str, run: Run) -> None:
    """Once, on standard error and in the JSON object."""
    code, out, err = run(command)

    assert code == 0, err
    assert err.count(_LEFT_OUT) == 1
    if "--json" in command:
        (sentence,) = json.loads(out)["report"]
        assert sentence.endswith(f"five.mid: {_LEFT_OUT}")


def test_harmonise_reports_which_line_was_taken(run: Run) -> None:
    """The other four are not used."""
    code, out, err = run(f"harmonise {{F}} {_WRITING}")

    sentence = "five.mid: of its 5 lines with notes 'Soprano' was taken as the melody"
    assert (code, sentence in err) == (0, True)
    assert sentence in json.loads(out)["report"]


def test_evaluate_reports_the_files_of_a_folder(run: Run) -> None:
    """The command lists those used, and the changes."""
    code, out, err = run("evaluate --model counts --data folder:{FOLDER} --split train --json")

    assert (code, json.loads(out)["report"]) == (0, [f"a.mid: {_LEFT_OUT}"])
    assert err.splitlines() == [
        "1 of 1 files used: train 1, valid 0, test 0",
        f"a.mid: {_LEFT_OUT}",
    ]


@pytest.mark.parametrize("model", ["counts", "{M}"])
def test_evaluate_says_which_split_of_a_folder_has_pieces(model: str, run: Run) -> None:
    """Equal pieces are counted, and --split is named."""
    _, out, _ = run("convert {FOLDER}/a.mid {FOLDER}/b.json")

    code, out, err = run(f"evaluate --model {model} --data folder:{{FOLDER}}")

    assert (code, out) == (1, "")
    assert err.splitlines()[-1].endswith(
        "is empty (1 of 2 files used: train 1, valid 0, test 0; 1 with the same piece as another "
        "file): choose another with --split, as in --split train"
    )


def test_a_report_does_not_go_into_the_next_command(run: Run) -> None:
    """Nor does a file without changes have one."""
    run("grade {F} --json")

    code, out, _ = run("models --json")

    assert (code, "report" in json.loads(out)) == (0, False)


def test_the_python_interface_logs_a_report_that_it_does_not_return(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """``import_satb`` returns it."""
    path = five_parts(tmp_path / "five.mid")

    piece = musicrel.Chorale.read(path)

    assert caplog.messages == [f"five.mid: {_LEFT_OUT}"]
    assert files.import_satb(path) == ImportedPiece(chorale=piece, report=(_LEFT_OUT,))
    assert len(caplog.messages) == 1
