"""Effects on a note against the same computed by hooks in double precision."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import ModelError, UsageError
from musicrel.generation.events import SourcesProgress
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.infill.masked_reader import open_masked_reader, read_cells
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import log_softmax
from musicrel.generation.scoring.teacher_forcing import score_cells
from musicrel.interpretability import ablation
from musicrel.interpretability.ablation import GlobalProgress, global_effects
from musicrel.interpretability.readers import open_reader
from musicrel.model.replaced_heads import ANY, Ablations
from musicrel.model.tokens.vocabulary import MASK
from tests.helpers.known import known
from tests.unit.interpretability.naive import NaiveModel

CLOSE = 2e-4
CELLS = (0, 21, 47)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.usefixtures("by")
def test_the_effect_of_a_head_is_that_of_replacing_its_output_at_the_query(
    every_model: LoadedModel, piece: Chorale, cell: int
) -> None:
    naive, config = NaiveModel(every_model, piece), every_model.config
    means = known(replacement.known(every_model))
    found = open_reader(every_model, piece).local(cell)
    assert found.output.nats == pytest.approx(naive.nats(cell), abs=CLOSE)
    for layer, head in product(range(config.layers), range(config.heads)):
        value = means.means_5LHd[cell % 4, layer, head]
        with naive.replaced(layer, head, {naive.query(cell): value}):
            expected = naive.nats(cell) - found.output.nats
        assert found.effects_LH[layer, head] == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.usefixtures("by")
def test_the_effect_of_a_voice_is_that_of_removing_its_keys_or_hiding_its_notes(
    every_model: LoadedModel, piece: Chorale, cell: int
) -> None:
    naive = NaiveModel(every_model, piece)
    found = open_reader(every_model, piece).local(cell, "zero")
    for voice in range(4):
        keys = [1 + past for past in range(cell) if past % 4 == voice]
        ablation: contextlib.AbstractContextManager[None]
        ablation = naive.hidden(cell, voice) if naive.is_infill else naive.removed(cell, keys)
        with ablation:
            expected = naive.nats(cell) - found.output.nats
        assert found.voices_4[voice] == pytest.approx(expected, abs=CLOSE)


@pytest.mark.usefixtures("by")
def test_several_heads_are_muted_together(every_model: LoadedModel, piece: Chorale) -> None:
    naive, cell = NaiveModel(every_model, piece), 21
    zero = {naive.query(cell): np.zeros(every_model.config.head_width, dtype=np.float32)}
    with naive.replaced(0, 1, zero), naive.replaced(1, 0, zero):
        expected = naive.read(naive.inputs(cell))[cell]
    found = open_reader(every_model, piece).muted(cell, Mutes.parse("1.2,2.1", "zero"))
    np.testing.assert_allclose(found.log_p_V, expected, atol=2e-3)


@pytest.mark.usefixtures("by")
def test_muting_nothing_changes_nothing_to_the_bit(
    every_model: LoadedModel, piece: Chorale
) -> None:
    reader = open_reader(every_model, piece)
    np.testing.assert_array_equal(reader.muted(21, Mutes()).log_p_V, reader.output(21).log_p_V)


@pytest.mark.usefixtures("by")
def test_ablations_leave_nothing_behind(every_model: LoadedModel, piece: Chorale) -> None:
    reader = open_reader(every_model, piece)
    before = reader.local(40, "zero")
    reader.sources(21), reader.lens(33), reader.local(21)
    np.testing.assert_array_equal(reader.local(40, "zero").effects_LH, before.effects_LH)


@pytest.mark.usefixtures("by")
def test_the_effect_of_a_source_is_that_of_removing_its_keys(
    every_model: LoadedModel, piece: Chorale
) -> None:
    naive, cell = NaiveModel(every_model, piece), 37
    found = open_reader(every_model, piece).sources(cell, strongest=3, random=2)
    assert len(found.sources) == 5
    for source, effect in zip(found.sources, found.effects_S, strict=True):
        keys = np.flatnonzero(ablation.keys_of([source], len(naive.ids_N))[0]).tolist()
        with naive.removed(naive.query(cell), [key for key in keys if key <= cell]):
            expected = naive.nats(cell) - found.output.nats
        assert effect == pytest.approx(expected, abs=CLOSE)


@pytest.mark.usefixtures("by")
def test_the_search_for_sources_reports_its_progress(
    every_model: LoadedModel, piece: Chorale, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ablation, "_AT_ONCE", 2)
    reader, cell = open_reader(every_model, piece), 37
    events: list[SourcesProgress] = []
    found = jobs.run(reader.find_sources(cell, strongest=3, random=2), events.append)
    assert [(event.done, event.share) for event in events] == [(2, 0.4), (4, 0.8), (5, 1.0)]

    cancelled = reader.find_sources(cell, strongest=3, random=2)
    next(cancelled)
    cancelled.close()

    again = reader.sources(cell, strongest=3, random=2)
    np.testing.assert_array_equal(again.effects_S, found.effects_S)


@pytest.mark.usefixtures("by")
def test_the_strongest_sources_have_the_largest_weights(
    every_model: LoadedModel, piece: Chorale
) -> None:
    found = open_reader(every_model, piece).sources(37, strongest=4, random=100)
    strong, others = np.split(found.weights_S, [found.strongest])
    assert (np.diff(strong) <= 0).all()
    assert strong.min() >= others.max()
    np.testing.assert_allclose(found.weights_SLH.mean(axis=(1, 2)), found.weights_S)


@pytest.mark.usefixtures("by")
def test_the_random_sources_follow_from_the_seed(every_model: LoadedModel, piece: Chorale) -> None:
    reader = open_reader(every_model, piece)
    one, same = (reader.sources(37, 2, 4, seed=1).sources for _ in range(2))
    assert one == same
    assert reader.sources(37, 2, 4, seed=2).sources != one


@pytest.mark.usefixtures("by")
def test_sources_removed_together_are_those_of_the_naive_model(
    every_model: LoadedModel, piece: Chorale
) -> None:
    naive, cell = NaiveModel(every_model, piece), 37
    reader = open_reader(every_model, piece)
    group = reader.sources(cell, 3, 0).sources
    keys_K = ablation.keys_of(group, len(naive.ids_N)).any(axis=0)
    with naive.removed(naive.query(cell), np.flatnonzero(keys_K).tolist()):
        expected = naive.nats(cell)
    assert reader.without(cell, [group]) == pytest.approx([expected], abs=CLOSE)


@pytest.mark.usefixtures("by")
def test_the_lens_reads_the_state_after_each_layer(
    every_model: LoadedModel, piece: Chorale
) -> None:
    naive, cell = NaiveModel(every_model, piece), 21
    found = open_reader(every_model, piece).lens(cell)
    assert found.log_p_NV.shape[0] == every_model.config.layers + 1
    for layers in range(every_model.config.layers, -1, -1):
        del naive.network.blocks[layers:]
        expected = naive.read(naive.inputs(cell))[cell]
        np.testing.assert_allclose(found.log_p_NV[layers], expected, atol=2e-3)


@pytest.mark.usefixtures("by")
def test_attention_is_a_share_of_each_key(every_model: LoadedModel, piece: Chorale) -> None:
    weights_LHK = open_reader(every_model, piece).weights(21)
    keys = piece.steps if every_model.config.family == "infill" else 22
    assert weights_LHK.shape == (every_model.config.layers, every_model.config.heads, keys)
    np.testing.assert_allclose(weights_LHK.sum(axis=-1), 1.0, atol=1e-5)


def test_a_hidden_note_is_seen_nowhere(infill_model: LoadedModel) -> None:
    pitches = np.tile(np.array([[72, 67, 64, 48]], dtype=np.int16), (12, 1))
    other = pitches + np.array([0, 0, 1, 0], dtype=np.int16)
    before, after = (open_reader(infill_model, Chorale.of(one), ()) for one in (pitches, other))
    np.testing.assert_array_equal(before.weights(22), after.weights(22))
    assert np.abs(before.weights(23) - after.weights(23)).max() > 1e-4


def replaced(model: LoadedModel, code: str = "1.2,2.1") -> Ablations:
    return known(replaced_heads(model, Mutes.parse(code)))


@pytest.mark.usefixtures("by")
def test_more_sets_of_heads_than_rows_of_a_step_are_read(
    every_model: LoadedModel, piece: Chorale
) -> None:
    reader = open_reader(every_model, piece)
    one, other = (replaced(every_model, code) for code in ("1.1", "2"))
    both_2LH = np.concatenate([known(one.replaced_RLH), known(other.replaced_RLH)])
    sets = Ablations(replaced_RLH=np.tile(both_2LH, (20, 1, 1)), values_5LHd=one.values_5LHd)
    found = reader.replaced(21, sets)
    assert len(found) == 40
    assert found[0].nats == found[38].nats
    assert found[1].nats == found[39].nats != found[0].nats


@pytest.mark.parametrize("cell", [-1, 48])
def test_other_cells_and_heads_are_refused(
    every_model: LoadedModel, piece: Chorale, cell: int
) -> None:
    reader = open_reader(every_model, piece)
    with pytest.raises(UsageError, match=f"no cell {cell}: expected 0 to 47"):
        reader.local(cell, "zero")
    with pytest.raises(UsageError, match=r"no head 3\.1: expected layers 1 to 2"):
        reader.muted(3, Mutes((Head(2, 0),)))


def test_a_model_of_another_family_is_refused(model: LoadedModel, piece: Chorale) -> None:
    config = model.config
    object.__setattr__(config, "family", "masked")
    try:
        with pytest.raises(ModelError, match="predicts no notes: choose one of family causal"):
            open_reader(model, piece)
    finally:
        object.__setattr__(config, "family", "causal")


@contextlib.contextmanager
def naively(naive: NaiveModel, heads: Ablations, rows: list[int]) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        for layer, head in np.argwhere(known(heads.replaced_RLH)[0]).tolist():
            values_5d = known(heads.values_5LHd)[:, layer, head]
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
    reader = every_causal_model.reader(rows_2NC, replaced=heads)
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
    heads = Ablations(
        replaced_RLH=np.eye(2, dtype=np.bool_)[None], values_5LHd=values.astype(np.float32)
    )
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
    (read_T4V,) = read_cells(reader, [tokens_T4], [naive.rows_NC], wanted_T4[None])
    found_MV = log_softmax(read_T4V[[8, 5, 8], [0, 2, 3]].astype(np.float64))
    np.testing.assert_allclose(found_MV, expected_NV[[8 * 4, 5 * 4 + 2, 8 * 4 + 3]], atol=2e-3)


@pytest.mark.usefixtures("by")
def test_global_effects_are_those_of_each_head_on_every_cell(
    every_model: LoadedModel, piece: Chorale
) -> None:
    events: list[GlobalProgress] = []
    found = jobs.run(global_effects(every_model, piece, Mutes.parse("1.2,2")), events.append)
    assert [int(np.isfinite(event.effects_LH).sum()) for event in events] == [0, 1, 2, 3]
    assert [event.share for event in events] == [0, 1 / 3, 2 / 3, 1]
    assert np.isnan(found.effects_LH[0, 0])
    np.testing.assert_allclose(found.cells_LHT4.mean(axis=(2, 3)), found.effects_LH)
    if every_model.config.family != "infill":
        naive = NaiveModel(every_model, piece)
        heads = known(replaced_heads(every_model, Mutes.parse("1.2")))
        ids_N, cells = naive.inputs(), np.arange(len(naive.ids_N))
        before = -naive.read(ids_N)[cells, naive.ids_N]
        with naively(naive, heads, [place % 4 for place in range(len(ids_N))]):
            after = -naive.read(ids_N)[cells, naive.ids_N]
        np.testing.assert_allclose(found.cells_LHT4[0, 1].reshape(-1), after - before, atol=2e-3)
