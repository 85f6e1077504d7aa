"""``musicrel plot attention`` and ``across`` from the command line."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.cli.main import main
from musicrel.corpus import bundled
from musicrel.score import files
from tests.helpers.models import (
    tiny_cross_attention_directory,
    tiny_infill_directory,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    files.write(random_chorale(4, 12), tmp_path / "piece.json")
    return tmp_path / "piece.json"


def plot(kind: str, piece: Path, model: Path, *more: str) -> int:
    """Draw a picture beside the piece; return the exit code."""
    words = ["plot", kind, str(piece), "--model", str(model), "--out"]
    return main([*words, str(piece.with_suffix(".svg")), *more])


def picture(piece: Path) -> str:
    return piece.with_suffix(".svg").read_text(encoding="utf-8")


def test_cross_attention_to_fixed_voices_is_drawn(piece: Path, tmp_path: Path) -> None:
    model = tiny_cross_attention_directory(tmp_path / "harmoniser")

    assert plot("across", piece, model) == 0
    assert "Cross-attention of harmoniser, layer 1, mean of its heads" in picture(piece)
    assert plot("across", piece, model, "--given", "A,B", "--layer", "2", "--head", "1") == 0
    assert "Cross-attention of harmoniser, layer 2, head 1" in picture(piece)


def test_self_attention_of_a_model_with_cross_attention_is_drawn(
    piece: Path, tmp_path: Path
) -> None:
    assert plot("attention", piece, tiny_cross_attention_directory(tmp_path / "harmoniser")) == 0
    assert "Attention of harmoniser, layer 1, mean of its heads" in picture(piece)


def test_attention_of_an_infilling_model_is_drawn(piece: Path, tmp_path: Path) -> None:
    assert plot("attention", piece, tiny_infill_directory(tmp_path / "both"), "--head", "2") == 0
    assert "Attention of both, layer 1, head 2" in picture(piece)
    assert "each predicted from all others" in picture(piece)


def test_difference_of_two_models_is_drawn_or_written_as_numbers(
    piece: Path, tmp_path: Path
) -> None:
    first = tiny_model_directory(tmp_path / "first")
    second = tiny_model_directory(tmp_path / "second", "sinusoidal")
    table = tmp_path / "difference.csv"

    assert plot("difference", piece, first, "--other", str(second)) == 0
    assert "first and second: surprisal compared" in picture(piece)
    assert plot("difference", piece, first, "--other", str(second), "--out", str(table)) == 0
    head, *rows = table.read_text(encoding="utf-8").splitlines()
    assert head.startswith("step,voice,pitch,steps,first,second,difference")
    assert len(rows) == int(files.read(piece).onsets.sum())


def test_shares_of_one_model_or_two_are_drawn(piece: Path, tmp_path: Path) -> None:
    first = tiny_model_directory(tmp_path / "first")
    second = tiny_model_directory(tmp_path / "second", "sinusoidal")

    assert plot("shares", piece, first) == 0
    assert "Shares of attention: first<" in picture(piece)
    assert plot("shares", piece, first, "--other", str(second)) == 0
    assert "Shares of attention: first and second<" in picture(piece)


def test_claims_are_drawn_or_written_as_numbers(piece: Path, tmp_path: Path) -> None:
    first = tiny_model_directory(tmp_path / "first")
    second = tiny_model_directory(tmp_path / "second", "sinusoidal")
    table = tmp_path / "claims.csv"

    assert plot("claims", piece, first) == 0
    assert "All voices of the step before" in picture(piece)
    assert plot("claims", piece, first, "--other", str(second), "--out", str(table)) == 0
    text = table.read_text(encoding="utf-8")
    assert "first" in text
    assert "second" in text


def agreement(piece: Path, other: Path, out: Path) -> int:
    """Compare two pieces; return the exit code."""
    return main(["plot", "agreement", str(piece), str(other), "--out", str(out)])


def test_two_pieces_are_compared(bar: Path, tmp_path: Path) -> None:
    other, table = tmp_path / "other.json", tmp_path / "notes.csv"
    pitches = files.read(bar).pitches.copy()
    pitches[8:, 0] += 1
    files.write(Chorale.of(pitches), other)

    assert agreement(bar, other, bar.with_suffix(".svg")) == 0
    assert "87 % of notes agree; first difference bar 1, beat 3" in picture(bar)
    assert agreement(bar, other, table) == 0
    _, *rows = csv.reader(table.read_text(encoding="utf-8").splitlines())
    assert [row[:4] for row in rows] == [
        [letter, name, "Soprano", f"bar 1, beat {beat}"]
        for beat in (3, 4)
        for letter, name in (("A", "bar"), ("B", "other"))
    ]


def test_map_is_written_as_numbers(piece: Path, tmp_path: Path) -> None:
    table = tmp_path / "map.csv"

    assert plot("attention", piece, tiny_model_directory(tmp_path / "m"), "--out", str(table)) == 0
    head, *rows = table.read_text(encoding="utf-8").splitlines()
    assert head.startswith("model,head,step,voice,START,0 S")
    assert len(rows) == 48
    _, named, *row = next(csv.reader([rows[7]]))
    assert named == "layer 1, mean of its heads"
    assert sum(map(float, row[2:])) == pytest.approx(1, abs=1e-4)


@pytest.fixture
def bar(tmp_path: Path) -> Path:
    """Write a bar without a pickup, all voices moving in quarters."""
    path = tmp_path / "bar.json"
    chords = [[72, 67, 64, 48], [74, 67, 62, 50], [76, 69, 60, 45], [77, 71, 62, 43]]
    files.write(Chorale.of(np.repeat(chords, 4, axis=0)), path)
    return path


@pytest.mark.parametrize(
    ("kind", "more", "texts"),
    [
        ("effects", ("--mute", "2.1"), ("Effects of heads: Alto ", "(bar 1, beat 2)", "H2", "L2")),
        ("choices", ("--mute", "2"), ("Most probable notes: Alto ", "all heads", "2 muted")),
        ("lens", (), ("What each layer would choose: Alto ", "Before layer 1", "Layer 2 (model)")),
        ("sources", (), ("Sources of Alto ", "Strongest by weight", "Soprano ")),
    ],
)
def test_effects_on_a_note_are_drawn(
    kind: str, more: tuple[str, ...], texts: tuple[str, ...], bar: Path, tmp_path: Path
) -> None:
    model = tiny_model_directory(tmp_path / "tiny")
    assert plot(kind, bar, model, "--note", "alto:1.2", "--mute-by", "zero", *more) == 0
    for text in texts:
        assert text in picture(bar)


def test_sources_need_no_means_of_heads(
    bar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    monkeypatch.setattr(bundled, "load", read.append)
    assert plot("sources", bar, tiny_model_directory(tmp_path / "tiny"), "--note", "alto:1.2") == 0
    assert read == []


def test_effects_on_a_piece_are_written_as_numbers(piece: Path, tmp_path: Path) -> None:
    out = tmp_path / "effects.csv"
    words = ["plot", "effects", str(piece), "--mute-by", "zero", "--out", str(out)]

    assert main([*words, "--model", str(tiny_model_directory(tmp_path / "tiny"))]) == 0

    rows = [row.split(",") for row in out.read_text(encoding="utf-8").splitlines()]
    assert [row[0] for row in rows] == ["source", "1.1", "1.2", "2.1", "2.2"]
    assert any(abs(float(row[1])) > 0 for row in rows[1:])


def test_where_a_model_looks_for_a_note_is_drawn(piece: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        tiny_model_directory(folder)

    assert plot("note", piece, one, "--note", "bass:0.3") == 0
    assert "Bass" in picture(piece)
    assert plot("note", piece, one, "--note", "bass:0.3", "--other", str(other)) == 0
    assert "other" in picture(piece)
