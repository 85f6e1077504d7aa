"""Batched decoding of several sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import REST, Chorale
from musicrel.errors import GenerationError, UsageError
from musicrel.generation.causal.batch_forward import DecodeSequence
from musicrel.generation.causal.decoder import Column, DecodingEvent, Notice, decode
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Sampler
from musicrel.model.tokens.vocabulary import START, Vocabulary
from musicrel.model.torch_reader import TorchReader
from tests.helpers.decoding import allow_only

LENGTH = 24


def anything(vocabulary: Vocabulary) -> Constraints:
    return Constraints(vocabulary, Chorale.of(np.full((LENGTH // 4, 4), REST)), rules=())


def new_sequence(
    model: LoadedModel, seed: int = 0, prompt: Sequence[int] = (START,)
) -> DecodeSequence:
    sizes = list(model.network.config.conditions.values())
    conditions = np.random.default_rng(seed).integers(0, sizes, size=(LENGTH + 2, len(sizes)))
    return DecodeSequence(conditions_NC=conditions, seed=seed, prompt=np.array(prompt))


SAMPLERS = (
    Sampler(),
    Sampler(temperature=2.0),
    Sampler(temperature=0.0),
    Sampler(top_k=3),
    Sampler(top_p=0.6, temperature=0.8),
)


def new_sequences(model: LoadedModel, **fields: Any) -> list[DecodeSequence]:
    return [new_sequence(model, seed, **fields) for seed in range(5)]


def written(
    model: LoadedModel,
    sequences: Sequence[DecodeSequence],
    sampler: Sampler = SAMPLERS[-1],
) -> tuple[list[list[int]], list[DecodingEvent]]:
    events: list[DecodingEvent] = []
    constraints = anything(model.vocabulary)
    ids = jobs.run(decode(model, sequences, LENGTH, constraints, sampler), events.append)
    return [row.tolist() for row in ids], events


@pytest.mark.parametrize("sampler", SAMPLERS, ids=str)
@pytest.mark.parametrize("prompt", [(START,), (START, 30, 20, 10, 9, 8)], ids=["empty", "five"])
def test_a_sequence_does_not_depend_on_the_batch(
    any_model: LoadedModel, prompt: tuple[int, ...], sampler: Sampler
) -> None:
    sequences = new_sequences(any_model, prompt=prompt)

    alone = [written(any_model, [one], sampler)[0][0] for one in sequences]

    assert written(any_model, sequences, sampler)[0] == alone
    assert written(any_model, sequences[::-1], sampler)[0] == alone[::-1]
    assert written(any_model, [sequences[1]] * 3, sampler)[0] == [alone[1]] * 3


def test_a_batch_too_large_for_memory_is_halved(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is halved as often as needed, with a notice each time; the notes stay the same."""
    sequences = new_sequences(model)
    expected, _ = written(model, sequences)
    allow_only(monkeypatch, 2)

    ids, events = written(model, sequences)

    assert ids == expected
    notices = [event.sentence for event in events if isinstance(event, Notice)]
    assert notices == [
        "memory is too small for 5 pieces at once: writing 3 at a time",
        "memory is too small for 3 pieces at once: writing 2 at a time",
    ]
    rows = {event.rows for event in events if isinstance(event, Column)}
    assert rows == {range(2), range(2, 3), range(3, 5)}


def test_too_little_memory_for_one_sequence_is_an_error(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow_only(monkeypatch, 0)

    with pytest.raises(GenerationError, match="too small for a piece of 24 tokens: ask for fewer"):
        written(model, [new_sequence(model)])


def test_other_failures_are_not_taken_for_a_lack_of_memory(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr(LoadedModel, "reader", broken)

    with pytest.raises(RuntimeError, match="something else"):
        written(model, new_sequences(model))


def test_prompts_that_do_not_fit_are_refused(model: LoadedModel) -> None:
    long = new_sequence(model, prompt=(START, *[20] * LENGTH))

    with pytest.raises(
        UsageError, match="prompts have 24 tokens: expected the same for all, fewer"
    ):
        written(model, [long])
    with pytest.raises(UsageError, match="prompts have 0, 24 tokens"):
        written(model, [new_sequence(model), long])


def test_a_refused_graph_capture_changes_no_token(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_torch = replace(model, may_compile=False)
    expected, _ = written(by_torch, new_sequences(model))

    def refused(_step: object) -> Any:
        raise RuntimeError("no capture here")

    monkeypatch.setattr(
        LoadedModel,
        "reader",
        lambda model, rows, **_: TorchReader(model.network, rows, capture=refused),
    )
    ids, events = written(by_torch, new_sequences(model))

    assert ids == expected
    notices = [event.sentence for event in events if isinstance(event, Notice)]
    assert notices == [
        "the device cannot record a step (no capture here): generation continues, but slower"
    ]
    assert isinstance(events[0], Notice)
