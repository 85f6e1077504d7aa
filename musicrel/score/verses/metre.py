"""The metre of a hymn: the number of syllables of each line, as in 8.7.8.7 or C.M."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.score.verses.syllables import Verse

MAX_LINES: Final = 32
MAX_SYLLABLES: Final = 32  # of a line
_FORM: Final = tr("expected one as in 8.7.8.7, 8.7.8.7 D, C.M. or L.M.")
_NAMES: Final[Mapping[str, tuple[int, ...]]] = {
    "S.M.": (6, 6, 8, 6), "C.M.": (8, 6, 8, 6), "L.M.": (8, 8, 8, 8),
}  # fmt: skip
_NAMED: Final = re.compile(r"([SCL])\.?M\.?")
_DOUBLED: Final = re.compile(r"(.*?)[ .]*(?:\bD\.?|DOUBLED?)")
_LARGEST_WRITTEN_TOGETHER: Final = 19  # 87 is two lines, 15 is one


@dataclass(frozen=True, slots=True)
class Metre:
    """The syllables of each line of a verse."""

    lines: tuple[int, ...]

    @classmethod
    def of(cls, verse: Verse) -> Self:
        """Count the syllables of ``verse``."""
        return cls(tuple(len(line) for line in verse))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a metre as hymnals print it: "8.7.8.7 D", "87.87", "8 6 8 6", "C.M.", "LMD".

        Raises:
            UsageError: it is none, or has more than 32 lines, or more than 32 syllables in a line.
        """
        plain = text.strip().upper()
        doubled = _DOUBLED.fullmatch(plain) or re.fullmatch(r"(.*M\.?)D\.?", plain)
        plain = doubled[1] if doubled else plain
        named = _NAMED.fullmatch(plain)
        if not named and not re.fullmatch(r"\d[\d .,;/-]*", plain):
            raise UsageError(tr("unknown metre {metre!r}: {form}", metre=text[:40], form=_FORM))
        lines = _NAMES[f"{named[1]}.M."] if named else _numbers(plain)
        lines *= 2 if doubled else 1
        if len(lines) > MAX_LINES or not all(0 < line <= MAX_SYLLABLES for line in lines):
            raise UsageError(
                tr(
                    "unknown metre {metre!r}: expected 1 to {lines} lines of 1 to {syllables} "
                    "syllables",
                    metre=text[:40],
                    lines=MAX_LINES,
                    syllables=MAX_SYLLABLES,
                )
            )
        return cls(lines)

    @property
    def name(self) -> str:
        """Return the name of a common metre, as C.M. or L.M.D., or ""."""
        half, doubled = self._half()
        names = [name for name, lines in _NAMES.items() if lines == half]
        return f"{names[0]}{'D.' if doubled else ''}" if names else ""

    def __str__(self) -> str:
        """Return the metre in numbers, as in "8.7.8.7 D"."""
        half, doubled = self._half()
        return ".".join(map(str, half)) + " D" * doubled

    def _half(self) -> tuple[tuple[int, ...], bool]:
        """Return what comes twice, of at least four lines, and whether it does."""
        half = len(self.lines) // 2
        doubled = half >= 4 and self.lines[:half] == self.lines[half:]  # noqa: PLR2004
        return (self.lines[:half], True) if doubled else (self.lines, False)


def _numbers(text: str) -> tuple[int, ...]:
    """Read the numbers of lines, also without dots between them."""
    found: list[int] = []
    for digits in re.findall(r"\d+", text):
        together = int(digits) > _LARGEST_WRITTEN_TOGETHER
        found += map(int, digits) if together else [int(digits)]
    return tuple(found)
