"""Heads replaced at all positions, in every reader, against hooks in double precision."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.generation.ablation.global_effects import GlobalProgress, global_effects
from musicrel.generation.causal.step_reader import open_reader
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.infill.masked_reader import open_masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import log_softmax
from musicrel.generation.scoring.teacher_forcing import score_cells
from musicrel.model.replaced_heads import ANY, ReplacedHeads
from musicrel.tokens.vocabulary import MASK
from tests.unit.generation.ablation.naive import NaiveModel

MUTES = Mutes.parse("1.2,2.1")


def replaced(model: LoadedModel) -> ReplacedHeads:
    """Return the replaced heads of the tests."""
    found = replaced_heads(model, MUTES)
    assert found is not None
    return found


@contextlib.contextmanager
def naively(naive: NaiveModel, heads: ReplacedHeads, rows: list[int]) -> Iterator[None]:
    """Replace the heads in the naive model by the row of the values of each position."""
    with contextlib.ExitStack() as stack:
        for layer, head in np.argwhere(heads.is_replaced_LH).tolist():
            values_5d = heads.values_5LHd[:, layer, head]
            values = {place: values_5d[row] for place, row in enumerate(rows)}
            stack.enter_context(naive.replaced(layer, head, values))
        yield


@pytest.mark.usefixtures("by")
def test_a_step_of_decoding_replaces_heads_after_a_prompt_and_in_every_sequence(
    every_causal_model: LoadedModel, piece: Chorale
) -> None:
    naive, heads = NaiveModel(every_causal_model, piece), replaced(every_causal_model)
    ids_N = naive.inputs()
    with naively(naive, heads, [place % 4 for place in range(len(ids_N))]):
        expected = naive.read(ids_N)
    rows_2NC = np.stack([naive.rows_NC] * 2)
    reader = open_reader(every_causal_model, rows_2NC, record=False, replay=False, replaced=heads)
    reader.prefill(np.stack([ids_N[:38]] * 2))
    for place in range(38, len(ids_N)):
        logits_2V, _ = reader.step(np.repeat(ids_N[place], 2))
        found = log_softmax(logits_2V.astype(np.float64))
        np.testing.assert_allclose(found, np.stack([expected[place]] * 2), atol=2e-3)


@pytest.mark.usefixtures("by")
def test_a_whole_piece_is_read_with_replaced_heads(
    every_causal_model: LoadedModel, piece: Chorale
) -> None:
    naive, heads = NaiveModel(every_causal_model, piece), replaced(every_causal_model)
    ids_N = naive.inputs()
    with naively(naive, heads, [place % 4 for place in range(len(ids_N))]):
        expected = -naive.read(ids_N)[np.arange(len(ids_N)), naive.ids_N]
    names = every_causal_model.conditions and ("voice", "beat")
    scores = list(score_cells(every_causal_model, piece, names, record=False, replaced=heads))
    found = np.concatenate([part.nats for part in scores])
    np.testing.assert_allclose(found, expected, atol=2e-3)


@pytest.mark.usefixtures("by")
def test_a_masked_reader_replaces_heads_by_the_voice_of_the_predicted_cell(
    infill_model: LoadedModel, piece: Chorale
) -> None:
    naive = NaiveModel(infill_model, piece)
    shape = infill_model.config
    rng = np.random.default_rng(0)
    values = rng.normal(size=(5, shape.layers, shape.heads, shape.head_width))
    heads = ReplacedHeads(np.eye(2, dtype=np.bool_), values.astype(np.float32))
    tokens_T4 = naive.ids_N.reshape(-1, 4).copy()
    wanted_T4 = np.zeros(tokens_T4.shape, dtype=np.bool_)
    wanted_T4[5, 2] = wanted_T4[8, 0] = wanted_T4[8, 3] = True
    tokens_T4[wanted_T4] = MASK
    rows = [ANY] * len(tokens_T4)
    rows[5] = 2
    with naively(naive, heads, rows):
        expected_NV = naive.read(tokens_T4.reshape(-1))
    reader = open_masked_reader(infill_model, replaced=heads)
    assert reader.precision == "single"
    found_MV = log_softmax(reader.read(tokens_T4[None], naive.rows_NC[None], wanted_T4[None], 0))
    np.testing.assert_allclose(found_MV, expected_NV[[8 * 4, 5 * 4 + 2, 8 * 4 + 3]], atol=2e-3)


@pytest.mark.usefixtures("by")
def test_global_effects_are_those_of_each_head_on_every_cell(
    every_model: LoadedModel, piece: Chorale
) -> None:
    events: list[GlobalProgress] = []
    found = jobs.run(global_effects(every_model, piece, Mutes.parse("1.2,2")), events.append)
    assert [event.head for event in events] == [None, Head(0, 1), Head(1, 0), Head(1, 1)]
    assert events[-1].done == events[-1].total == 3
    assert np.isnan(found.effects_LH[0, 0])
    np.testing.assert_allclose(found.cells_LHT4.mean(axis=(2, 3)), found.effects_LH)
    if every_model.config.family != "infill":
        naive = NaiveModel(every_model, piece)
        heads = replaced_heads(every_model, Mutes.parse("1.2"))
        assert heads is not None
        ids_N, cells = naive.inputs(), np.arange(len(naive.ids_N))
        before = -naive.read(ids_N)[cells, naive.ids_N]
        with naively(naive, heads, [place % 4 for place in range(len(ids_N))]):
            after = -naive.read(ids_N)[cells, naive.ids_N]
        np.testing.assert_allclose(found.cells_LHT4[0, 1].reshape(-1), after - before, atol=2e-3)


def test_global_effects_can_be_stopped(every_model: LoadedModel, piece: Chorale) -> None:
    job = global_effects(every_model, piece, by="zero")
    next(job)
    job.close()
    with pytest.raises(StopIteration):
        next(job)
