"""Several sequences written side by side."""
# ruff: noqa: N803  # shape suffixes: ids_BN

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from musicrel import jobs
from musicrel.errors import GenerationError, UsageError
from musicrel.generation.causal import reader
from musicrel.generation.causal.decode_sequence import Line
from musicrel.generation.causal.decoder import Column, DecodingEvent, Notice, decode
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Sampling
from musicrel.model.decoding.graph import RecordedStepper
from musicrel.model.decoding.step import Stepper
from musicrel.tokens.vocabulary import START

LENGTH = 24


class Anything:
    """Every token from REST on may follow; notes what it was asked."""

    def __init__(self, size: int) -> None:
        self._size = size
        self.asked: list[tuple[int, ...]] = []

    def allowed(self, ids_BN: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """All but PAD, MASK, START, END."""
        self.asked.append(ids_BN.shape)
        return np.repeat(np.arange(self._size)[None] >= 4, len(ids_BN), axis=0)


class Only:
    """Row b may have token 10 + b only."""

    def allowed(self, ids_BN: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """One token."""
        only: npt.NDArray[np.bool_] = np.arange(97) == 10 + np.arange(len(ids_BN))[:, None]
        return only


def line(model: LoadedModel, seed: int = 0, prompt: Sequence[int] = (START,), **how: Any) -> Line:
    """A sequence told a row for every place that depends on the seed."""
    sizes = list(model.network.config.conditions.values())
    told = np.random.default_rng(seed).integers(0, sizes, size=(LENGTH + 2, len(sizes)))
    return Line(told_NC=told, seed=seed, sampling=Sampling(**how), prompt=np.array(prompt))


LINES: tuple[dict[str, Any], ...] = (
    {},
    {"temperature": 2.0},
    {"temperature": 0.0},
    {"top_k": 3},
    {"top_p": 0.6, "temperature": 0.8},
)


def lines(model: LoadedModel, **fields: Any) -> list[Line]:
    """Five sequences, each sampled and told in its own way."""
    return [line(model, seed, **how, **fields) for seed, how in enumerate(LINES)]


def written(
    model: LoadedModel, asked: Sequence[Line], **how: Any
) -> tuple[list[list[int]], list[DecodingEvent]]:
    """The ids of every line, and all events."""
    events: list[DecodingEvent] = []
    legality = how.pop("legality", None) or Anything(model.vocabulary.size)
    ids = jobs.run(decode(model, asked, LENGTH, legality, **how), events.append)
    return [row.tolist() for row in ids], events


@pytest.mark.parametrize("prompt", [(START,), (START, 30, 20, 10, 9, 8)], ids=["empty", "five"])
def test_a_sequence_is_written_alike_alone_and_beside_others(
    any_model: LoadedModel, prompt: tuple[int, ...]
) -> None:
    """Token for token, with sampling, conditions and seed of its own."""
    asked = lines(any_model, prompt=prompt)

    alone = [written(any_model, [one])[0][0] for one in asked]

    assert written(any_model, asked)[0] == alone
    assert written(any_model, asked[::-1])[0] == alone[::-1]
    assert written(any_model, [asked[1]] * 3)[0] == [alone[1]] * 3


def test_columns_come_in_order_and_tell_what_is_returned(model: LoadedModel) -> None:
    """Every token once, behind the prompt."""
    ids, events = written(model, lines(model, prompt=(START, 30, 20)))

    columns = [event for event in events if isinstance(event, Column)]
    assert [column.index for column in columns] == list(range(3, LENGTH + 1))
    assert all(column.rows == range(5) for column in columns)
    assert np.array_equal(np.stack([c.tokens for c in columns], axis=1), [row[3:] for row in ids])
    assert [row[:3] for row in ids] == [[START, 30, 20]] * 5


def test_probabilities_are_those_of_one_pass(model: LoadedModel) -> None:
    """Of the model itself, whatever the sampling; entropies too."""
    asked = lines(model)
    ids, events = written(model, asked)

    for row, one in enumerate(asked):
        logits = model.logits(ids[row][:-1], one.told_NC[:LENGTH]).astype(np.float64)
        log_p = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
        for event in events:
            assert isinstance(event, Column)
            at = log_p[event.index - 1]
            assert event.log_probability[row] == pytest.approx(at[event.tokens[row]], abs=1e-4)
            assert event.entropy[row] == pytest.approx(-(np.exp(at) * at).sum(), abs=1e-4)


def test_recording_changes_no_token(model: LoadedModel) -> None:
    """The rows of every sequence come along, each its own."""
    plain, _ = written(model, lines(model))
    recorded, events = written(model, lines(model), record=True)

    assert recorded == plain
    for event in events:
        assert isinstance(event, Column)
        assert event.attention is not None
        assert event.attention.shape == (5, 2, 2, event.index)
        np.testing.assert_allclose(event.attention.sum(-1), 1.0, atol=1e-5)


def test_what_is_not_legal_is_not_written(model: LoadedModel) -> None:
    """Each row has its own mask, and is asked about what stands so far."""
    ids, _ = written(model, lines(model), legality=Only())
    legality = Anything(97)
    written(model, lines(model), legality=legality)

    assert [set(row[1:]) for row in ids] == [{10}, {11}, {12}, {13}, {14}]
    assert legality.asked == [(5, n) for n in range(1, LENGTH + 1)]


def test_where_memory_is_too_small_the_batch_is_halved(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As often as needed, with a word each time; the notes stay what they are."""
    asked = lines(model)
    expected, _ = written(model, asked)
    allow_only(monkeypatch, 2)

    ids, events = written(model, asked)

    assert ids == expected
    notices = [event.sentence for event in events if isinstance(event, Notice)]
    assert notices == [
        "memory is too small for 5 pieces at once: writing 3 at a time",
        "memory is too small for 3 pieces at once: writing 2 at a time",
    ]
    rows = {event.rows for event in events if isinstance(event, Column)}
    assert rows == {range(2), range(2, 3), range(3, 5)}


def allow_only(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Memory ends where more than ``most`` sequences are made ready."""
    make = Stepper.__init__

    def scarce(stepper: Stepper, network: Any, told_BLC: torch.Tensor, **how: Any) -> None:
        if len(told_BLC) > most:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to ...")
        make(stepper, network, told_BLC, **how)

    monkeypatch.setattr(Stepper, "__init__", scarce)


def test_memory_too_small_for_one_piece_is_told(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a sentence."""
    allow_only(monkeypatch, 0)

    with pytest.raises(GenerationError, match="too small for a piece of 24 tokens: ask for fewer"):
        written(model, [line(model)])


def test_other_failures_are_not_taken_for_a_lack_of_memory(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They come out as they are."""

    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr(Stepper, "__init__", broken)

    with pytest.raises(RuntimeError, match="something else"):
        written(model, lines(model))


def test_prompts_that_do_not_fit_are_refused(model: LoadedModel) -> None:
    """Longer than the piece, or of several lengths."""
    long = line(model, prompt=(START, *[20] * LENGTH))

    with pytest.raises(
        UsageError, match="prompts have 24 tokens: expected the same for all, fewer"
    ):
        written(model, [long])
    with pytest.raises(UsageError, match="prompts have 0, 24 tokens"):
        written(model, [line(model), long])


def test_the_last_place_may_be_all_that_is_left(model: LoadedModel) -> None:
    """A prompt of all but one token."""
    ids, events = written(model, [line(model, prompt=(START, *[20] * (LENGTH - 1)))])

    assert len(events) == 1
    assert ids[0][:-1] == [START, *[20] * (LENGTH - 1)]


def test_where_the_device_cannot_record_the_piece_is_written_all_the_same(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same tokens, and one notice."""
    expected, _ = written(model, lines(model))

    def refused(_step: object) -> Any:
        raise RuntimeError("no capture here")

    monkeypatch.setattr(
        reader, "_recorded", lambda stepper, _device: RecordedStepper(stepper, refused)
    )
    ids, events = written(model, lines(model))

    assert ids == expected
    notices = [event.sentence for event in events if isinstance(event, Notice)]
    assert notices == ["the device cannot record a step (no capture here): writing goes on slower"]
    assert isinstance(events[0], Notice)
