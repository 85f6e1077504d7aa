"""Samples during training: always the same request and seed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from musicrel.errors import GenerationError
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.events import Generated
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.model.card import Card
from musicrel.model.families.transformer import Transformer
from musicrel.tokens.vocabulary import Vocabulary

REQUEST: Final = GenerationRequest(bars=8, seed=0, quality="draft")


def generate_sample(
    network: Transformer, card: Card, vocabulary: Vocabulary, keep_going: Callable[[], bool]
) -> Generated | None:
    """Generate the sample.

    Args:
        network: in evaluation mode.
        card: card of the network.
        vocabulary: vocabulary of its tokens.
        keep_going: called before each token; False abandons the sample.

    Returns:
        The piece; None if it was abandoned or the model cannot generate one yet.
    """
    job = generate(LoadedModel.unsaved(network, card, vocabulary), REQUEST)
    try:
        while keep_going():
            next(job)
    except StopIteration as end:
        piece: Generated = end.value
        return piece
    except GenerationError:
        return None
    finally:
        job.close()
    return None
