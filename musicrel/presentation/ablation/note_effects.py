"""All that is shown of one note: effects of heads, most probable notes, logit lens and sources.

Sources are earlier notes: where the model looked beside what it did. The strongest by weight come
first, then random ones of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.analysis.claims.intervals import spearman
from musicrel.chorale import Chorale, Key, Voice
from musicrel.generation.events import SourcesProgress
from musicrel.generation.heads.mutes import Mutes
from musicrel.jobs import Job
from musicrel.presentation.ablation import head_effects
from musicrel.presentation.ablation.head_effects import Effects, HeadEffects
from musicrel.presentation.attention.piece_analysis import cell_name, percent
from musicrel.presentation.compose import position_text
from musicrel.presentation.words import names
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary

if TYPE_CHECKING:
    from musicrel.generation.ablation.note_reader import NoteReader
    from musicrel.generation.ablation.results import Source
    from musicrel.generation.loaded_model import LoadedModel

Distribution = npt.NDArray[np.floating]
MOST: Final = 6
"""Most probable notes that are shown."""
LENS_CHOICES: Final = 3
"""Most probable notes of a layer."""


class Choice(NamedTuple):
    """A token that may stand in the cell."""

    name: str  # in words, as "F♯4" or "F♯4 held"
    p: float  # its probability with all heads
    p_muted: float | None  # its probability with muted heads; None where none is muted
    is_note: bool  # whether it is the note of the piece


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class NoteEffects:
    """All that is known of one note without its sources."""

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
            return f"Surprisal {before:.2f} nats"
        effect = head_effects.number(after - before)
        return f"Surprisal {before:.2f} nats, muted {after:.2f} ({effect})"

    def choices(self, most: int = MOST) -> tuple[Choice, ...]:
        """Return the tokens that are most probable without or with muted heads, and the note.

        They are in order of probability with all heads.
        """
        muted = self.log_p_muted
        highest = self.log_p if muted is None else np.maximum(self.log_p, muted)
        tokens = np.argsort(-highest, kind="stable")[:most].tolist()
        if self.token not in tokens:
            tokens[-1] = self.token
        tokens.sort(key=lambda token: -float(self.log_p[token]))
        return tuple(self._choice(token, self.log_p, muted) for token in tokens)

    def layers(self) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
        found, last = [], len(self.log_p_by_layer) - 1
        for number, log_p in enumerate(self.log_p_by_layer):
            tokens = np.argsort(-log_p, kind="stable")[:LENS_CHOICES].tolist()
            name = f"Layer {number}{' (model)' if number == last else ''}"
            choices = tuple(self._choice(token, log_p) for token in tokens)
            found.append((name if number else "Before layer 1", choices))
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


def token_name(token: int, vocabulary: Vocabulary, key: Key | None = None) -> str:
    """Return the name of a token, as 'F♯4', 'F♯4 held' or 'rest'."""
    if token < vocabulary.first_onset:
        return "rest" if token == REST_TOKEN else vocabulary.symbols()[token]
    pitch = names.pitch((token - vocabulary.first_onset) % PITCHES + LOWEST_PITCH, key)
    is_held = vocabulary.holds and token >= vocabulary.first_hold
    return f"{pitch} held" if is_held else pitch


def open_reader(model: LoadedModel, chorale: Chorale) -> NoteReader:
    """Read a piece with a model; cross-attention reads the locked notes, or the soprano."""
    from musicrel.generation.ablation import readers  # noqa: PLC0415  # numba, torch
    from musicrel.presentation.attention.analysis_job import given_cells  # noqa: PLC0415

    locked_tokens = None
    if model.config.cross:
        locked_tokens = np.where(given_cells(chorale).ravel(), model.encode(chorale)[1:-1], -1)
    return readers.open_reader(model, chorale, locked_tokens=locked_tokens)


def measure(reader: NoteReader, cell: int, mutes: Mutes) -> NoteEffects:
    """Return all that is known of one note without its sources.

    Args:
        mutes: the muted heads; ``mutes.by`` replaces the heads of the effects, too.
    """
    local, model = reader.local(cell, mutes.by), reader.model
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
            looks=_looks(reader.attention(cell)) if model.config.is_causal else None,
        ),
        mutes=mutes,
        log_p=local.output.log_p_V,
        log_p_muted=reader.muted(cell, mutes).log_p_V if mutes else None,
        log_p_by_layer=reader.lens(cell).log_p_NV,
    )


def _looks(weights: Effects) -> Effects:
    """Return the shares of attention by voice, and of START, (layers, heads, 5).

    Args:
        weights: over START and the cells before, (layers, heads, keys).
    """
    shares = [weights[..., 1 + voice :: len(Voice)].sum(axis=-1) for voice in Voice]
    return np.stack([*shares, weights[..., 0]], axis=-1)


_FEWEST: Final = 3
"""Fewest sources with a rank correlation."""


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
        return f"{self.name}: weight {percent(self.weight)}, {head_effects.words(self.effect)}"


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
            return "No note comes before this one"
        correlation = "–" if found is None else f"{found:+.2f}".replace("-", "−")
        text = f"Rank correlation of weight and size of effect: {correlation}"
        strongest, random = (
            [abs(row.effect) for row in self.rows if row.is_random == is_random]
            for is_random in (False, True)
        )
        if not (strongest and random):
            return text
        means = f"{np.mean(strongest):.3f} nats strongest, {np.mean(random):.3f} random"
        return f"{text}. Mean size: {means}"

    def table(self) -> Iterator[tuple[object, ...]]:
        yield ("source", "voice", "start", "stop", "weight", "effect in nats", "group")
        for row in self.rows:
            voice = "" if row.voice is None else Voice(row.voice).letter
            group = "random" if row.is_random else "strongest"
            numbers = (f"{row.weight:.6f}", f"{row.effect:.6f}")
            yield (row.name, voice, row.start, row.stop, *numbers, group)


def find_sources(reader: NoteReader, cell: int) -> Job[SourcesProgress, SourceList]:
    """Find the sources of a note: the strongest by weight, then random others."""
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
        name = f"All voices ({names.position(start, chorale.meter, chorale.pickup)})"
        short = f"bar {place}"
    else:
        name = cell_name(chorale, start * len(Voice) + voice)
        pitch = names.pitch(int(chorale.pitches[start, voice]), chorale.key)
        short = f"{Voice(voice).letter} {pitch} {place}"
    return SourceRow(name, short, voice, start, source.stop, weight, effect, is_random)
