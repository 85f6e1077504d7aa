"""The skew against a lookup of every entry by its distance."""

from __future__ import annotations

import pytest
import torch

from musicrel.model.positions.skew import skew

SIZES = [(1, 1), (1, 6), (2, 2), (4, 4), (8, 8), (3, 7), (7, 7)]


def picked(qe_BHTW1: torch.Tensor, keys: int) -> torch.Tensor:
    """Return out[i, j], the logit of query i in the column of distance j - (S - T + i)."""
    queries = qe_BHTW1.shape[-2]
    i_T1, j_S = torch.arange(queries)[:, None], torch.arange(keys)
    distance_TS = j_S - (keys - queries + i_T1)
    column_TS = (distance_TS + keys - 1).clamp(max=qe_BHTW1.shape[-1] - 1)
    return qe_BHTW1.gather(-1, column_TS.expand(*qe_BHTW1.shape[:-2], -1, -1))


@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_every_past_entry_is_that_of_its_own_distance(queries: int, keys: int) -> None:
    """Causal: past and present are exact, for all queries and for the last ones."""
    qe_BHTW1 = torch.randn(2, 3, queries, keys + 1)
    seen_TS = torch.ones(queries, keys).tril(keys - queries).bool()

    skewed = skew(qe_BHTW1, keys)

    assert skewed.shape == (2, 3, queries, keys)
    assert torch.equal(skewed[..., seen_TS], picked(qe_BHTW1, keys)[..., seen_TS])


@pytest.mark.parametrize(("queries", "keys"), SIZES)
def test_with_all_distances_every_entry_is_right(queries: int, keys: int) -> None:
    """Bidirectional: S + T - 1 distances, no undefined entry."""
    qe_BHTW1 = torch.randn(2, 3, queries, keys + queries)

    assert torch.equal(skew(qe_BHTW1, keys), picked(qe_BHTW1, keys))


def test_nothing_is_copied() -> None:
    """Values written to the skewed view are those of the logits by distance."""
    qe_BHTW1 = torch.zeros(1, 1, 4, 8)

    skew(qe_BHTW1, 4).fill_(1.0)

    assert qe_BHTW1.sum() == 16
    assert (qe_BHTW1[..., -1] == 0).all()
