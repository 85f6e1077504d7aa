"""Writing a chorale token by token with a model that writes in order, as a job.

Such are families causal, and encoder_decoder, which is told beforehand what is given.

This file ties requests to sequences of tokens and back; the loop stands in ``decoder``, how phrases
are ended in ``endings``, what may be chosen in ``constraints``, how in ``sampling``.
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
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.decoder import Column, Notice, decode
from musicrel.generation.causal.phrase_ends import Endings
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, Trying
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampled_key import settled
from musicrel.generation.sampling import Sampling
from musicrel.jobs import Job
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, START, Vocabulary

_log = logging.getLogger(__name__)


def generate(
    model: LoadedModel, request: GenerationRequest, *, record: bool = False
) -> Job[GenerationStep | Trying, Generated]:
    """Write the piece that ``request`` asks for; yields every token as it is chosen.

    ``Trying`` comes while nothing is chosen yet.

    Args:
        model: one that writes in order.
        request: what to write.
        record: whether the steps carry the attention rows.

    Raises:
        GenerationError: the model gives no distribution to choose from, or does not write at all.
        NoLegalNoteError: locks and rules leave nothing to write.
    """
    if not model.network.config.is_causal:
        raise GenerationError(
            f"model {model.name!r} is of family {model.network.config.family}: it finds hidden "
            "notes and does not write in order; choose one of family causal or encoder_decoder"
        )
    began = time.perf_counter()
    request = settled(request, model)
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


def line_of(
    model: LoadedModel, request: GenerationRequest, plan: Chorale, fixed: codec.Ids
) -> Line:
    """The sequence that ``request`` asks for, ready to be decoded, alone or beside others.

    Args:
        model: what will write it.
        request: seed, sampling and what the model is told.
        plan: the empty piece that ``request`` plans.
        fixed: int64 (4 T,), the token of every cell that is given, -1 elsewhere.
    """
    return Line(
        told_NC=model.condition_rows(plan, request.told(), fixed),
        seed=request.seed,
        sampling=Sampling(
            temperature=request.temperature, top_k=request.top_k, top_p=request.top_p
        ),
        prompt=np.array([START]),
    )


def step_of(column: Column, row: int, before: int | None, vocabulary: Vocabulary) -> GenerationStep:
    """What ``column`` says of one of its sequences.

    Args:
        column: the newest tokens.
        row: which of them, counted from the column's first.
        before: the token of the same voice one step earlier; None at the first step.
        vocabulary: the tokens' meaning.
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
) -> Generator[GenerationStep | Trying]:
    line = line_of(model, request, constraints.plan, constraints.fixed)
    length = request.steps * codec.VOICES
    ids = [START]
    turning = Endings(model, constraints, request.patience, begun=1)
    job = decode(model, [line], length, constraints, record=record, turning=turning)
    with closing(job):
        for event in job:
            if isinstance(event, Notice):
                _log.warning(event.sentence)
            elif isinstance(event, Trying):
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
