"""The attention of one note in one or two models: weights around it, words and table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Chorale, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import (
    PieceAnalysis,
    Profile,
    cell_name,
    percent,
    with_heads,
)
from musicrel.presentation.words import names

BARS_SHOWN: Final = 2
"""Least number of bars that are shown on either side of the note."""


@dataclass(frozen=True)
class NoteAttention:
    """The attention of a cell in one or two models."""

    chorale: Chorale
    cell: int  # the query, 4 step + voice
    models: tuple[str, str]  # names of A and B; "" without one
    heads: tuple[Head | None, Head | None]  # the chosen head of each; None: the mean of all heads
    profiles: tuple[Profile | None, Profile | None]  # the weights of each; None without the model
    both_sides: bool  # whether the models see the steps after the note, too

    @classmethod
    def of(
        cls,
        analyses: tuple[PieceAnalysis | None, PieceAnalysis | None],
        heads: tuple[Head | None, Head | None],
        cell: int | None,
    ) -> NoteAttention | None:
        known = [_known(analysis, cell) for analysis in analyses]
        first = next((one for one in known if one is not None), None)
        if first is None or cell is None:
            return None
        pairs = tuple(zip(known, heads, strict=True))
        profiles = [one.profile(cell, head) if one else None for one, head in pairs]
        return cls(
            chorale=first.chorale,
            cell=cell,
            models=(_name(known[0]), _name(known[1])),
            heads=heads,
            profiles=(profiles[0], profiles[1]),
            both_sides=not first.is_causal,
        )

    @property
    def window(self) -> range:
        """Return the steps that are shown.

        They are some bars before the note, and after it if they count, and all up to the largest
        weight of each model, which ``words`` names.
        """
        around, step = BARS_SHOWN * self.chorale.meter.steps, self.cell // len(Voice)
        after = around if self.both_sides else around // (2 * BARS_SHOWN)
        before = around if self.both_sides else 2 * around
        first = max(step - before, 0)
        stop = min(max(step + after, first + around), self.chorale.steps)
        largest = [place[0] for place in map(_largest, self.profiles) if place is not None]
        return range(min((first, *largest)), max((stop, *(most + 1 for most in largest))))

    @property
    def title(self) -> str:
        return cell_name(self.chorale, self.cell)

    @property
    def legend(self) -> tuple[str, str]:
        return with_heads(self.models, self.heads)

    @property
    def words(self) -> str:
        parts = []
        for letter, profile in zip("AB", self.profiles, strict=True):
            place = _largest(profile)
            if profile is not None and place is not None:
                step, voice = place
                most = percent(float(profile.weights[step, voice]))
                part = f"{letter}: most, {most}, on {_place(self.chorale, step, voice, profile)}"
                parts.append(part + (f"; START {percent(profile.start)}" if profile.start else ""))
        return ".  ".join(parts)

    def at_step(self, step: int) -> str:
        parts = [
            f"{letter} {percent(float(profile.weights[step].sum()))}"
            for letter, profile in zip("AB", self.profiles, strict=True)
            if profile is not None
        ]
        place = names.position(step, self.chorale.meter, self.chorale.pickup)
        return f"{place[:1].upper() + place[1:]}: {', '.join(parts)}"


def table(attention: NoteAttention) -> Iterator[tuple[object, ...]]:
    """Yield the weights of both models on every step and voice, and their difference, by rows."""
    first, second = attention.profiles
    yield ("step", "voice", *(name or "-" for name in attention.legend), "difference")
    shown = first or second
    if shown is None:
        return
    if shown.start:
        yield ("START", "", *_cells(first, second, None))
    for step in range(len(shown.weights)):
        for column in range(shown.weights.shape[1]):
            voice = Voice(column).letter if shown.weights.shape[1] == len(Voice) else ""
            yield (step, voice, *_cells(first, second, (step, column)))


def _cells(
    first: Profile | None, second: Profile | None, place: tuple[int, int] | None
) -> tuple[object, ...]:
    """Return the weights of both models at a place (None: START), and B − A."""
    values = [
        None if one is None else one.start if place is None else float(one.weights[place])
        for one in (first, second)
    ]
    a, b = values
    both = "" if a is None or b is None else round(b - a, 6)
    return (*("" if value is None else round(value, 6) for value in values), both)


def _known(analysis: PieceAnalysis | None, cell: int | None) -> PieceAnalysis | None:
    if analysis is None or not analysis.has_weights or not analysis.has_cell(cell):
        return None
    return analysis


def _name(analysis: PieceAnalysis | None) -> str:
    return analysis.model if analysis is not None else ""


def _largest(profile: Profile | None) -> tuple[int, int] | None:
    if profile is None or not profile.weights.size:
        return None
    step, column = divmod(int(profile.weights.argmax()), profile.weights.shape[1])
    return step, column


def _place(chorale: Chorale, step: int, voice: int, profile: Profile) -> str:
    if profile.weights.shape[1] == len(Voice):
        return cell_name(chorale, step * len(Voice) + voice)
    return names.position(step, chorale.meter, chorale.pickup)
