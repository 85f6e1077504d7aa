"""Matrices rounded to int8: a quarter of the bytes, for models whose speed is that of memory.

Activations and sums stay float32. Dimensions: N layers, O outputs, I inputs.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.model.compiled.arithmetic import F32, Floats
from musicrel.model.compiled.tiles import Bytes

_LARGEST: Final = F32(127)


def rounded(w_NOI: Floats) -> tuple[Bytes, Floats]:
    """Round matrices to int8, symmetrically, each output by its largest weight.

    Dettmers et al. 2022, 2.1 and 2.2 ("absmax", a constant for each row).

    Args:
        w_NOI: the matrices, float32.

    Returns:
        Integers of -127 to 127, (N, O, I), and the factors of the outputs, (N, O): a weight is
        about the integer times the factor.
    """
    scale_NO = np.abs(w_NOI).max(axis=-1) / _LARGEST
    scale_NO[scale_NO == 0] = 1
    return np.rint(w_NOI / scale_NO[..., None]).astype(np.int8), scale_NO
