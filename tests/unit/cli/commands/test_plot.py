"""``musicrel plot attention`` and ``across`` from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.cli.main import main
from musicrel.score import files
from tests.helpers.models import tiny_cross_attention_directory, tiny_model_directory
from tests.helpers.music import random_chorale

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """Write twelve steps of random notes."""
    files.write(random_chorale(4, 12), tmp_path / "piece.json")
    return tmp_path / "piece.json"


def plot(kind: str, piece: Path, model: Path, *more: str) -> int:
    """Draw a picture beside the piece; return the exit code."""
    words = ["plot", kind, str(piece), "--model", str(model), "--out"]
    return main([*words, str(piece.with_suffix(".svg")), *more])


def picture(piece: Path) -> str:
    """Return the picture that was drawn."""
    return piece.with_suffix(".svg").read_text(encoding="utf-8")


def test_cross_attention_to_fixed_voices_is_drawn(piece: Path, tmp_path: Path) -> None:
    """The picture shows the mean of a layer's heads, or one head."""
    model = tiny_cross_attention_directory(tmp_path / "harmoniser")

    assert plot("across", piece, model) == 0
    assert "Cross-attention, layer 1, mean of heads" in picture(piece)
    assert plot("across", piece, model, "--given", "A,B", "--layer", "2", "--head", "1") == 0
    assert "Cross-attention, layer 2, head 1" in picture(piece)


def test_self_attention_of_a_model_with_cross_attention_is_drawn(
    piece: Path, tmp_path: Path
) -> None:
    """It is another picture."""
    assert plot("attention", piece, tiny_cross_attention_directory(tmp_path / "harmoniser")) == 0
    assert "Attention, layer 1, mean of all heads" in picture(piece)


def test_a_model_without_cross_attention_is_refused(
    piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The sentence names the model, and an alternative."""
    assert plot("across", piece, tiny_model_directory(tmp_path / "plain")) == 2
    assert (
        "plain has no cross-attention: expected a model with cross = true"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (("--given", "X"), "'X' names no voices"),
        (("--layer", "3"), "layer is 3: expected 1 to 2 in harmoniser"),
        (("--head", "0"), "head is 0: expected 1 to 2 in harmoniser"),
    ],
)
def test_unknown_voices_layers_and_heads_are_refused(
    piece: Path, tmp_path: Path, capsys: Capture, wrong: tuple[str, str], sentence: str
) -> None:
    """A usage error gives the range."""
    assert (
        plot("across", piece, tiny_cross_attention_directory(tmp_path / "harmoniser"), *wrong) == 2
    )
    assert sentence in capsys.readouterr().err
