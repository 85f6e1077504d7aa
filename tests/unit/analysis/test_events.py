"""Notes and sonorities of the grid."""

from __future__ import annotations

import numpy as np

from musicrel.analysis import events
from musicrel.chorale import REST, Chorale


def test_events_are_pitches_and_lengths_rests_among_them() -> None:
    """The steps of a voice become notes and rests."""
    pitches, lengths = events.merge_repeats(np.array([60, 60, REST, 62], dtype=np.int16))
    assert pitches.tolist() == [60, REST, 62]
    assert lengths.tolist() == [2, 1, 1]


def test_notes_are_counted_over_all_voices_without_rests() -> None:
    """Two in the soprano, one in each other voice but the silent alto."""
    music = Chorale.of([(60, REST, 55, 48), (62, REST, 55, 48)])
    assert events.count_notes(music.pitches) == 4


def test_a_sonority_begins_where_any_voice_changes() -> None:
    """The first step begins one, too."""
    music = Chorale.of([(60, 57, 55, 48), (60, 57, 55, 48), (60, 57, REST, 48)])
    assert events.sonority_onsets(music.pitches).tolist() == [True, False, True]


def test_pitch_class_sets_count_from_the_tonic() -> None:
    """C E G relative to C and to G; silence is the empty set."""
    music = Chorale.of([(72, 67, 64, 48), (REST, REST, REST, REST)])
    assert events.pitch_class_sets(music.pitches).tolist() == [0b10010001, 0]
    assert events.pitch_class_sets(music.pitches, 7).tolist() == [0b1000100001, 0]
