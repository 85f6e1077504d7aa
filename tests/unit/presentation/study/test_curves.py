"""Learning curves as a drawing."""

from __future__ import annotations

import math

import pytest

from musicrel.presentation.drawing.drawing import Area, Line, Text
from musicrel.presentation.study import curve_frame, curves
from musicrel.presentation.study.curves import Series
from musicrel.presentation.words.palette import DARK, LIGHT

RUNS = [
    Series(arm="vanilla", points=((0, 3.0), (100, 2.0))),
    Series(arm="vanilla", points=((0, 3.2), (100, 2.2))),
    Series(arm="relative", points=((0, 3.0), (100, 1.0))),
    Series(arm="waiting", points=()),
]


def lines(width: float, **how: object) -> list[Line]:
    """Return the lines of a width."""
    drawing = curves.draw(RUNS, title="quick", **how)  # type: ignore[arg-type]
    return [item for item in drawing.items if isinstance(item, Line) and item.width == width]


def test_an_arm_is_a_heavy_line_and_its_seeds_are_thin_ones() -> None:
    """One run alone is the arm's line; what has not begun is not drawn."""
    heavy = lines(2.5)

    assert len(heavy) == 2
    assert heavy[0].colour != heavy[1].colour
    faint = {line.colour for line in lines(1.0)} - {LIGHT.line_beat, LIGHT.line_bar}
    assert faint == {"#decaa6"}, "a third of the arm's a06800 on white"


def test_the_mean_is_taken_place_by_place() -> None:
    """The mean ends with the shortest run."""
    assert curves.mean([RUNS[0].points, RUNS[1].points]) == ((0, 3.1), (100, 2.1))
    assert curves.mean([RUNS[0].points, RUNS[1].points[:1]]) == ((0, 3.1),)


def test_lower_losses_are_lower_and_later_ones_to_the_right() -> None:
    """With a logarithm, too."""
    for logarithmic in (False, True):
        (first, last) = lines(2.5, logarithmic=logarithmic)[1].points
        assert first[0] < last[0]
        assert first[1] < last[1]


def test_each_arm_is_named_with_its_last_loss() -> None:
    """Colour is not the only distinction; names do not overlap."""
    close = [RUNS[0], Series(arm="relative", points=((0, 3.0), (100, 2.0001)))]
    drawing = curves.draw(close, title="quick")
    names = [item for item in drawing.items if isinstance(item, Text) and item.bold][1:]

    assert sorted(name.text for name in names) == ["relative 2.000", "vanilla 2.000"]
    assert abs(names[0].y - names[1].y) >= 14
    assert "relative 2.000" in drawing.title


def test_before_the_first_evaluation_there_are_axes() -> None:
    """A message is shown instead."""
    assert "no evaluation yet" in curves.draw([], title="quick", theme=DARK).title


def test_a_single_point_can_be_drawn() -> None:
    """The first evaluation."""
    drawing = curves.draw([Series(arm="a", points=((5, 2.0),))], title="x", axis="seconds")

    assert any(isinstance(item, Text) and item.text == "seconds of training"
               for item in drawing.items)  # fmt: skip


@pytest.mark.parametrize(
    ("low", "high", "first", "step"),
    [(0.0, 5e6, 0.0, 1e6), (0.47, 0.61, 0.48, 0.05), (2.9, 3.1, 2.9, 0.05), (0.0, 7.0, 0.0, 2.0)],
)
def test_ticks_are_round(low: float, high: float, first: float, step: float) -> None:
    """Multiples of 1, 2 or 5 times a power of ten within the ends."""
    found = curve_frame.ticks(low, high)

    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in found)
    assert 2 <= len(found) <= 7
    assert found[1] - found[0] == pytest.approx(step)
    assert found[0] == pytest.approx(first, abs=step)


def test_the_band_is_the_confidence_interval_of_the_mean() -> None:
    """One run alone has none; a wide one ends at the edges of the plot."""
    runs = [Series(arm="a", points=((0, 3.0), (100, 2.0 + off))) for off in (-0.02, 0.0, 0.02)]
    (band,) = [item for item in curves.draw(runs, title="x").items if isinstance(item, Area)]
    frame = curves.framed(runs)
    half = 4.302653 * 0.02 / math.sqrt(3)

    ends = sorted(y for x, y in band.points if x == frame.x(100))
    assert ends == pytest.approx(sorted([frame.y(2.0 + half), frame.y(2.0 - half)]), abs=0.5)
    (wide,) = [item for item in curves.draw(RUNS, title="x").items if isinstance(item, Area)]
    heights = [y for _, y in wide.points]
    assert (min(heights), max(heights)) == (curve_frame.TOP, curve_frame.BOTTOM)


def test_a_mean_ends_where_the_slowest_seed_has_come_and_is_named_there() -> None:
    """Its value is that of its own end."""
    runs = [Series(arm="a", points=tuple((x, 3.0 - x / 100) for x in range(0, 101, 10))),
            Series(arm="a", points=((0, 3.0), (10, 2.8)))]  # fmt: skip
    drawing = curves.draw(runs, title="x")
    frame = curves.framed(runs)
    (mean,) = [item for item in drawing.items if isinstance(item, Line) and item.width == 2.5]
    name = next(item for item in drawing.items if isinstance(item, Text) and item.text == "a 2.850")

    assert mean.points[-1] == pytest.approx((frame.x(10), frame.y(2.85)))
    assert name.x == pytest.approx(frame.x(10) + 8)


def test_a_run_with_one_evaluation_is_a_dot() -> None:
    """So is the mean of runs of which one has one evaluation."""
    frame = curves.framed([RUNS[0], Series(arm="vanilla", points=((0, 3.1),))])
    drawing = curves.draw([RUNS[0], Series(arm="vanilla", points=((0, 3.1),))], title="x")
    dots = [item for item in drawing.items if isinstance(item, Area)]

    assert len(dots) == 2
    heights = [sum(y for _, y in dot.points) / len(dot.points) for dot in dots]
    assert heights == pytest.approx([frame.y(3.1), frame.y(3.05)])


def test_the_unit_of_the_losses_is_named() -> None:
    """At the axis, and for those who cannot see it."""
    drawing = curves.draw(RUNS, title="published", unit="nats/token")

    assert any(isinstance(item, Text) and item.text == "nats/token on validation"
               for item in drawing.items)  # fmt: skip
    assert drawing.title.endswith("relative 1.000 nats/token")
    assert curves.examples("nats/token") == curves.examples("nats/note") == "tokens"
    assert curves.examples("nats/sequence") == "sequences"


@pytest.mark.parametrize(
    ("longest", "words", "last"),
    [(90, "seconds of training", "80"), (600, "minutes of training", "10"),
     (9000, "hours of training", "2.5")],
)  # fmt: skip
def test_long_times_have_larger_units(longest: float, words: str, last: str) -> None:
    """Nobody counts thousands of seconds."""
    one = Series(arm="a", points=((0, 3.0), (longest, 2.0)))
    texts = [item.text for item in curves.draw([one], title="x", axis="seconds").items
             if isinstance(item, Text)]  # fmt: skip

    assert texts[texts.index(words) - 1] == last


def test_many_names_stay_within_the_picture() -> None:
    """Eleven schemes may end with nearly equal losses."""
    arms = [Series(arm=f"scheme {n}", points=((0, 1.0), (9, 0.001 * n))) for n in range(11)]
    drawing = curves.draw(arms, title="bytes")
    names = [item for item in drawing.items if isinstance(item, Text) and item.bold][1:]

    assert len(names) == 11
    assert max(name.y for name in names) < drawing.height
