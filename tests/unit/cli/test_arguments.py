"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import musicrel
from musicrel.chorale import RANGES, REST, Chorale, Voice
from musicrel.cli import arguments
from musicrel.cli.arguments import Command
from musicrel.cli.commands import training, writing
from musicrel.cli.main import main
from musicrel.experiment.runners.runner_choice import AUTO, RAY, RunnerChoice
from musicrel.score import files
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale

REQUIRED = {
    "generate": (), "harmonise": ("tune.mid",), "infill": ("piece.mid",),
    "continue": ("piece.mid",), "vary": ("piece.mid",),
}  # fmt: skip
"""Commands with a quality, and their positional arguments."""


def parse(monkeypatch: pytest.MonkeyPatch, command: str, *words: str) -> argparse.Namespace:
    parsed: list[argparse.Namespace] = []

    def run(options: argparse.Namespace) -> int:
        parsed.append(options)
        return 0

    monkeypatch.setitem(writing.COMMANDS, command, writing.COMMANDS[command]._replace(run=run))
    assert main([command, *REQUIRED[command], "--out", "x.mid", *words]) == 0
    return parsed[0]


@pytest.mark.parametrize("command", REQUIRED)
@pytest.mark.parametrize(
    ("words", "quality"),
    [
        ((), "normal"), (("--quality", "draft"), "draft"), (("--quality", "high"), "high"),
        (("--quality", "careful"), "high"), (("--patience", "draft"), "draft"),
        (("--patience", "careful"), "high"),
    ],
)  # fmt: skip
def test_quality_is_read_by_both_its_names(
    monkeypatch: pytest.MonkeyPatch, command: str, words: tuple[str, ...], quality: str
) -> None:
    """Version 1 had ``--patience`` with ``careful`` for ``high``."""
    assert parse(monkeypatch, command, *words).quality == quality


@pytest.mark.parametrize("command", REQUIRED)
def test_the_help_has_the_new_name_of_quality_only(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    text = capsys.readouterr().out
    assert "--quality" in text
    assert "patience" not in text
    assert "careful" not in text


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    arguments.add(parser, Command(None, (*training.RUNNER, *arguments.DEVICE)))
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("", RunnerChoice()),
        ("--jobs 3", RunnerChoice(jobs=3)),
        ("--jobs auto", RunnerChoice(jobs=AUTO)),
        ("--runner here", RunnerChoice()),
        ("--runner ray", RunnerChoice(runner=RAY, jobs=AUTO)),
        ("--runner ray --jobs 9 --address head:1 --fetch --gpus 0.5",
         RunnerChoice(runner=RAY, jobs=9, address="head:1", fetch=True, gpus=0.5)),
    ],
)  # fmt: skip
def test_the_folder_keeps_the_runner_of_the_command_line(words: str, chosen: RunnerChoice) -> None:
    assert training.kept_choice(options(*words.split())) == chosen
    assert training.kept_choice(options(*chosen.options)) == chosen


Capture = pytest.CaptureFixture[str]


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    path = tmp_path / "piece.json"
    random_chorale(4, 48, margin=2).write(path)
    return path


def run(capsys: Capture, model: Path, command: str, *words: object) -> Any:
    options = [*map(str, words), "--model", str(model), "--device", "cpu", "--json"]
    code = main([command, *options, "--quality", "draft"])
    answer = capsys.readouterr()
    assert code == 0, answer.err
    return json.loads(answer.out)


def melody(tmp_path: Path, *, higher: int = 0) -> Path:
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4) + higher
    path = tmp_path / "melody.json"
    Chorale.of(pitches, title="A tune").write(path)
    return path


def test_a_melody_gets_three_voices(model: Path, tmp_path: Path, capsys: Capture) -> None:
    source, out = melody(tmp_path), tmp_path / "out.json"

    answer = run(capsys, model, "harmonise", source, "--out", out)

    harmonised, original = files.read(out), files.read(source)
    assert np.array_equal(harmonised.pitches[:, 0], original.pitches[:, 0])
    assert np.array_equal(harmonised.onsets[:, 0], original.onsets[:, 0])
    assert (harmonised.pitches[:, 1:] != REST).any()
    assert harmonised.title == "A tune"
    assert answer["files"] == [str(out)]
    assert {"model", "seed", "device", "threads", "tokens", "seconds"} <= set(answer)
    assert answer["tokens_per_second"] > 0
    assert answer["nats_per_note"] > 0


