"""Sevenths that are not resolved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import REST, Key
from musicrel.generation.constraints import dissonances
from tests.helpers.music import random_chorale

G7 = (65, 62, 59, 55)
"""The soprano has the seventh."""


def unresolved(pitches: list[list[int]]) -> int:
    left_1, fell_1 = dissonances.sevenths_left(np.array([pitches]))
    return int(left_1[0] - fell_1[0])


def steps(*chords: Sequence[int], times: int = 4) -> list[list[int]]:
    return [list(chord) for chord in chords for _ in range(times)]


@pytest.mark.parametrize(
    ("after", "resolved", "missed"),
    [
        ((64, 60, 60, 48), 1, 0),
        ((63, 60, 60, 48), 1, 0),
        ((67, 60, 60, 48), 0, 1),
        ((60, 64, 60, 48), 0, 1),
        ((65, 60, 60, 53), 0, 0),
        ((REST, 60, 60, 48), 0, 0),
    ],
    ids=["semitone down", "tone down", "up", "leap", "held", "rest"],
)
def test_a_seventh_resolves_a_step_down(after: Sequence[int], resolved: int, missed: int) -> None:
    left_1, fell_1 = dissonances.sevenths_left(np.array([steps(G7, after)]))
    assert (int(fell_1[0]), int(left_1[0] - fell_1[0])) == (resolved, missed)


def test_a_seventh_counts_where_it_is_left() -> None:
    held, leap = (65, 62, 57, 50), (60, 64, 57, 45)

    assert unresolved(steps(G7, held)) == 0
    assert unresolved(steps(G7, held, leap)) == 1
    assert unresolved(steps(G7, held, leap, leap)) == 0


def test_a_seventh_may_leap_inside_its_beat_and_none_is_between_the_beats() -> None:
    beat = [list(G7)] * 2 + [[71, 62, 59, 55]] * 2

    assert unresolved(beat) == 1

    passing = [[67, 62, 59, 55]] * 2 + [[65, 62, 59, 55]] * 2

    assert unresolved([*passing, *steps((67, 60, 64, 48))]) == 0


@pytest.mark.parametrize(
    ("chord", "seventh"),
    [
        ((65, 62, 59, 55), 5),
        ((72, 65, 57, 50), 0),
        ((71, 64, 67, 48), 11),
        ((69, 65, 62, 59), 9),
        ((65, 59, 55, 55), 5),
        ((72, 67, 64, 48), -1),
        ((68, 65, 62, 59), -1),
    ],
    ids=["dominant", "minor", "major", "half-diminished", "no fifth", "triad", "diminished"],
)
def test_a_seventh_chord_is_known_by_its_pitch_classes(chord: Sequence[int], seventh: int) -> None:
    assert dissonances.seventh(np.array([[chord]])) == seventh


@pytest.mark.parametrize("seed", range(4))
def test_a_seventh_is_counted_once_in_a_piece(seed: int) -> None:
    pitches = random_chorale(seed, 64).pitches
    found = sum(unresolved(pitches[:stop].tolist()) for stop in range(4, 65, 4))

    expected = 0
    for voice in range(4):
        line = pitches[:, voice]
        for step in np.flatnonzero(np.diff(line)) + 1:
            old, new = int(line[step - 1]), int(line[step])
            run = step - 1
            while run and line[run - 1] == old:
                run -= 1
            beats = [beat for beat in range(run, step) if beat % 4 == 0]
            chords = pitches[None, beats].astype(np.int64)
            is_seventh = bool((dissonances.seventh(chords) == old % 12).any())
            is_left = REST not in (old, new) and old - new not in (1, 2)
            expected += is_seventh and is_left
    assert found == expected


D_MINOR, C_OVER_G, G, C = (74, 69, 65, 50), (76, 72, 67, 55), (74, 71, 67, 55), (76, 72, 67, 48)
F_OVER_F, C_OVER_E = (72, 69, 65, 53), (72, 67, 60, 52)


def six_four(*chords: Sequence[int]) -> dissonances.SixFour | None:
    """Return the kind of the second chord of some."""
    return dissonances.six_four(np.repeat(np.array(chords), 4, axis=0), 4)


def test_a_six_four_chord_is_untreated_if_it_is_reached_or_left_by_leap() -> None:
    assert six_four(D_MINOR, C_OVER_G, C) == "untreated"
    assert six_four((72, 69, 65, 53), C_OVER_G, C) == "untreated"

    assert six_four(D_MINOR, C_OVER_G, G) == "cadential"

    g_over_d = (71, 67, 62, 50)
    assert six_four((72, 67, 64, 48), g_over_d, C_OVER_E) == "passing"


@pytest.mark.parametrize("chord", [C, G, (76, 72, REST, 55)])
def test_other_chords_are_none(chord: Sequence[int]) -> None:
    assert six_four(D_MINOR, chord, F_OVER_F) is None


C_MAJOR, A_MINOR = Key("C", "major"), Key("A", "minor")


def steps_of_cross_relations(key: Key, *chords: Sequence[int]) -> int:
    return int(dissonances.cross_relation_steps(np.array([chords]), key)[0])


@pytest.mark.parametrize(
    ("key", "chord", "is_one"),
    [
        (C_MAJOR, (77, 66, 62, 50), True),
        (C_MAJOR, (65, 64, 60, 48), False),
        (C_MAJOR, (72, 71, 67, 55), False),
        (C_MAJOR, (70, 69, 65, 53), False),
        (C_MAJOR, (71, 70, 65, 55), True),
        (A_MINOR, (68, 67, 64, 52), True),
        (A_MINOR, (66, 65, 62, 50), True),
        (A_MINOR, (69, 68, 64, 52), False),
        (A_MINOR, (70, 69, 62, 50), False),
        (Key("D", "major"), (79, 68, 64, 52), True),
        (C_MAJOR, (77, REST, REST, 50), False),
    ],
    ids=[
        *("F and F#", "E and F", "B and C", "Bb and A", "Bb and B"),
        *("G and G#", "F and F# in minor", "G# and A", "Bb and A in minor"),
        *("G and G# in D major", "rests"),
    ],
)
def test_degrees_against_their_alterations(key: Key, chord: Sequence[int], *, is_one: bool) -> None:
    assert steps_of_cross_relations(key, chord) == is_one


@pytest.mark.parametrize("key", [C_MAJOR, A_MINOR, Key("Eb", "major"), Key("F#", "minor")])
def test_steps_are_those_of_a_search_by_pairs(key: Key) -> None:
    pieces = [random_chorale(seed, 64).pitches for seed in range(5)]
    expected = []
    for pitches in pieces:
        found = 0
        for chord in pitches.tolist():
            tones = {(pitch - key.pitch_class) % 12 for pitch in chord if pitch != REST}
            found += any({low, low + 1} <= tones for low in dissonances._LOWER[key.mode])
        expected.append(found)
    assert sum(expected) > 10
    assert dissonances.cross_relation_steps(np.stack(pieces), key).tolist() == expected
