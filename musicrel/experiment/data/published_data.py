"""Data pipeline of the published comparison, reproduced exactly: windows, masks and batches.

A piece is [0, S1, A1, T1, B1, S2, ... 1] with 0 for START and 1 for END. Rests are dropped, which
shifts the voices of everything after them: a fault of the published pipeline that is kept here.
Windows start at every token and are padded on the right. Masked are groups of four tokens counted
from the start of the window, which coincide with time steps only accidentally: max(1, round(15 %))
of them, so one of four.

Dimensions: N windows, L tokens of a window, G groups.
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
from musicrel.tokens.vocabulary import MASK, PAD, PUBLISHED_TOKENS

SPECIALS: Final = ("PAD", "MASK", "CLS", "SEP", "UNK")
WINDOW: Final = 16
BATCH: Final = 8
"""Windows per batch; published losses are means of batch means."""

_START, _END = 0, 1
_UNKNOWN: Final = SPECIALS.index("UNK")
_RATE: Final = 0.15
_HIDDEN, _REPLACED = 0.8, 0.9

Ids = npt.NDArray[np.int64]
Values = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    ids_NL: Ids
    piece_N: Ids
    titles: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.ids_NL)


def serialise(piece: Chorale) -> Values:
    """Serialise a piece: 0, the pitches without rests, 1."""
    pitches = piece.pitches.reshape(-1).astype(np.int64)
    return np.concatenate([[_START], pitches[pitches != REST], [_END]])


def vocabulary_values(pieces: Sequence[Chorale]) -> tuple[int, ...]:
    """Return the sorted values that occur in the pieces: the vocabulary after the specials."""
    found = tuple(np.unique(np.concatenate([serialise(piece) for piece in pieces])).tolist())
    most = PUBLISHED_TOKENS - len(SPECIALS)
    if len(found) > most:
        raise DataError(
            f"the train split has {len(found)} different values, the published vocabulary {most}: "
            "take the published JSB16 file, jsb:Jsb16thSeparated.json"
        )
    return found


def values_from_symbols(symbols: Sequence[str]) -> tuple[int, ...]:
    """Return the values of the symbols in a model card."""
    return (_START, _END, *map(int, symbols[len(SPECIALS) + 2 :]))


def windows(pieces: Sequence[Chorale], known: Sequence[int], window: int = WINDOW) -> Windows:
    """Return every window of every piece.

    Args:
        known: values of the vocabulary; all others become UNK.
    """
    token = np.full(max(known) + 1, _UNKNOWN)
    token[list(known)] = np.arange(len(known)) + len(SPECIALS)
    cut, piece_N = [], []
    for index, piece in enumerate(pieces):
        written = serialise(piece)
        ids = np.where(written <= max(known), token[np.minimum(written, max(known))], _UNKNOWN)
        padded = np.pad(ids, (0, window - 1), constant_values=PAD)
        cut.append(np.lib.stride_tricks.sliding_window_view(padded, window))
        piece_N.append(np.full(len(ids), index))
    titles = tuple(piece.title for piece in pieces)
    return Windows(np.concatenate(cut), np.concatenate(piece_N), titles)


def mask_windows(ids_NL: Ids, rng: np.random.Generator) -> tuple[Ids, Ids]:
    """Mask windows: of ten chosen tokens eight become MASK, one becomes another and one is kept."""
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
    other_NL = rng.integers(PUBLISHED_TOKENS, size=ids_NL.shape)
    other_NL[other_NL == PAD] = MASK  # as published: PAD is never put in, the next one is
    masked_NL = np.where(lot_NL < _REPLACED, other_NL, ids_NL)
    masked_NL = np.where(lot_NL < _HIDDEN, MASK, masked_NL)
    read_NL = np.where(chosen_NL, masked_NL, ids_NL)
    return read_NL, np.where(chosen_NL, ids_NL, PAD)
