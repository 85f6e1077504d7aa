"""The entries of the Compose form, and the one way from them to a request.

All tasks are made by ``new_piece``, ``change``, ``rewrite``, ``continuation``, ``harmonisation``
and ``verse_harmony``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from musicrel.analysis import rules, voice_leading
from musicrel.chorale import REST, Chorale, Flags, Key, Lyric, Meter, Mode, Voice, spans
from musicrel.errors import UsageError
from musicrel.generation import edit_requests, quality
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.generation.phrasing import openings, phrase_ends, phrase_plan, planned_phrase
from musicrel.generation.phrasing.planned_phrase import Phrases
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.generation.transposition import Transposition, fit_to_vocabulary, place_melody
from musicrel.language import count, tr
from musicrel.meter_beats import written_unit
from musicrel.presentation import lock_cells
from musicrel.presentation.marks import Mark
from musicrel.presentation.words.keys import with_keys
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.selection import Selection

MAX_CANDIDATES: Final = 32
MAX_SEED: Final = 2**31 - 1
MIN_TEMPERATURE: Final = 0.5
MAX_TEMPERATURE: Final = 1.5
AUTO: Final = "auto"  # cadences that are drawn with the seed
DRAWN: Final = -1  # pickup that is drawn with the seed
DRAWN_BARS: Final = 0  # a length that is drawn with the seed, or that of the phrases
USUAL_BARS: Final = 16  # length of an empty piece where it is drawn
METERS: Final = (Meter(4, 4), Meter(3, 4))
CADENCES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "": (tr("Any cadence"), tr("Any cadence")),
        "authentic": (tr("Authentic"), tr("V to I, in the key that the phrase has reached")),
        "half": (tr("Half", "cadence"), tr("Ends on V")),
        "plagal": (tr("Plagal"), tr("IV to I")),
        "deceptive": (tr("Deceptive"), tr("V to VI")),
    }
)  # cadence, "" for any -> title and tooltip
_MODES: Final[tuple[Mode, Mode]] = ("major", "minor")
BEGINNINGS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        AUTO: (tr("As in Bach"), tr("Drawn from Bach’s chorales: four of five begin on the tonic")),
        openings.TONIC: (tr("Tonic"), tr("The first chord is the tonic triad")),
        openings.DOMINANT: (tr("Dominant"), tr("The first chord is the dominant")),
        openings.ANY: (tr("Any chord"), tr("The first chord is the model’s choice")),
    }
)  # first chord -> title and tooltip
FORMS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        AUTO: (
            tr("As in Bach"),
            tr("Drawn like the bars, if these are: A A B for three pieces of eight"),
        ),
        phrase_plan.BAR_FORM: ("A A B", tr("The first phrases are repeated, written out")),
        phrase_plan.THROUGH_COMPOSED: (tr("Through-composed"), tr("No phrases are repeated")),
    }
)  # form -> title and tooltip
KEYS: Final = tuple(Key.of(tonic, mode) for mode in _MODES for tonic in range(12))
NEEDS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "meter": ("bar", tr("This model is not conditioned on bars: pieces are in 4/4.")),
        "pickup": (
            "bar",
            tr("This model is not conditioned on bars: pieces start on the first beat."),
        ),
        "key": ("key", tr("This model is not conditioned on a key: it chooses one.")),
        "phrases": ("fermata", tr("This model is not conditioned on fermatas.")),
        "begins_on": ("key", tr("This model is not conditioned on a key: it begins on any chord.")),
        "form": (
            "fermata",
            tr("This model is not conditioned on fermatas, whose phrases come twice."),
        ),
        "scale": ("key", tr("The rule needs a key, and this model chooses its own.")),
    }
)  # entry -> the condition a model must know, and why the entry is disabled without it
# entries of the form that describe one piece, not how pieces are generated
_OF_THE_PIECE: Final = (
    "bars", "meter", "pickup", "key", "phrases", "cadence", "begins_on", "form", "rhythm", "lyrics"
)  # fmt: skip
OF_WORDS: Final = ("bars", "meter", "pickup", "phrases", "form")
OF_PROPERTIES: Final = ("meter", "pickup", "key")  # of the piece, once it has a note
# why the entries ``OF_WORDS`` are disabled while the form has words
GIVEN_BY_WORDS: Final = tr("The words give it: remove them from the form to choose another")
_PARTS_OF_BARS: Final = tr(
    "Phrases of a melody are {phrases!r}: expected whole bars, such as 2,2,4, without fermatas."
)
TITLE: Final = tr("Melody")
VOICE_HINT: Final = tr(
    "Voice of the melody, which is transposed into the voice’s range if it lies outside"
)
_LOWER: Final = (Voice.ALTO, Voice.TENOR, Voice.BASS)
_OUTER: Final = (Voice.SOPRANO, Voice.BASS)
_KEPT: Final = 16  # requests that are kept: views ask for the one of the form again and again
_CHOICE: Final = 8  # fewest candidates without a violation: its rule may only be filtered


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    model: str = ""  # its name; "" without a model
    bars: int = DRAWN_BARS  # length of the piece in bars; 0: of the phrases, or drawn with the seed
    meter: Meter = METERS[0]  # time signature
    # sixteenths before the first bar line; -1: drawn with the seed, none without phrases
    pickup: int = DRAWN
    key: Key | None = None  # None: chosen by the model
    phrases: Phrases | None = None  # None: drawn with the seed; empty: chosen by the model
    temperature: float = 1.0  # of sampling; 1: the model's own distribution
    seed: int = 0  # of all random numbers
    # names of the active hard rules, in the order of ``HARD_RULES``
    rules: tuple[str, ...] = DEFAULT
    quality: str = quality.NORMAL  # how much work goes into the piece, a name in ``QUALITIES``
    # preferred cadence of phrases, one for all or one for each, "authentic,,half"; "": any;
    # "auto": drawn with the seed
    cadence: str = ""
    begins_on: str = AUTO  # first chord, a key of ``BEGINNINGS``
    form: str = AUTO  # whether the first phrases come twice, a key of ``FORMS``
    # of the voices: a preset, or lowest and highest MIDI numbers as in "60-81,55-74,48-69,40-64"
    ranges: str = voice_ranges.DEFAULT
    # cumulative probability of the most probable notes to choose from, for new pieces
    top_p: float = DEFAULT_TOP_P
    muted: MutedHeads = field(default_factory=MutedHeads)
    rhythm: tuple[int, ...] = ()  # steps at which notes of the soprano begin; empty: the model's
    lyrics: tuple[Lyric, ...] = ()  # words under these notes
    # number of candidates; forms that differ in nothing else are equal
    candidates: int = field(default=1, compare=False)

    def for_new_document(self) -> Form:
        return self.with_piece_of(Form())

    def for_loop(self, bars: int) -> Form:
        """Return the form of a piece whose end leads back to its beginning.

        It begins on the tonic and ends on the dominant, on whole bars and without fermatas.
        """
        return replace(
            self,
            bars=bars,
            pickup=0,
            phrases=(),
            cadence="half",
            begins_on=openings.TONIC,
            form=phrase_plan.THROUGH_COMPOSED,
            rhythm=(),
            lyrics=(),
        )

    def with_words(self, tune: Chorale) -> Form:
        """Return the form of pieces with the rhythm and the words of the soprano of ``tune``.

        Raises:
            UsageError: the tune is too long.
        """
        asked = GenerationRequest.singing(tune)
        ends = planned_phrase.phrases_of(asked.fermatas, tune.meter, tune.pickup, tune.steps)
        return replace(
            self,
            bars=asked.bars or DRAWN_BARS,
            meter=tune.meter,
            pickup=tune.pickup,
            phrases=planned_phrase.shortened(ends),
            cadence=AUTO if self.cadence == AUTO else self._cadence_for(tune),
            form=phrase_plan.THROUGH_COMPOSED,
            rhythm=asked.rhythm,
            lyrics=tune.lyrics,
        )

    def without_words(self) -> Form:
        """Return the form without words and what they decide on; the meter stays."""
        given = {name: getattr(Form(), name) for name in OF_WORDS}
        return replace(self, **given | {"meter": self.meter, "rhythm": (), "lyrics": ()})

    def with_piece_of(self, other: Form) -> Form:
        """Return the form with the entries of ``other`` about the piece."""
        return replace(self, **{name: getattr(other, name) for name in _OF_THE_PIECE})

    @lru_cache(maxsize=_KEPT)  # noqa: B019  # a form is small
    def request(self, count: int = 1) -> GenerationRequest:
        """Return the request for new pieces, with phrases, pickup and cadences that are drawn.

        Args:
            count: number of pieces, whose seeds count up.
        """
        open_ = GenerationRequest(
            bars=None if self.bars == DRAWN_BARS else self.bars,
            meter=self.meter,
            pickup=None if self.pickup == DRAWN else self.pickup,
            key=self.key,
            phrases=self.phrases,
            top_p=self.top_p,
            begins_on=None if self.begins_on == AUTO else self.begins_on,
            form=None if self.form == AUTO else self.form,
            rhythm=self.rhythm,
            lyrics=self.lyrics,
            **self._sampling(count),
        )
        request = edit_requests.with_ranges(open_.resolved(), self.ranges)
        if self.cadence != AUTO:
            if request.phrases:
                planned_phrase.cadences_of_phrases(self.cadence, len(request.phrases))
            return replace(request, cadence=self.cadence)
        if not request.phrases:
            return request
        kinds = phrase_ends.draw_cadences(len(request.phrases), self.seed)
        repeated = request.repeated_phrases()
        kinds = (*kinds[:repeated], *kinds[:repeated], *kinds[2 * repeated :])
        return replace(request, cadence=planned_phrase.cadences_to_text(kinds))

    def fields_for(self, piece: Chorale, key: Key | None, count: int) -> dict[str, Any]:
        """Return fields of a request for ``piece``, which has its own length, meter and phrases."""
        own = {"key": piece.key or key, "cadence": self._cadence_for(piece)}
        return self._sampling(count) | own

    def _sampling(self, count: int) -> dict[str, Any]:
        return {
            "temperature": self.temperature,
            "seed": min(self.seed, MAX_SEED - count + 1),
            "rules": self.rules,
            "quality": self.quality,
            "mutes": self.muted.of(self.model),
        }

    def _cadence_for(self, piece: Chorale) -> str:
        """Return the cadence for a piece: a list only if it has as many phrases."""
        if self.cadence == AUTO:
            return ""
        kinds = planned_phrase.parse_cadences(self.cadence)
        return self.cadence if len(kinds) in (1, len(spans(piece.fermatas))) else ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Task:
    """A request to a model, and what becomes of its candidates."""

    form: Form  # the entries with which the user asked for it
    request: GenerationRequest
    count: int = 1  # number of candidates; their seeds count up
    piece: Chorale | None = None  # the piece to rewrite or to continue; None: a new piece
    fitted: Chorale | None = None  # the piece in the models' range
    transposition: Transposition = field(default_factory=Transposition)  # of the fitted piece
    action: str = "generated"  # participle of what made an accepted candidate
    # rule of ``musicrel.analysis`` that the rewritten notes should not break; "": none
    avoided: str = ""
    # True for two candidates of one seed, without and with the muted heads of the form
    is_pair: bool = False
    # True for one new piece by a model that writes in order: it is shown note by note
    is_live: bool = False
    made_on: str = ""  # device that has written the same piece before; "": none
    edit: Edit | None = None  # what made ``piece`` of the current one: a verse is written out

    @property
    def free(self) -> Flags:
        """Return the cells that are written, bool (T, 4)."""
        locks = self.request.locks
        return np.ones((self.request.steps, len(Voice)), np.bool_) if locks is None else ~locks.mask

    @property
    def original(self) -> Chorale | None:
        """Return the piece to compare candidates with; None if they replace silence or nothing."""
        return self._compared(self.piece)

    @property
    def fitted_original(self) -> Chorale | None:
        return self._compared(self.fitted)

    @property
    def before(self) -> str:
        """Return the name of what is shown without a candidate."""
        if self.piece is None:
            return tr("the empty sheet")
        return tr("the original") if self.original is not None else tr("the piece as it was")

    @property
    def is_of_form(self) -> bool:
        """Return True if the form alone asks for the same piece."""
        return self.piece is None

    def is_blind(self, *, sees_both_sides: bool) -> bool:
        """Return True if kept notes follow written ones, and the model does not read them."""
        free = self.free.reshape(-1)
        searches = quality.searches(self.form.quality, self.form.temperature)
        return not (sees_both_sides or searches or free[int(free.argmax()) :].all())

    def plan(self) -> Chorale:
        """Return a piece of the candidates' length, silent where none was."""
        if self.piece is None:
            return replace(self.request.plan(), title=self.request.title)
        return self.piece.padded(self.request.steps - self.piece.steps)

    def by(self, model: str) -> Task:
        form = replace(self.form, model=model)
        return replace(self, form=form, request=replace(self.request, mutes=form.muted.of(model)))

    def accepted(self, candidate: Chorale) -> tuple[Chorale, Form | None]:
        """Return an accepted candidate, and the form that asked for it, None for changed pieces.

        A changed piece keeps its title, names and words. All candidates of a new piece have the
        form with its seed, which draws their phrases. The form of one of a pair has its muted heads
        alone.
        """
        form = self.form if self.is_of_form else None
        if self.is_pair:
            form = replace(self.form, muted=self.form.muted.as_in(candidate.provenance))
        if self.piece is None:
            return candidate, form
        return candidate.with_texts_of(self.piece), form

    def moved(self, locks: Flags | None) -> Flags | None:
        """Return the locks of the current piece, if there is one, in an accepted candidate."""
        if locks is not None and self.edit is not None:
            return self.edit.moved(locks) & ~self.free
        return None if locks is None else Edit(piece=self.plan()).moved(locks)

    def same(self, other: Task | None) -> bool:
        mine = (self.form, self.piece, self.request)
        return other is not None and mine == (other.form, other.piece, other.request)

    def breaks_avoided(self, candidate: Chorale) -> bool:
        return bool(self.avoided) and voice_leading.breaks(candidate, self.avoided, self.free)

    def _compared(self, piece: Chorale | None) -> Chorale | None:
        if piece is None or piece.steps != self.request.steps:
            return None
        return None if (piece.pitches[self.free] == REST).all() else piece


