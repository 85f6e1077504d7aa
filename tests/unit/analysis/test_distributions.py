"""The eight distributions of a piece, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import distributions
from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError

CADENCE = Chorale.of(
    [(69, 65, 60, 53), (71, 67, 62, 55), (71, 67, 62, 55), (72, 67, 64, 48), (72, REST, 64, 48)]
)
"""F, G, C major, the alto silent at the end."""


def counts(feature: str, music: Chorale = CADENCE) -> dict[str, int]:
    return dict(distributions.of(music).counts[feature])


def test_notes_are_degrees_of_the_estimated_key() -> None:
    """Every cell of the grid counts, a rest as a rest."""
    assert distributions.of(CADENCE).mode == "major"
    assert counts("note") == {"0": 5, "7": 5, "4": 2, "5": 2, "9": 1, "11": 2, "2": 2, "rest": 1}
    assert counts("note", CADENCE.transposed(3)) == counts("note")


def test_rhythms_are_the_lengths_of_all_events() -> None:
    """The alto's rest has the length of a sixteenth."""
    assert counts("rhythm") == {"1": 5, "2": 6, "3": 1}


def test_harmonies_are_pitch_class_sets_up_to_transposition() -> None:
    """Three major triads and, without the fifth, a third."""
    assert counts("harmony") == {"0 3 8": 3, "0 4": 1}


@pytest.mark.parametrize(
    ("pitch_classes", "name"),
    [
        (0b10010001, "0 3 8"),
        (0b10001001, "0 3 7"),
        (0b100100001, "0 3 7"),
        (1, "0"),
        (0, "silence"),
    ],
)
def test_a_set_class_is_the_same_on_every_root(pitch_classes: int, name: str) -> None:
    """C major, C minor, F minor, one note, none."""
    assert distributions.set_class(pitch_classes) == name


def test_intervals_are_signed_semitones_of_each_voice() -> None:
    """Repeats merged; each voice has its own."""
    assert counts("soprano") == {"+2": 1, "+1": 1}
    assert counts("bass") == {"+2": 1, "-7": 1}


def test_a_rest_inside_a_voice_is_skipped() -> None:
    """The interval is from the note before to the note after, which may be the same."""
    music = Chorale.of([(60, 60, 55, 48), (REST, 60, 55, 48), (60, 62, 55, 48)])
    assert counts("soprano", music) == {"+0": 1}


def test_a_voice_that_never_moves_has_an_interval_of_its_own() -> None:
    """A static voice must not be near to Bach."""
    assert counts("tenor", Chorale.of([(60, 60, 55, 48)])) == {distributions.NO_INTERVAL: 1}


def test_parallels_are_fifths_and_octaves() -> None:
    """All pairs of voices count; unisons are counted as octaves."""
    music = Chorale.of([(72, 67, 60, 60), (74, 69, 62, 62)])
    assert counts("parallels", music) == {"fifths": 2, "octaves": 3}
    assert counts("parallels", Chorale.of([(60, 60, 55, 48)])) == {}


def test_repeated_notes_are_merged() -> None:
    """JSB16 does not distinguish them from held ones."""
    repeated = Chorale.of(CADENCE.pitches, onsets=CADENCE.pitches != REST)
    assert distributions.of(repeated) == distributions.of(CADENCE)


def test_symbols_come_in_the_order_of_their_first_occurrence() -> None:
    """This order breaks ties between equally frequent symbols."""
    music = Chorale.of(np.array([[72], [76], [74], [75]]) - np.array([0, 7, 12, 24]))
    assert list(counts("soprano", music)) == ["+4", "-2", "+1"]


def test_a_silent_piece_is_refused() -> None:
    """There is nothing to compare."""
    with pytest.raises(DataError, match="Pause has no note"):
        distributions.of(Chorale.of([[REST] * 4], title="Pause"))
