"""Search in the guides: their sections as plain text, and those that have some words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

_PICTURE: Final = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_MARKS: Final = re.compile(r"[*`|]+|^ *(?:-+|\d+\.)(?= |$)|-{3,}", re.MULTILINE)
_HEADING: Final = re.compile(r"^#{1,6} +(.+)$", re.MULTILINE)
_CODE: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_BEFORE, _AFTER = 30, 70  # letters of an excerpt around the first word


class Section(NamedTuple):
    page: str  # title of its page
    heading: str
    text: str  # in one line


class Hit(NamedTuple):
    place: int  # of the section among all
    title: str  # page and heading, "Playing: Practice files"
    excerpt: str


def sections(markdown: str) -> Iterator[Section]:
    """Yield the sections of a page; a ``#`` in an example of code is no heading."""
    text = _CODE.sub(lambda code: code[0].replace("#", " "), markdown)
    _, *parts = _HEADING.split(text)
    page = _plain(parts[0]) if parts else ""
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        yield Section(page, _plain(heading), _plain(body))


def search(found: Sequence[Section], text: str, most: int = 30) -> tuple[Hit, ...]:
    """Return the sections with all words of ``text``, those with them in the heading first."""
    words = text.lower().split()
    if not words:
        return ()
    hits = [
        (not _has(section.heading, words), place, section)
        for place, section in enumerate(found)
        if _has(f"{section.heading} {section.text}", words)
    ]
    return tuple(
        Hit(place, _title(section), _excerpt(section.text, words))
        for _, place, section in sorted(hits)[:most]
    )


def _has(text: str, words: Iterable[str]) -> bool:
    lower = text.lower()
    return all(word in lower for word in words)


def _title(section: Section) -> str:
    both = (section.page, section.heading)
    return section.page if both[0] == both[1] else ": ".join(both)


def _excerpt(text: str, words: Sequence[str]) -> str:
    lower = text.lower()
    first = min((lower.find(word) for word in words if word in lower), default=0)
    start = text.rfind(" ", 0, max(first - _BEFORE, 0)) + 1
    stop = text.find(" ", first + _AFTER)
    part = text[start:] if stop < 0 else f"{text[start:stop]} …"
    return f"… {part}" if start else part


def _plain(markdown: str) -> str:
    text = _LINK.sub(r"\1", _PICTURE.sub("", markdown))
    return " ".join(_MARKS.sub(" ", text).split())
