"""Effects on a note and on a piece: data, words, tables and views.

Sources are earlier notes: where the model looked beside what it did. The strongest by weight come
first, then random ones of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis import numeral_search
from musicrel.analysis.claims.intervals import spearman
from musicrel.analysis.numeral import Numeral
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.events import SourcesProgress
from musicrel.generation.heads.mutes import Head, Mutes, Replacement, all_heads
from musicrel.interpretability.piece_analysis import cell_name, percent
from musicrel.interpretability.view import Chart, Heading, Table, View
from musicrel.jobs import Job
from musicrel.language import decimal, tr
from musicrel.model.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary
from musicrel.presentation.compose import position_text
from musicrel.presentation.words import muted_heads, names

if TYPE_CHECKING:
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.interpretability.ablation import NoteReader
    from musicrel.interpretability.results import Source

Effects = npt.NDArray[np.floating]
OF_PIECE: Final = tr("whole piece")
_FULL: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Possible ends of the scale in nats: few, so that it rarely changes from note to note."""
ZERO: Final = 0.005  # effects in nats below this are written as 0.00
LOOKED_AT: Final = (*(voice.noun for voice in Voice), "START")  # names of what a head can look at


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class HeadEffects:
    of: str  # the note in words, or ``OF_PIECE``
    model: str
    by: Replacement  # what replaces the output of a head
    # effects in nats, (layers, heads), of a piece the mean over its notes; nan where not known
    # yet
    by_head: Effects
    by_voice: Effects | None = None  # effects of the four voices as sources; None for a piece
    # share of the attention of each head by ``LOOKED_AT``, (layers, heads, 5); None where it is not
    # known by voice
    looks: Effects | None = None

    @property
    def shape(self) -> tuple[int, int]:
        layers, heads = self.by_head.shape
        return layers, heads

    @property
    def full(self) -> float:
        known = np.append(self.by_head, () if self.by_voice is None else self.by_voice)
        return full_effect(float(np.nan_to_num(np.abs(known)).max(initial=0.0)))

    @property
    def largest(self) -> Head | None:
        sizes = np.nan_to_num(np.abs(self.by_head), nan=-1.0)
        layer, head = np.unravel_index(int(sizes.argmax()), sizes.shape)
        return Head(int(layer), int(head)) if sizes[layer, head] >= 0 else None

    def describe(self, head: Head) -> str:
        effect = float(self.by_head[head])
        text = f"{head} {words(effect)}" if np.isfinite(effect) else str(head)
        if self.looks is None:
            return text
        looks = zip(LOOKED_AT, self.looks[head].tolist(), strict=True)
        most = sorted(looks, key=lambda one: -one[1])[:2]
        shares = ", ".join(f"{name} {percent(share)}" for name, share in most)
        return tr("{text}; looks at {shares}", text=text, shares=shares)

    def describe_voice(self, voice: Voice) -> str:
        effect = 0.0 if self.by_voice is None else float(self.by_voice[voice])
        return tr("{voice} as source {effect}", voice=voice.title, effect=words(effect))

    def summary(self, mutes: Mutes) -> str:
        parts, head = [tr("Effects of heads, {of}", of=self.of)], self.largest
        if head is not None:
            effect = words(float(self.by_head[head]))
            parts.append(tr("most: {head} {effect}", head=head, effect=effect))
        if mutes:
            parts.append(tr("muted: {heads}", heads=muted_heads.named(mutes)))
        return "; ".join(parts)

    def table(self) -> Iterator[tuple[object, ...]]:
        yield ("source", "effect in nats")
        for head in all_heads(*self.shape):
            yield (head.code, f"{self.by_head[head]:.6f}")
        if self.by_voice is not None:
            for voice in Voice:
                yield (voice.part, f"{self.by_voice[voice]:.6f}")


def full_effect(most: float) -> float:
    """Return the end of a scale that holds effects of up to ``most`` nats."""
    return next((full for full in _FULL if most <= full), _FULL[-1])


def number(effect: float) -> str:
    is_zero = abs(effect) < ZERO
    return decimal(0, ".2f") if is_zero else decimal(effect, "+.2f").replace("-", "−")


