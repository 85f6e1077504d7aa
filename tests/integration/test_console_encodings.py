"""Consoles that cannot print every name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.errors import readable
from musicrel.experiment.data import folder_dataset
from musicrel.score import files
from musicrel.ui.files import file_jobs
from tests.helpers.music import random_chorale

_NAMES = ["Chöre 🎵", *([os.fsdecode(b"ch\xf6r")] if sys.platform == "linux" else [])]
"""On Linux the name of a file is any bytes."""


def run(encoding: str, *words: str | Path) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "musicrel", *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8", "cp932:strict"])
@pytest.mark.parametrize("folder", _NAMES)
def test_every_name_can_be_printed(encoding: str, folder: str, tmp_path: Path) -> None:
    place = tmp_path / folder
    place.mkdir()
    files.write(random_chorale(1), place / "a.json")
    name = encoding.partition(":")[0]

    printed = run(encoding, "convert", place / "a.json", place / "b.json")
    graded = run(encoding, "grade", "--json", place / "b.json")
    refused = run(encoding, "grade", place / "none.json")

    assert (printed.returncode, printed.stderr) == (0, b"")
    assert printed.stdout.decode(name).strip() == str(place / "b.json").encode(
        name, "backslashreplace"
    ).decode(name)
    assert json.loads(graded.stdout.decode(name))["pieces"][0]["file"] == str(place / "b.json")
    assert refused.returncode == 1
    assert refused.stderr.decode(name).startswith("musicrel grade: cannot read ")


def test_a_name_that_is_not_text_gives_a_title_that_is(tmp_path: Path) -> None:
    path = tmp_path / f"{_NAMES[-1]}.json"
    files.write(replace(random_chorale(1), title=""), path)

    data = jobs.run(folder_dataset.read(tmp_path))
    titles = [piece.title for pieces in data.pieces.values() for piece in pieces]

    assert [*titles, jobs.run(file_jobs.read(path)).piece.title] == [readable(path.stem)] * 2
