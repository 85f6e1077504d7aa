"""The phrases of a form or of a piece, as they are drawn above the roll, and their editing.

Every function that edits returns a new form with its phrases, pickup and cadences as numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from musicrel.analysis import cadences
from musicrel.chorale import Chorale
from musicrel.generation import cadence_list
from musicrel.generation.request import max_bars
from musicrel.presentation.compose.form import Form


class Phrase(NamedTuple):
    """One phrase: its length in bars, first step, the step after its last, and its cadence.

    The cadence is "" for any, or for none that is known.
    """

    bars: int
    start: int
    stop: int
    cadence: str


def of_form(form: Form) -> tuple[Phrase, ...]:
    """Return the phrases of the piece that ``form`` generates; empty: the model's choice.

    Raises:
        UsageError: the phrases of the form are not numbers, or do not sum to its bars.
    """
    plan, bar = form.plan(), form.meter.steps
    stops = accumulate(plan.phrases)
    return tuple(
        Phrase(bars, (stop - bars) * bar, stop * bar, cadence)
        for bars, stop, cadence in zip(plan.phrases, stops, plan.cadences, strict=True)
    )


def of_piece(piece: Chorale) -> tuple[Phrase, ...]:
    """Return the phrases of ``piece`` by its fermatas, with the cadences they end in."""
    if not piece.fermatas.any():
        return ()
    ends = cadences.phrase_ends(piece)
    stops = [end.stop for end in ends]
    if stops:
        stops[-1] = piece.steps
    bar = piece.meter.steps
    return tuple(
        Phrase(max(round((stop - start) / bar), 1), start, stop, end.kind)
        for start, stop, end in zip([0, *stops], stops, ends, strict=False)
    )


def moved(form: Form, index: int, bar: int) -> Form:
    """Return ``form`` with the end of a phrase elsewhere; both phrases keep a bar at least.

    The end of the last phrase is that of the piece.

    Args:
        form: any form with phrases.
        index: the phrase.
        bar: number of bars from the beginning to its new end.
    """
    lengths = [phrase.bars for phrase in of_form(form)]
    start = sum(lengths[:index])
    is_last = index == len(lengths) - 1
    latest = max_bars(form.meter) if is_last else start + lengths[index] + lengths[index + 1] - 1
    bar = min(max(bar, start + 1), latest)
    if not is_last:
        lengths[index + 1] += start + lengths[index] - bar
    lengths[index] = bar - start
    return _with(form, lengths, form.plan().cadences)


def with_cadence(form: Form, index: int, kind: str) -> Form:
    """Return ``form`` with another cadence at the end of a phrase; "" for any."""
    plan = form.plan()
    kinds = [*plan.cadences[:index], kind, *plan.cadences[index + 1 :]]
    return _with(form, plan.phrases, kinds)


def split(form: Form, index: int) -> Form:
    """Return ``form`` with a phrase split into two halves; a phrase of one bar stays."""
    plan = form.plan()
    bars = plan.phrases[index]
    if bars == 1:
        return form
    halves = (bars - bars // 2, bars // 2)
    lengths = (*plan.phrases[:index], *halves, *plan.phrases[index + 1 :])
    return _with(form, lengths, (*plan.cadences[:index], "", *plan.cadences[index:]))


def merged(form: Form, index: int) -> Form:
    """Return ``form`` with a phrase and the next as one; the last phrase stays."""
    plan = form.plan()
    if index == len(plan.phrases) - 1:
        return form
    whole = plan.phrases[index] + plan.phrases[index + 1]
    lengths = (*plan.phrases[:index], whole, *plan.phrases[index + 2 :])
    return _with(form, lengths, (*plan.cadences[:index], *plan.cadences[index + 1 :]))


def _with(form: Form, lengths: Sequence[int], kinds: Sequence[str]) -> Form:
    return replace(
        form,
        bars=sum(lengths),
        pickup=form.plan().pickup,
        phrases=",".join(map(str, lengths)),
        cadence=cadence_list.to_text(kinds),
    )