def words(effect: float) -> str:
    """Return an effect in words, as 'helped by 0.42 nats'."""
    if abs(effect) < ZERO:
        return tr("made no difference")
    text = tr("helped by {nats:.2f} nats") if effect > 0 else tr("hindered by {nats:.2f} nats")
    return text.format(nats=abs(effect))


Distribution = npt.NDArray[np.floating]
MOST: Final = 6  # most probable notes that are shown
LENS_CHOICES: Final = 3  # most probable notes of a layer


class Choice(NamedTuple):
    name: str  # in words, as "F♯4" or "F♯4 held"
    p: float  # its probability with all heads
    p_muted: float | None  # its probability with muted heads; None where none is muted
    is_note: bool  # whether it is the note of the piece


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class NoteEffects:
    model: str
    chorale: Chorale
    cell: int  # 4 step + voice
    token: int  # of the note
    vocabulary: Vocabulary
    heads: HeadEffects
    mutes: Mutes
    log_p: Distribution  # log-probabilities with all heads, (V,), nats
    log_p_muted: Distribution | None  # those with the muted heads; None where none is muted
    log_p_by_layer: Distribution  # those after no layer, after layer 1 ..., (1 + layers, V)
    chord: Numeral | None = None  # the chord that sounds; None where none is known

    @property
    def note(self) -> str:
        return cell_name(self.chorale, self.cell)

    @property
    def nats(self) -> tuple[float, float | None]:
        muted = None if self.log_p_muted is None else -float(self.log_p_muted[self.token])
        return -float(self.log_p[self.token]), muted

    @property
    def surprisal(self) -> str:
        before, after = self.nats
        if after is None:
            return tr("Surprisal {before:.2f} nats", before=before)
        effect = number(after - before)
        return tr(
            "Surprisal {before:.2f} nats, muted {after:.2f} ({effect})",
            before=before,
            after=after,
            effect=effect,
        )

    def choices(self, most: int = MOST) -> tuple[Choice, ...]:
        """Return the tokens that are most probable without or with muted heads, and the note.

        They are in order of probability with all heads.
        """
        muted = self.log_p_muted
        highest = self.log_p if muted is None else np.maximum(self.log_p, muted)
        tokens = likeliest(highest, self.token, most)
        tokens.sort(key=lambda token: -float(self.log_p[token]))
        return tuple(self._choice(token, self.log_p, muted) for token in tokens)

    def layers(self) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
        found, last = [], len(self.log_p_by_layer) - 1
        for layer, log_p in enumerate(self.log_p_by_layer):
            tokens = np.argsort(-log_p, kind="stable")[:LENS_CHOICES].tolist()
            name = tr("Layer {layer} (model)") if layer == last else tr("Layer {layer}")
            choices = tuple(self._choice(token, log_p) for token in tokens)
            found.append((name.format(layer=layer) if layer else tr("Before layer 1"), choices))
        return tuple(found)

    def choices_table(self) -> Iterator[tuple[object, ...]]:
        yield ("note", "p", "p with muted heads", "is the note")
        for one in self.choices(len(self.log_p)):
            muted = "" if one.p_muted is None else f"{one.p_muted:.6f}"
            yield (one.name, f"{one.p:.6f}", muted, "yes" if one.is_note else "")

    def layers_table(self) -> Iterator[tuple[object, ...]]:
        yield ("layer", "rank", "note", "p", "is the note")
        for name, choices in self.layers():
            for rank, one in enumerate(choices, start=1):
                yield (name, rank, one.name, f"{one.p:.6f}", "yes" if one.is_note else "")

    def _choice(self, token: int, log_p: Distribution, muted: Distribution | None = None) -> Choice:
        after = None if muted is None else float(np.exp(muted[token]))
        name = token_name(token, self.vocabulary, self.chorale.key)
        return Choice(name, float(np.exp(log_p[token])), after, token == self.token)


def likeliest(log_p: Distribution, token: int, most: int) -> list[int]:
    """Return the most probable tokens, the last of them ``token`` if it is not among them."""
    tokens: list[int] = np.argsort(-log_p, kind="stable")[:most].tolist()
    return tokens if token in tokens else [*tokens[:-1], token]


def token_name(token: int, vocabulary: Vocabulary, key: Key | None = None) -> str:
    """Return the name of a token, as 'F♯4', 'F♯4 held' or 'rest'."""
    if token < vocabulary.first_onset:
        return tr("rest") if token == REST_TOKEN else vocabulary.symbols()[token]
    pitch = names.pitch((token - vocabulary.first_onset) % PITCHES + LOWEST_PITCH, key)
    is_held = vocabulary.holds and token >= vocabulary.first_hold
    return held(pitch) if is_held else pitch


