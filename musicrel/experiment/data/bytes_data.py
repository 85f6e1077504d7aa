"""Byte sequences with a label: whether 0xAA occurs. A task on which any length can be tried.

``source``: as published. Negatives are random bytes in which every 0xAA became 0xAB, so that 0xAB
is twice as frequent there as it should be: a leak. Positives have one 0xAA at least.
``honest``: a positive and a negative of every length that occurs; negatives are drawn from the
other 255 bytes, positives are random bytes with a 0xAA put somewhere.
``single``: as honest, but 0xAA occurs exactly once, whatever the length.

Everything follows from the kind and fixed seeds, the same on every machine.

This file knows bytes and labels; it knows nothing of models or of batches.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

import numpy as np
import numpy.typing as npt

from musicrel.corpus.splits import SPLITS, Split
from musicrel.errors import UsageError

Kind = Literal["source", "honest", "single"]

WANTED: Final = 0xAA
LEAKED: Final = 0xAB
SHORTEST, LONGEST = 8, 400
"""Lengths in training."""
LONG: Final = (400, 2_000, 10_000)
"""Lengths a trained classifier is tried at, ``SEQUENCES_AT`` sequences each; but for the first
never seen in training."""
SEQUENCES_AT: Final = 64

_BYTES: Final = 256
_SIZES: Final[Mapping[Split, int]] = MappingProxyType({"train": 3_000, "valid": 800, "test": 800})
_SEEDS: Final[Mapping[Split, int]] = MappingProxyType({"train": 1, "valid": 2, "test": 3})
_LONG_SEED: Final = 4

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """Bytes (N,), and 1 where ``WANTED`` is among them, else 0."""

    content: Bytes
    label: int


def splits(kind: str) -> Mapping[Split, Sequence[Labelled]]:
    """Train, valid and test: 3,000, 800 and 800 sequences of 8 to 400 bytes.

    Raises:
        UsageError: there is no such kind.
    """
    make = _source if checked(kind) == "source" else _balanced
    return {split: make(kind, _SIZES[split], _SEEDS[split]) for split in SPLITS}


def of_length(kind: str, length: int, number: int = SEQUENCES_AT) -> tuple[Labelled, ...]:
    """Balanced sequences of one length; those of ``source`` are the honest ones.

    Raises:
        UsageError: there is no such kind.
    """
    rng = np.random.default_rng([_LONG_SEED, length])
    return _pairs(checked(kind), [length] * (number // 2), rng)


def sha256(kind: str) -> str:
    """The sum of all splits."""
    found = hashlib.sha256()
    for sequences in splits(kind).values():
        for one in sequences:
            found.update(one.content.tobytes() + bytes([one.label]))
    return found.hexdigest()


def checked(kind: str) -> Kind:
    """``kind`` where there is such a one.

    Raises:
        UsageError: there is not.
    """
    for known in get_args(Kind):
        if kind == known:
            return known  # type: ignore[no-any-return]  # get_args forgets the type
    raise UsageError(f"unknown byte data {kind!r}: expected {' or '.join(get_args(Kind))}")


def _source(kind: str, number: int, seed: int) -> tuple[Labelled, ...]:
    """The published generator, draw by draw."""
    del kind
    rng = random.Random(seed)  # noqa: S311  # as published
    made = []
    for _ in range(number):
        content = [rng.randrange(_BYTES) for _ in range(rng.randint(SHORTEST, LONGEST))]
        positive = rng.random() < 0.5  # noqa: PLR2004
        if positive:
            content[rng.randrange(len(content))] = WANTED
        else:
            content = [LEAKED if byte == WANTED else byte for byte in content]
        made.append(Labelled(np.array(content, dtype=np.uint8), int(positive)))
    return tuple(made)


def _balanced(kind: str, number: int, seed: int) -> tuple[Labelled, ...]:
    rng = np.random.default_rng(seed)
    lengths = rng.integers(SHORTEST, LONGEST, size=number // 2, endpoint=True)
    return _pairs(checked(kind), lengths.tolist(), rng)


def _pairs(kind: Kind, lengths: Sequence[int], rng: np.random.Generator) -> tuple[Labelled, ...]:
    """A positive and a negative of every length."""
    made = []
    for length in lengths:
        content = _POSITIVES[kind](length, rng)
        content[rng.integers(length)] = WANTED
        made += [Labelled(content, 1), Labelled(_others(length, rng), 0)]
    return tuple(made)


def _any(length: int, rng: np.random.Generator) -> Bytes:
    return rng.integers(_BYTES, size=length).astype(np.uint8)


def _others(length: int, rng: np.random.Generator) -> Bytes:
    """Bytes that are not ``WANTED``, each of the other 255 as likely."""
    drawn = rng.integers(_BYTES - 1, size=length)
    return (drawn + (drawn >= WANTED)).astype(np.uint8)


_POSITIVES: Final[Mapping[Kind, Callable[[int, np.random.Generator], Bytes]]] = {
    "source": _any, "honest": _any, "single": _others,
}  # fmt: skip
"""What surrounds the one place where ``WANTED`` is put."""
