"""The phrases of a form or of a piece, as they are drawn above the roll, and their editing.

Every function that edits returns a new form with its phrases, pickup and cadences as numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import ceil
from types import MappingProxyType
from typing import Final, NamedTuple

from musicrel.analysis import cadences
from musicrel.chorale import Chorale, Key, Meter
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.phrasing.phrase_plan import BAR_FORM, THROUGH_COMPOSED, stollen_steps
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase, phrases_of, planned
from musicrel.generation.request import max_bars
from musicrel.language import count, decimal, tr
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words import names

# bars of the shortest phrase that can be split; both parts have a bar at least
LEAST_TO_SPLIT: Final = 2
CADENCE_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": tr("any", "cadence"),
        "authentic": "V–I",
        "half": "–V",
        "plagal": "IV–I",
        "deceptive": "V–VI",
    }
)  # short labels of cadences
# inside a sentence
CADENCES: Final[Mapping[str, str]] = MappingProxyType({
    "authentic": tr("authentic"), "half": tr("half", "cadence"), "plagal": tr("plagal"),
    "deceptive": tr("deceptive"),
})  # fmt: skip
NO_CADENCE: Final = tr("no cadence")
_IN_KEY: Final = tr("{label} in {key}")


class Phrase(NamedTuple):
    """One phrase: its length in bars, first step, the step after its last, and its cadence.

    The cadence is "" for any, or for none that is known. The hold is that of ``PlannedPhrase``. The
    key is that of an authentic cadence in another key than that of the piece.
    """

    bars: float
    start: int
    stop: int
    cadence: str
    hold: int = 0
    key: Key | None = None


def of_form(form: Form) -> PhraseLane:
    """Return the phrases of the piece that ``form`` generates; empty: the model's choice."""
    request = form.request()
    phrases = [planned(phrase) for phrase in request.phrases or ()]
    kinds = planned_phrase.cadences_of_phrases(request.cadence, len(phrases)) if phrases else ()
    ends = accumulate((phrase.bars for phrase in phrases), initial=0.0)
    steps = [round(end * form.meter.steps) for end in ends]
    return PhraseLane(
        phrases=tuple(
            Phrase(phrase.bars, start, stop, cadence, phrase.hold)
            for phrase, (start, stop), cadence in zip(phrases, pairwise(steps), kinds, strict=True)
        ),
        meter=form.meter,
        pickup=request.pickup or 0,
    )


def of_piece(piece: Chorale) -> tuple[Phrase, ...]:
    """Return the phrases of ``piece`` by its fermatas, with the cadences they end in."""
    ends = cadences.phrase_ends(piece) if piece.fermatas.any() else ()
    if not ends:
        return ()
    steps = [0, *(end.stop for end in ends[:-1]), piece.steps]
    fermatas = [(end.step, end.stop) for end in ends]
    found = phrases_of(fermatas, piece.meter, piece.pickup, piece.steps)
    return tuple(
        Phrase(phrase.bars, start, stop, end.kind, phrase.hold, end.key)
        for phrase, (start, stop), end in zip(found, pairwise(steps), ends, strict=True)
    )


def moved(form: Form, index: int, bar: int) -> Form:
    """Return ``form`` with the end of a phrase elsewhere; both phrases keep a bar at least.

    The end of the last phrase is that of the piece.
    """
    lane = of_form(form)
    phrases = [*lane.phrases]
    start = sum(phrase.bars for phrase in phrases[:index])
    end: float = max(bar, start + 1)
    if index == len(phrases) - 1:
        end = min(ceil(end), max_bars(form.meter))
    else:
        next_end = start + phrases[index].bars + phrases[index + 1].bars
        if next_end < start + LEAST_TO_SPLIT:
            return form
        end = min(end, next_end - 1)
        phrases[index + 1] = phrases[index + 1]._replace(bars=next_end - end)
    phrases[index] = phrases[index]._replace(bars=end - start, hold=0)
    return with_lane(form, replace(lane, phrases=tuple(phrases)))


def with_cadence(form: Form, index: int, kind: str) -> Form:
    lane = of_form(form)
    return _replaced(form, lane, index, 1, lane.phrases[index]._replace(cadence=kind))


def split(form: Form, index: int) -> Form:
    """Return ``form`` with a phrase split into two halves; one shorter than two bars stays."""
    lane = of_form(form)
    phrase = lane.phrases[index]
    if phrase.bars < LEAST_TO_SPLIT:
        return form
    later = phrase.bars // 2
    first = phrase._replace(bars=phrase.bars - later, hold=0, cadence="")
    return _replaced(form, lane, index, 1, first, phrase._replace(bars=later))


def merged(form: Form, index: int) -> Form:
    """Return ``form`` with a phrase and the next as one; the last phrase stays."""
    lane = of_form(form)
    if index == len(lane.phrases) - 1:
        return form
    here, later = lane.phrases[index : index + 2]
    return _replaced(form, lane, index, 2, later._replace(bars=here.bars + later.bars))


def _replaced(form: Form, lane: PhraseLane, index: int, count: int, *phrases: Phrase) -> Form:
    changed = (*lane.phrases[:index], *phrases, *lane.phrases[index + count :])
    return with_lane(form, replace(lane, phrases=changed))


