"""Effects of heads and sources on single notes of a piece, and the logit lens.

Ablations are local: they concern the query that predicts the note, and no other.

Dimensions: L layers, H heads, S sources, K keys, V vocabulary, R ablations, N cells, C conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.errors import ModelError, UsageError
from musicrel.generation.ablation import sources as parts
from musicrel.generation.ablation.ablated_reader import AblatedReader, open_reader
from musicrel.generation.ablation.ablations import Ablations, each_head
from musicrel.generation.ablation.results import (
    Floats,
    Lens,
    LocalEffects,
    NoteOutput,
    Source,
    SourceEffects,
)
from musicrel.generation.events import SourcesProgress
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import Mutes, Replacement
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import log_softmax
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.jobs import Job
from musicrel.model.replaced_heads import ReplacedHeads
from musicrel.tokens import codec

MAX_STEPS: Final = 1024
"""Steps of a piece that an infilling model reads as a whole, 64 bars of 4/4."""
_AT_ONCE: Final = 16
"""Sources that are removed in one batch: an infilling model takes a sixth of a second for them."""


class NoteReader:
    """A piece that a model has read, for one thread at a time.

    A cell is four times its step plus its voice. An infilling model reads the piece with the whole
    note of the cell hidden: one that is known to be held afterwards would leave nothing to predict.

    Args:
        model: a model that predicts notes.
        chorale: the piece.
        given: names of the conditions that the model knows; None: those under which the piece was
            generated.
        locked_tokens: tokens of the locked cells; see ``LoadedModel.condition_rows``.

    Raises:
        ModelError: the model predicts no notes, or the piece is too long for it.
    """

    def __init__(
        self,
        model: LoadedModel,
        chorale: Chorale,
        given: Iterable[str] | None = None,
        locked_tokens: codec.Ids | None = None,
    ) -> None:
        _check(model, chorale)
        self.model, self.chorale = model, chorale
        self._ids_N = model.encode(chorale)[1:-1]
        names = conditions_of(chorale) if given is None else tuple(given)
        rows_NC = model.condition_rows(chorale, names, locked_tokens)[: len(self._ids_N)]
        self._reader: AblatedReader = open_reader(
            model, self._ids_N, rows_NC, parts.note_numbers(chorale)
        )

    def output(self, cell: int) -> NoteOutput:
        """Return the prediction of a cell without ablation."""
        self._check_cell(cell)
        return self._output(cell, self._reader.plain(cell)[None])

    def local(self, cell: int, by: Replacement = "mean") -> LocalEffects:
        """Return the effects of all heads and of the four voices on a cell.

        Args:
            cell: the cell.
            by: what replaces the output of a head.

        Raises:
            ModelError: the means are asked for and not known; see ``means.prepare``.
            UsageError: the piece has no such cell.
        """
        output, config = self.output(cell), self.model.config
        values_5LHd = replacement.replacement_values(self.model, by)
        heads = Ablations.of_heads(each_head(config), values_5LHd, self._reader.keys)
        effects_R = self._nats(cell, heads) - output.nats
        effects_LH = effects_R.reshape(config.layers, config.heads)
        voices_4 = self._nats(cell, self._without_voices(cell)) - output.nats
        return LocalEffects(cell, output, by, effects_LH, voices_4)

    def muted(self, cell: int, mutes: Mutes) -> NoteOutput:
        """Return the prediction of a cell with some heads muted at its query.

        Raises:
            ModelError: the means are asked for and not known; see ``means.prepare``.
            UsageError: the piece has no such cell, or the model no such head.
        """
        replaced = replacement.replaced_heads(self.model, mutes)
        return self.output(cell) if replaced is None else self.replaced(cell, [replaced])[0]

    def replaced(self, cell: int, sets: Sequence[ReplacedHeads]) -> list[NoteOutput]:
        """Return the prediction of a cell with each of several sets of heads replaced.

        Args:
            cell: the cell.
            sets: the heads; all sets have the values of the first.
        """
        self._check_cell(cell)
        replaced_RLH = np.stack([one.is_replaced_LH for one in sets])
        values_5LHd = sets[0].values_5LHd
        ablations = Ablations.of_heads(replaced_RLH, values_5LHd, self._reader.keys)
        logits_RV = self._reader.ablated(cell, ablations)
        return [self._output(cell, logits_V[None]) for logits_V in logits_RV]

    def every_source(self, cell: int) -> tuple[Source, ...]:
        """Return all sources of a cell: earlier notes, or the other steps of an infilling model."""
        self._check_cell(cell)
        if self.model.config.family == "infill":
            return parts.other_steps(self.chorale.steps, cell)
        return parts.earlier_notes(self.chorale, cell)

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
            cell: the cell.
            strongest: number of the strongest, at most.
            random: number of random ones of the rest, at most.
            seed: draws them.

        Raises:
            UsageError: the piece has no such cell.
        """
        output, every = self.output(cell), self.every_source(cell)
        keys_SK = parts.keys_of(every, self._reader.keys)
        weights_LHK = self._reader.weights(cell).astype(np.float64)
        seen_SK = keys_SK[:, : weights_LHK.shape[-1]].astype(np.float64)
        weights_SLH = np.einsum("lhk,sk->slh", weights_LHK, seen_SK)
        weights_S = weights_SLH.mean(axis=(1, 2))
        rng = np.random.default_rng([seed, cell])
        rows, border = parts.strongest_and_random(weights_S, strongest, random, rng)
        nats_S = np.zeros(len(rows))
        for done in range(0, len(rows), _AT_ONCE):
            some = slice(done, done + _AT_ONCE)
            nats_S[some] = self._nats_without(cell, keys_SK[rows[some]])
            yield SourcesProgress(min(done + _AT_ONCE, len(rows)), len(rows))
        return SourceEffects(
            cell,
            output,
            tuple(every[row] for row in rows),
            border,
            weights_S[rows],
            weights_SLH[rows],
            nats_S - output.nats,
        )

    def without(self, cell: int, groups: Sequence[Sequence[Source]]) -> Floats:
        """Return -log p of a cell without each of some groups of sources, (R,).

        Args:
            cell: the cell.
            groups: the sources of each group, removed together.
        """
        self._check_cell(cell)
        keys = [parts.keys_of(group, self._reader.keys).any(axis=0) for group in groups]
        return self._nats_without(cell, np.stack(keys)) if keys else np.zeros(0)

    def lens(self, cell: int) -> Lens:
        """Return what each layer would have chosen for a cell."""
        self._check_cell(cell)
        return Lens(cell, log_softmax(self._reader.lens(cell).astype(np.float64)))

    def attention(self, cell: int) -> Floats:
        """Return the attention weights at the query of a cell, (L, H, K).

        Keys are START and all cells before in a causal model, all steps in an infilling one.
        """
        self._check_cell(cell)
        return self._reader.weights(cell).astype(np.float64)

    def _without_voices(self, cell: int) -> Ablations:
        keys, config = self._reader.keys, self.model.config
        if config.family == "infill":
            return Ablations.of_hidden(np.arange(len(Voice)), keys, config)
        return Ablations.of_keys(parts.keys_of_voices(keys, cell), config)

    def _nats_without(self, cell: int, removed_RK: parts.Flags) -> Floats:
        if not len(removed_RK):
            return np.zeros(0)
        return self._nats(cell, Ablations.of_keys(removed_RK, self.model.config))

    def _nats(self, cell: int, ablations: Ablations) -> Floats:
        """Return -log p of a cell with each of some ablations."""
        log_p_RV = log_softmax(self._reader.ablated(cell, ablations).astype(np.float64))
        nats_R: Floats = -log_p_RV[:, self._ids_N[cell]]
        return nats_R

    def _output(self, cell: int, logits_1V: npt.NDArray[np.float32]) -> NoteOutput:
        (log_p_V,) = log_softmax(logits_1V.astype(np.float64))
        return NoteOutput(-float(log_p_V[self._ids_N[cell]]), log_p_V)

    def _check_cell(self, cell: int) -> None:
        if not 0 <= cell < len(self._ids_N):
            raise UsageError(
                f"the piece has no cell {cell}: expected 0 to {len(self._ids_N) - 1}, four times "
                "the step plus the voice"
            )


def _check(model: LoadedModel, chorale: Chorale) -> None:
    if model.config.family not in ("causal", "encoder_decoder", "infill"):
        raise ModelError(
            f"the model {model.name} predicts no notes: choose one of family causal, "
            "encoder_decoder or infill"
        )
    if model.config.family == "infill" and chorale.steps > MAX_STEPS:
        raise ModelError(
            f"the piece has {chorale.steps} steps: an infilling model reads up to {MAX_STEPS}; "
            "choose a passage of it"
        )
