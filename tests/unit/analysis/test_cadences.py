"""The kinds of cadence, by hand and in Bach's chorales."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import cadences, keys
from musicrel.analysis.cadences import PhraseEnd
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key
from tests.helpers.music import random_chorale

C, F, G, AM, D7, DM = (
    (72, 67, 64, 48), (72, 69, 65, 53), (71, 67, 62, 55), (72, 69, 64, 57), (72, 66, 62, 50),
    (74, 69, 65, 50),
)  # fmt: skip
E7 = (71, 68, 62, 52)
G7, B_DIMINISHED, C_SIXTH = (71, 65, 62, 55), (71, 65, 62, 62), (72, 67, 60, 52)


def piece(*chords: tuple[int, ...], held: int = 4, key: str = "C major") -> Chorale:
    pitches = np.repeat(np.array(chords), 4, axis=0)
    fermatas = np.arange(len(pitches)) >= len(pitches) - held
    return Chorale.of(pitches, fermatas=fermatas, key=Key.parse(key))


@pytest.mark.parametrize(
    ("chords", "kind"),
    [
        ((C, G, C), "authentic"),
        ((C, G7, C), "authentic"),
        ((C, B_DIMINISHED, C), "authentic"),
        ((C, D7, G), "authentic"),  # in the key of the dominant
        ((C, G7, C_SIXTH), ""),  # the root is not in the bass
        ((C, F, G), "half"),
        ((C, G, G), "half"),
        ((G, F, C), "plagal"),
        ((C, G, AM), "deceptive"),
        ((C, F, DM), ""),
        ((C, G, (72, 71, 65, 48)), ""),  # no triad at all
    ],
)
def test_a_cadence_is_classified_by_its_last_two_harmonies(
    chords: tuple[tuple[int, ...], ...], kind: str
) -> None:
    music = piece(*chords)
    (close,), (moved,) = map(cadences.phrase_ends, (music, music.transposed(-3)))
    assert (*close[:3], moved.kind) == (8, 12, kind, kind)


@pytest.mark.parametrize(
    ("chords", "key", "found"),
    [
        ((C, G, C), "C major", None),
        ((C, G, C), "C minor", None),  # a Picardy third leaves the key alone
        ((C, D7, G), "C major", "G major"),
        ((C, E7, AM), "C major", "A minor"),
        ((C, D7, G), "D minor", "G major"),
        ((C, F, G), "C major", None),  # a half cadence is one of the piece's key
    ],
)
def test_an_authentic_cadence_elsewhere_names_its_key(
    chords: tuple[tuple[int, ...], ...], key: str, found: str | None
) -> None:
    (close,) = cadences.phrase_ends(piece(*chords, key=key))
    assert close.key == (Key.parse(found) if found else None)


def test_the_key_of_a_cadence_is_spelled_as_its_piece() -> None:
    """F sharp major from B major, G flat major from D flat major."""
    sharp, flat = piece(C, D7, G).transposed(-1), piece(C, D7, G, key="C major").transposed(-1)
    for music, home, found in ((sharp, "B major", "F# major"), (flat, "Cb major", "Gb major")):
        (close,) = cadences.phrase_ends(replace(music, key=Key.parse(home)))
        assert close.key == Key.parse(found)


@pytest.mark.parametrize(
    ("chord", "kind", "roots"),
    [
        (G7, "authentic", {0}),
        (D7, "authentic", {7}),
        (G, "deceptive", {8, 9}),
        (F, "deceptive", set()),
        (F, "plagal", {0}),
        (G, "plagal", set()),
        (F, "half", {7}),
        (D7, "half", set()),  # its own dominant makes it an authentic one
    ],
)
def test_the_chord_before_tells_the_roots_of_a_cadence(
    chord: tuple[int, ...], kind: str, roots: set[int]
) -> None:
    before = piece(C, chord).pitches[4:]
    assert cadences.last_roots(kind, before, 0) == roots
    moved = {(root + 3) % 12 for root in roots}
    assert cadences.last_roots(kind, before + 3, 3) == moved


def test_a_deceptive_cadence_in_minor_rises_a_semitone() -> None:
    music = piece((69, 64, 60, 57), (68, 64, 59, 52), (69, 65, 60, 53), key="A minor")
    assert cadences.phrase_ends(music)[0].kind == "deceptive"


def test_passing_notes_do_not_hide_a_cadence() -> None:
    quarter = [(74, 67, 62, 55), (74, 67, 62, 55), (72, 67, 62, 55), (71, 65, 62, 55)]
    held = [(72, 67, 65, 48)] * 2 + [(72, 67, 64, 48)] * 2
    fermatas = np.arange(8) >= 4
    music = Chorale.of(quarter + held, fermatas=fermatas, key=Key("C", "major"))
    assert cadences.phrase_ends(music) == (PhraseEnd(4, 8, "authentic"),)


def test_every_fermata_ends_a_phrase_and_so_does_the_last_note() -> None:
    """The last note needs no fermata, silence after it is ignored; the key may be unknown."""
    pitches = np.repeat(np.array([C, G, C, F, G, C, [REST] * 4]), 4, axis=0)
    fermatas = np.zeros(28, dtype=np.bool_)
    fermatas[16:20] = True
    music = Chorale.of(pitches, fermatas=fermatas)
    assert cadences.phrase_ends(music) == (
        PhraseEnd(16, 20, "half"),
        PhraseEnd(20, 24, "authentic"),
    )


def test_a_triad_over_a_resting_bass_is_in_no_position() -> None:
    """Of B major, too, whose root has the number that a rest would have."""
    for root in (60, 71):
        chord = np.array([root + 7, root + 4, root, REST], dtype=np.int16)
        assert not cadences.is_root_position(chord)
        chord[3] = root - 12
        assert cadences.is_root_position(chord)


def test_a_tenor_below_the_bass_decides_on_the_position() -> None:
    above = np.array([72, 67, 48, 64], dtype=np.int16)  # E in the bass, and C below it
    assert cadences.is_root_position(above)
    above[2:] = 52, 60
    assert not cadences.is_root_position(above)


def test_most_cadences_of_bach_are_authentic() -> None:
    pieces = [cadences.phrase_ends(one) for one in bundled.load("test")]
    inner = Counter(close.kind for phrase_ends in pieces for close in phrase_ends[:-1])
    last = Counter(phrase_ends[-1].kind for phrase_ends in pieces)

    assert 0.55 < inner["authentic"] / inner.total() < 0.75
    assert last["authentic"] / last.total() > 0.75
    assert set(cadences.KINDS) <= set(inner)
    assert inner[""] / inner.total() < 0.25


CADENCE = np.array([[69, 65, 60, 53], [71, 67, 62, 55], [72, 67, 64, 48]], dtype=np.int16)


def test_a_cadence_or_a_short_tune_with_a_minor_third_determines_its_key() -> None:
    assert keys.estimate(CADENCE) == Key("C", "major")
    assert keys.estimate(CADENCE + np.int16(2)) == Key("D", "major")

    line = [69, 72, 71, 69, 68, 69]
    alone = np.full((6, 4), REST, dtype=np.int16)
    alone[:, 2] = line
    assert keys.estimate(alone) == Key("A", "minor")


@pytest.mark.parametrize("seed", range(5))
def test_a_fit_is_the_correlation_with_the_profile(seed: int) -> None:
    pitches = random_chorale(seed, 40).pitches
    duration = np.bincount(pitches[pitches != REST] % 12, minlength=12)
    of_keys = keys.correlations(pitches)
    assert len(of_keys) == 24
    for key, fit in of_keys.items():
        profile = np.roll(keys.KRUMHANSL_KESSLER[key.mode], key.pitch_class)
        assert fit == pytest.approx(np.corrcoef(duration, profile)[0, 1], abs=1e-12)


def test_only_a_sounding_piece_without_a_key_gets_one() -> None:
    piece = Chorale.of(CADENCE)
    assert keys.with_key(piece).key == Key("C", "major")
    named = replace(piece, key=Key("A", "minor"))
    assert keys.with_key(named) is named
    silent = Chorale.of(np.full((4, 4), REST))
    assert keys.with_key(silent).key is None


@pytest.mark.parametrize("semitones", [0, 5])
@pytest.mark.parametrize("tune", ["C D E F G F E D", "C B C", "E F E", "G E C", "C"])
def test_a_short_tune_in_the_white_notes_is_in_c_major(tune: str, semitones: int) -> None:
    pitches = {"C": 72, "D": 74, "E": 76, "F": 77, "G": 67, "B": 71}
    line = [(pitches[name] + semitones,) for name in tune.split()]
    assert keys.estimate(np.array(line, dtype=np.int16)) == Key.of(semitones, "major")


@pytest.mark.parametrize(
    ("tune", "key"),
    [("C E G E C D E C D B A", "A minor"), ("A C E C A B C A G B C", "C major")],
)
def test_the_last_note_decides_between_relative_keys(tune: str, key: str) -> None:
    pitches = {"C": 72, "D": 74, "E": 76, "G": 67, "A": 69, "B": 71}
    line = np.array([(pitches[name],) for name in tune.split()], dtype=np.int16)
    assert keys.estimate(line) == Key.parse(key)


def test_four_voices_are_judged_by_correlation_alone() -> None:
    for seed in range(5):
        pitches = random_chorale(seed, 40).pitches
        of_keys = keys.correlations(pitches)
        assert keys.estimate(pitches) == max(of_keys, key=of_keys.__getitem__)
