"""Pieces, models and data that the user names; the changes that their readers made are printed."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output
from musicrel.errors import DataError, FileError, UsageError
from musicrel.project import SUFFIX

if TYPE_CHECKING:
    from musicrel.analysis.corpus.splits import Split
    from musicrel.chorale import Chorale, Voice
    from musicrel.experiment.data.dataset import DataSet
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.score.importing.conversion import ImportedPiece


def read(path: Path, take: str = "") -> Chorale:
    return reported(load(path, take), path).chorale


def read_melody(path: Path, voice: Voice) -> ImportedPiece:
    from musicrel.score import files
    from musicrel.score.importing import melody_import, source

    if not is_project(path):
        return reported(files.import_melody(path, voice), path)
    piece = read(path)
    try:
        return reported(melody_import.import_melody(source.from_chorale(piece), voice), path)
    except DataError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def load(path: Path, take: str = "") -> ImportedPiece:
    from musicrel.score import files

    if not is_project(path):
        if take:
            raise UsageError(f"{path} has no takes: expected --take with a project ({SUFFIX})")
        return files.import_satb(path)
    from musicrel.project import project_piece

    return project_piece.read_piece(path, take)


def is_project(path: Path) -> bool:
    return path.suffix.lower() == SUFFIX


def reported(source: ImportedPiece, path: Path) -> ImportedPiece:
    output.report(f"{path.name}: {sentence}" for sentence in source.report)
    return source


def open_model(options: argparse.Namespace, name: str = "") -> LoadedModel:
    from musicrel.generation.loaded_model import load_model

    return load_model(name or options.model, options.device, options.threads)


def read_data(source: str, split: Split) -> DataSet:
    """Read the data called ``source``, see ``dataset.load``, for a split of it."""
    from musicrel.experiment.data import dataset

    data = dataset.load(source)
    head, *changes = data.report.splitlines() or [""]
    if head:
        output.print_message(head)
    output.report(changes)
    largest = max(data.sizes, key=lambda name: data.sizes[name])
    data.require(split, f"choose another with --split, as in --split {largest}")
    return data
