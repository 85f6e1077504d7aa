"""Data sets, training batches, and positional tables that are too short for them."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import RANGES, REST, Chorale
from musicrel.errors import FileError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch, Batches, collate
from musicrel.experiment.recipe import recipe as recipes
from musicrel.experiment.recipe.recipe import DataPart, Recipe
from musicrel.experiment.training.train import train
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import ARTICULATED, END, PAD, PITCH, REST_TOKEN, START
from musicrel.score import files
from tests.helpers.music import random_chorale
from tests.helpers.recipes import tiny_recipe

PIECES = [random_chorale(seed, 12 + 9 * seed, margin=3) for seed in range(5)]
WINDOW = 64


def batches(seed: int = 0, batch: int = 4, pieces: list[Chorale] = PIECES, **of: object) -> Batches:
    """Return batches of windows of 64 tokens; ``of`` overrides the data part."""
    names = {"conditions": tuple(conditions.CONDITIONS)}
    part = DataPart(**{"source": "", "window": WINDOW} | names | of)  # type: ignore[arg-type]
    return Batches(pieces, part, batch, seed)


def same(one: Batch, other: Batch) -> bool:
    return all(torch.equal(getattr(one, n), getattr(other, n)) for n in Batch.__slots__)


def sequences(batch: Batch) -> list[tuple[int, list[int]]]:
    rows = []
    for ids, targets, start in zip(batch.ids_BT, batch.targets_BT, batch.starts_B, strict=True):
        length = int((targets != PAD).sum())
        rows.append((int(start), [*ids[:length].tolist(), int(targets[length - 1])]))
    return rows


def test_the_tiny_data_set_is_read_from_its_file(source: str) -> None:
    loaded = dataset.load(source)

    content = Path(source.removeprefix("jsb:")).read_bytes()
    assert (loaded.name, loaded.sha256) == ("jsb", hashlib.sha256(content).hexdigest())
    assert {split: len(loaded.pieces[split]) for split in SPLITS} == {
        "train": 6, "valid": 2, "test": 2,
    }  # fmt: skip


def test_unknown_data_are_refused() -> None:
    for name in ("bach", "chorales:", "jsb", "psalms:psalms.json"):
        with pytest.raises(UsageError, match=f"unknown data '{name}': expected 'chorales', 'jsb:F"):
            dataset.load(name)


@pytest.mark.parametrize("name", recipes.names().split(", "))
def test_the_data_of_every_bundled_recipe_have_a_reader(name: str) -> None:
    prefix, colon, _ = recipes.load(name).data.source.partition(":")
    assert prefix + colon in dataset._READERS


def test_pieces_to_teach_are_half_of_an_epoch_the_chorales_the_other_half(tmp_path: Path) -> None:
    for seed in range(40):
        files.write(random_chorale(seed, 200), tmp_path / f"{seed}.json")
    own, taught = (dataset.load(f"{prefix}folder:{tmp_path}") for prefix in ("", "replay:"))

    bach, mine = bundled.load("train"), own.pieces["train"]
    lessons = taught.lessons
    assert taught.pieces == own.pieces
    assert [replace(piece, composer="") for piece in lessons[-len(bach) :]] == list(bach)
    repeated = lessons[: -len(bach)]
    assert list(repeated) == list(mine) * (len(repeated) // len(mine))
    share = sum(piece.steps for piece in repeated) / sum(piece.steps for piece in lessons)
    assert 0.45 < share < 0.55
    assert taught.sha256 != own.sha256


def test_replayed_chorales_are_told_from_the_pieces_taught_and_that_is_never_hidden() -> None:
    pieces = [random_chorale(1, 16), *dataset.beside([random_chorale(2, 16)])]
    data: dict[str, Any] = {
        "conditions": ("voice", "style"),
        "condition_dropout": 0.9,
        "transpose": False,
    }
    order = batches(pieces=pieces, window=65, **data)

    for sample in range(8):
        piece, (_, rows, _) = order._piece(sample), order._sequence(sample, 65)
        assert set(rows[:-1, 1]) == {piece}


@pytest.mark.parametrize(
    ("sizes", "missing"), [((16, 2, 2), 0), ((12, 2, 2), 5), ((40, 1, 4), 10), ((0, 0, 0), 20)]
)
def test_too_few_pieces_to_teach_are_refused_with_the_number_needed(
    sizes: tuple[int, int, int], missing: int
) -> None:
    found = dataset.too_few(dict(zip(SPLITS, sizes, strict=True)))

    train, valid, test = sizes
    assert found == ((missing and (
        f"there are {train} pieces for training, {valid} for validation and {test} for the test: "
        f"to teach a model, at least 16, 2, 2 are needed; add about {missing} more pieces"
    )) or "")  # fmt: skip


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"cannot read .*none.json"):
        dataset.load(f"jsb:{tmp_path / 'none.json'}")


def test_a_batch_is_the_same_whenever_it_is_asked_for() -> None:
    backwards, forwards = batches(), batches()
    later = [backwards.at(step) for step in reversed(range(12))]

    assert all(same(forwards.at(step), later[11 - step]) for step in range(12))
    assert not any(same(batches(seed=1).at(step), forwards.at(step)) for step in range(12))


def test_the_batch_size_does_not_change_the_order() -> None:
    small, large = batches(batch=2), batches(batch=4)

    assert sequences(large.at(3)) == sequences(small.at(6)) + sequences(small.at(7))


def test_every_epoch_has_an_order_of_its_own() -> None:
    order = batches(transpose=False, batch=5, window=10_000)
    epochs = [[ids for _, ids in sequences(order.at(step))] for step in range(4)]

    assert all(sorted(epoch) == sorted(epochs[0]) for epoch in epochs)
    assert any(epoch != epochs[0] for epoch in epochs)


def test_targets_are_the_next_tokens() -> None:
    batch = batches().at(0)
    real = batch.targets_BT != PAD

    assert torch.equal(batch.ids_BT[:, 1:][real[:, :-1] & (batch.ids_BT[:, 1:] != PAD)],
                       batch.targets_BT[:, :-1][real[:, :-1] & (batch.ids_BT[:, 1:] != PAD)],
                       )  # fmt: skip
    assert batch.tokens == int(real.sum())


def test_a_cut_is_a_part_of_a_piece_at_its_place() -> None:
    whole = [codec.encode(piece, ARTICULATED).tolist() for piece in PIECES]
    order = batches(transpose=False, condition_dropout=0.0)

    for step in range(50):
        batch = order.at(step)
        for row, (start, ids) in enumerate(sequences(batch)):
            stop = start + len(ids)
            owners = [n for n, piece in enumerate(whole) if piece[start:stop] == ids]
            assert owners
            names = tuple(conditions.CONDITIONS)
            expected = [conditions.rows(PIECES[n], names, names)[start : stop - 1] for n in owners]
            found = batch.conditions_BTC[row, : len(ids) - 1].numpy()
            assert any(np.array_equal(found, rows) for rows in expected)


@pytest.mark.parametrize("concatenate", [False, True])
def test_places_say_where_every_target_comes_from(concatenate: bool) -> None:
    order = batches(transpose=True, concatenate=concatenate, vocabulary="pitch")
    every = np.concatenate([codec.encode(piece, PITCH)[1:] for piece in PIECES])
    for step in range(6):
        targets = order.at(step).targets_BT.numpy()

        rows, shifts = order.places(step)

        real = targets != PAD
        found = every[rows] + np.where(every[rows] > REST_TOKEN, shifts, 0)
        np.testing.assert_array_equal(found[real], targets[real])
        assert len(np.unique(shifts[real])) > 1


def test_a_cut_is_as_long_as_it_can_be() -> None:
    for step in range(100):
        for start, ids in sequences(batches().at(step)):
            assert len(ids) - 1 <= WINDOW
            assert len(ids) - 1 == WINDOW or ids[-1] == END
            assert (ids[0] == START) == (start == 0)
            assert start % 4 == 0


@pytest.mark.parametrize("window", [32, 61, 64, 66, 67])
def test_both_ends_of_every_piece_are_seen(window: int) -> None:
    """START and END half as often as the middle, whatever the window's length.

    A piece of 400 steps has 1,602 tokens; each in its middle is in a cut with the chance
    window / 1,602. The counts are exact for the seed.
    """
    long = [random_chorale(7, 400, margin=3)]
    order = batches(pieces=long, window=window, batch=8)
    seen = np.zeros(4 * 400 + 2, dtype=np.int64)
    for step in range(500):
        for start, ids in sequences(order.at(step)):
            seen[start : start + len(ids)] += 1

    expected = 4000 * window / len(seen)
    middle = seen[2 * window : -2 * window]
    assert middle.mean() == pytest.approx(expected, rel=0.1)
    assert seen[0] == pytest.approx(0.5 * expected, rel=0.2)
    assert seen[-1] == pytest.approx(0.5 * expected, rel=0.2)
    assert seen.min() >= 0.4 * expected


def test_an_epoch_cuts_every_piece_as_often_as_it_is_long() -> None:
    """ceil(tokens / window) cuts each; here 1, 2, 2, 3, 4."""
    whole = [codec.encode(piece, ARTICULATED).tolist() for piece in PIECES]
    order = batches(transpose=False, batch=12)
    counts = [0] * len(PIECES)
    for start, ids in sequences(order.at(0)):
        owners = [n for n, piece in enumerate(whole) if piece[start : start + len(ids)] == ids]
        assert len(owners) == 1
        counts[owners[0]] += 1

    assert counts == [1, 2, 2, 3, 4]


def test_transposition_stays_in_the_voices_ranges() -> None:
    piece = random_chorale(11, 10, margin=3)
    vocabulary = ARTICULATED
    found = set()
    for step in range(60):
        for _, ids in sequences(batches(pieces=[piece]).at(step)):
            moved = codec.decode(ids, vocabulary)
            for voice, (low, high) in RANGES.items():
                pitches = moved.pitches[:, voice][moved.pitches[:, voice] != REST]
                assert ((pitches >= low) & (pitches <= high)).all()
            sounding = piece.pitches != REST
            shift = (moved.pitches - piece.pitches)[sounding]
            assert len(set(shift.tolist())) == 1
            found.add(int(shift[0]))

    assert found == set(piece.shifts())
    assert len(found) > 5


@pytest.mark.parametrize(
    ("of", "expected"),
    [
        ({"farthest_shift": 2}, range(-2, 3)),
        ({"farthest_shift": 12}, range(-4, 13)),
        ({}, range(-4, 18)),
        ({"transpose": False}, range(1)),
    ],
)
def test_pieces_move_as_far_as_they_may(of: dict[str, Any], expected: range) -> None:
    piece = Chorale.of([[lowest + 4 for lowest, _ in RANGES.values()]])
    part = DataPart(source="", **of)

    assert dataset.shifts_of(piece, part) == expected


def test_conditions_are_left_out_now_and_then() -> None:
    piece = random_chorale(11, 10, margin=3)
    order = batches(pieces=[piece], condition_dropout=0.25, batch=50)
    names = tuple(conditions.CONDITIONS)
    first = torch.cat([order.at(step).conditions_BTC[:, 0] for step in range(40)])
    share = dict(zip(names, (first == conditions.UNKNOWN).float().mean(0).tolist(), strict=True))
    together = float(((first[:, 1] == 0) & (first[:, 4] == 0)).float().mean())

    assert share.pop("voice") == 0
    assert share.pop("style") == 1  # it is not beside others
    assert all(left_out == pytest.approx(0.25, abs=0.04) for left_out in share.values())
    assert together == pytest.approx(0.25**2, abs=0.03)


def test_hints_are_dropped_from_some_sequences() -> None:
    piece = random_chorale(11, 10, margin=3)
    order = batches(pieces=[piece], condition_dropout=0.0, hint_dropout=0.4, batch=50)
    names = tuple(conditions.CONDITIONS)
    rows = torch.cat([order.at(step).conditions_BTC[:, 0] for step in range(40)])
    left_out = dict(zip(names, (rows == conditions.UNKNOWN).T, strict=True))

    assert torch.equal(left_out["key"], left_out["fermata"])
    assert torch.equal(left_out["key"], left_out["phrase"])
    assert left_out["key"].float().mean() == pytest.approx(0.4, abs=0.04)
    assert not any(left_out[name].any() for name in ("voice", "beat", "bar", "ending"))


def test_sequences_are_padded_on_the_right() -> None:
    short, long = random_chorale(0, 1), random_chorale(1, 2)
    cuts = [
        (codec.encode(piece, ARTICULATED), conditions.rows(piece, ("voice",), ("voice",)), 4)
        for piece in (short, long)
    ]

    batch = collate(cuts)

    assert batch.ids_BT.shape == batch.targets_BT.shape == (2, 9)
    assert batch.conditions_BTC.shape == (2, 9, 1)
    assert batch.ids_BT[0].tolist() == [*cuts[0][0].tolist(), PAD, PAD, PAD]
    assert batch.targets_BT[0].tolist() == [*cuts[0][0][1:].tolist(), PAD, PAD, PAD, PAD]
    assert (batch.conditions_BTC[0, 6:] == conditions.UNKNOWN).all()
    assert batch.starts_B.tolist() == [4, 4]
    assert batch.tokens == 5 + 9


def learned(source: str, rows: int, **model: object) -> Recipe:
    recipe = tiny_recipe(source, "learned")
    changed = replace(recipe.model, options={"max_length": rows}, **model)  # type: ignore[arg-type]
    return replace(recipe, model=changed)


def longest(source: str) -> int:
    pieces = dataset.load(source).pieces
    return 1 + 4 * max(piece.steps for split in ("valid", "test") for piece in pieces[split])


def test_a_table_must_cover_the_longest_evaluated_piece(source: str) -> None:
    tokens, found = longest(source), dataset.load(source)

    dataset.check_positions(learned(source, tokens), found)
    with pytest.raises(UsageError, match=rf"is measured has {tokens}: expected its option max_l"):
        dataset.check_positions(learned(source, tokens - 1), found)


def test_windows_are_enough_where_pieces_are_read_in_windows(source: str) -> None:
    recipe = learned(source, 32)

    dataset.check_positions(recipe.changed(data={"measured": "window"}), dataset.load(source))
    with pytest.raises(UsageError, match=r"windows have 32: expected .* 32 or more, or a window"):
        dataset.check_window(learned(source, 31))


def test_a_run_that_could_not_be_evaluated_is_not_started(source: str, tmp_path: Path) -> None:
    """Otherwise it would fail at its first evaluation."""
    with pytest.raises(UsageError, match="scheme 'learned' has positions for 40 tokens, but the l"):
        jobs.run(train(learned(source, 40), tmp_path / "run"))
    assert not (tmp_path / "run").exists()
