"""Choices and texts of the strip that rewrites, varies and continues a piece."""

from __future__ import annotations

from typing import Final

MAX_CANDIDATES: Final = 32
"""Maximum number of candidates."""

MORE_BARS: Final = (2, 4, 8, 16)
DEFAULT_BARS: Final = 4
"""Lengths of a continuation in bars, and the default."""

AMOUNTS: Final = (
    (1.0, "Rewrite everything", "all notes that are not locked"),
    (0.6, "Different", "about six notes in ten, chosen at random"),
    (0.3, "Similar", "about three notes in ten, chosen at random"),
    (0.1, "Very similar", "about one note in ten, chosen at random"),
)
"""Amounts of variation: the share, its title and its tooltip."""

CAUSAL: Final = (
    "This model generates from left to right and cannot look ahead to the notes kept after the "
    "passage. Several candidates are therefore made and ranked, above all by the likelihood of the "
    "passage together with the notes that follow it."
)
BOTH_SIDES: Final = (
    "This model sees the notes before and after the passage and fits its notes to them; candidates "
    "are ranked."
)
"""Explanation for a model that sees both sides."""
NO_LOOKAHEAD: Final = (
    "This model cannot see the notes kept after the passage. Compare candidates by rank."
)
"""Short note beside the candidates of a causal model."""


def lookahead_text(*, sees_both_sides: bool) -> str:
    """Return the explanation for a causal model or one that sees both sides."""
    return BOTH_SIDES if sees_both_sides else CAUSAL