def new_piece(form: Form, *, count: int | None = None, **fields: Any) -> Task:
    """Return the task to write new pieces; ``fields`` are those of ``Task``."""
    count = count or form.candidates
    return Task(form=form, request=form.request(count), count=count, **fields)


def change(
    piece: Chorale,
    free: Flags,
    form: Form,
    *,
    count: int | None = None,
    melody: Voice | None = None,
    action: str = "rewritten",
    **fields: Any,
) -> Task:
    """Return the task to write other notes in some cells of a piece.

    Args:
        free: bool (T, 4); all other cells are kept.
        melody: the given voice of a harmonisation; None for any other request.
        **fields: of ``Task``.
    """

    def make(fitted: Chorale, **asked: Any) -> GenerationRequest:
        own = piece.provenance.seed if piece.provenance is not None else -1
        if own in range(asked["seed"], asked["seed"] + (count or form.candidates)):
            asked["seed"] = own + 1  # the piece's own would repeat its notes
        if melody is not None:
            return edit_requests.harmony_request(fitted, melody, **asked)
        make = (
            edit_requests.verse_request if action == "harmonised" else GenerationRequest.rewriting
        )
        return make(fitted, free, **asked)

    return _task(piece, form, make, melody=melody, count=count, action=action, **fields)


def continuation(piece: Chorale, bars: int, form: Form) -> Task:
    """Return the task to add bars to a piece."""

    def make(fitted: Chorale, **asked: Any) -> GenerationRequest:
        return edit_requests.continuation_request(fitted, bars, **asked)

    return _task(piece, form, make, action="continued")


