"""A small piece in the course of a run, for the ear: always the same request and seed.

This file knows the request; it knows nothing of when one is due.
"""

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

REQUEST: Final = GenerationRequest(bars=8, seed=0, patience="draft")


def written(
    network: Transformer, card: Card, vocabulary: Vocabulary, wanted: Callable[[], bool]
) -> Generated | None:
    """Write the piece.

    Args:
        network: the weights, in evaluation mode.
        card: what is known of them.
        vocabulary: the meaning of their tokens.
        wanted: asked before every token; where it is not any more, the piece is given up.

    Returns:
        The piece; None when it was given up, or when the model cannot write yet.
    """
    job = generate(LoadedModel.unsaved(network, card, vocabulary), REQUEST)
    try:
        while wanted():
            next(job)
    except StopIteration as end:
        piece: Generated = end.value
        return piece
    except GenerationError:
        return None
    finally:
        job.close()
    return None
