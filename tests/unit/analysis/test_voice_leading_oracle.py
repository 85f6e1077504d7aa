"""The motions of two voices against music21's, on the white keys, where every name is plain."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.chorale import REST, Chorale

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    music21 = pytest.importorskip("music21")

WHITE_KEYS = np.array([48 + 12 * octave + n for octave in range(2) for n in (0, 2, 4, 5, 7, 9, 11)])
PERFECT = {"fifth": 7, "octave": 0}
QUARTETS = np.random.default_rng(16).choice(WHITE_KEYS, size=(1500, 4))
"""Soprano, then bass: before, after, before, after."""


def found(quartet: np.ndarray) -> set[str]:
    """Return our findings between soprano and bass."""
    before, after, low_before, low_after = quartet.tolist()
    music = Chorale.of([(before, REST, REST, low_before), (after, REST, REST, low_after)])
    rules = (*voice_leading.PARALLELS, "contrary_perfects", "hidden_fifths", "hidden_octaves")
    return {finding.rule for finding in voice_leading.find(music, rules)}


def theirs(quartet: np.ndarray) -> Any:
    notes = [music21.note.Note(int(pitch)) for pitch in quartet]
    return music21.voiceLeading.VoiceLeadingQuartet(*notes)


def classes(quartet: np.ndarray) -> tuple[int, int]:
    """Return the intervals before and after, modulo the octave."""
    before, after, low_before, low_after = quartet.tolist()
    return abs(before - low_before) % 12, abs(after - low_after) % 12


def test_the_random_pairs_contain_every_motion() -> None:
    """Agreement is meaningful only then."""
    rules = [rule for quartet in QUARTETS for rule in found(quartet)]
    assert min(rules.count(rule) for rule in {*rules}) >= 2
    assert len({*rules}) == 6


def test_parallel_fifths_are_those_of_music21() -> None:
    """music21 includes fifths by contrary motion, which have a rule of their own here."""
    for quartet in QUARTETS:
        rules = found(quartet)
        ours = "parallel_fifths" in rules or (
            "contrary_perfects" in rules and classes(quartet) == (7, 7)
        )
        assert ours == theirs(quartet).parallelFifth(), quartet


def test_parallel_unisons_and_octaves_are_those_of_music21() -> None:
    """In similar motion; unlike here, it does not count an octave that becomes a unison."""
    for quartet in QUARTETS:
        before, after, low_before, low_after = quartet.tolist()
        one_unison = (before == low_before) != (after == low_after)
        if (after - before) * (low_after - low_before) <= 0 or one_unison:
            continue
        rules, expected = found(quartet), theirs(quartet)
        assert ("parallel_unisons" in rules) == expected.parallelUnison(), quartet
        assert ("parallel_octaves" in rules) == expected.parallelOctave(), quartet


@pytest.mark.parametrize("interval", ["fifth", "octave"])
def test_hidden_intervals_are_those_of_music21_where_the_soprano_leaps(interval: str) -> None:
    """It finds them after steps too; here a diminished fifth before is no fifth."""
    for quartet in QUARTETS:
        before, after, *_ = quartet.tolist()
        arrives = PERFECT[interval]
        if abs(after - before) <= 2 or classes(quartet)[0] in {6, arrives}:
            continue
        method = {"fifth": "hiddenFifth", "octave": "hiddenOctave"}[interval]
        low_after = int(quartet[3])
        expected = getattr(theirs(quartet), method)()
        if interval == "octave" and after == low_after:
            expected = (after - before) * (low_after - int(quartet[2])) > 0  # it leaves unisons out
        assert (f"hidden_{interval}s" in found(quartet)) == expected, quartet


def test_overlap_is_that_of_music21() -> None:
    """Between soprano and alto."""
    for quartet in QUARTETS[(QUARTETS[:, :2] != QUARTETS[:, 2:]).any(axis=1)]:
        before, after, low_before, low_after = quartet.tolist()
        if (before, low_before) == (after, low_after):
            continue
        music = Chorale.of([(before, low_before, REST, REST), (after, low_after, REST, REST)])
        ours = bool(voice_leading.find(music, ("overlap",)))
        assert ours == theirs(quartet).voiceOverlap(), quartet


def test_crossing_is_that_of_music21() -> None:
    """At either of two chords."""
    for quartet in QUARTETS[:300]:
        before, after, low_before, low_after = quartet.tolist()
        music = Chorale.of([(before, low_before, REST, REST), (after, low_after, REST, REST)])
        ours = bool(voice_leading.find(music, ("crossing",)))
        assert ours == theirs(quartet).voiceCrossing(), quartet
