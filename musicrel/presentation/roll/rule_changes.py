"""Changes of the rule violations by a change of a piece: which are new, which are gone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from musicrel.chorale import Chorale, Voice
from musicrel.presentation.roll import marks
from musicrel.presentation.roll.marks import Mark

NEW: Final = "New: {what}"
FIXED: Final = "Fixed: {what}"
ONE: Final = "{rule}, {who}, {where}"
_NAMED: Final = 2
"""Most violations that are named with their places."""
_Kind: TypeAlias = tuple[str, tuple[Voice, ...]]
"""Rule and voices."""
_BETWEEN: Final = "   ·   "


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChanges:
    """The violations that a change of a piece made, and those that it removed."""

    new: tuple[Mark, ...] = ()
    fixed: tuple[Mark, ...] = ()

    def describe(self) -> str:
        """Return a line as 'New: parallel fifths, Soprano and Bass, bar 3, beat 2'.

        Only a few are named with their places; of more, ``count`` has the number.
        """
        parts = ((NEW, self.new), (FIXED, self.fixed))
        few = ((text, found) for text, found in parts if 0 < len(found) <= _NAMED)
        return _BETWEEN.join(text.format(what=_named(found)) for text, found in few)

    def count(self) -> str:
        """Return the numbers of those that ``describe`` does not name, as '4 new, 3 fixed'."""
        numbers = {"new": len(self.new), "fixed": len(self.fixed)}
        return ", ".join(f"{n} {word}" for word, n in numbers.items() if n > _NAMED)


def compare(before: Chorale, after: Chorale, found: Collection[Mark]) -> RuleChanges:
    """Return how a change of a piece changed its rule violations.

    A violation stays the same if its rule, its voices and some of its steps do. If the piece has
    become longer or shorter, the steps may also be counted from the end. The voice ranges are those
    that ``after`` was requested with: a note that was not changed leaves none.
    """
    in_same_ranges = replace(before, provenance=after.provenance)
    old, shift = marks.marks(in_same_ranges), after.steps - before.steps
    moved = [replace(mark, step=mark.step + shift, stop=mark.stop + shift) for mark in old]
    known, there = _by_rule([*old, *moved]), _by_rule(found)
    pairs = zip(old, moved, strict=True)
    gone = [
        mark for mark, later in pairs if not (_is_among(mark, there) or _is_among(later, there))
    ]
    return RuleChanges(
        new=tuple(mark for mark in found if not _is_among(mark, known)), fixed=tuple(gone)
    )


def _by_rule(found: Iterable[Mark]) -> Mapping[_Kind, list[Mark]]:
    """Return the violations by rule and voices."""
    kinds: dict[_Kind, list[Mark]] = {}
    for mark in found:
        kinds.setdefault((mark.rule, mark.voices), []).append(mark)
    return kinds


def _is_among(mark: Mark, kinds: Mapping[_Kind, list[Mark]]) -> bool:
    return any(mark.same_as(other) for other in kinds.get((mark.rule, mark.voices), ()))


def _named(found: Iterable[Mark]) -> str:
    return "; ".join(
        ONE.format(rule=marks.inside(one.title), who=one.who, where=one.where) for one in found
    )
