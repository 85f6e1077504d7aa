"""Pieces, models and data that the user names; the changes that their readers made are printed."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import jobs, untrusted
from musicrel.cli import output
from musicrel.errors import DataError, FileError, UsageError
from musicrel.jobs import Job, Result
from musicrel.model import device_choice
from musicrel.model.device_choice import Measurement, Task
from musicrel.model.devices import Device
from musicrel.project import SUFFIX

if TYPE_CHECKING:
    from musicrel.analysis.corpus.splits import Split
    from musicrel.chorale import Chorale, Voice
    from musicrel.experiment.data.dataset import DataSet
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.score.importing.conversion import ImportedPiece

_MEASURED: Final = "measuring, once"


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


def read_text(path: Path) -> str:
    try:
        return untrusted.read(path, "words").decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        raise FileError(
            f"{path} is not a text in UTF-8: save it as UTF-8 and try again"
        ) from reason


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

    device = chosen_device(options.device, "writing")
    return load_model(name or options.model, device, options.threads)


def chosen_device(name: object, task: Task) -> Device:
    """Return the device for a task; if devices are measured for that, show it."""
    choice, is_new = with_measurements(device_choice.choose(name, task))
    if is_new:
        output.print_message(choice.warning or device_choice.described())
    return choice.device


def with_measurements(job: Job[Measurement, Result]) -> tuple[Result, bool]:
    """Run a job; show a bar if devices are measured, and return whether they were."""
    with ExitStack() as shown:
        bar = cache(lambda: shown.enter_context(output.ProgressBar(_MEASURED, 2, "devices")))

        def show(event: Measurement) -> None:
            title = device_choice.title(event.device)
            bar().set_done((title != "CPU") + event.share, f"{event.task} on the {title}")

        return jobs.run(job, show), bar.cache_info().currsize > 0


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
