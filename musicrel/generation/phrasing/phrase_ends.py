"""Phrase ends of a planned piece, and the cadences that are wanted there, requested or drawn.

They are drawn after the counts of the training chorales.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.analysis import cadences, keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Mode, Voice, spans
from musicrel.generation.phrasing.phrase_plan import pick
from musicrel.model.tokens import codec

# Steps before a phrase end that can matter to its cadence, a long last chord included.
_NEAR_STEPS: Final = 8 * STEPS_PER_QUARTER


class Close(NamedTuple):
    """The close of a phrase."""

    kind: str  # of its cadence, see ``musicrel.analysis.cadences``; "": none
    degree: int | None = None  # semitones from the tonic up to the last note of the bass; None: any
    prepared: int = 0  # steps from the chord that prepares the cadence to its first step; 0: any


def _closes(
    authentic: Mapping[int, int], open_: Mapping[int, int], **others: int
) -> Mapping[Close, int]:
    return {
        **{Close("authentic", degree): count for degree, count in authentic.items()},
        **{Close("", degree): count for degree, count in open_.items()},
        **{Close(kind): count for kind, count in others.items()},
    }


WITHIN: Final = {"authentic": 782, "half": 197, "": 149, "plagal": 50, "deceptive": 14}
"""Number of phrase ends of each kind within the bundled training chorales."""
AT_THE_END: Final = {"authentic": 197, "": 21, "half": 6, "plagal": 5, "deceptive": 1}
"""The same of the ends of these chorales."""

BEFORE_THE_LAST: Final[Mapping[Mode, Mapping[Close, int]]] = {
    "major": _closes(
        {0: 5, 2: 9, 4: 2, 5: 7, 7: 35, 9: 13, 10: 1},
        {1: 1, 2: 1, 4: 6, 5: 1, 7: 1, 9: 9},
        half=27, plagal=2, deceptive=3,
    ),
    "minor": _closes(
        {0: 3, 3: 18, 5: 5, 7: 9, 8: 3, 10: 20},
        {0: 4, 3: 4, 5: 3, 8: 2, 10: 3},
        half=19, plagal=5, deceptive=4,
    ),
}  # fmt: skip
"""The closes of the phrase before the last, of three or more, by the mode of the chorale, with the
degrees of authentic cadences and of ends without one. Bach is seldom on the tonic there."""
OF_THE_FIRST: Final[Mapping[Mode, Mapping[Close, int]]] = {
    "major": _closes(
        {0: 52, 4: 1, 5: 13, 7: 22, 9: 3, 10: 1},
        {0: 2, 2: 4, 4: 1, 5: 2, 8: 2, 9: 2},
        half=12, plagal=8,
    ),
    "minor": _closes(
        {0: 27, 3: 18, 5: 4, 7: 10, 8: 1, 10: 1},
        {0: 6, 2: 1, 3: 1, 10: 1},
        half=27, plagal=6, deceptive=2,
    ),
}  # fmt: skip
"""The same of the first phrase, which shows the key of the piece."""
_FIRST, _BEFORE_LAST = "first", "before the last"
BY_PLACE: Final = {_FIRST: OF_THE_FIRST, _BEFORE_LAST: BEFORE_THE_LAST}
"""The closes of phrases with counts of their own."""
PREPARED: Final = {kind: {4: 571, 2: 189} for kind in ("authentic", "deceptive", "plagal")}
"""Steps from the chord that prepares a cadence, by its kind, to the last one: a quarter, or an
eighth, often after a suspension. The numbers are those of the authentic ones within the bundled
training chorales."""

FINAL: Final = ("authentic", "plagal")
"""Cadences on the tonic. A piece ends with one of these where none is requested: a user takes
another end for a fault."""
# Separate these random numbers from those of the notes and from each other.
_KINDS, _PREPARATIONS = 5, 6
_ALL_KINDS: Final = 2, 2


def draw_cadences(number: int, seed: int) -> tuple[str, ...]:
    """Draw the kinds of ``number`` phrase ends as in Bach, "" for none, the piece's end last."""
    generator = np.random.default_rng([seed, *_ALL_KINDS])
    counts = [WITHIN] * (number - 1) + [AT_THE_END] if number else []
    return tuple(pick(of_end, generator) for of_end in counts)


def draw_within(seed: int, step: int, left_open: float) -> str:
    """Draw the cadence that is preferred at the end of an inner phrase, "": the model's choice.

    Args:
        step: first step of the phrase end; each has its own random number.
        left_open: number of ends that are left to the model for each that Bach leaves without a
            cadence. With the closes that a model makes by itself, as many close as in Bach.
    """
    total, open_ = sum(WITHIN.values()), left_open * WITHIN[""]
    closed = (total - open_) / (total - WITHIN[""])
    weights = {kind: closed * count if kind else open_ for kind, count in WITHIN.items()}
    return pick(weights, _generator(seed, step))


def draw_of(counts: Mapping[Close, int], seed: int, step: int) -> Close:
    """Draw the close that is preferred at the end of one of the phrases with counts of their own.

    They are the first one, and the one before the last.
    """
    return _prepared(pick(counts, _generator(seed, step)), seed, step)


