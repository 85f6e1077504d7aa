"""Learning curves as a drawing: a thin line per run, a bold line per arm with its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Text
from musicrel.presentation.study import line_ends
from musicrel.presentation.study.curve_frame import LEFT, Frame, ticks, ticks_in
from musicrel.presentation.study.line_ends import LineEnd
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import LIGHT, Theme

Axis = Literal["step", "tokens", "seconds"]
Split = Literal["valid", "train"]
Point = tuple[float, float]

DEFAULT_SIZE: Final = (760, 420)
_RIGHT: Final = (84.0, 164.0, 0.5)
"""Width for names: minimum, and maximum in pixels and as a share of the picture."""
_TOP: Final = 44.0
_TOP_UNTITLED: Final = 26.0
_PIXELS_A_TICK: Final = 70.0
_FAINT: Final = 0.35
_FAINTER: Final = 0.16
"""Opacity of the band between runs."""
_AXES: Final = {"step": "steps", "seconds": "seconds of training"}
_LONG_TIMES: Final = ((7200.0, 3600.0, "hours of training"), (120.0, 60.0, "minutes of training"))
"""Least maximum of a time axis for a unit, seconds per unit, and its label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The curve of one run.

    Attributes:
        arm: of the run; runs of an arm share a colour.
        points: (position on the x axis, loss), from left to right.
        split: of the losses; training is dashed beside validation.
    """

    arm: str
    points: tuple[Point, ...]
    split: Split = "valid"


def draw(
    series: Sequence[Series],
    *,
    title: str,
    unit: str = "nats/note",
    axis: Axis = "tokens",
    logarithmic: bool = False,
    theme: Theme = LIGHT,
    size: tuple[int, int] = DEFAULT_SIZE,
    heading: bool = True,
) -> Drawing:
    """Draw the curves.

    Args:
        series: of all runs; those without points are omitted.
        title: of the picture.
        unit: of the losses.
        axis: quantity of the x axis.
        logarithmic: True for a logarithmic loss axis.
        theme: colours.
        size: of the picture in pixels.
        heading: True to draw the title.
    """
    shown = [one for one in series if one.points]
    frame = framed(series, size=size, logarithmic=logarithmic, heading=heading)
    loss = f"{unit} on {_measured_on(shown)}"
    across = _across(axis, frame.right, unit)
    items = _grid(frame, across, theme, loss) if shown else _nothing(frame, theme)
    arms, both = _arms(series), _both(shown)
    ends: list[LineEnd] = []
    for (arm, split), runs in _grouped(shown).items():
        number, dashed = arms.index(arm), split == "train" and both
        items += _arm(runs, frame, number, theme, dashed=dashed)
        ends.append(_end(arm, split, mean(runs)[-1][1], frame, number, both=both))
    _, top, right, bottom = frame.box
    items += line_ends.names(
        ends, theme, x=right + 8, width=frame.margin - 12, box=(top, bottom + 30)
    )
    written = Text(x=LEFT, y=24, text=title, size=15, colour=theme.text, bold=True)
    return Drawing(
        width=size[0],
        height=size[1],
        background=theme.lane,
        title=_description(title, unit, ends),
        items=(written, *items) if heading else tuple(items),
    )


def framed(
    series: Sequence[Series],
    *,
    size: tuple[int, int] = DEFAULT_SIZE,
    logarithmic: bool = False,
    heading: bool = True,
) -> Frame:
    """Return the frame that ``draw`` uses; arguments as of ``draw``."""
    points = [point for one in series for point in one.points]
    losses = [loss for _, loss in points] or [0.5, 1.0]
    low, high = min(losses), max(losses)
    room = max((high - low) * 0.05, 0.01)
    arms, both = _arms(series), _both(series)
    named = [LineEnd(y=0.0, name=_name(one.arm, one.split, both=both), value=f"{low:.3f}",
                     number=arms.index(one.arm)) for one in series if one.points]  # fmt: skip
    widest = line_ends.room(named) + 14
    least, most, share = _RIGHT
    return Frame(
        size=size,
        top=_TOP if heading else _TOP_UNTITLED,
        margin=min(max(widest, least), max(most, share * size[0])),
        right=max((place for place, _ in points), default=1.0) or 1.0,
        low=low * 0.95 if logarithmic else max(low - room, 0.0),
        high=high + room,
        logarithmic=logarithmic,
    )


def examples(unit: str) -> str:
    """Return the noun for training examples of a loss in ``unit``: tokens, or as the unit."""
    each = unit.partition("/")[2]
    return "tokens" if each in ("note", "token") else f"{each}s"


def mean(runs: Sequence[Sequence[Point]]) -> tuple[Point, ...]:
    """Return the mean over runs, point by point, up to the end of the shortest."""
    return tuple(
        (
            sum(x for x, _ in at_place) / len(at_place),
            sum(y for _, y in at_place) / len(at_place),
        )
        for at_place in zip(*runs, strict=False)
    )


def _grouped(shown: Sequence[Series]) -> dict[tuple[str, Split], list[tuple[Point, ...]]]:
    found: dict[tuple[str, Split], list[tuple[Point, ...]]] = {}
    for one in shown:
        found.setdefault((one.arm, one.split), []).append(one.points)
    return found


def _arms(series: Sequence[Series]) -> list[str]:
    """Return all arms; the index of one gives its colour and marker."""
    return list(dict.fromkeys(one.arm for one in series))


def _arm(
    runs: Sequence[Sequence[Point]], frame: Frame, number: int, theme: Theme, *, dashed: bool
) -> list[Item]:
    """Draw an arm: the band between its runs, each run, and their mean."""
    items: list[Item] = []
    colour = line_ends.colour(number, theme)
    band = list(zip(*runs, strict=False))
    if len(runs) > 1 and len(band) > 1 and not dashed:
        above = [(frame.x(at[0][0]), frame.y(max(loss for _, loss in at))) for at in band]
        below = [(frame.x(at[0][0]), frame.y(min(loss for _, loss in at))) for at in band]
        items.append(Area(points=(*above, *reversed(below)), fill=colour, opacity=_FAINTER))
    faint = _mixed(colour, theme.lane, _FAINT)
    if len(runs) > 1:
        items += [_line(points, frame, faint, 1.0, dashed=dashed) for points in runs]
    middle = _line(mean(runs), frame, colour, 1.5 if dashed else 2.5, dashed=dashed)
    return [*items, middle, *line_ends.marks(number, middle.points, colour)]


def _grid(frame: Frame, across: tuple[float, str], theme: Theme, loss_axis: str) -> list[Item]:
    left, top, right, bottom = frame.box
    items: list[Item] = []
    for loss in ticks(frame.low, frame.high, ticks_in(bottom - top, _PIXELS_A_TICK / 2)):
        y = frame.y(loss)
        items.append(Line(points=((left, y), (right, y)), colour=theme.line_beat))
        items.append(line_ends.axis_label(left - 8, y + 4, f"{loss:.4g}", theme, "end"))
    each, words = across
    for place in ticks(0.0, frame.right / each, ticks_in(right - left, _PIXELS_A_TICK)):
        x = frame.x(place * each)
        items.append(Line(points=((x, bottom), (x, bottom + 5)), colour=theme.line_bar))
        items.append(line_ends.axis_label(x, bottom + 19, _short(place), theme, "middle"))
    items.append(Line(points=((left, bottom), (right, bottom)), colour=theme.line_bar))
    below = frame.size[1] - 12
    items.append(line_ends.axis_label((left + right) / 2, below, words, theme, "middle"))
    items.append(line_ends.axis_label(left, top - 6, loss_axis, theme, "start"))
    return items


def _nothing(frame: Frame, theme: Theme) -> list[Item]:
    """Draw empty axes with a message."""
    left, top, right, bottom = frame.box
    corner = ((left, top), (left, bottom), (right, bottom))
    middle = ((left + right) / 2, (top + bottom) / 2)
    message = "Curves appear after the first evaluation."
    return [
        Line(points=corner, colour=theme.line_bar),
        line_ends.axis_label(*middle, message, theme, "middle"),
    ]


def _line(
    points: Sequence[Point], frame: Frame, colour: str, width: float, *, dashed: bool = False
) -> Line:
    placed = tuple((frame.x(place), frame.y(loss)) for place, loss in points)
    placed = placed if len(placed) > 1 else placed * 2
    return Line(points=placed, colour=colour, width=width, dashed=dashed)


def _name(arm: str, split: Split, *, both: bool) -> str:
    """Return the name at the end of an arm's curve."""
    return f"{arm} (training)" if both and split == "train" else arm


def _end(arm: str, split: Split, last: float, frame: Frame, number: int, *, both: bool) -> LineEnd:
    name = _name(arm, split, both=both)
    return LineEnd(y=frame.y(last), name=name, value=f"{last:.3f}", number=number)


def _description(title: str, unit: str, ends: Sequence[LineEnd]) -> str:
    """Describe the picture for screen readers."""
    if not ends:
        return f"{title}: no evaluation yet"
    return f"{title}: " + ", ".join(f"{end.name} {end.value}" for end in ends) + f" {unit}"


def _across(axis: Axis, right: float, unit: str) -> tuple[float, str]:
    """Return the divisor and the label of the x axis."""
    for seconds, each, words in _LONG_TIMES if axis == "seconds" else ():
        if right >= seconds:
            return each, words
    return 1.0, examples(unit) if axis == "tokens" else _AXES[axis]


def _both(shown: Sequence[Series]) -> bool:
    return len({one.split for one in shown if one.points}) > 1


def _measured_on(shown: Sequence[Series]) -> str:
    if _both(shown):
        return "validation and training (dashed)"
    return names.SPLITS[shown[0].split if shown else "valid"]


def _short(number: float) -> str:
    """Return 12,000,000 as 12 M, 40,000 as 40 k."""
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
