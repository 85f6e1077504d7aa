"""The tape deck: what is read in which order, and where the playhead is when it is heard."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from musicrel.playback.transport import Transport


@dataclass(frozen=True)
class Tape:
    """Nothing but its length and a name."""

    frames: int = 1000
    name: str = "A"


@pytest.fixture
def deck() -> Transport[Tape]:
    """A tape of 1,000 frames that runs."""
    deck = Transport(Tape())
    deck.runs = True
    return deck


def _read(deck: Transport[Tape], frames: int) -> list[tuple[int, int, bool]]:
    return [(span.position, span.frames, span.runs) for span in deck.advance(frames)]


def _place(deck: Transport[Tape], heard: float) -> float:
    return deck.heard_at(heard)[1]


def test_it_reads_on_where_it_stands(deck: Transport[Tape]) -> None:
    """Block after block."""
    assert _read(deck, 300) == [(0, 300, True)]
    assert _read(deck, 300) == [(300, 300, True)]


def test_paused_it_reads_nothing_and_stays(deck: Transport[Tape]) -> None:
    """And goes on from there."""
    deck.advance(300)
    deck.runs = False
    assert _read(deck, 100) == [(300, 100, False)]
    deck.runs = True
    assert _read(deck, 100) == [(300, 100, True)]


def test_it_stops_at_the_end(deck: Transport[Tape]) -> None:
    """The rest of the block is silent."""
    assert _read(deck, 1200) == [(0, 1000, True), (1000, 200, False)]
    assert not deck.runs


def test_a_loop_is_read_again_and_again(deck: Transport[Tape]) -> None:
    """Also several times within one block."""
    deck.loop = (100, 300)
    assert _read(deck, 800) == [
        (0, 300, True),
        (100, 200, True),
        (100, 200, True),
        (100, 100, True),
    ]


def test_behind_the_loop_it_goes_on_to_the_end(deck: Transport[Tape]) -> None:
    """Someone who seeks past a loop wants to hear what is there."""
    deck.loop = (100, 300)
    deck.seek(300)
    assert _read(deck, 900) == [(300, 700, True), (1000, 200, False)]


def test_a_loop_to_the_very_end_does_not_stop_there(deck: Transport[Tape]) -> None:
    """The end of the loop comes first."""
    deck.loop = (900, 1000)
    deck.seek(950)
    assert _read(deck, 100) == [(950, 50, True), (900, 50, True)]
    assert deck.runs


def test_the_playhead_is_where_the_heard_frames_were_read(deck: Transport[Tape]) -> None:
    """Not where the reading end already is."""
    deck.advance(500)
    assert _place(deck, 0) == 0
    assert _place(deck, 123.5) == 123.5
    assert _place(deck, 500) == 500


def test_more_heard_than_taken_does_not_move_the_playhead_on(deck: Transport[Tape]) -> None:
    """A device that starves plays nothing new."""
    deck.advance(500)
    assert _place(deck, 700) == 500


def test_after_a_jump_the_playhead_waits_where_it_went_until_that_is_heard(
    deck: Transport[Tape],
) -> None:
    """It neither stays behind nor runs ahead."""
    deck.advance(200)
    deck.seek(600)
    assert _place(deck, 50) == 600
    deck.advance(200)
    assert _place(deck, 150) == 600
    assert _place(deck, 230) == 630


def test_the_playhead_follows_a_loop_as_it_is_heard(deck: Transport[Tape]) -> None:
    """It goes back when the ear does."""
    deck.loop = (100, 300)
    deck.advance(800)
    assert [_place(deck, heard) for heard in (250, 299, 310, 499, 520)] == [250, 299, 110, 299, 120]


def test_the_playhead_stands_while_a_pause_is_heard(deck: Transport[Tape]) -> None:
    """And while sound is waited for."""
    deck.advance(200)
    deck.runs = False
    deck.advance(100)
    deck.runs = True
    deck.hold(50)
    deck.advance(100)
    assert [_place(deck, heard) for heard in (150, 250, 340, 360)] == [150, 200, 200, 210]


def test_an_exchanged_tape_is_told_once_it_is_heard(deck: Transport[Tape]) -> None:
    """Until then the old one is."""
    new = Tape(name="B", frames=400)
    deck.advance(200)
    deck.exchange(new, 50)
    deck.advance(100)
    assert (deck.heard_at(199)[0].name, deck.heard_at(199)[1]) == ("A", 199)
    assert (deck.heard_at(210)[0].name, deck.heard_at(210)[1]) == ("B", 60)


def test_nothing_leads_beyond_the_tape(deck: Transport[Tape]) -> None:
    """Neither a jump nor another tape that is shorter."""
    deck.seek(5000)
    assert deck.position == 1000
    deck.seek(-1)
    assert deck.position == 0
    deck.exchange(Tape(frames=10), 500)
    assert deck.position == 10


def test_a_restart_counts_frames_anew(deck: Transport[Tape]) -> None:
    """As a newly opened device does."""
    deck.advance(500)
    deck.restart(321)
    deck.advance(10)
    assert _place(deck, 4) == 325