def draw_last(seed: int, step: int) -> Close:
    """Draw the close of a piece where none is requested; see ``draw_of``."""
    kind = pick({kind: AT_THE_END[kind] for kind in FINAL}, _generator(seed, step))
    return _prepared(Close(kind, degree=0), seed, step)


def _prepared(close: Close, seed: int, step: int) -> Close:
    counts = PREPARED.get(close.kind, {0: 1})
    return close._replace(prepared=pick(counts, _generator(seed, step, _PREPARATIONS)))


def _generator(seed: int, step: int, stream: int = _KINDS) -> np.random.Generator:
    return np.random.default_rng([seed, stream, step])


class PhraseEnd(NamedTuple):
    """A planned phrase end, from ``step`` to ``stop``; kind, degree, prepared as of a ``Close``.

    A close that was drawn, not requested, leaves the cadence to the model if its kind is "". A
    cadence that was drawn for the end of a piece counts as requested.
    """

    step: int
    stop: int
    kind: str
    is_drawn: bool = False
    degree: int | None = None
    prepared: int = 0
    place: str = ""  # that of its phrase, if it is one of ``BY_PLACE``

    @property
    def last(self) -> int:
        return self.stop * codec.VOICES

    @property
    def approach(self) -> range:
        """Return the index of the last token before its first step, and those of that step."""
        before = self.step * codec.VOICES
        return range(before, before + codec.VOICES + 1)

    def drawn(self, seed: int, steps: int, key: Key | None, left_open: float) -> PhraseEnd:
        """Return the phrase end with a close drawn as in Bach; at the last one it is requested.

        Without a key no degree is drawn. ``left_open`` is as in ``draw_within``; ends with counts
        of their own have a degree instead.
        """
        if self.stop == steps:
            last = draw_last(seed, self.step)
            return self._replace(kind=last.kind, prepared=last.prepared if key else 0)
        if self.place and key is not None:
            close = draw_of(BY_PLACE[self.place][key.mode], seed, self.step)
            return self._replace(**close._asdict(), is_drawn=True)
        kind = draw_within(seed, self.step, left_open)
        return self._replace(kind=kind, is_drawn=True)

    def root(self, steps: int, key: Key | None) -> int | None:
        """Return the pitch class of the wanted last note of the bass; None: any.

        The end of a piece in a key is on its tonic. Of the 326 authentic cadences at the ends of
        the bundled chorales 311 are.
        """
        if key is not None and self._is_final(steps):
            return key.pitch_class
        if key is None or self.degree is None:
            return None
        return (key.pitch_class + self.degree) % 12

    def is_met_by(self, piece: Chorale, steps: int, key: Key | None) -> bool:
        """Return whether ``piece``, given at least up to this end, closes here as it is wanted."""
        root, last_bass = self.root(steps, key), REST
        if self.stop <= piece.steps:
            last_bass = int(piece.pitches[self.stop - 1, Voice.BASS])
        if root is not None and (last_bass == REST or last_bass % 12 != root):
            return False
        if self.is_drawn and not self.kind:
            return True
        kind = self._cadence(piece, key)
        if not (kind == self.kind if self.kind else kind):
            return False
        if key is None or not self._is_final(steps):
            return True
        above_4 = (piece.pitches[-1] - key.pitch_class) % 12  # the tonic triad in root position
        return bool(np.isin(above_4, keys.last_triad(key)).all() and above_4[Voice.BASS] == 0)

    def _is_final(self, steps: int) -> bool:
        return self.kind in FINAL and self.stop == steps

    def _cadence(self, piece: Chorale, key: Key | None) -> str:
        first = max(self.step - _NEAR_STEPS, 0)
        near = piece.cropped(first, piece.steps)
        found = cadences.phrase_ends(replace(near, key=key or keys.estimate(piece.pitches)))
        return found[-1].kind if found and found[-1].stop >= self.stop - first else ""


def planned_ends(
    plan: Chorale, conditions: Collection[str], kinds: tuple[str, ...]
) -> list[PhraseEnd]:
    """Return the phrase ends that a model knows of, or that have a requested cadence.

    ``kinds`` are the requested cadences in order, "" for any; a single one is for all.
    """
    fermatas = [*spans(plan.fermatas)]
    if not fermatas or fermatas[-1][1] < plan.steps:
        fermatas.append((max(plan.steps - STEPS_PER_QUARTER, 0), plan.steps))
    kinds = kinds * len(fermatas) if len(kinds) == 1 else kinds[: len(fermatas)]
    kinds += ("",) * (len(fermatas) - len(kinds))
    places = {len(fermatas) - 2: _BEFORE_LAST, 0: _FIRST, len(fermatas) - 1: ""}
    ends = [
        PhraseEnd(*span, kind, place=places.get(number, ""))
        for number, (span, kind) in enumerate(zip(fermatas, kinds, strict=True))
    ]
    return [end for end in ends if end.kind or _is_known(end, plan, conditions)]


def _is_known(end: PhraseEnd, plan: Chorale, conditions: Collection[str]) -> bool:
    is_last, has_fermata = end.stop == plan.steps, bool(plan.fermatas[end.step : end.stop].all())
    return (is_last and "ending" in conditions) or (has_fermata and "fermata" in conditions)
