"""Means of the heads' outputs: computed, stored, and refused where they are of other weights."""

from __future__ import annotations

import logging
from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs, paths
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import ModelError, UsageError
from musicrel.generation.events import MeansProgress
from musicrel.generation.heads import means, replacement
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes, all_heads
from musicrel.generation.heads.replacement import HeadMeans, replaced_heads
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model import catalogue
from musicrel.model.card import WITHOUT_NOTES, read_card
from musicrel.model.replaced_heads import ROWS
from tests.helpers.music import random_chorale
from tests.unit.interpretability.naive import NaiveModel

WRITERS = [
    folder.name
    for folder in catalogue.model_directories()
    if catalogue.is_shipped(folder) and read_card(folder).config.family not in WITHOUT_NOTES
]  # shipped models that predict notes


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr(paths, "cache", lambda: folder)
    monkeypatch.setattr(bundled, "load", lambda _: [random_chorale(1, 12), random_chorale(2, 8)])


def outputs(model: LoadedModel, piece: Chorale, layer: int, head: int) -> np.ndarray:
    naive = NaiveModel(model, piece)
    naive.rows_NC = model.condition_rows(piece, tuple(model.conditions))[: len(naive.ids_N)]
    seen: list[np.ndarray] = []
    projection = naive.network.blocks[layer].attention.project_out
    projection.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0][0].numpy()))
    naive.read(naive.inputs())
    width = model.config.head_width
    return seen[0][:, head * width : (head + 1) * width]


def test_the_means_of_a_causal_model_are_those_of_each_voice(model: LoadedModel) -> None:
    found = jobs.run(means.compute(model, bundled.load("train")))
    for voice in range(4):
        both = [outputs(model, piece, 1, 0)[voice::4] for piece in bundled.load("train")]
        expected = np.concatenate(both).mean(axis=0)
        np.testing.assert_allclose(found.means_5LHd[voice, 1, 0], expected, atol=1e-4)


def test_the_means_of_an_infilling_model_differ_by_voice(infill_model: LoadedModel) -> None:
    found = jobs.run(means.compute(infill_model, bundled.load("train"))).means_5LHd
    assert len({row.tobytes() for row in found}) == 5
    assert np.isfinite(found).all()


def test_means_are_computed_once_and_kept(model: LoadedModel) -> None:
    events: list[MeansProgress] = []
    first = jobs.run(means.prepare(model), events.append)
    assert events == [MeansProgress(1, 2), MeansProgress(2, 2)]
    again = jobs.run(means.prepare(model), events.append)
    assert len(events) == 2
    np.testing.assert_array_equal(again.means_5LHd, first.means_5LHd)


def test_means_beside_the_weights_are_used_first(every_model: LoadedModel) -> None:
    events: list[MeansProgress] = []
    jobs.run(means.prepare(every_model), events.append)
    assert not events


@pytest.mark.parametrize("name", WRITERS)
def test_every_shipped_model_has_the_means_of_its_weights(name: str) -> None:
    shipped = load_model(name)
    stored = replacement.known(shipped)
    assert stored is not None, f"musicrel ablate means --model {name} --store assets/models/{name}"
    assert stored.sha256 == shipped.sha256
    assert np.unique(stored.means_5LHd, axis=0).shape[0] == ROWS


def test_means_of_other_weights_are_ignored_with_a_remark(
    model: LoadedModel, caplog: pytest.LogCaptureFixture
) -> None:
    found = jobs.run(means.compute(model, bundled.load("train")))
    other = replace(found, sha256="0" * 64)
    replacement.write(replacement.cache_path(model.sha256), other)
    with caplog.at_level(logging.WARNING):
        assert replacement.known(model) is None
    assert "is not of these weights of tiny and is ignored" in caplog.text


def test_a_damaged_file_of_means_is_ignored(model: LoadedModel) -> None:
    paths.write_bytes(replacement.cache_path(model.sha256), b"damaged")
    assert replacement.known(model) is None


def test_means_of_another_shape_are_ignored(model: LoadedModel) -> None:
    shape = (5, 1, 1, 1)
    path = replacement.cache_path(model.sha256)
    replacement.write(path, HeadMeans(np.zeros(shape, dtype=np.float32), model.sha256))
    assert replacement.known(model) is None


def test_muting_by_unknown_means_is_refused_with_a_remedy(model: LoadedModel) -> None:
    with pytest.raises(ModelError, match=r"not known: compute them with musicrel ablate means"):
        replaced_heads(model, Mutes.parse("1.1"))


def test_an_unsaved_model_has_a_hash_of_its_tensors(model: LoadedModel) -> None:
    unsaved = LoadedModel.unsaved(model.network, model.card, model.vocabulary)
    assert len(replacement.weights_hash(unsaved)) == 64
    assert replacement.weights_hash(unsaved) == replacement.weights_hash(unsaved)


def test_heads_are_named_from_one_and_a_layer_without_a_head() -> None:
    assert (str(Head(1, 2)), Head(1, 2).code) == ("Layer 2, head 3", "2.3")
    assert (str(Head(3, WHOLE)), Head(3, WHOLE).code) == ("Layer 4", "4")


@pytest.mark.parametrize(
    ("text", "heads", "shown"),
    [
        ("4, 2.3", (Head(1, 2), Head(3, WHOLE)), "2.3,4"),
        ("4,2.3,4.1,2.3,2.1", (Head(1, 0), Head(1, 2), Head(3, WHOLE)), "2.1,2.3,4"),
        (" ", (), ""),
    ],
)
def test_a_text_names_heads_and_layers_in_order(
    text: str, heads: tuple[Head, ...], shown: str
) -> None:
    mutes = Mutes.parse(text, "zero")
    assert (mutes.heads, str(mutes), bool(mutes)) == (heads, shown, bool(heads))
    assert Mutes.from_json(mutes.to_json()) == (mutes if heads else Mutes())


def test_a_muted_layer_has_all_its_heads() -> None:
    mutes = Mutes.parse("2,1.2")
    assert mutes.expanded(layers=2, heads=2) == (Head(0, 1), Head(1, 0), Head(1, 1))
    assert [head in mutes for head in all_heads(2, 2)] == [False, True, True, True]


@pytest.mark.parametrize(
    ("text", "by", "sentence"),
    [
        *(
            (text, "mean", "cannot read the head .*: expected layer and head")
            for text in ("x", "2.0", "0", "2.", "2.3,,4", "-1", "2,3.1.1")
        ),
        ("1.1", "noise", "replaced by 'noise': expected mean or zero"),
        *(
            (text, "mean", f"no head {text}: expected layers 1 to 2 and heads 1 to 2")
            for text in ("3", "3.1", "1.3")
        ),
    ],
)
def test_other_heads_and_replacements_are_refused(text: str, by: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        Mutes.parse(text, by).expanded(layers=2, heads=2)


@pytest.mark.parametrize(
    ("before", "head", "heads", "after"),
    [
        ("", Head(0, 1), 2, "1.2"), ("1.2", Head(0, 1), 2, ""), ("1.1", Head(0, 1), 2, "1"),
        ("1", Head(0, 0), 3, "1.2,1.3"), ("2.2", Head(1, WHOLE), 2, "2"),
        ("2", Head(1, WHOLE), 2, ""),
    ],
)  # fmt: skip
def test_heads_and_layers_are_muted_and_unmuted(
    before: str, head: Head, heads: int, after: str
) -> None:
    mutes = Mutes.parse(before, "zero").toggled(head, layers=2, heads=heads)
    assert mutes == Mutes.parse(after, "zero")
