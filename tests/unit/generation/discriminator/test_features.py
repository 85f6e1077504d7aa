"""Features of beats: what counts, and what does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.generation.discriminator import features
from musicrel.generation.discriminator.features import CONTEXT_STEPS, Beat, Note, beats
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


def test_a_chord_with_a_name_has_kind_lowest_tone_and_doublings() -> None:
    (beat,) = of(C)

    assert list(features.chord_features(beat)) == [
        "chord: major",
        "lowest tone: root",
        "third doubled: False",
    ]

    (beat,) = of((66, 65, 64, 60))

    assert list(features.chord_features(beat)) == ["chord: other"]


def test_a_chord_tells_its_fifth_and_suspensions() -> None:
    (second, bare) = of(C64, (72, 64, 60, 48))

    assert "lowest tone: fifth" in list(features.chord_features(second))
    assert "no fifth" not in list(features.chord_features(second))
    assert "no fifth" in list(features.chord_features(bare))

    held = [(72, 67, 64, 53)] * 4 + [(72, 67, 62, 50)] * 2
    resolved, left = steps(*held, *[(71, 67, 62, 50)] * 2), steps(*held, *[(69, 67, 62, 50)] * 2)

    assert "suspension: S" in list(features.chord_features(resolved))
    assert "suspension: S" not in list(features.chord_features(left))


def test_the_bass_has_a_degree_in_a_known_key() -> None:
    found = [
        list(features.chord_features(beat)) for beat in of(C, G7, (69, 65, 60, 53), key=C_MAJOR)
    ]

    assert ["bass degree: 0" in each for each in found] == [True, False, False]
    assert ["bass degree: other" in each for each in found] == [False, True, False]
    assert ["bass degree: 5" in each for each in found] == [False, False, True]


def test_chromatic_notes_of_soprano_and_tenor_count_where_they_begin() -> None:
    chords = np.repeat(np.array([C, (73, 67, 64, 48), (73, 68, 63, 49)]), 4, axis=0)
    found = [
        [feature for feature in features.chord_features(beat) if feature.startswith("outside")]
        for beat in beats(replace(Chorale.of(chords), key=C_MAJOR))
    ]

    assert found == [[], ["outside the key: S"], ["outside the key: T"]]


def test_rhythm_counts_what_begins_on_a_beat_or_inside_it() -> None:
    moving = [C, C, (74, 67, 64, 48), (74, 67, 64, 48)]
    piece = Chorale.of(np.array([*moving, *[DM] * 4]))

    first, second = ([*features.rhythm_features(beat)] for beat in beats(piece))

    assert first == ["moves inside beat 1: True", "voices together off the beat: other"]
    assert second == ["voices struck on beat 2: 3"]


def test_two_beats_in_a_row_may_move() -> None:
    moving = [C, C, (74, 65, 64, 48), (74, 65, 64, 48)] * 2
    second = list(beats(Chorale.of(np.array(moving))))[-1]

    assert "two beats move" in list(features.rhythm_features(second))
    assert "voices together off the beat: 2" in list(features.rhythm_features(second))


def test_upper_voices_that_rest_are_counted() -> None:
    (beat,) = of((REST, 67, REST, REST))

    assert "rests: 2" in list(features.rhythm_features(beat))


def test_a_fermata_is_told_apart() -> None:
    piece = replace(Chorale.of(np.array([C] * 4)), fermatas=np.ones(4, dtype=bool))
    (beat,) = beats(piece)

    assert "chord, fermata: major" in list(features.features(beat))
    assert "moves inside beat 1, fermata: False" in list(features.features(beat))


def test_motion_to_a_beat_counts_voices_directions_and_crossings() -> None:
    _, beat = of(C, (74, 69, 65, 47))
    found = Counter(features.counterpoint_features(beat))

    assert found["voices that move: 4"] == found["three in one direction"] == 1
    assert found["motion of SB: contrary"] == found["motion of AT: similar"] == 1
    assert found["motion of TB: other"] == 1
    assert found["parallel thirds or sixths of SA: False"] == 1

    _, beat = of(C, (72, 64, 67, 48))
    crossed = set(features.counterpoint_features(beat))
    assert crossed >= {"same chord on two beats", "crossing", "distance of A and T: -2"}


@pytest.mark.parametrize("seed", range(3))
def test_chords_are_those_of_set_g(seed: int) -> None:
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


def soprano(*pitches: int, onsets: set[int]) -> Chorale:
    table = np.full((len(pitches), 4), REST)
    table[:, Voice.SOPRANO] = pitches
    begun = np.zeros(table.shape, dtype=bool)
    begun[sorted(onsets), Voice.SOPRANO] = True
    return Chorale.of(table, onsets=begun)


def test_each_beat_ends_with_its_own_four_steps() -> None:
    piece = replace(random_chorale(1, 48), pickup=0)

    found = list(beats(piece))

    assert [beat.number for beat in found] == [1, 2, 3, 4] * 3
    for number, beat in enumerate(found):
        stop = 4 * number + 4
        assert beat.pitches == piece.pitches[max(stop - CONTEXT_STEPS, 0) : stop].tolist()
        assert beat.onsets == piece.onsets[max(stop - CONTEXT_STEPS, 0) : stop].tolist()
        assert beat.chord == piece.pitches[4 * number].tolist()


def test_whole_beats_are_counted_from_the_bar_line() -> None:
    piece = replace(random_chorale(1, 48), pickup=12)

    assert [beat.number for beat in beats(piece)][:5] == [2, 3, 4, 1, 2]

    piece = replace(random_chorale(1, 18), pickup=2)

    assert [beat.position for beat in beats(piece)] == [0, 4, 8, 12]

    assert len(list(beats(replace(random_chorale(1, 7), pickup=0)))) == 1


def test_a_beat_knows_the_one_before_it_but_no_notes_far_before() -> None:
    first, second = beats(replace(random_chorale(1, 8), pickup=0))

    assert first.chord_before is None
    assert second.chord_before == first.chord

    piece = soprano(*[60] * 16, onsets=set(range(0, 16, 2)))

    *_, last = beats(piece)

    assert [note.start for note in last.notes(Voice.SOPRANO, before=2)] == [8, 10, 12, 14]


def test_a_beat_knows_its_fermata_and_its_key() -> None:
    piece = replace(random_chorale(1, 8), key=Key("G", "minor"), pickup=0, meter=Meter(2, 4))
    piece = replace(piece, fermatas=np.arange(8) >= 4)

    assert [(beat.has_fermata, beat.key) for beat in beats(piece)] == [
        (False, piece.key),
        (True, piece.key),
    ]


def test_notes_end_at_the_next_note_at_a_rest_or_at_the_end() -> None:
    piece = soprano(60, 60, 60, REST, 62, 62, 62, 64, onsets={0, 2, 4, 7})

    (_, last) = beats(piece)

    assert last.notes(Voice.SOPRANO, before=2) == [
        Note(0, 2, 60),
        Note(2, 1, 60),
        Note(4, 3, 62),
        Note(7, 1, 64),
    ]
    assert last.notes(Voice.BASS, before=2) == []


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
