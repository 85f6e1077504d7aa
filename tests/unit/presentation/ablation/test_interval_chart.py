"""Charts of means with intervals, and of effects by rank."""

from __future__ import annotations

from musicrel.analysis.claims.intervals import Estimate
from musicrel.presentation.ablation import interval_chart, rank_chart
from musicrel.presentation.ablation.interval_chart import (
    ChartFrame,
    ChartGroup,
    ChartRow,
    ChartValue,
)
from musicrel.presentation.ablation.rank_chart import RankPoint
from musicrel.presentation.drawing.drawing import Area, Drawing, Line, Rectangle, Text
from musicrel.presentation.words.palette import LIGHT

FRAME = ChartFrame(title="Effects", axis="nats", models=("a", "b"), caption="command; seed 0")


def chart(*values: ChartValue) -> Drawing:
    group = ChartGroup("Group", (ChartRow("row", values),))
    return interval_chart.draw([group], FRAME, LIGHT)


def texts(drawing: Drawing) -> dict[str, Text]:
    return {item.text: item for item in drawing.items if isinstance(item, Text)}


def dots(drawing: Drawing, fill: str) -> list[float]:
    """Return the middles of the dots of a colour, that of the legend first."""
    found = [item for item in drawing.items if isinstance(item, Area) and item.fill == fill]
    return [sum(x for x, _ in item.points) / len(item.points) for item in found]


def test_a_dot_lies_at_its_value_between_the_ticks() -> None:
    drawing = chart(ChartValue(Estimate(0.5, 0.2, 0.8)), ChartValue(Estimate(1.0, 0.9, 1.0)))
    left, right = texts(drawing)["0"].x, texts(drawing)["1"].x
    _legend, first = dots(drawing, LIGHT.models[0])
    _legend, second = dots(drawing, LIGHT.models[1])
    assert abs(first - (left + right) / 2) < 1e-6
    assert abs(second - right) < 1e-6


def test_the_interval_goes_from_low_to_high() -> None:
    drawing = chart(ChartValue(Estimate(0.5, 0.25, 1.0)), ChartValue(None))
    left, right = texts(drawing)["0"].x, texts(drawing)["1"].x
    (bar,) = [
        item for item in drawing.items
        if isinstance(item, Rectangle) and item.fill == LIGHT.models[0]
    ]  # fmt: skip
    assert abs(bar.x - (left + 0.25 * (right - left))) < 1e-6
    assert abs(bar.x + bar.width - right) < 1e-6


def test_the_axis_holds_zero_and_negative_values() -> None:
    drawing = chart(ChartValue(Estimate(-0.5, -0.9, -0.2)), ChartValue(None))
    assert {"−1", "0"} <= set(texts(drawing))


def test_a_missing_value_leaves_its_place_empty() -> None:
    drawing = chart(ChartValue(Estimate(0.5, 0.2, 0.8)), ChartValue(None))
    assert len(dots(drawing, LIGHT.models[1])) == 1


def test_other_values_are_ticks() -> None:
    drawing = chart(ChartValue(Estimate(0.5, 0.2, 0.8), (0.1, 0.3, 0.6)), ChartValue(None))
    ticks = [item for item in drawing.items if isinstance(item, Rectangle) and item.opacity < 1]
    assert len(ticks) == 3


def test_rows_of_all_groups_follow_each_other_within_the_chart() -> None:
    row = ChartRow("row", (ChartValue(Estimate(1, 0, 2)), ChartValue(Estimate(1, 0, 2))))
    other = ChartRow("last", row.values)
    drawing = interval_chart.draw(
        [ChartGroup("One", (row,)), ChartGroup("Two", (other,))], FRAME, LIGHT
    )
    found = texts(drawing)
    order = [found[name].y for name in ("One", "row", "Two", "last", "nats", "command; seed 0")]
    assert order == sorted(order)
    assert order[-1] < drawing.height


def test_more_models_than_two_have_colours_of_their_own() -> None:
    colours = [interval_chart.colour(number, LIGHT) for number in range(6)]
    assert colours[:2] == list(LIGHT.models)
    assert len(set(colours)) == 6


def test_a_power_of_the_rank_is_a_straight_line() -> None:
    points = [RankPoint(rank, Estimate(*[1 / rank] * 3)) for rank in (1, 4, 16, 64)]
    drawing = rank_chart.draw([points, []], FRAME, LIGHT)
    (line,) = [item for item in drawing.items if isinstance(item, Line)]
    steps = [
        (x1 - x0, y1 - y0)
        for (x0, y0), (x1, y1) in zip(line.points[:-1], line.points[1:], strict=True)
    ]
    for across, down in steps:
        assert abs(across - steps[0][0]) < 1e-6
        assert abs(down - steps[0][1]) < 1e-6
        assert down > 0


def test_an_interval_that_reaches_zero_stays_on_the_chart() -> None:
    points = [RankPoint(1, Estimate(0.5, 0.4, 0.6)), RankPoint(2, Estimate(0.01, 0.0, 0.02))]
    drawing = rank_chart.draw([points], FRAME, LIGHT)
    (band,) = [item for item in drawing.items if isinstance(item, Area) and item.opacity < 1]
    assert all(0 < y < drawing.height for _, y in band.points)
