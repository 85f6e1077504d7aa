"""Commands that are refused: ``refusals.txt`` has the exit code, the command and the sentence.

An ellipsis stands for any text.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter
from musicrel.cli.main import main
from musicrel.project.project_file import ProjectFile
from musicrel.score import files
from tests.helpers.models import (
    tiny_cross_attention_directory,
    tiny_infill_directory,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale
from tests.helpers.projects import full_contents

GOLDEN = Path(__file__).with_name("refusals.txt")


def cases() -> Iterator[tuple[str, int, str]]:
    lines = GOLDEN.read_text(encoding="utf-8").splitlines()
    for command, answer in zip(lines[::2], lines[1::2], strict=True):
        code, sentence = answer.split(maxsplit=1)
        yield command, int(code), sentence.strip()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the files that the commands name."""
    folder = tmp_path_factory.mktemp("refusals")
    chords = [[72, 67, 64, 48], [74, 67, 62, 50], [76, 69, 60, 45], [77, 71, 62, 43]]
    bar = Chorale.of(np.repeat(chords, 4, axis=0))
    for name, piece in {
        "bar": bar,
        "waltz": replace(bar, meter=Meter(3, 4)),
        "piece": random_chorale(4, 44, margin=2).cropped(0, 40),
        "soprano": Chorale.of([[72, REST, REST, REST]] * 16),
        "silent": Chorale.of([[REST] * 4], title="Pause"),
    }.items():
        files.write(piece, folder / f"{name}.json")
    files.write(bar, folder / "bar.mid")
    tiny_model_directory(folder / "tiny")
    tiny_infill_directory(folder / "infill")
    tiny_cross_attention_directory(folder / "harmoniser")
    ProjectFile.create(folder / "hymn.musicrel", full_contents()).close()
    ProjectFile.create(folder / "empty.musicrel").close()
    (folder / "fake.musicrel").write_text("no project", encoding="utf-8")
    (folder / "text").write_text("?", encoding="utf-8")
    (folder / "nothing").mkdir()
    return folder


def inside(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("command", "code", "sentence"), list(cases()))
def test_a_command_is_refused_in_one_sentence(
    command: str,
    code: int,
    sentence: str,
    *,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is printed or written before."""
    monkeypatch.chdir(place)
    monkeypatch.setitem(sys.modules, "ray", None)
    before, (name, *words) = inside(place), shlex.split(command)
    try:
        found: object = main([name, *words])
    except SystemExit as end:  # argparse refuses the value
        found = end.code

    printed = capsys.readouterr()
    expected = re.escape(f"musicrel {name}: {sentence}\n").replace("…", ".*")
    assert re.fullmatch(expected, printed.err), printed.err
    assert (found, printed.out) == (code, "")
    assert inside(place) == before
