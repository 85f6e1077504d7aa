"""The history of pieces of a session."""

from __future__ import annotations

from musicrel.chorale import Chorale
from musicrel.presentation.compose.history import Entry, History


def piece(title: str) -> Entry:
    return Entry(piece=Chorale.of([[60, 60, 60, 60]], title=title))


def test_empty_history_has_nothing() -> None:
    """Neither before nor after."""
    history = History()

    assert (history.current, history.before, history.after) == (None, None, None)


def test_no_piece_is_lost_by_one_that_comes_after_going_back() -> None:
    """It stands right after the one it was made from, and before those that were there."""
    one, two, three = piece("1"), piece("2"), piece("3")
    history = History()
    history.add(one)
    history.add(two)
    history.go(one)
    history.add(three)

    assert (history.before, history.current, history.after) == (one, three, two)


def test_saved_is_remembered_of_the_piece_itself() -> None:
    """Not of one that is equal to it."""
    one, two = piece("same"), piece("same")
    history = History()
    history.add(one)
    history.add(two)
    history.mark_saved(one.piece)

    assert (one.saved, two.saved) == (True, False)
