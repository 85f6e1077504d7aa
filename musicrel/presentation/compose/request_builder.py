"""Builders of requests for candidates: a new piece, a rewritten passage, a continuation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from musicrel.chorale import REST, Chorale
from musicrel.generation import edit_requests
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import MAX_SEED, Form
from musicrel.presentation.compose.rewrite_form import (
    MAX_CANDIDATES,
    Rewrite,
    fit_to_vocabulary,
    title,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPiece:
    """A request for candidates of a new piece.

    Attributes:
        form: shared by all candidates; their seeds count up from its own.
        count: number of candidates.
    """

    form: Form
    count: int

    @property
    def original(self) -> None:
        """Return the piece that a candidate replaces: none."""
        return

    @property
    def before(self) -> str:
        """Return the name of what is shown without a candidate."""
        return "the empty sheet"

    @property
    def needs_lookahead(self) -> bool:
        """Return whether kept notes follow written ones: never."""
        return False

    def plan(self) -> Chorale:
        """Return a silent piece of the candidates' form."""
        return self.request().plan()

    def request(self) -> GenerationRequest:
        """Return the request for the model.

        Raises:
            UsageError: an entry of the form is invalid.
        """
        return replace(self.form, seed=min(self.form.seed, MAX_SEED - MAX_CANDIDATES)).request()

    def accepted(self, candidate: Chorale, seed: int) -> tuple[Chorale, Form]:
        """Return an accepted candidate, and the form that generates it again."""
        return candidate, replace(self.form, seed=seed)

    def same(self, other: RequestBuilder | None) -> bool:
        """Return whether ``other`` gives the same notes."""
        return isinstance(other, NewPiece) and other.form == self.form


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Continuation:
    """A request for candidates of a continuation; the piece itself is kept.

    Attributes:
        piece: the piece to continue.
        bars: number of added bars.
        form: model, key if the piece has none, temperature, seed, rules and quality.
        count: number of candidates.
    """

    piece: Chorale
    bars: int
    form: Form
    count: int

    @property
    def original(self) -> None:
        """Return the piece to compare candidates with: none, they are longer."""
        return

    @property
    def before(self) -> str:
        """Return the name of what is shown without a candidate."""
        return "the piece as it was"

    @property
    def needs_lookahead(self) -> bool:
        """Return whether kept notes follow written ones: never."""
        return False

    def plan(self) -> Chorale:
        """Return a silent piece of the candidates' form."""
        more = self.bars * self.piece.meter.steps
        return replace(
            self.piece,
            pitches=np.pad(self.piece.pitches, ((0, more), (0, 0)), constant_values=REST),
            onsets=np.pad(self.piece.onsets, ((0, more), (0, 0))),
            fermatas=np.pad(self.piece.fermatas, (0, more)),
        )

    def request(self) -> GenerationRequest:
        """Return the request for the model.

        Raises:
            UsageError: the piece breaks an active rule, or would be too long.
        """
        return edit_requests.continuation_request(
            self.piece,
            self.bars,
            key=self.piece.key or self.form.key,
            temperature=self.form.temperature,
            seed=min(self.form.seed, MAX_SEED - MAX_CANDIDATES),
            rules=self.form.rules,
            quality=self.form.quality,
            cadence=self.form.cadence,
        )

    def accepted(self, candidate: Chorale, seed: int) -> tuple[Chorale, None]:
        """Return an accepted candidate under its new title; no form generates it again."""
        del seed
        return replace(candidate, title=title(self.piece.title, "continued")), None

    def same(self, other: RequestBuilder | None) -> bool:
        """Return whether ``other`` gives the same notes."""
        return (
            isinstance(other, Continuation)
            and other.piece is self.piece
            and (other.bars, other.form) == (self.bars, self.form)
        )


RequestBuilder: TypeAlias = NewPiece | Rewrite | Continuation


def fit_request_to_vocabulary(builder: RequestBuilder) -> tuple[RequestBuilder, int]:
    """Transpose a request's piece into the models' pitch range; also return the semitones.

    Raises:
        UsageError: the piece is wider than that range.
    """
    if isinstance(builder, NewPiece):
        return builder, 0
    piece, semitones = fit_to_vocabulary(builder.piece)
    if not semitones:
        return builder, 0
    key = builder.form.key and builder.form.key.transposed(semitones)
    return replace(builder, piece=piece, form=replace(builder.form, key=key)), semitones
