"""Work that several parts of ``musicrel bench`` measure."""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Meter, Voice
from musicrel.generation import edit_requests
from musicrel.generation.candidates.candidate_job import generate_candidates
from musicrel.generation.causal import decoder
from musicrel.generation.causal.batch_forward import DecodeSequence
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.model import devices
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from musicrel.model.networks import build
from musicrel.model.tokens import conditions
from musicrel.model.tokens.codec import VOICES
from musicrel.model.tokens.vocabulary import ARTICULATED, REST_TOKEN, START

WIDTH: Final = 256
LAYERS: Final = 6
REWRITTEN: Final = 2
"""Bars that are rewritten, the last ones before the middle."""


def config(scheme: str, length: int, width: int = WIDTH, layers: int = LAYERS) -> ModelConfig:
    """Return the size of a causal model of articulated notes with all conditions."""
    return ModelConfig(
        scheme=scheme,
        tokens=ARTICULATED.size,
        conditions=conditions.sizes(tuple(conditions.CONDITIONS)),
        width=width,
        layers=layers,
        heads=8,
        feedforward=4 * width,
        trained_length=length,
    )


def random_model(scheme: str, length: int, device: str, threads: int | None) -> LoadedModel:
    devices.use_threads(threads)
    shape = config(scheme, length)
    network = build(shape).to(devices.resolve(device)).eval()
    card = Card(
        name=scheme,
        config=shape,
        vocabulary={"name": ARTICULATED.name, "symbols": list(ARTICULATED.symbols())},
        parameters=network.parameter_count,
    )
    return LoadedModel.unsaved(network, card, ARTICULATED)


def write(model: LoadedModel, request: GenerationRequest, *, record: bool = False) -> None:
    jobs.run(generate(model, request, record=record))


def candidates_of(model: LoadedModel, request: GenerationRequest, count: int) -> None:
    jobs.run(generate_candidates(model, request, count))


def decode(
    model: LoadedModel, tokens: int, batch: int = 1, *, prompt: int = 1, record: bool = False
) -> None:
    ids = np.array([START, *[REST_TOKEN] * (prompt - 1)])
    rows = conditions.positional_rows(tokens + 2, model.conditions)  # with START and END
    sequences = [DecodeSequence(conditions_NC=rows, seed=seed, prompt=ids) for seed in range(batch)]
    plan = Chorale.of(np.full((-(-tokens // VOICES), VOICES), REST))
    rules = Constraints(model.vocabulary, plan, rules=())
    jobs.run(decoder.decode(model, sequences, tokens, rules, Sampler(), record=record))


def unlearned_piece(bars: int) -> Chorale:
    steps = bars * Meter(4, 4).steps
    whole = (one for one in bundled.load("test") if one.meter == Meter(4, 4) and not one.pickup)
    return next(one for one in whole if one.steps >= steps).cropped(0, steps)


def rewrite_request(piece: Chorale, quality: str) -> GenerationRequest:
    bar = piece.meter.steps
    first = piece.steps // 2 - REWRITTEN * bar
    voices, stop = (Voice.ALTO, Voice.TENOR), first + REWRITTEN * bar
    return edit_requests.infill_request(piece, voices, first, stop, quality=quality, seed=1)