def with_lane(form: Form, lane: PhraseLane) -> Form:
    planned_phrases = tuple(PlannedPhrase(phrase.bars, phrase.hold) for phrase in lane.phrases)
    steps = sum(round(phrase.bars * lane.meter.steps) for phrase in lane.phrases)
    ends = tuple(planned_phrase.at_ends(planned_phrases, lane.meter, lane.pickup, steps))
    layout = form.form
    if form.request().form == BAR_FORM:
        layout = BAR_FORM if stollen_steps(ends, lane.meter, steps) else THROUGH_COMPOSED
    return replace(
        form,
        form=layout,
        bars=round(sum(phrase.bars for phrase in lane.phrases)),
        meter=lane.meter,
        pickup=lane.pickup,
        phrases=planned_phrase.shortened(planned_phrases),
        cadence=planned_phrase.cadences_to_text([phrase.cadence for phrase in lane.phrases]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseLane:
    phrases: tuple[Phrase, ...] = ()  # in order, without gaps
    meter: Meter = field(default_factory=Meter)  # time signature
    pickup: int = 0  # steps before the first bar line
    planned: bool = True  # True for phrases of a piece that is not written yet

    def phrase_at(self, step: float) -> int | None:
        inside = (n for n, phrase in enumerate(self.phrases) if phrase.start <= step < phrase.stop)
        return next(inside, None)

    def end_at(self, step: float, reach: float) -> int | None:
        """Return the index of the phrase that ends nearest, within so many steps; None: none."""
        distances = {n: abs(phrase.stop - step) for n, phrase in enumerate(self.phrases)}
        nearest = min(distances, key=distances.__getitem__, default=None)
        return nearest if nearest is not None and distances[nearest] <= reach else None

    def bar_at(self, step: float) -> int:
        """Return the bars from the beginning to the nearest place where a phrase can end."""
        return max(round(step / self.meter.steps), 0)

    def moved(self, index: int, bar: int) -> PhraseLane:
        """Return the lane while the end of a phrase is dragged to a bar; both keep one at least."""
        here, *after = self.phrases[index : index + 2]
        stop = max(bar * self.meter.steps, here.start + self.meter.steps)
        if after:
            stop = min(stop, after[0].stop - self.meter.steps)
            after = [after[0]._replace(start=stop)]
        changed = (here._replace(stop=stop), *after)
        return replace(self, phrases=(*self.phrases[:index], *changed, *self.phrases[index + 2 :]))

    def describe(self, index: int) -> str:
        """Describe a phrase, as 'Phrase 2: bars 3 to 4, half cadence (–V)'."""
        phrase = self.phrases[index]
        first, last = (self._bar(step) for step in (phrase.start, phrase.stop - 1))
        bars = (
            tr("bar {first}", first=first)
            if first == last
            else tr("bars {first} to {last}", first=first, last=last)
        )
        cadence = self._cadence(phrase)
        return tr(
            "Phrase {number}: {bars}, {cadence}", number=index + 1, bars=bars, cadence=cadence
        )

    def labels(self, index: int) -> tuple[str, ...]:
        """Return the labels of a bracket for its cadence, the longest first, as ('V–I in G',)."""
        phrase = self.phrases[index]
        if not phrase.cadence:
            return () if self.planned else (NO_CADENCE,)
        return cadence_labels(phrase.cadence, phrase.key)

    def _cadence(self, phrase: Phrase) -> str:
        if phrase.cadence:
            label = _in_key(phrase.cadence, phrase.key)[0]
            return tr("{kind} cadence ({label})", kind=CADENCES[phrase.cadence], label=label)
        return tr("any cadence") if self.planned else tr("no cadence found")

    def _bar(self, step: int) -> int:
        """Return the number of the bar at a step; a pickup counts as a part of the first."""
        return max((step - self.pickup) // self.meter.steps + 1, 1)


def cadence_labels(cadence: str, key: Key | None) -> tuple[str, ...]:
    """Return the labels of a cadence, the longest first; ``key`` is another than the piece's."""
    return (tr("half cadence"), CADENCES["half"]) if cadence == "half" else _in_key(cadence, key)


def _in_key(cadence: str, key: Key | None) -> tuple[str, ...]:
    """Return the degrees of a cadence, in words and in short, as 'V–I in E minor', 'V–I in Em'."""
    label = CADENCE_LABELS[cadence]
    if key is None:
        return (label,)
    tonic = names.tonic(key)
    named = (tonic,) if key.mode == "major" else (names.key(key), tr("{tonic}m", tonic=tonic))
    return tuple(_IN_KEY.format(label=label, key=each) for each in named)


def summary(phrases: Sequence[Phrase]) -> str:
    """Return phrases for screen readers, as '8 phrases of 2, 2, 4 bars'."""
    if not phrases:
        return tr("No phrases")
    bars = ", ".join(decimal(phrase.bars, "g") for phrase in phrases)
    return tr("{phrases} of {bars} bars", phrases=count(len(phrases), "phrase"), bars=bars)
