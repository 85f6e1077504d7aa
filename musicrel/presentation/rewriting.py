"""What is asked of a model that shall write a part of a piece anew, and the words around it.

This file knows pieces, cells and the form; it knows nothing of models or of how they write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from musicrel.chorale import Chorale, Flags
from musicrel.errors import UsageError
from musicrel.generation.locks import Locks
from musicrel.generation.request import GenerationRequest
from musicrel.presentation import locked
from musicrel.presentation.form import LARGEST_SEED, Form
from musicrel.presentation.selection import Selection

MOST: Final = 32
USUAL: Final = 8
"""Candidates that are asked for at once: at most, and unless another number is."""

CAUSAL: Final = (
    "The model reads from left to right and cannot look ahead: it writes towards the notes that "
    "are kept later without knowing them. That is why several versions are made and ranked, first "
    "of all by how likely the model finds the whole passage together with all that follows it."
)
BLIND: Final = (
    "The model cannot look ahead: it did not know the notes kept after these. Trust the ranking."
)
"""The same in short, beside the versions."""
ALL_LOCKED: Final = (
    "all that is selected is locked: select something else, or unlock some of it (Ctrl+K)"
)
NOTHING_FREE: Final = "every note is locked: unlock at least one voice or bar to be written anew"

_AGAIN: Final = re.compile(r"(.*), rewritten(?: (\d{1,6}))?")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rewriting:
    """A part of a piece that is to be written anew, several times.

    Attributes:
        piece: the whole of it.
        free: the cells to be written, bool (T, 4); all others are kept.
        form: model, key where the piece has none, surprise, seed and rules.
        count: how many versions.
    """

    piece: Chorale
    free: Flags
    form: Form
    count: int

    def request(self) -> GenerationRequest:
        """What is asked of the model; of a long piece this takes a while.

        Raises:
            UsageError: what is kept breaks a rule that is on, or has pitches no model knows.
        """
        return GenerationRequest.like(
            self.piece,
            key=self.piece.key or self.form.key,
            temperature=self.form.temperature,
            seed=self._first_seed(),
            rules=self.form.rules,
            locks=Locks.of(self.piece, ~self.free),
        )

    def _first_seed(self) -> int:
        """The form's, or the one past the piece's own: that would write its notes once more."""
        seed = min(self.form.seed, LARGEST_SEED - 2 * MOST)
        own = self.piece.provenance.seed if self.piece.provenance is not None else None
        return own + 1 if own is not None and own in range(seed, seed + self.count) else seed

    @property
    def original(self) -> Chorale:
        """The piece that the versions might replace."""
        return self.piece

    @property
    def blind(self) -> bool:
        """Whether notes are kept that lie ahead of those that are written."""
        free = self.free.reshape(-1)
        return not free[int(free.argmax()) :].all()

    def accepted(self, version: Chorale, seed: int) -> tuple[Chorale, None]:
        """``version`` as it is called from now on; the form does not say what was rewritten."""
        del seed
        return replace(version, title=title(self.piece.title)), None

    def same(self, other: object) -> bool:
        """Whether ``other`` would come to the same notes."""
        if not isinstance(other, Rewriting) or other.piece is not self.piece:
            return False
        if other.form != self.form:
            return False
        return bool((other.free == self.free).all())


def of(
    piece: Chorale, selection: Selection | None, kept: Flags, form: Form, count: int
) -> Rewriting:
    """What is written when the user asks for it.

    Args:
        piece: on the sheet.
        selection: what shall be written, None: all.
        kept: what is locked, bool (T, 4).
        form: the entries as they stand.
        count: how many versions.

    Raises:
        UsageError: all of it is locked.
    """
    free = ~kept if selection is None else locked.cells(piece, selection) & ~kept
    if not free.any():
        raise UsageError(NOTHING_FREE if selection is None else ALL_LOCKED)
    return Rewriting(piece=piece, free=free, form=form, count=count)


def title(before: str) -> str:
    """The name of what became of a piece: 'Air', 'Air, rewritten', 'Air, rewritten 2' ..."""
    again = _AGAIN.fullmatch(before)
    if again is None:
        return f"{before}, rewritten" if before else "Rewritten"
    return f"{again[1]}, rewritten {int(again[2] or 1) + 1}"


def named(piece: Chorale, name: str) -> Chorale:
    """``piece`` under another name."""
    return replace(piece, title=name)
