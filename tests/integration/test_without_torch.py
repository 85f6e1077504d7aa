"""Pieces are written, varied, ranked and graded by processes that never import torch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from musicrel.errors import NO_TORCH
from tests.helpers.processes import printed

_PROGRAM = """
import sys
from musicrel.cli.main import main
from musicrel.model import devices

devices.has_bfloat16 = lambda: {mixed}
for words in {commands!r}:
    assert main(words) == 0, words
print("torch" in sys.modules)
"""


_NOT_INSTALLED = """
import contextlib
import sys
from importlib.abc import MetaPathFinder

from musicrel.cli.main import main
from musicrel.model import devices


class NoTorch(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ModuleNotFoundError(name, name=name)
        return None


sys.meta_path.insert(0, NoTorch())
devices.has_torch = lambda: False
with contextlib.redirect_stderr(sys.stdout):
    for words in {commands!r}:
        print(main(words))
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
    return tmp_path / "piece.json"


def writing(piece: Path, *more: str) -> list[str]:
    return ["generate", "--bars", "1", "--quality", "draft", "--out", str(piece), *more]


@pytest.mark.parametrize("model", ["relative", "vanilla"])
def test_a_causal_model_writes_and_varies_without_torch(piece: Path, model: str) -> None:
    varying = ["vary", str(piece), "--model", model, "--out", str(piece.with_suffix(".mid"))]
    assert not imports_torch(
        [
            writing(piece, "--model", model, "--candidates", "8"),
            [*varying, "--quality", "draft"],
            ["grade", str(piece)],
        ]
    )


def test_an_infilling_model_rewrites_in_single_precision_without_torch(piece: Path) -> None:
    rewritten = str(piece.with_suffix(".mid"))
    assert not imports_torch(
        [
            writing(piece, "--model", "relative-infill"),
            ["vary", str(piece), "--quality", "draft", "--out", rewritten],
        ]
    )


def test_torch_multiplies_bfloat16(piece: Path) -> None:
    assert imports_torch([writing(piece, "--model", "relative-infill")], mixed=True)


def test_a_score_is_analysed_without_torch() -> None:
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


def test_torch_need_not_be_installed(piece: Path) -> None:
    other = str(piece.with_suffix(".musicxml"))
    commands = [
        writing(piece),
        ["vary", str(piece), "--model", "relative-infill", "--quality", "draft", "--out", other],
        ["harmonise", str(piece), "--quality", "draft", "--out", str(piece.with_suffix(".mid"))],
        ["convert", str(piece), str(piece.with_suffix(".wav"))],
    ]

    lines = printed(_NOT_INSTALLED.format(commands=commands))

    assert [line for line in lines if line.isdigit()] == ["0"] * len(commands)
    assert piece.with_suffix(".mid").exists()
    assert piece.with_suffix(".wav").exists()


@pytest.mark.parametrize(
    "command",
    [["evaluate", "--model", "relative"], ["generate", "--device", "cuda", "--out", "piece.mid"]],
    ids=lambda command: command[0],
)
def test_what_needs_torch_is_refused(command: list[str]) -> None:
    lines = printed(_NOT_INSTALLED.format(commands=[command]))
    assert lines == [f"musicrel {command[0]}: {NO_TORCH}", "1"]
