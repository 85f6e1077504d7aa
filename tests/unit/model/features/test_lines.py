"""Intervals and lines against formulas for single tokens."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.blocks.kv_cache import ID_CONTEXT
from musicrel.model.config import KEY, ModelConfig
from musicrel.model.features.interval_tables import LOOK_BACK, NEIGHBOURS
from musicrel.model.features.intervals import Intervals
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.model.networks import build
from musicrel.model.tokens.vocabulary import (
    ARTICULATED,
    PITCH,
    PITCHES,
    REST_TOKEN,
    START,
    Vocabulary,
)
from musicrel.model.torch_reader import TorchReader
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.unit.model.features.single_tokens import (
    FIRST,
    HOLD,
    VOICES,
    line_bias,
    line_of,
    melodies,
    pitch_of,
)

TOLD = ("voice", "beat", "key", "ending")
STEPS = 80
OCTAVE = 12
both_vocabularies = pytest.mark.parametrize(
    "vocabulary", [ARTICULATED, PITCH], ids=lambda v: v.name
)
with_and_without_key = pytest.mark.parametrize(
    "conditions", [(KEY,), ("voice", KEY, "beat"), ("voice",)], ids=str
)


def line_config(**fields: Any) -> ModelConfig:
    shape: dict[str, Any] = {"conditions": TOLD, "counterpoint": PITCHES, "lines": PITCHES}
    return tiny_config("relative", **shape | fields)


def tables_of(config: ModelConfig) -> LogitBiases:
    """Return the biases of a model with large weights, in float64."""
    tables = tiny_model(config, dtype=torch.float64).counterpoint
    assert tables is not None
    return tables


def framed(steps: int, batch: int = 1, *, gaps: bool = True) -> Tensor:
    start = torch.full((batch, 1), START)
    return torch.cat([start, melodies(batch, steps, gaps=gaps)], dim=1)


def rows_of(length: int) -> Tensor:
    """Return rows of voices and sixteenths in turn: (1, N, C)."""
    place = torch.arange(length)
    columns = [1 + place % VOICES, 1 + place // VOICES % 4, place * 0, place * 0]
    return torch.stack(columns, dim=-1)[None]


def interval_config(vocabulary: Vocabulary = ARTICULATED, **fields: Any) -> Any:
    return tiny_config(
        "relative", conditions=("voice", KEY), vocabulary=vocabulary, pitches=PITCHES, **fields
    )


def pitch_before(ids: list[int], place: int, back: int) -> int | None:
    return pitch_of(ids[place - back]) if place >= back else None


def distance_of(pitch: int | None, other: int | None) -> int | None:
    """Return the semitones from ``other`` up to ``pitch``, None if either has no pitch."""
    return None if pitch is None or other is None else pitch - other


def naive_embedding(intervals: Intervals, ids: list[int], place: int, key: int) -> Tensor:
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


def test_the_biases_by_line_are_those_of_the_formula() -> None:
    """Every token after every other, with rests, gaps, long notes and the start."""
    tables = tables_of(line_config())
    ids, rows = framed(STEPS), rows_of(VOICES * STEPS + 1)

    line = tables.lines_of(ids)
    assert line is not None
    biases = tables.rule_biases(tables.neighbours(ids), rows, line)["line_LJ"].logits()

    for place in range(0, ids.shape[1], 3):
        voice, beat = rows[0, place, :2].tolist()
        own = ids[0, 1 + place % VOICES : place + 1 : VOICES].tolist()
        expected = [line_bias(tables, voice, beat, own, t) / 8 for t in range(ARTICULATED.size)]
        found = torch.tensor(expected, dtype=torch.float64)
        torch.testing.assert_close(biases[0, place], found)


def test_every_row_of_moves_and_ages_occurs_in_the_melodies() -> None:
    ids_T4 = melodies(3, STEPS).view(3, STEPS, VOICES)
    found = {
        line_of(ids_T4[piece, :step, voice].tolist())[:2]
        for piece in range(3)
        for step in range(STEPS)
        for voice in range(VOICES)
    }

    assert len({move for move, _ in found}) == 7
    assert {1, 2, 3, 4, 5, 8} <= {age for _, age in found}
    assert max(age for _, age in found) == LOOK_BACK + 1


def test_what_the_biases_are_counts_of_is_what_they_are_gradients_of() -> None:
    tables = tables_of(line_config())
    ids, rows = framed(STEPS, 2, gaps=False), rows_of(VOICES * STEPS).expand(2, -1, -1)
    known = ids[:, :-1]
    biases = tables(tables.neighbours(known), rows, tables.lines_of(known))
    biases.gather(-1, ids[:, 1:, None]).sum().backward()

    counts = tables.count(ids, rows)

    owed = tables.line_LJ.grad
    assert owed is not None
    assert owed.any()
    torch.testing.assert_close(counts["line_LJ"].double(), owed / 8)


def test_decoding_with_lines_is_the_full_pass() -> None:
    """With and without a prompt, and with fixed shapes; longer than the look back."""
    config = line_config(pitches=PITCHES)
    model = tiny_model(config, dtype=torch.float64)
    ids = framed(STEPS, 3)
    assert_decodes_as_in_one_pass(model, ids, tiny_rows(config, 3, ids.shape[1]), (0, 5, 150))


def test_a_line_goes_on_in_parts_of_a_piece() -> None:
    tables = tables_of(line_config())
    ids = framed(STEPS)
    whole, part = tables.lines_of(ids), tables.lines_of(ids[:, 200:], ids[:, 73:200])

    assert ID_CONTEXT == 127 == VOICES * LOOK_BACK - 1
    assert whole is not None
    assert part is not None
    assert torch.equal(whole.state[:, 200:], part.state)
    assert torch.equal(whole.pitch[:, 200:], part.pitch)


def test_particles_keep_the_lines_of_what_they_continue() -> None:
    model = tiny_model(line_config(), dtype=torch.float64)
    ids, rows = framed(STEPS, 2), tiny_rows(model.config, 2, VOICES * STEPS + 1)
    expected = model(ids, rows).logits_BTV[1].detach().float().numpy()
    trunk = TorchReader(model, rows.numpy())
    trunk.prefill(ids[:, :250].numpy())
    particles = TorchReader(model, rows[1:].expand(3, -1, -1).numpy())

    for first, shared in ((200, 0), (240, 200)):
        particles.branch_from(trunk, np.full(3, 1), first, shared)
        for place in range(first, first + 10):
            logits_3V, _ = particles.step(ids[1, place].expand(3).numpy())
            np.testing.assert_allclose(logits_3V, expected[[place] * 3], rtol=0, atol=1e-5)
        particles.select(np.array([2, 2, 0]), first)


def test_a_rule_that_steps_go_on_can_be_written_into_the_table() -> None:
    """After a step up a held soprano is drawn to the next steps up, and nowhere else."""
    tables = LogitBiases(ARTICULATED.size, PITCHES, ["voice"], lines=True)
    with torch.no_grad():
        tables.line_LJ.view(5, 5, 7, 6, 8)[1, 0, 1, 1, 2] = 1.0  # soprano, step up, age 2, step up
    before = [20, 15, 10, 5]
    after = [22, 15, 10, 5]
    ids = torch.tensor([[START, *before, *after]]) + torch.tensor([[0] + [FIRST] * 8])
    held = torch.tensor([[HOLD + pitch for pitch in after]])
    ids = torch.cat([ids, held], dim=1)

    biases = tables(tables.neighbours(ids), rows_of(13)[..., :1], tables.lines_of(ids))[0, -1]

    assert (biases.nonzero().flatten() - FIRST).tolist() == [23, 24]
    assert biases[FIRST + 23] == 8.0


@pytest.mark.parametrize(
    ("lines", "fields"),
    [
        (45, {}),
        (-1, {}),
        (True, {}),
        (PITCHES, {"counterpoint": 0}),
        (PITCHES, {"vocabulary": PITCH}),
    ],
)
def test_lines_without_their_tables_are_refused(lines: Any, fields: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match=rf"lines is {lines} with counterpoint .*: expected 0, or"):
        line_config(lines=lines, **fields)


@both_vocabularies
@with_and_without_key
def test_embeddings_and_logits_are_those_of_the_formula(
    vocabulary: Vocabulary, conditions: tuple[str, ...]
) -> None:
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
    config = interval_config(vocabulary)
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 3, 40), tiny_rows(config, 3, 40)
    assert_decodes_as_in_one_pass(model, ids, rows, (0, 1, 5, 20))


def test_no_later_token_changes_an_earlier_logit() -> None:
    config = interval_config()
    model = tiny_model(config)
    ids, rows = tiny_ids(config, 1, 30), tiny_rows(config, 1, 30)
    before = model(ids, rows).logits_BTV[:, :20]
    ids[:, 20:] = tiny_ids(config, 1, 10, seed=9)
    assert torch.equal(model(ids, rows).logits_BTV[:, :20], before)


def test_every_table_learns() -> None:
    config = interval_config()
    model = tiny_model(config).train()
    rows = tiny_rows(config, 2, 30)
    model(tiny_ids(config, 2, 30), rows).logits_BTV.square().mean().backward()
    assert model.intervals is not None
    for parameter in model.intervals.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0


def test_a_new_model_with_intervals_predicts_nearly_uniformly() -> None:
    torch.manual_seed(0)
    config = interval_config(width=64, heads=4)
    model = build(config).eval()
    logits = model(tiny_ids(config, 2, 50), tiny_rows(config, 2, 50)).logits_BTV
    nats = -logits.detach().log_softmax(-1).mean()
    assert abs(float(nats) - math.log(config.tokens)) < 0.3


@pytest.mark.parametrize("pitches", [-1, 45, 92 * 2])
def test_pitches_that_the_vocabulary_lacks_are_refused(pitches: int) -> None:
    with pytest.raises(ModelError, match=r"pitches is .* expected 0, or the number of pitches"):
        tiny_config("none", pitches=pitches)


def test_intervals_are_for_causal_models() -> None:
    with pytest.raises(ModelError, match="pitches is 46 in family masked"):
        tiny_config("none", pitches=PITCHES, family="masked")
