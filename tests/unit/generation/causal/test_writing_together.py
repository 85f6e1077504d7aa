"""Notes are the same to the bit with any number of threads and candidates, in loops or singly."""
# ruff: noqa: N806  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel import cores, jobs
from musicrel.chorale import Key, Voice
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import generate_candidates
from musicrel.generation.causal.batch_forward import BatchForward, DecodeSequence
from musicrel.generation.causal.decoder import Chooser, decode
from musicrel.generation.causal.written import Written
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Sampler, uniforms
from musicrel.model.tokens.vocabulary import START
from tests.helpers.models import tiny_cross_attention_directory
from tests.helpers.music import random_chorale

DRAFT = GenerationRequest(bars=1, key=Key("C", "major"), quality="draft")
NORMAL = replace(DRAFT, quality="normal")


@pytest.fixture(autouse=True)
def _cores_as_before(model: LoadedModel) -> Iterator[None]:  # noqa: ARG001  # loading sets them
    yield
    cores.use(None)


def melody(request: GenerationRequest) -> GenerationRequest:
    given = np.zeros((request.steps, 4), dtype=np.bool_)
    given[:, Voice.SOPRANO] = True
    return replace(request, locks=Locks.of(random_chorale(4, request.steps), given), rules=())


def candidates(model: LoadedModel, request: GenerationRequest, count: int) -> list[bytes]:
    """Return the notes and probabilities of candidates, the first of seed 0."""
    found = jobs.run(generate_candidates(model, request, count)).ranked
    return [
        one.chorale.pitches.tobytes()
        + one.chorale.onsets.tobytes()
        + str(one.measures.nats).encode()
        for one in sorted(found, key=lambda one: one.number)
    ]


@pytest.mark.parametrize(
    "request_", [DRAFT, NORMAL, melody(NORMAL)], ids=["draft", "normal", "melody"]
)
def test_candidates_are_the_same_with_any_number_of_threads_and_of_others(
    any_model: LoadedModel, request_: GenerationRequest
) -> None:
    cores.use(1)
    alone = [candidates(any_model, replace(request_, seed=0), 1)[0]]
    expected = candidates(any_model, request_, 8)

    assert expected[:1] == alone
    assert len({*expected}) == 8
    for threads in (1, 2, 8):
        cores.use(threads)
        for count in (1, 3, 8):
            assert candidates(any_model, request_, count) == expected[:count]


@pytest.mark.parametrize("family", ["causal", "encoder_decoder"])
def test_candidates_by_torch_are_the_same_with_any_number_of_threads(
    model: LoadedModel, tmp_path: Path, family: str
) -> None:
    by_torch, found = replace(model, may_compile=False), list[list[bytes]]()
    if family == "encoder_decoder":
        by_torch = load_model(str(tiny_cross_attention_directory(tmp_path / "tiny")))
    for threads in (1, 2, 8):
        cores.use(threads)
        found += [candidates(by_torch, DRAFT, count) for count in (1, 3)]

    assert found[0::2] == [found[1][:1]] * 3
    assert found[1::2] == [found[1]] * 3


Write = Callable[[Chooser, BatchForward, Written, int, int], None]


def by_loops(
    chooser: Chooser, forward: BatchForward, written: Written, first: int, stop: int
) -> None:
    """Write in stretches of one to 17 tokens."""
    assert forward.loops is not None
    for index in range(first, stop, 18):
        chooser.write(forward, written, index, min(index + 1, stop))
        chooser.write(forward, written, index + 1, min(index + 18, stop))


def singly(
    chooser: Chooser, forward: BatchForward, written: Written, first: int, stop: int
) -> None:
    for index in range(first, stop):
        chooser.choose(written, index, forward.next(written.ids_BN[:, index - 1])[0])


def written_by(write: Write, model: LoadedModel, request: GenerationRequest) -> Written:
    """Return what three sequences write after the first tokens of a piece."""
    constraints = Constraints.of(request, model.vocabulary)
    ids_BN = np.repeat(model.encode(random_chorale(1, 16))[None, :6], 3, axis=0)
    sequences = [
        replace(
            DecodeSequence.of(model, replace(request, seed=seed), constraints.locked_tokens),
            prompt=ids_N,
        )
        for seed, ids_N in enumerate(ids_BN)
    ]
    forward = BatchForward(model, sequences, 64)
    uniforms_BN = np.stack([uniforms(seed, 64) for seed in range(3)])
    written = Written.of(ids_BN, 64, uniforms_BN)
    write(Chooser(constraints, Sampler.of(request), model.name), forward, written, 6, 65)
    return written


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize(
    "request_", [DRAFT, melody(DRAFT), replace(DRAFT, top_p=0.8)], ids=["new", "melody", "top-p"]
)
def test_tokens_that_are_read_and_chosen_in_one_loop_are_those_of_single_steps(
    any_model: LoadedModel, request_: GenerationRequest, threads: int
) -> None:
    cores.use(threads)
    looped, single = (written_by(write, any_model, request_) for write in (by_loops, singly))

    assert np.array_equal(looped.choices, single.choices)
    assert np.array_equal(looped.is_dead_BN, single.is_dead_BN)
    assert len({*map(tuple, looped.ids_BN.tolist())}) == 3


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_error_in_one_thread_is_that_of_all(model: LoadedModel, threads: int) -> None:
    """The third of five candidates has a condition without a finite embedding at step 5."""
    tensors = {name: tensor.copy() for name, tensor in model.tensors.items()}
    tensors["embed_condition.0.weight"][1] = np.nan
    broken = replace(model, tensors=tensors, name="broken")
    constraints = Constraints.of(DRAFT, model.vocabulary)
    conditions_NC = np.zeros((66, len(model.conditions)), dtype=np.int64)
    sequences = [
        DecodeSequence(conditions_NC=conditions_NC.copy(), seed=seed, prompt=np.array([START]))
        for seed in range(5)
    ]
    sequences[2].conditions_NC[20, 0] = 1
    cores.use(threads)

    with pytest.raises(GenerationError, match="'broken' gives no distribution at step 5"):
        jobs.run(decode(broken, sequences, 64, constraints, Sampler()))
