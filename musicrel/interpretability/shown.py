"""The selection on the Attention page, of one model or of two; words and tables of its views."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import starmap, zip_longest
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import Head, Mutes, all_heads
from musicrel.interpretability.piece_analysis import (
    LAG_WORDS,
    PieceAnalysis,
    Profile,
    Share,
    Weights,
    cell_name,
    percent,
    with_heads,
)
from musicrel.interpretability.results import Places
from musicrel.interpretability.surprisal import ModelDifference
from musicrel.language import decimal, tr
from musicrel.presentation.words import names

_VOICES: Final = len(Voice)
BARS_SHOWN: Final = 2  # least number of bars that are shown on either side of the note


@dataclass(frozen=True)
class NoteAttention:
    chorale: Chorale
    cell: int  # the query, 4 step + voice
    legend: tuple[str, str]  # names of A and B with their heads; "" without one
    profiles: tuple[Profile | None, Profile | None]  # the weights of each; None without the model
    both_sides: bool  # whether the models see the steps after the note, too

    @property
    def window(self) -> range:
        """Return the steps that are shown.

        They are some bars before the note, and after it if they count, and all up to the largest
        weight of each model, which ``words`` names.
        """
        around, step = BARS_SHOWN * self.chorale.meter.steps, self.cell // _VOICES
        before, after = around, around
        if not self.both_sides:
            before, after = 2 * around, around // (2 * BARS_SHOWN)
        first = max(step - before, 0)
        stop = min(max(step + after, first + around), self.chorale.steps)
        largest = [place[0] for place in map(_largest, self.profiles) if place is not None]
        return range(min((first, *largest)), max((stop, *(most + 1 for most in largest))))

    @property
    def title(self) -> str:
        return cell_name(self.chorale, self.cell)

    @property
    def words(self) -> str:
        parts = []
        for letter, profile in zip("AB", self.profiles, strict=True):
            place = _largest(profile)
            if profile is not None and place is not None:
                most, there = percent(float(profile.weights[place])), self._named(place, profile)
                part = tr("{letter}: most, {most}, on {place}")
                part = part.format(letter=letter, most=most, place=there)
                parts.append(part + (f"; START {percent(profile.start)}" if profile.start else ""))
        return ".  ".join(parts)

    def _named(self, place: tuple[int, int], profile: Profile) -> str:
        step, voice = place
        if profile.weights.shape[1] == _VOICES:
            return cell_name(self.chorale, step * _VOICES + voice)
        return names.position(step, self.chorale.meter, self.chorale.pickup)

    def at_step(self, step: int) -> str:
        parts = [
            f"{letter} {percent(float(profile.weights[step].sum()))}"
            for letter, profile in zip("AB", self.profiles, strict=True)
            if profile is not None
        ]
        place = names.position(step, self.chorale.meter, self.chorale.pickup)
        return f"{place[:1].upper() + place[1:]}: {', '.join(parts)}"


def note_table(attention: NoteAttention) -> Iterator[tuple[object, ...]]:
    first, second = attention.profiles
    yield ("step", "voice", *(name or "-" for name in attention.legend), "difference")
    shown = first or second
    if shown is None:
        return
    if shown.start:
        yield ("START", "", *_cells(first, second, None))
    for step in range(len(shown.weights)):
        for column in range(shown.weights.shape[1]):
            voice = Voice(column).letter if shown.weights.shape[1] == _VOICES else ""
            yield (step, voice, *_cells(first, second, (step, column)))


def _cells(
    first: Profile | None, second: Profile | None, place: tuple[int, int] | None
) -> tuple[object, ...]:
    values = [
        None if one is None else one.start if place is None else float(one.weights[place])
        for one in (first, second)
    ]
    a, b = values
    both = "" if a is None or b is None else round(b - a, 6)
    return (*("" if value is None else round(value, 6) for value in values), both)


def _largest(profile: Profile | None) -> tuple[int, int] | None:
    if profile is None or not profile.weights.size:
        return None
    step, column = divmod(int(profile.weights.argmax()), profile.weights.shape[1])
    return step, column


BY_DISTANCE: Final = "By distance"
BY_VOICE: Final = "By voice"
GROUP_TITLES: Final = {BY_DISTANCE: tr("By distance"), BY_VOICE: tr("By voice")}
ALONE: Final = tr("Bars: mean over the piece. Marks: the chosen note.")
WORDS: Final = tr("Bars: mean over the piece. Marks: the chosen note. Right: B − A in points.")


class SharePair(NamedTuple):
    first: Share
    second: Share | None  # of B; None without a second model

    @property
    def difference(self) -> float | None:
        return None if self.second is None else self.second.whole - self.first.whole

    @property
    def here(self) -> float | None:
        if self.second is None or self.first.here is None or self.second.here is None:
            return None
        return self.second.here - self.first.here


Groups: TypeAlias = tuple[tuple[str, tuple[SharePair, ...]], ...]


def points(difference: float) -> str:
    value = 100 * difference
    spec = "+.1f" if abs(value) < 1 else "+.0f"
    is_zero = float(format(value, spec)) == 0
    return "0" if is_zero else decimal(value, spec).replace("-", "−")


def describe(pair: SharePair) -> str:
    title, (_, meaning) = pair.first.title, LAG_WORDS.get(pair.first.name, ("", ""))
    parts = [f"{title} ({meaning})" if meaning else title]
    parts[0] += f": A {percent(pair.first.whole)}{_note(pair.first)}"
    if pair.second is not None and pair.difference is not None:
        parts.append(f"B {percent(pair.second.whole)}{_note(pair.second)}")
        parts.append(tr("B − A {points} points", points=points(pair.difference)))
    return ", ".join(parts)


def _note(share: Share) -> str:
    return "" if share.here is None else tr(" (this note {share})", share=percent(share.here))


def share_table(shown: Groups, legend: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    yield ("group", "class", *legend, "difference",
           *(name and f"{name}, note" for name in legend), "difference, note")  # fmt: skip
    for title, pairs in shown:
        for pair in pairs:
            wholes = [share.whole if share else None for share in pair]
            heres = [share.here if share else None for share in pair]
            values = (*wholes, pair.difference, *heres, pair.here)
            cells = ("" if value is None else round(value, 6) for value in values)
            yield (title, pair.first.name, *cells)


_DIGITS: Final = 6


@dataclass(frozen=True)
class Shown:
    """The selection on the page: models, heads, note; all views show it."""

    first: PieceAnalysis
    # that by model B of the same piece; None: one model is shown
    second: PieceAnalysis | None = None
    # the chosen heads of A and B; None: the mean of all
    heads: tuple[Head | None, Head | None] = (None, None)
    cell: int | None = None  # the chosen note; None: none
    mutes: tuple[Mutes, Mutes] = (Mutes(), Mutes())  # the muted heads of A and B
    side: int = 0  # the model that keys and arcs are about: 0 or 1
    is_reading: bool = False  # whether model B still reads the piece

    @property
    def models(self) -> tuple[str, str]:
        return self.first.model, self.second.model if self.second else ""

    @property
    def legend(self) -> tuple[str, str]:
        return with_heads(self.models, self.heads)

    @property
    def note(self) -> NoteAttention | None:
        """Return the attention of the chosen note; None unless one of the models has read it."""
        cell, known = self.cell, [
            one if one is not None and one.has_weights and one.has_cell(self.cell) else None
            for one in (self.first, self.second)
        ]  # fmt: skip
        first = known[0] or known[1]
        if first is None or cell is None:
            return None
        a, b = (
            None if one is None else one.profile(cell, head)
            for one, head in zip(known, self.heads, strict=True)
        )
        models = known[0].model if known[0] else "", known[1].model if known[1] else ""
        legend = with_heads(models, self.heads)
        return NoteAttention(first.chorale, cell, legend, (a, b), not first.is_causal)

    @property
    def shares(self) -> Groups:
        """Return the shares by distance, and by voice where a key is one voice."""
        a, b, cell, (first, second) = self.first, self.second, self.cell, self.heads
        found = (
            (BY_DISTANCE, a.by_lag(first, cell), b.by_lag(second, cell) if b else ()),
            (BY_VOICE, a.by_voice(first, cell), b.by_voice(second, cell) if b else ()),
        )
        return tuple(
            (title, tuple(starmap(SharePair, zip_longest(of_a, of_b))))
            for title, of_a, of_b in found
            if of_a
        )

    @property
    def difference(self) -> ModelDifference | None:
        return ModelDifference.of(self.first, self.second) if self.second else None


def check_pair(families: Sequence[str], names: Sequence[str]) -> None:
    kinds = [family == "infill" for family in families]
    if len(set(kinds)) > 1:
        infill, causal = (names[kinds.index(kind)] for kind in (True, False))
        raise UsageError(
            f"{infill} sees both sides of a note and {causal} does not: expected two models that "
            "write from left to right, or two infilling models"
        )


def place_table(found: Places) -> Iterator[tuple[object, ...]]:
    layers, heads, steps, _ = found.places_LHT4.shape
    some = all_heads(layers, heads)
    yield ("step", "voice", *(f"Layer {one.layer + 1}, head {one.head + 1}" for one in some))
    for step, voice in np.ndindex(steps, _VOICES):
        row = np.round(found.places_LHT4[:, :, step, voice].ravel(), 3).tolist()
        yield (step, Voice(voice).letter, *row)


def map_table(
    named: tuple[str, str], weights: Weights, cells: Iterable[int], chorale: Chorale
) -> Iterator[tuple[object, ...]]:
    """Yield rows of a map, (cells, keys): model, head, step, voice, and the weight of each key."""
    yield ("model", "head", "step", "voice", *_keys(weights.shape[1], chorale.steps))
    for cell in cells:
        step, voice = divmod(cell, _VOICES)
        row = np.round(weights[cell].astype(np.float64), _DIGITS).tolist()
        yield (*named, step, Voice(voice).letter, *row)


def _keys(columns: int, steps: int) -> list[str]:
    """Return the names of the columns, as "START" and "12 T", or "12" for a step."""
    if columns == steps:
        return [str(step) for step in range(steps)]
    cells = (divmod(cell, _VOICES) for cell in range(columns - 1))
    return ["START", *(f"{step} {Voice(voice).letter}" for step, voice in cells)]
