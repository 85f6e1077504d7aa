"""Generation of one chorale with a causal model, as a job.

Causal are the families ``causal`` and ``encoder_decoder``. The loop is in ``decoder``, the search
for phrase endings in ``phrase_ends``, legal tokens in ``constraints``, the sampler in ``sampling``.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace

import numpy as np

from musicrel.analysis import keys
from musicrel.chorale import REST, Chorale
from musicrel.errors import GenerationError
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import Column, Notice, decode
from musicrel.generation.causal.phrase_ends import PhraseEndSearch
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import with_sampled_key
from musicrel.generation.sampling import Sampling
from musicrel.jobs import Job
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, START, Vocabulary

_log = logging.getLogger(__name__)


def generate(
    model: LoadedModel, request: GenerationRequest, *, record: bool = False
) -> Job[GenerationStep | PhraseEndTrial, Generated]:
    """Generate the piece of ``request``; yields every token when it is chosen.

    ``PhraseEndTrial`` events come while samples of a phrase ending are compared.

    Args:
        model: a causal model.
        request: the request.
        record: attach attention weights to the steps.

    Raises:
        GenerationError: a logit is not finite, or the model is not causal.
        NoLegalNoteError: locks and rules leave no legal note.
    """
    if not model.network.config.is_causal:
        raise GenerationError(
            f"model {model.name!r} is of family {model.network.config.family}: it finds hidden "
            "notes and does not write in order; choose one of family causal or encoder_decoder"
        )
    began = time.perf_counter()
    request = with_sampled_key(request, model)
    constraints = request.constraints(model.vocabulary)
    ids, log_probability = [START], 0.0
    for event in _steps(model, request, constraints, record=record):
        if isinstance(event, GenerationStep):
            ids.append(event.token)
            log_probability += event.log_probability
        yield event
    chorale = replace(
        keys.with_key(constraints.piece(ids) or constraints.plan),
        title=f"Chorale {request.seed}",
        provenance=model.provenance(request.seed, request.to_json()),
    )
    written = len(ids) - 1
    return Generated(
        chorale=chorale,
        tokens=written,
        seconds=time.perf_counter() - began,
        nats_per_note=-log_probability / written,
    )


def new_sequence(
    model: LoadedModel, request: GenerationRequest, plan: Chorale, locked_tokens: codec.Ids
) -> DecodeSequence:
    """Return the sequence of ``request``, ready to be decoded alone or in a batch.

    Args:
        model: a causal model.
        request: seed, sampling parameters and conditions.
        plan: the empty piece that ``request`` plans.
        locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere.
    """
    return DecodeSequence(
        conditions_NC=model.condition_rows(plan, request.given_conditions(), locked_tokens),
        seed=request.seed,
        sampling=Sampling(
            temperature=request.temperature, top_k=request.top_k, top_p=request.top_p
        ),
        prompt=np.array([START]),
    )


def step_of(column: Column, row: int, before: int | None, vocabulary: Vocabulary) -> GenerationStep:
    """Return the event of one sequence in ``column``.

    Args:
        column: the newest tokens.
        row: row of the sequence in the column.
        before: token of the same voice one step earlier; None at the first step.
        vocabulary: vocabulary of the model.
    """
    token = int(column.tokens[row])
    step, voice = codec.cell_of(column.index)
    sounding = token != REST_TOKEN
    return GenerationStep(
        index=column.index,
        token=token,
        step=step,
        voice=voice,
        pitch=(token - vocabulary.first_onset) % PITCHES + LOWEST_PITCH if sounding else REST,
        onset=sounding and (token < vocabulary.first_hold if vocabulary.holds else token != before),
        log_probability=float(column.log_probability[row]),
        entropy=float(column.entropy[row]),
        attention=None if column.attention is None else column.attention[row],
    )


def _steps(
    model: LoadedModel, request: GenerationRequest, constraints: Constraints, *, record: bool
) -> Generator[GenerationStep | PhraseEndTrial]:
    sequence = new_sequence(model, request, constraints.plan, constraints.locked_tokens)
    length = request.steps * codec.VOICES
    ids = [START]
    stream_switch = PhraseEndSearch(model, constraints, request.quality, first_index=1)
    job = decode(model, [sequence], length, constraints, record=record, stream_switch=stream_switch)
    with closing(job):
        for event in job:
            if isinstance(event, Notice):
                _log.warning(event.sentence)
            elif isinstance(event, PhraseEndTrial):
                yield event
            else:
                if constraints.dead_ends:
                    raise NoLegalNoteError(
                        str(constraints.dead_ends[0]), written=constraints.piece(ids)
                    )
                before = ids[-codec.VOICES] if len(ids) > codec.VOICES else None
                step = step_of(event, 0, before, model.vocabulary)
                ids.append(step.token)
                yield step
