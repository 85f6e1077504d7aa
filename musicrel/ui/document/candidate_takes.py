"""The takes that the candidates of one request become as soon as they are finished."""

from __future__ import annotations

from dataclasses import replace

from musicrel.chorale import Chorale
from musicrel.presentation.compose.form import RequestBuilder
from musicrel.project.take import Take
from musicrel.ui.document.document import Document


class CandidateTakes:
    def __init__(self, document: Document, builder: RequestBuilder) -> None:
        self._takes, self._builder = document.takes, builder
        self._model = document.form.model
        before = document.take if builder.piece is not None else None
        self._parent = before.number if before is not None else None
        self._numbers: dict[int, int] = {}

    def keep(self, number: int, candidate: Chorale, seed: int) -> None:
        """Make a candidate a take, the first time."""
        if number in self._numbers:
            return
        piece, form = self._builder.accepted(candidate)
        if form is None:  # new pieces are written by the model on screen, not by one that rewrites
            form = replace(self._builder.form, model=self._model, seed=seed)
        self._numbers[number] = self._takes.add(
            piece, form, self._builder.action, parent=self._parent
        )

    def take_of(self, number: int) -> Take | None:
        """Return the take of a candidate; None if it is not finished."""
        return self._takes.get(self._numbers.get(number))
