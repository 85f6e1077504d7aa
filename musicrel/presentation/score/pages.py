"""An engraved score laid out on the pages of a printed sheet.

Lengths are millimetres from the upper left corner of the room between the margins. The first page
begins with title and composer, the others with the title in small type; several pages are numbered.
A last page has no single system where the page before can spare one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from musicrel.presentation.score.score_picture import BETWEEN, SPACE, Score, System

MARGIN: Final = 15.0  # margin on all sides of the paper
SCALE: Final = 1.65 / SPACE  # millimetres per unit of a score: the staves of hymn books

_TITLE: Final = 18.0
_COMPOSER: Final = 11.0
_SMALL: Final = 9.0  # sizes of type in points
_TITLE_ROOM: Final = 13.0
_COMPOSER_ROOM: Final = 6.0
_COMPOSER_BELOW_TITLE: Final = 9.5
_RUNNING_ROOM: Final = 9.0
_FOOT_ROOM: Final = 8.0
# largest distance that is added between two systems of a full page
_MOST_BETWEEN: Final = 3 * BETWEEN
_CAN_SPARE: Final = 3  # least number of systems on a page that can give one away

Where = Literal["left", "centre", "right"]


class PageText(NamedTuple):
    text: str  # shortened by the painter if it is too long
    points: float  # size of its type
    where: Where  # its place between left and right
    top: float | None = 0.0  # upper edge of the line; None: it stands at the foot of the page


class PlacedSystem(NamedTuple):
    """A system with the top of its ink."""

    system: System
    top: float


class Page(NamedTuple):
    texts: tuple[PageText, ...]
    systems: tuple[PlacedSystem, ...]


class Heading(NamedTuple):
    """The texts of a piece; "" leaves one out."""

    title: str = ""
    composer: str = ""


def scale(score: Score) -> float:
    """Return millimetres per unit of ``score``, which is reduced if a system is too wide."""
    return SCALE * score.width / score.widest


def pages(score: Score, heading: Heading, height: float) -> tuple[Page, ...]:
    """Lay out ``score`` on pages."""
    room = bool(heading.title) * _TITLE_ROOM + bool(heading.composer) * _COMPOSER_ROOM
    tops = (room, _RUNNING_ROOM if heading.title else 0.0)
    rooms = (height - tops[0] - _FOOT_ROOM, height - tops[1] - _FOOT_ROOM)
    size = scale(score)
    groups = _without_widow(list(_groups(score.systems, rooms, size)))
    found: list[Page] = []
    more = 0.0
    for number, group in enumerate(groups):
        free = rooms[min(number, 1)] - _height(group, size)
        most = more if number == len(groups) - 1 else _MOST_BETWEEN * size
        more = max(min(free / max(len(group) - 1, 1), most), 0.0)
        systems = tuple(_placed(group, tops[min(number, 1)], size, more))
        texts = tuple(_texts(heading, number, len(groups)))
        found.append(Page(texts, systems))
    return tuple(found)


def _texts(heading: Heading, page: int, count: int) -> Iterator[PageText]:
    if page == 0 and heading.title:
        yield PageText(heading.title, _TITLE, "centre")
    if page == 0 and heading.composer:
        below = _COMPOSER_BELOW_TITLE if heading.title else 0.0
        yield PageText(heading.composer, _COMPOSER, "right", below)
    if page > 0 and heading.title:
        yield PageText(heading.title, _SMALL, "centre")
    if count > 1:
        yield PageText(str(page + 1), _SMALL, "centre", None)


def _groups(
    systems: Sequence[System], rooms: tuple[float, float], size: float
) -> Iterator[list[System]]:
    group: list[System] = []
    room = rooms[0]
    for system in systems:
        if group and _height([*group, system], size) > room:
            yield group
            group, room = [], rooms[1]
        group.append(system)
    if group:
        yield group


def _without_widow(groups: list[list[System]]) -> list[list[System]]:
    """Give a last page with a single system a second one."""
    if len(groups) < 2 or len(groups[-1]) > 1 or len(groups[-2]) < _CAN_SPARE:  # noqa: PLR2004
        return groups
    *others, before, last = groups
    return [*others, before[:-1], [before[-1], *last]]


def _height(group: Sequence[System], size: float) -> float:
    return (sum(system.height for system in group) + (len(group) - 1) * BETWEEN) * size


def _placed(
    group: Sequence[System], top: float, size: float, more: float
) -> Iterator[PlacedSystem]:
    """Yield the systems of a page, ``more`` millimetres farther apart than the least."""
    for system in group:
        yield PlacedSystem(system, top)
        top += (system.height + BETWEEN) * size + more
