"""Log-odds of Bach against a model, which guide a search towards what Bach writes more often.

A logistic regression between crops of Bach's chorales and those of a model has the ratio of their
densities as its odds. It is linear in counts of features, so each beat has a share, by which a
search can weigh particles before the piece is complete. ``training.guidance`` fits it.

Source: Azadi et al. 2019, "Discriminator Rejection Sampling"; Yang and Klein 2021, "FUDGE:
Controlled Text Generation With Future Discriminators".
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import msgspec

from musicrel import untrusted
from musicrel.errors import DataError, FileError
from musicrel.generation.discriminator.features import Beat, features
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.companions import DISCRIMINATOR, WEIGHTS_HASH
from musicrel.validated import convert

_OTHER: Final = "%s is not of these weights of %s and is ignored: restore the model's folder"
_DAMAGED: Final = "%s is damaged and is ignored (%s): restore the model's folder"

_log = logging.getLogger(__name__)

LARGEST: Final = 6.0
"""Largest log-odds of a beat in nats, of either sign: a single beat does not decide."""
_FORMAT: Final = "musicrel-discriminator"
_VERSION: Final = 1
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Discriminator:
    """A discriminator, of the nats for each occurrence of a feature."""

    weights: Mapping[str, float]
    sha256: str

    def log_odds(self, beat: Beat) -> float:
        total = sum(self.weights.get(feature, 0.0) for feature in features(beat))
        return max(-LARGEST, min(LARGEST, total))

    def to_json(self) -> str:
        rounded = {name: round(self.weights[name], _DIGITS) for name in sorted(self.weights)}
        values = {"format": _FORMAT, "version": _VERSION, WEIGHTS_HASH: self.sha256}
        return json.dumps(values | {"weights": rounded}, indent=0) + "\n"


def known(model: LoadedModel) -> Discriminator | None:
    """Return the discriminator beside the weights of a model; None if there is none of these."""
    path = model.directory and model.directory / DISCRIMINATOR
    if path is None or not path.is_file():
        return None
    try:
        found = read(path)
    except (FileError, DataError) as reason:
        _log.warning(_DAMAGED, path, reason)
        return None
    if found.sha256 == model.sha256:
        return found
    _log.warning(_OTHER, path, model.name)
    return None


def read(path: Path) -> Discriminator:
    """Read a discriminator."""
    values = untrusted.parse_json(untrusted.read(path, "discriminator"), path.name)
    stored = convert(values, _Stored, path.name, error=DataError)
    if stored.version != _VERSION:
        raise DataError(f"version {stored.version!r} is unknown: expected {_VERSION}")
    return Discriminator(stored.weights, stored.weights_sha256)


class _Stored(msgspec.Struct):
    format: Literal["musicrel-discriminator"]
    version: int
    weights_sha256: str
    weights: dict[str, float]
