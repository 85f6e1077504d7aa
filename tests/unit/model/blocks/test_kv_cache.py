"""The key-value cache."""

from __future__ import annotations

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model.blocks.kv_cache import KeyValueCache
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows


@pytest.fixture
def cache() -> KeyValueCache:
    """Return a cache of two layers, one sequence, two heads, capacity four, head width 3."""
    return KeyValueCache(2, (1, 2, 4, 3), torch.zeros(1, dtype=torch.float64))


def test_stored_tokens_are_returned_with_new_ones(cache: KeyValueCache) -> None:
    """Two tokens are stored, then one more."""
    old, new = torch.randn(2, 1, 2, 2, 3).double(), torch.randn(2, 1, 2, 1, 3).double()
    cache.layer(1).append(0, *old)
    keys, values = cache.layer(1).append(2, *new)

    assert torch.equal(keys, torch.cat([old[0], new[0]], dim=2))
    assert torch.equal(values, torch.cat([old[1], new[1]], dim=2))


def test_layers_are_independent(cache: KeyValueCache) -> None:
    """Each layer has its own keys."""
    ones = torch.ones(1, 2, 1, 3).double()
    cache.layer(0).append(0, ones, ones)
    keys, _ = cache.layer(1).append(1, ones, ones)

    assert (keys[:, :, 0] == 0).all()


def test_too_many_tokens_are_refused(cache: KeyValueCache) -> None:
    """The error is raised before anything is written."""
    cache.length = 3
    cache.check_capacity(1)

    with pytest.raises(ModelError, match="holds 3 of 4 tokens, 2 more do not fit: create it with"):
        cache.check_capacity(2)


def test_rows_are_replaced_by_copies_of_others() -> None:
    """Only the tokens from the first one that differs are copied."""
    cache = KeyValueCache(2, (3, 2, 4, 3), torch.zeros(1, dtype=torch.float64))
    stored = torch.randn(2, 3, 2, 4, 3).double()
    ids = torch.arange(3)[:, None].expand(3, 4)
    cache.append_ids(ids)
    cache.layer(1).append(0, *stored)
    cache.length = 4

    cache.select(torch.tensor([0, 2, 0]), first=1)

    for kept, (before, after) in enumerate(zip(stored, cache.layer(1), strict=True)):
        assert torch.equal(after[:, :, :1], before[:, :, :1]), kept
        assert torch.equal(after[:, :, 1:], before[[0, 2, 0], :, 1:]), kept
    assert cache.ids_BL[:, -1].tolist() == [0, 2, 0]


def test_a_model_refuses_more_tokens_than_the_capacity() -> None:
    """The cache is left unchanged."""
    config = tiny_config("relative", conditions=("voice",))
    model, ids, rows = tiny_model(config), tiny_ids(config, 1, 5), tiny_rows(config, 1, 5)
    cache = model.new_cache(1, 4)

    with torch.inference_mode(), pytest.raises(ModelError, match="0 of 4 tokens, 5 more do not"):
        model(ids, rows, cache=cache)

    assert cache.length == 0
