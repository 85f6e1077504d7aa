"""Masked batches, in training and in evaluation."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.data.masking import (
    GROUPS,
    PATTERNS,
    MaskedBatches,
    as_read,
    choose_positions,
    evaluation_batch,
    mask_inputs,
)
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.experiment.recipe.recipe import PATTERN_MODES, DataPart, MaskingPart
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import ARTICULATED, END, MASK, PAD, REST_TOKEN, START
from tests.helpers.models import tiny_config, tiny_model
from tests.helpers.music import random_chorale

PIECES = [random_chorale(seed, 12 + 9 * seed, margin=3) for seed in range(5)]
NAMES = ("voice", "beat", "key")


def masking(mode: str = "time", **of: Any) -> MaskingPart:
    return MaskingPart(mode=mode, **of)  # type: ignore[arg-type]


def batches(part: MaskingPart, seed: int = 0, batch: int = 4, **of: Any) -> MaskedBatches:
    """Return batches of windows of 64 tokens; ``of`` overrides the data part."""
    values: dict[str, Any] = {"source": "", "window": 64, "conditions": NAMES}
    data = DataPart(**values | of)
    return MaskedBatches(PIECES, data, part, batch, seed)


def chosen(ids: list[int], start: int, part: MaskingPart, seed: int = 0) -> list[int]:
    places: list[int] = choose_positions(
        np.array(ids), start, part, np.random.default_rng(seed)
    ).tolist()
    return places


WINDOW = [START, *range(10, 10 + 14), END]
"""Three and a half time steps, with START and END."""


@pytest.mark.parametrize(
    ("mode", "start", "expected"),
    [
        ("token", 0, [[place] for place in range(1, 15)]),
        ("time", 0, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14]]),
        ("time", 8, [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12], [13, 14]]),
        ("time", 6, [[1, 2], [3, 4, 5, 6], [7, 8, 9, 10], [11, 12, 13, 14]]),
        ("published", 0, [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]),
    ],
)
def test_groups_are_notes_steps_of_the_piece_or_four_tokens_of_the_window(
    mode: str, start: int, expected: list[list[int]]
) -> None:
    assert [group.tolist() for group in GROUPS[mode](np.array(WINDOW), start)] == expected


def test_fifteen_percent_of_four_groups_is_one() -> None:
    """max(1, round(0.6)): a quarter of the published window, all of a short tail."""
    assert len(chosen(WINDOW, 0, masking("published"))) == 4
    assert chosen(WINDOW[:3], 0, masking("published")) == [0, 1, 2]
    assert len(chosen(WINDOW, 0, masking("token", rate=0.5))) == 7
    assert len(chosen(WINDOW, 0, masking("token", rate=1e-9))) == 1
    assert chosen(WINDOW, 0, masking("time", rate=1.0)) == list(range(1, 15))


def test_uniform_rates_go_from_one_note_to_all() -> None:
    counts = Counter(
        len(chosen(WINDOW, 0, masking("token", rate=1.0, rates="uniform"), seed))
        for seed in range(1500)
    )

    assert sorted(counts) == list(range(1, 15))
    assert max(counts.values()) < 2.5 * min(counts[number] for number in range(2, 14))


def test_a_batch_hides_what_is_to_be_found() -> None:
    part = masking("time", rate=0.4, mixed=False)
    for step in range(20):
        batch = batches(part, transpose=False).at(step)
        is_hidden = batch.ids_BT == MASK
        assert torch.equal(is_hidden, batch.targets_BT != PAD)
        whole = torch.where(is_hidden, batch.targets_BT, batch.ids_BT)
        for row, start in zip(whole, batch.starts_B, strict=True):
            ids = row[row != PAD].tolist()
            pieces = [codec.encode(piece, ARTICULATED).tolist() for piece in PIECES]
            assert ids in [piece[start : start + len(ids)] for piece in pieces]
            assert len(ids) <= 64


def test_whole_time_steps_are_hidden() -> None:
    batch = batches(masking("time", rate=0.3, mixed=False)).at(3)

    for targets, ids, start in zip(batch.targets_BT, batch.ids_BT, batch.starts_B, strict=True):
        notes = [p for p, i in enumerate(ids.tolist()) if i >= REST_TOKEN or targets[p] != PAD]
        steps: dict[int, list[bool]] = {}
        for place in notes:
            step = (int(start) + place - 1) // 4
            steps.setdefault(step, []).append(bool(targets[place] != PAD))
        assert all(len(set(flags)) == 1 for flags in steps.values())
        assert any(flags[0] for flags in steps.values())


def test_of_ten_chosen_eight_are_hidden_one_replaced_one_left() -> None:
    """The 80/10/10 rule applies only if ``mixed`` is set."""
    part, kinds = masking("token", rate=0.5), Counter[str]()
    for step in range(60):
        batch = batches(part).at(step)
        for read, target in zip(batch.ids_BT.flatten(), batch.targets_BT.flatten(), strict=True):
            if target != PAD:
                kind = "hidden" if read == MASK else "left" if read == target else "replaced"
                kinds[kind] += 1
                assert read >= REST_TOKEN or read == MASK

    total = sum(kinds.values())
    assert kinds["hidden"] / total == pytest.approx(0.8, abs=0.02)
    assert kinds["replaced"] / total == pytest.approx(0.1, abs=0.02)
    assert kinds["left"] / total == pytest.approx(0.1, abs=0.02)


def test_conditions_describe_the_token_at_their_position() -> None:
    ids = codec.encode(PIECES[0], ARTICULATED)
    _, rows = as_read("masked", ids, conditions.rows(PIECES[0], NAMES, NAMES))

    assert len(rows) == len(ids)
    assert (rows[0] == conditions.UNKNOWN).all()
    assert rows[1:9, 0].tolist() == [1, 2, 3, 4, 1, 2, 3, 4]
    assert all(len(set(rows[1 + step * 4 : 5 + step * 4, 1].tolist())) == 1 for step in range(12))


def test_evaluation_masks_are_always_the_same() -> None:
    """They follow from the piece's index, also when pieces are grouped otherwise; none is left."""
    part = masking("time", rate=0.3)
    together = evaluation_batch(dict(enumerate(PIECES)), ARTICULATED, part, NAMES, NAMES)
    alone = evaluation_batch({3: PIECES[3]}, ARTICULATED, part, NAMES, NAMES)

    length = alone.ids_BT.shape[1]
    assert torch.equal(together.ids_BT[3, :length], alone.ids_BT[0])
    assert torch.equal(together.targets_BT[3, :length], alone.targets_BT[0])
    assert torch.equal(together.ids_BT == MASK, together.targets_BT != PAD)


