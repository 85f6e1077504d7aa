"""What the user asks a model to write.

This file knows bars, keys, phrases and what is given; it knows nothing of models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np

from musicrel.analysis import cadences
from musicrel.chorale import MAX_STEPS, REST, STEPS_PER_QUARTER, Chorale, Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints import rules as hard
from musicrel.generation.constraints.cell_constraints import Constraints
from musicrel.generation.constraints.locks import Locks
from musicrel.score.notes import spans
from musicrel.tokens.vocabulary import Vocabulary

MOST_BARS: Final = 256
_LARGEST_SEED: Final = 2**63 - 1
_LONGEST_FERMATA: Final = 3 * STEPS_PER_QUARTER
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "bars": (int,),
    "meter": (Meter,),
    "pickup": (int,),
    "key": (Key, type(None)),
    "phrases": (tuple,),
    "temperature": (int, float),
    "top_k": (int,),
    "top_p": (int, float),
    "seed": (int,),
    "tempo": (int, float),
    "length": (int,),
    "fermatas": (tuple,),
    "locks": (Locks, type(None)),
    "rules": (tuple,),
    "patience": (str,),
    "cadence": (str,),
}
FREELY: Final = 0.9
"""The usual top-p of generating: of those tried on valid the models write best so
(``training/LOG.md``). Harmonising, filling in, varying and going on do without."""
PATIENCE: Final = ("draft", "normal", "careful")


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """A piece to be written.

    Attributes:
        bars: length; with a pickup the last bar is the shorter for it, as in hymn books.
        meter: time signature.
        pickup: sixteenths before the first bar line.
        key: the key to write in, None: the model's choice.
        phrases: bars of each phrase, summing to ``bars``; a fermata ends each. Empty: the model's
            choice.
        temperature: 1 as the model learned it, lower is safer, higher more surprising; 0 takes the
            likeliest token every time.
        top_k: choose among so many likeliest tokens, 0: among all.
        top_p: choose among the likeliest tokens that together have this probability.
        seed: of all chance; the same seed gives the same notes.
        tempo: quarter notes a minute.
        length: sixteenths, where the last bar is not full; 0: ``bars`` whole ones.
        fermatas: first step and the step after the last of each, instead of ``phrases``.
        locks: the cells that are given, None: none is.
        rules: names of the hard rules that are on (``musicrel.generation.constraints.rules``).
        patience: ``draft``, ``normal`` or ``careful``: how often a model that sees both sides goes
            over its notes (``infilling``), and of how many ways to the end of a phrase one that
            writes in order takes the likeliest (``endings``).
        cadence: the kind in which phrases should close (``musicrel.analysis.cadences``): of several
            candidates those that do so more often come first. "": any.

    Raises:
        UsageError: a value is out of bounds, or the locks break a rule.
    """

    bars: int = 16
    meter: Meter = field(default_factory=Meter)
    pickup: int = 0
    key: Key | None = None
    phrases: tuple[int, ...] = ()
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    tempo: float = 80.0
    length: int = 0
    fermatas: tuple[tuple[int, int], ...] = ()
    locks: Locks | None = None
    rules: tuple[str, ...] = hard.DEFAULT
    patience: str = "normal"
    cadence: str = ""

    def __post_init__(self) -> None:
        self._check_kinds()
        self._check_form()
        self._check_chance()
        self._check_given()

    @classmethod
    def like(cls, chorale: Chorale, **wishes: Any) -> Self:
        """A piece of the form of ``chorale``: length, meter, pickup, key, fermatas and tempo.

        Args:
            chorale: any piece.
            **wishes: other fields, or some of these that shall be different.

        Raises:
            UsageError: it is too long to be written at once, or a wish is out of bounds.
        """
        bars, most = -(-chorale.steps // chorale.meter.steps), most_bars(chorale.meter)
        if bars > most and "bars" not in wishes:
            raise UsageError(
                f"the piece has {bars:,} bars: expected at most {most} of {chorale.meter}, as many "
                "as can be written at once; take a part of it"
            )
        form: dict[str, Any] = {
            "bars": bars,
            "length": chorale.steps,
            "meter": chorale.meter,
            "pickup": chorale.pickup,
            "key": chorale.key,
            "fermatas": tuple(spans(chorale.fermatas)),
            "tempo": chorale.tempo,
        }
        return cls(**form | wishes)

    @property
    def steps(self) -> int:
        """Length in sixteenths."""
        return self.length or self.bars * self.meter.steps

    def constraints(self, vocabulary: Vocabulary) -> Constraints:
        """What the locks and rules leave to choose from."""
        return Constraints(vocabulary, self.plan(), locks=self.locks, rules=self.rules)

    def plan(self) -> Chorale:
        """The empty piece: silent, but with its meter, key and fermatas in place."""
        fermatas = np.zeros(self.steps, dtype=np.bool_)
        for first, stop in self.fermatas:
            fermatas[first:stop] = True
        start = 0
        for bars in self.phrases:
            end = min(start + bars * self.meter.steps, self.steps)
            fermatas[max(self._last_strong_step(end), start) : end] = True
            start = end
        return Chorale.of(
            np.full((self.steps, 4), REST),
            fermatas=fermatas,
            meter=self.meter,
            pickup=self.pickup,
            key=self.key,
            tempo=self.tempo,
        )

    def told(self) -> tuple[str, ...]:
        """The conditions a model is told by this request; the others stay unknown to it."""
        has_phrases = bool(self.phrases or self.fermatas)
        by_wish = {"fermata": has_phrases, "key": self.key is not None, "phrase": has_phrases}
        wished = tuple(name for name, is_wished in by_wish.items() if is_wished)
        return ("voice", "beat", "bar", "ending", *wished)

    def to_json(self) -> dict[str, Any]:
        """The request as plain JSON values, as stored with what was written."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        values["meter"] = str(self.meter)
        values["key"] = str(self.key) if self.key else None
        values["phrases"] = list(self.phrases)
        values["fermatas"] = [list(span) for span in self.fermatas]
        values["locks"] = self.locks.to_json() if self.locks else None
        values["rules"] = list(self.rules)
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> GenerationRequest:
        """The request that ``to_json`` gave.

        Raises:
            UsageError: a value is unknown or out of bounds.
        """
        try:
            known = {name: value for name, value in values.items() if name in cls.__slots__}
            known["meter"] = Meter.parse(known["meter"])
            known["key"] = Key.parse(known["key"]) if known.get("key") else None
            known["phrases"] = tuple(known.get("phrases", ()))
            known["fermatas"] = tuple((first, stop) for first, stop in known.get("fermatas", ()))
            known["locks"] = Locks.from_json(known["locks"]) if known.get("locks") else None
            known["rules"] = tuple(known.get("rules", hard.DEFAULT))
            return cls(**known)
        except (KeyError, TypeError, ValueError, AttributeError, UsageError) as reason:
            raise UsageError(
                f"the stored settings are no request of musicrel: {reason}"
            ) from reason

    def _last_strong_step(self, end: int) -> int:
        """Where the last note of a phrase begins: the last strong beat a quarter before its end.

        That is where nine of ten fermatas of the bundled chorales begin: on the third quarter or
        the first of a bar of 4/4.
        """
        halves = self.meter.steps // (2 if self.meter.numerator % 2 == 0 else 1)
        if halves > _LONGEST_FERMATA:
            halves = 4 * STEPS_PER_QUARTER // self.meter.denominator or 1
        latest = end - STEPS_PER_QUARTER
        return latest - (latest - self.pickup) % halves

    def _check_kinds(self) -> None:
        for name, kinds in _KINDS.items():
            value = getattr(self, name)
            if type(value) not in kinds:
                named = " or ".join(kind.__name__ for kind in kinds)
                raise UsageError(f"{name} is {value!r}: expected {named}")
        if any(type(bars) is not int for bars in self.phrases):
            raise UsageError(f"phrases are {self.phrases!r}: expected whole numbers of bars")
        if any(type(step) is not int for span in self.fermatas for step in span):
            raise UsageError(f"fermatas are {self.fermatas!r}: expected pairs of steps")

    def _check_form(self) -> None:
        most = most_bars(self.meter)
        if not 1 <= self.bars <= most:
            raise UsageError(f"bars is {self.bars}: expected 1 to {most} of {self.meter}")
        if not 0 <= self.pickup < self.meter.steps:
            raise UsageError(
                f"pickup is {self.pickup} sixteenths: expected 0 to {self.meter.steps - 1}, "
                f"less than a bar of {self.meter}"
            )
        if self.phrases and (min(self.phrases) < 1 or sum(self.phrases) != self.bars):
            shown = ",".join(map(str, self.phrases))
            raise UsageError(
                f"phrases {shown} sum to {sum(self.phrases)} bars: expected whole numbers above 0 "
                f"that sum to bars, {self.bars}"
            )
        if not 0 <= self.length <= self.bars * self.meter.steps:
            raise UsageError(
                f"length is {self.length} sixteenths: expected 0 (whole bars) to "
                f"{self.bars * self.meter.steps}, {self.bars} bars"
            )
        if not 5 <= self.tempo <= 600:  # noqa: PLR2004
            raise UsageError(f"tempo is {self.tempo}: expected 5 to 600 quarter notes a minute")

    def _check_chance(self) -> None:
        if not 0 <= self.temperature <= 10:  # noqa: PLR2004
            raise UsageError(f"temperature is {self.temperature}: expected 0 to 10")
        if self.top_k < 0:
            raise UsageError(f"top-k is {self.top_k}: expected 0 (off) or more")
        if not 0 < self.top_p <= 1:
            raise UsageError(f"top-p is {self.top_p}: expected more than 0, at most 1 (off)")
        if self.patience not in PATIENCE:
            raise UsageError(f"patience is {self.patience!r}: expected {', '.join(PATIENCE)}")
        if self.cadence not in ("", *cadences.KINDS):
            raise UsageError(
                f"cadence is {self.cadence!r}: expected {', '.join(cadences.KINDS)}, or none"
            )
        if not 0 <= self.seed <= _LARGEST_SEED:
            raise UsageError(f"seed is {self.seed}: expected a whole number 0 to {_LARGEST_SEED}")

    def _check_given(self) -> None:
        for first, stop in self.fermatas:
            if not 0 <= first < stop <= self.steps:
                raise UsageError(
                    f"a fermata holds from step {first} to {stop}: expected steps within 0 to "
                    f"{self.steps}, the first one less"
                )
        rules = hard.checked(self.rules, self.key)
        if self.locks is None:
            return
        if self.locks.steps != self.steps:
            raise UsageError(
                f"the locks are for {self.locks.steps} steps, but the piece to be written has "
                f"{self.steps}: give both the same length"
            )
        if len(self.locks.cells) == self.steps * len(Voice):
            raise UsageError("every note is locked: free at least one voice or bar to be written")
        hard.refuse_contradictions(self.locks.implied(), rules, self.plan())


def most_bars(meter: Meter) -> int:
    """How many bars can be written at once."""
    return min(MOST_BARS, MAX_STEPS // meter.steps)