def _task(
    piece: Chorale,
    form: Form,
    make: Callable[..., GenerationRequest],
    *,
    melody: Voice | None = None,
    count: int | None = None,
    **fields: Any,
) -> Task:
    """Return a task for a piece, which is transposed where it lies outside the models' range."""
    count, key = count or form.candidates, piece.key or form.key
    fitted, transposition = (
        fit_to_vocabulary(piece, key) if melody is None else place_melody(piece, melody, key)[:2]
    )
    request = make(fitted, **form.fields_for(fitted, transposition.requested_key, count))
    return Task(
        form=form,
        request=edit_requests.with_ranges(request, form.ranges),
        count=count,
        piece=piece,
        fitted=fitted,
        transposition=transposition,
        **fields,
    )


def rewrite(
    piece: Chorale,
    selection: Selection | None,
    kept: Flags,
    form: Form,
    *,
    share: float = 1.0,
    rewriting: str = "",
) -> Task:
    """Return the task to rewrite a selection, or a random share of the piece.

    Args:
        selection: the passage; None: the whole piece.
        kept: locked cells, bool (T, 4).
        rewriting: model for passages of a voice between kept notes; "": that of the form.
    """
    if selection is not None:
        wanted = lock_cells.cells(piece, selection)
    elif share < 1:
        wanted = edit_requests.some_notes(piece, share, form.seed)
    else:
        wanted = ~lock_cells.nothing(piece)
    free = wanted & ~kept
    if not free.any():
        raise UsageError(
            tr("every note is locked: unlock at least one voice or bar to rewrite")
            if selection is None
            else with_keys(
                tr(
                    "everything selected is locked: select other notes, or unlock some "
                    "({key[rewriting.lock]})"
                )
            )
        )
    action = "varied" if selection is None else "rewritten"
    return change(piece, free, with_model(form, free, rewriting), action=action)


