"""Takes as music."""

from __future__ import annotations

import pytest

from musicrel.chorale import REST, Key, Meter, Voice
from musicrel.errors import DataError
from musicrel.playback.take import Take

BAR = 16
"""Steps that are counted in."""


def take(kind: str = "melody", meter: Meter | None = None, voice: Voice = Voice.SOPRANO) -> Take:
    """Return an empty take."""
    assert kind in ("melody", "chords")
    return Take(meter or Meter(), 80, kind, voice, Key("C", "major"))  # type: ignore[arg-type]


def play(into: Take, *notes: tuple[float, float, int], counted: int = BAR) -> None:
    """Record notes given as steps from the first bar on, length, and pitch."""
    keys = [(start, True, pitch) for start, _, pitch in notes]
    keys += [(start + long, False, pitch) for start, long, pitch in notes]
    for step, pressed, pitch in sorted(keys):
        into.record(step + counted, pitch, pressed=pressed)


def test_a_melody_begins_with_the_bar_after_the_count_in() -> None:
    """Notes slightly early, late or detached are quantised, without a report."""
    one = take()
    play(one, (-0.2, 3.5, 60), (4.2, 3.2, 62), (7.9, 4.6, 64), (12.1, 3.9, 65))

    read = one.reading(40)

    piece = read.chorale
    assert read.report == ()
    assert piece.pitches[:, 0].tolist() == [60] * 4 + [62] * 4 + [64] * 4 + [65] * 4
    assert (piece.pitches[:, 1:] == REST).all()
    assert (piece.pickup, piece.tempo, piece.key) == (0, 80, Key("C", "major"))
    assert piece.title == "Played melody"


def test_what_is_played_while_it_is_counted_in_is_the_pickup() -> None:
    """Notes during the count-in become the pickup."""
    one = take()
    play(one, (-4.1, 4, 67), (0, 8, 72))

    piece = one.reading(30).chorale

    assert piece.pickup == 4
    assert piece.pitches[:, 0].tolist() == [67] * 4 + [72] * 8


def test_the_bars_in_which_notes_were_moved_are_named() -> None:
    """Triplets lie between the sixteenths; the count-in is no bar."""
    one = take()
    third = 8 / 3
    play(one, (0, 16, 60), *((BAR + n * third, third, 62 + n) for n in range(3)))

    read = one.reading(60)

    assert read.report == ("notes off the sixteenth-note grid (triplets?) were quantised in bar 2",)
    assert read.chorale.onsets[:, 0].sum() == 4


def test_a_rest_stays_one_and_a_touch_is_none() -> None:
    """A gap of one sixteenth is articulation, of two a rest; a repeated key is a new note."""
    one = take()
    play(one, (0, 3, 60), (4, 2, 60), (8, 4, 64))

    piece = one.reading(40).chorale

    assert piece.pitches[:, 0].tolist() == [60] * 6 + [REST] * 2 + [64] * 4
    assert piece.onsets[:, 0].nonzero()[0].tolist() == [0, 4, 8]


def test_a_key_that_is_held_sounds_until_now() -> None:
    """A note grows on the roll while it is played."""
    one = take()
    one.record(BAR, 60, pressed=True)
    assert one.reading(BAR + 3.0).chorale.steps == 3
    assert one.reading(BAR + 7.9).chorale.steps == 8


def test_a_melody_is_moved_to_the_voice_that_sings_it() -> None:
    """The report mentions it."""
    one = take(voice=Voice.BASS)
    play(one, (0, 4, 72), (4, 4, 74))

    read = one.reading(30)

    assert read.chorale.pitches[:, 3].max() <= 64
    assert "into the range of the bass" in read.report[-1]


def test_chords_become_four_voices() -> None:
    """Slightly rolled chords are accepted without a report."""
    one = take("chords")
    play(one, (0, 4, 48), (0.1, 4, 64), (0.2, 4, 67), (0.1, 4, 72))
    play(one, (4, 4, 50), (4.1, 4, 65), (4, 4, 69), (4.1, 4, 74))

    read = one.reading(30)

    piece = read.chorale
    assert read.report == ()  # that one line is four voices is what was asked for
    assert piece.pitches[0].tolist() == [72, 67, 64, 48]
    assert piece.pitches[5].tolist() == [74, 69, 65, 50]
    assert piece.title == "Played chords"


def test_nothing_played_is_a_sentence() -> None:
    """For every kind of take."""
    with pytest.raises(DataError, match="it has no notes: expected a melody"):
        take().reading(99)
    with pytest.raises(DataError, match="it has no notes"):
        take("chords").reading(99)


@pytest.mark.parametrize(
    ("meter", "step", "place"),
    [
        (Meter(), 0.0, (0, 1)),
        (Meter(), 15.9, (0, 4)),
        (Meter(), 16.0, (1, 1)),
        (Meter(3, 4), 12 + 12 + 4, (2, 2)),
        (Meter(6, 8), 12 + 10, (1, 6)),
    ],
)
def test_bars_are_counted_from_the_count_in(
    meter: Meter, step: float, place: tuple[int, int]
) -> None:
    """It is bar 0; beats are counted from 1."""
    assert take(meter=meter).bar_and_beat(step) == place


def test_a_key_let_go_at_once_is_a_note() -> None:
    """Some keyboards send both events together."""
    one = take()
    play(one, (0, 0, 60), (4, 4, 62))
    assert one.reading(30).chorale.onsets[:, 0].sum() == 2


@pytest.mark.parametrize("overlap", [0.1, 0.4, 1.0])
def test_repeated_notes_may_overlap(overlap: float) -> None:
    """Two manuals may send on one port."""
    one = take()
    play(one, *((4.0 * beat, 4 + overlap, 67) for beat in range(3)), (12, 4, 69))

    piece = one.reading(BAR + 16).chorale

    assert piece.pitches[:, 0].tolist() == [67] * 12 + [69] * 4
    assert piece.onsets[:, 0].nonzero()[0].tolist() == [0, 4, 8, 12]


def test_a_key_without_a_release_ends_where_it_is_pressed_again() -> None:
    """The release was lost on its way; the others are those of later notes."""
    one = take()
    one.record(BAR, 67, pressed=True)
    play(one, (4, 4, 69), (8, 4, 67), (12, 4, 69))

    piece = one.reading(BAR + 16).chorale

    assert piece.pitches[:, 0].tolist() == [67] * 4 + [69] * 4 + [67] * 4 + [69] * 4
