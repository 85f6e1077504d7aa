"""The windows of a search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from musicrel.chorale import Key
from musicrel.generation.causal import search_windows
from musicrel.generation.causal.search_windows import Window
from musicrel.generation.phrasing import drawn_cadences
from musicrel.generation.phrasing.phrase_ends import PhraseEnd, planned_ends
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec

PHRASES = GenerationRequest(bars=4, phrases=(2, 2))
C_MAJOR = Key("C", "major")
KNOWN = ("fermata", "ending")
FIRST, LAST = PhraseEnd(24, 32, ""), PhraseEnd(56, 64, "")


def locked_tokens(steps: int, *free: tuple[int, int], voices: int = 4) -> codec.Ids:
    """Return locked tokens, free in some voices over some spans of steps."""
    tokens = np.ones((steps, 4), dtype=np.int64)
    for start, stop in free:
        tokens[start:stop, :voices] = -1
    return tokens.reshape(-1)


def test_phrases_end_with_their_fermatas() -> None:
    """A fermata lasts from the last strong beat to the end of its phrase."""
    assert planned_ends(PHRASES.plan(), KNOWN, ("",)) == [FIRST, LAST]


def test_a_piece_without_phrases_has_one_end() -> None:
    """Its last quarter."""
    plan = replace(PHRASES, phrases=()).plan()
    assert planned_ends(plan, KNOWN, ("",)) == [PhraseEnd(60, 64, "")]


def test_ends_that_a_model_does_not_know_of_are_left_out() -> None:
    """Unless a cadence is requested there."""
    plan = PHRASES.plan()
    assert planned_ends(plan, ("ending",), ("",)) == [LAST]
    assert planned_ends(plan, (), ("",)) == []
    assert planned_ends(plan, (), ("half", "")) == [FIRST._replace(kind="half")]


def test_one_requested_cadence_is_for_all_phrases() -> None:
    """Several are one for each."""
    plan = PHRASES.plan()
    both = planned_ends(plan, KNOWN, ("authentic",))
    each = planned_ends(plan, KNOWN, ("half", "authentic"))
    assert [end.kind for end in both] == ["authentic", "authentic"]
    assert [end.kind for end in each] == ["half", "authentic"]


def test_each_phrase_is_a_window() -> None:
    """No locked cell follows."""
    assert search_windows.windows([FIRST, LAST], np.full(256, -1), 1) == [
        Window(first=1, last=128, read=128, ends=(FIRST,), is_open=True),
        Window(first=129, last=256, read=256, ends=(LAST,), is_open=True),
    ]


def test_a_long_phrase_has_several_windows() -> None:
    """Two bars each; three bars before its last chord are not divided."""
    free = np.full(480, -1)
    (three,) = search_windows.windows([PhraseEnd(44, 48, "")], free, 1)
    begin, middle, end = search_windows.windows([PhraseEnd(112, 120, "")], free, 1)
    assert (three.first, three.last) == (1, 192)
    assert [(each.first, each.last) for each in (begin, middle, end)] == [
        (1, 128),
        (129, 256),
        (257, 480),
    ]
    assert not begin.ends
    assert not middle.ends
    assert end.ends


def test_the_chord_before_a_long_last_one_is_in_its_window() -> None:
    """So that it can be chosen for the cadence."""
    long = PhraseEnd(64, 128, "")
    *_, last = search_windows.windows([long], np.full(512, -1), 1)
    assert last.first < long.approach.start


def test_a_prompt_is_not_searched() -> None:
    """A window begins after it, and a phrase that it ends has none."""
    prompt = locked_tokens(64, (30, 64))
    assert search_windows.windows([FIRST, LAST], prompt, 1) == [
        Window(first=121, last=128, read=128, ends=(FIRST,), is_open=True),
        Window(first=129, last=256, read=256, ends=(LAST,), is_open=True),
    ]
    longer = locked_tokens(64, (40, 64))
    assert search_windows.windows([FIRST, LAST], longer, 1) == [
        Window(first=161, last=256, read=256, ends=(LAST,), is_open=True),
    ]


def test_how_a_free_phrase_closes_is_drawn_with_the_seed() -> None:
    """The last phrase closes on the tonic; every seed draws its own."""
    inner, final = search_windows.windows([FIRST, LAST], np.full(256, -1), 1)
    for seed in range(50):
        (first,) = inner.with_drawn_closes(seed, 64, C_MAJOR).ends
        (last,) = final.with_drawn_closes(seed, 64, C_MAJOR).ends
        assert first.kind == drawn_cadences.draw_within(seed, FIRST.step, search_windows._LEFT_OPEN)
        assert (last.kind, 0, last.prepared) == drawn_cadences.draw_last(seed, LAST.step)
        assert first.is_drawn
    assert len({inner.with_drawn_closes(seed, 64, C_MAJOR) for seed in range(50)}) > 2


def test_a_requested_cadence_is_not_drawn_again() -> None:
    """Neither are those over notes that are given."""
    *_, asked = search_windows.windows([LAST._replace(kind="plagal")], np.full(256, -1), 1)
    melody = locked_tokens(64, (0, 64), voices=3)
    for window in (asked, *search_windows.windows([FIRST, LAST], melody, 1)):
        assert window.ends
        assert all(window.with_drawn_closes(seed, 64, C_MAJOR) == window for seed in range(10))


def test_free_cells_before_locked_ones_are_one_window() -> None:
    """It reads four quarters beyond its last free cell."""
    rewritten = locked_tokens(64, (16, 48), voices=2)
    assert search_windows.windows([FIRST, LAST], rewritten, 65) == [
        Window(first=65, last=190, read=256, ends=(FIRST, LAST))
    ]


def test_a_long_passage_has_several_windows() -> None:
    """Two bars each; a short rest belongs to the last one."""
    rewritten = locked_tokens(128, (0, 76), voices=3)
    found = search_windows.windows([], rewritten, 1)
    assert [(window.first, window.last, window.read) for window in found] == [
        (1, 127, 192),
        (129, 303, 368),
    ]


def test_locked_cells_between_free_ones_are_not_searched() -> None:
    """The window after them begins with the next free cell."""
    rewritten = locked_tokens(128, (0, 8), (100, 108))
    found = search_windows.windows([], rewritten, 1)
    assert [(window.first, window.last, window.read) for window in found] == [
        (1, 32, 96),
        (401, 432, 496),
    ]


def test_nothing_is_searched_beyond_the_last_end() -> None:
    """A model that knows of no end writes without a search."""
    (window,) = search_windows.windows([FIRST], np.full(256, -1), 1)
    assert window.last == FIRST.last
    assert search_windows.windows([], np.full(256, -1), 1) == []


def test_nothing_is_searched_where_all_is_locked() -> None:
    """There is no free cell."""
    assert search_windows.windows([FIRST, LAST], locked_tokens(64), 1) == []


def test_particles_are_resampled_on_beats_and_within_a_requested_cadence() -> None:
    """Before each note of the last chord."""
    asked = Window(first=209, last=256, read=256, ends=(PhraseEnd(58, 64, "half"),))
    beats = [209, 225, 241]
    assert [index for index in range(209, 257) if asked.is_checkpoint(index)] == [
        *beats[:2],
        *range(233, 238),
        beats[2],
    ]
    free = replace(asked, ends=(LAST,))
    assert [index for index in range(209, 257) if free.is_checkpoint(index)] == beats
