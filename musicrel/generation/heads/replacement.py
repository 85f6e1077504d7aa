"""The values that take the place of muted heads."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from musicrel.errors import ModelError
from musicrel.generation.heads import head_means
from musicrel.generation.heads.mutes import Mutes, Replacement
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.replaced_heads import ROWS, ReplacedHeads


def replaced_heads(model: LoadedModel, mutes: Mutes) -> ReplacedHeads | None:
    """Return the replaced heads of a model, None where nothing is muted.

    Raises:
        UsageError: the model has no such head.
        ModelError: the means of its heads are asked for and not known.
    """
    config = model.config
    single = mutes.expanded(config.layers, config.heads)
    if not single:
        return None
    is_replaced_LH = np.zeros((config.layers, config.heads), dtype=np.bool_)
    is_replaced_LH[tuple(np.transpose(single))] = True
    return ReplacedHeads(is_replaced_LH, replacement_values(model, mutes.by))


def replacement_values(model: LoadedModel, by: Replacement) -> npt.NDArray[np.float32]:
    """Return what takes the place of each head, float32 (5, L, H, d); see ``ReplacedHeads``.

    Raises:
        ModelError: the means are asked for and not known.
    """
    config = model.config
    if by == "zero":
        return np.zeros((ROWS, config.layers, config.heads, config.head_width), dtype=np.float32)
    means = head_means.known(model)
    if means is None:
        raise ModelError(
            f"the means of the heads of {model.name} are not known: compute them with musicrel "
            "ablate means, or replace heads by zero"
        )
    return means.means_5LHd
