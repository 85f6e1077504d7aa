"""A folder with pieces, projects and tiny models, in which commands run."""

from __future__ import annotations

import json
import shlex
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import mido
import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Meter
from musicrel.cli.main import main
from musicrel.model import checkpoint, devices
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.project.project_file import ProjectFile
from musicrel.score import files
from tests.helpers.models import (
    tiny_card,
    tiny_config,
    tiny_cross_attention_directory,
    tiny_infill_directory,
    tiny_model,
    tiny_model_directory,
)
from tests.helpers.music import random_chorale
from tests.helpers.projects import full_contents

PARTS = {"Soprano": 72, "Alto": 67, "Tenor": 60, "Baritone": 55, "Bass": 48}


def write_five_parts(path: Path, steps: int = 8) -> None:
    file = mido.MidiFile(ticks_per_beat=480)
    for name, pitch in PARTS.items():
        track = mido.MidiTrack([mido.MetaMessage("track_name", name=name)])
        for step in range(steps):
            track.append(mido.Message("note_on", note=pitch + step % 3))
            track.append(mido.Message("note_off", note=pitch + step % 3, time=480))
        file.tracks.append(track)
    file.save(path)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write all that commands name; nobody changes it."""
    folder = tmp_path_factory.mktemp("library")
    chords = [[72, 67, 64, 48], [74, 67, 62, 50], [76, 69, 60, 45], [77, 71, 62, 43]]
    bar = Chorale.of(np.repeat(chords, 4, axis=0))
    tune = np.full((32, 4), REST)
    tune[:, 0] = np.repeat([60, 62, 64, 65, 67, 65, 62, 60], 4)
    held = np.arange(16) >= 12
    for name, piece in {
        "bar": bar,
        "waltz": replace(bar, meter=Meter(3, 4)),
        "hymn": Chorale.of([[72, 67, 64, 48]] * 16, title="A bar", tempo=120, fermatas=held),
        "piece": random_chorale(4, 44, margin=2).cropped(0, 40),
        "soprano": Chorale.of([[72, REST, REST, REST]] * 16),
        "silent": Chorale.of([[REST] * 4], title="Pause"),
        "tune": Chorale.of(tune, title="A tune"),
    }.items():
        files.write(piece, folder / f"{name}.json")
    files.write(bar, folder / "bar.mid")
    write_five_parts(folder / "five.mid")
    names = tuple(name for name in CONDITIONS if name != "voice")
    network = tiny_model(tiny_config("relative", conditions=names, family="infill"))
    checkpoint.save(folder / "infill", network, tiny_card(network))
    tiny_model_directory(folder / "tiny")
    tiny_model_directory(folder / "plain", "sinusoidal")
    tiny_infill_directory(folder / "both")
    tiny_cross_attention_directory(folder / "harmoniser")
    ProjectFile.create(folder / "hymn.musicrel", full_contents()).close()
    ProjectFile.create(folder / "empty.musicrel").close()
    (folder / "fake.musicrel").write_text("no project", encoding="utf-8")
    (folder / "text").write_text("?", encoding="utf-8")
    (folder / "words").write_text("Gen-tle ri-ver\n\nWea-ry wa-ters\n", encoding="utf-8")
    (folder / "nothing").mkdir()
    return folder


class Answer(NamedTuple):
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Place:
    """A copy of the library, in which commands run."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    def run(self, command: str, *, code: int = 0) -> Answer:
        found = main(shlex.split(command))
        answer = Answer(*self.capsys.readouterr())
        assert found == code, answer.err
        return answer

    def json(self, command: str, *, code: int = 0) -> Any:
        return self.run(f"{command} --json", code=code).json

    def read(self, name: str) -> Chorale:
        return files.read(self.folder / name)

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def names(self, pattern: str) -> list[str]:
        return sorted(path.name for path in self.folder.glob(pattern))


@pytest.fixture
def here(
    library: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Place:
    shutil.copytree(library, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(devices, "may_have_accelerator", lambda: False)
    return Place(tmp_path, capsys)
