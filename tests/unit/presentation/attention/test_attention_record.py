"""The record of attention weights, which grows while the window draws it."""

from __future__ import annotations

import numpy as np

from musicrel.presentation.attention.attention_record import AttentionRecord, to_levels

HEADS, TOKENS = 3, 300


def rows() -> list[np.ndarray]:
    """Return random weights of every token."""
    rng = np.random.default_rng(0)
    return [rng.random((HEADS, token + 1), dtype=np.float32) for token in range(TOKENS)]


def test_no_row_is_copied_while_a_piece_grows() -> None:
    """A copy of all weights would stop the window for a third of a second in a long piece."""
    record = AttentionRecord(HEADS, TOKENS)
    first, *others = map(to_levels, rows())
    record.add(first)
    before = record.map(0)
    for levels in others:
        record.add(levels)
    assert np.shares_memory(before, record.map(0))


def test_the_map_of_a_head_has_the_rows_that_are_known() -> None:
    record, weights = AttentionRecord(HEADS, TOKENS), rows()
    for row in weights[:100]:
        record.add(to_levels(row))
    shown = record.map(2)
    assert shown.shape == (100, 100)
    for token in (0, 42, 99):
        np.testing.assert_array_equal(shown[token, : token + 1], to_levels(weights[token])[2])
        assert not shown[token, token + 1 :].any()
        np.testing.assert_allclose(record.attention_row(token, 2), weights[token][2], atol=0.005)
