"""The motions of two voices against music21's, on the white keys, where every name is plain."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.chorale import REST, Chorale, Voice
from musicrel.corpus import bundled
from musicrel.score.notation.spelling import SpelledPitch, spell_melody

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    music21 = pytest.importorskip("music21")

WHITE_KEYS = np.array([48 + 12 * octave + n for octave in range(2) for n in (0, 2, 4, 5, 7, 9, 11)])
PERFECT = {"fifth": 7, "octave": 0}
QUARTETS = np.random.default_rng(16).choice(WHITE_KEYS, size=(1500, 4))
"""Soprano, then bass: before, after, before, after."""


def found(quartet: np.ndarray) -> set[str]:
    before, after, low_before, low_after = quartet.tolist()
    music = Chorale.of([(before, REST, REST, low_before), (after, REST, REST, low_after)])
    rules = (*voice_leading.PARALLELS, "contrary_perfects", "hidden_fifths", "hidden_octaves")
    return {finding.rule for finding in voice_leading.find(music, rules)}


def theirs(quartet: np.ndarray) -> Any:
    notes = [music21.note.Note(int(pitch)) for pitch in quartet]
    return music21.voiceLeading.VoiceLeadingQuartet(*notes)


def classes(quartet: np.ndarray) -> tuple[int, int]:
    before, after, low_before, low_after = quartet.tolist()
    return abs(before - low_before) % 12, abs(after - low_after) % 12


def test_the_random_pairs_contain_every_motion() -> None:
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
    for quartet in QUARTETS[(QUARTETS[:, :2] != QUARTETS[:, 2:]).any(axis=1)]:
        before, after, low_before, low_after = quartet.tolist()
        if (before, low_before) == (after, low_after):
            continue
        music = Chorale.of([(before, low_before, REST, REST), (after, low_after, REST, REST)])
        ours = bool(voice_leading.find(music, ("overlap",)))
        assert ours == theirs(quartet).voiceOverlap(), quartet


def test_crossing_is_that_of_music21() -> None:
    for quartet in QUARTETS[:300]:
        before, after, low_before, low_after = quartet.tolist()
        music = Chorale.of([(before, low_before, REST, REST), (after, low_after, REST, REST)])
        ours = bool(voice_leading.find(music, ("crossing",)))
        assert ours == theirs(quartet).voiceCrossing(), quartet


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    music21 = pytest.importorskip("music21")

EVERY = 5
"""One of so many chorales of the training split: fifty of them."""
METHODS = {
    "parallel_fifths": "parallelFifth", "parallel_octaves": "parallelOctave",
    "parallel_unisons": "parallelUnison", "hidden_fifths": "hiddenFifth",
    "hidden_octaves": "hiddenOctave", "overlap": "voiceOverlap", "crossing": "voiceCrossing",
}  # fmt: skip
PAIRS = {rule: tuple(combinations(Voice, 2)) for rule in METHODS if rule.startswith("parallel")}
PAIRS |= {rule: ((Voice.SOPRANO, Voice.BASS),) for rule in METHODS if rule.startswith("hidden")}


class Motion(NamedTuple):
    names: tuple[str, ...]
    leap: int
    contrary: bool
    unisons: int
    ours: frozenset[str]


def written(spelled: SpelledPitch) -> str:
    sign = "#" * spelled.alter if spelled.alter > 0 else "-" * -spelled.alter
    return f"{spelled.step}{sign}{spelled.octave}"


def names_of(piece: Chorale) -> np.ndarray:
    names = np.full(piece.pitches.shape, "", dtype=object)
    for voice in Voice:
        onsets = np.flatnonzero(piece.onsets[:, voice])
        spelled = spell_melody(piece.pitches[onsets, voice].tolist(), piece.key)
        for begin, name in zip(onsets, map(written, spelled), strict=True):
            names[begin:, voice] = name
    names[piece.pitches == REST] = ""
    return names


def breaches(piece: Chorale) -> set[tuple[str, int, tuple[Voice, ...]]]:
    """Return our findings by rule, step and voices; a crossing has an entry for every step."""
    rules = (*METHODS, "contrary_perfects")
    return {
        (finding.rule, step, finding.voices)
        for finding in voice_leading.find(piece, rules)
        for step in range(finding.step, finding.stop)
    }


def motions(piece: Chorale) -> Iterator[Motion]:
    names, found = names_of(piece), breaches(piece)
    changes = np.flatnonzero((np.diff(piece.pitches, axis=0) != 0).any(axis=1)) + 1
    for step in changes.tolist():
        for upper, lower in combinations(Voice, 2):
            both = piece.pitches[step - 1 : step + 1][:, [upper, lower]].astype(int)
            if (both == REST).any():
                continue
            rules = {rule for rule in (*METHODS, "contrary_perfects")
                     if (rule, step, (upper, lower)) in found}  # fmt: skip
            if ("crossing", step - 1, (upper, lower)) in found:
                rules.add("crossing")  # music21 asks whether either chord is crossed
            four = names[[step - 1, step, step - 1, step], [upper, upper, lower, lower]]
            moves = both[1] - both[0]
            yield Motion(
                names=(*four, f"{upper}{lower}"),
                leap=abs(moves[0]),
                contrary=bool(moves.prod() < 0),
                unisons=int((both[:, 0] == both[:, 1]).sum()),
                ours=frozenset(rules),
            )


@cache
def note(name: str) -> Any:
    return music21.note.Note(name)


@cache
def their_findings(names: tuple[str, ...]) -> frozenset[str]:
    quartet = music21.voiceLeading.VoiceLeadingQuartet(*map(note, names[:4]))
    return frozenset(rule for rule, method in METHODS.items() if getattr(quartet, method)())


@cache
def all_motions() -> tuple[Motion, ...]:
    return tuple(move for piece in bundled.load("train")[::EVERY] for move in motions(piece))


def explained(rule: str, move: Motion) -> bool:
    """Return True for one of the three intended differences.

    music21 counts perfect intervals by contrary motion, which have a rule of their own here, as
    parallel; from or to a unison they have none. It counts as hidden also intervals that the
    soprano reaches by step; and an octave that becomes a unison, or comes from one, is no parallel
    octave to it.
    """
    only_theirs = rule not in move.ours
    if rule.startswith("hidden"):
        return only_theirs and move.leap <= 2
    if rule == "parallel_octaves" and move.unisons == 1:
        return True
    other_rule = "contrary_perfects" in move.ours or move.unisons == 1
    return rule.startswith("parallel") and only_theirs and move.contrary and other_rule


@pytest.mark.parametrize("rule", METHODS)
def test_what_is_found_in_bach_is_what_music21_finds(rule: str) -> None:
    neighbours = tuple(zip(Voice, tuple(Voice)[1:], strict=False))
    pairs = {f"{upper}{lower}" for upper, lower in PAIRS.get(rule, neighbours)}
    looked_at = [move for move in all_motions() if move.names[4] in pairs]
    unlike = [
        move for move in looked_at if (rule in move.ours) != (rule in their_findings(move.names))
    ]

    assert len(looked_at) > 2000
    assert [move for move in unlike if not explained(rule, move)] == []
    if rule in ("crossing", "overlap"):
        assert unlike == []


def test_bach_breaks_enough_rules_for_that_to_mean_something() -> None:
    counts = {rule: sum(rule in move.ours for move in all_motions()) for rule in METHODS}
    assert counts.pop("parallel_unisons") <= 1
    assert min(counts.values()) >= 1, counts
