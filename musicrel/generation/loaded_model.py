"""A model ready for use: weights, vocabulary and conditions.

``musicrel.load_model`` returns this object; the app and the command line use the same one. Torch is
imported when the network is asked for: a model with a compiled form writes and scores without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel import paths
from musicrel.chorale import Chorale, Provenance
from musicrel.errors import ModelError, UsageError
from musicrel.generation.compiled_forms import CompiledForms
from musicrel.generation.known_vocabulary import known_vocabulary
from musicrel.model import catalogue, checkpoint, devices
from musicrel.model.card import check_notes
from musicrel.tokens import codec
from musicrel.tokens.conditions import (
    UNKNOWN,
    Rows,
    positional_rows,
    rows,
    with_given,
)
from musicrel.tokens.vocabulary import Vocabulary

if TYPE_CHECKING:
    from musicrel.model.card import Card
    from musicrel.model.checkpoint import LoadedWeights
    from musicrel.model.compiled.decoder import CompiledDecoder, CompiledModel
    from musicrel.model.compiled.infiller import CompiledInfiller
    from musicrel.model.config import ModelConfig
    from musicrel.model.devices import Device, Kernel, Precision
    from musicrel.model.families.transformer import Transformer
    from musicrel.model.replaced_heads import ReplacedHeads

_Output: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""Logits (N, V), and attention weights (L, H, N, N), which are empty unless recorded."""
NO_WEIGHT_TYPES: Final = (
    "weight type {!r} is not supported: int8 weights were removed in version 2, leave the type out"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LoadedModel:
    """A model of notes with its vocabulary.

    Attributes:
        name: name of the model.
        weights: its card and tensors.
        vocabulary: vocabulary of its tokens.
        may_compile: whether the compiled kernel may be used; False: torch reads everything.
    """

    name: str
    weights: LoadedWeights
    vocabulary: Vocabulary
    may_compile: bool = True

    @classmethod
    def unsaved(cls, network: Transformer, card: Card, vocabulary: Vocabulary) -> Self:
        """Return a model that is in no file yet, such as one in training.

        If the weights change afterwards, a new one is needed.

        Args:
            network: the network, in evaluation mode.
            card: model card.
            vocabulary: vocabulary of its tokens.
        """
        weights = checkpoint.LoadedWeights.of(network, card)
        return cls(name=card.name, weights=weights, vocabulary=vocabulary)

    @property
    def card(self) -> Card:
        """Return the model card."""
        return self.weights.card

    @property
    def config(self) -> ModelConfig:
        """Return the hyperparameters."""
        return self.weights.card.config

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the file of weights; "" where there is none."""
        return self.weights.sha256

    @property
    def tensors(self) -> Mapping[str, npt.NDArray[np.float32]]:
        """Return the weights by the names of the checkpoint, float32."""
        return self.weights.tensors

    @property
    def device(self) -> Device:
        """Return the device of the network."""
        return self.weights.device

    @property
    def network(self) -> Transformer:
        """Return the transformer of torch, in evaluation mode; it is built when first asked for."""
        devices.apply_threads()
        return self.weights.model

    @property
    def precision(self) -> Precision:
        """Return the precision in which pieces are written on this machine."""
        if self.config.family != "infill" or devices.without_bfloat16(self.device):
            return "single"
        return "mixed"

    @property
    def compiled(self) -> CompiledModel | None:
        """Return the form for the compiled step, None where torch decodes."""
        return self._forms.step if self.may_compile else None

    @property
    def compiled_infiller(self) -> CompiledInfiller | None:
        """Return the form of an infilling model for the kernel, None where torch reads."""
        return self._forms.infiller if self.may_compile else None

    @cached_property
    def _forms(self) -> CompiledForms:
        return CompiledForms(self.weights)

    def compiled_decoder(
        self, conditions_BNC: Rows, *, record: bool, replaced: ReplacedHeads | None = None
    ) -> CompiledDecoder | None:
        """Return a decoder by the compiled step; None where the model or this machine has none.

        Args:
            conditions_BNC: int64, the condition rows of every position of every sequence.
            record: record attention weights.
            replaced: heads that are replaced at all positions; None: none.
        """
        if not self.may_compile:
            return None
        return self._forms.decoder(conditions_BNC, record=record, replaced=replaced)

    @property
    def conditions(self) -> tuple[str, ...]:
        """Return the names of the conditions, in the order of their columns."""
        return tuple(self.config.conditions)

    def provenance(
        self, seed: int, settings: Mapping[str, Any], precision: Precision | None = None
    ) -> Provenance:
        """Return the provenance of a piece: model, settings of the request, and machine.

        Args:
            seed: seed of the piece.
            settings: settings of the request.
            precision: precision of the products; None: that of this machine.
        """
        used = precision or self.precision
        machine = devices.describe(self.device, kernel=self._kernel, precision=used)
        return Provenance(
            model=self.name, sha256=self.sha256, seed=seed, settings=settings, machine=machine
        )

    @property
    def _kernel(self) -> Kernel:
        compiled = self.compiled_infiller if self.config.family == "infill" else self.compiled
        return "torch" if compiled is None else "compiled"

    def encode(self, chorale: Chorale) -> codec.Ids:
        """Return the token ids of ``chorale``, int64 (N,), from START to END."""
        return codec.encode(chorale, self.vocabulary)

    def decode(self, ids: npt.ArrayLike, like: Chorale | None = None) -> Chorale:
        """Return the chorale of ``ids``; see ``musicrel.tokens.codec.decode``."""
        return codec.decode(ids, self.vocabulary, like)

    def condition_rows(
        self, chorale: Chorale, given: tuple[str, ...], locked_tokens: codec.Ids | None = None
    ) -> Rows:
        """Return the condition rows of ``chorale``, int64 (N, C); conditions not given are unknown.

        Args:
            chorale: the piece.
            given: names of the given conditions.
            locked_tokens: int64 (4 T,), the token of every locked cell, -1 elsewhere, for models
                that read locked cells ahead; None: no locked cells.
        """
        table = rows(chorale, self.conditions, given)
        if locked_tokens is None:
            return table
        return with_given(
            table, self.conditions, np.where(locked_tokens < 0, UNKNOWN, locked_tokens)
        )

    def require_causal(self) -> None:
        """Check that the model predicts a piece note by note.

        Raises:
            ModelError: it sees notes on both sides.
        """
        if not self.config.is_causal:
            raise ModelError(
                f"the model {self.name} sees notes on both sides and does not predict a piece note "
                "by note: choose a model that generates from left to right to see its attention "
                "and surprisal"
            )

    def logits(self, ids: npt.ArrayLike, conditions: Rows | None = None) -> npt.NDArray[np.float32]:
        """Return unnormalised log-probabilities, float32 (N, V); row n predicts ``ids[n + 1]``.

        Args:
            ids: int64 (N,), START first.
            conditions: int64 (N, C) from ``condition_rows``; None: only conditions of the position
                on the grid (voice, and beat for a piece that starts on one).
        """
        return self._read(ids, conditions, record=False)[0]

    def attention(
        self, ids: npt.ArrayLike, conditions: Rows | None = None
    ) -> npt.NDArray[np.float32]:
        """Return attention weights, float32 (layers, heads, N, N).

        Row n attends to tokens 0 ... n.
        """
        return self._read(ids, conditions, record=True)[1]

    def _read(self, ids: npt.ArrayLike, conditions: Rows | None, *, record: bool) -> _Output:
        array = np.asarray(ids, dtype=np.int64)
        if array.ndim != 1 or not array.size:
            raise ModelError(f"the ids have shape {array.shape}: expected one row of at least one")
        if array.min() < 0 or array.max() >= self.vocabulary.size:
            raise ModelError(
                f"the ids run from {array.min()} to {array.max()}: expected 0 to "
                f"{self.vocabulary.size - 1}"
            )
        rows_1NC = self._checked_rows(array.size, conditions)[None]
        decoder = self.compiled_decoder(rows_1NC, record=record)
        if decoder is None:
            return self._read_by_torch(array, rows_1NC, record=record)
        logits_NV, weights_NLHN = decoder.read(array)
        return logits_NV, weights_NLHN.transpose(1, 2, 0, 3)

    def _read_by_torch(self, ids_N: codec.Ids, rows_1NC: Rows, *, record: bool) -> _Output:
        import torch  # noqa: PLC0415  # it takes a second

        with torch.inference_mode():
            ids_1N = torch.from_numpy(ids_N)[None].to(self.device)
            conditions_1NC = torch.from_numpy(rows_1NC).to(self.device)
            output = self.network(ids_1N, conditions_1NC, record=record)
            weights = [weights_1HNN[0].float().cpu().numpy() for weights_1HNN in output.weights]
        return output.logits_BTV[0].float().cpu().numpy(), np.array(weights, dtype=np.float32)

    def _checked_rows(self, length: int, conditions: Rows | None) -> Rows:
        if conditions is None:
            return positional_rows(length, self.conditions)
        rows_NC = np.asarray(conditions, dtype=np.int64)
        sizes = np.array(list(self.config.conditions.values()), dtype=np.int64)
        if rows_NC.shape != (length, len(sizes)) or (rows_NC < 0).any() or (rows_NC >= sizes).any():
            raise ModelError(
                f"the conditions have shape {rows_NC.shape}: expected rows of {self.name!r} of "
                f"shape ({length}, {len(sizes)}), as condition_rows gives them"
            )
        return rows_NC


def load_model(
    name_or_dir: str,
    device: str = "cpu",
    threads: int = 1,
    *,
    weight_type: str = "float32",
) -> LoadedModel:
    """Load a model.

    Args:
        name_or_dir: name of a bundled or installed model, or a model directory.
        device: auto, cpu, cuda or mps.
        threads: number of torch threads, for the whole process.
        weight_type: float32; int8 was removed in version 2.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: there is no such device or weight type, or the model cannot be read with it.
    """
    if str(weight_type) != "float32":
        raise UsageError(NO_WEIGHT_TYPES.format(weight_type))
    devices.use_threads(threads)
    chosen = devices.resolve(device)
    directory = catalogue.find(str(name_or_dir))
    loaded = checkpoint.load(directory, chosen)
    check_notes(directory.name, loaded.card)
    return LoadedModel(
        name=paths.resolved(directory).name,
        weights=loaded,
        vocabulary=known_vocabulary(directory.name, loaded.card),
    )