def with_model(form: Form, free: Flags, rewriting: str) -> Form:
    """Return ``form`` with the model that writes some cells: its own, or ``rewriting``.

    Whole voices beside kept ones are written by the form's model: no note of the same voice has to
    be reached.
    """
    is_free_4 = free.all(axis=0)
    harmonises = not is_free_4.all() and np.array_equal(is_free_4, free.any(axis=0))
    return form if harmonises or not rewriting else replace(form, model=rewriting)


def rewrite_without(
    piece: Chorale,
    mark: Mark,
    kept: Flags,
    form: Form,
    *,
    attempt: int = 0,
    rewriting: str = "",
) -> Task:
    """Return the task to write candidates without a violation.

    The passage is as small as makes musical sense: the voices of the violation without the melody,
    from the beat before to the end of the beat, in whole notes. The hard rule that prevents the
    violation is on; candidates with one that can only be filtered are ranked last. Rules that the
    kept notes break would make the request impossible: they are off for once.

    Args:
        kept: locked cells, bool (T, 4).
        attempt: number of requests before that did not help; each frees more voices.
        rewriting: as in ``rewrite``.
    """
    free = passage(piece, mark, kept, attempt=attempt)
    form = with_model(form, free, rewriting)
    count = max(form.candidates, _CHOICE)

    def with_rules(*rules: str) -> Task:
        asked = replace(form, rules=rules)
        return change(piece, free, asked, count=count, avoided=mark.rule)

    def is_possible(rule: str) -> bool:
        try:
            with_rules(rule)
        except UsageError:
            return False
        return True

    preventing = {name for name, rule in HARD_RULES.items() if mark.rule in rule.findings}
    wanted = [name for name in HARD_RULES if name in {*form.rules, *preventing}]
    try:
        return with_rules(*wanted)
    except UsageError:
        return with_rules(*filter(is_possible, wanted))


