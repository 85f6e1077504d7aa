"""The effects of heads on a whole piece, shown while they are measured."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation.ablation.global_effects import global_effects
from musicrel.generation.heads.mutes import Replacement
from musicrel.generation.loaded_model import LoadedModel
from musicrel.jobs import Job
from musicrel.presentation.ablation.head_effects import HeadEffects

OF_PIECE: Final = "whole piece"


class Measured(NamedTuple):
    """The effects as far as known, and the share of the heads that is done, 0 to 1."""

    effects: HeadEffects
    share: float


def measure(model: LoadedModel, chorale: Chorale, by: Replacement) -> Job[Measured, HeadEffects]:
    """Measure the effect of each head on all notes of a piece; yields an event for each head."""
    config = model.config
    known = np.full((config.layers, config.heads), np.nan)
    job = global_effects(model, chorale, by=by)
    while True:
        try:
            event = next(job)
        except StopIteration:
            return HeadEffects(of=OF_PIECE, model=model.name, by=by, by_head=known)
        if event.head is not None:
            known = known.copy()
            known[event.head] = event.effect
        effects = HeadEffects(of=OF_PIECE, model=model.name, by=by, by_head=known)
        yield Measured(effects, event.done / event.total)
