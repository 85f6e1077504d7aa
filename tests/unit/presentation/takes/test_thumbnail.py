"""Thumbnails of takes as rectangles."""

from __future__ import annotations

from musicrel.chorale import REST, Chorale
from musicrel.presentation.takes import thumbnail

PIECE = Chorale.of([(72, 67, 64, 48)] * 16)
CHANGED = Chorale.of([(72, 69, 64, 48)] * 16)


def test_a_new_piece_has_all_its_notes_in_colour() -> None:
    """The highest note is at the top, the lowest at the bottom."""
    boxes, made = thumbnail.draw(PIECE, None, 100.0, 50.0)

    assert made is None
    assert not any(box.muted for box in boxes)
    assert [box.voice for box in sorted(boxes, key=lambda box: box.top)] == [0, 1, 2, 3]
    assert min(box.top for box in boxes) == 0.0
    assert max(box.top + box.height for box in boxes) == 50.0
    assert all(box.left >= 0 and box.left + box.width <= 100 for box in boxes)


def test_only_notes_that_differ_are_in_colour() -> None:
    """They are painted last, on top of the others."""
    boxes, made = thumbnail.draw(CHANGED, PIECE, 100.0, 50.0)

    assert [(box.voice, box.muted) for box in boxes] == [
        (0, True), (2, True), (3, True), (1, False),
    ]  # fmt: skip
    assert made is not None
    assert made.describe() == "1 note changed"


def test_a_changed_note_is_high_enough_to_be_seen() -> None:
    """In a low picture it is higher than the others."""
    boxes, _ = thumbnail.draw(CHANGED, PIECE, 100.0, 20.0)
    heights = {box.muted: box.height for box in boxes}
    assert max(box.top + box.height for box in boxes) <= 20

    assert heights[False] > heights[True]


def test_a_silent_piece_has_no_boxes() -> None:
    """Nor does it fail."""
    assert thumbnail.draw(Chorale.of([(REST,) * 4] * 4), None, 100.0, 50.0).boxes == ()
