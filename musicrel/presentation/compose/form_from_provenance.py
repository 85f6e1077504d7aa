"""The form a piece was asked for with, read from the piece: its provenance holds all settings.

This file knows requests and the form; it knows nothing of the controls the form is typed into.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Provenance
from musicrel.errors import UsageError
from musicrel.generation.constraints.rules import HARD_RULES
from musicrel.generation.request import FREELY, GenerationRequest
from musicrel.presentation.compose.form import (
    BOLDEST,
    KEYS,
    LARGEST_SEED,
    METERS,
    SAFEST,
    Form,
    pickups,
)
from musicrel.presentation.words import names

_SAME: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a piece tells of how it came to be.

    Attributes:
        form: the entries as they were, None where they are not known.
        left_out: settings the form has no entry for, in words: without them the same seed gives
            other notes.
    """

    form: Form | None = None
    left_out: tuple[str, ...] = ()


def recall(provenance: Provenance | None) -> Recalled:
    """The form that asked for a piece, as near as the form can be to it."""
    if provenance is None:
        return Recalled()
    try:
        asked = GenerationRequest.from_json(dict(provenance.settings))
    except UsageError:
        return Recalled()
    form = Form(
        model=provenance.model,
        bars=asked.bars,
        meter=asked.meter if asked.meter in METERS else METERS[0],
        pickup=asked.pickup if asked.pickup in dict(pickups(asked.meter)) else 0,
        key=next((key for key in KEYS if key == asked.key), None),
        phrases=",".join(map(str, asked.phrases)),
        temperature=min(max(asked.temperature, SAFEST), BOLDEST),
        seed=min(provenance.seed, LARGEST_SEED),
        rules=tuple(name for name in HARD_RULES if name in asked.rules),
        patience=asked.patience,
        cadence=asked.cadence,
    )
    return Recalled(form=form, left_out=tuple(_left_out(asked, form, provenance.seed)))


def _left_out(asked: GenerationRequest, form: Form, seed: int) -> list[str]:
    """What the form does not say as it was asked."""
    usual_top_p = {FREELY} if asked.locks is None else {FREELY, GenerationRequest().top_p}
    differing = {
        f"meter {asked.meter}": asked.meter != form.meter,
        f"a pickup of {names.count(asked.pickup, 'sixteenth')}": asked.pickup != form.pickup,
        f"key {asked.key}": asked.key != form.key,
        f"temperature {asked.temperature:g}": abs(asked.temperature - form.temperature) > _SAME,
        f"top-k {asked.top_k}": asked.top_k != 0,
        f"top-p {asked.top_p:g}": asked.top_p not in usual_top_p,
        f"tempo {asked.tempo:g}": asked.tempo != GenerationRequest().tempo,
        f"seed {seed}": seed != form.seed,
        "the length and fermatas of another piece": asked.length or asked.fermatas,
        "the notes that were locked": asked.locks is not None,
    }
    return [words for words, differs in differing.items() if differs]
