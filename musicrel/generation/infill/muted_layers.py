"""The layers of an infilling model with replaced heads, by the compiled kernel and by torch.

Dimensions: B pieces, T steps, 4 voices, S wanted steps, D width.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.model.replaced_heads import ANY, ReplacedHeads

Floats = npt.NDArray[np.float32]

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

    from musicrel.model.compiled.encoder import Places
    from musicrel.model.compiled.encoder_weights import EncoderWeights
    from musicrel.model.compiled.infiller import Layers
    from musicrel.model.families.transformer import Transformer


def value_rows(wanted_BT4: Flags) -> npt.NDArray[np.int64]:
    """Return the row of the values at each step, (B, T); see ``ReplacedHeads``.

    It is the voice of the predicted cell, and ``ANY`` where none or several are predicted.

    Args:
        wanted_BT4: bool, the cells to predict.
    """
    return np.where(wanted_BT4.sum(axis=-1) == 1, wanted_BT4.argmax(axis=-1), ANY)


def compiled_layers(replaced: ReplacedHeads, row_T: npt.NDArray[np.int64]) -> Layers:
    """Return the layers by the kernel; see ``CompiledInfiller.logits_at``.

    Args:
        replaced: the heads.
        row_T: row of the values at each step.
    """
    from musicrel.model.compiled import encoder  # noqa: PLC0415  # it imports numba

    ablation = encoder.nothing()._replace(
        replaced_NH=np.ascontiguousarray(replaced.is_replaced_LH),
        value_5NHd=np.ascontiguousarray(replaced.values_5LHd),
        row_T=row_T,
    )

    def layers(x_TD: Floats, steps: int, at_S: Places, w: EncoderWeights) -> Floats:
        x_SD = encoder.run_part(x_TD, steps, at_S, 0, len(w.norms_N4D), w, ablation)
        return encoder.normalised(x_SD, w)

    return layers


def torch_layers(
    network: Transformer, replaced: ReplacedHeads, row_BT: npt.NDArray[np.int64]
) -> Callable[[Tensor, Tensor], Tensor]:
    """Return the layers by torch, as ``Infiller.logits_of`` calls them.

    Args:
        network: the model.
        replaced: the heads.
        row_BT: row of the values at each step of each piece.
    """
    import torch  # noqa: PLC0415  # it takes a second

    from musicrel.model.blocks.ablation import Ablation  # noqa: PLC0415

    def layers(x_BTD: Tensor, steps_S: Tensor) -> Tensor:
        ablation = Ablation.everywhere(replaced, torch.from_numpy(row_BT).to(x_BTD.device))
        return network.run_blocks(x_BTD, ablation=ablation).out_BTD[:, steps_S]

    return layers
