"""Teaching: a model is trained further on one's own pieces, and what that did is measured.

The bundled chorales are replayed between the pieces. Before and after are compared on the pieces
that are held out, and on Bach's, which the model should not forget; pieces that it writes are
searched for passages of those it was taught.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from musicrel import jobs, paths
from musicrel.analysis import memorisation
from musicrel.analysis.claims import intervals
from musicrel.analysis.claims.intervals import Pool
from musicrel.chorale import Chorale
from musicrel.errors import GenerationError, UsageError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import REPLAY, Recipe
from musicrel.experiment.runs.events import PieceLoss
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest, max_bars
from musicrel.jobs import Job
from musicrel.model import catalogue
from musicrel.model.card import read_card
from musicrel.model.tokens.conditions import STYLE

WRITTEN: Final = 12
"""Pieces that are searched for copies."""
PASSAGE_STEPS: Final = 32
"""Eight beats of a quarter."""
NEW_PIECES: Final = "new pieces"
"""``split`` of ``TrainEvaluating`` while these are written."""
_FARTHEST: Final = 3
"""Most semitones that pieces are transposed by: how high they lie is part of a style. Hymns lie two
semitones lower than chorales."""
_TRAINING: Final[Mapping[str, Any]] = {
    "tokens": 0, "steps": 400, "minutes": 0.0, "schedule_steps": 979, "decay": "cosine",
    "learning_rate": 5e-4, "warmup_steps": 30, "ema": 0.98, "calibration_rounds": 0,
    "teachers": (), "distil": 0.0, "samples": False, "trial": False, "evaluate_every": 100,
    "checkpoint_every": 100, "stop_after": 1, "stop_gain": 0.002,
}  # fmt: skip
"""Entries of the recipe that differ from those of the model that is taught."""


def lesson(base: str, source: str, name: str) -> Recipe:
    """Return the recipe that teaches the model ``base`` the pieces of ``source``.

    Raises:
        ModelError: there is no such model.
        UsageError: it does not write from left to right, or its card has no recipe.
    """
    directory = catalogue.find(base)
    card = read_card(directory)
    if card.config.family != "causal" or not card.recipe:
        raise UsageError(
            f"the model {base} cannot be taught: expected one that writes from left to right and "
            "has its recipe in its card, such as relative"
        )
    known = recipe.from_tables(card.recipe, f"the recipe of {base}")
    is_shipped = catalogue.is_shipped(directory)
    init_from = directory.relative_to(paths.assets()) if is_shipped else paths.resolved(directory)
    named = dict.fromkeys((*known.data.conditions, STYLE))
    changed = known.changed(
        data={"source": REPLAY + source, "conditions": (*named,), "farthest_shift": _FARTHEST},
        training={**_TRAINING, "init_from": init_from.as_posix()},
    )
    return replace(changed, name=name)


def write_pieces(
    model: LoadedModel, forms: Sequence[Chorale], number: int
) -> Job[int, list[Chorale]]:
    """Write pieces with the lengths, keys and phrases of ``forms`` in turn; yields their number."""
    found: list[Chorale] = []
    fit = [piece for piece in forms if piece.steps <= max_bars(piece.meter) * piece.meter.steps]
    for seed in range(number if fit else 0):
        asked = GenerationRequest.like(fit[seed % len(fit)], top_p=DEFAULT_TOP_P, seed=seed)
        request = edit_requests.with_ranges(asked, voice_ranges.DEFAULT)
        writing = candidate_job.generate_piece(model, request)
        try:
            made = yield from jobs.map_events(writing, partial(_done, seed))
        except GenerationError:  # the model that was taught is not lost for that
            continue
        found.append(made.chorale)
    return found


def _done(number: int, _: object) -> int:
    return number


def copied(written: Sequence[Chorale], taught: Sequence[Chorale]) -> float:
    """Return the share of four-voice passages of eight beats that occur in ``taught``, any key."""
    known = memorisation.chunk_set(taught, PASSAGE_STEPS)
    found, total = memorisation.count_found(written, known, PASSAGE_STEPS)
    return found / total if total else 0.0


def sentence(taught: Mapping[str, Any]) -> str:
    """Return what a model has learned and forgotten, as on its card."""
    before, after, gained = taught["before"], taught["after"], taught["gain"]
    change, low, high = (f"{-gained[end] / before:+.1%}" for end in ("value", "high", "low"))
    return (
        f"It was taught {taught['pieces']:,} pieces: the loss on held-out ones went from "
        f"{before:.3f} to {after:.3f} nats/note, {change} (95 % interval {low} to {high}), on "
        f"Bach's chorales from {taught['bach_before']:.3f} to {taught['bach_after']:.3f}; "
        f"{taught['copied']:.1%} of the eight-beat passages in {taught['written']} new pieces are "
        "copied"
    )


def gain(before: Evaluation, after: Evaluation) -> intervals.Estimate:
    """Return by how much the loss fell, in nats/note, with its interval over pieces."""
    draws_RU = intervals.draws(len(before.pieces), np.random.default_rng(0))
    found = intervals.difference(_pool(before.pieces), _pool(after.pieces), draws_RU)
    if found is None:
        raise UsageError("there is no note to compare two models on: expected held-out pieces")
    return found


def _pool(losses: Sequence[PieceLoss]) -> Pool:
    nats, notes = zip(*((loss.nats, float(loss.notes)) for loss in losses), strict=True)
    return Pool(np.array(nats), np.array(notes))
