"""One piece by a model of either kind, as a job with one kind of result.

One model writes in order, note after note; another settles: it fills an empty sheet and goes over
its notes. This file knows which job is whose; it knows nothing of how either goes.
"""

from __future__ import annotations

from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import Event
from musicrel.generation.causal import causal_generator
from musicrel.generation.events import Generated, GenerationStep, Trying
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job


def write(
    model: LoadedModel, request: GenerationRequest
) -> Job[GenerationStep | Trying | Event, Generated]:
    """Write the piece that ``request`` asks for.

    Args:
        model: one that writes in order (family causal or encoder_decoder), which tells every step,
            or one that settles (infill), which tells its progress.
        request: what to write.

    Raises:
        GenerationError: the model gives no distribution to choose from, or does not write at all.
        NoLegalNoteError: locks and rules leave nothing to write.
    """
    if model.network.config.family != "infill":
        return (yield from causal_generator.generate(model, request))
    made = yield from candidate_job.propose(model, request, 1)
    (only,) = made.ranked
    return Generated(
        chorale=only.chorale,
        tokens=made.tokens,
        seconds=made.seconds,
        nats_per_note=only.measures.nats,
    )
