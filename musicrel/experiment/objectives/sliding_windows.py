"""Pieces read through a window that slides by half of its length.

Every token is predicted once, in the first window that holds it: those of the first window with
what stands before them there, all others with at least half a window before them.

Dimensions: B windows, T tokens.

This file knows sequences of tokens; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from musicrel.experiment.data.dataset import Batch, Cut, collate
from musicrel.tokens.codec import VOICES
from musicrel.tokens.vocabulary import PAD


def batches(cut: Cut, window: int, rows: int) -> Iterator[Batch]:
    """A piece as batches of windows; targets that an earlier window has are PAD.

    Args:
        cut: the whole piece.
        window: tokens read at once; slid by half of them, in whole steps, by one step at least.
        rows: windows B a batch at most.
    """
    ids, told, start = cut
    step = max(window // 2 // VOICES * VOICES, VOICES)
    firsts = [0, *range(step, max(len(ids) - 1 - window + step, 0), step)]
    for place in range(0, len(firsts), rows):
        part = firsts[place : place + rows]
        batch = collate(
            [(ids[at : at + window + 1], told[at : at + window + 1], start + at) for at in part]
        )
        yield _once(batch, part, window - step)


def _once(batch: Batch, firsts: Sequence[int], known: int) -> Batch:
    """Without the targets that the window before has: the first ``known`` of all but the first."""
    targets_BT = batch.targets_BT.clone()
    targets_BT[np.array(firsts) > 0, :known] = PAD
    return Batch(batch.ids_BT, targets_BT, batch.conditions_BTC, batch.starts_B)
