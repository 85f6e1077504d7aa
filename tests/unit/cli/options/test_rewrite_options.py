"""``musicrel harmonise``, ``infill``, ``continue`` and ``vary``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import musicrel
from musicrel.chorale import RANGES, REST, Chorale, Voice
from musicrel.cli.main import main
from musicrel.model import checkpoint
from musicrel.score import files
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory
from tests.helpers.music import random_chorale

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save an infilling model with random weights."""
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    conditions = tuple(name for name in CONDITIONS if name != "voice")
    network = tiny_model(tiny_config("relative", conditions=conditions, family="infill"))
    checkpoint.save(folder, network, tiny_card(network))
    return folder


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """Write three bars, all voices in range, into a file."""
    path = tmp_path / "piece.json"
    random_chorale(4, 48, margin=2).write(path)
    return path


def run(capsys: Capture, model: Path, command: str, *words: object) -> Any:
    """Run a command with --json and return its answer."""
    options = [*map(str, words), "--model", str(model), "--device", "cpu", "--json"]
    code = main([command, *options, "--quality", "draft"])
    answer = capsys.readouterr()
    assert code == 0, answer.err
    return json.loads(answer.out)


def refusal(capsys: Capture, *words: object) -> str:
    """Run a command that fails and return its error message."""
    assert main([*map(str, words)]) in {1, 2}
    return capsys.readouterr().err


def melody(tmp_path: Path, *, higher: int = 0) -> Path:
    """Write two bars of a soprano into a file."""
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4) + higher
    path = tmp_path / "melody.json"
    Chorale.of(pitches, title="A tune").write(path)
    return path


def test_a_melody_gets_three_voices(model: Path, tmp_path: Path, capsys: Capture) -> None:
    """The melody is kept; the answer has the keys of every generating command."""
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
    """Candidates are then ranked by the cadences there."""
    out = tmp_path / "out.json"
    words = ("--phrases", "1,1", "--candidates", 2, "--cadence", "half", "--out", out)

    answer = run(capsys, model, "harmonise", melody(tmp_path), *words)

    assert np.flatnonzero(files.read(out).fermatas).tolist() == [*range(8, 16), *range(24, 32)]
    assert len(answer["candidates"][0]["cadences"]) == 2


@pytest.mark.parametrize(("higher", "moved"), [(24, -12), (16, 0), (15, 0), (-24, 24), (-1, 0)])
def test_a_melody_out_of_range_takes_the_choir_along(
    higher: int, moved: int, model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Near the range it sounds where it was written; farther away it is moved, with a message."""
    source, out = melody(tmp_path, higher=higher), tmp_path / "out.json"

    main(["harmonise", str(source), "--out", str(out), "--model", str(model), "--seed", "1"])

    made, given = files.read(out).pitches, files.read(source).pitches
    assert np.array_equal(made[:, 0], given[:, 0] + moved)
    assert ("it was transposed" in capsys.readouterr().err) == (moved != 0)
    assert made[made != REST].min() >= RANGES[Voice.BASS][0] - 2


def test_a_bundled_tune_is_harmonised_in_any_voice(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """It is named without a suffix; candidates are ranked."""
    words = ("frere-jacques", "--voice", "T", "--candidates", 2, "--out", f"{tmp_path}/")

    answer = run(capsys, model, "harmonise", *words)

    assert len(answer["files"]) == len(answer["candidates"]) == 2
    assert (files.read(Path(answer["files"][0])).pitches[:, 2] != REST).any()


def test_only_the_named_cells_change(
    model: Path, piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Pitches and onsets elsewhere are equal."""
    out = tmp_path / "out.json"

    run(capsys, model, "infill", piece, "--voices", "A,T", "--steps", "16:32", "--out", out)

    before, after = files.read(piece), files.read(out)
    differs = (before.pitches != after.pitches) | (before.onsets != after.onsets)
    assert differs.any()
    assert not differs[:, [0, 3]].any()
    assert not differs[:16].any()
    assert not differs[32:].any()


def test_a_piece_is_continued(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    """The piece is kept; new bars follow it."""
    out = tmp_path / "out.json"

    run(capsys, model, "continue", piece, "--bars", 2, "--out", out)

    before, after = files.read(piece), files.read(out)
    assert after.steps == before.steps + 32
    assert np.array_equal(after.pitches[: before.steps], before.pitches)


def test_a_piece_is_varied(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    """A small part of it changes, in the named voices."""
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
    """The melody is kept."""
    causal = tiny_model_directory(tmp_path / "causal")
    out = tmp_path / "out.json"

    run(capsys, causal, "harmonise", melody(tmp_path), "--candidates", 2, "--out", out)

    assert np.array_equal(files.read(out).pitches[:, 0], files.read(melody(tmp_path)).pitches[:, 0])


@pytest.fixture
def place(model: Path, piece: Path, tmp_path: Path) -> dict[str, str]:
    """Return the values of the placeholders in a command."""
    return {"PIECE": str(piece), "MODEL": str(model), "OUT": str(tmp_path / "out.json")}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("harmonise", "no-such-tune"), "there is no tune 'no-such-tune': expected one of"),
        (("harmonise", "ode-to-joy", "--voice", "A,T"), "--voice A,T names 2 voices: expected one"),
        (("harmonise", "ode-to-joy", "--voice", "X"), "'X' names no voices"),
        (("infill", "PIECE", "--voices", "Q"), "'Q' names no voices"),
        (("infill", "PIECE", "--steps", "9"), "'9' is not a range of steps: expected sixteenths"),
        (("infill", "PIECE", "--steps", "40:90"), "steps 40:90 are not in the piece"),
        (("vary", "PIECE", "--change", "2"), "change is 2.0: expected 0"),
        (("continue", "PIECE", "--bars", "0"), "bars is 0: expected 1 to 256"),
        (("infill", "PIECE", "--quality", "none"), "quality is 'none': expected draft"),
        (
            ("harmonise", "ode-to-joy", "--cadence", "half", "--quality", "draft"),
            "give a number above 1 with --candidates",
        ),
    ],
)
def test_impossible_options_are_refused_in_one_sentence(
    words: tuple[str, ...], sentence: str, place: dict[str, str], capsys: Capture
) -> None:
    """Nothing is written."""
    options = [place.get(word, word) for word in (*words, "--model", "MODEL", "--out", "OUT")]

    printed = refusal(capsys, *options)

    assert sentence in printed
    assert len(printed.strip().splitlines()) == 1
    assert not Path(place["OUT"]).exists()


def test_python_has_the_same_functions(model: Path, piece: Path) -> None:
    """``musicrel.harmonise`` and ``musicrel.infill``."""
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
    """The settings of the new piece name them."""
    out = tmp_path / "new.json"

    run(capsys, model, command, piece, "--mute", "2", "--mute-by", "zero", "--out", out)

    provenance = files.read(out).provenance
    assert provenance is not None
    assert (provenance.settings["mute"], provenance.settings["mute_by"]) == ("2", "zero")
