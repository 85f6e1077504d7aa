"""``musicrel harmonise``, ``infill``, ``continue`` and ``vary``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import musicrel
from musicrel.chorale import REST, Chorale
from musicrel.cli.main import main
from musicrel.model import checkpoint
from musicrel.score import files
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory
from tests.helpers.music import random_chorale

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sees both sides; weights by chance."""
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    told = tuple(name for name in CONDITIONS if name != "voice")
    network = tiny_model(tiny_config("relative", told=told, family="infill"))
    checkpoint.save(folder, network, tiny_card(network))
    return folder


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """Three bars that all voices can sing, in a file."""
    path = tmp_path / "piece.json"
    random_chorale(4, 48, margin=2).write(path)
    return path


def said(capsys: Capture, model: Path, command: str, *words: object) -> Any:
    """What the command answers."""
    given = [command, *map(str, words), "--model", str(model), "--device", "cpu", "--json"]
    code = main([*given, "--patience", "draft"])
    answer = capsys.readouterr()
    assert code == 0, answer.err
    return json.loads(answer.out)


def refusal(capsys: Capture, *words: object) -> str:
    """The sentence that goes with an exit code other than 0."""
    assert main([*map(str, words)]) in {1, 2}
    return capsys.readouterr().err


def melody(tmp_path: Path, *, higher: int = 0) -> Path:
    """Two bars of a soprano, in a file."""
    pitches = np.full((32, 4), REST)
    pitches[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4) + higher
    path = tmp_path / "melody.json"
    Chorale.of(pitches, title="A tune").write(path)
    return path


def test_a_melody_gets_three_voices(model: Path, tmp_path: Path, capsys: Capture) -> None:
    """It stays note for note; the answer has what every writing command answers."""
    source, out = melody(tmp_path), tmp_path / "out.json"

    answer = said(capsys, model, "harmonise", source, "--out", out)

    made, given = files.read(out), files.read(source)
    assert np.array_equal(made.pitches[:, 0], given.pitches[:, 0])
    assert np.array_equal(made.onsets[:, 0], given.onsets[:, 0])
    assert (made.pitches[:, 1:] != REST).any()
    assert made.title == "A tune"
    assert answer["files"] == [str(out)]
    assert {"model", "seed", "device", "threads", "tokens", "seconds"} <= set(answer)
    assert answer["tokens_per_second"] > 0
    assert answer["nats_per_note"] > 0


def test_phrases_may_be_given_to_a_melody(model: Path, tmp_path: Path, capsys: Capture) -> None:
    """They end with fermatas, at which cadences may be wished for."""
    out = tmp_path / "out.json"
    words = ("--phrases", "1,1", "--candidates", 2, "--cadence", "half", "--out", out)

    answer = said(capsys, model, "harmonise", melody(tmp_path), *words)

    assert np.flatnonzero(files.read(out).fermatas).tolist() == [*range(8, 16), *range(24, 32)]
    assert len(answer["candidates"][0]["cadences"]) == 2


