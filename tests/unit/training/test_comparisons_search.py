"""The comparison of searches."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Voice
from training.comparisons import search
from training.comparisons.search import Counts

C_MAJOR, G_MAJOR = (72, 67, 64, 48), (71, 67, 62, 55)
PIECE = Chorale.of(np.repeat(np.array([C_MAJOR, G_MAJOR, C_MAJOR, G_MAJOR]), 4, axis=0))


def test_equal_frequencies_have_no_divergence() -> None:
    """Numbers of notes do not matter; frequencies without a common one are ln 2 apart."""
    few, many, other = Counts({"a": 1, "b": 2}), Counts({"a": 3, "b": 6}), Counts({"c": 1})
    assert search.divergence(few, many) == pytest.approx(0.0)
    assert search.divergence(few, other) == pytest.approx(1000 * np.log(2))


def test_lines_are_three_intervals_of_a_voice() -> None:
    """The bass falls or rises a fifth; the alto repeats its note."""
    found = Counter(search.lines(PIECE))
    assert found == {
        (Voice.SOPRANO, -1, 1, -1): 1,
        (Voice.TENOR, -2, 2, -2): 1,
        (Voice.BASS, 7, -7, 7): 1,
    }


def test_chords_are_counted_above_the_tonic() -> None:
    """Tonic and dominant in turn."""
    tonic = ("major", frozenset({0, 4, 7}), 0)
    dominant = ("major", frozenset({2, 7, 11}), 7)
    keyed = Chorale.of(PIECE.pitches, key=Key("C", "major"))
    assert Counter(search.chords(keyed)) == {
        (tonic, dominant): 2,
        (dominant, tonic): 1,
    }


def test_every_passage_has_two_voices_and_two_bars() -> None:
    """It lies between kept bars."""
    found = search.passages(5)
    assert [passage.seed for passage in found] == [0, 1, 2, 3, 4]
    for passage in found:
        assert passage.stop - passage.start == 32
        assert passage.voices[0] < passage.voices[1]
        assert 16 <= passage.start < passage.stop < passage.piece.steps


def test_bach_is_in_the_first_column(capsys: pytest.CaptureFixture[str]) -> None:
    """Each measure has a row."""
    words = ["rewrite", "--pieces", "1", "--writers", "relative:draft"]
    assert search.main(words) == 0
    head, rule, *body = capsys.readouterr().out.splitlines()
    assert head == "| | Bach | relative:draft |"
    assert rule == "|---|---|---|"
    assert "| violations a passage |" in body[0]
    assert body[-1].startswith("| processor time, s |  |")
