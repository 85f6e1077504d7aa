"""``musicrel ablate``: effects on a note and a piece, the lens, the means."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.chorale import Meter
from musicrel.cli.main import main
from musicrel.corpus import bundled
from musicrel.generation.heads import replacement
from musicrel.generation.loaded_model import load_model
from musicrel.model.companions import MEANS
from musicrel.score import files
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale

PIECE = replace(random_chorale(0, steps=16), pickup=0, meter=Meter())


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a piece and a tiny model as arguments; the training pieces are two short ones."""
    monkeypatch.setattr(bundled, "load", lambda _: [random_chorale(1, 12), random_chorale(2, 8)])
    files.write(PIECE, tmp_path / "piece.json")
    model = str(tiny_model_directory(tmp_path / "tiny"))
    return [str(tmp_path / "piece.json"), "--model", model, "--device", "cpu"]


def test_the_effects_on_a_note_are_a_table_of_heads_and_voices(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ablate", "note", *words, "--note", "alto:1.3", "--by", "zero"]) == 0
    first, _head, *lines = capsys.readouterr().out.splitlines()
    assert first.startswith("-log p ")
    names = [line.split()[0] for line in lines]
    assert names == ["1.1", "1.2", "2.1", "2.2", "soprano", "alto", "tenor", "bass"]


def test_earlier_notes_are_removed_on_demand(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--note", "alto:1.3", "--by", "zero", "--sources"]
    assert main(["ablate", "note", *words, *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["sources"]) >= found["strongest"] > 0
    assert set(found["sources"][0]) == {"voice", "steps", "weight", "effect"}
    assert main(["ablate", "note", *words, *options]) == 0
    assert "weight" in capsys.readouterr().out


def test_the_effects_on_a_piece_are_those_of_the_named_heads(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ablate", "piece", *words, "--heads", "2,1.1", "--by", "zero", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["heads"]) == ["1.1", "2.1", "2.2"]
    assert found["by"] == "zero"
    assert main(["ablate", "piece", *words, "--heads", "1.1", "--by", "zero"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1.1")


def test_the_lens_lists_the_likeliest_tokens_of_each_layer(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ablate", "lens", *words, "--note", "bass:1.2"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "layer", "0", "1", "2",
    ]  # fmt: skip
    assert main(["ablate", "lens", *words, "--note", "bass:1.2", "--json"]) == 0
    layers = json.loads(capsys.readouterr().out)["layers"]
    assert all(len(layer) == 3 and layer[0]["log_p"] >= layer[1]["log_p"] for layer in layers)


def test_means_are_written_into_a_folder_and_used_from_it(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tiny"
    assert main(["ablate", "means", *words[1:], "--store", str(folder)]) == 0
    assert capsys.readouterr().out.strip() == str(folder / MEANS)
    model = load_model(str(folder))
    means = replacement.known(model)
    assert means is not None
    assert means.sha256 == model.sha256
    assert main(["ablate", "note", *words, "--note", "alto:1.3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["by"] == "mean"


@pytest.mark.parametrize(
    ("mistake", "sentence"),
    [
        (["lens", "--note", "alto:9.1"], "'alto:9.1' is not in the piece"),
        (["note", "--note", "alto:9.1"], "'alto:9.1' is not in the piece"),
        (["piece", "--heads", "7"], "no head 7: expected layers 1 to 2"),
        (["piece", "--heads", "x"], "cannot read the head 'x'"),
    ],
)
def test_mistakes_are_named_before_the_means_are_computed(
    words: list[str],
    mistake: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    read: list[str] = []
    monkeypatch.setattr(bundled, "load", read.append)
    assert main(["ablate", mistake[0], *words, *mistake[1:]]) == 2
    assert sentence in capsys.readouterr().err
    assert read == []


@pytest.mark.parametrize("more", [[], ["--models", "vanilla", "--notes", "100", "--out", "x"]])
def test_the_study_says_where_it_is_now(
    more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ablate", "study", *more]) == 2
    assert "run python -m training.ablation in a checkout" in capsys.readouterr().err
