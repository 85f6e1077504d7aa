"""Choices and texts of the strip that rewrites, varies and continues a piece."""

from __future__ import annotations

from typing import Final

from musicrel.generation import quality
from musicrel.presentation.compose.form import Task
from musicrel.presentation.words import muted_heads

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
    "This model generates from left to right. It writes several versions side by side and reads "
    "ahead in the notes kept after the passage to choose among them, except at draft quality."
)
BOTH_SIDES: Final = (
    "This model sees the notes before and after the passage and fits its notes to them; candidates "
    "are ranked."
)
"""Explanation for a model that sees both sides."""
VOICE_HINT: Final = (
    "Voice of the melody, which is transposed into the voice’s range if it lies outside"
)
NO_LOOKAHEAD: Final = (
    "At draft quality and at temperature 0 this model does not look ahead to the notes kept after "
    "the passage."
)
"""Short note beside the candidates of a causal model."""

PAIR: Final = (
    "1: all heads. 2: {muted} muted. The same seed. Arrow keys switch, and play again at the end."
)
"""Note beside a piece without and with muted heads."""


def remark(task: Task, *, sees_both_sides: bool) -> str:
    """Return the note beside the candidates of a request, or ""."""
    form = task.form
    if task.is_pair:
        return PAIR.format(muted=muted_heads.codes(form.muted.of(form.model)))
    looks_ahead = sees_both_sides or quality.searches(form.quality, form.temperature)
    return NO_LOOKAHEAD if task.needs_lookahead and not looks_ahead else ""


def lookahead_text(*, sees_both_sides: bool) -> str:
    """Return the explanation for a causal model or one that sees both sides."""
    return BOTH_SIDES if sees_both_sides else CAUSAL