def test_a_melody_out_of_range_comes_back_where_it_was(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """It is sung where the voice can sing it, and written where it stood."""
    source, out = melody(tmp_path, higher=24), tmp_path / "out.json"

    said(capsys, model, "harmonise", source, "--out", out)

    assert np.array_equal(files.read(out).pitches[:, 0], files.read(source).pitches[:, 0])


def test_a_bundled_tune_is_given_to_any_voice(model: Path, tmp_path: Path, capsys: Capture) -> None:
    """By its name; candidates are ranked."""
    words = ("frere-jacques", "--voice", "T", "--candidates", 2, "--out", f"{tmp_path}/")

    answer = said(capsys, model, "harmonise", *words)

    assert len(answer["files"]) == len(answer["candidates"]) == 2
    assert (files.read(Path(answer["files"][0])).pitches[:, 2] != REST).any()


def test_only_the_cells_asked_for_change(
    model: Path, piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Pitches and onsets elsewhere are bit for bit the same."""
    out = tmp_path / "out.json"

    said(capsys, model, "infill", piece, "--voices", "A,T", "--steps", "16:32", "--out", out)

    before, after = files.read(piece), files.read(out)
    differs = (before.pitches != after.pitches) | (before.onsets != after.onsets)
    assert differs.any()
    assert not differs[:, [0, 3]].any()
    assert not differs[:16].any()
    assert not differs[32:].any()


def test_a_piece_is_continued(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    """What there is stays; bars come after it."""
    out = tmp_path / "out.json"

    said(capsys, model, "continue", piece, "--bars", 2, "--out", out)

    before, after = files.read(piece), files.read(out)
    assert after.steps == before.steps + 32
    assert np.array_equal(after.pitches[: before.steps], before.pitches)


def test_a_piece_is_varied(model: Path, piece: Path, tmp_path: Path, capsys: Capture) -> None:
    """A little of it changes, in the voices named."""
    out = tmp_path / "out.json"

    said(capsys, model, "vary", piece, "--change", 0.2, "--voices", "B", "--out", out)

    differs = files.read(piece).pitches != files.read(out).pitches
    assert 0 < differs[:, 3].mean() < 0.4
    assert not differs[:, :3].any()


def test_a_model_that_sees_both_sides_writes_pieces_from_nothing(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """``generate`` answers as with any model; in Python too, and the same seed, the same notes."""
    answer = said(capsys, model, "generate", "--bars", 2, "--count", 2, "--out", f"{tmp_path}/")

    first, second = (files.read(Path(name)) for name in answer["files"])
    assert [Path(name).name for name in answer["files"]] == ["chorale-0.mid", "chorale-1.mid"]
    assert (first.steps, first.title) == (32, "Chorale 0")
    assert not np.array_equal(first.pitches, second.pitches)
    assert answer["nats_per_note"] > 0
    assert answer["tokens"] >= 2 * 32 * 4
    again = musicrel.generate(model, bars=2, patience="draft")
    assert np.array_equal(again.pitches, first.pitches)
    assert again.provenance is not None
    assert again.provenance.settings["patience"] == "draft"


def test_a_model_that_reads_from_left_to_right_harmonises_too(
    tmp_path: Path, capsys: Capture
) -> None:
    """The melody is kept; it is the best of several that it writes blind."""
    causal = tiny_model_directory(tmp_path / "causal")
    out = tmp_path / "out.json"

    said(capsys, causal, "harmonise", melody(tmp_path), "--candidates", 2, "--out", out)

    assert np.array_equal(files.read(out).pitches[:, 0], files.read(melody(tmp_path)).pitches[:, 0])


@pytest.fixture
def place(model: Path, piece: Path, tmp_path: Path) -> dict[str, str]:
    """What the words of a command stand for."""
    return {"PIECE": str(piece), "MODEL": str(model), "OUT": str(tmp_path / "out.json")}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("harmonise", "no-such-tune"), "there is no tune 'no-such-tune': expected one of"),
        (("harmonise", "ode-to-joy", "--voice", "A,T"), "--voice A,T names 2 voices: expected one"),
        (("harmonise", "ode-to-joy", "--voice", "X"), "'X' names no voices"),
        (("infill", "PIECE", "--voices", "Q"), "'Q' names no voices"),
        (("infill", "PIECE", "--steps", "9"), "'9' are no steps: expected sixteenths as in 16:32"),
        (("infill", "PIECE", "--steps", "40:90"), "steps 40:90 are not in the piece"),
        (("vary", "PIECE", "--change", "2"), "change is 2.0: expected 0"),
        (("continue", "PIECE", "--bars", "0"), "bars is 0: expected at least 1"),
        (("infill", "PIECE", "--patience", "none"), "patience is 'none': expected draft"),
        (("harmonise", "ode-to-joy", "--cadence", "half"), "ask for several with --candidates"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(
    words: tuple[str, ...], sentence: str, place: dict[str, str], capsys: Capture
) -> None:
    """Before anything is written."""
    given = [place.get(word, word) for word in (*words, "--model", "MODEL", "--out", "OUT")]

    told = refusal(capsys, *given)

    assert sentence in told
    assert len(told.strip().splitlines()) == 1
    assert not Path(place["OUT"]).exists()


def test_python_does_the_same(model: Path, piece: Path) -> None:
    """``musicrel.harmonise`` and ``musicrel.infill``."""
    harmonised = musicrel.harmonise("ode-to-joy", model=model, patience="draft", seed=3)
    proposals = musicrel.infill(
        piece, voices="A", steps=(0, 8), model=model, patience="draft", candidates=2
    )

    assert isinstance(harmonised, Chorale)
    assert np.array_equal(harmonised.pitches[:, 0], files.read(_tune()).pitches[:, 0])
    assert len(proposals.ranked) == 2


def _tune() -> Path:
    from musicrel.corpus import melodies

    return melodies.path("ode-to-joy")
