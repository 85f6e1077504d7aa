"""The measures of a note against the same computed by hooks in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis.heads.head_patterns import PATTERNS, HeadPatterns
from musicrel.analysis.heads.rank_correlation import spearman
from musicrel.chorale import Chorale
from musicrel.experiment.ablation import note_measures, source_removal
from musicrel.experiment.ablation.measures import GROUPS, REMOVED, Measures
from musicrel.experiment.ablation.note_measures import Draws
from musicrel.generation.ablation import sources as parts
from musicrel.generation.ablation.note_reader import NoteReader
from musicrel.generation.ablation.results import Source
from musicrel.generation.loaded_model import LoadedModel
from tests.unit.generation.ablation.naive import NaiveModel

CLOSE = 5e-4
DRAWS = Draws(seed=3, piece=1)


@pytest.fixture(scope="session")
def cells(pieces: list[Chorale]) -> list[int]:
    """Return the first note of a piece, the third, and one at its end."""
    onsets = np.flatnonzero(pieces[1].onsets.reshape(-1))
    return [int(onsets[0]), int(onsets[2]), int(onsets[-3])]


def measured(model: LoadedModel, piece: Chorale, cells: list[int]) -> Measures:
    job = note_measures.measure(NoteReader(model, piece), np.array(cells), DRAWS, "mean")
    return jobs.run(job)


def test_the_heads_have_their_local_effects_and_weights(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    found, reader = measured(studied_model, pieces[1], cells), NoteReader(studied_model, pieces[1])
    assert found.cells_N.tolist() == cells
    for row, cell in enumerate(cells):
        local = reader.local(cell)
        np.testing.assert_array_equal(found.effects_NH[row], local.effects_LH.reshape(-1))
        assert found.nats_N[row] == local.output.nats
        largest_LH = np.zeros(local.effects_LH.shape)
        attention_LHK = reader.attention(cell)
        for source in reader.every_source(cell):
            keys_K = parts.keys_of([source], attention_LHK.shape[-1])[0]
            largest_LH = np.maximum(largest_LH, attention_LHK[..., keys_K].sum(axis=-1))
        np.testing.assert_allclose(found.weights_NWH[row, 0], largest_LH.reshape(-1), atol=1e-9)


def test_the_correlations_are_those_over_the_sources(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    found = measured(studied_model, pieces[1], cells)
    removed = NoteReader(studied_model, pieces[1]).sources(cells[-1], seed=DRAWS.seed)
    last = len(removed.sources)
    np.testing.assert_array_equal(found.source_effects_NS[-1, :last], removed.effects_S)
    assert np.isnan(found.source_effects_NS[-1, last:]).all()
    weight, size, closeness, closeness_size = found.correlations_NC[-1]
    assert weight == pytest.approx(float(spearman(removed.weights_S, removed.effects_S)))
    assert size == pytest.approx(float(spearman(removed.weights_S, abs(removed.effects_S))))
    step = cells[-1] // 4
    steps = [
        step - one.stop + 1 if one.start <= step else one.start - step for one in removed.sources
    ]
    assert closeness == pytest.approx(float(spearman(-np.array(steps), removed.effects_S)))
    assert closeness_size == pytest.approx(
        float(spearman(-np.array(steps), abs(removed.effects_S)))
    )
    second = [float(one_LH[0, 1]) for one_LH in removed.weights_SLH]
    assert found.by_head_NH[-1, 1] == pytest.approx(float(spearman(second, removed.effects_S)))


def test_the_strongest_sources_are_removed_together(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    piece, cell = pieces[1], cells[-1]
    found, naive = measured(studied_model, piece, cells), NaiveModel(studied_model, piece)
    reader, before = NoteReader(studied_model, piece), naive.nats(cell)
    weights_LHK = reader.attention(cell)
    every = parts.keys_of(reader.every_source(cell), weights_LHK.shape[-1])
    weights = [float(weights_LHK[..., keys_K].sum(axis=-1).mean()) for keys_K in every]
    for row, number in enumerate(REMOVED):
        chosen = sorted(range(len(weights)), key=lambda place: -weights[place])[:number]
        keys = np.flatnonzero(every[chosen].any(axis=0)).tolist()
        with naive.removed(naive.query(cell), keys):
            expected = naive.nats(cell) - before
        effect = found.removed_NKG[-1, row, GROUPS.index("strongest")]
        assert effect == pytest.approx(expected, abs=CLOSE)


def test_the_nearest_sources_are_removed_together(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    found, reader = measured(studied_model, pieces[1], cells), NoteReader(studied_model, pieces[1])
    cell = cells[-1]
    every, nats = reader.every_source(cell), reader.output(cell).nats
    step = [max(cell // 4 - one.stop + 1, one.start - cell // 4) for one in every]
    nearest = [every[place] for place in np.argsort(step, kind="stable")[: REMOVED[0]]]
    effect = found.removed_NKG[-1, 0, GROUPS.index("nearest")]
    assert effect == pytest.approx(float(reader.without(cell, [nearest])[0]) - nats)


def test_random_sources_are_others_than_the_strongest(
    studied_model: LoadedModel,
    pieces: list[Chorale],
    cells: list[int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader, cell = NoteReader(studied_model, pieces[1]), cells[-1]
    removed: list[list[list[Source]]] = []
    real = reader.without

    def without(cell: int, groups: list[list[Source]]) -> np.ndarray:
        removed.append(groups)
        return real(cell, groups)

    monkeypatch.setattr(reader, "without", without)
    every = reader.every_source(cell)
    weights_S = np.random.default_rng(0).random(len(every))
    _effects, smaller_K = source_removal.together(
        reader, cell, every, weights_S, np.random.default_rng(1)
    )
    for (strongest, _nearest, *random), number in zip(removed, REMOVED, strict=True):
        assert {len(group) for group in (strongest, *random)} == {number}
        assert not any(set(group) & set(strongest) for group in random)
    assert ((smaller_K >= 0) & (smaller_K <= 1)).all()


def test_a_note_with_few_sources_has_no_correlation_and_no_groups(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    found = measured(studied_model, pieces[1], cells)
    has_few = studied_model.config.family != "infill"  # its sources are all other steps
    for values in (found.correlations_NC, found.by_head_NH, found.removed_NKG):
        assert np.isnan(values[0]).all() == has_few
    assert found.weights_NWH[0, 0].any() != has_few


def test_the_weight_on_a_pattern_is_above_that_of_equal_weights(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    piece, cell = pieces[1], cells[-1]
    found = measured(studied_model, piece, cells)
    if studied_model.config.family == "infill":
        assert np.isnan(found.excess_NPH).all()
        return
    columns = HeadPatterns.of(piece).of_columns(np.array([cell]))
    weights_HK = NoteReader(studied_model, piece).attention(cell).reshape(4, -1)
    for row, name in enumerate(PATTERNS):
        scores_S = columns[name][0, : cell + 1]
        expected = weights_HK @ scores_S - scores_S.mean()
        if not scores_S.any():
            expected = np.full(4, np.nan)
        np.testing.assert_allclose(found.excess_NPH[-1, row], expected, atol=1e-6)


def test_the_scores_of_the_patterns_are_those_of_the_notes(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    sides = studied_model.config.family == "infill"
    of_notes = HeadPatterns.of(pieces[1], both_sides=sides).of_notes()
    found = measured(studied_model, pieces[1], cells)
    for row, name in enumerate(PATTERNS):
        np.testing.assert_array_equal(found.scores_NP[:, row], of_notes[name].reshape(-1)[cells])


def test_a_set_of_heads_is_replaced_together(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    naive, cell = NaiveModel(studied_model, pieces[1]), cells[-1]
    sets_DH = np.array([[True, False, True, False], [False, False, False, True]])
    reader = NoteReader(studied_model, pieces[1])
    found = jobs.run(note_measures.measure_sets(reader, np.array(cells), sets_DH, "zero"))
    zero = {naive.query(cell): np.zeros(studied_model.config.head_width, dtype=np.float32)}
    before = naive.nats(cell)
    with naive.replaced(0, 0, zero), naive.replaced(1, 0, zero):
        expected = naive.nats(cell) - before
    assert found.effects_ND.shape == (3, 2)
    assert found.effects_ND[-1, 0] == pytest.approx(expected, abs=CLOSE)


def test_progress_counts_notes(
    studied_model: LoadedModel, pieces: list[Chorale], cells: list[int]
) -> None:
    reader, events = NoteReader(studied_model, pieces[1]), list[int]()
    jobs.run(note_measures.measure(reader, np.array(cells), DRAWS, "zero"), events.append)
    assert events == [1, 2, 3]