def passage(piece: Chorale, mark: Mark, kept: Flags, *, attempt: int = 0) -> Flags:
    """Return the cells to rewrite around a violation, bool (T, 4)."""
    around = _notes_around(piece, mark)
    choices = list(_choices(around & ~kept, mark))
    if not choices:
        raise UsageError(
            with_keys(
                tr(
                    "All notes around this violation are locked: unlock one of its voices "
                    "({key[rewriting.lock]}) to rewrite it"
                )
            )
        )
    return choices[min(attempt, len(choices) - 1)]


def _choices(free: Flags, mark: Mark) -> Iterator[Flags]:
    """Yield the cells to rewrite at the first attempt, the second and so on, each set larger.

    The melody stays unless it alone is at fault, or everything else was tried. One voice against a
    kept soprano and kept inner voices has hardly a choice: with the bass these are free, too.
    """
    lower = [voice for voice in mark.voices if voice in _LOWER]
    first = _LOWER if mark.voices == _OUTER else lower or mark.voices
    yet = 0
    for voices in (first, (*_LOWER, *first), tuple(Voice)):
        chosen = free.copy()
        chosen[:, [voice for voice in Voice if voice not in voices]] = False
        if chosen.sum() > yet:
            yet = int(chosen.sum())
            yield chosen


def _notes_around(piece: Chorale, mark: Mark) -> Flags:
    """Return the notes that sound from the beat before a violation to the end of its beat."""
    beat = written_unit(piece.meter)
    first = mark.step - (mark.step - piece.pickup) % beat - beat
    start, stop = max(first, 0), mark.stop + (piece.pickup - mark.stop) % beat
    cells = np.zeros(piece.pitches.shape, dtype=np.bool_)
    cells[start:stop] = True
    number = piece.onsets.cumsum(axis=0)
    for voice in Voice:
        sounds = np.isin(number[:, voice], number[start:stop, voice])
        cells[:, voice] |= sounds & (piece.pitches[:, voice] != REST)
    return cells


