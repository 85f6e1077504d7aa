"""The pipeline of the published comparison, to the digit: windows of tokens, masks and batches.

A piece is [0, S1, A1, T1, B1, S2, ... 1], 0 for START and 1 for END; rests are dropped, which
shifts the voices of all that follows in its piece: one of the published faults, kept here. Windows
begin at every token and are padded on the right. What is hidden are groups of four tokens counted
from the window's start, time steps only by chance: max(1, round(15 %)) of them, so one of four.

Dimensions: N windows, L tokens of a window, G groups.

This file knows pieces, tokens and chance; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError
from musicrel.tokens.codec import VOICES
from musicrel.tokens.vocabulary import MASK, PAD

SPECIALS: Final = ("PAD", "MASK", "CLS", "SEP", "UNK")
TOKENS: Final = 53
"""Size of the published vocabulary: the specials and the 48 values of JSB16's train."""
WINDOW: Final = 16
BATCH: Final = 8
"""Windows of a batch; the published losses are means of the means of batches."""

_START, _END = 0, 1
_UNKNOWN: Final = SPECIALS.index("UNK")
_RATE: Final = 0.15
_HIDDEN, _REPLACED = 0.8, 0.9

Ids = npt.NDArray[np.int64]
Values = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """All windows of a split.

    Attributes:
        ids_NL: the tokens.
        piece_N: which piece each window is of.
        titles: of the pieces.
    """

    ids_NL: Ids
    piece_N: Ids
    titles: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids_NL)

    @property
    def batches(self) -> int:
        """Batches of ``BATCH``, the last one perhaps smaller."""
        return -(-len(self) // BATCH)


def serialised(piece: Chorale) -> Values:
    """The piece as the published pipeline writes it: 0, the pitches without rests, 1."""
    pitches = piece.pitches.reshape(-1).astype(np.int64)
    return np.concatenate([[_START], pitches[pitches != REST], [_END]])


def values(pieces: Sequence[Chorale]) -> tuple[int, ...]:
    """The values that occur in the pieces, rising: the vocabulary after the specials.

    Raises:
        DataError: there are more than the published vocabulary has.
    """
    found = tuple(np.unique(np.concatenate([serialised(piece) for piece in pieces])).tolist())
    most = TOKENS - len(SPECIALS)
    if len(found) > most:
        raise DataError(
            f"the train split has {len(found)} different values, the published vocabulary {most}: "
            "take the published JSB16 file, jsb:Jsb16thSeparated.json"
        )
    return found


def known_to(symbols: Sequence[str]) -> tuple[int, ...]:
    """The values that have a token, out of the symbols in a model's card."""
    return (_START, _END, *map(int, symbols[len(SPECIALS) + 2 :]))


def windows(pieces: Sequence[Chorale], known: Sequence[int], window: int = WINDOW) -> Windows:
    """Every window of every piece.

    Args:
        pieces: of a split.
        known: the values that have a token; all others become UNK.
        window: tokens L of a window.
    """
    token = np.full(max(known) + 1, _UNKNOWN)
    token[list(known)] = np.arange(len(known)) + len(SPECIALS)
    cut, piece_N = [], []
    for index, piece in enumerate(pieces):
        written = serialised(piece)
        ids = np.where(written <= max(known), token[np.minimum(written, max(known))], _UNKNOWN)
        padded = np.pad(ids, (0, window - 1), constant_values=PAD)
        cut.append(np.lib.stride_tricks.sliding_window_view(padded, window))
        piece_N.append(np.full(len(ids), index))
    titles = tuple(piece.title for piece in pieces)
    return Windows(np.concatenate(cut), np.concatenate(piece_N), titles)


def masked(ids_NL: Ids, rng: np.random.Generator) -> tuple[Ids, Ids]:
    """Windows with some of their tokens hidden: what is read, and what is to be found.

    Of ten chosen tokens eight become MASK, one another token and one stays. Targets are PAD where
    nothing is to be found.

    Args:
        ids_NL: windows.
        rng: of all choices.
    """
    groups = ids_NL.shape[1] // VOICES
    grouped_NL = ids_NL[:, : groups * VOICES]
    there_NG = (grouped_NL != PAD).reshape(len(ids_NL), groups, VOICES).any(-1)
    number_N = np.maximum(1, np.rint(there_NG.sum(1) * _RATE))
    lot_NG = np.where(there_NG, rng.random(there_NG.shape), 2.0)
    rank_NG = lot_NG.argsort(1).argsort(1)
    chosen_NL = np.zeros(ids_NL.shape, dtype=np.bool_)
    chosen_NL[:, : groups * VOICES] = np.repeat(rank_NG < number_N[:, None], VOICES, axis=1)
    chosen_NL &= ids_NL != PAD
    lot_NL = rng.random(ids_NL.shape)
    other_NL = rng.integers(TOKENS, size=ids_NL.shape)
    other_NL[other_NL == PAD] = MASK  # as published: PAD is never put in, the next one is
    covered_NL = np.where(lot_NL < _REPLACED, other_NL, ids_NL)
    covered_NL = np.where(lot_NL < _HIDDEN, MASK, covered_NL)
    read_NL = np.where(chosen_NL, covered_NL, ids_NL)
    return read_NL, np.where(chosen_NL, ids_NL, PAD)
