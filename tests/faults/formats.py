"""The formats that musicrel reads, each with intact files and the code that reads a file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np
import tomli_w
from numpy.random import Generator

from musicrel import paths, settings
from musicrel.analysis.corpus import bundled, hymns, jsb
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import Voice
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs.run_folder import Checkpoints, RunFolder
from musicrel.experiment.study import (
    definition,
    results,
    study,
    study_folder,
    study_form,
    study_report,
    study_tables,
)
from musicrel.experiment.study.study_curves import CurveChoice
from musicrel.figures import curves, figure
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.discriminator import discriminator, features
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.heads import replacement
from musicrel.generation.heads.replacement import HeadMeans
from musicrel.generation.loaded_model import load_model
from musicrel.model import checkpoint, companions, importing
from musicrel.model.card import CARD, WEIGHTS, read_card
from musicrel.model.companions import DISCRIMINATOR, MEANS
from musicrel.model.replaced_heads import ROWS
from musicrel.project.project_file import ProjectFile
from musicrel.score import files
from musicrel.score.audio import soundfont
from musicrel.score.editing import clipboard
from musicrel.score.editing.clipboard import Clip
from musicrel.score.editing.selection import Selection
from musicrel.ui.files import recent
from musicrel.ui.files.session import WindowRecord
from tests.faults import containers, mutation, side_campaign
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import minuet, random_chorale
from tests.helpers.projects import full_contents

Seeds = Sequence[bytes]


@dataclass(frozen=True, slots=True)
class Format:
    """A format that is read.

    Attributes:
        seeds: function of a folder, returns the contents of intact files.
        read: reads a content; it may use a folder. Any error but ours is a fault.
        change: returns a content with changes, given another one.
    """

    seeds: Callable[[Path], Seeds]
    read: Callable[[bytes, Path], object]
    change: mutation.Change = mutation.mutated

    def mutated(self, seeds: Seeds, rng: Generator) -> bytes:
        content, other = (seeds[int(rng.integers(len(seeds)))] for _ in range(2))
        return self.change(content, other, rng)


def _pieces(suffix: str) -> Callable[[Path], Seeds]:
    def seeds(folder: Path) -> Seeds:
        found = []
        for number, piece in enumerate((minuet(), random_chorale(3, 32))):
            path = folder / f"seed{number}{suffix}"
            files.write(piece, path)
            found.append(path.read_bytes())
        return found

    return seeds


def _read_piece(suffix: str) -> Callable[[bytes, Path], object]:
    def read(content: bytes, folder: Path) -> object:
        path = _written(content, folder / f"piece{suffix}")
        return files.import_satb(path), files.import_melody(path, Voice.SOPRANO)

    return read


def _written(content: bytes, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def _project(folder: Path) -> Seeds:
    ProjectFile.create(folder / "seed.musicrel", full_contents()).close()
    return [(folder / "seed.musicrel").read_bytes()]


def _read_project(content: bytes, folder: Path) -> object:
    project = ProjectFile.open(_written(content, folder / "a.musicrel"), read_only=True)
    return project.read(), project.problems


def _read_side_files(content: bytes, folder: Path) -> object:
    with _home(folder):
        return side_campaign.read(content, folder)


def _read_settings(content: bytes, folder: Path) -> object:
    with _home(folder):
        _written(content, settings.file())
        return settings.load()


def _home(folder: Path) -> AbstractContextManager[object]:
    return patch.dict(os.environ, {"MUSICREL_HOME": str(folder / "home")})


def _assets(*patterns: str) -> Callable[[Path], Seeds]:
    def seeds(_: Path) -> Seeds:
        return [
            path.read_bytes()
            for pattern in patterns
            for path in sorted(paths.assets().glob(pattern))
        ]

    return seeds


def _read_study(content: bytes, folder: Path) -> object:
    path = _written(content, folder / "study.toml")
    study_form.read(study_folder.text(path))
    return definition.load(str(path))


_EVENTS: Final = (
    {"event": "TrainStarted", "step": 0, "parameters": 9, "tokens": 0, "notes": ["a note"]},
    {"event": "TrainStep", "step": 1, "tokens": 10, "progress": 0.1, "nats": 2.5,
     "gradient_norm": 1.0, "rate": 0.1, "tokens_per_second": 5.0, "seconds": 2.0, "memory": 7},
    {"event": "TrainEvaluated", "step": 1, "tokens": 10, "valid": 2.0, "best": 2.0, "seconds": 3.0,
     "beside": {"whole pieces": 2.1}},
    {"event": "TrainWeighed", "step": 2, "round": 1, "rounds": 3, "astray": {"led_MS": 0.1}},
    {"event": "TrainSampled", "step": 2, "file": "samples/1.mid", "nats_per_note": 0.7},
    {"event": "TrainRolledBack", "step": 1, "exploded": 3, "reason": "loss", "rate_factor": 0.5,
     "count": 1},
    {"event": "TrainEvaluated", "step": 4, "tokens": 40, "valid": 1.9, "best": 1.9},
    {"event": "TrainFinished", "step": 4, "tokens": 40, "seconds": 9.0, "valid": 1.9, "test": 2.0},
)  # fmt: skip
_RESULT: Final = {
    "finished": True, "step": 4, "tokens": 40, "seconds": 9.0, "valid": 1.9, "test": 2.0,
    "parameters": 9, "peak_bytes": 100, "rollbacks": 0,
    "test_pieces": [{"index": n, "title": "a", "nats": 10.0 + n, "notes": 9} for n in range(4)],
    "further": {"whole pieces": 2.0},
}  # fmt: skip


def _run_of(folder: Path) -> RunFolder:
    run = RunFolder(folder / "run")
    if not run.path.exists():
        run.create((paths.assets() / "recipes/tiny.toml").read_text("utf-8"))
    return run


def _read_events(content: bytes, folder: Path) -> object:
    run = _run_of(folder)
    _written(content, run.path / "events.jsonl")
    by_time = study_report.curves(run.path, CurveChoice(axis="seconds", log_y=True))
    drawing = figure.to_svg(curves.of_curves(study_report.curves(run.path, CurveChoice())))
    return run.events(), run.state(), drawing, by_time


def _read_results(content: bytes, folder: Path) -> object:
    asked, place = study.load("smoke"), folder / "study"
    if not place.exists():
        definition.create(place, asked)
    for run in sorted((place / "runs").iterdir()):
        _written(content, run / "result.json")
        RunFolder(run).result()
    found = results.collect(asked, place)
    report = study_report.read(found)
    return report.to_markdown(), study_tables.results_csv(found)


def _read_run(content: bytes, folder: Path) -> object:
    run = _run_of(folder)
    _written(content, run.path / "run.json")
    run.check_version()
    return run.state()


def _checkpoint(folder: Path) -> Seeds:
    import torch

    saved = Checkpoints(folder / "checkpoints")
    saved.save(1, {"a": torch.ones(3)}, {"step": 1, "tokens": 5, "seconds": 0.5})
    return [(folder / "checkpoints/step-00000001.json").read_bytes()]


def _read_checkpoint(content: bytes, folder: Path) -> object:
    _written(content, folder / "checkpoints/step-00000001.json")
    return Checkpoints(folder / "checkpoints").latest()


def _checkpoint_tensors(folder: Path) -> Seeds:
    _checkpoint(folder)
    return [(folder / "checkpoints/step-00000001.safetensors").read_bytes()]


def _read_checkpoint_tensors(content: bytes, folder: Path) -> object:
    _written(content, folder / "checkpoints/step-00000001.safetensors")
    entry = {"step": 1, "sha256": hashlib.sha256(content).hexdigest()}
    _written(json.dumps(entry).encode(), folder / "checkpoints/step-00000001.json")
    return Checkpoints(folder / "checkpoints").latest()


def _means(folder: Path) -> Seeds:
    _weights(folder)
    model = load_model(str(folder / "tiny"))
    means = np.ones((ROWS, 2, 2, 8), np.float32)
    replacement.write(folder / "tiny" / MEANS, HeadMeans(means, model.sha256))
    return [(folder / "tiny" / MEANS).read_bytes()]


def _read_means(content: bytes, folder: Path) -> object:
    path = _written(content, folder / "tiny" / MEANS)
    return companions.hash_in(path), replacement.known(load_model(str(path.parent)))


def _weights(folder: Path) -> Seeds:
    return [(tiny_model_directory(folder / "tiny") / WEIGHTS).read_bytes()]


def _discriminators(_: Path) -> Seeds:
    judge = Discriminator({"crossing": 0.5, "bass on 0": -1.25}, "5f")
    return [judge.to_json().encode()]


def _read_discriminator(content: bytes, folder: Path) -> object:
    path = _written(content, folder / "model" / DISCRIMINATOR)
    piece_beats = features.beats(minuet())
    return companions.hash_in(path), discriminator.read(path).log_odds(next(iter(piece_beats)))


def _model_archive(folder: Path) -> Seeds:
    model = tiny_model_directory(folder / "tiny")
    members = {f"tiny/{name}": (model / name).read_bytes() for name in (CARD, WEIGHTS)}
    return [containers.zipped(members)]


def _read_model_archive(content: bytes, folder: Path) -> object:
    source = importing.inspect(_written(content, folder / "model.zip"))
    return sum(len(chunk) for chunk in source.files.chunks(WEIGHTS))


def _jsb(_: Path) -> Seeds:
    pieces = {name: [random_chorale(1, 16).pitches.tolist()] * 2 for name in SPLITS}
    return [json.dumps(pieces).encode()]


def _hymns(_: Path) -> Seeds:
    pieces = (random_chorale(seed, 16) for seed in range(2))
    facts = {"key": "D minor", "meter": "4/4", "pickup": 0, "regular": True, "year": 1800}
    unknown = dict.fromkeys(("setting_year", "composer", "arranger", "copy_of", "bach"))
    notes = [
        {
            "pitches": np.maximum(piece.pitches, 0).tolist(),
            "onsets": piece.onsets.astype(int).tolist(),
        }
        for piece in pieces
    ]
    ends = ({"fermatas": [], "line_ends": [4, 16]}, {"fermatas": [0], "line_ends": []})
    each = [
        {"tune": "A"} | facts | unknown | one | end for one, end in zip(notes, ends, strict=True)
    ]
    return [json.dumps(each).encode()]


def _corpus(_: Path) -> Seeds:
    piece = [random_chorale(1, 16)]
    return [bundled.pack({"train": piece, "valid": piece, "test": piece})]


def _locks(_: Path) -> Seeds:
    locks = Locks.of(minuet(), minuet().pitches > 60)
    return [json.dumps(locks.to_json()).encode()]


def _clips(_: Path) -> Seeds:
    selection = Selection(voices=tuple(Voice), start=0, stop=20)
    return [clipboard.copy(minuet(), selection).to_json().encode()]


def _read_lists(content: bytes, folder: Path) -> object:
    with _home(folder):
        _written(content, study_folder.runs_folder() / "opened.json")
        _written(content, paths.data() / "recent.json")
        return study_folder.known_folders(), recent.load()


def _read_record(content: bytes, folder: Path) -> object:
    with _home(folder):
        _written(content, paths.data() / "recovered" / "abc.window")
        return WindowRecord("abc").read()


def _read_soundfont(content: bytes, folder: Path) -> object:
    path = _written(content, folder / "a.sf2")
    soundfont._check_file(path)  # noqa: SLF001  # the library reads the rest
    return path


FORMATS: Final[Mapping[str, Format]] = {
    **{
        suffix.strip("."): Format(_pieces(suffix), _read_piece(suffix))
        for suffix in (".mid", ".musicxml", ".abc", ".json")
    },
    "mxl": Format(_pieces(".mxl"), _read_piece(".mxl"), containers.changed_archive),
    "project": Format(_project, _read_project, containers.changed_project),
    "side files": Format(side_campaign.seeds, _read_side_files, side_campaign.changed),
    "settings": Format(
        lambda _: [tomli_w.dumps(asdict(settings.Settings())).encode()], _read_settings
    ),
    "recipe": Format(
        _assets("recipes/*.toml"),
        lambda content, folder: recipe.load(str(_written(content, folder / "recipe.toml"))),
    ),
    "study": Format(_assets("studies/*.toml", "studies/untrained/*.toml"), _read_study),
    "events": Format(
        lambda _: ["".join(json.dumps(event) + "\n" for event in _EVENTS).encode()], _read_events
    ),
    "result": Format(
        lambda _: [json.dumps(_RESULT).encode(), json.dumps(_RESULT, indent=1).encode()],
        _read_results,
    ),
    "run": Format(lambda _: [b'{"format": "musicrel-run", "version": 2}\n'], _read_run),
    "checkpoint": Format(_checkpoint, _read_checkpoint),
    "tensors": Format(_checkpoint_tensors, _read_checkpoint_tensors, containers.changed_weights),
    "head means": Format(_means, _read_means, containers.changed_weights),
    "card": Format(
        _assets("models/*/card.json"),
        lambda content, folder: read_card(_written(content, folder / "model" / CARD).parent),
    ),
    "weights": Format(
        _weights,
        lambda content, folder: checkpoint.load(
            _written(content, folder / "tiny" / WEIGHTS).parent
        ),
        containers.changed_weights,
    ),
    "discriminator": Format(_discriminators, _read_discriminator),
    "model archive": Format(_model_archive, _read_model_archive, containers.changed_archive),
    "jsb": Format(_jsb, lambda content, folder: jsb.read(_written(content, folder / "jsb.json"))),
    "hymns": Format(
        _hymns, lambda content, folder: hymns.read(_written(content, folder / "hymns.json"))
    ),
    "corpus": Format(
        _corpus, lambda content, _: bundled.unpack(content), containers.changed_archive
    ),
    "locks": Format(
        _locks, lambda content, folder: Locks.read(_written(content, folder / "l.json"))
    ),
    "clipboard": Format(
        _clips, lambda content, _: Clip.from_json(content.decode("utf-8", "replace"))
    ),
    "lists": Format(lambda _: [json.dumps(["/music/a", "b/c", "x" * 300]).encode()], _read_lists),
    "window_record": Format(
        lambda _: [b'{"path": "/home/a.musicrel", "name": "a", "saved": false, "attempts": 1}'],
        _read_record,
    ),
    "soundfont": Format(
        lambda _: [b"RIFF" + (100).to_bytes(4, "little") + b"sfbk" + bytes(range(96))],
        _read_soundfont,
    ),
}
"""All formats by name."""
