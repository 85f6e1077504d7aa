"""Verification of files: models, corpus, runs, studies and projects are as they were written.

Everything is read and compared with its checksums; nothing is changed or repaired.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from musicrel import paths, untrusted
from musicrel.analysis import voice_leading
from musicrel.analysis.corpus import bundled, melodies
from musicrel.errors import DataError, FileError, ModelError, MusicrelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition, study_folder
from musicrel.jobs import Job
from musicrel.model import catalogue, checkpoint
from musicrel.model.card import CARD, read_card
from musicrel.project import SUFFIX, project_file
from musicrel.score import json_file

Kind = Literal["model", "corpus", "run", "study", "project"]

CORPUS: Final = "corpus"  # name of the bundled chorales and melodies among the names of models
NO_HASH: Final = "its card names no SHA-256 to compare with"
_NOTHING: Final = (
    "{path} holds nothing to verify: expected the name of a model, 'corpus', a project "
    f"({SUFFIX}), or a folder with models, runs, studies or projects"
)
_MAX_FOLDERS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    kind: Kind
    path: Path  # its file or folder
    problem: str = ""  # what is damaged, one sentence; "" if nothing is
    remark: str = ""  # what could not be compared, or ""


def known() -> list[Item]:
    models = [Item(kind="model", path=folder) for folder in catalogue.model_directories()]
    found = [item for folder in study_folder.known_folders() for item in _inside(folder)]
    return [*models, _corpus(), *found]


def named(name: str) -> list[Item]:
    path = Path(name)
    if name == CORPUS:
        return [_corpus()]
    if paths.is_file(path) and path.suffix.lower() == SUFFIX:
        return [Item(kind="project", path=path)]
    found = list(_inside(path))
    if not found:
        try:
            found = [Item(kind="model", path=catalogue.find(name))]
        except ModelError as reason:
            raise UsageError(_NOTHING.format(path=name)) from reason
    return found


def verify(items: Iterable[Item]) -> Job[Item, None]:
    for item in items:
        try:
            yield replace(item, remark=_read(item))
        except MusicrelError as reason:
            yield replace(item, problem=str(reason))


def _corpus() -> Item:
    return Item(kind="corpus", path=paths.assets() / CORPUS)


def _inside(folder: Path) -> Iterator[Item]:
    for number, (place, folders, files) in enumerate(os.walk(folder)):
        folders.sort()
        if number >= _MAX_FOLDERS:
            raise UsageError(f"{folder} has more than {_MAX_FOLDERS:,} folders: name one below it")
        here, kind = Path(place), study_folder.kind_of(Path(place))
        if kind is not None:
            yield Item(kind=kind, path=here)
        elif CARD in files:
            yield Item(kind="model", path=here)
        for file in sorted(files):
            if Path(file).suffix.lower() == SUFFIX:
                yield Item(kind="project", path=here / file)


def _read(item: Item) -> str:
    """Return what cannot be compared; models and runs inside others are items of their own."""
    path, problems = item.path, list[str]()
    match item.kind:
        case "model":
            checkpoint.load(path)
            return "" if read_card(path).weights_sha256 else NO_HASH
        case "corpus":
            _read_corpus()
        case "run":
            run = RunFolder(path)
            recipe.parse(run.recipe_toml(), str(path / "recipe.toml"))
            problems = list(run.problems())
        case "study":
            definition.read(path)
        case "project":
            problems = list(project_file.problems(path))
    if problems:
        more = f", and {len(problems) - 1} more" if len(problems) > 1 else ""
        raise FileError(f"{path}: {problems[0]}{more}")
    return ""


def _read_corpus() -> None:
    bundled.load_all()
    reference = paths.assets() / voice_leading.BACH_RATES
    values = untrusted.parse_json(untrusted.read(reference, "reference"))
    source = values.get("source") if isinstance(values, dict) else None
    if not isinstance(source, dict) or source.get("sha256") != bundled.source_sha256():
        path = paths.assets() / bundled.FILE_NAME
        raise DataError(
            f"{path} is not the one that {reference.name} names: install musicrel again"
        )
    for name in melodies.names():
        json_file.read(melodies.path(name))
