"""Masking of input tokens."""

from __future__ import annotations

import pytest
import torch

from musicrel.experiment.data.dataset import Batch
from musicrel.experiment.data.token_masking import masked
from musicrel.tokens.vocabulary import END, MASK, PAD, REST_TOKEN, START


def batch_of(ids: torch.Tensor) -> Batch:
    """Return a batch of these inputs, whose targets are the inputs."""
    rows = torch.zeros(*ids.shape, 1, dtype=torch.int64)
    return Batch(ids, ids.clone(), rows, torch.zeros(len(ids), dtype=torch.int64))


def test_the_share_of_the_notes_is_masked_and_the_targets_stay() -> None:
    """A quarter of 40,000 within three standard deviations; the given batch is unchanged."""
    batch = batch_of(torch.full((40, 1000), REST_TOKEN + 7))

    found = masked(batch, 0.25, torch.Generator().manual_seed(1))

    hidden = found.ids_BT == MASK
    assert float(hidden.float().mean()) == pytest.approx(0.25, abs=0.0065)
    assert set(found.ids_BT[~hidden].tolist()) == {REST_TOKEN + 7}
    assert torch.equal(found.targets_BT, batch.targets_BT)
    assert not (batch.ids_BT == MASK).any()


def test_start_end_and_padding_are_never_masked() -> None:
    """Rests are, as notes are."""
    ids = torch.tensor([[START, REST_TOKEN, 9, END, PAD, PAD]])

    found = masked(batch_of(ids), 0.999_999, torch.Generator().manual_seed(1))

    assert found.ids_BT.tolist() == [[START, MASK, MASK, END, PAD, PAD]]


def test_the_generator_determines_what_is_masked() -> None:
    """One state, one choice; the next choice is another."""
    batch, generator = batch_of(torch.full((2, 50), 9)), torch.Generator().manual_seed(3)

    first, second = (masked(batch, 0.5, generator).ids_BT for _ in range(2))
    again = masked(batch, 0.5, torch.Generator().manual_seed(3)).ids_BT

    assert torch.equal(first, again)
    assert not torch.equal(first, second)
