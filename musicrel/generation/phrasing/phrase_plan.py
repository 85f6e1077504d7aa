"""Phrase plans drawn from the bundled training chorales: pickup, phrases, fermatas.

Phrase lengths are a Markov chain, given that they sum to the bars of the piece. The length of a
phrase, in parts of a bar, depends on that of the phrase before and on the part of the bar where it
begins: phrases that have left the bars return to them. The length of a fermata depends on where in
the bar it ends. The bars of a piece are those of a chorale. Bar form is A A B, as in "Wachet auf":
the phrases of the Stollen, A, come twice. A plan depends on the seed alone; its random numbers are
not those of the notes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import Final, NamedTuple, Self, TypeVar

import numpy as np

from musicrel.analysis.corpus import bundled
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter, spans
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase, parts_of_a_bar

_STREAM: Final = 2  # separates these random numbers from those of the notes and of the key
_PICKUP, _LENGTHS, _HOLDS, _BARS, _FORM, _STOLLEN, _ENDING = 0, 1, 3, 4, 5, 6, 7
# 2: cadences, in ``phrase_ends``

COMMON: Final = Meter(4, 4)
TRIPLE: Final = Meter(3, 4)  # the meters with statistics
_ENOUGH: Final = 15  # chorales that are enough for statistics of one pickup
_MOST_BARS: Final = 32  # bars of the longest piece that is drawn; of the chorales 1 % have more

BAR_FORM: Final = "aab"
THROUGH_COMPOSED: Final = ""
FORMS: Final = (BAR_FORM, THROUGH_COMPOSED)
_REPEATED: Final = 0.37
"""Share of JSB16's training chorales, in which repeats are written out, whose soprano begins with a
passage that comes twice in a row (``training.beginnings``). The bundled ones play no repeats."""
_OTHER_ENDING: Final = 0.15  # share of those whose other voices differ in the repeat
_STOLLEN_BARS: Final[Mapping[Meter, Mapping[int, int]]] = {
    COMMON: {2: 2, 3: 1, 4: 51, 5: 10, 6: 11, 8: 1},
    TRIPLE: {7: 1, 8: 5, 9: 1},
}
"""Number of these passages by their bars."""
_PHRASES_OF_A_STOLLEN: Final = (2, 3, 4, 5, 6, 1)
"""Numbers of phrases, the most frequent first: of 126 passages 104 have two, 12 three. A Stollen of
more phrases may begin with two equal ones, so that one alone comes last."""

Value = TypeVar("Value")


def pick(weights: Mapping[Value, float], generator: np.random.Generator) -> Value:
    """Draw a key with a probability in proportion to its value."""
    values = list(weights)
    cumulative = np.cumsum(list(weights.values()))
    place = np.searchsorted(cumulative / cumulative[-1], generator.random(), side="right")
    return values[min(int(place), len(values) - 1)]


_EDGE: Final = 0  # stands for the length before the first phrase and after the last
_RARE: Final = 0.005  # share of the phrases below which a length is not drawn
# Weight, in phrases, of the frequency of a length at a place regardless of the phrase before.
_SMOOTHING: Final = 2.0
_BLOCK: Final = 32  # parts of bars by which the known probabilities are extended
_KEPT: Final = 64
"""Chains, lengths and plans that are kept: a form asks for its plan again and again."""


class State(NamedTuple):
    """The length of the phrase before, and the parts of a bar since the last whole one."""

    before: int
    place: int


_START: Final = State(_EDGE, 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PhraseChain:
    """A Markov chain; ``shares`` has the probability of each length by state, 0 being the end."""

    shares: Mapping[State, Mapping[int, float]]
    parts: int

    @classmethod
    def of(cls, pieces: Iterable[Sequence[int]], parts: int) -> Self:
        counts: dict[State, Counter[int]] = defaultdict(Counter)
        for lengths in pieces:
            state = _START
            for length in (*lengths, _EDGE):
                counts[state][length] += 1
                state = _after(state, length, parts)
        return cls(shares=_smoothed(counts, parts), parts=parts)

    def draw(self, total: int, generator: np.random.Generator) -> tuple[int, ...]:
        """Draw lengths with the sum ``total``; one length if no others fit."""
        completions = _completions(self, -(-total // _BLOCK) * _BLOCK)
        if not completions[total].get(_START, 0):
            return (total,)
        state, found = _START, list[int]()
        while left := total - sum(found):
            found.append(pick(self.next_lengths(state, completions[:left]), generator))
            state = _after(state, found[-1], self.parts)
        return tuple(found)

    def next_lengths(
        self, state: State, completions: Sequence[Mapping[State, float]]
    ) -> dict[int, float]:
        """Return the probability of each next length, jointly with phrases that fill the rest.

        ``completions`` are the probabilities of all shorter rests, by state.
        """
        return {
            length: share * completions[-length][_after(state, length, self.parts)]
            for length, share in self.shares[state].items()
            if _EDGE < length <= len(completions)
        }


@lru_cache(maxsize=_KEPT)
def _completions(chain: PhraseChain, total: int) -> Sequence[Mapping[State, float]]:
    """Return the probability of exactly 0, 1 ... ``total`` more, by state; in whole blocks."""
    if not total:
        return [{state: likely.get(_EDGE, 0.0) for state, likely in chain.shares.items()}]
    found = [*_completions(chain, total - _BLOCK)]
    for _ in range(_BLOCK):
        found.append(
            {state: sum(chain.next_lengths(state, found).values()) for state in chain.shares}
        )
    return found


def _after(state: State, length: int, parts: int) -> State:
    return State(length, (state.place + length) % parts)


def _smoothed(counts: Mapping[State, Counter[int]], parts: int) -> dict[State, Mapping[int, float]]:
    """Return the shares of lengths that are not rare, in all their states."""
    overall = sum(counts.values(), Counter[int]())
    kept = {length for length, n in overall.items() if n > _RARE * overall.total()}
    at: dict[int, Counter[int]] = {place: Counter() for place in range(parts)}
    for state, found in counts.items():
        at[state.place] += Counter({length: found[length] for length in kept})
    states = (State(before, place) for place in range(parts) for before in kept)
    return {state: _shares(counts.get(state, {}), at[state.place]) for state in states}


def _shares(counts: Mapping[int, int], usual: Counter[int]) -> dict[int, float]:
    weights = {
        length: counts.get(length, 0) + _SMOOTHING * n / usual.total()
        for length, n in usual.items()
    }
    return {length: weight / sum(weights.values()) for length, weight in weights.items()}


@cache
def pickups(meter: Meter) -> Counter[int]:
    """Count the chorales in ``meter`` by the sixteenths of their pickup."""
    return Counter(chorale.pickup for chorale in _chorales(meter))


@cache
def chain(meter: Meter, pickup: int, parts: int) -> PhraseChain:
    """Return the chain of phrase lengths in so many parts of a bar.

    Chorales with another pickup count only if there are few with this one.
    """
    return PhraseChain.of((_lengths(chorale, parts) for chorale in _alike(meter, pickup)), parts)


def _alike(meter: Meter, pickup: int) -> Sequence[Chorale]:
    alike = [chorale for chorale in _chorales(meter) if chorale.pickup == pickup]
    return alike if len(alike) >= _ENOUGH else _chorales(meter)


def holds(meter: Meter, end: int, *, is_last: bool) -> Counter[int]:
    """Count fermatas of a bar at most by their quarters.

    Those within a piece, or those at its end, that end at ``end``, in sixteenths of the bar.
    """
    return _holds(meter).get((end, is_last), Counter())


@cache
def _holds(meter: Meter) -> Mapping[tuple[int, bool], Counter[int]]:
    found: dict[tuple[int, bool], Counter[int]] = defaultdict(Counter)
    for chorale in _chorales(meter):
        for first, stop in spans(chorale.fermatas):
            if stop - first <= meter.steps:
                place = (stop - chorale.pickup) % meter.steps, stop == chorale.steps
                found[place][(stop - first) // STEPS_PER_QUARTER] += 1
    return found


def _lengths(chorale: Chorale, parts: int) -> list[int]:
    """Return the length of each phrase, from fermata to fermata, rounded; at least 1."""
    bar, length = chorale.meter.steps, chorale.steps
    inner = {round(stop / bar * parts) for _, stop in spans(chorale.fermatas) if stop < length}
    ends = sorted(inner | {0, round(length / bar) * parts})
    return [stop - start for start, stop in pairwise(ends)]


@cache
def _chorales(meter: Meter) -> Sequence[Chorale]:
    return [chorale for chorale in bundled.load("train") if chorale.meter == meter]


def draw_pickup(meter: Meter, seed: int) -> int:
    """Draw the sixteenths of a pickup; 0 in a meter without statistics."""
    if meter not in (COMMON, TRIPLE):
        return 0
    return pick(pickups(meter), _generator(seed, _PICKUP))


def _known(meter: Meter) -> Meter:
    return COMMON if meter.steps >= COMMON.steps else TRIPLE


def draw_bars(meter: Meter, pickup: int, seed: int, most: int) -> int:
    """Draw the bars of a piece, a repeat not counted, up to ``most``."""
    chorales = _alike(_known(meter), pickup)
    bars = Counter(-(-chorale.steps // chorale.meter.steps) for chorale in chorales)
    shorter = {number: count for number, count in bars.items() if number <= min(_MOST_BARS, most)}
    return pick(shorter, _generator(seed, _BARS)) if shorter else most


def draw_form(seed: int) -> str:
    """Draw bar form or none, as often as in Bach."""
    is_repeated = _generator(seed, _FORM).random() < _REPEATED
    return BAR_FORM if is_repeated else THROUGH_COMPOSED


def draw_other_ending(seed: int) -> bool:
    """Draw whether a Stollen ends differently when it comes again."""
    return bool(_generator(seed, _ENDING).random() < _OTHER_ENDING)


def draw_stollen(meter: Meter, seed: int, most: int) -> int:
    """Draw the bars of a Stollen, up to ``most``."""
    counts = _STOLLEN_BARS[_known(meter)]
    fitting = {length: count for length, count in counts.items() if length <= most}
    return pick(fitting, _generator(seed, _STOLLEN)) if fitting else most


def stollen_steps(fermatas: Sequence[tuple[int, int]], meter: Meter, steps: int) -> int:
    """Return the steps of the Stollen of a piece whose phrases have the form A A B.

    Args:
        fermatas: first step and the step after the last of each.

    Returns:
        A whole number of bars, so that the repeat stands on the same beats; 0 if no phrases come
        twice in a row at the beginning, or nothing follows them.
    """
    for number in _PHRASES_OF_A_STOLLEN:
        if 2 * number > len(fermatas):
            continue
        length = fermatas[number - 1][1]
        again = tuple((first + length, stop + length) for first, stop in fermatas[:number])
        is_whole = length % meter.steps == 0 and 2 * length < steps
        if is_whole and again == tuple(fermatas[number : 2 * number]):
            return length
    return 0


@lru_cache(maxsize=_KEPT)
def draw_phrases(
    bars: int, meter: Meter, pickup: int, seed: int, stollen: int = 0
) -> tuple[PlannedPhrase, ...]:
    """Draw the phrases of ``bars`` bars after a pickup.

    In 4/4 they may end on any quarter of a bar, in other meters after whole bars. Those of the
    first bars, ``stollen``, come twice.
    """
    parts, random = parts_of_a_bar(meter), _generator(seed, _LENGTHS)
    likely = chain(_known(meter), pickup, parts)
    repeated = likely.draw(stollen * parts, random) if stollen else ()
    drawn = (*repeated, *likely.draw((bars - 2 * stollen) * parts, random))
    lengths = [length * meter.steps // parts for length in drawn]
    held = _draw_holds(meter, pickup, lengths, _generator(seed, _HOLDS))
    phrases = [
        PlannedPhrase(length / parts, hold) for length, hold in zip(drawn, held, strict=True)
    ]
    written = (*phrases[: len(repeated)], *phrases)
    return planned_phrase.simplest(written, meter, pickup, bars * meter.steps)


def prepare() -> None:
    """Compute the statistics that phrases are drawn from; otherwise the first drawing does."""
    for meter in (COMMON, TRIPLE):
        for pickup in pickups(meter):
            draw_phrases(_MOST_BARS, meter, pickup, seed=0)


def _draw_holds(
    meter: Meter, pickup: int, lengths: Sequence[int], generator: np.random.Generator
) -> Iterator[int]:
    """Draw the quarters under the fermata of each phrase, by where in the bar it ends.

    Without statistics they are 0: a fermata begins on the last strong beat.
    """
    for end, length in zip(accumulate(lengths), lengths, strict=True):
        place, is_last = (end - pickup) % meter.steps, end == sum(lengths)
        counts = holds(meter, place, is_last=is_last)
        shorter = {n: count for n, count in counts.items() if n * STEPS_PER_QUARTER < length}
        yield pick(shorter, generator) if shorter else 0


def _generator(seed: int, part: int) -> np.random.Generator:
    return np.random.default_rng([seed, _STREAM, part])
