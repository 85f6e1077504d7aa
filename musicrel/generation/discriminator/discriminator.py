"""Log-odds of Bach against a model, which guide a search towards what Bach writes more often.

A logistic regression between crops of Bach's chorales and those of a model has the ratio of their
densities as its odds. It is linear in counts of features, so each beat has a share, by which a
search can weigh particles before the piece is complete. ``training.guidance`` fits it.

Source: Azadi et al. 2019, "Discriminator Rejection Sampling"; Yang and Klein 2021, "FUDGE:
Controlled Text Generation With Future Discriminators".
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeGuard

from musicrel import gate
from musicrel.errors import DataError
from musicrel.generation.discriminator import stored
from musicrel.generation.discriminator.beat import Beat
from musicrel.generation.discriminator.features import features
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.companions import DISCRIMINATOR, WEIGHTS_HASH

LARGEST: Final = 6.0
"""Largest log-odds of a beat in nats, of either sign: a single beat does not decide."""
_FORMAT: Final = "musicrel-discriminator"
_VERSION: Final = 1
_DIGITS: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class Discriminator:
    """A discriminator.

    Attributes:
        weights: nats for each occurrence of a feature.
        sha256: hash of the weights of its model.
    """

    weights: Mapping[str, float]
    sha256: str

    def log_odds(self, beat: Beat) -> float:
        """Return the share of a beat in the log-odds of Bach, in nats."""
        total = sum(self.weights.get(feature, 0.0) for feature in features(beat))
        return max(-LARGEST, min(LARGEST, total))

    def to_json(self) -> str:
        """Return the content of a file, the features in order."""
        rounded = {name: round(self.weights[name], _DIGITS) for name in sorted(self.weights)}
        values = {"format": _FORMAT, "version": _VERSION, WEIGHTS_HASH: self.sha256}
        return json.dumps(values | {"weights": rounded}, indent=0) + "\n"


def known(model: LoadedModel) -> Discriminator | None:
    """Return the discriminator beside the weights of a model; None if there is none of these."""
    return stored.known(model, DISCRIMINATOR, read)


def read(path: Path) -> Discriminator:
    """Read a discriminator.

    Raises:
        FileError: the file cannot be read.
        DataError: it is no discriminator of this version.
    """
    values = gate.parse_json(gate.read(path, "discriminator"), path.name)
    if not isinstance(values, dict) or values.get("format") != _FORMAT:
        raise DataError(f"{path.name} is no discriminator: expected the format {_FORMAT!r}")
    if values.get("version") != _VERSION:
        raise DataError(f"version {values.get('version')!r} is unknown: expected {_VERSION}")
    weights, sha256 = values.get("weights"), values.get(WEIGHTS_HASH)
    if not isinstance(sha256, str) or not _are_weights(weights):
        raise DataError(f"expected {WEIGHTS_HASH!r} as text, and 'weights' as finite numbers")
    return Discriminator({name: float(value) for name, value in weights.items()}, sha256)


def _are_weights(values: Any) -> TypeGuard[dict[str, float]]:
    """Return True for numbers by name; the parser refuses those that are not finite."""
    return isinstance(values, dict) and all(
        isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        for value in values.values()
    )
