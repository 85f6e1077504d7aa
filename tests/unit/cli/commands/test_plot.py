"""``musicrel plot attention`` and ``across``, as a user calls them."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel.cli.main import main
from tests.helpers.models import tiny_looking_directory, tiny_model_directory
from tests.helpers.music import random_chorale

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """Twelve steps by chance."""
    random_chorale(4, 12).write(tmp_path / "piece.json")
    return tmp_path / "piece.json"


def plot(kind: str, piece: Path, model: Path, *more: str) -> int:
    """The exit code; the picture lies beside the piece."""
    words = ["plot", kind, str(piece), "--model", str(model), "--out"]
    return main([*words, str(piece.with_suffix(".svg")), *more])


def picture(piece: Path) -> str:
    """What was drawn."""
    return piece.with_suffix(".svg").read_text(encoding="utf-8")


def test_what_is_looked_at_in_a_melody_is_drawn(piece: Path, tmp_path: Path) -> None:
    """The mean of a layer's heads, or one head of it, beside any given voices."""
    model = tiny_looking_directory(tmp_path / "looking")

    assert plot("across", piece, model) == 0
    assert "Looking across, layer 1, mean of all heads" in picture(piece)
    assert plot("across", piece, model, "--given", "A,B", "--layer", "2", "--head", "1") == 0
    assert "Looking across, layer 2, head 1" in picture(piece)


def test_a_model_that_looks_across_still_shows_what_it_looks_back_at(
    piece: Path, tmp_path: Path
) -> None:
    """The map of its own tokens is another picture."""
    assert plot("attention", piece, tiny_looking_directory(tmp_path / "looking")) == 0
    assert "Attention, layer 1, mean of all heads" in picture(piece)


def test_a_model_that_cannot_look_across_is_named(
    piece: Path, tmp_path: Path, capsys: Capture
) -> None:
    """And what would be right."""
    assert plot("across", piece, tiny_model_directory(tmp_path / "plain")) == 2
    assert "plain does not look across: expected a model whose recipe" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (("--given", "X"), "'X' names no voices"),
        (("--layer", "3"), "layer is 3: looking has 1 to 2"),
        (("--head", "0"), "head is 0: looking has 1 to 2"),
    ],
)
def test_what_is_not_there_cannot_be_drawn(
    piece: Path, tmp_path: Path, capsys: Capture, wrong: tuple[str, str], sentence: str
) -> None:
    """A usage error that says what there is."""
    assert plot("across", piece, tiny_looking_directory(tmp_path / "looking"), *wrong) == 2
    assert sentence in capsys.readouterr().err
