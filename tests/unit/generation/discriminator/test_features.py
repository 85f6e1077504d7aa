"""Features of beats: what counts, and what does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key
from musicrel.generation.discriminator import counterpoint, features, harmony, rhythm
from musicrel.generation.discriminator.beat import Beat, beats
from tests.helpers.music import random_chorale
from training.examination.features import metrics
from training.examination.reading import Reading

C_MAJOR = Key("C", "major")
C, DM, G7, C64 = (72, 67, 64, 48), (74, 69, 65, 50), (74, 65, 59, 55), (72, 64, 60, 43)


def of(*chords: Sequence[int], key: Key | None = None) -> list[Beat]:
    """Return the beats of chords of a quarter each."""
    piece = Chorale.of(np.repeat(np.array(chords), 4, axis=0))
    return list(beats(replace(piece, key=key)))


def steps(*chords: Sequence[int]) -> Beat:
    """Return the last beat of chords of a sixteenth each."""
    return list(beats(Chorale.of(np.array(chords))))[-1]


def test_the_chord_has_kind_lowest_tone_and_doublings() -> None:
    (beat,) = of(C)

    assert list(harmony.features(beat)) == [
        "chord: major",
        "lowest tone: root",
        "third doubled: False",
    ]


def test_a_fifth_may_be_the_lowest_tone_or_absent() -> None:
    (second, bare) = of(C64, (72, 64, 60, 48))

    assert "lowest tone: fifth" in list(harmony.features(second))
    assert "no fifth" not in list(harmony.features(second))
    assert "no fifth" in list(harmony.features(bare))


def test_a_chord_without_a_name_has_no_lowest_tone() -> None:
    (beat,) = of((66, 65, 64, 60))

    assert list(harmony.features(beat)) == ["chord: other"]


def test_the_bass_has_a_degree_in_a_known_key() -> None:
    found = [list(harmony.features(beat)) for beat in of(C, G7, (69, 65, 60, 53), key=C_MAJOR)]

    assert ["bass degree: 0" in each for each in found] == [True, False, False]
    assert ["bass degree: other" in each for each in found] == [False, True, False]
    assert ["bass degree: 5" in each for each in found] == [False, False, True]


def test_chromatic_notes_of_soprano_and_tenor_count_where_they_begin() -> None:
    chords = np.repeat(np.array([C, (73, 67, 64, 48), (73, 68, 63, 49)]), 4, axis=0)
    found = [
        [feature for feature in harmony.features(beat) if feature.startswith("outside")]
        for beat in beats(replace(Chorale.of(chords), key=C_MAJOR))
    ]

    assert found == [[], ["outside the key: S"], ["outside the key: T"]]


def test_a_suspension_is_held_dissonant_and_resolves_down_by_step() -> None:
    held = [(72, 67, 64, 53)] * 4 + [(72, 67, 62, 50)] * 2
    resolved, left = steps(*held, *[(71, 67, 62, 50)] * 2), steps(*held, *[(69, 67, 62, 50)] * 2)

    assert "suspension: S" in list(harmony.features(resolved))
    assert "suspension: S" not in list(harmony.features(left))


def test_rhythm_counts_what_begins_on_a_beat_or_inside_it() -> None:
    """The first and third beats by what moves inside, the second and fourth by what begins."""
    moving = [C, C, (74, 67, 64, 48), (74, 67, 64, 48)]
    piece = Chorale.of(np.array([*moving, *[DM] * 4]))

    first, second = ([*rhythm.features(beat)] for beat in beats(piece))

    assert first == ["moves inside beat 1: True", "voices together off the beat: other"]
    assert second == ["voices struck on beat 2: 3"]


def test_two_beats_in_a_row_may_move() -> None:
    moving = [C, C, (74, 65, 64, 48), (74, 65, 64, 48)] * 2
    second = list(beats(Chorale.of(np.array(moving))))[-1]

    assert "two beats move" in list(rhythm.features(second))
    assert "voices together off the beat: 2" in list(rhythm.features(second))


def test_upper_voices_that_rest_are_counted() -> None:
    (beat,) = of((REST, 67, REST, REST))

    assert "rests: 2" in list(rhythm.features(beat))


def test_a_fermata_is_told_apart() -> None:
    piece = replace(Chorale.of(np.array([C] * 4)), fermatas=np.ones(4, dtype=bool))
    (beat,) = beats(piece)

    assert "chord, fermata: major" in list(features.features(beat))
    assert "moves inside beat 1, fermata: False" in list(features.features(beat))


def test_motion_to_a_beat_counts_voices_and_directions() -> None:
    """Three voices rise and the bass falls."""
    _, beat = of(C, (74, 69, 65, 47))
    found = Counter(counterpoint.features(beat))

    assert found["voices that move: 4"] == found["three in one direction"] == 1
    assert found["motion of SB: contrary"] == found["motion of AT: similar"] == 1
    assert found["motion of TB: other"] == 1
    assert found["parallel thirds or sixths of SA: False"] == 1


def test_a_repeated_chord_and_crossed_voices_are_told() -> None:
    _, beat = of(C, (72, 64, 67, 48))
    found = list(counterpoint.features(beat))

    assert "same chord on two beats" in found
    assert "crossing" in found
    assert "distance of A and T: -2" in found


@pytest.mark.parametrize("seed", range(3))
def test_chords_are_those_of_set_g(seed: int) -> None:
    """The share of beats with a kind of chord is that of the examination."""
    piece = replace(random_chorale(seed, 64), pickup=0)
    found = features.counts(piece)

    for kind in ("major", "diminished", "dominant"):
        expected = metrics("G")[f"chord, {kind}"](Reading(piece=piece))
        both = found[f"chord: {kind}"] + found[f"chord, fermata: {kind}"]
        assert both / 16 == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(3))
def test_unisons_are_those_of_set_g(seed: int) -> None:
    piece = replace(random_chorale(seed, 64), pickup=0)
    found = features.counts(piece)
    total = sum(number for name, number in found.items() if name.startswith("distance"))

    expected = metrics("G")["unisons, AT"](Reading(piece=piece))
    assert found["unison of A and T"] / total == pytest.approx(expected)
