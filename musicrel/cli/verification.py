"""Verification of files: models, corpus, runs, studies and projects are as they were written.

Everything is read and compared with its checksums; nothing is changed or repaired.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from musicrel import paths, untrusted
from musicrel.analysis import voice_leading
from musicrel.corpus import bundled, melodies
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
            yield replace(item, remark=_CHECKS[item.kind](item.path))
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


def _verify_model(folder: Path) -> str:
    checkpoint.load(folder)
    return "" if read_card(folder).weights_sha256 else NO_HASH


def _verify_corpus(_folder: Path) -> str:
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
    return ""


def _verify_run(folder: Path) -> str:
    """Read recipe, events, checkpoints and result; models inside are items of their own."""
    run = RunFolder(folder)
    recipe.parse(run.recipe_toml(), str(folder / "recipe.toml"))
    return _sound(folder, run.problems())


def _verify_study(folder: Path) -> str:
    """Read the definition; runs inside are items of their own."""
    definition.read(folder)
    return ""


def _verify_project(path: Path) -> str:
    return _sound(path, project_file.problems(path))


def _sound(path: Path, problems: Sequence[str]) -> str:
    """Return no remark if there are no problems."""
    if not problems:
        return ""
    others = len(problems) - 1
    raise FileError(f"{path}: {problems[0]}" + (f", and {others} more" if others else ""))


_CHECKS: Final[Mapping[Kind, Callable[[Path], str]]] = MappingProxyType(
    {
        "model": _verify_model,
        "corpus": _verify_corpus,
        "run": _verify_run,
        "study": _verify_study,
        "project": _verify_project,
    }
)  # kind -> function that reads an item, returns a remark and raises an error for damage
