"""What can be wished for in several versions: a new piece, or a part of one anew.

This file knows the form; it knows nothing of models, nor of how versions are ranked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from musicrel.chorale import Chorale
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.form import LARGEST_SEED, Form
from musicrel.presentation.rewriting import MOST, Rewriting


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
    def blind(self) -> bool:
        """Whether notes are kept that lie ahead of those that are written: none is."""
        return False

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


Wish: TypeAlias = NewPiece | Rewriting
