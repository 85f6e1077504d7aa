"""The visible part of a roll."""

from __future__ import annotations

import pytest

from musicrel.presentation.roll.viewport import MAX_STEP_WIDTH, Viewport


@pytest.fixture
def view() -> Viewport:
    """800 x 480 pixels of 200 steps and 48 rows, whole in sight."""
    return Viewport(width=812, height=480, steps=200, low=35, high=82).fitted()


def test_fitted_shows_the_whole_piece(view: Viewport) -> None:
    """All steps with a little room after the last, all rows."""
    assert (view.step_width, view.row_height) == (4.0, 10.0)
    assert view.seen_steps == range(200)
    assert (view.x(0), view.x(200)) == (0, 800)
    assert (view.y(82), view.y(35)) == (0, 470)


def test_fitted_keeps_a_long_piece_readable() -> None:
    """It is not squeezed below three pixels a step, and a short one not blown up."""
    long = Viewport(width=812, height=480, steps=4000).fitted()
    short = Viewport(width=812, height=480, steps=4).fitted()

    assert long.step_width == 3.0
    assert long.seen_steps == range(271)
    assert short.step_width == 18.0


def test_pixels_and_steps_are_inverse(view: Viewport) -> None:
    """A position converted to pixels and back is the same."""
    moved = view.zoomed(4, 100).moved(left=333)

    assert moved.step_at(moved.x(17.25)) == pytest.approx(17.25)
    assert moved.pitch_at(moved.y(60)) == (60, 0.0)
    assert moved.pitch_at(moved.y(60) + 5) == (60, 0.5)


def test_zoom_keeps_the_step_under_the_mouse(view: Viewport) -> None:
    """The step at the pixel stays there."""
    near = view.zoomed(3, 400)

    assert near.step_width == 12.0
    assert near.step_at(400) == pytest.approx(view.step_at(400))


def test_zoom_has_bounds(view: Viewport) -> None:
    """Neither nothing nor a single step fills the window."""
    assert view.zoomed(1e6, 0).step_width == MAX_STEP_WIDTH
    assert view.zoomed(1e-6, 0).step_width == 1.0


def test_rows_always_fill_the_height(view: Viewport) -> None:
    """Rows can be made higher, but not lower than the window is high."""
    assert view.stretched(0.1, 0).row_height == 10.0
    high = view.stretched(2, 240)
    assert high.row_height == 20.0
    assert high.pitch_at(240) == view.pitch_at(240)


def test_nobody_scrolls_past_an_end(view: Viewport) -> None:
    """Both ends hold, also when the piece grows shorter or the window wider."""
    near = view.zoomed(4, 0)

    assert near.moved(left=-5).left == 0
    assert near.moved(left=1e9).left == 3200 - 812
    assert near.moved(left=1e9).of_size(4000, 480).left == 0
    assert near.moved(left=1e9).of_roll(10, 35, 82).left == 0
    assert near.moved(top=50).top == 0


def test_page_turns_when_the_place_leaves_it(view: Viewport) -> None:
    """A place in sight moves nothing; another one comes to stand near the left."""
    near = view.zoomed(4, 0)

    assert near.showing(20) is near
    scrolled = near.showing(100)
    assert scrolled.x(100) == pytest.approx(81.2)


def test_window_without_size_is_no_error() -> None:
    """Before its first layout a widget has none."""
    assert Viewport(steps=64).of_size(0, -3).fitted().seen_steps.start == 0
