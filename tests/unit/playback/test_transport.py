"""The transport: the order of reading, and the playhead as frames are played."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from musicrel.playback.transport import Transport


@dataclass(frozen=True)
class Tape:
    """A tape with a length and a name."""

    frames: int = 1000
    name: str = "A"


@pytest.fixture
def deck() -> Transport[Tape]:
    """Return a running transport with a tape of 1,000 frames."""
    deck = Transport(Tape())
    deck.running = True
    return deck


def _read(deck: Transport[Tape], frames: int) -> list[tuple[int, int, bool]]:
    return [(span.position, span.frames, span.running) for span in deck.advance(frames)]


def _place(deck: Transport[Tape], played: float) -> float:
    return deck.played_at(played)[1]


def test_it_reads_on_where_it_stands(deck: Transport[Tape]) -> None:
    """Block after block."""
    assert _read(deck, 300) == [(0, 300, True)]
    assert _read(deck, 300) == [(300, 300, True)]


def test_paused_it_reads_nothing_and_stays(deck: Transport[Tape]) -> None:
    """It resumes from there."""
    deck.advance(300)
    deck.running = False
    assert _read(deck, 100) == [(300, 100, False)]
    deck.running = True
    assert _read(deck, 100) == [(300, 100, True)]


def test_it_stops_at_the_end(deck: Transport[Tape]) -> None:
    """The rest of the block is silent."""
    assert _read(deck, 1200) == [(0, 1000, True), (1000, 200, False)]
    assert not deck.running


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
    """Seeking past a loop leaves it."""
    deck.loop = (100, 300)
    deck.seek(300)
    assert _read(deck, 900) == [(300, 700, True), (1000, 200, False)]


def test_a_loop_to_the_very_end_does_not_stop_there(deck: Transport[Tape]) -> None:
    """The end of the loop comes first."""
    deck.loop = (900, 1000)
    deck.seek(950)
    assert _read(deck, 100) == [(950, 50, True), (900, 50, True)]
    assert deck.running


def test_the_playhead_is_the_position_of_the_played_frame(deck: Transport[Tape]) -> None:
    """Not the read position."""
    deck.advance(500)
    assert _place(deck, 0) == 0
    assert _place(deck, 123.5) == 123.5
    assert _place(deck, 500) == 500


def test_the_playhead_never_passes_the_frames_taken(deck: Transport[Tape]) -> None:
    """A starving device plays nothing new."""
    deck.advance(500)
    assert _place(deck, 700) == 500


def test_after_a_jump_the_playhead_waits_at_the_target_until_it_is_played(
    deck: Transport[Tape],
) -> None:
    """It neither stays behind nor runs ahead."""
    deck.advance(200)
    deck.seek(600)
    assert _place(deck, 50) == 600
    deck.advance(200)
    assert _place(deck, 150) == 600
    assert _place(deck, 230) == 630


def test_the_playhead_follows_a_loop_as_it_is_played(deck: Transport[Tape]) -> None:
    """It jumps back together with the sound."""
    deck.loop = (100, 300)
    deck.advance(800)
    assert [_place(deck, played) for played in (250, 299, 310, 499, 520)] == [
        250,
        299,
        110,
        299,
        120,
    ]


def test_the_playhead_stands_while_a_pause_is_played(deck: Transport[Tape]) -> None:
    """Also while waiting for sound."""
    deck.advance(200)
    deck.running = False
    deck.advance(100)
    deck.running = True
    deck.hold(50)
    deck.advance(100)
    assert [_place(deck, played) for played in (150, 250, 340, 360)] == [150, 200, 200, 210]


def test_a_replaced_tape_is_reported_once_it_is_played(deck: Transport[Tape]) -> None:
    """Until then the old one is."""
    new = Tape(name="B", frames=400)
    deck.advance(200)
    deck.replace_tape(new, 50)
    deck.advance(100)
    assert (deck.played_at(199)[0].name, deck.played_at(199)[1]) == ("A", 199)
    assert (deck.played_at(210)[0].name, deck.played_at(210)[1]) == ("B", 60)


def test_nothing_leads_beyond_the_tape(deck: Transport[Tape]) -> None:
    """Neither a jump nor a shorter tape."""
    deck.seek(5000)
    assert deck.position == 1000
    deck.seek(-1)
    assert deck.position == 0
    deck.replace_tape(Tape(frames=10), 500)
    assert deck.position == 10


def test_a_restart_resets_the_count_of_frames(deck: Transport[Tape]) -> None:
    """A newly opened device starts from 0."""
    deck.advance(500)
    deck.restart(321)
    deck.advance(10)
    assert _place(deck, 4) == 325
