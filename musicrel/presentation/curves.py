"""Learning curves as a drawing: one thin line a run, one heavy line an arm, its name at the end.

This file knows numbers and lines; it knows nothing of runs, files or of how a drawing is painted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from musicrel.presentation.drawing import Area, Drawing, Item, Line, Text, shortened, width_of
from musicrel.presentation.palette import LIGHT, Theme

Axis = Literal["step", "tokens", "seconds"]
Split = Literal["valid", "train"]
Point = tuple[float, float]

USUAL_SIZE: Final = (760, 420)
_LEFT: Final = 64.0
_RIGHT: Final = (84.0, 164.0)
"""Room for the names: the least and the most."""
_TOP: Final = 44.0
_TOP_UNTITLED: Final = 26.0
_BOTTOM: Final = 52.0
_SIZE: Final = 12.0
_TICKS: Final = 6
_PIXELS_A_TICK: Final = 70.0
_FAINT: Final = 0.35
_FAINTER: Final = 0.16
"""Of the band, which lies over the grid."""
_APART: Final = 15.0
"""Pixels between the names at the right."""
_AXES: Final = {"step": "steps", "tokens": "tokens", "seconds": "seconds of learning"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The curve of one run.

    Attributes:
        arm: whose runs are drawn in one colour.
        points: (place on the axis, loss), from left to right.
        split: what it was measured on; train is dashed beside valid.
    """

    arm: str
    points: tuple[Point, ...]
    split: Split = "valid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Which numbers a picture spans, and where they stand in it.

    Attributes:
        size: of the picture in pixels.
        top: upper edge of the plot.
        margin: room for names at its right.
        right: largest number along the axis; it begins at 0.
        low: smallest loss.
        high: largest loss.
        logarithmic: whether losses stand at their logarithm.
    """

    size: tuple[int, int]
    top: float
    margin: float
    right: float
    low: float
    high: float
    logarithmic: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the plot."""
        return _LEFT, self.top, self.size[0] - self.margin, self.size[1] - _BOTTOM

    def x(self, place: float) -> float:
        """The pixel of a place on the axis."""
        left, _, right, _ = self.box
        return left + place / self.right * (right - left)

    def y(self, loss: float) -> float:
        """The pixel of a loss."""
        _, top, _, bottom = self.box
        low, high, here = (self._placed(value) for value in (self.low, self.high, loss))
        return top + (high - here) / (high - low) * (bottom - top)

    def place(self, x: float) -> float:
        """The place on the axis at a pixel."""
        left, _, right, _ = self.box
        return (x - left) / (right - left) * self.right

    def _placed(self, loss: float) -> float:
        return math.log(max(loss, 1e-6)) if self.logarithmic else loss


def draw(
    series: Sequence[Series],
    *,
    title: str,
    axis: Axis = "tokens",
    logarithmic: bool = False,
    theme: Theme = LIGHT,
    size: tuple[int, int] = USUAL_SIZE,
    heading: bool = True,
) -> Drawing:
    """Draw the curves.

    Args:
        series: of all runs; those without points are left out.
        title: above them.
        axis: what runs to the right.
        logarithmic: whether losses stand at their logarithm.
        theme: colours.
        size: of the picture in pixels.
        heading: whether the title is written.
    """
    shown = [one for one in series if one.points]
    frame = framed(series, size=size, logarithmic=logarithmic, heading=heading)
    items = _grid(frame, axis, theme, _measured_on(shown)) if shown else _nothing(frame, theme)
    names: list[tuple[float, str, str]] = []
    for (arm, split), runs in _grouped(shown).items():
        colour = colour_of(arm, series, theme)
        items += _arm(runs, frame, colour, theme, dashed=split == "train" and _both(shown))
        last = mean(runs)[-1][1]
        names.append((frame.y(last), _name(arm, split, last, both=_both(shown)), colour))
    items += _names(names, frame)
    written = Text(x=_LEFT, y=24, text=title, size=15, colour=theme.text, bold=True)
    return Drawing(
        width=size[0],
        height=size[1],
        background=theme.lane,
        title=f"{title}: " + (", ".join(name for _, name, _ in names) or "no evaluation yet"),
        items=(written, *items) if heading else tuple(items),
    )


def framed(
    series: Sequence[Series],
    *,
    size: tuple[int, int] = USUAL_SIZE,
    logarithmic: bool = False,
    heading: bool = True,
) -> Frame:
    """The frame in which ``draw`` draws; its arguments are those of ``draw``."""
    points = [point for one in series for point in one.points]
    losses = [loss for _, loss in points] or [0.5, 1.0]
    low, high = min(losses), max(losses)
    room = max((high - low) * 0.05, 0.01)
    names = [_name(one.arm, one.split, low, both=_both(series)) for one in series if one.points]
    widest = max((width_of(name, _SIZE * 1.1) for name in names), default=0.0) + 14
    return Frame(
        size=size,
        top=_TOP if heading else _TOP_UNTITLED,
        margin=min(max(widest, _RIGHT[0]), _RIGHT[1]),
        right=max((place for place, _ in points), default=1.0) or 1.0,
        low=low * 0.95 if logarithmic else low - room,
        high=high + room,
        logarithmic=logarithmic,
    )


def colour_of(arm: str, series: Sequence[Series], theme: Theme) -> str:
    """The colour of an arm among all arms."""
    arms = list(dict.fromkeys(one.arm for one in series))
    return theme.voice_edges[arms.index(arm) % len(theme.voice_edges)]


def mean(runs: Sequence[Sequence[Point]]) -> tuple[Point, ...]:
    """The mean over runs, place by place, as far as the shortest goes."""
    return tuple(
        (
            sum(x for x, _ in at_place) / len(at_place),
            sum(y for _, y in at_place) / len(at_place),
        )
        for at_place in zip(*runs, strict=False)
    )


