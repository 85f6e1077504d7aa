"""The layers of a compiled infill model, computed by torch in bfloat16.

The compiled kernel computes the features and the output layers, which take torch a third of the
time in many small operations. Import it only where the kernel is available.

Dimensions: T steps, S wanted steps, D width.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from musicrel.model.compiled.tiles import HEIGHT, padded
from musicrel.model.decoding.prepared_blocks import PreparedBlocks
from musicrel.model.families.transformer import Transformer

Floats = npt.NDArray[np.float32]


class MixedLayers:
    """The layers; see ``CompiledInfiller.logits_at``.

    Args:
        network: the network of torch, on the CPU.
    """

    def __init__(self, network: Transformer) -> None:
        self._blocks = PreparedBlocks(network.blocks, torch.bfloat16)
        self._norm, self._width = network.norm, network.config.width

    @torch.inference_mode()
    def __call__(
        self, x_TD: Floats, steps: int, at_S: npt.NDArray[np.int64], weights: object
    ) -> Floats:
        """Return the normalised states of the steps ``at_S``, padded like ``x_TD``.

        Args:
            x_TD: the embedded steps, padded with zeros.
            steps: their number T.
            at_S: the wanted steps.
            weights: ignored: torch has its own.
        """
        del weights
        x_1TD = torch.from_numpy(x_TD[None, :steps, : self._width])
        states_1SD = self._norm(self._blocks(x_1TD, torch.from_numpy(at_S)))
        padded_SD = np.zeros((padded(len(at_S), HEIGHT), x_TD.shape[1]), dtype=np.float32)
        padded_SD[: len(at_S), : self._width] = states_1SD[0].numpy()
        return padded_SD