def test_phrases_replace_the_fermatas_of_a_melody(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.json"
    words = ("--phrases", "1,1", "--candidates", 2, "--cadence", "half", "--out", out)

    answer = run(capsys, model, "harmonise", melody(tmp_path), *words)

    assert np.flatnonzero(files.read(out).fermatas).tolist() == [*range(8, 16), *range(24, 32)]
    assert len(answer["candidates"][0]["cadences"]) == 2


@pytest.mark.parametrize(("higher", "moved"), [(24, -12), (16, 0), (15, 0), (-24, 24), (-1, 0)])
def test_a_melody_out_of_range_takes_the_choir_along(
    higher: int, moved: int, model: Path, tmp_path: Path, capsys: Capture
) -> None:
    source, out = melody(tmp_path, higher=higher), tmp_path / "out.json"

    main(["harmonise", str(source), "--out", str(out), "--model", str(model), "--seed", "1"])

    made, given = files.read(out).pitches, files.read(source).pitches
    assert np.array_equal(made[:, 0], given[:, 0] + moved)
    assert ("it was transposed" in capsys.readouterr().err) == (moved != 0)
    assert made[made != REST].min() >= RANGES[Voice.BASS][0] - 2


def test_a_bundled_tune_is_harmonised_in_any_voice(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("frere-jacques", "--voice", "T", "--candidates", 2, "--out", f"{tmp_path}/")
    answer = run(capsys, model, "harmonise", *words)
    assert len(answer["files"]) == len(answer["candidates"]) == 2
    assert (files.read(Path(answer["files"][0])).pitches[:, 2] != REST).any()


def test_only_the_named_cells_change(
    model: Path, piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "out.json"

    run(capsys, model, "infill", piece, "--voices", "A,T", "--steps", "16:32", "--out", out)

    before, after = files.read(piece), files.read(out)
    differs = (before.pitches != after.pitches) | (before.onsets != after.onsets)
    assert differs.any()
    assert not differs[:, [0, 3]].any()
    assert not differs[:16].any()
    assert not differs[32:].any()


def test_a_piece_is_continued(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out.json"

    run(capsys, model, "continue", piece, "--bars", 2, "--out", out)

    before, after = files.read(piece), files.read(out)
    assert after.steps == before.steps + 32
    assert np.array_equal(after.pitches[: before.steps], before.pitches)


def test_a_piece_is_varied(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out.json"

    run(capsys, model, "vary", piece, "--change", 0.2, "--voices", "B", "--out", out)

    differs = files.read(piece).pitches != files.read(out).pitches
    assert 0 < differs[:, 3].mean() < 0.4
    assert not differs[:, :3].any()


def test_an_infilling_model_generates_pieces(model: Path, tmp_path: Path, capsys: Capture) -> None:
    """``generate`` answers as with any model; Python gives the same notes for the same seed."""
    answer = run(capsys, model, "generate", "--bars", 2, "--count", 2, "--out", f"{tmp_path}/")

    first, second = (files.read(Path(name)) for name in answer["files"])
    assert [Path(name).name for name in answer["files"]] == ["chorale-0.mid", "chorale-1.mid"]
    assert (first.steps, first.title) == (32, "Chorale 0")
    assert not np.array_equal(first.pitches, second.pitches)
    assert answer["nats_per_note"] > 0
    assert answer["tokens"] >= 2 * 32 * 4
    again = musicrel.generate(model, bars=2, quality="draft")
    assert np.array_equal(again.pitches, first.pitches)
    assert again.provenance is not None
    assert again.provenance.settings["quality"] == "draft"


def test_a_causal_model_harmonises(tmp_path: Path, capsys: Capture) -> None:
    causal = tiny_model_directory(tmp_path / "causal")
    out = tmp_path / "out.json"
    run(capsys, causal, "harmonise", melody(tmp_path), "--candidates", 2, "--out", out)
    assert np.array_equal(files.read(out).pitches[:, 0], files.read(melody(tmp_path)).pitches[:, 0])


def test_python_has_the_same_functions(model: Path, piece: Path) -> None:
    harmonised = musicrel.harmonise("ode-to-joy", model=model, quality="draft", seed=3)
    result = musicrel.infill(
        piece, voices="A", steps=(0, 8), model=model, quality="draft", candidates=2
    )

    assert isinstance(harmonised, Chorale)
    assert np.array_equal(harmonised.pitches[:, 0], files.read(_tune()).pitches[:, 0])
    assert len(result.ranked) == 2


def _tune() -> Path:
    from musicrel.corpus import melodies

    return melodies.path("ode-to-joy")


@pytest.mark.parametrize("command", ["infill", "vary", "continue"])
def test_heads_are_muted_while_a_piece_is_rewritten(
    command: str, model: Path, piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "new.json"

    run(capsys, model, command, piece, "--mute", "2", "--mute-by", "zero", "--out", out)

    provenance = files.read(out).provenance
    assert provenance is not None
    assert (provenance.settings["mute"], provenance.settings["mute_by"]) == ("2", "zero")
