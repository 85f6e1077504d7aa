"""Pieces are written, varied, ranked and graded by processes that never import torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.helpers.processes import printed

_PROGRAM = """
import sys
from musicrel.cli.main import main
from musicrel.model import processor

processor.has_bfloat16 = lambda: {mixed}
for words in {commands!r}:
    assert main(words) == 0, words
print("torch" in sys.modules)
"""


def imports_torch(commands: Sequence[Sequence[str]], *, mixed: bool = False) -> bool:
    """Run commands in one process; return whether it has imported torch.

    Args:
        commands: the words of each.
        mixed: whether the processor multiplies bfloat16.
    """
    *_, last = printed(_PROGRAM.format(commands=[list(words) for words in commands], mixed=mixed))
    return last == "True"


@pytest.fixture
def piece(tmp_path: Path) -> Path:
    """Return the path of a piece of one bar, yet to be written."""
    return tmp_path / "piece.json"


def writing(piece: Path, *more: str) -> list[str]:
    """Return the words that write one bar."""
    return ["generate", "--bars", "1", "--quality", "draft", "--out", str(piece), *more]


@pytest.mark.parametrize("model", ["relative", "vanilla"])
def test_a_causal_model_writes_and_varies_without_torch(piece: Path, model: str) -> None:
    """Eight candidates are ranked, by the critic as well, and the best one is graded."""
    varying = ["vary", str(piece), "--model", model, "--out", str(piece.with_suffix(".mid"))]

    assert not imports_torch(
        [
            writing(piece, "--model", model, "--candidates", "8", "--weights", "critic=0.5"),
            [*varying, "--quality", "draft"],
            ["grade", str(piece)],
        ]
    )


def test_an_infilling_model_rewrites_in_single_precision_without_torch(piece: Path) -> None:
    """The processor of this test does not multiply bfloat16."""
    rewritten = str(piece.with_suffix(".mid"))

    assert not imports_torch(
        [
            writing(piece, "--model", "relative-infill"),
            ["vary", str(piece), "--quality", "draft", "--out", rewritten],
        ]
    )


def test_torch_multiplies_bfloat16(piece: Path) -> None:
    """It is imported for that alone."""
    assert imports_torch([writing(piece, "--model", "relative-infill")], mixed=True)


def test_a_score_is_analysed_without_torch() -> None:
    """Attention and surprisal of every note, as the program's interface returns them."""
    lines = printed(
        "import sys\n"
        "import musicrel\n"
        "model = musicrel.load_model('relative')\n"
        "piece = musicrel.generate(model, bars=1, quality='draft')\n"
        "ids = model.encode(piece)\n"
        "print(model.logits(ids).shape, model.attention(ids).shape)\n"
        "print('torch' in sys.modules)\n"
    )

    assert lines == ["(66, 97) (5, 4, 66, 66)", "False"]
