"""The exact skew: a view of logits by distance as logits by key, without copying.

Let QE[i, c] be the logit of query i against the embedding in column c, the columns in the order of
the distance j - i, so that moving one query down moves every wanted entry one column to the left:
out[i, j] = QE[i, j - i + T - 1]. Written flat with one column more than the W that are wanted,
entry (i, c) is at i (W + 1) + c, hence out[i, j] at i W + j + T - 1: rows of W, from T - 1 on. That
is the trick of Huang et al. 2018 (arXiv 1809.04281, fig. 1), generalised to causal and
bidirectional attention, and to T queries at the end of S keys.

Causal, W = S: column c is the distance c - (S - 1); entries with j > i are undefined and must be
masked. Bidirectional, W = S + T - 1: column c is the distance c - (S - 1); all entries are valid.
"""

from __future__ import annotations

from torch import Tensor


def skew(qe_BHTW1: Tensor, keys: int) -> Tensor:
    """Return the logits by key, a view of the logits by distance.

    Args:
        qe_BHTW1: contiguous (..., T, W + 1); the last column is never used.

    Returns:
        A view (..., T, S).
    """
    queries, columns = qe_BHTW1.shape[-2], qe_BHTW1.shape[-1] - 1
    flat = qe_BHTW1.flatten(-2)
    rows = flat[..., queries - 1 : queries - 1 + queries * columns]
    return rows.reshape(*qe_BHTW1.shape[:-2], queries, columns)[..., :keys]
