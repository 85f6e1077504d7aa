"""The entries of the Compose form, and the one way from them to a request.

``RequestBuilder.request`` makes every request of the app, for new pieces and for given ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from musicrel.analysis import voice_leading
from musicrel.chorale import REST, Chorale, Flags, Key, Meter, Mode, Voice, spans
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.generation import edit_requests, phrase_plan
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.phrase_plan import PhrasePlan, phrase_fields
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.quality import NORMAL
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.generation.transposition import Transposition, fit_to_vocabulary, place_melody
from musicrel.meter_beats import written_unit
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.words import muted_heads, names
from musicrel.presentation.words.muted_heads import MutedHeads

MIN_BARS: Final = 1
MAX_SEED: Final = 2**31 - 1
MIN_TEMPERATURE: Final = 0.5
MAX_TEMPERATURE: Final = 1.5
AUTO: Final = "auto"
"""Phrases and cadences that are drawn with the seed."""
DRAWN: Final = -1
"""Pickup that is drawn with the seed."""
METERS: Final = (Meter(4, 4), Meter(3, 4))
CADENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "Any cadence",
        "authentic": "V to I, in the key that the phrase has reached",
        "half": "Ends on V",
        "plagal": "IV to I",
        "deceptive": "V to VI",
    }
)
"""Cadence, "" for any -> tooltip."""
_MODES: Final[tuple[Mode, Mode]] = ("major", "minor")
KEYS: Final = tuple(Key.of(tonic, mode) for mode in _MODES for tonic in range(12))
NEEDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "meter": ("bar", "This model is not conditioned on bars: pieces are in 4/4."),
        "pickup": ("bar", "This model is not conditioned on bars: pieces start on the first beat."),
        "key": ("key", "This model is not conditioned on a key: it chooses one."),
        "phrases": ("fermata", "This model is not conditioned on fermatas."),
        "scale": ("key", "The rule needs a key, and this model chooses its own."),
    }
)
"""Entry -> the condition a model must know, and why the entry is disabled without it."""
_OF_THE_PIECE: Final = ("bars", "meter", "pickup", "key", "phrases", "cadence")
"""Entries of the form that describe one piece, not how pieces are generated."""
ALL_LOCKED: Final = "everything selected is locked: select other notes, or unlock some (Ctrl+K)"
NOTHING_FREE: Final = "every note is locked: unlock at least one voice or bar to rewrite"
_NO_BARS: Final = "Phrases are {phrases!r}: expected the bars of each phrase, such as 2,2,4."
_OTHER_SUM: Final = (
    "The phrases have {total:g} {bars}: expected {expected}, the length of the piece."
)
_PARTS_OF_BARS: Final = (
    "Phrases of a melody are {phrases!r}: expected whole bars, such as 2,2,4, without fermatas."
)
TITLE: Final = "Melody"


def parse_phrases(text: str, bars: int | None) -> tuple[PlannedPhrase, ...]:
    """Parse "2,2,4" or "2 1.75:3 4.25", of the sum ``bars`` if that is known.

    Args:
        text: bars of each phrase and, after a colon, quarters under its fermata; "": no phrases.
        bars: length of the piece; None: unknown.
    """
    phrases = planned_phrase.parse(text)
    if phrases is None:
        raise UsageError(_NO_BARS.format(phrases=text.strip()))
    total = sum(phrase.bars for phrase in phrases)
    if bars is not None and phrases and total != bars:
        noun = "bar" if total == 1 else "bars"
        raise UsageError(_OTHER_SUM.format(total=total, bars=noun, expected=bars))
    return phrases


def parse_whole_phrases(text: str, bars: int | None) -> tuple[int, ...]:
    phrases = parse_phrases(text, bars)
    if any(length % 1 or hold for length, hold in phrases):
        raise UsageError(_PARTS_OF_BARS.format(phrases=text.strip()))
    return tuple(int(length) for length, _ in phrases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    model: str = ""  # its name; "" without a model
    bars: int = 16  # length of the piece in bars
    meter: Meter = METERS[0]  # time signature
    # sixteenths before the first bar line; -1: drawn with the seed, none without phrases
    pickup: int = DRAWN
    key: Key | None = None  # None: chosen by the model
    # bars of each phrase as typed, "2,2,4", or "2,1.75:3", the quarters under its fermata after a
    # colon; "auto": drawn with the seed; empty: chosen by the model
    phrases: str = AUTO
    temperature: float = 1.0  # of sampling; 1: the model's own distribution
    seed: int = 0  # of all random numbers
    # names of the active hard rules, in the order of ``HARD_RULES``
    rules: tuple[str, ...] = DEFAULT
    quality: str = NORMAL  # how much work goes into the piece, a name in ``QUALITIES``
    # preferred cadence of phrases, one for all or one for each, "authentic,,half"; "": any;
    # "auto": drawn with the seed
    cadence: str = ""
    # of the voices: a preset, or lowest and highest MIDI numbers as in "60-81,55-74,48-69,40-64"
    ranges: str = voice_ranges.DEFAULT
    # cumulative probability of the most probable notes to choose from, for new pieces
    top_p: float = DEFAULT_TOP_P
    muted: MutedHeads = field(default_factory=MutedHeads)
    # number of candidates; forms that differ in nothing else are equal
    candidates: int = field(default=1, compare=False)

    def plan(self) -> PhrasePlan:
        """Return pickup, phrases and cadences, drawn where the form leaves them to be drawn."""
        is_drawn = self.phrases.strip() == AUTO
        phrases, pickup = phrase_plan.resolved(
            None if is_drawn else parse_phrases(self.phrases, self.bars),
            None if self.pickup == DRAWN else self.pickup,
            bars=self.bars,
            meter=self.meter,
            seed=self.seed,
        )
        return PhrasePlan(pickup=pickup, phrases=phrases, cadences=self._cadences(len(phrases)))

    def for_new_document(self) -> Form:
        """Return the form with the default entries of a piece, and its own of generation."""
        new = Form()
        piece = {name: getattr(new, name) for name in _OF_THE_PIECE}
        return replace(self, **piece)

    def request(self) -> GenerationRequest:
        return RequestBuilder(form=self).request()

    def _cadences(self, phrases: int) -> tuple[str, ...]:
        if self.cadence == AUTO:
            return phrase_plan.draw_cadences(phrases, self.seed)
        return planned_phrase.cadences_of_phrases(self.cadence, phrases) if phrases else ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RequestBuilder:
    """A description of the notes to generate: a new piece, a part of one or its continuation."""

    form: Form  # model and settings; length, meter, pickup and phrases are those of a new piece
    count: int = 1  # number of candidates; their seeds count up
    piece: Chorale | None = None  # the piece to rewrite or to continue; None: a new piece
    # cells of the piece to rewrite, bool (T, 4); all others are kept. Empty: none
    free: Flags = field(default_factory=lambda: np.zeros((0, len(Voice)), dtype=np.bool_))
    bars: int = 0  # number of bars to add to the piece
    # participle for the title of an accepted candidate; "": "rewritten" or "continued"
    done: str = ""
    melody: Voice | None = None  # the given voice of a harmonisation; None for any other request
    # rule of ``musicrel.analysis`` that the rewritten notes should not break; "": none
    avoided: str = ""
    # True for two candidates of one seed, without and with the muted heads of the form
    is_pair: bool = False
    # True for one new piece by a model that writes in order: it is shown note by note
    is_live: bool = False

    @property
    def is_new(self) -> bool:
        return self.piece is None

    @property
    def original(self) -> Chorale | None:
        """Return the piece to compare candidates with; None if they replace silence or nothing."""
        if self.piece is None or not self.free.any():
            return None
        return None if (self.piece.pitches[self.free] == REST).all() else self.piece

    @property
    def action(self) -> str:
        if self.piece is None:
            return "generated"
        return self.done or ("continued" if self.bars else "rewritten")

    @property
    def before(self) -> str:
        """Return the name of what is shown without a candidate."""
        if self.piece is None:
            return "the empty sheet"
        return "the original" if self.original is not None else "the piece as it was"

    @property
    def needs_lookahead(self) -> bool:
        """Return True if kept notes follow written ones."""
        free = self.free.reshape(-1)
        return bool(free.any()) and not free[int(free.argmax()) :].all()

    def request(self) -> GenerationRequest:
        """Return the request for the model; this takes a while for a long piece."""
        fields: dict[str, Any] = {
            "key": (self.piece.key if self.piece else None) or self.form.key,
            "temperature": self.form.temperature,
            "seed": self._first_seed(),
            "rules": self.form.rules,
            "quality": self.form.quality,
            "mutes": self.form.muted.of(self.form.model),
        }
        return edit_requests.with_ranges(self._request(fields), self.form.ranges)

    def _request(self, fields: dict[str, Any]) -> GenerationRequest:
        """Return the request in the full ranges."""
        form, piece = self.form, self.piece
        if piece is None:
            plan = form.plan()
            common = (
                "" if form.cadence == AUTO else form.cadence
            )  # of phrases of the model's choice
            fields |= phrase_fields(plan.phrases, form.meter, plan.pickup)
            fields["cadence"] = (
                planned_phrase.cadences_to_text(plan.cadences) if plan.phrases else common
            )
            fields["top_p"] = form.top_p
            return GenerationRequest(bars=form.bars, meter=form.meter, pickup=plan.pickup, **fields)
        fields["cadence"] = _fitting_cadence(form, piece)
        if self.bars:
            return edit_requests.continuation_request(piece, self.bars, **fields)
        if self.melody is not None:
            return edit_requests.harmony_request(piece, self.melody, **fields)
        return GenerationRequest.rewriting(piece, self.free, **fields)

    def plan(self) -> Chorale:
        """Return a piece of the candidates' length, silent where none was."""
        if self.piece is None:
            return replace(self.request().plan(), title=f"Chorale {self.form.seed}")
        return self.piece.padded(self.bars * self.piece.meter.steps)

    def fitted(self) -> tuple[RequestBuilder, Transposition]:
        """Return the builder with its piece in the models' range, and how it got there."""
        if self.piece is None:
            return self, Transposition()
        key = self.piece.key or self.form.key
        if self.melody is None:
            piece, transposition = fit_to_vocabulary(self.piece, key)
        else:
            piece, transposition, _ = place_melody(self.piece, self.melody, key)
        form = replace(self.form, key=transposition.requested_key)
        return replace(self, piece=piece, form=form), transposition

    def accepted(self, candidate: Chorale) -> tuple[Chorale, Form | None]:
        """Return an accepted candidate, and the form that asked for it, None for changed pieces.

        All candidates of a new piece have the form with its seed, which draws their phrases.
        """
        if self.is_pair:
            return self._one_of_pair(candidate)
        if self.piece is None:
            return candidate, self.form
        kept = title(self.piece.title, self.action)
        return replace(candidate, title=kept, composer=self.piece.composer), None

    def _one_of_pair(self, candidate: Chorale) -> tuple[Chorale, Form]:
        """Return a candidate named after its muted heads, and the form that has these alone."""
        made, before = candidate.provenance, self.piece or candidate
        named = ", ".join(filter(None, (before.title, muted_heads.label(made))))
        form = replace(self.form, muted=self.form.muted.as_in(made))
        return replace(candidate, title=named, composer=before.composer), form

    def same(self, other: RequestBuilder | None) -> bool:
        """Return True if ``other`` gives the same notes."""
        return (
            other is not None
            and other.piece == self.piece
            and (other.form, other.bars) == (self.form, self.bars)
            and np.array_equal(other.free, self.free)
        )

    def breaks_avoided(self, candidate: Chorale) -> bool:
        """Return True if ``candidate`` breaks the avoided rule in the rewritten notes."""
        return bool(self.avoided) and voice_leading.breaks(candidate, self.avoided, self.free)

    def _first_seed(self) -> int:
        """Return the form's seed, or one past the piece's own, which would repeat its notes."""
        seed = min(self.form.seed, MAX_SEED - self.count + 1)
        if self.piece is None or self.piece.provenance is None or self.bars:
            return seed
        own = self.piece.provenance.seed
        return own + 1 if own in range(seed, seed + self.count) else seed


