"""A study of what one layer of attention costs by length; nothing is trained.

    name = "memory"
    kind = "memory"
    lengths = [256, 512, 1024]          # tokens, rising
    arms = ["vanilla", "relative-tiled"]    # see ``layer_arms``
    batch = 1
    width = 256
    heads = 4
    max_distance = 256
    repeats = 3                         # of which the fastest counts
    limit_gigabytes = 8                 # rows that would take more are estimated

This file knows what such a study asks for; it is carried out in ``layer_costs``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.experiment.study.layer_arms import LAYER_ARMS

KIND: Final = "memory"

_LONGEST_STUDY: Final = 100_000
_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "batch": (1, 64),
    "width": (8, 2048),
    "heads": (1, 64),
    "max_distance": (1, 16_384),
    "repeats": (1, 100),
    "limit_gigabytes": (0.001, 1024),
}
"""Smallest and largest value of each number."""
_SHORTEST, _LONGEST = 4, 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStudy:
    """What is measured; the entries are those of the module's docstring.

    Attributes:
        text: the TOML it was read from.

    Raises:
        UsageError: a value is unknown or out of bounds.
    """

    name: str = "memory"
    kind: str = KIND
    lengths: tuple[int, ...] = (256, 512, 1024, 2048, 4096)
    arms: tuple[str, ...] = tuple(LAYER_ARMS)
    batch: int = 1
    width: int = 256
    heads: int = 4
    max_distance: int = 256
    repeats: int = 3
    limit_gigabytes: float = 8.0
    text: str = field(default="", repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, (low, high) in _BOUNDS.items():
            value = getattr(self, name)
            kinds = (int, float) if name == "limit_gigabytes" else (int,)
            if type(value) not in kinds or not low <= value <= high:
                raise UsageError(f"{name} is {value!r}: expected {low:g} to {high:g}")
        if self.width % self.heads:
            raise UsageError(f"width {self.width} is no multiple of heads {self.heads}")
        _check_lengths(self.lengths)
        unknown = [arm for arm in self.arms if arm not in LAYER_ARMS]
        if unknown or not self.arms or len(set(self.arms)) != len(self.arms):
            raise UsageError(
                f"arms is {list(self.arms)!r}: expected some of {', '.join(LAYER_ARMS)}, each once"
            )

    @property
    def rows(self) -> tuple[tuple[str, int], ...]:
        """Arm and length of all that is measured, short ones first."""
        return tuple((arm, length) for length in self.lengths for arm in self.arms)


def find(name_or_file: str) -> MemoryStudy | None:
    """The study in a file, or the shipped one of that name; None: it is of another kind, or none.

    Raises:
        UsageError: it is of this kind and not valid.
    """
    shipped = paths.assets() / "studies" / "untrained" / f"{name_or_file}.toml"
    for path in (Path(name_or_file), shipped):
        if path.is_file():
            return read(path)
    return None


def read(path: Path) -> MemoryStudy | None:
    """The study in a file; None: it is of another kind.

    Raises:
        UsageError: it is of this kind and not valid.
        FileError: it cannot be read.
    """
    text = paths.read_bytes(path, limit=_LONGEST_STUDY).decode("utf-8", errors="replace")
    return parse(text, path.name)


def parse(text: str, where: str) -> MemoryStudy | None:
    """The study in a text; None: it is of another kind.

    Args:
        text: TOML as in the module's docstring.
        where: the file's name, for messages.

    Raises:
        UsageError: it is of this kind and not valid.
    """
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None  # whoever reads the other kinds says what is wrong with it
    return _made(tables, text, where) if tables.get("kind") == KIND else None


def _made(tables: Mapping[str, Any], text: str, where: str) -> MemoryStudy:
    known = [name for name in MemoryStudy.__dataclass_fields__ if name != "text"]
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in tables.items()
    }
    unknown = [name for name in values if name not in known]
    if unknown:
        raise UsageError(
            f"study {where} has unknown entry {unknown[0]!r}: it takes {', '.join(known)}"
        )
    if not isinstance(values.get("name"), str):
        raise UsageError(f"study {where}: name is {values.get('name')!r}: expected a name")
    try:
        return MemoryStudy(**values, text=text)
    except UsageError as reason:
        raise UsageError(f"study {where}: {reason}") from reason
    except TypeError as reason:
        raise UsageError(
            f"study {where}: a list or table stands where none is expected"
        ) from reason


def _check_lengths(lengths: tuple[int, ...]) -> None:
    ok = all(type(length) is int and _SHORTEST <= length <= _LONGEST for length in lengths)
    if len(lengths) < 2 or not ok or any(after <= before for before, after in pairwise(lengths)):  # noqa: PLR2004
        raise UsageError(
            f"lengths is {list(lengths)!r}: expected at least two rising whole numbers from "
            f"{_SHORTEST} to {_LONGEST:,}"
        )