def held(pitch: str) -> str:
    """Return the name of a held note."""
    return tr("{pitch} held", pitch=pitch)


def open_reader(model: LoadedModel, chorale: Chorale) -> NoteReader:
    """Read a piece with a model; cross-attention reads the locked notes, or the soprano."""
    from musicrel.interpretability import readers  # numba, torch
    from musicrel.interpretability.analysis_job import given_cells

    locked_tokens = None
    if model.config.cross:
        locked_tokens = np.where(given_cells(chorale).ravel(), model.encode(chorale)[1:-1], -1)
    return readers.open_reader(model, chorale, locked_tokens=locked_tokens)


def measure(reader: NoteReader, cell: int, mutes: Mutes) -> NoteEffects:
    """Return all that is known of one note without its sources.

    ``mutes.by`` replaces the heads of the effects, too.
    """
    local, model = reader.local(cell, mutes.by), reader.model
    step, chords = cell // len(Voice), numeral_search.numerals(reader.chorale)
    return NoteEffects(
        model=model.name,
        chorale=reader.chorale,
        cell=cell,
        token=int(model.encode(reader.chorale)[1 + cell]),
        vocabulary=model.vocabulary,
        heads=HeadEffects(
            of=cell_name(reader.chorale, cell),
            model=model.name,
            by=local.by,
            by_head=local.effects_LH,
            by_voice=local.voices_4,
            looks=_looks(reader.weights(cell)) if model.config.is_causal else None,
        ),
        mutes=mutes,
        log_p=local.output.log_p_V,
        log_p_muted=reader.muted(cell, mutes).log_p_V if mutes else None,
        log_p_by_layer=reader.lens(cell).log_p_NV,
        chord=next((one for one in chords if one.start <= step < one.stop), None),
    )


def _looks(weights: Effects) -> Effects:
    """Return the shares of attention by voice, and of START: (layers, heads, keys to 5)."""
    shares = [weights[..., 1 + voice :: len(Voice)].sum(axis=-1) for voice in Voice]
    return np.stack([*shares, weights[..., 0]], axis=-1)


_FEWEST: Final = 3  # fewest sources with a rank correlation


class SourceRow(NamedTuple):
    name: str  # the note and its place
    short: str  # the same in few letters, as "A F♯4 2.1"
    voice: int | None  # of the note; None for all voices of a step
    start: int  # its first step
    stop: int  # the step after its last
    weight: float  # attention on it, mean of all heads, 0 to 1
    effect: float  # of removing it, in nats
    is_random: bool  # whether it was drawn; else it is one of the strongest

    def describe(self) -> str:
        weight, effect = percent(self.weight), words(self.effect)
        return tr("{name}: weight {weight}, {effect}", name=self.name, weight=weight, effect=effect)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceList:
    model: str
    chorale: Chorale
    cell: int  # 4 step + voice
    rows: tuple[SourceRow, ...]  # the strongest by weight, then random ones

    @property
    def note(self) -> str:
        return cell_name(self.chorale, self.cell)

    @property
    def correlation(self) -> float | None:
        """Return Spearman's rank correlation of weight and size of effect; None for too few."""
        if len(self.rows) < _FEWEST:
            return None
        weights, sizes = zip(*((row.weight, abs(row.effect)) for row in self.rows), strict=True)
        found = float(spearman(weights, sizes))
        return found if np.isfinite(found) else None

    @property
    def words(self) -> str:
        found = self.correlation
        if not self.rows:
            return tr("No note comes before this one")
        correlation = "–" if found is None else decimal(found, "+.2f").replace("-", "−")
        text = tr(
            "Rank correlation of weight and size of effect: {correlation}", correlation=correlation
        )
        strongest, random = (
            [abs(row.effect) for row in self.rows if row.is_random == is_random]
            for is_random in (False, True)
        )
        if not (strongest and random):
            return text
        return tr(
            "{text}. Mean size: {strongest:.3f} nats strongest, {random:.3f} random",
            text=text,
            strongest=np.mean(strongest),
            random=np.mean(random),
        )

    def table(self) -> Iterator[tuple[object, ...]]:
        yield ("source", "voice", "start", "stop", "weight", "effect in nats", "group")
        for row in self.rows:
            voice = "" if row.voice is None else Voice(row.voice).letter
            group = "random" if row.is_random else "strongest"
            numbers = (f"{row.weight:.6f}", f"{row.effect:.6f}")
            yield (row.name, voice, row.start, row.stop, *numbers, group)


