"""Byte data: the published data with their label leak, and the honest ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

from musicrel.errors import UsageError
from musicrel.experiment.data import bytes_data
from musicrel.experiment.data.bytes_data import LEAKED, TARGET, Labelled


def share(sequences: list[Labelled], byte: int) -> float:
    content = np.concatenate([one.content for one in sequences])
    return float((content == byte).mean())


def negatives(kind: str) -> list[Labelled]:
    return [one for one in bytes_data.splits(kind)["train"] if not one.label]


def test_the_published_data_are_the_published_ones() -> None:
    """The source's own generator, copied, draws the same bytes and labels."""
    rng, expected = random.Random(1), []  # noqa: S311  # as published
    for _ in range(3000):
        length = rng.randint(8, 400)
        seq = [rng.randrange(256) for _ in range(length)]
        if rng.random() < 0.5:
            seq[rng.randrange(length)] = 0xAA
            label = 1
        else:
            seq = [b if b != 0xAA else ((b + 1) % 256) for b in seq]
            label = 0
        expected.append((seq, label))

    found = bytes_data.splits("source")["train"]

    assert [(one.content.tolist(), one.label) for one in found] == expected


@pytest.mark.parametrize("kind", ["source", "honest", "single"])
def test_the_label_is_whether_the_byte_occurs(kind: str) -> None:
    splits = bytes_data.splits(kind)

    assert [len(part) for part in splits.values()] == [3000, 800, 800]
    for part in splits.values():
        assert all((TARGET in one.content) == bool(one.label) for one in part)
        assert all(8 <= len(one.content) <= 400 for one in part)


def test_the_published_negatives_leak() -> None:
    """0xAB is twice as frequent in published negatives as in honest ones."""
    assert share(negatives("source"), LEAKED) == pytest.approx(2 / 256, rel=0.1)
    assert share(negatives("honest"), LEAKED) == pytest.approx(1 / 255, rel=0.1)


def test_honest_classes_are_balanced_at_every_length() -> None:
    """Each length has a positive and a negative, so that length gives no hint."""
    for kind in ("honest", "single"):
        for part in bytes_data.splits(kind).values():
            lengths = [sorted(len(one.content) for one in part if one.label == label)
                       for label in (0, 1)]  # fmt: skip
            assert lengths[0] == lengths[1]


def test_once_means_once() -> None:
    single, honest = (bytes_data.of_length(kind, 10_000) for kind in ("single", "honest"))

    assert len(single) == len(honest) == 64
    assert [sum(one.content == TARGET) for one in single if one.label] == [1] * 32
    assert min(sum(one.content == TARGET) for one in honest if one.label) > 10
    assert not any(TARGET in one.content for one in (*single, *honest) if not one.label)
    assert [bytes_data.sha256(kind)[:6] for kind in ("single", "honest")] == ["6335ad", "21f132"]


def test_another_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown byte data 'text': expected source or honest or"):
        bytes_data.splits("text")
