"""The making of the corpus, and figures of a body of music."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis.corpus.splits import Split
from musicrel.analysis.grade import Reference
from musicrel.chorale import REST, Chorale, Key, Meter
from training import bar_lines, corpus_profile, key_votes
from training.allocation import Match, allocate, contour_share, contours_of

Pieces = dict[Split, list[Chorale]]
JSB_EMPTY: Pieces = {"train": [], "valid": [], "test": []}
C_MAJOR = [72, 67, 64, 48]
G_MAJOR = [71, 67, 62, 43]
F_MAJOR = [72, 69, 65, 41]


def walk(seed: int, steps: int = 160) -> Chorale:
    """Build four independent random voices that move every second step."""
    generator = np.random.default_rng(seed)
    moves = generator.integers(0, 12, size=(steps // 2, 4))
    return Chorale.of(np.repeat(moves + np.array([64, 57, 50, 40]), 2, axis=0))


def followed_by(one: Chorale, other: Chorale) -> Chorale:
    return Chorale.of(np.concatenate([one.pitches, other.pitches]))


def match(split: Split, index: int, work: str, overlap: float = 1.0) -> Match:
    return Match(split=split, index=index, work=work, overlap=overlap)


def made_of(*pitches: list[int], steps: int = 4) -> Chorale:
    return Chorale.of(np.repeat(np.array(pitches), steps, axis=0))


def test_a_work_is_in_the_published_split_of_its_piece() -> None:
    """Works that JSB16 does not have, or has in train, are in train."""
    works = {"a": walk(1), "b": walk(2), "c": walk(3)}
    jsb: Pieces = {"train": [walk(2)], "valid": [], "test": [walk(1)]}
    result = allocate(works, jsb, [match("test", 0, "a"), match("train", 0, "b")])
    assert result.splits == {"train": ["b", "c"], "valid": [], "test": ["a"]}

    jsb = {"train": [walk(1)], "valid": [walk(1)], "test": []}
    result = allocate({"a": walk(1)}, jsb, [match("train", 0, "a"), match("valid", 0, "a")])
    assert result.splits["valid"] == ["a"]


def test_the_same_piece_in_another_key_counts_once() -> None:
    works = {"a": walk(1), "b": walk(1).transposed(2), "c": walk(2)}
    result = allocate(works, JSB_EMPTY, [match("test", 0, "b")])
    assert result.duplicates == {"a": "b"}
    assert result.splits == {"train": ["c"], "valid": [], "test": ["b"]}


def test_a_train_work_that_shares_much_with_a_test_piece_is_left_out() -> None:
    works = {"a": followed_by(walk(1), walk(2)).transposed(1), "b": walk(3)}
    jsb: Pieces = {"train": [], "valid": [], "test": [followed_by(walk(1), walk(9))]}
    result = allocate(works, jsb, [match("test", 0, "elsewhere")])
    assert list(result.leaks) == ["a"]
    assert result.splits["train"] == ["b"]


def test_an_unmatched_piece_takes_its_work_along() -> None:
    shifted = Chorale.of(walk(1).pitches + np.array([12, 0, 0, -12]))
    jsb: Pieces = {"train": [], "valid": [shifted], "test": []}
    result = allocate({"a": walk(1), "b": walk(2)}, jsb, [match("valid", 0, "", 0.0)])
    assert result.moved == {"a": "JSB16 valid 0"}
    assert result.splits == {"train": ["b"], "valid": ["a"], "test": []}


def test_contours_ignore_rhythm_key_and_rests() -> None:
    piece = walk(1)
    slower = Chorale.of(np.repeat(piece.transposed(-1).pitches, 2, axis=0))
    assert contour_share(contours_of(piece), contours_of(slower)) == pytest.approx(1.0)
    assert contour_share(contours_of(piece), contours_of(walk(2))) == 0.0


C_MAJOR_CADENCE = np.array(
    [[72, 67, 64, 48], [69, 65, 60, 53], [71, 67, 62, 55], [72, 67, 64, 48]], dtype=np.int16
)


ENDS_ON_E = np.array(
    [[72, 69, 64, 45], [74, 69, 65, 50], [72, 69, 64, 45], [71, 68, 64, 52]], dtype=np.int16
)


def test_notes_and_last_bass_decide_the_key_but_not_a_half_close() -> None:
    assert key_votes.elect_key(C_MAJOR_CADENCE, Key("A", "minor")) == Key("C", "major")

    assert key_votes.elect_key(C_MAJOR_CADENCE, None) == Key("C", "major")

    assert key_votes.elect_key(ENDS_ON_E, Key("A", "minor")) == Key("A", "minor")


def test_the_agreement_with_printed_keys_is_counted() -> None:
    """Of C B C and E F E the correlation finds no key; both estimates are C major."""
    tunes = [
        Chorale.of([(pitch, -1, -1, -1) for pitch in line], key=Key("C", "major"))
        for line in ((60, 59, 60), (64, 65, 64))
    ]
    assert key_votes.agreement(tunes) == (0, 2)


def chords(seed: int) -> Chorale:
    """Return forty random chords in quarters."""
    pitches = np.random.default_rng(seed).integers(48, 80, (40, 4))
    return Chorale.of(np.repeat(pitches, 4, axis=0))


CHORALE = replace(chords(3), meter=Meter(3, 4), pickup=4)


OTHERS = [chords(4), chords(5)]


@pytest.mark.parametrize(("start", "pickup"), [(0, 4), (4, 0), (30, 10)])
def test_a_piece_takes_the_bar_lines_of_the_chorale_it_is_in(start: int, pickup: int) -> None:
    piece = Chorale.of(CHORALE.pitches[start:] - 2)
    (found,) = bar_lines.with_bar_lines([piece], [*OTHERS, CHORALE])
    assert (str(found.meter), found.pickup) == ("3/4", pickup)


def test_a_piece_that_is_not_found_keeps_its_bar_lines() -> None:
    piece = chords(9)
    assert bar_lines.with_bar_lines([piece], OTHERS) == [piece]


def test_the_longest_stretch_is_found_at_its_place() -> None:
    line = np.array([60, 60, 62, 64, -1, 65, 67], dtype=np.int16)
    other = np.array([70, 71, 55, 55, 57, 59, 59, 60, 62], dtype=np.int16)
    assert bar_lines.longest_stretch(line, other) == bar_lines.Stretch(steps=4, offset=2)


def test_the_share_of_a_tune_is_that_of_its_runs() -> None:
    same, other = bar_lines.shares([CHORALE.transposed(3), chords(9)], [CHORALE])
    assert (same, other) == (1.0, 0.0)


def test_figures_are_of_all_pieces_together() -> None:
    """The grade is the median; parallels are counted over all notes."""
    clean, dirty = made_of(C_MAJOR, F_MAJOR, G_MAJOR, C_MAJOR), made_of(C_MAJOR, [74, 69, 66, 50])
    minor = made_of([69, 64, 60, 45], [69, 65, 62, 50], [68, 64, 59, 40], [69, 64, 60, 45])
    reference = Reference.of([clean, dirty, minor], "all")
    found = corpus_profile.profile([clean, dirty], reference, frozenset())

    assert found.pieces == 2
    assert found.notes == (3 + 3 + 4 + 4) + 8
    assert found.clean == 50
    assert found.parallels > 0
    assert found.copied == 0
    assert found.cadence == found.authentic == 50


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (C_MAJOR, True),
        ([72, 72, 60, 48], False),
        ([72, 67, 60, 48], True),
        ([72, 67, 64, 52], False),
        ([72, 67, 65, 48], False),
        (G_MAJOR, False),
        ([REST, REST, REST, REST], False),
    ],
)
def test_a_piece_ends_on_its_tonic_triad(last: list[int], expected: bool) -> None:
    """The root is in the bass; third or fifth may be missing, other notes may not be added."""
    piece = made_of(C_MAJOR, F_MAJOR, C_MAJOR, G_MAJOR, C_MAJOR, C_MAJOR, last)

    assert corpus_profile.ends_on_tonic(piece) == expected