def find_sources(reader: NoteReader, cell: int) -> Job[SourcesProgress, SourceList]:
    found = yield from reader.find_sources(cell)
    numbers = zip(found.sources, found.weights_S.tolist(), found.effects_S.tolist(), strict=True)
    rows = tuple(
        _row(reader.chorale, source, weight, effect, is_random=place >= found.strongest)
        for place, (source, weight, effect) in enumerate(numbers)
    )
    return SourceList(model=reader.model.name, chorale=reader.chorale, cell=cell, rows=rows)


def _row(
    chorale: Chorale, source: Source, weight: float, effect: float, *, is_random: bool
) -> SourceRow:
    voice, start = source.voice, source.start
    place = position_text.bar_and_beat(start, chorale.meter, chorale.pickup)
    if voice is None:
        position = names.position(start, chorale.meter, chorale.pickup)
        name = tr("All voices ({position})", position=position)
        short = tr("bar {place}", place=place)
    else:
        name = cell_name(chorale, start * len(Voice) + voice)
        pitch = names.pitch(int(chorale.pitches[start, voice]), chorale.key)
        short = f"{Voice(voice).letter} {pitch} {place}"
    return SourceRow(name, short, voice, start, source.stop, weight, effect, is_random)


# -------------------------------------------------------------------- views

_LENS_WORDS: Final = tr(
    "Logit lens: the output of every layer read as if it were the last one. Bold: the note of "
    "the piece. Colour: its probability."
)
_SOURCE_WORDS: Final = tr(
    "Left: attention, mean of all heads. Right: effect of removing the source, in nats."
)
_HEAD_WORDS: Final = tr(
    "Change of -log p in nats if the output of a head is replaced by {by}; positive: it helped."
)
_CHOICES_HEIGHT: Final = 260  # heights of exported figures in pixels
_TILE, _LAYER = 44, 34


def of_heads(effects: HeadEffects, mutes: Mutes, piece: str, chosen: Head | None = None) -> View:
    """Return the grid of effects; the chosen head has a frame on the screen."""
    words = _HEAD_WORDS.format(by=tr("zero") if effects.by == "zero" else tr("its mean"))
    if effects.looks is not None:
        words += tr(" Strips: where the head looks, by voice.")
    return _view(
        (tr("Effects of heads: {of}", of=effects.of), piece, effects.model),
        (words,),
        ("effect_charts", "effects", effects, mutes, chosen),
        effects.table,
        (len(effects.by_head) + 2) * _TILE,
        exported=("effect_charts", "effects", effects, mutes, None),
    )


def of_choices(note: NoteEffects) -> View:
    texts = tr("Most probable notes: {note}", note=note.note), note.chorale.title, note.model
    chart = ("effect_charts", "choices", note)
    return _view(texts, (note.surprisal,), chart, note.choices_table, _CHOICES_HEIGHT)


def of_layers(note: NoteEffects) -> View:
    heading = tr("What each layer would choose: {note}", note=note.note)
    texts = heading, note.chorale.title, note.model
    height, chart = 16 + _LAYER * len(note.log_p_by_layer), ("effect_charts", "layers", note)
    return _view(texts, (_LENS_WORDS,), chart, note.layers_table, height)


def of_sources(found: SourceList) -> View:
    texts = tr("Sources of {note}", note=found.note), found.chorale.title, found.model
    words = _SOURCE_WORDS, f"{found.words}."
    return _view(texts, words, ("effect_charts", "sources", found), found.table)


def _view(
    texts: tuple[str, str, str], words: tuple[str, ...], chart: Chart, table: Table,
    height: int = 0, *, exported: Chart | None = None,
) -> View:  # fmt: skip
    heading, piece, model = texts
    lines = (", ".join(filter(None, (piece, model))), *words)
    title = ", ".join(filter(None, (piece, heading)))
    return View(title, Heading(heading, lines), chart, table, height, exported)
