"""Work that several parts of ``musicrel bench`` measure."""

from __future__ import annotations

from typing import Final

from musicrel import jobs
from musicrel.generation.candidates import candidate_job
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.model.config import ModelConfig
from musicrel.tokens import conditions
from musicrel.tokens.vocabulary import ARTICULATED

WIDTH: Final = 256
LAYERS: Final = 6


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


def generate_candidates(model: LoadedModel, request: GenerationRequest, count: int) -> None:
    """Generate and measure candidates."""
    jobs.run(candidate_job.generate_candidates(model, request, count))
