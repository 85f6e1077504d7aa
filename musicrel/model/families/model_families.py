"""The model class of each family."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from musicrel.model.config import Family, ModelConfig
from musicrel.model.families.classifier import Classifier
from musicrel.model.families.critic import Critic
from musicrel.model.families.encoder_decoder import EncoderDecoder
from musicrel.model.families.infiller import Infiller
from musicrel.model.families.published import PublishedEncoder
from musicrel.model.families.transformer import Transformer

FAMILIES: Final[Mapping[Family, type[Transformer]]] = MappingProxyType(
    {
        "causal": Transformer,
        "encoder_decoder": EncoderDecoder,
        "masked": Transformer,
        "classifier": Classifier,
        "critic": Critic,
        "published": PublishedEncoder,
        "infill": Infiller,
    }
)


def build(config: ModelConfig) -> Transformer:
    """Build a model with untrained weights of the family of ``config``."""
    return FAMILIES[config.family](config)
