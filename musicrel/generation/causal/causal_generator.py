"""Generation of one chorale with a causal model, as a job.

Causal are the families ``causal`` and ``encoder_decoder``. The loop is in ``decoder``, the search
in ``particle_search``, legal tokens in ``constraints``, the sampler in ``sampling``.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from musicrel import jobs
from musicrel.analysis import keys
from musicrel.chorale import REST
from musicrel.errors import GenerationError
from musicrel.generation.causal import decoder, search_windows
from musicrel.generation.causal.batch_forward import DecodeSequence
from musicrel.generation.causal.decoder import Column, DecodingEvent, Notice
from musicrel.generation.causal.particle_search import ParticleSearch
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.phrasing import openings, phrase_ends, planned_phrase
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler
from musicrel.jobs import Job
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, START, Vocabulary

_log = logging.getLogger(__name__)


def generate(
    model: LoadedModel, request: GenerationRequest, *, record: bool = False
) -> Job[GenerationStep | PhraseEndTrial, Generated]:
    """Generate the piece of ``request``; yields every token when it is chosen.

    ``PhraseEndTrial`` and ``SearchState`` events come while a search tries several ways.

    Raises:
        GenerationError: a logit is not finite, or the model is not causal.
        NoLegalNoteError: locks and rules leave no legal note.
    """
    if not model.config.is_causal:
        raise GenerationError(
            f"model {model.name!r} is of family {model.config.family}: it finds hidden "
            "notes and does not write in order; choose one of family causal or encoder_decoder"
        )
    began = time.perf_counter()
    request = request.with_sampled_key(model.conditions)
    constraints = Constraints.of(request, model.vocabulary)
    sequence = DecodeSequence.of(model, request, constraints.locked_tokens)
    length = request.steps * codec.VOICES
    ids, log_probability = [START], 0.0
    job = decode(model, request, constraints, [sequence], length, record=record)
    with closing(job):
        for event in job:
            if isinstance(event, Notice):
                _log.warning(event.sentence)
                continue
            if isinstance(event, PhraseEndTrial):
                yield event
                continue
            if event.dead_ends:
                sentence = event.dead_ends[0].sentence
                raise NoLegalNoteError(sentence, written=constraints.piece(ids))
            step = _step_of(event, ids, model.vocabulary)
            ids.append(step.token)
            log_probability += step.log_probability
            yield step
    chorale = replace(
        keys.with_key(constraints.piece(ids) or constraints.plan),
        title=request.title,
        lyrics=request.lyrics,
        provenance=model.provenance(request.seed, request.to_json()),
    )
    return Generated(
        chorale=chorale,
        tokens=length,
        seconds=time.perf_counter() - began,
        nats_per_note=-log_probability / length,
    )


def decode(
    model: LoadedModel,
    request: GenerationRequest,
    constraints: Constraints,
    sequences: Sequence[DecodeSequence],
    length: int,
    *,
    record: bool = False,
) -> Job[DecodingEvent, list[codec.Ids]]:
    """Decode ``sequences`` up to index ``length``, with a search if the quality asks for one.

    In bar form all are decoded to the end of the Stollen; each then goes on by itself, with the
    notes of its repeat locked.
    """
    again = request.stollen()
    if again is None:
        job = _decode(model, request, constraints, sequences, length, record=record)
        return (yield from job)
    first, ids = again[0] * codec.VOICES, list[codec.Ids]()
    job = _decode(model, request, constraints, sequences, first, record=record)
    for row, begun in enumerate((yield from job)):
        asked, passage = replace(request, seed=sequences[row].seed), constraints.piece(begun)
        steps, same = asked.stollen() or again
        own = Constraints.of_repeat(
            asked, model.vocabulary, passage or constraints.plan.cropped(0, steps), same
        )
        rest = [replace(sequences[row], prompt=begun)]
        job = _decode(model, asked, own, rest, length, record=record)
        ids += yield from jobs.map_events(job, partial(_in_row, row))
    return ids


def _in_row(row: int, event: DecodingEvent) -> DecodingEvent:
    return replace(event, rows=range(row, row + 1)) if isinstance(event, Column) else event


def _decode(
    model: LoadedModel,
    request: GenerationRequest,
    constraints: Constraints,
    sequences: Sequence[DecodeSequence],
    length: int,
    *,
    record: bool,
) -> Job[DecodingEvent, list[codec.Ids]]:
    sampler, search = Sampler.of(request), None
    count = QUALITIES[request.quality].particles
    if count > 1 and sampler.temperature:
        kinds = planned_phrase.parse_cadences(request.cadence)
        ends = phrase_ends.planned_ends(constraints.plan, model.conditions, kinds)
        first = len(sequences[0].prompt)
        windows = search_windows.windows(ends, constraints.locked_tokens, first, length)
        search = ParticleSearch(
            model,
            constraints,
            sampler,
            windows=windows,
            count=count,
            begins_on=request.begins_on or openings.ANY,
        )
    return decoder.decode(
        model, sequences, length, constraints, sampler, record=record, search=search
    )


def _step_of(column: Column, ids: Sequence[int], vocabulary: Vocabulary) -> GenerationStep:
    token = int(column.choice.tokens[0])
    step, voice = codec.cell_of(column.index)
    before = ids[-codec.VOICES] if step else None  # the same voice one step earlier
    sounding = token != REST_TOKEN
    return GenerationStep(
        index=column.index,
        token=token,
        step=step,
        voice=voice,
        pitch=(token - vocabulary.first_onset) % PITCHES + LOWEST_PITCH if sounding else REST,
        onset=sounding and (token < vocabulary.first_hold if vocabulary.holds else token != before),
        log_probability=float(column.choice.log_probability[0]),
        entropy=float(column.choice.entropy[0]),
        attention=None if column.attention is None else column.attention[0],
    )
