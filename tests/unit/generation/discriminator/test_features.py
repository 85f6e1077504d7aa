"""Features of beats: what counts, and what does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.generation.discriminator import features
from musicrel.generation.discriminator.features import Beat, Note, beats
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


def of_chords(chords: Sequence[Sequence[int]]) -> list[str]:
    return [*features.chord_features(of(*chords)[-1])]


@pytest.mark.parametrize(
    ("chords", "found"),
    [
        ([C], ["chord: major", "lowest tone: root", "third doubled: False"]),
        ([(66, 65, 64, 60)], ["chord: other"]),
        ([C64], ["chord: major", "lowest tone: fifth", "third doubled: False"]),
        (
            [(72, 64, 60, 48)],
            ["chord: major", "lowest tone: root", "no fifth", "third doubled: False"],
        ),
    ],
)
def test_a_chord_has_kind_lowest_tone_and_doublings(
    chords: Sequence[Sequence[int]], found: list[str]
) -> None:
    assert of_chords(chords) == found


@pytest.mark.parametrize(("after", "resolves"), [(71, True), (69, False)])
def test_a_held_dissonance_that_falls_by_step_is_a_suspension(
    after: int, *, resolves: bool
) -> None:
    held = [(72, 67, 64, 53)] * 4 + [(72, 67, 62, 50)] * 2
    beat = steps(*held, *[(after, 67, 62, 50)] * 2)
    assert ("suspension: S" in features.chord_features(beat)) == resolves


def test_the_bass_has_a_degree_and_chromatic_notes_count_in_a_known_key() -> None:
    """Those of soprano and tenor, where they begin."""
    degrees = of(C, G7, (69, 65, 60, 53), key=C_MAJOR)
    for beat, degree in zip(degrees, ("0", "other", "5"), strict=True):
        assert f"bass degree: {degree}" in features.chord_features(beat)
    found = [
        [feature for feature in features.chord_features(beat) if feature.startswith("outside")]
        for beat in of(C, (73, 67, 64, 48), (73, 68, 63, 49), key=C_MAJOR)
    ]
    assert found == [[], ["outside the key: S"], ["outside the key: T"]]


def test_rhythm_counts_what_begins_on_a_beat_or_inside_it_and_rests() -> None:
    moving = [C, C, (74, 67, 64, 48), (74, 67, 64, 48)]
    first, second = beats(Chorale.of(np.array([*moving, *[DM] * 4])))
    assert [*features.rhythm_features(first)] == [
        "moves inside beat 1: True",
        "voices together off the beat: other",
    ]
    assert [*features.rhythm_features(second)] == ["voices struck on beat 2: 3"]

    moving = [C, C, (74, 65, 64, 48), (74, 65, 64, 48)] * 2
    found = [*features.rhythm_features(steps(*moving))]
    assert {"two beats move", "voices together off the beat: 2"} <= {*found}
    (beat,) = of((REST, 67, REST, REST))
    assert "rests: 2" in features.rhythm_features(beat)


def test_a_fermata_is_told_apart() -> None:
    piece = replace(Chorale.of(np.array([C] * 4)), fermatas=np.ones(4, dtype=bool))
    (beat,) = beats(piece)
    expected = {"chord, fermata: major", "moves inside beat 1, fermata: False"}
    assert expected <= {*features.features(beat)}


def test_motion_to_a_beat_counts_voices_directions_and_crossings() -> None:
    _, beat = of(C, (74, 69, 65, 47))
    assert {*features.counterpoint_features(beat)} >= {
        *("voices that move: 4", "three in one direction", "motion of SB: contrary"),
        *("motion of AT: similar", "motion of TB: other"),
        "parallel thirds or sixths of SA: False",
    }
    _, beat = of(C, (72, 64, 67, 48))
    crossed = {"same chord on two beats", "crossing", "distance of A and T: -2"}
    assert crossed <= {*features.counterpoint_features(beat)}


@pytest.mark.parametrize("seed", range(3))
def test_chords_and_unisons_are_those_of_set_g(seed: int) -> None:
    piece = replace(random_chorale(seed, 64), pickup=0)
    found, expected = features.counts(piece), metrics("G")
    for kind in ("major", "diminished", "dominant"):
        both = found[f"chord: {kind}"] + found[f"chord, fermata: {kind}"]
        assert both / 16 == pytest.approx(expected[f"chord, {kind}"](Reading(piece=piece)))
    total = sum(number for name, number in found.items() if name.startswith("distance"))
    unisons = found["unison of A and T"] / total
    assert unisons == pytest.approx(expected["unisons, AT"](Reading(piece=piece)))


def soprano(*pitches: int, onsets: set[int]) -> Chorale:
    table = np.full((len(pitches), 4), REST)
    table[:, Voice.SOPRANO] = pitches
    begun = np.zeros(table.shape, dtype=bool)
    begun[sorted(onsets), Voice.SOPRANO] = True
    return Chorale.of(table, onsets=begun)


def test_whole_beats_are_counted_from_the_bar_line() -> None:
    piece = replace(random_chorale(1, 48), pickup=12)

    assert [beat.number for beat in beats(piece)][:5] == [2, 3, 4, 1, 2]

    piece = replace(random_chorale(1, 18), pickup=2)

    assert [beat.position for beat in beats(piece)] == [0, 4, 8, 12]

    assert len(list(beats(replace(random_chorale(1, 7), pickup=0)))) == 1


def test_notes_end_at_the_next_note_at_a_rest_or_at_the_end() -> None:
    piece = soprano(60, 60, 60, REST, 62, 62, 62, 64, onsets={0, 2, 4, 7})

    soprano_line, bass = (
        features._notes(piece.pitches[:, voice].tolist(), piece.onsets[:, voice].tolist(), 4, 2)
        for voice in (Voice.SOPRANO, Voice.BASS)
    )

    assert soprano_line == [Note(0, 2, 60), Note(2, 1, 60), Note(4, 3, 62), Note(7, 1, 64)]
    assert bass == []


def naive(piece: Chorale) -> Counter[str]:
    found: Counter[str] = Counter()
    positions = piece.bar_positions()
    for voice in Voice:
        line, starts = piece.pitches[:, voice], np.flatnonzero(piece.onsets[:, voice])
        words = []
        for start, after in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            rests = np.flatnonzero(line[start:after] == REST).tolist()
            length = min([after - start, *rests, 12])
            interval = int(np.clip(line[after] - line[start], -7, 7))
            words.append(f"{voice.name[0]}{interval:+d}/{length}@{positions[start] % 4}")
        found.update(words)
        found.update(f"{one} {two}" for one, two in pairwise(words))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_words_of_all_beats_are_those_of_the_voices(seed: int) -> None:
    piece = replace(random_chorale(seed, 64), pickup=4 * (seed % 2))

    found = Counter(word for beat in beats(piece) for word in features.words(beat))

    assert found == naive(piece)


def test_a_word_names_interval_length_and_place() -> None:
    """A half note, then an eighth off the beat that leaps up an octave."""
    line = np.array([60] * 6 + [62] * 2 + [74] * 4)
    piece = Chorale.of(np.stack([line, *[np.full(12, REST)] * 3], axis=1))

    assert [list(features.words(beat)) for beat in beats(piece)] == [
        [],
        ["S+2/6@0"],
        ["S+7/2@2", "S+2/6@0 S+7/2@2"],
    ]
