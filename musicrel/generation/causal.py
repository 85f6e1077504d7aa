"""Writing a chorale token by token with a causal model, as a job.

Dimensions: B batch (1 here), V vocabulary, C conditions.

This file knows the loop; what may be chosen stands in ``constraints``, how in ``sampling``.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel.chorale import REST, Provenance
from musicrel.errors import GenerationError
from musicrel.generation.constraints import Legality
from musicrel.generation.events import Generated, GenerationStep
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import sample
from musicrel.jobs import Job
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, START, Vocabulary


def generate(
    model: LoadedModel, request: GenerationRequest, *, record: bool = False
) -> Job[GenerationStep, Generated]:
    """Write the piece that ``request`` asks for; yields every token as it is chosen.

    Args:
        model: a causal model.
        request: what to write.
        record: whether the steps carry the attention rows.

    Raises:
        GenerationError: the model gives no distribution to choose from.
    """
    began = time.perf_counter()
    ids, log_probability = [START], 0.0
    for step in _steps(model, request, record=record):
        ids.append(step.token)
        log_probability += step.log_probability
        yield step
    chorale = replace(
        model.decode(np.array(ids), like=request.plan()),
        title=f"Chorale {request.seed}",
        provenance=Provenance(
            model=model.name, sha256=model.sha256, seed=request.seed, settings=request.to_json()
        ),
    )
    written = len(ids) - 1
    return Generated(
        chorale=chorale,
        tokens=written,
        seconds=time.perf_counter() - began,
        nats_per_note=-log_probability / written,
    )


def _steps(
    model: LoadedModel, request: GenerationRequest, *, record: bool
) -> Generator[GenerationStep]:
    length = request.steps * codec.VOICES
    told_NC = torch.from_numpy(model.condition_rows(request.plan(), request.told()))
    reader = _Reader(model, told_NC.to(model.device), length, record=record)
    legality = Legality(model.vocabulary)
    rng = torch.Generator().manual_seed(request.seed)
    ids = [START]
    for index in range(1, length + 1):
        seen = reader.read(ids[-1])
        step, voice = codec.cell_of(index)
        before = ids[index - codec.VOICES] if step else None
        legal_V = legality.mask(voice, before)
        if not torch.isfinite(seen.logits_V[legal_V]).all():
            raise GenerationError(
                f"model {model.name!r} gives no distribution at step {step}: its weights are broken"
            )
        token = sample(
            seen.logits_V,
            legal_V,
            rng,
            temperature=request.temperature,
            top_k=request.top_k,
            top_p=request.top_p,
        )
        ids.append(token)
        yield _step(index, token, before, seen, model.vocabulary)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the model says of the next token, on the CPU."""

    logits_V: Tensor
    attention: npt.NDArray[np.float32] | None


class _Reader:
    """Feeds one token after the other into the model and its cache."""

    def __init__(self, model: LoadedModel, told_NC: Tensor, length: int, *, record: bool) -> None:
        self._network = model.network
        self._told_NC = told_NC
        self._cache = model.network.new_cache(1, length)
        self._record = record

    @torch.inference_mode()
    def read(self, token: int) -> _Seen:
        place = self._cache.length
        ids_BT = torch.tensor([[token]], device=self._told_NC.device)
        output = self._network(
            ids_BT, self._told_NC[None, place : place + 1], cache=self._cache, record=self._record
        )
        attention = None
        if self._record:
            attention = torch.stack([weights[0, :, 0] for weights in output.weights])
        return _Seen(
            logits_V=output.logits_BTV[0, -1].float().cpu(),
            attention=None if attention is None else attention.float().cpu().numpy(),
        )


def _step(
    index: int, token: int, before: int | None, seen: _Seen, vocabulary: Vocabulary
) -> GenerationStep:
    log_p_V = seen.logits_V.double().log_softmax(-1)
    step, voice = codec.cell_of(index)
    sounding = token != REST_TOKEN
    return GenerationStep(
        index=index,
        token=token,
        step=step,
        voice=voice,
        pitch=(token - vocabulary.first_onset) % PITCHES + LOWEST_PITCH if sounding else REST,
        onset=sounding and (token < vocabulary.first_hold if vocabulary.holds else token != before),
        log_probability=float(log_p_V[token]),
        entropy=float(-(log_p_V.exp() * log_p_V).sum()),
        attention=seen.attention,
    )
