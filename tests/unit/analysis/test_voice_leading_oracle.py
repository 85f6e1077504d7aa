"""The motions of two voices against music21's, in Bach's chorales and in random chords."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.score.notation.spelling import SpelledPitch, spell_melody

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    music21 = pytest.importorskip("music21")

WHITE_KEYS = np.array([48 + 12 * octave + n for octave in range(2) for n in (0, 2, 4, 5, 7, 9, 11)])
"""Pitches with names without accidentals."""
STEPS = 400
"""Of the random piece, which has motions that Bach avoids."""
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
    tritone: bool
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
                tritone=abs(both[0, 0] - both[0, 1]) % 12 == 6,
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
    chords = np.random.default_rng(16).choice(WHITE_KEYS, size=(STEPS, 4))
    pieces = [*bundled.load("train")[::EVERY], Chorale.of(chords, key=Key("C", "major"))]
    return tuple(move for piece in pieces for move in motions(piece))


def explained(rule: str, move: Motion) -> bool:
    """Return True for one of the intended differences.

    music21 counts perfect intervals by contrary motion, which have a rule of their own here, as
    parallel; from or to a unison they have none. It counts as hidden also intervals that the
    soprano reaches by step; and an octave that becomes a unison, or comes from one, is no parallel
    octave to it. A unison is no octave to it where one is hidden, and a diminished fifth
    before is a fifth.
    """
    only_theirs = rule not in move.ours
    if rule.startswith("hidden"):
        return move.leap <= 2 or move.tritone or move.unisons == 1
    if rule == "parallel_octaves" and move.unisons == 1:
        return True
    other_rule = "contrary_perfects" in move.ours or move.unisons == 1
    return rule.startswith("parallel") and only_theirs and move.contrary and other_rule


@pytest.mark.parametrize("rule", METHODS)
def test_what_is_found_is_what_music21_finds(rule: str) -> None:
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


def test_enough_rules_are_broken_for_that_to_mean_something() -> None:
    counts = {rule: sum(rule in move.ours for move in all_motions()) for rule in METHODS}
    assert min(counts.values()) >= 1, counts
