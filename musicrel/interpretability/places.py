"""The places that the heads of a DaRoPE model give to the notes of a piece.

Slow pairs of a head turn by a place that it computes from the note, instead of the note's own place
(``musicrel.model.positions.darope``): notes with places near each other are near for that head.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import ModelError, torch_may_be_missing
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.interpretability.results import Places
from musicrel.model.card import learns_places


def find(model: LoadedModel, chorale: Chorale) -> Places:
    """Return the places of all notes of a piece, which the model reads at once.

    Raises:
        ModelError: the heads of this model learn no places.
    """
    if not learns_places(model.config):
        raise ModelError(
            f"the heads of the model {model.name} learn no places for notes: choose a causal model "
            "with the scheme darope"
        )
    with torch_may_be_missing():
        import torch
    # a copy, as other threads may use the network
    network: Any = copy.deepcopy(model.network).cpu()
    found: list[torch.Tensor] = []
    ids_N = torch.from_numpy(model.encode(chorale)[:-1])
    rows_NC = torch.from_numpy(model.condition_rows(chorale, conditions_of(chorale))[:-1])
    place_N = torch.arange(len(ids_N), dtype=torch.float64)
    for block in network.blocks:
        block.attention.register_forward_pre_hook(
            lambda attention, read: found.append(attention.positional.coordinates(*read, place_N))
        )
    with torch.inference_mode():
        network(ids_N[None], rows_NC[None])
    places_LHN = torch.cat(found)[..., 1:].double().numpy()
    shape = *places_LHN.shape[:2], chorale.steps, len(Voice)
    return Places(model.config.trained_length, np.reshape(places_LHN, shape))
