"""A study of the time and memory of one attention layer by sequence length; nothing is trained.

    name = "memory"
    kind = "memory"
    lengths = [256, 512, 1024]          # tokens, rising
    arms = ["vanilla", "relative-tiled"]    # see ``layer_arms``
    batch = 1
    width = 256
    heads = 4
    max_distance = 256
    repeats = 3                         # the fastest is reported
    limit_gigabytes = 8                 # rows that would need more are estimated

The study is run by ``layer_costs``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from musicrel import bounds
from musicrel.errors import UsageError
from musicrel.experiment.study.layer_arms import LAYER_ARMS

KIND: Final = "memory"

_NUMBERS: Final = ("batch", "width", "heads", "max_distance", "repeats", "limit_gigabytes")
_LENGTH: Final = bounds.BOUNDS["length"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStudy:
    """The definition of a memory study; for its entries see the module's docstring."""

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
    text: str = field(default="", repr=False, compare=False)  # the TOML it was read from

    def __post_init__(self) -> None:
        for name in _NUMBERS:
            bounds.check(f"layer {name}", getattr(self, name), name)
        if self.width % self.heads:
            raise UsageError(f"width is {self.width}: expected a multiple of heads, {self.heads}")
        _check_lengths(self.lengths)
        unknown = [arm for arm in self.arms if arm not in LAYER_ARMS]
        if unknown or not self.arms or len(set(self.arms)) != len(self.arms):
            raise UsageError(
                f"arms is {list(self.arms)!r}: expected some of {', '.join(LAYER_ARMS)}, each once"
            )

    @property
    def rows(self) -> tuple[tuple[str, int], ...]:
        """Return arm and length of all rows, by rising length."""
        return tuple((arm, length) for length in self.lengths for arm in self.arms)


def from_tables(tables: Mapping[str, Any], text: str, where: str) -> MemoryStudy:
    known = [name for name in MemoryStudy.__dataclass_fields__ if name != "text"]
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in tables.items()
    }
    unknown = [name for name in values if name not in known]
    if unknown:
        raise UsageError(f"{where} has unknown entry {unknown[0]!r}: expected {', '.join(known)}")
    if not isinstance(values.get("name"), str):
        raise UsageError(f"{where}: name is {values.get('name')!r}: expected a name")
    try:
        return MemoryStudy(**values, text=text)
    except UsageError as reason:
        raise UsageError(f"{where}: {reason}") from reason
    except TypeError as reason:
        raise UsageError(
            f"{where} has a list or table as the value of a number: expected a number"
        ) from reason


def _check_lengths(lengths: tuple[int, ...]) -> None:
    ok = all(length in _LENGTH for length in lengths)
    if len(lengths) < 2 or not ok or any(after <= before for before, after in pairwise(lengths)):  # noqa: PLR2004
        raise UsageError(
            f"lengths is {list(lengths)!r}: expected at least two rising whole numbers from "
            f"{_LENGTH}"
        )
