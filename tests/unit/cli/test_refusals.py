"""Commands that are refused: ``refusals.txt`` has the exit code, the command and the sentence.

An ellipsis stands for any text.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from musicrel.cli.main import main

GOLDEN = Path(__file__).with_name("refusals.txt")


def cases() -> Iterator[tuple[str, int, str]]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    for command, answer in zip(lines[::2], lines[1::2], strict=True):
        code, sentence = answer.split(maxsplit=1)
        yield command, int(code), sentence.strip()


def inside(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("command", "code", "sentence"), list(cases()))
def test_a_command_is_refused_in_one_sentence(
    command: str,
    code: int,
    sentence: str,
    *,
    library: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(library)
    monkeypatch.setitem(sys.modules, "ray", None)
    before, (name, *words) = inside(library), shlex.split(command)
    try:
        found: object = main([name, *words])
    except SystemExit as end:  # argparse refuses the value
        found = end.code

    printed = capsys.readouterr()
    expected = re.escape(f"musicrel {name}: {sentence}\n").replace("…", ".*")
    assert re.fullmatch(expected, printed.err), printed.err
    assert (found, printed.out) == (code, "")
    assert inside(library) == before
