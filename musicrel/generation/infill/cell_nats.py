"""Surprisal of the cells of a finished piece under an infill model.

Dimensions: T steps, 4 voices, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.generation.causal.batch import Nats
from musicrel.generation.infill.masked_reader import Grid, MaskedReader, read_cells
from musicrel.generation.loaded_model import LoadedModel
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import MASK

_HIDDEN_AT_ONCE: Final = 4
"""Steps of a hidden run."""


def of_piece(
    reader: MaskedReader, model: LoadedModel, chorale: Chorale, given: Iterable[str]
) -> Nats:
    """Return -log p of each cell of a piece, (T, 4); see ``cell_nats``.

    Args:
        reader: a reader of the model.
        model: a model of family ``infill``.
        chorale: the piece.
        given: names of the conditions.
    """
    tokens = model.encode(chorale)[1:-1].reshape(-1, len(Voice))
    return cell_nats(reader, tokens, model.condition_rows(chorale, tuple(given))[: tokens.size])


def cell_nats(reader: MaskedReader, tokens: Grid, conditions_NC: Rows) -> Nats:
    """Return -log p of each cell, given all but its neighbours in its voice, (T, 4), in nats.

    Each of eight passes hides every other run of a voice.

    Args:
        reader: a reader of the model.
        tokens: int64 (T, 4), none of them hidden.
        conditions_NC: condition rows of the cells.
    """
    nats = np.zeros(tokens.shape)
    run = np.arange(len(tokens)) // _HIDDEN_AT_ONCE % 2
    for voice in Voice:
        for phase in range(2):
            steps = np.flatnonzero(run == phase)
            if steps.size:
                hidden, wanted_BT4 = tokens.copy(), np.zeros((1, *tokens.shape), dtype=np.bool_)
                hidden[steps, voice], wanted_BT4[0, steps, voice] = MASK, True
                (logits,) = read_cells(reader, [hidden], [conditions_NC], wanted_BT4)
                logits_SV = logits.at(steps, voice)
                log_p_SV = logits_SV - np.logaddexp.reduce(logits_SV, axis=-1, keepdims=True)
                nats[steps, voice] = -log_p_SV[np.arange(len(steps)), tokens[steps, voice]]
    return nats
