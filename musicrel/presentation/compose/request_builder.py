"""What can be wished for in several versions: a new piece, a part of one anew, or more of it.

This file knows the form; it knows nothing of models, nor of how versions are ranked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from musicrel.chorale import REST, Chorale
from musicrel.generation import edit_requests
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import LARGEST_SEED, Form
from musicrel.presentation.compose.rewrite_form import MOST, Rewriting, in_span, title


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPiece:
    """A new piece in several versions; nothing is kept, nothing is replaced.

    Attributes:
        form: what all of them are written after; they have seeds from its own on.
        count: how many versions.
    """

    form: Form
    count: int

    @property
    def original(self) -> None:
        """The piece that they might replace: none."""
        return

    @property
    def before(self) -> str:
        """What is seen without a version, in words."""
        return "the empty sheet"

    @property
    def blind(self) -> bool:
        """Whether notes are kept that lie ahead of those that are written: none is."""
        return False

    def plan(self) -> Chorale:
        """A piece of the form of the versions."""
        return self.request().plan()

    def request(self) -> GenerationRequest:
        """What is asked of the model.

        Raises:
            UsageError: the form cannot be read.
        """
        return replace(self.form, seed=min(self.form.seed, LARGEST_SEED - MOST)).request()

    def accepted(self, version: Chorale, seed: int) -> tuple[Chorale, Form]:
        """``version``, and the form that writes it again."""
        return version, replace(self.form, seed=seed)

    def same(self, other: Wish | None) -> bool:
        """Whether ``other`` would come to the same notes."""
        return isinstance(other, NewPiece) and other.form == self.form


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Continuation:
    """More bars at the end of a piece, several times; all that is there is kept.

    Attributes:
        piece: what is continued.
        bars: how many more.
        form: model, key where the piece has none, surprise, seed, rules and patience.
        count: how many versions.
    """

    piece: Chorale
    bars: int
    form: Form
    count: int

    @property
    def original(self) -> None:
        """The piece that they might be measured against: none, they are longer."""
        return

    @property
    def before(self) -> str:
        """What is seen without a version, in words."""
        return "the piece as it was"

    @property
    def blind(self) -> bool:
        """Whether notes are kept that lie ahead of those that are written: none is."""
        return False

    def plan(self) -> Chorale:
        """A piece of the form of the versions."""
        more = self.bars * self.piece.meter.steps
        return replace(
            self.piece,
            pitches=np.pad(self.piece.pitches, ((0, more), (0, 0)), constant_values=REST),
            onsets=np.pad(self.piece.onsets, ((0, more), (0, 0))),
            fermatas=np.pad(self.piece.fermatas, (0, more)),
        )

    def request(self) -> GenerationRequest:
        """What is asked of the model.

        Raises:
            UsageError: what is kept breaks a rule that is on, or it would be too long.
        """
        return edit_requests.continuation(
            self.piece,
            self.bars,
            key=self.piece.key or self.form.key,
            temperature=self.form.temperature,
            seed=min(self.form.seed, LARGEST_SEED - MOST),
            rules=self.form.rules,
            patience=self.form.patience,
            cadence=self.form.cadence,
        )

    def accepted(self, version: Chorale, seed: int) -> tuple[Chorale, None]:
        """``version`` as it is called from now on; the form does not say what was continued."""
        del seed
        return replace(version, title=title(self.piece.title, "continued")), None

    def same(self, other: Wish | None) -> bool:
        """Whether ``other`` would come to the same notes."""
        return (
            isinstance(other, Continuation)
            and other.piece is self.piece
            and (other.bars, other.form) == (self.bars, self.form)
        )


Wish: TypeAlias = NewPiece | Rewriting | Continuation


def within_span(wish: Wish) -> tuple[Wish, int]:
    """``wish`` where models know all pitches of its piece, and by how many semitones that moved.

    Raises:
        UsageError: the piece is wider than what they know.
    """
    if isinstance(wish, NewPiece):
        return wish, 0
    piece, semitones = in_span(wish.piece)
    if not semitones:
        return wish, 0
    key = wish.form.key and wish.form.key.transposed(semitones)
    return replace(wish, piece=piece, form=replace(wish.form, key=key)), semitones
