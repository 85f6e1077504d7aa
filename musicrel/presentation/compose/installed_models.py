"""All models on this computer with their facts, for a list; importing this takes no torch."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from musicrel.errors import ModelError
from musicrel.jobs import Job
from musicrel.language import decimal, tr
from musicrel.model import catalogue
from musicrel.model.card import CARD, WEIGHTS, WITHOUT_NOTES, Card, read_card
from musicrel.presentation.compose import models
from musicrel.presentation.words import display_names

UNKNOWN: Final = "–"
READING: Final = tr("being computed …")
MATCHES: Final = tr("matches the card")
DIFFERS: Final = tr("Does not match the card: copy the model again from its source")
UNNAMED: Final = tr("the card has none to compare with")
UNREADABLE: Final = tr("the weights cannot be read")

_MEGABYTE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class InstalledModel:
    """A model of the list; texts are "–" where a fact is unknown."""

    name: str
    folder: Path
    shipped: bool  # True if it belongs to the program
    family: str = UNKNOWN
    scheme: str = UNKNOWN  # name of the positional scheme
    task: str = UNKNOWN
    parameters: str = UNKNOWN  # their number, rounded
    size: str = UNKNOWN  # size of the weights on disk
    loss: str = UNKNOWN
    licence: str = UNKNOWN
    added: str = UNKNOWN  # day of the installation
    usable: bool = False  # True if it can be chosen for writing or rewriting
    expected: str = ""  # SHA-256 of the weights as named in the card, "" if it names none
    problem: str = ""  # why the card cannot be read, "" if it can

    @property
    def stored(self) -> str:
        return "musicrel" if self.shipped else tr("Imported by you")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checksum:
    folder: Path
    sha256: str  # of the file; "" if it cannot be read
    state: str  # its comparison with the card, in words


def listed() -> tuple[InstalledModel, ...]:
    """Return all models, also those with a damaged card, shipped ones first."""
    return tuple(_entry(folder) for folder in catalogue.model_directories())


def checksums(found: tuple[InstalledModel, ...]) -> Job[Checksum, None]:
    for model in found:
        yield _checksum(model)


def _entry(folder: Path) -> InstalledModel:
    shipped, added = catalogue.is_shipped(folder), _day(folder / CARD)
    try:
        card = read_card(folder)
    except ModelError as reason:
        return InstalledModel(
            name=folder.name, folder=folder, shipped=shipped, added=added, problem=str(reason)
        )
    family = models.FAMILIES[card.config.family]
    return InstalledModel(
        name=folder.name,
        folder=folder,
        shipped=shipped,
        family=family.title,
        scheme=display_names.scheme(card.config.scheme),
        task=family.task,
        parameters=models.size(card.parameters),
        size=_size(folder / WEIGHTS),
        loss=_loss(card),
        licence=card.licence,
        added=added,
        usable=card.config.family not in WITHOUT_NOTES and not card.config.classes,
        expected=card.weights_sha256.lower(),
    )


def _loss(card: Card) -> str:
    loss = card.valid_nats_per_note
    return UNKNOWN if loss is None else decimal(loss, ".3f")


def _size(weights: Path) -> str:
    try:
        return f"{decimal(weights.stat().st_size / _MEGABYTE, '.1f')} MB"
    except OSError:
        return UNKNOWN


def _day(file: Path) -> str:
    try:
        return datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat()
    except (OSError, OverflowError, ValueError):
        return UNKNOWN


def _checksum(model: InstalledModel) -> Checksum:
    try:
        with (model.folder / WEIGHTS).open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return Checksum(folder=model.folder, sha256="", state=UNREADABLE)
    state = UNNAMED if not model.expected else MATCHES if sha256 == model.expected else DIFFERS
    return Checksum(folder=model.folder, sha256=sha256, state=state)
