"""Each rule on the smallest music that breaks it, and on music that nearly does."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.analysis.voice_leading import Finding
from musicrel.chorale import REST, Chorale, Key, Voice

S, A, T, B = Voice


def piece(*chords: tuple[int, int, int, int], key: str = "C major") -> Chorale:
    return Chorale.of(chords, key=Key.parse(key))


def voices_found(rule: str, music: Chorale) -> list[tuple[Voice, ...]]:
    return [finding.voices for finding in voice_leading.find(music, (rule,))]


def outer(*pairs: tuple[int, int]) -> Chorale:
    """Build a piece of soprano and bass alone."""
    return Chorale.of([(soprano, REST, REST, bass) for soprano, bass in pairs])


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ("parallel_fifths", [(67, 60), (69, 62)]),
        ("parallel_fifths", [(67, 60), (81, 62)]),  # fifth to twelfth
        ("parallel_fifths", [(60, 67), (62, 69)]),  # voices crossed
        ("parallel_octaves", [(72, 60), (74, 62)]),
        ("parallel_octaves", [(72, 60), (74, 74)]),  # into the unison
        ("parallel_unisons", [(60, 60), (62, 62)]),
        ("contrary_perfects", [(67, 60), (69, 50)]),
        ("contrary_perfects", [(72, 60), (74, 50)]),
        ("hidden_fifths", [(64, 60), (69, 62)]),
        ("hidden_octaves", [(67, 60), (74, 62)]),
        ("hidden_octaves", [(67, 60), (62, 50)]),  # downwards
    ],
)
def test_a_forbidden_motion_is_found_at_the_step_it_leads_to(
    rule: str, pairs: list[tuple[int, int]]
) -> None:
    """The finding has the voices and the step before; there is no other."""
    finding = Finding(rule=rule, step=1, stop=2, voices=(S, B), previous=0)
    assert voice_leading.find(outer(*pairs), (rule,)) == [finding]


@pytest.mark.parametrize(
    ("rule", "pairs"),
    [
        ("parallel_fifths", [(67, 60), (67, 60)]),  # nobody moves
        ("parallel_fifths", [(67, 60), (68, 62)]),  # to a diminished fifth
        ("parallel_fifths", [(67, 60), (69, 50)]),  # contrary motion
        ("parallel_octaves", [(60, 60), (62, 62)]),  # unisons have a rule of their own
        ("parallel_unisons", [(72, 60), (74, 62)]),
        ("contrary_perfects", [(60, 60), (67, 55)]),  # out of the unison
        ("contrary_perfects", [(72, 60), (67, 67)]),  # into it
        ("hidden_fifths", [(67, 60), (69, 62)]),  # already a fifth: parallel
        ("hidden_fifths", [(67, 59), (69, 62)]),  # the soprano goes by step
        ("hidden_fifths", [(76, 60), (69, 62)]),  # contrary motion
        ("hidden_octaves", [(64, 60), (69, 62)]),  # another interval
    ],
)
def test_a_motion_that_is_nearly_forbidden_is_not_found(
    rule: str, pairs: list[tuple[int, int]]
) -> None:
    """Oblique, contrary, stepwise or imperfect."""
    assert voice_leading.find(outer(*pairs), (rule,)) == []


def test_inner_voices_have_no_hidden_fifths() -> None:
    """The rule is about soprano and bass."""
    assert voices_found("hidden_fifths", piece((76, 64, 60, 48), (76, 69, 62, 48))) == []


def test_parallels_are_looked_for_in_all_pairs() -> None:
    """Four voices a fifth and an octave apart, all moving up."""
    music = piece((72, 67, 60, 48), (74, 69, 62, 50))
    assert voices_found("parallel_fifths", music) == [(A, T), (A, B)]
    assert voices_found("parallel_octaves", music) == [(S, T), (S, B), (T, B)]


def test_repeated_notes_make_no_parallels() -> None:
    """A repeated fifth does not move."""
    held = np.array([(67, REST, REST, 60)] * 2)
    music = Chorale.of(held, onsets=held != REST)
    assert voice_leading.find(music, voice_leading.PARALLELS) == []


def test_parallels_are_found_where_notes_are_long() -> None:
    """The finding is at the step of the change."""
    music = outer((67, 60), (67, 60), (69, 62), (69, 62))
    assert [finding.step for finding in voice_leading.find(music)] == [2]


def test_a_rest_breaks_parallels_and_leaps() -> None:
    """A rest in both voices, or in one of them."""
    music = outer((67, 60), (REST, REST), (69, 62), (REST, 60), (83, 64))
    assert voice_leading.find(music, (*voice_leading.PARALLELS, "wide_leap")) == []


def test_crossing_is_one_finding_as_long_as_it_lasts() -> None:
    """It extends from the first step of the passage to the one after it."""
    music = piece((60, 67, 55, 48), (60, 65, 55, 48), (72, 65, 55, 48))
    assert voice_leading.find(music, ("crossing",)) == [
        Finding(rule="crossing", step=0, stop=2, voices=(S, A))
    ]


def test_a_unison_is_no_crossing_and_a_rest_neither() -> None:
    """Crossing requires a strictly lower pitch."""
    assert voices_found("crossing", piece((60, 60, REST, 48), (REST, 60, 60, 48))) == []


@pytest.mark.parametrize(
    ("second", "voices"),
    [((69, 68, 55, 48), (S, A)), ((72, 71, 55, 48), (S, A)), ((67, 60, 50, 48), None)],
)
def test_overlap_is_beyond_what_the_neighbour_just_had(
    second: tuple[int, int, int, int], voices: tuple[Voice, ...] | None
) -> None:
    """The alto rises above the soprano's last note; reaching it is allowed."""
    music = piece((67, 60, 55, 48), second)
    assert voices_found("overlap", music) == ([voices] if voices else [])


