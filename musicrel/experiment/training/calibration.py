"""Calibration of the counterpoint tables on the model's own samples.

A model trained on Bach's notes drifts when it continues its own: phrases end on the tonic too
rarely, notes are held too long. Here it writes pieces as users ask for them, with the search for
phrase ends. The entries of its tables that apply are counted in them and in real pieces, and each
entry that is used too rarely is raised by the logarithm of the ratio, round by round in smaller
steps (Robbins and Monro 1951; for a whole table at once this is the iterative scaling of Darroch
and Ratcliff 1972). The samples then match Bach's shares table by table; all other weights stay as
they are.

Dimensions: R rows, C columns of a table, N tokens of a piece.
"""

from __future__ import annotations

import copy
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

import msgspec
import numpy as np
import torch
from torch import Tensor

from musicrel import jobs
from musicrel.chorale import Chorale, Meter, Voice
from musicrel.errors import DataError, UsageError
from musicrel.experiment.recipe.recipe import TrainingPart
from musicrel.experiment.runs.events import TrainCalibrated, TrainCalibrating
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.generation.transposition import place_melody
from musicrel.jobs import Job
from musicrel.model.config import Family
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows

PIECES: Final = 64
MAX_FORM_STEPS: Final = 512
"""Longest piece used as a form, in sixteenths: 32 bars of 4/4."""
_FORM: Final = ("fermata", "bar")
"""Conditions for which phrases and pickup are drawn; models without them ignore both."""
_RATE: Final = 0.4
"""Share of the difference that is added in the first rounds: tables that correct the same notes,
such as those of rhythm and line, overshoot with twice as much."""
_STEADY_ROUNDS: Final = 4
"""Rounds before the rate falls, so that rare entries, which change slowly, come far enough."""
_MAX_CHANGE: Final = 1.0
"""Largest change of an entry per round in nats, before the rate."""
_RAREST_ROW: Final = 50
"""Rows that apply less often in the real pieces are not changed."""
_SMOOTHING: Final = 2.0
"""Pseudo-counts added to expected and own counts, so that small counts have little effect."""
_ROW_SMOOTHING: Final = 4.0
"""Pseudo-counts of the average row, added to each row of the real pieces."""


def calibrate(
    model: LoadedModel,
    pieces: Sequence[Chorale],
    training: TrainingPart,
    done: int = 0,
    step: int = 0,
) -> Job[TrainCalibrating | TrainCalibrated, None]:
    """Change the tables of ``model`` until its samples use them as often as ``pieces`` do."""
    tables = model.network.counterpoint
    if tables is None:
        raise UsageError(f"model {model.name!r} has no counterpoint tables to calibrate")
    plans = [piece for piece in pieces if piece.steps <= MAX_FORM_STEPS]
    if not plans:
        raise DataError(f"none of {len(pieces)} pieces has at most {MAX_FORM_STEPS} sixteenths")
    counter = copy.deepcopy(tables).cpu()  # which entries apply does not depend on their values
    real = _count(counter, [_encode(model, piece) for piece in plans])
    rounds = training.calibration_rounds
    for number in range(done + 1, rounds + 1):
        rng = np.random.default_rng([training.seed, number])
        requests = list(_requests(plans, PIECES, model.config.family, rng))
        present = LoadedModel.unsaved(model.network, model.card, model.vocabulary)
        begun = TrainCalibrating(
            step=step, round=number, rounds=rounds, done=0, pieces=len(requests)
        )
        own = yield from _generate(present, requests, begun)
        rate, divergence = _RATE * min(1.0, _STEADY_ROUNDS / number), {}
        for name, counts_RC in _count(counter, own).items():
            log_ratio_RC = _log_ratios(real[name], counts_RC)
            divergence[name] = _divergence(real[name], log_ratio_RC)
            tables.adjust(name, rate * log_ratio_RC.clamp(-_MAX_CHANGE, _MAX_CHANGE))
        yield TrainCalibrated(step=step, round=number, rounds=rounds, divergence=divergence)


