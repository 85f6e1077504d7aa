"""Requests for a piece: form, sampling parameters, locks and rules.

Sampling of the key of a piece without a requested key.

Without a key condition a model modulates freely and seldom ends on the tonic. The key is therefore
sampled first, with the frequencies of the training chorales, and then given as a condition:
p(key) p(notes | key). It depends on the seed alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import astuple, dataclass, field, replace
from functools import cache
from math import ceil
from operator import lt
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Self,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np

from musicrel import bounds, legacy, meter_beats
from musicrel.bounds import shown
from musicrel.chorale import (
    MAX_STEPS,
    REST,
    STEPS_PER_QUARTER,
    Chorale,
    Flags,
    Key,
    Lyric,
    Meter,
    Voice,
    spans,
)
from musicrel.errors import DataError, UsageError
from musicrel.generation.constraints import last_chord as closing
from musicrel.generation.constraints import rules as hard
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import BEGINS, EITHER, Locks
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.phrasing import compound_rhythm, openings, phrase_plan, planned_phrase
from musicrel.generation.phrasing.planned_phrase import Phrases, PlannedPhrase
from musicrel.generation.quality import NORMAL, QUALITIES, searches
from musicrel.language import decimal, tr
from musicrel.score.verses import setting
from musicrel.validated import convert

OCCURRENCES: Final[Mapping[str, int]] = {
    "G major": 33, "A minor": 30, "G minor": 23, "D minor": 20, "F major": 18, "A major": 17,
    "D major": 17, "E minor": 15, "Bb major": 14, "C major": 12, "B minor": 10, "E major": 7,
    "Eb major": 6, "C minor": 4, "F# minor": 3, "Ab major": 1,
}  # fmt: skip
"""Number of bundled training chorales in each key."""

# Separates these random numbers from those of the notes, which begin with the seed alone.
_STREAM: Final = 1
# Conditions without which pickup and phrases are not drawn.
_DRAWN_CONDITIONS: Final = ("bar", "fermata")


def sample_key(seed: int) -> Key:
    """Return the key of ``seed``."""
    counts = np.array(list(OCCURRENCES.values()))
    uniform = np.random.default_rng([seed, _STREAM]).random()
    place = np.searchsorted(counts.cumsum() / counts.sum(), uniform, side="right")
    return Key.parse(list(OCCURRENCES)[place])


_TAKEN: Final = {  # by fields in Python, besides the types of the class
    "bars": "a whole number or auto", "pickup": "a whole number or auto",
    "phrases": "the bars of each as in (2, 2, 4), auto or none",
}  # fmt: skip
_SHORTEST_BAR_FORM: Final = 3  # bars
_ENDING_STEPS: Final = 2 * STEPS_PER_QUARTER
"""Steps before the last chord of a passage with which its other ending begins."""
_Words: TypeAlias = list[tuple[Voice, int, int, str, bool, bool]]  # the fields of ``Lyric``
MAX_BARS: Final = int(bounds.BOUNDS["bars"].high)
DEFAULT_TOP_P: Final = 0.9
"""Default top-p of generation, chosen on the validation pieces (``training/LOG.md``). Harmonising,
infilling, varying and continuing default to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """A request for a piece.

    Attributes:
        bars: length; with a pickup the last bar is shorter by it, as in hymn books. None: that of
            the phrases, if they are given, or drawn with the seed.
        meter: time signature.
        pickup: sixteenths before the first bar line; None: drawn with the seed if there are
            phrases.
        key: key of the piece; None: the model's choice.
        phrases: bars of each phrase, or ``PlannedPhrase`` for one that ends within a bar or has a
            fermata of its own, summing to ``bars``; a fermata ends each. Empty: the model's choice;
            None: drawn with the seed.
        temperature: divisor of the logits: 1 as learned, lower is more conservative, 0 takes the
            most probable token every time.
        top_k: number of most probable notes to choose from where one begins, 0: all.
        top_p: cumulative probability of the most probable notes to choose from where one begins.
        seed: seed of all random numbers; the same seed gives the same notes.
        tempo: quarter notes a minute.
        length: sixteenths, for a last bar that is not full; 0: ``bars`` whole bars.
        fermatas: first step and the step after the last of each, instead of ``phrases``.
        locks: locked cells; None: none.
        rules: names of the hard rules that are on (``musicrel.generation.constraints.rules``).
        quality: amount of work per piece, a name in ``quality.QUALITIES``.
        cadence: requested cadence of phrases (``musicrel.analysis.cadences``): the model
            searches for it, and it raises candidates in the ranking. "": any; "half,,authentic":
            one for each phrase.
        ranges: lowest and highest MIDI number of S, A, T and B for the rule ``range``; None:
            ``musicrel.chorale.RANGES``.
        last_chord: "tonic": a given melody ends on the tonic triad of ``key`` in root position,
            if its last note is in it; "authentic": after the dominant, too; "": on any chord.
        mutes: heads of the model that are muted at all positions.
        begins_on: chord on which a new piece in a known key begins where the quality makes a model
            search: "tonic", "dominant" or "", any; None: drawn with the seed.
        form: "aab": the first phrases come twice, with the same notes or another ending, which is
            drawn with the seed; "": nothing is repeated; None: drawn with the seed if ``bars`` are.
        rhythm: steps at which the notes of the soprano begin, the first at 0, each held up to the
            next; empty: drawn with the seed in compound meters, otherwise the model's choice.
            Locked notes of the soprano begin at these steps, too.
        lyrics: words of a new piece, of the soprano, under the notes of ``rhythm``.
        moves: steps at which notes of the lower voices may begin; empty: any.

    Raises:
        UsageError: a value is out of bounds, or the locks break a rule.
    """

    bars: int | None = 16
    meter: Meter = field(default_factory=Meter)
    pickup: int | None = 0
    key: Key | None = None
    phrases: Phrases | None = ()
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0
    tempo: float = 80.0
    length: int = 0
    fermatas: tuple[tuple[int, int], ...] = ()
    locks: Locks | None = None
    rules: tuple[str, ...] = hard.DEFAULT
    quality: str = NORMAL
    cadence: str = ""
    ranges: Ranges | None = None
    last_chord: str = closing.FREE
    mutes: Mutes = field(default_factory=Mutes)
    begins_on: str | None = openings.ANY
    form: str | None = phrase_plan.THROUGH_COMPOSED
    rhythm: tuple[int, ...] = ()
    lyrics: tuple[Lyric, ...] = ()
    moves: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self._check_types()
        if self.phrases:
            object.__setattr__(self, "phrases", planned_phrase.shortened(self.phrases))
            if self.bars is None:
                lengths = (planned_phrase.planned(phrase).bars for phrase in self.phrases)
                object.__setattr__(self, "bars", ceil(sum(lengths)))
        self._check_bounds()
        self._check_form()
        self._check_given()

    @classmethod
    def like(cls, chorale: Chorale, **fields: Any) -> Self:
        """Return a request with the length, meter, pickup, key, fermatas and tempo of ``chorale``.

        Args:
            **fields: other fields; they also replace those of the piece.

        Raises:
            UsageError: the piece is too long for one request, or a field is out of bounds.
        """
        bars, most = -(-chorale.steps // chorale.meter.steps), max_bars(chorale.meter)
        if bars > most and "bars" not in fields:
            raise UsageError(
                tr(
                    "the piece has {bars:,} bars: expected at most {most} of {meter}, as many as "
                    "can be written at once; take a part of it",
                    bars=bars,
                    most=most,
                    meter=chorale.meter,
                )
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
        return cls(**form | fields)

    @classmethod
    def rewriting(cls, piece: Chorale, free: Flags, **fields: Any) -> Self:
        """Return a request for ``piece`` with other notes in some cells.

        Args:
            free: bool (T, 4), cells to rewrite; all others are locked.
            **fields: as in ``like``; ``locks`` are added.

        Raises:
            UsageError: the piece is too long, locks contradict or break a rule, or a field is out
                of bounds.
        """
        kept, more = Locks.of(piece, ~free), fields.get("locks")
        fields["locks"] = kept | more if more else kept
        return cls.like(piece, **fields)

    @classmethod
    def singing(cls, tune: Chorale, **fields: Any) -> Self:
        """Return a request for a new piece with the form, rhythm and words of a soprano, ``tune``.

        Raises:
            UsageError: the tune is too long, begins with a rest, or a field is out of bounds.
        """
        steps = np.flatnonzero(tune.onsets[:, Voice.SOPRANO]).tolist()
        return cls.like(tune, rhythm=tuple(steps), lyrics=tune.lyrics, **fields)

    @property
    def steps(self) -> int:
        """Return the length in sixteenths, 0 if it is to be drawn."""
        return self.length or (self.bars or 0) * self.meter.steps

    @property
    def title(self) -> str:
        """Return the title of a new piece: the first line of its words, or "Chorale" and the seed.

        The line ends with the first fermata.
        """
        stop = min((stop for _, stop in (*self.fermatas, *self._ends())), default=self.steps)
        line = setting.first_words(word for word in self.lyrics if word.step < stop)
        return line or f"Chorale {self.seed}"

    def stollen(self) -> tuple[int, int] | None:
        """Return the steps of the passage that comes twice, and up to which its repeat is the same.

        Both are counted from the beginning of the piece and of the repeat. None: nothing is
        repeated. It is drawn with the seed whether the repeat ends differently.
        """
        fermatas = (*self.fermatas, *self._ends())
        is_repeated = self.form == phrase_plan.BAR_FORM
        steps = phrase_plan.stollen_steps(fermatas, self.meter, self.steps) if is_repeated else 0
        if not steps:
            return None
        last = next(first for first, stop in fermatas if stop == steps)
        ending = phrase_plan.draw_other_ending(self.seed)
        return steps, max(last - _ENDING_STEPS, 1) if ending else steps

    def repeated_phrases(self) -> int:
        """Return the number of phrases that come twice, 0 if none do."""
        steps, _ = self.stollen() or (0, 0)
        return sum(stop <= steps for _, stop in (*self.fermatas, *self._ends()))

    def with_sampled_key(self, conditions: Collection[str]) -> GenerationRequest:
        """Return the request with a sampled key where none is requested.

        Locked notes have a key already, known or not: then the request is unchanged.
        """
        is_open = self.key is None and not (self.locks and self.locks.cells)
        return replace(self, key=sample_key(self.seed)) if is_open and "key" in conditions else self

    def remark(self, conditions: Collection[str]) -> str:
        """Return a sentence on the chosen first chord if it is not searched for, "" otherwise."""
        can_search = "key" in conditions and searches(self.quality, self.temperature)
        if can_search or not self.begins_on:
            return ""
        return (
            f"the model chooses the first chord although begins-on is {self.begins_on}: expected "
            "quality normal or high, a temperature above 0, and a model that is conditioned on keys"
        )

    def resolved(self, conditions: Collection[str] = _DRAWN_CONDITIONS) -> Self:
        """Return the request with phrases, pickup, bars, form and beginning drawn where open.

        They depend on the seed alone. A form is drawn only if the bars are, a rhythm of the soprano
        only in compound meters.

        Args:
            conditions: names of the conditions of the model; what it does not read is not drawn.
        """
        pickup, phrases = self.pickup, self.phrases
        is_open = phrases is None and "fermata" in conditions and not self.fermatas
        if pickup is None:
            is_drawn = "bar" in conditions and bool(is_open or phrases)
            pickup = phrase_plan.draw_pickup(self.meter, self.seed) if is_drawn else 0
        form, most = self.form, max_bars(self.meter)
        if form is None:
            is_drawn = is_open and self.bars is None and not self.locks
            form = phrase_plan.draw_form(self.seed) if is_drawn else phrase_plan.THROUGH_COMPOSED
        is_repeated, stollen = is_open and form == phrase_plan.BAR_FORM, 0
        bars = self.bars
        if bars is None:
            bars = phrase_plan.draw_bars(self.meter, pickup, self.seed, most // 2)
            if is_repeated:
                stollen = phrase_plan.draw_stollen(self.meter, self.seed, bars - 1)
                bars += stollen
        elif is_repeated:
            stollen = phrase_plan.draw_stollen(self.meter, self.seed, (bars - 1) // 2)
        if is_open:
            phrases = phrase_plan.draw_phrases(bars, self.meter, pickup, self.seed, stollen)
        begins_on = openings.draw(self.seed) if self.begins_on is None else self.begins_on
        drawn = replace(
            self, bars=bars, pickup=pickup, phrases=phrases or (), form=form, begins_on=begins_on
        )
        return drawn.with_compound_rhythm() if "bar" in conditions else drawn

    def with_compound_rhythm(self) -> Self:
        """Return the request with a drawn rhythm where the soprano is open in a compound meter."""
        if self.rhythm or not meter_beats.is_compound(self.meter):
            return self
        locked = (self.locks or Locks(steps=self.steps)).locked_cells
        is_locked_T = locked.mask[:, Voice.SOPRANO]
        if is_locked_T.all():
            return self
        stollen, _ = self.stollen() or (0, 0)
        drawn = compound_rhythm.draw(self.plan(), self.seed, stollen)
        given = np.flatnonzero(locked.onsets[:, Voice.SOPRANO] == BEGINS).tolist()
        begun = {0, *given, *(step for step in drawn if not is_locked_T[step])}
        return replace(self, rhythm=tuple(sorted(begun)))

    def plan(self) -> Chorale:
        """Return the empty piece: rests, with meter, key and fermatas.

        A fermata begins with the note of ``rhythm`` that it holds: a search finds its chord there.
        """
        flags = np.zeros(self.steps, dtype=np.bool_)
        for first, stop in (*self.fermatas, *self._ends()):
            note = max((step for step in self.rhythm if step <= first), default=first)
            flags[first if flags[note] else note : stop] = True
        return Chorale.of(
            np.full((self.steps, 4), REST),
            fermatas=flags,
            meter=self.meter,
            pickup=self.pickup or 0,
            key=self.key,
            tempo=self.tempo,
        )

    def _ends(self) -> Iterator[tuple[int, int]]:
        """Yield first step and the step after the last of the fermata that ends each phrase."""
        phrases = map(planned_phrase.planned, self.phrases or ())
        yield from planned_phrase.at_ends(phrases, self.meter, self.pickup or 0, self.steps)

    def given_conditions(self) -> tuple[str, ...]:
        """Return the names of the conditions given by this request.

        The others stay unknown to the model.
        """
        has_phrases = bool(self.phrases or self.fermatas)
        optional = {"fermata": has_phrases, "key": self.key is not None, "phrase": has_phrases}
        given = (name for name, is_given in optional.items() if is_given)
        return ("voice", "beat", "bar", "ending", *given)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values, as stored in the provenance of a piece."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        values["meter"] = str(self.meter)
        values["key"] = str(self.key) if self.key else None
        is_whole = all(type(bars) is int for bars in self.phrases or ())
        values["phrases"] = list(self.phrases or ()) if is_whole else []
        spans_of_ends = () if is_whole else self._ends()
        values["fermatas"] = [list(span) for span in (*self.fermatas, *spans_of_ends)]
        values["locks"] = self.locks.to_json() if self.locks else None
        values["rules"] = list(self.rules)
        if values.pop("ranges"):  # without it the settings are those of older versions
            values["ranges"] = [list(pair) for pair in self.ranges or ()]
        values["rhythm"], values["moves"] = list(self.rhythm), list(self.moves)
        values["lyrics"] = [[int(word.voice), *astuple(word)[1:]] for word in self.lyrics]
        for name in ("last_chord", "begins_on", "form", "rhythm", "lyrics", "moves"):
            if not values[name]:
                del values[name]
        del values["mutes"]
        return values | self.mutes.to_json()

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> GenerationRequest:
        """Return the request of ``to_json`` values, also of version 1.

        Raises:
            UsageError: a value is unknown or out of bounds.
        """
        try:
            today = legacy.translate(values, legacy.PROVENANCE_KEYS)
            known = {name: value for name, value in today.items() if name in cls.__slots__}
            known["meter"] = Meter.parse(known["meter"])
            known["key"] = Key.parse(known["key"]) if known.get("key") else None
            known["phrases"] = tuple(known.get("phrases", ()))
            known["fermatas"] = tuple((first, stop) for first, stop in known.get("fermatas", ()))
            known["locks"] = Locks.from_json(known["locks"]) if known.get("locks") else None
            known["rules"] = tuple(known.get("rules", hard.DEFAULT))
            pairs = known.get("ranges")
            known["ranges"] = tuple((low, high) for low, high in pairs) if pairs else None
            known["quality"] = legacy.quality(known.get("quality", NORMAL))
            known["mutes"] = Mutes.from_json(today)
            known |= {name: tuple(known.get(name, ())) for name in ("rhythm", "moves")}
            words = convert(known.get("lyrics", []), _Words, "the words")
            known["lyrics"] = tuple(Lyric(*word) for word in words)
            return cls(**known)
        except (KeyError, TypeError, ValueError, AttributeError, DataError, UsageError) as reason:
            raise UsageError(
                f"the stored settings are not a request of musicrel: {reason}"
            ) from reason

    def _check_types(self) -> None:
        for name, kinds in _kinds().items():
            value = getattr(self, name)
            if type(value) not in kinds:
                named = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
                raise UsageError(f"{name} is {shown(value)}: expected {_TAKEN.get(name, named)}")
        if any(type(bars) not in (int, PlannedPhrase) for bars in self.phrases or ()):
            raise UsageError(f"phrases are {shown(self.phrases)}: expected whole numbers of bars")
        if not all(map(voice_ranges.is_pair, self.fermatas)):
            raise UsageError(f"fermatas are {shown(self.fermatas)}: expected pairs of steps")
        if not all(type(step) is int for step in self.moves):
            raise UsageError(f"moves are {shown(self.moves)}: expected steps")

    def _check_bounds(self) -> None:
        most = max_bars(self.meter)
        is_within = self.bars is None or 1 <= self.bars <= most
        is_chord = self.begins_on in (None, *openings.CHORDS)
        is_form = self.form in (None, *phrase_plan.FORMS)
        for name, value, is_valid, expected in (
            (
                tr("bars"),
                shown(self.bars),
                is_within,
                tr("1 to {most} of {meter}", most=most, meter=self.meter),
            ),
            ("begins_on", repr(self.begins_on), is_chord, "auto, tonic, dominant or any"),
            ("form", repr(self.form), is_form, "auto, aab or through-composed"),
            ("quality", repr(self.quality), self.quality in QUALITIES, ", ".join(QUALITIES)),
            ("last chord", repr(self.last_chord), self.last_chord in closing.CHORDS,
             "tonic, authentic or ''"),
        ):  # fmt: skip
            if not is_valid:
                sentence = tr("{name} is {value}: expected {expected}")
                raise UsageError(sentence.format(name=name, value=value, expected=expected))
        for name in ("tempo", "temperature", "top-k", "top-p", "seed"):
            bounds.check(name, getattr(self, name.replace("-", "_")))

    def _check_form(self) -> None:
        if not 0 <= (self.pickup or 0) < self.meter.steps:
            raise UsageError(
                tr(
                    "pickup is {pickup} sixteenths: expected 0 to {most}, less than a bar of "
                    "{meter}",
                    pickup=shown(self.pickup),
                    most=self.meter.steps - 1,
                    meter=self.meter,
                )
            )
        if self.phrases:
            lengths = [planned_phrase.planned(phrase).bars for phrase in self.phrases]
            if min(lengths) <= 0:
                raise UsageError(f"phrases are {shown(self.phrases)}: expected lengths above 0")
            if sum(lengths) != self.bars:
                sentence = tr("the phrases have {length}: expected {bars}, the length of the piece")
                raise UsageError(sentence.format(length=_in_bars(sum(lengths)), bars=self.bars))
        self._check_cadence()
        whole = (self.bars or 0) * self.meter.steps
        if not 0 <= self.length <= whole:
            raise UsageError(
                f"length is {shown(self.length)} sixteenths: expected 0 (whole bars) to {whole}, "
                f"{self.bars} bars"
            )
        if self.form == phrase_plan.BAR_FORM:
            self._check_bar_form()

    def _check_bar_form(self) -> None:
        if self.locks is not None:
            raise UsageError(
                tr(
                    "the form A A B is for new pieces, but some notes are given: expected no fixed "
                    "notes, or another form"
                )
            )
        is_open = self.phrases is None and not self.fermatas
        if is_open and self.bars is not None and self.bars < _SHORTEST_BAR_FORM:
            raise UsageError(
                tr(
                    "a piece of {length} cannot have the form A A B: expected at least {least} "
                    "bars, or another form",
                    length=_in_bars(self.bars),
                    least=_SHORTEST_BAR_FORM,
                )
            )
        if not is_open and self.stollen() is None:
            given = planned_phrase.to_text(self.phrases or ())
            raise UsageError(
                tr(
                    "the phrases {given} do not have the form A A B: expected some twice and then "
                    "others, as in 2,2,2,2,4, or another form",
                    given=given,
                )
                if given
                else tr(
                    "the form A A B repeats phrases, and the piece has none: expected phrases "
                    "that are drawn, a model that is conditioned on fermatas, or another form"
                )
            )

    def _check_cadence(self) -> None:
        kinds = len(planned_phrase.parse_cadences(self.cadence))
        if self.phrases is None and kinds > 1:
            raise UsageError(
                tr(
                    "there are {kinds} cadences, but the phrases are drawn: give the phrases, as "
                    "in 2,2,4, or one cadence for all",
                    kinds=kinds,
                )
            )
        ends = len(self.phrases or self.fermatas)
        may_end_without_fermata = not self.phrases
        if kinds not in (1, ends) and not (may_end_without_fermata and kinds == ends + 1):
            planned_phrase.cadences_of_phrases(self.cadence, ends)

    def _check_given(self) -> None:
        for first, stop in self.fermatas:
            if not 0 <= first < stop <= self.steps:
                raise UsageError(
                    f"a fermata holds from step {shown(first)} to {shown(stop)}: expected steps "
                    f"within 0 to {self.steps}, the first one less"
                )
        if self.rhythm:
            self._check_rhythm()
        self._check_words()
        rules = hard.validated(self.rules, self.key)
        if self.ranges is not None:
            voice_ranges.check(self.ranges)
            hard.check_notes_are_left(rules, self.key, self.ranges)
        if self.locks is None:
            return
        if self.locks.steps != self.steps:
            raise UsageError(
                f"the locks are for {self.locks.steps} steps, but the requested piece has "
                f"{self.steps}: give both the same length"
            )
        if len(self.locks.cells) == self.steps * len(Voice):
            raise UsageError(tr("every note is locked: free at least one note"))
        locked = self.locks.with_implied_cells()
        hard.check_locked_cells(locked, rules, self.plan(), self.ranges or voice_ranges.FULL)

    def _check_rhythm(self) -> None:
        if not self.steps:
            raise UsageError(
                "the rhythm of the soprano is given, but not the length of the piece: expected the "
                "number of bars with it"
            )
        rhythm, stops = self.rhythm, (*self.rhythm[1:], self.steps)
        is_valid = all(type(step) is int for step in rhythm) and rhythm[0] == 0
        if not (is_valid and all(map(lt, rhythm, stops))):
            raise UsageError(
                f"the rhythm is {shown(rhythm)}: expected steps within 0 to {self.steps - 1}, the "
                "first one 0, each later than the one before"
            )
        locked = self.locks.locked_cells.onsets[:, Voice.SOPRANO] if self.locks else np.array([])
        known = np.flatnonzero(locked != EITHER)
        if (locked[known] != np.isin(known, rhythm)).any():
            raise UsageError(
                tr(
                    "the rhythm of the soprano and some of its notes are given: expected one of "
                    "them"
                )
            )
        steps, same = self.stollen() or (0, 0)
        again = [step - steps for step in rhythm if steps <= step < steps + same]
        if again != [step for step in rhythm if step < same]:
            raise UsageError(
                tr(
                    "the form A A B repeats notes, but the rhythm of the soprano is another one "
                    "when they come again: expected the same rhythm twice, or another form"
                )
            )

    def _check_words(self) -> None:
        if not all(type(word) is Lyric for word in self.lyrics):
            raise UsageError(f"lyrics are {shown(self.lyrics)}: expected values of Lyric")
        for word in self.lyrics:
            if word.voice == Voice.SOPRANO and word.step in self.rhythm:
                continue
            raise UsageError(
                f"the syllable {word.text!r} is under the {Voice(word.voice).title} at step "
                f"{shown(word.step)}: expected one of the soprano at a step of the rhythm, "
                f"{shown(self.rhythm) if self.rhythm else 'which has to be given, too'}"
            )


def _in_bars(length: float) -> str:
    number = shown(int(length)) if length == int(length) else decimal(length, "g")
    return tr("{number} bar", number=number) if length == 1 else tr("{number} bars", number=number)


@cache
def _kinds() -> Mapping[str, tuple[type, ...]]:
    """Return the types that the value of each field can have."""
    found: dict[str, tuple[type, ...]] = {}
    for name, hint in get_type_hints(GenerationRequest).items():
        options = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        kinds = tuple(get_origin(one) or one for one in options)
        found[name] = (int, *kinds) if float in kinds else kinds
    return found


def max_bars(meter: Meter) -> int:
    """Return the largest number of bars of a request."""
    return min(MAX_BARS, MAX_STEPS // meter.steps)