def test_overlap_is_found_downwards_too() -> None:
    """The soprano falls below the alto's last note."""
    assert voices_found("overlap", piece((67, 65, 55, 48), (64, 60, 55, 48))) == [(S, A)]


def test_spacing_leaves_the_bass_out() -> None:
    """Soprano over alto and alto over tenor more than an octave; tenor over bass may be."""
    music = piece((79, 66, 53, 38), (78, 66, 54, 38))
    assert voices_found("spacing", music) == [(S, A), (A, T)]


def test_a_rest_is_not_wide_spacing() -> None:
    """A rest has no distance."""
    assert voices_found("spacing", piece((79, REST, 65, 48))) == []


def test_notes_out_of_range_are_found() -> None:
    """One semitone beyond either end, none at the ends."""
    music = piece((82, 53, 44, 36), (81, 53, 45, 64))
    assert voices_found("range", music) == [(S,), (T,)]


def test_leaps_are_measured_in_every_voice() -> None:
    """An octave is allowed, thirteen semitones are not; a tritone and a seventh are awkward."""
    music = piece((60, 60, 50, 40), (73, 72, 56, 50))
    assert voices_found("wide_leap", music) == [(S,)]
    assert voices_found("awkward_leap", music) == [(T,), (B,)]


DOMINANT = (71, 67, 62, 43)


@pytest.mark.parametrize(
    ("tonic", "found"),
    [
        ((72, 67, 64, 48), []),  # it rises to the tonic
        ((67, 64, 60, 48), [(S,)]),  # it falls to the fifth
        ((67, 64, 60, 52), []),  # the tonic is not in the bass: no full close
        ((69, 65, 60, 48), []),  # not the tonic's chord
        ((REST, 64, 60, 48), []),  # it falls silent
    ],
)
def test_the_leading_tone_of_the_soprano_rises_at_a_full_close(
    tonic: tuple[int, int, int, int], found: list[tuple[Voice, ...]]
) -> None:
    """V to I with the tonic in the bass, in the key of the piece."""
    assert voices_found("leading_tone", piece(DOMINANT, tonic)) == found


def test_the_leading_tone_may_fall_in_an_inner_voice() -> None:
    """Bach's altos and tenors do so."""
    music = piece((67, 65, 59, 43), (67, 64, 55, 48))
    assert voices_found("leading_tone", music) == []


def test_after_a_fermata_the_leading_tone_is_free() -> None:
    """A half cadence ended its phrase."""
    music = Chorale.of([DOMINANT, (67, 64, 60, 48)], fermatas=np.array([True, False]))
    assert voices_found("leading_tone", music) == []


def test_in_another_key_the_same_notes_are_no_full_close() -> None:
    """G to C is an authentic cadence in C only."""
    assert voices_found("leading_tone", piece(DOMINANT, (67, 64, 60, 48), key="G major")) == []
