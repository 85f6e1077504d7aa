"""The values that take the place of muted heads: zero, or their means over the training pieces.

Means lie beside a model's weights, or in the user's cache where they were computed on this machine,
with the hash of the weights that they belong to.

Dimensions: L layers, H heads, d head width, 5 four voices and ``ANY``.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import safetensors.numpy

from musicrel import paths, untrusted
from musicrel.errors import DataError, FileError, ModelError
from musicrel.generation.heads.mutes import Mutes, Replacement
from musicrel.generation.loaded_model import LoadedModel
from musicrel.language import tr
from musicrel.model import tensor_file
from musicrel.model.companions import MEANS, WEIGHTS_HASH
from musicrel.model.replaced_heads import ROWS, Ablations

_TENSOR: Final = "means_5LHd"

_log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False, slots=True)
class HeadMeans:
    """Mean outputs of the heads of a model."""

    means_5LHd: npt.NDArray[np.float32]
    sha256: str


def weights_hash(model: LoadedModel) -> str:
    """Return the hash of a model's weights, also of those in no file."""
    if model.sha256:
        return model.sha256
    found = hashlib.sha256()
    for name, tensor in sorted(model.tensors.items()):
        found.update(name.encode() + np.ascontiguousarray(tensor).tobytes())
    return found.hexdigest()


def known(model: LoadedModel) -> HeadMeans | None:
    """Return the means that are stored for a model; None if there are none of its weights."""
    sha256 = weights_hash(model)
    places = [cache_path(sha256)]
    if model.directory is not None:
        places.insert(0, model.directory / MEANS)
    for path in places:
        means = _read(path, model)
        if means is not None and means.sha256 == sha256:
            return means
        if means is not None or path.exists():
            _log.warning(
                "%s is not of these weights of %s and is ignored: compute the means again",
                path,
                model.name,
            )
    return None


def cache_path(sha256: str) -> Path:
    """Return the file in the user's cache for the weights with this hash."""
    return paths.cache() / "head_means" / f"{sha256}.safetensors"


def write(path: Path, means: HeadMeans) -> None:
    """Write means to a file."""
    content = safetensors.numpy.save({_TENSOR: means.means_5LHd}, {WEIGHTS_HASH: means.sha256})
    paths.write_bytes(path, content)


def replaced_heads(model: LoadedModel, mutes: Mutes) -> Ablations | None:
    """Return the replaced heads of a model, None where nothing is muted."""
    config = model.config
    single = mutes.expanded(config.layers, config.heads)
    if not single:
        return None
    replaced_1LH = np.zeros((1, config.layers, config.heads), dtype=np.bool_)
    replaced_1LH[0][tuple(np.transpose(single))] = True
    return Ablations(replaced_RLH=replaced_1LH, values_5LHd=replacement_values(model, mutes.by))


def replacement_values(model: LoadedModel, by: Replacement) -> npt.NDArray[np.float32]:
    """Return what takes the place of each head, float32 (5, L, H, d); see ``Ablations``."""
    config = model.config
    if by == "zero":
        return np.zeros((ROWS, config.layers, config.heads, config.head_width), dtype=np.float32)
    means = known(model)
    if means is None:
        raise ModelError(
            tr(
                "the means of the heads of {name} are not known: compute them with musicrel "
                "ablate means, or replace heads by zero",
                name=model.name,
            )
        )
    return means.means_5LHd


def _read(path: Path, model: LoadedModel) -> HeadMeans | None:
    """Return the means in a file; None where there is no file, or not one for such a model."""
    config = model.config
    if not path.is_file():
        return None
    try:
        content = untrusted.read(path, "head means")
        means_5LHd = tensor_file.read(content)[_TENSOR]
    except (FileError, DataError, KeyError):
        return None
    sha256 = str(tensor_file.header(content).texts.get(WEIGHTS_HASH, ""))
    shape = (ROWS, config.layers, config.heads, config.head_width)
    if means_5LHd.shape != shape or means_5LHd.dtype != np.float32:
        return None
    return HeadMeans(means_5LHd, sha256) if np.isfinite(means_5LHd).all() else None
