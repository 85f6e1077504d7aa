"""Networks of torch: the class of each family, built from hyperparameters and weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from musicrel.model.config import Family, ModelConfig
from musicrel.model.families.classifier import Classifier
from musicrel.model.families.encoder_decoder import EncoderDecoder
from musicrel.model.families.infiller import Infiller
from musicrel.model.families.published import PublishedEncoder
from musicrel.model.families.transformer import Predictor, Transformer

FAMILIES: Final[Mapping[Family, type[Transformer]]] = {
    "causal": Predictor,
    "encoder_decoder": EncoderDecoder,
    "masked": Predictor,
    "classifier": Classifier,
    "published": PublishedEncoder,
    "infill": Infiller,
}

_DRAWING: Final = frozenset({nn.init.normal_, nn.init.uniform_, Tensor.normal_, Tensor.uniform_})
"""Functions that draw the values of a tensor."""


def build(config: ModelConfig) -> Transformer:
    """Build a model with untrained weights of the family of ``config``."""
    return FAMILIES[config.family](config)


class _ShapesOnly(TorchFunctionMode):
    """Leave new tensors undrawn: on the meta device their shape alone counts.

    Torch draws them in Python there, for which it imports its compiler: a second and 130 MB.
    """

    def __torch_function__(
        self,
        func: Any,
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        """Run a function of torch, unless it draws the values of a tensor."""
        named = kwargs or {}
        if func in _DRAWING:
            return named["tensor"] if "tensor" in named else args[0]
        return func(*args, **named)


def tensor_shapes(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of a network, on the meta device (no memory)."""
    with torch.device("meta"), _ShapesOnly():
        empty = build(config)
    return {name: tuple(value.shape) for name, value in empty.state_dict().items()}


def with_weights(
    config: ModelConfig, tensors: Mapping[str, npt.NDArray[np.float32]], device: str
) -> Transformer:
    """Return a network with the weights ``tensors``, float32, in evaluation mode."""
    model = build(config)
    model.load_state_dict({name: torch.from_numpy(value) for name, value in tensors.items()})
    return model.to(device).eval()