def _requests(
    plans: Sequence[Chorale], pieces: int, family: Family, rng: np.random.Generator
) -> Iterator[GenerationRequest]:
    """Yield requests as users make them, with lengths and keys of real pieces in random order.

    Every second one asks for a new piece, the others for a form or for voices to a melody. Ranges
    are those of a choir.
    """
    order = [int(place) for place in rng.permutation(len(plans))]
    for number, place in enumerate((order * -(-pieces // len(order)))[:pieces]):
        plan, seed = plans[place], int(rng.integers(2**31))
        if number % 2:
            bars = -(-plan.steps // Meter().steps)
            new = GenerationRequest(
                bars=bars, key=plan.key, phrases=None, pickup=None, top_p=DEFAULT_TOP_P, seed=seed
            )
            request = new.resolved(_FORM)
        elif family == "infill":
            melody = place_melody(plan, Voice.SOPRANO).melody
            request = edit_requests.harmony_request(
                melody, top_p=DEFAULT_TOP_P, seed=seed, last_chord=""
            )
        else:
            request = GenerationRequest.like(plan, top_p=DEFAULT_TOP_P, seed=seed)
        yield edit_requests.with_ranges(request, voice_ranges.DEFAULT)


def _generate(
    model: LoadedModel, requests: Sequence[GenerationRequest], begun: TrainCalibrating
) -> Generator[TrainCalibrating, None, list[tuple[codec.Ids, Rows]]]:
    samples: list[tuple[codec.Ids, Rows]] = []
    for asked in requests:
        request = asked.with_sampled_key(model.conditions)
        now = msgspec.structs.replace(begun, done=len(samples))
        constraints = Constraints.of(request, model.vocabulary)
        batch = candidate_job.new_batch(model, request, constraints, [request.seed])
        (ids,), _ = yield from jobs.map_events(batch.run(), partial(_report, now))
        samples.append((ids, model.condition_rows(request.plan(), request.given_conditions())))
    return samples


def _report(now: TrainCalibrating, _: object) -> TrainCalibrating:
    """Return unchanged progress for each token, so that the caller can stop in between."""
    return now


def _encode(model: LoadedModel, piece: Chorale) -> tuple[codec.Ids, Rows]:
    """Encode a real piece with all conditions but fermatas, which no table uses."""
    given = GenerationRequest.like(piece, fermatas=()).given_conditions()
    return model.encode(piece), model.condition_rows(piece, given)


def _count(tables: LogitBiases, read: Iterable[tuple[codec.Ids, Rows]]) -> dict[str, Tensor]:
    counts: dict[str, Tensor] = {}
    for ids_N, conditions_NC in read:
        found = tables.count(torch.from_numpy(ids_N[None]), torch.from_numpy(conditions_NC[None]))
        for name, counted_RC in found.items():
            counts[name] = counts.get(name, torch.zeros(())) + counted_RC.double()
    return counts


def _shares(real_RC: Tensor) -> Tensor:
    """Return the smoothed share of each entry in its row, in the real pieces."""
    usual_C = (real_RC.sum(0) + 1) / (real_RC + 1).sum()
    blurred_RC = real_RC + _ROW_SMOOTHING * usual_C
    return blurred_RC / blurred_RC.sum(-1, keepdim=True)


def _log_ratios(real_RC: Tensor, own_RC: Tensor) -> Tensor:
    """Return log ratios of expected to own counts: above 0 for entries used too rarely."""
    expected_RC = _shares(real_RC) * own_RC.sum(-1, keepdim=True)
    log_ratio_RC = ((expected_RC + _SMOOTHING) / (own_RC + _SMOOTHING)).log()
    is_known_R1 = real_RC.sum(-1, keepdim=True) >= _RAREST_ROW
    return log_ratio_RC * is_known_R1


def _divergence(real_RC: Tensor, log_ratio_RC: Tensor) -> float:
    """Return the mean log ratio, weighted by the real pieces.

    It approximates the relative entropy of real and own shares and may be slightly negative where
    these are alike.
    """
    by_row_R = (_shares(real_RC) * log_ratio_RC).sum(-1)
    return float((by_row_R * real_RC.sum(-1)).sum() / real_RC.sum().clamp(min=1))
