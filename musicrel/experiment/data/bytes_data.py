"""Labelled byte sequences: a classification task (does 0xAA occur?) for sequences of any length.

``source``: as published. Negatives are random bytes in which every 0xAA was replaced by 0xAB, so
that 0xAB is twice as frequent in them: a label leak. Positives have at least one 0xAA.
``honest``: a positive and a negative of every length. Negatives are drawn uniformly from the other
255 bytes; positives are random bytes with one 0xAA inserted at a random place.
``single``: like ``honest``, with exactly one 0xAA at any length.

Sequences depend on the kind and fixed seeds only and are the same on every machine.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.errors import UsageError

TARGET: Final = 0xAA
LEAKED: Final = 0xAB
MIN_LENGTH, MAX_LENGTH = 8, 400
"""Lengths in training, in bytes."""
LONG: Final = (400, 2_000, 10_000)
"""Lengths at which a trained classifier is evaluated, ``SEQUENCES_PER_LENGTH`` sequences each. All
but the first exceed those of training."""
SEQUENCES_PER_LENGTH: Final = 64

_BYTES: Final = 256
_SIZES: Final[Mapping[Split, int]] = MappingProxyType({"train": 3_000, "valid": 800, "test": 800})
_SEEDS: Final[Mapping[Split, int]] = MappingProxyType({"train": 1, "valid": 2, "test": 3})
_LONG_SEED: Final = 4

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    content: Bytes  # bytes, uint8 (N,)
    label: int  # 1 where ``TARGET`` occurs, else 0


def splits(kind: str) -> Mapping[Split, Sequence[Labelled]]:
    _check_kind(kind)
    if kind == "source":
        return {split: _source(_SIZES[split], _SEEDS[split]) for split in SPLITS}
    return {split: _balanced(kind, _SIZES[split], _SEEDS[split]) for split in SPLITS}


def of_length(kind: str, length: int, number: int = SEQUENCES_PER_LENGTH) -> tuple[Labelled, ...]:
    """Return balanced sequences of one length; for ``source``, those of ``honest``."""
    _check_kind(kind)
    rng = np.random.default_rng([_LONG_SEED, length])
    return _pairs(kind, [length] * (number // 2), rng)


def sha256(kind: str) -> str:
    found = hashlib.sha256()
    for sequences in splits(kind).values():
        for one in sequences:
            found.update(one.content.tobytes() + bytes([one.label]))
    return found.hexdigest()


def _check_kind(kind: str) -> None:
    if kind not in _POSITIVES:
        raise UsageError(f"unknown byte data {kind!r}: expected {' or '.join(_POSITIVES)}")


def _source(number: int, seed: int) -> tuple[Labelled, ...]:
    """Generate sequences as published, draw by draw."""
    rng = random.Random(seed)  # noqa: S311  # as published
    sequences = []
    for _ in range(number):
        content = [rng.randrange(_BYTES) for _ in range(rng.randint(MIN_LENGTH, MAX_LENGTH))]
        positive = rng.random() < 0.5  # noqa: PLR2004
        if positive:
            content[rng.randrange(len(content))] = TARGET
        else:
            content = [LEAKED if byte == TARGET else byte for byte in content]
        sequences.append(Labelled(np.array(content, dtype=np.uint8), int(positive)))
    return tuple(sequences)


def _balanced(kind: str, number: int, seed: int) -> tuple[Labelled, ...]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(MIN_LENGTH, MAX_LENGTH, size=number // 2, endpoint=True)
    return _pairs(kind, lengths.tolist(), rng)


def _pairs(kind: str, lengths: Sequence[int], rng: np.random.Generator) -> tuple[Labelled, ...]:
    sequences = []
    for length in lengths:
        content = _POSITIVES[kind](length, rng)
        content[rng.integers(length)] = TARGET
        sequences += [Labelled(content, 1), Labelled(_others(length, rng), 0)]
    return tuple(sequences)


def _any(length: int, rng: np.random.Generator) -> Bytes:
    return rng.integers(_BYTES, size=length).astype(np.uint8)


def _others(length: int, rng: np.random.Generator) -> Bytes:
    drawn = rng.integers(_BYTES - 1, size=length)
    return (drawn + (drawn >= TARGET)).astype(np.uint8)


_POSITIVES: Final[Mapping[str, Callable[[int, np.random.Generator], Bytes]]] = {
    "source": _any, "honest": _any, "single": _others,
}  # fmt: skip