def _fitting_cadence(form: Form, piece: Chorale) -> str:
    """Return the cadence of ``form`` for a piece: a list only if it has as many phrases."""
    if form.cadence == AUTO:
        return ""
    kinds = planned_phrase.parse_cadences(form.cadence)
    return form.cadence if len(kinds) in (1, len(spans(piece.fermatas))) else ""


def rewrite(
    piece: Chorale,
    selection: Selection | None,
    kept: Flags,
    form: Form,
    count: int,
    *,
    change: float = 1.0,
) -> RequestBuilder:
    """Return the builder of a rewritten selection, or of a random share of the piece.

    Args:
        selection: the passage; None: the whole piece.
        kept: locked cells, bool (T, 4).
    """
    if selection is not None:
        wanted = lock_cells.cells(piece, selection)
    elif change < 1:
        wanted = edit_requests.some_notes(piece, change, form.seed)
    else:
        wanted = ~lock_cells.nothing(piece)
    free = wanted & ~kept
    if not free.any():
        raise UsageError(NOTHING_FREE if selection is None else ALL_LOCKED)
    return RequestBuilder(form=form, count=count, piece=piece, free=free)


def title(before: str, done: str) -> str:
    """Return the title after a change: 'Air', 'Air, rewritten', 'Air, rewritten 2' ..."""
    again = re.fullmatch(rf"(.*), {done}(?: (\d{{1,6}}))?", before)
    if again is None:
        return f"{before}, {done}" if before else done.capitalize()
    return f"{again[1]}, {done} {int(again[2] or 1) + 1}"


def parse_rules(text: str) -> tuple[str, ...]:
    """Parse rule names as stored, "range,crossing"; unknown names are ignored."""
    named = text.split(",")
    return tuple(name for name in HARD_RULES if name in named)


def pickups(meter: Meter) -> tuple[tuple[int, str], ...]:
    """Return the pickups to choose from: sixteenths and name."""
    beats = range(1, meter.numerator)
    quarter = written_unit(meter)
    named = tuple((beat * quarter, names.count(beat, "quarter")) for beat in beats)
    return ((0, "None"), *named)


def describe_temperature(temperature: float) -> str:
    """Describe a temperature relative to that of the model's own distribution, 1."""
    if temperature == 1:
        return "the model’s own distribution"
    return "more predictable" if temperature < 1 else "more varied"


def blank_piece(form: Form) -> Chorale:
    """Return an empty piece with bars, meter and key of ``form``.

    It has the phrases and the pickup that the user entered, but none that the seed would draw:
    the melody to be written has its own.
    """
    if form.phrases.strip() == AUTO:
        form = replace(form, phrases="")
    return replace(form.request().plan(), title=TITLE, provenance=None)
