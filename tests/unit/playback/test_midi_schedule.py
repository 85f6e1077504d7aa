"""The schedule of note events, from any position, with and without loops."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.playback.midi_schedule import Click, ClickTimes, Event, events
from musicrel.score.performance import Performance, Style, perform
from tests.helpers.music import random_chorale


def _scale() -> Performance:
    """Return a soprano of four notes of a quarter second, over one tenor note."""
    pitches = [[pitch, -1, 48, -1] for pitch in (60, 62, 64, 65) for _ in range(4)]
    return perform(Chorale.of(pitches, tempo=60), Style(fermata_stretch=1))


def _summary(
    found: list[Event | Click], voice: Voice = Voice.SOPRANO
) -> list[tuple[object, bool, int]]:
    return [
        (pytest.approx(event.seconds), event.note_on, event.pitch)
        for event in found
        if isinstance(event, Event) and event.voice == voice
    ]


def test_each_note_is_struck_and_let_go_in_order() -> None:
    """One ends before the next begins at the same moment."""
    found = [event for event in events(_scale(), 0, None) if isinstance(event, Event)]

    assert [(event.seconds, event.note_on, event.pitch) for event in found] == [
        (0, True, 60), (0, True, 48), (1, False, 60), (1, True, 62), (2, False, 62),
        (2, True, 64), (3, False, 64), (3, True, 65), (4, False, 65), (4, False, 48),
    ]  # fmt: skip


def test_from_the_middle_what_sounds_there_is_struck_at_once() -> None:
    """Notes that ended before are left out."""
    found = list(events(_scale(), 2.5, None))

    assert _summary(found) == [(0, True, 64), (0.5, False, 64), (0.5, True, 65), (1.5, False, 65)]
    assert _summary(found, Voice.TENOR) == [(0, True, 48), (1.5, False, 48)]


def test_a_loop_repeats_and_ends_what_sounds_at_its_end() -> None:
    """From before the loop, the approach is played once."""
    found = list(islice(events(_scale(), 0.0, (1.0, 2.5)), 30))

    assert _summary(found)[:8] == [
        (0, True, 60), (1, False, 60), (1, True, 62), (2, False, 62),
        (2, True, 64), (2.5, False, 64), (2.5, True, 62), (3.5, False, 62),
    ]  # fmt: skip
    assert _summary(found, Voice.TENOR)[:4] == [
        (0, True, 48), (2.5, False, 48), (2.5, True, 48), (4.0, False, 48),
    ]  # fmt: skip


def test_behind_a_loop_the_piece_goes_on_to_its_end() -> None:
    """The audio does the same."""
    assert list(events(_scale(), 3.0, (1.0, 2.5))) == list(events(_scale(), 3.0, None))


def test_nothing_happens_after_the_end() -> None:
    """Nor in a loop that is there."""
    assert list(events(_scale(), 4.0, None)) == []
    assert list(events(_scale(), 9.0, (9.0, 12.0))) == []


def test_notes_of_a_voice_never_overlap_and_all_end() -> None:
    """From any second of any piece, in any loop."""
    performance = perform(random_chorale(5, steps=60))
    rng = np.random.default_rng(1)
    for _ in range(40):
        start, first = rng.uniform(0, performance.times.seconds, 2)
        loop = (float(first), float(first + rng.uniform(0.2, 3)))
        sounding: set[tuple[Voice, int]] = set()
        last = 0.0
        for event in islice(events(performance, float(start), loop), 300):
            assert isinstance(event, Event)
            note = (event.voice, event.pitch)
            assert event.seconds >= last - 1e-9
            assert event.note_on != (note in sounding)
            last = event.seconds
            (sounding.add if event.note_on else sounding.remove)(note)
            assert len(sounding) == len({voice for voice, _pitch in sounding})


def test_clicks_are_scheduled_with_the_notes_after_the_count_in() -> None:
    """Those of a loop repeat, those of the count-in do not."""
    clicks = ClickTimes(
        piece=tuple(Click(second, 1) for second in (0.0, 1.0, 2.0, 3.0)),
        count_in=(Click(0.0, 0, counts_in=True), Click(0.5, 1, counts_in=True)),
        lead=1.0,
    )

    found = list(islice(events(_scale(), 1.0, (1.0, 3.0), clicks), 40))

    clicked = [(each.seconds, each.counts_in) for each in found if isinstance(each, Click)]
    assert clicked[:7] == [
        (0.0, True), (0.5, True), (1.0, False), (2.0, False), (3.0, False), (4.0, False),
        (5.0, False),
    ]  # fmt: skip
    assert _summary(found)[:2] == [(1.0, True, 62), (2.0, False, 62)]
