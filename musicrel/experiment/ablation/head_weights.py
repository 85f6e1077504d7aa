"""The weight of a head for one note, in two definitions.

- ``strongest_source``: the largest weight that the head puts on one source. The weight on a source
  is the sum over its keys; START is no source, nor is the own step of an infilling model.
- ``concentration``: 1 - H / ln K, with the entropy H of the weights over all K keys: 0 for equal
  weights, 1 if all weight is on one key.

Neither takes the values into account, which the weights multiply.

Dimensions: L layers, H heads, K keys, S sources.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

HEAD_WEIGHTS: Final = ("strongest_source", "concentration")


def of_heads(weights_LHK: Floats, keys_SK: Flags) -> Floats:
    """Return both weights of every head, (2, L, H), in the order of ``HEAD_WEIGHTS``."""
    return np.stack([strongest_source(weights_LHK, keys_SK), concentration(weights_LHK)])


def strongest_source(weights_LHK: Floats, keys_SK: Flags) -> Floats:
    """Return the largest weight on one source, (L, H); 0 without sources."""
    on_source_LHS = weights_LHK @ keys_SK.T.astype(np.float64)
    found: Floats = on_source_LHS.max(axis=-1, initial=0.0)
    return found


def concentration(weights_LHK: Floats) -> Floats:
    """Return how far the weights are from equal ones, (L, H), 0 to 1; 1 with a single key."""
    keys = weights_LHK.shape[-1]
    if keys == 1:
        return np.ones(weights_LHK.shape[:-1])
    positive = np.where(weights_LHK > 0, weights_LHK, 1.0)
    found: Floats = 1 + (positive * np.log(positive)).sum(axis=-1) / np.log(keys)
    return found