def test_the_loss_is_that_of_the_hidden_notes() -> None:
    part = masking("time", rate=0.3)
    model = tiny_model(
        tiny_config("relative", conditions=NAMES, family="masked"), dtype=torch.float64
    )

    found = jobs.run(evaluate(model, PIECES, ARTICULATED, ("voice", "beat"), part))

    for index, piece in enumerate(PIECES):
        batch = evaluation_batch({index: piece}, ARTICULATED, part, NAMES, ("voice", "beat"))
        with torch.inference_mode():
            log_p = model(batch.ids_BT, batch.conditions_BTC).logits_BTV[0].log_softmax(-1)
        places = (batch.targets_BT[0] != PAD).nonzero()[:, 0]
        nats = -sum(float(log_p[place, batch.targets_BT[0, place]]) for place in places)
        assert found.pieces[index].nats == pytest.approx(nats, abs=1e-9)
        assert found.pieces[index].notes == len(places)
        assert found.pieces[index].end_nats is None
    assert found.conditions == ("voice", "beat")


def test_whole_steps_are_read_where_a_grid_is_filled_in() -> None:
    data = DataPart(source="", window=64, conditions=("beat", "key"), transpose=False)
    order = MaskedBatches(PIECES, data, masking("mixture", mixed=False), 4, 0, family="infill")
    pieces = [codec.encode(piece, ARTICULATED)[1:-1].tolist() for piece in PIECES]
    for step in range(8):
        batch = order.at(step)
        assert batch.ids_BT.shape[1] % 4 == 0
        for ids, targets, start in zip(batch.ids_BT, batch.targets_BT, batch.starts_B, strict=True):
            whole = torch.where(targets != PAD, targets, ids)
            window = whole[whole != PAD].tolist()
            first = int(start)
            assert first % 4 == 0
            assert any(of[first : first + len(window)] == window for of in pieces)
            assert ((ids == MASK) == (targets != PAD)).all()


def test_given_tokens_are_conditions_and_not_targets() -> None:
    data = DataPart(source="", window=64, conditions=("voice", "given"), transpose=False)
    order = MaskedBatches(
        PIECES, data, masking("ahead", mixed=False), 4, 0, family="encoder_decoder"
    )
    shares = []
    for step in range(8):
        batch = order.at(step)
        given = batch.conditions_BTC[..., 1]
        is_target = batch.targets_BT != PAD
        assert not ((given != conditions.UNKNOWN) & is_target).any()
        whole = torch.where(is_target, batch.targets_BT, given)
        assert torch.equal(whole[:, :-1] * (batch.ids_BT[:, 1:] != PAD), batch.ids_BT[:, 1:])
        shares += (given != conditions.UNKNOWN).float().mean(1).tolist()
    assert min(shares) == 0.0
    assert max(shares) > 0.5


