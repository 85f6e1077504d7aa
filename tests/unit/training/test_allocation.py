"""The allocation of works to splits."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.corpus.splits import Split
from training.allocation import Match, allocate, contour_share, contours_of
from training.corpus_facts import Pieces

JSB_EMPTY: Pieces = {"train": [], "valid": [], "test": []}


def walk(seed: int, steps: int = 160) -> Chorale:
    """Build four independent random voices that move every second step."""
    generator = np.random.default_rng(seed)
    moves = generator.integers(0, 12, size=(steps // 2, 4))
    return Chorale.of(np.repeat(moves + np.array([64, 57, 50, 40]), 2, axis=0))


def followed_by(one: Chorale, other: Chorale) -> Chorale:
    return Chorale.of(np.concatenate([one.pitches, other.pitches]))


def match(split: Split, index: int, work: str, overlap: float = 1.0) -> Match:
    return Match(split=split, index=index, work=work, overlap=overlap)


def test_a_work_of_the_published_test_split_is_in_test() -> None:
    """Works that JSB16 does not have, or has in train, are in train."""
    works = {"a": walk(1), "b": walk(2), "c": walk(3)}
    jsb: Pieces = {"train": [walk(2)], "valid": [], "test": [walk(1)]}
    result = allocate(works, jsb, [match("test", 0, "a"), match("train", 0, "b")])
    assert result.splits == {"train": ["b", "c"], "valid": [], "test": ["a"]}


def test_a_work_in_train_and_valid_of_jsb16_is_in_valid() -> None:
    """The stricter split wins."""
    jsb: Pieces = {"train": [walk(1)], "valid": [walk(1)], "test": []}
    result = allocate({"a": walk(1)}, jsb, [match("train", 0, "a"), match("valid", 0, "a")])
    assert result.splits["valid"] == ["a"]


def test_the_same_piece_in_another_key_counts_once() -> None:
    """The one the published splits hold out stays."""
    works = {"a": walk(1), "b": walk(1).transposed(2), "c": walk(2)}
    result = allocate(works, JSB_EMPTY, [match("test", 0, "b")])
    assert result.duplicates == {"a": "b"}
    assert result.splits == {"train": ["c"], "valid": [], "test": ["b"]}


def test_a_train_work_that_shares_much_with_a_test_piece_is_left_out() -> None:
    """Half of it is known, in any key."""
    works = {"a": followed_by(walk(1), walk(2)).transposed(1), "b": walk(3)}
    jsb: Pieces = {"train": [], "valid": [], "test": [followed_by(walk(1), walk(9))]}
    result = allocate(works, jsb, [match("test", 0, "elsewhere")])
    assert list(result.leaks) == ["a"]
    assert result.splits["train"] == ["b"]


def test_an_unmatched_piece_takes_its_work_along() -> None:
    """The voices are in other octaves, so only the contours match."""
    shifted = Chorale.of(walk(1).pitches + np.array([12, 0, 0, -12]))
    jsb: Pieces = {"train": [], "valid": [shifted], "test": []}
    result = allocate({"a": walk(1), "b": walk(2)}, jsb, [match("valid", 0, "", 0.0)])
    assert result.moved == {"a": "JSB16 valid 0"}
    assert result.splits == {"train": ["b"], "valid": ["a"], "test": []}


def test_contours_ignore_rhythm_key_and_rests() -> None:
    """Only the order of intervals counts."""
    piece = walk(1)
    slower = Chorale.of(np.repeat(piece.transposed(-1).pitches, 2, axis=0))
    assert contour_share(contours_of(piece), contours_of(slower)) == pytest.approx(1.0)
    assert contour_share(contours_of(piece), contours_of(walk(2))) == 0.0
