"""Interval embeddings and logits against sums over single tokens."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import KEY
from musicrel.model.decoding.step import IncrementalDecoder
from musicrel.model.families.transformer import Transformer
from musicrel.model.features.interval_rows import NEIGHBOURS
from musicrel.model.features.intervals import Intervals
from musicrel.tokens.vocabulary import (
    ARTICULATED,
    PITCH,
    PITCHES,
    REST_TOKEN,
    START,
    Vocabulary,
)
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

OCTAVE = 12
both_vocabularies = pytest.mark.parametrize(
    "vocabulary", [ARTICULATED, PITCH], ids=lambda v: v.name
)
with_and_without_key = pytest.mark.parametrize(
    "conditions", [(KEY,), ("voice", KEY, "beat"), ("voice",)], ids=str
)


def interval_config(vocabulary: Vocabulary = ARTICULATED, **fields: Any) -> Any:
    """Return the config of a tiny model with interval features."""
    return tiny_config(
        "relative", conditions=("voice", KEY), vocabulary=vocabulary, pitches=PITCHES, **fields
    )


def pitch_of(token: int) -> int | None:
    """Return the semitones above the lowest pitch, None for tokens without pitch."""
    return None if token <= REST_TOKEN else (token - REST_TOKEN - 1) % PITCHES


def pitch_before(ids: list[int], place: int, back: int) -> int | None:
    """Return the pitch ``back`` tokens before ``place``."""
    return pitch_of(ids[place - back]) if place >= back else None


def distance_of(pitch: int | None, other: int | None) -> int | None:
    """Return the semitones from ``other`` up to ``pitch``, None if either has no pitch."""
    return None if pitch is None or other is None else pitch - other


def naive_embedding(intervals: Intervals, ids: list[int], place: int, key: int) -> Tensor:
    """Return the sum of vectors added at one position."""
    row = intervals.embed_row.weight.detach()
    near = intervals.embed_class.weight.detach()
    own, total = pitch_before(ids, place, 3), torch.zeros(row.shape[1], dtype=row.dtype)
    motions, degrees = NEIGHBOURS * 2 * PITCHES, NEIGHBOURS * 2 * PITCHES + 3 * 13 * 26
    for slot in range(NEIGHBOURS):
        other = pitch_before(ids, place, slot)
        distance = distance_of(other, own)
        total += row[slot * 2 * PITCHES + (2 * PITCHES - 1 if distance is None else distance + 45)]
        total += near[slot * 13 + (OCTAVE if distance is None else distance % OCTAVE)]
        if slot < 3:
            before = pitch_before(ids, place, slot + 4)
            distance, moved = distance_of(before, own), distance_of(other, before)
            class_before = OCTAVE if distance is None else distance % OCTAVE
            motion = 25 if moved is None else max(-12, min(12, moved)) + 12
            total += row[motions + (slot * 13 + class_before) * 26 + motion]
        if intervals.key_column is not None:
            above = distance_of(other, key - 1) if key else None
            degree = 24 if above is None else above % OCTAVE + OCTAVE * (key > OCTAVE)
            total += row[degrees + slot * 25 + degree]
    return total


def naive_logits(
    intervals: Intervals, state_D: Tensor, own: int | None, key: int, vocabulary: Vocabulary
) -> Tensor:
    """Return the logits by interval of every token."""
    outputs = intervals.project(state_D).detach()
    total = torch.zeros(vocabulary.size, dtype=outputs.dtype)
    for token in range(REST_TOKEN + 1, vocabulary.size):
        pitch = pitch_of(token)
        assert pitch is not None
        is_hold = vocabulary.holds and token >= vocabulary.first_hold
        if own is not None and is_hold and pitch == own:
            total[token] += outputs[2 * PITCHES - 1]
        if own is not None and not is_hold:
            total[token] += outputs[pitch - own + PITCHES - 1]
        if intervals.key_column is not None and key and not is_hold:
            total[token] += outputs[2 * PITCHES + (pitch - (key - 1)) % OCTAVE]
    return total


@both_vocabularies
@with_and_without_key
def test_embeddings_and_logits_are_those_of_the_formula(
    vocabulary: Vocabulary, conditions: tuple[str, ...]
) -> None:
    """Every position, with rests, the start and unknown keys."""
    config = tiny_config("none", conditions=conditions, vocabulary=vocabulary, pitches=PITCHES)
    model = tiny_model(config, dtype=torch.float64)
    intervals, width = model.intervals, config.width
    assert intervals is not None
    rng = torch.Generator().manual_seed(4)
    ids = torch.randint(REST_TOKEN, vocabulary.size, (1, 40), generator=rng)
    ids[0, 0] = START
    ids[0, 10:40:7] = REST_TOKEN
    rows = torch.stack([torch.randint(0, 4, (1, 40), generator=rng) for _ in conditions], dim=-1)
    if KEY in conditions:
        rows[..., conditions.index(KEY)] = torch.randint(0, 25, (1, 40), generator=rng)
    states = torch.randn(1, 40, width, dtype=torch.float64, generator=rng)

    pitch_BTN = intervals.neighbours(ids)
    embedded, outputs = intervals.embed(pitch_BTN, rows), intervals.logits(states, pitch_BTN, rows)

    for place in range(40):
        key = int(rows[0, place, conditions.index(KEY)]) if KEY in conditions else 0
        listed = ids[0].tolist()
        own = pitch_before(listed, place, 3)
        torch.testing.assert_close(
            embedded[0, place], naive_embedding(intervals, listed, place, key)
        )
        expected = naive_logits(intervals, states[0, place], own, key, vocabulary)
        torch.testing.assert_close(outputs[0, place], expected)


@both_vocabularies
def test_decoding_with_intervals_is_the_full_pass(vocabulary: Vocabulary) -> None:
    """With and without a prompt, in every batch, and with fixed shapes."""
    config = interval_config(vocabulary)
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 3, 40), tiny_rows(config, 3, 40)
    assert_decodes_as_in_one_pass(model, ids, rows, (0, 1, 5, 20))


def test_with_intervals_a_sequence_is_the_same_in_every_batch() -> None:
    """Equal to the bit in single precision."""
    config = interval_config(width=64, heads=4)
    model, ids, rows = tiny_model(config), tiny_ids(config, 5, 24), tiny_rows(config, 5, 24)
    together = IncrementalDecoder(model, rows)
    alone = [IncrementalDecoder(model, rows[row : row + 1]) for row in range(5)]
    for place in range(24):
        seen = together.step(ids[:, place]).logits_BV
        for row, decoder in enumerate(alone):
            assert torch.equal(decoder.step(ids[row : row + 1, place]).logits_BV[0], seen[row])


def test_no_later_token_changes_an_earlier_logit() -> None:
    """A causal model stays causal."""
    config = interval_config()
    model = tiny_model(config)
    ids, rows = tiny_ids(config, 1, 30), tiny_rows(config, 1, 30)
    before = model(ids, rows).logits_BTV[:, :20]
    ids[:, 20:] = tiny_ids(config, 1, 10, seed=9)
    assert torch.equal(model(ids, rows).logits_BTV[:, :20], before)


def test_every_table_learns() -> None:
    """Every table gets a gradient."""
    config = interval_config()
    model = tiny_model(config).train()
    rows = tiny_rows(config, 2, 30)
    model(tiny_ids(config, 2, 30), rows).logits_BTV.square().mean().backward()
    assert model.intervals is not None
    for parameter in model.intervals.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0


def test_a_new_model_with_intervals_predicts_nearly_uniformly() -> None:
    """The logits by interval are small at first."""
    torch.manual_seed(0)
    config = interval_config(width=64, heads=4)
    model = Transformer(config).eval()
    logits = model(tiny_ids(config, 2, 50), tiny_rows(config, 2, 50)).logits_BTV
    nats = -logits.detach().log_softmax(-1).mean()
    assert abs(float(nats) - math.log(config.tokens)) < 0.3


@pytest.mark.parametrize("pitches", [-1, 45, True, 46.0, 92 * 2])
def test_pitches_that_the_vocabulary_lacks_are_refused(pitches: Any) -> None:
    """The error names the value."""
    with pytest.raises(ModelError, match=r"pitches is .* expected 0, or the number of pitches"):
        tiny_config("none", pitches=pitches)


def test_intervals_are_for_causal_models() -> None:
    """Other families have features of their own."""
    with pytest.raises(ModelError, match="pitches is 46 in family masked"):
        tiny_config("none", pitches=PITCHES, family="masked")