def test_an_encoder_decoder_is_evaluated_on_notes_not_given() -> None:
    part = masking("soprano_given")
    names = ("voice", "given")
    batch = evaluation_batch(
        {1: PIECES[1]}, ARTICULATED, part, names, names, family="encoder_decoder"
    )
    soprano = torch.arange(PIECES[1].steps * 4) % 4 == 0
    ids = torch.from_numpy(codec.encode(PIECES[1], ARTICULATED)[1:])
    assert torch.equal(batch.conditions_BTC[0, :-1, 1][soprano], ids[:-1][soprano])
    assert torch.equal(batch.targets_BT[0, :-1][~soprano], ids[:-1][~soprano])
    model = tiny_model(
        tiny_config("relative", conditions=names, family="encoder_decoder", encoder_layers=1)
    )
    found = jobs.run(evaluate(model, PIECES, ARTICULATED, names, part))
    assert found.notes == sum(3 * piece.steps for piece in PIECES)


def test_an_infilling_model_is_evaluated_on_its_tasks() -> None:
    part = masking("soprano_given")
    batch = evaluation_batch(
        {1: PIECES[1]}, ARTICULATED, part, ("beat",), ("beat",), family="infill"
    )
    ids = torch.from_numpy(codec.encode(PIECES[1], ARTICULATED)[1:-1])
    soprano = torch.arange(len(ids)) % 4 == 0
    assert torch.equal(batch.ids_BT[0, soprano], ids[soprano])
    assert torch.equal(batch.targets_BT[0, ~soprano], ids[~soprano])
    assert (batch.ids_BT[0, ~soprano] == MASK).all()
    model = tiny_model(tiny_config("relative", conditions=("beat",), family="infill"))
    found = jobs.run(evaluate(model, PIECES, ARTICULATED, ("beat",), part))
    assert found.notes == sum(3 * piece.steps for piece in PIECES)


def batch_of(ids: torch.Tensor) -> Batch:
    rows = torch.zeros(*ids.shape, 1, dtype=torch.int64)
    return Batch(ids, ids.clone(), rows, torch.zeros(len(ids), dtype=torch.int64))


def test_the_share_of_the_notes_is_masked_and_the_targets_stay() -> None:
    """A quarter of 40,000 within three standard deviations; the given batch is unchanged."""
    batch = batch_of(torch.full((40, 1000), REST_TOKEN + 7))

    found = mask_inputs(batch, 0.25, torch.Generator().manual_seed(1))

    hidden = found.ids_BT == MASK
    assert float(hidden.float().mean()) == pytest.approx(0.25, abs=0.0065)
    assert set(found.ids_BT[~hidden].tolist()) == {REST_TOKEN + 7}
    assert torch.equal(found.targets_BT, batch.targets_BT)
    assert not (batch.ids_BT == MASK).any()


def test_start_end_and_padding_are_never_masked() -> None:
    ids = torch.tensor([[START, REST_TOKEN, 9, END, PAD, PAD]])

    found = mask_inputs(batch_of(ids), 0.999_999, torch.Generator().manual_seed(1))

    assert found.ids_BT.tolist() == [[START, MASK, MASK, END, PAD, PAD]]


@pytest.mark.parametrize("mode", PATTERNS)
@pytest.mark.parametrize("steps", [1, 5, 40, 128])
def test_every_pattern_hides_something(mode: str, steps: int) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        hidden = PATTERNS[mode](steps, rng)
        assert hidden.shape == (steps, 4)
        assert hidden.any()


@pytest.mark.parametrize(
    ("mode", "hidden"),
    [("soprano_given", [False, True, True, True]), ("outer_given", [False, True, True, False])],
)
def test_given_voices_are_never_hidden(mode: str, hidden: list[bool]) -> None:
    assert PATTERNS[mode](20, np.random.default_rng(0)).all(axis=0).tolist() == hidden


def test_two_bars_are_hidden_somewhere() -> None:
    hidden = PATTERNS["two_bars"](100, np.random.default_rng(0))
    (steps,) = np.nonzero(hidden.all(axis=1))
    assert len(steps) == 32 == steps[-1] - steps[0] + 1
    assert hidden.sum() == 4 * 32


def test_the_mixture_has_all_kinds() -> None:
    rng = np.random.default_rng(0)
    drawn = [PATTERNS["mixture"](64, rng) for _ in range(300)]
    shares = [hidden.mean() for hidden in drawn]
    assert min(shares) < 0.05
    assert max(shares) > 0.9
    assert any(hidden.all(axis=0).any() for hidden in drawn)
    assert sum(hidden.sum(axis=1).max() == 1 for hidden in drawn) > 100


def test_every_mode_of_a_recipe_that_hides_cells_has_a_pattern() -> None:
    assert tuple(PATTERNS) == PATTERN_MODES
