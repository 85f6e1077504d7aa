"""Effects of heads and sources on notes and pieces, and the logit lens.

Ablations of a note are local: they concern the query that predicts it, and no other. A causal model
reads through ``Reader``, an infilling one through a reader of each runtime. The keys of a causal
model are tokens, START first, and its sources are earlier notes. A key of an infilling model is a
step with four voices, and its sources are all other steps.

Dimensions: L layers, H heads, S sources, K keys, V vocabulary, R ablations, N cells, C conditions,
T steps, 4 voices.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel import jobs
from musicrel.chorale import REST, Chorale, Voice
from musicrel.errors import UsageError, torch_may_be_missing
from musicrel.generation.events import SourcesProgress
from musicrel.generation.heads import replacement
from musicrel.generation.heads.means import note_numbers
from musicrel.generation.heads.mutes import Mutes, Replacement, all_heads
from musicrel.generation.infill import masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import log_softmax
from musicrel.generation.scoring import teacher_forcing
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.interpretability.results import (
    Attributions,
    Floats,
    GlobalEffects,
    Lens,
    LocalEffects,
    NoteOutput,
    Source,
    SourceEffects,
)
from musicrel.jobs import Job
from musicrel.model.reading import Reader
from musicrel.model.replaced_heads import Ablations
from musicrel.model.tokens import codec
from musicrel.model.tokens.vocabulary import MASK, START

Logits = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_AT_ONCE: Final = 16
"""Sources that are removed in one batch: an infilling model takes a sixth of a second for them."""
_ROWS: Final = 32  # rows of a step: each has a copy of the end of the cache
_VOICES: Final = len(Voice)


class NoteReader(ABC):
    """A piece that a model has read, for one thread at a time.

    A cell is four times its step plus its voice. An infilling model reads the piece with the whole
    note of the cell hidden: one that is known to be held afterwards would leave nothing to predict.
    """

    def __init__(
        self,
        model: LoadedModel,
        chorale: Chorale,
        given: Iterable[str] | None = None,
        locked_tokens: codec.Ids | None = None,
    ) -> None:
        self.model, self.chorale = model, chorale
        self._ids_N = model.encode(chorale)[1:-1]
        names = conditions_of(chorale) if given is None else tuple(given)
        self._names, rows_NC = names, model.condition_rows(chorale, names, locked_tokens)
        self._rows_NC = rows_NC[: len(self._ids_N)]
        self._prepare()

    @abstractmethod
    def _prepare(self) -> None:
        """Read the piece."""

    @property
    @abstractmethod
    def keys(self) -> int:
        """Return the number of keys K: tokens without END, or steps of an infilling model."""

    @abstractmethod
    def _plain(self, cell: int) -> Logits:
        """Return the logits of a cell, (V,)."""

    @abstractmethod
    def _ablated(self, cell: int, ablations: Ablations) -> Logits:
        """Return the logits of a cell with each of some ablations at its query, (R, V)."""

    @abstractmethod
    def _without_voices(self, cell: int) -> Logits:
        """Return the logits of a cell without each of the four voices as sources, (4, V)."""

    @abstractmethod
    def weights(self, cell: int) -> Logits:
        """Return the attention weights of its query, (L, H, K); tokens after it are left out."""

    @abstractmethod
    def _lens(self, cell: int) -> Logits:
        """Return its logits with the first layers alone, none to all, (L + 1, V)."""

    @abstractmethod
    def _read_for(self, cell: int) -> codec.Ids:
        """Return the tokens that are read to predict a cell, (N,)."""

    @abstractmethod
    def every_source(self, cell: int) -> tuple[Source, ...]:
        """Return all sources of a cell: earlier notes, or the other steps of an infilling model."""

    def output(self, cell: int) -> NoteOutput:
        self._check_cell(cell)
        return self._output(cell, self._plain(cell))

    def local(self, cell: int, by: Replacement = "mean") -> LocalEffects:
        """Return the effects of all heads and of the four voices on a cell."""
        output, config = self.output(cell), self.model.config
        shape = config.layers, config.heads
        heads = Ablations(
            replaced_RLH=np.eye(config.layers * config.heads, dtype=np.bool_).reshape(-1, *shape),
            values_5LHd=replacement.replacement_values(self.model, by),
        )
        effects_R = self._nats(cell, self._ablated(cell, heads)) - output.nats
        voices_4 = self._nats(cell, self._without_voices(cell)) - output.nats
        return LocalEffects(cell, output, by, effects_R.reshape(shape), voices_4)

    def muted(self, cell: int, mutes: Mutes) -> NoteOutput:
        replaced = replacement.replaced_heads(self.model, mutes)
        return self.output(cell) if replaced is None else self.replaced(cell, replaced)[0]

    def replaced(self, cell: int, sets: Ablations) -> list[NoteOutput]:
        self._check_cell(cell)
        return [self._output(cell, logits_V) for logits_V in self._ablated(cell, sets)]

    def sources(
        self, cell: int, strongest: int = 64, random: int = 64, seed: int = 0
    ) -> SourceEffects:
        """Return what ``find_sources`` finds, at once."""
        return jobs.run(self.find_sources(cell, strongest, random, seed))

    def find_sources(
        self, cell: int, strongest: int = 64, random: int = 64, seed: int = 0
    ) -> Job[SourcesProgress, SourceEffects]:
        """Find the effects of the strongest sources by weight, and of random others, on a cell.

        Args:
            strongest: number of the strongest, at most.
            random: number of random ones of the rest, at most.
        """
        output, every = self.output(cell), self.every_source(cell)
        keys_SK = keys_of(every, self.keys)
        weights_LHK = self.weights(cell).astype(np.float64)
        seen_SK = keys_SK[:, : weights_LHK.shape[-1]].astype(np.float64)
        weights_SLH = np.einsum("lhk,sk->slh", weights_LHK, seen_SK)
        weights_S = weights_SLH.mean(axis=(1, 2))
        rng = np.random.default_rng([seed, cell])
        rows, border = strongest_and_random(weights_S, strongest, random, rng)
        nats_S = np.zeros(len(rows))
        for done in range(0, len(rows), _AT_ONCE):
            some = slice(done, done + _AT_ONCE)
            nats_S[some] = self._nats_without(cell, keys_SK[rows[some]])
            yield SourcesProgress(min(done + _AT_ONCE, len(rows)), len(rows))
        found, effects_S = tuple(every[row] for row in rows), nats_S - output.nats
        return SourceEffects(
            cell, output, found, border, weights_S[rows], weights_SLH[rows], effects_S
        )

    def without(self, cell: int, groups: Sequence[Sequence[Source]]) -> Floats:
        """Return -log p of a cell without each of some groups of sources, (R,)."""
        self._check_cell(cell)
        keys = [keys_of(group, self.keys).any(axis=0) for group in groups]
        return self._nats_without(cell, np.stack(keys)) if keys else np.zeros(0)

    def lens(self, cell: int) -> Lens:
        """Return what each layer would have chosen for a cell."""
        self._check_cell(cell)
        return Lens(cell, log_softmax(self._lens(cell).astype(np.float64)))

    def attributions(self, cells: Iterable[int]) -> Attributions:
        """Return what each part of the model adds to the logits of some cells.

        Raises:
            ModelError: the model normalises its states after every layer.
            MissingTorchError: torch is not installed.
        """
        with torch_may_be_missing():
            from musicrel.interpretability import attribution

        read = {}
        for cell in cells:
            self._check_cell(cell)
            read[cell] = self._read_for(cell)
        return attribution.attribute(self.model, self._rows_NC, read)

    def _nats_without(self, cell: int, removed_RK: Flags) -> Floats:
        return self._nats(cell, self._ablated(cell, Ablations(removed_RS=removed_RK)))

    def _nats(self, cell: int, logits_RV: Logits) -> Floats:
        nats_R: Floats = -log_softmax(logits_RV.astype(np.float64))[:, self._ids_N[cell]]
        return nats_R

    def _output(self, cell: int, logits_V: Logits) -> NoteOutput:
        (log_p_V,) = log_softmax(logits_V[None].astype(np.float64))
        return NoteOutput(-float(log_p_V[self._ids_N[cell]]), log_p_V)

    def _check_cell(self, cell: int) -> None:
        if not 0 <= cell < len(self._ids_N):
            raise UsageError(
                f"the piece has no cell {cell}: expected 0 to {len(self._ids_N) - 1}, four times "
                "the step plus the voice"
            )


class CausalNoteReader(NoteReader):
    """A piece that a causal model, or a decoder with an encoder, has read.

    All ablations are sequences of one step, which branches off from the piece.
    """

    def _prepare(self) -> None:
        self._ids_K = np.concatenate([[START], self._ids_N[:-1]])
        self._reader = self.model.reader(self._rows_NC[None])
        self._logits_KV = self._reader.read(self._ids_K).logits_TV
        self._branches: dict[int, Reader] = {}

    @property
    def keys(self) -> int:
        return len(self._ids_K)

    def every_source(self, cell: int) -> tuple[Source, ...]:
        self._check_cell(cell)
        return earlier_notes(self.chorale, cell)

    def _plain(self, cell: int) -> Logits:
        logits_V: Logits = self._logits_KV[cell]
        return logits_V

    def _ablated(self, cell: int, ablations: Ablations) -> Logits:
        return np.concatenate([self._step(cell, part)[0] for part in ablations.parts(_ROWS)])

    def _without_voices(self, cell: int) -> Logits:
        return self._ablated(cell, Ablations(removed_RS=keys_of_voices(self.keys, cell)))

    def weights(self, cell: int) -> Logits:
        weights_1LHK = self._step(cell, Ablations())[1]
        assert weights_1LHK is not None  # noqa: S101  # they are recorded
        weights_LHK: Logits = weights_1LHK[0]
        return weights_LHK

    def _lens(self, cell: int) -> Logits:
        layers = range(self.model.config.layers + 1)
        return np.concatenate([self._step(cell, Ablations(layers=n))[0] for n in layers])

    def _read_for(self, cell: int) -> codec.Ids:
        del cell  # one that reads from left to right sees nothing after it
        return self._ids_K

    def _step(self, cell: int, ablations: Ablations) -> tuple[Logits, Logits | None]:
        rows = len(ablations)
        if rows not in self._branches:
            rows_RNC = np.repeat(self._rows_NC[None], rows, axis=0)
            self._branches[rows] = self.model.reader(rows_RNC, record=rows == 1)
        branch = self._branches[rows]
        branch.branch_from(self._reader, np.zeros(rows, dtype=np.int64), cell)
        return branch.step(np.full(rows, self._ids_K[cell]), ablations)


class InfillNoteReader(NoteReader):
    def _prepare(self) -> None:
        self._notes_N = note_numbers(self.chorale)

    @property
    def keys(self) -> int:
        return self.chorale.steps

    def every_source(self, cell: int) -> tuple[Source, ...]:
        self._check_cell(cell)
        return other_steps(self.chorale.steps, cell)

    def note(self, cell: int) -> npt.NDArray[np.int64]:
        """Return the cells of the note of a cell, (N,)."""
        return np.flatnonzero(self._notes_N == self._notes_N[cell])

    def _read_for(self, cell: int) -> codec.Ids:
        return self._hidden(cell)

    def _hidden(self, cell: int, voice: int | None = None) -> codec.Ids:
        ids_N = self._ids_N.copy()
        ids_N[self.note(cell)] = MASK
        if voice is not None:
            ids_N[voice::_VOICES] = MASK
        return ids_N


# -------------------------------------------------------------------- sources


def earlier_notes(chorale: Chorale, cell: int) -> tuple[Source, ...]:
    """Return the notes that begin before a cell, each up to it, in order of their beginning."""
    step, voice = divmod(cell, _VOICES)
    found: list[Source] = []
    for own in range(_VOICES):
        last = step + (own < voice)
        ends = np.flatnonzero(chorale.onsets[:, own] | (chorale.pitches[:, own] == REST))
        for start in np.flatnonzero(chorale.onsets[:last, own]).tolist():
            stop = min([last, *ends[ends > start].tolist()])
            found.append(Source(own, start, stop))
    return tuple(sorted(found, key=lambda source: (source.start, source.voice or 0)))


def other_steps(steps: int, cell: int) -> tuple[Source, ...]:
    own = cell // _VOICES
    return tuple(Source(None, step, step + 1) for step in range(steps) if step != own)


def keys_of(sources: Sequence[Source], keys: int) -> Flags:
    """Return the keys of each source, notes or steps of all voices, (S, K)."""
    found_SK = np.zeros((len(sources), keys), dtype=np.bool_)
    for row, source in enumerate(sources):
        if source.voice is None:
            found_SK[row, source.start : source.stop] = True
        else:
            first = 1 + _VOICES * source.start + source.voice
            found_SK[row, first : 1 + _VOICES * source.stop : _VOICES] = True
    return found_SK


def keys_of_voices(keys: int, cell: int) -> Flags:
    """Return the keys of each voice that a causal model attends to at a cell, (4, K)."""
    place_K = np.arange(keys)
    is_seen_K = (place_K > 0) & (place_K <= cell)
    seen_4K: Flags = is_seen_K & ((place_K - 1) % _VOICES == np.arange(_VOICES)[:, None])
    return seen_4K


def strongest_and_random(
    weights_S: Floats, strongest: int, random: int, rng: np.random.Generator
) -> tuple[list[int], int]:
    """Return the strongest sources by weight, then random ones of the rest, and their border."""
    order = np.argsort(-weights_S, kind="stable")
    rest = order[strongest:]
    drawn = rng.choice(rest, size=min(random, len(rest)), replace=False)
    return [*order[:strongest].tolist(), *drawn.tolist()], min(strongest, len(order))


# -------------------------------------------------------------------- a whole piece


@dataclass(frozen=True, eq=False, slots=True)
class GlobalProgress:
    """The effects known after a head; the first event comes after the reading without ablation."""

    effects_LH: Floats  # mean effect of each head on all cells, in nats; nan where not known yet
    done: int
    total: int

    @property
    def share(self) -> float:
        return self.done / self.total


def global_effects(
    model: LoadedModel, chorale: Chorale, heads: Mutes | None = None, by: Replacement = "mean"
) -> Job[GlobalProgress, GlobalEffects]:
    """Replace heads, None for all, one at a time at all positions of a piece."""
    shape = model.config.layers, model.config.heads
    chosen = heads.expanded(*shape) if heads else all_heads(*shape)
    nats_T4 = _piece_nats(model, chorale, Mutes())
    cells_LHT4 = np.full((*shape, *nats_T4.shape), np.nan)
    yield GlobalProgress(cells_LHT4.mean(axis=(2, 3)), 0, len(chosen))
    for number, head in enumerate(chosen, start=1):
        cells_LHT4[head] = _piece_nats(model, chorale, Mutes((head,), by)) - nats_T4
        yield GlobalProgress(cells_LHT4.mean(axis=(2, 3)), number, len(chosen))
    return GlobalEffects(by, nats_T4, cells_LHT4.mean(axis=(2, 3)), cells_LHT4)


def _piece_nats(model: LoadedModel, chorale: Chorale, mutes: Mutes) -> Floats:
    """Return -log p of every cell with some heads muted at all positions, (T, 4).

    An infilling model sees all cells except the neighbours in the same voice.
    """
    replaced, names = replacement.replaced_heads(model, mutes), conditions_of(chorale)
    if model.config.family == "infill":
        reader = masked_reader.open_masked_reader(model, "single", replaced)
        return masked_reader.piece_nats(reader, model, chorale, names)
    return teacher_forcing.piece_nats(model, chorale, names, replaced=replaced)