def ticks(low: float, high: float, most: int = _TICKS) -> list[float]:
    """About ``most`` round numbers from ``low`` to ``high``: 1, 2 or 5 times ten to n."""
    step = 10 ** math.floor(math.log10((high - low) / most))
    step *= next(unit for unit in (1, 2, 5, 10) if (high - low) / (unit * step) <= most)
    first = math.ceil(low / step - 1e-9)
    return [place * step for place in range(first, math.floor(high / step + 1e-9) + 1)]


def _grouped(shown: Sequence[Series]) -> dict[tuple[str, Split], list[tuple[Point, ...]]]:
    found: dict[tuple[str, Split], list[tuple[Point, ...]]] = {}
    for one in shown:
        found.setdefault((one.arm, one.split), []).append(one.points)
    return found


def _arm(
    runs: Sequence[Sequence[Point]], frame: Frame, colour: str, theme: Theme, *, dashed: bool
) -> list[Item]:
    """The curves of an arm: from the lowest to the highest run, each run, their mean."""
    items: list[Item] = []
    band = list(zip(*runs, strict=False))
    if len(runs) > 1 and len(band) > 1 and not dashed:
        above = [(frame.x(at[0][0]), frame.y(max(loss for _, loss in at))) for at in band]
        below = [(frame.x(at[0][0]), frame.y(min(loss for _, loss in at))) for at in band]
        items.append(Area(points=(*above, *reversed(below)), fill=colour, opacity=_FAINTER))
    faint = _mixed(colour, theme.lane, _FAINT)
    if len(runs) > 1:
        items += [_line(points, frame, faint, 1.0, dashed=dashed) for points in runs]
    items.append(_line(mean(runs), frame, colour, 1.5 if dashed else 2.5, dashed=dashed))
    return items


def _grid(frame: Frame, axis: Axis, theme: Theme, measured_on: str) -> list[Item]:
    left, top, right, bottom = frame.box
    items: list[Item] = []
    for loss in ticks(frame.low, frame.high, _ticks_in(bottom - top, _PIXELS_A_TICK / 2)):
        y = frame.y(loss)
        items.append(Line(points=((left, y), (right, y)), colour=theme.line_beat))
        items.append(_label(left - 8, y + 4, f"{loss:.4g}", theme, "end"))
    for place in ticks(0.0, frame.right, _ticks_in(right - left, _PIXELS_A_TICK)):
        x = frame.x(place)
        items.append(Line(points=((x, bottom), (x, bottom + 5)), colour=theme.line_bar))
        items.append(_label(x, bottom + 19, _short(place), theme, "middle"))
    items.append(Line(points=((left, bottom), (right, bottom)), colour=theme.line_bar))
    below = frame.size[1] - 12
    items.append(_label((left + right) / 2, below, _AXES[axis], theme, "middle"))
    items.append(_label(left, top - 6, f"nats/note on {measured_on}", theme, "start"))
    return items


def _nothing(frame: Frame, theme: Theme) -> list[Item]:
    """Axes without numbers, and why."""
    left, top, right, bottom = frame.box
    corner = ((left, top), (left, bottom), (right, bottom))
    middle = ((left + right) / 2, (top + bottom) / 2)
    said = "The curves begin with the first evaluation."
    return [Line(points=corner, colour=theme.line_bar), _label(*middle, said, theme, "middle")]


def _ticks_in(length: float, each: float) -> int:
    return min(max(int(length / each), 2), _TICKS)


def _label(
    x: float, y: float, text: str, theme: Theme, anchor: Literal["start", "middle", "end"]
) -> Text:
    return Text(x=x, y=y, text=text, size=_SIZE, colour=theme.quiet, anchor=anchor)


def _line(
    points: Sequence[Point], frame: Frame, colour: str, width: float, *, dashed: bool = False
) -> Line:
    placed = tuple((frame.x(place), frame.y(loss)) for place, loss in points)
    placed = placed if len(placed) > 1 else placed * 2
    return Line(points=placed, colour=colour, width=width, dashed=dashed)


def _name(arm: str, split: Split, last: float, *, both: bool) -> str:
    """What is written at the end of an arm's curve."""
    return f"{arm} (train) {last:.3f}" if both and split == "train" else f"{arm} {last:.3f}"


def _names(names: Sequence[tuple[float, str, str]], frame: Frame) -> list[Item]:
    """The names of the arms beside the ends of their curves, moved apart where they meet."""
    items: list[Item] = []
    right, above = frame.box[2], 0.0
    for y, name, colour in sorted(names):
        above = max(y + 4, above + _APART)
        text = shortened(name, _SIZE, frame.margin - 12)
        items.append(Text(x=right + 8, y=above, text=text, size=_SIZE, colour=colour, bold=True))
    return items


def _both(shown: Sequence[Series]) -> bool:
    return len({one.split for one in shown if one.points}) > 1


def _measured_on(shown: Sequence[Series]) -> str:
    if _both(shown):
        return "valid, and on train (dashed)"
    return shown[0].split if shown else "valid"


def _short(number: float) -> str:
    """12,000,000 as 12 M, 40,000 as 40 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.4g}{letter}"
    return f"{number:.4g}"


def _mixed(colour: str, ground: str, share: float) -> str:
    channels = [
        round(share * int(colour[place : place + 2], 16))
        + round((1 - share) * int(ground[place : place + 2], 16))
        for place in (1, 3, 5)
    ]
    return "#" + "".join(f"{min(channel, 255):02x}" for channel in channels)