def harmonisation(piece: Chorale, voice: Voice, form: Form, phrases: Collection[int] = ()) -> Task:
    """Return the task to write three voices to a melody; silent bars at its end are cut.

    Args:
        phrases: bars of each phrase, a fermata at the end of each; empty: as in the melody.
    """
    if (piece.pitches[:, voice] == REST).all():
        raise UsageError(
            tr("the {voice} has no notes: choose another voice or melody", voice=voice.title)
        )
    last = int(np.flatnonzero((piece.pitches != REST).any(axis=1))[-1]) + 1
    bar = piece.meter.steps
    stop = piece.pickup + -(-(last - piece.pickup) // bar) * bar
    piece = edit_requests.with_phrases(
        piece if stop >= piece.steps else piece.cropped(0, stop), phrases
    )
    free = ~lock_cells.of_voice(piece, voice)
    return change(piece, free, form, action="harmonised", melody=voice)


def verse_harmony(
    piece: Chorale, verse: int, kept: Flags | None, form: Form, *, rewriting: str = ""
) -> Task:
    """Return the task to give a verse lower voices of its own; it is written out in its place.

    A model that reads the verses before it would write their harmony again, so ``rewriting`` does.
    Cells ``kept`` of a verse that is written out already stay, bool (T, 4).
    """
    edit, free = edit_requests.verse_written_out(piece, verse)
    if kept is not None and edit.piece is piece:
        free &= ~kept
    model = with_model(form, free, rewriting)
    return change(edit.piece, free, model, action="harmonised", edit=edit)


def placed(piece: Chorale, voice: Voice) -> tuple[Chorale, str]:
    """Return the piece with its melody in or near its range, and a sentence if it was moved."""
    moved = place_melody(piece, voice)
    if not moved.sentence:
        return piece, ""
    text = tr("The melody lies outside the range of its voice: {sentence}", sentence=moved.sentence)
    return moved.melody, text


def parse_whole_phrases(text: str) -> tuple[int, ...]:
    phrases = planned_phrase.parse(text)
    lengths = tuple(length for length in phrases if isinstance(length, int))
    if lengths != phrases:
        raise UsageError(_PARTS_OF_BARS.format(phrases=text.strip()))
    return lengths


def likely_voice(piece: Chorale, selection: Selection | None, kept: Flags | None) -> Voice:
    """Guess the melody's voice: the one selected, or locked throughout, or first with a note."""
    if selection is not None and len(selection.voices) == 1:
        return Voice(selection.voices[0])
    whole = [] if kept is None else [voice for voice in Voice if kept[:, voice].all()]
    sounding = [voice for voice in Voice if (piece.pitches[:, voice] != REST).any()]
    return next(iter([*whole, *sounding]), Voice.SOPRANO)


def parse_rules(text: str) -> tuple[str, ...]:
    """Parse rule names as stored, "range,crossing"; unknown names are ignored."""
    named = text.split(",")
    return tuple(name for name in HARD_RULES if name in named)


def pickups(meter: Meter) -> tuple[tuple[int, str], ...]:
    """Return the pickups to choose from: sixteenths and name."""
    beats = range(1, meter.numerator)
    quarter = written_unit(meter)
    named = tuple((beat * quarter, count(beat, "quarter")) for beat in beats)
    return ((0, tr("None", "pickup")), *named)


def describe_temperature(temperature: float) -> str:
    if temperature == 1:
        return tr("the model’s own distribution")
    return tr("more predictable") if temperature < 1 else tr("more varied")


def blank_piece(form: Form) -> Chorale:
    """Return an empty piece with bars, meter and key of ``form``.

    It has the phrases and the pickup that the user entered, but none that the seed would draw, and
    no drawn length: the melody to be written has its own.
    """
    form = replace(form, form=phrase_plan.THROUGH_COMPOSED)
    if not form.phrases:
        form = replace(form, phrases=(), bars=form.bars or USUAL_BARS)
    return replace(form.request().plan(), title=TITLE, provenance=None)


def bound_ranges(form: Form) -> Ranges | None:
    """Return the voice ranges that bind on screen; None if the rule that keeps them is off."""
    return voice_ranges.parse(form.ranges) if "range" in form.rules else None


def ranges_of(piece: Chorale, form: Form) -> Mapping[Voice, tuple[int, int]]:
    """Return the ranges that ``piece`` is checked against while ``form`` is on screen."""
    return rules.requested_ranges(to_check(piece, form))


def to_check(piece: Chorale, form: Form) -> Chorale:
    """Return ``piece`` as rules check it.

    A generated piece has the ranges in its provenance, any other those that its user sees.
    """
    try:
        return rules.with_requested_ranges(piece, bound_ranges(form))
    except UsageError:
        return piece
