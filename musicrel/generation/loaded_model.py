"""A model ready for use: weights, vocabulary and conditions.

``musicrel.load_model`` returns this object; the app and the command line use the same one. Torch is
imported when the network is asked for: a model with a compiled form writes and scores without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
import numpy.typing as npt

from musicrel import paths
from musicrel.chorale import Chorale, Provenance
from musicrel.errors import ModelError, UsageError
from musicrel.generation.kernel import CompiledForm
from musicrel.language import tr
from musicrel.model import catalogue, checkpoint, device_choice, devices
from musicrel.model.card import check_notes
from musicrel.model.checkpoint import LoadedWeights
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import (
    CONDITIONS,
    GIVEN,
    UNKNOWN,
    Rows,
    positional_rows,
    rows,
    with_given,
)
from musicrel.model.tokens.vocabulary import VOCABULARIES, Vocabulary

if TYPE_CHECKING:
    from musicrel.model.card import Card
    from musicrel.model.compiled.decoder import CompiledModel
    from musicrel.model.compiled.infiller import CompiledInfiller
    from musicrel.model.devices import Kernel, Precision
    from musicrel.model.families.transformer import Transformer
    from musicrel.model.reading import Reader, Reading
    from musicrel.model.replaced_heads import Ablations

NO_WEIGHT_TYPES: Final = (
    "weight type {!r} is not supported: int8 weights were removed in version 2, leave the type out"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LoadedModel(LoadedWeights):
    """A model of notes with its vocabulary.

    Attributes:
        name: name of the model.
        card: its model card; ``config`` has the hyperparameters.
        sha256: hash of the weights file; "" where there is none.
        tensors: its float32 tensors by name; ``network`` is the torch transformer with them.
        device: device of the network.
        vocabulary: vocabulary of its tokens.
        may_compile: whether the compiled kernel may be used; False: torch reads everything.
    """

    name: str
    vocabulary: Vocabulary
    may_compile: bool = True

    @classmethod
    def unsaved(cls, network: Transformer, card: Card, vocabulary: Vocabulary) -> Self:
        """Return a model that is in no file yet, such as one in training.

        On a CPU it shares the memory of the network, which is in evaluation mode; if its weights
        change, a new one is needed.
        """
        return cls.named(LoadedWeights.of(network, card), card.name, vocabulary)

    @classmethod
    def named(cls, weights: LoadedWeights, name: str, vocabulary: Vocabulary) -> Self:
        """Return the model with these weights."""
        known = {entry.name: getattr(weights, entry.name) for entry in fields(weights)}
        return cls(**known, name=name, vocabulary=vocabulary)

    @property
    def precision(self) -> Precision:
        """Return the precision in which pieces are written on this machine."""
        if self.config.family != "infill" or devices.without_bfloat16(self.device):
            return "single"
        return "mixed"

    @property
    def compiled(self) -> CompiledModel | None:
        """Return the form of a causal model for the compiled step, None where torch reads."""
        compiled: CompiledModel | None = self._compiled("causal")
        return compiled

    @property
    def compiled_infiller(self) -> CompiledInfiller | None:
        """Return the form of an infilling model for the kernel, None where torch reads."""
        compiled: CompiledInfiller | None = self._compiled("infill")
        return compiled

    def _compiled(self, family: str) -> Any:
        is_used = self.may_compile and self.config.family == family
        return self._form.ready if is_used else None

    @cached_property
    def _form(self) -> CompiledForm:
        return CompiledForm(self)

    def reader(
        self,
        conditions_BNC: Rows,
        *,
        record: bool = False,
        replay: bool = False,
        replaced: Ablations | None = None,
    ) -> Reader:
        """Return the fastest reader of a causal model.

        The compiled step reads on a CPU, if the model has a compiled form; torch reads elsewhere.

        Args:
            conditions_BNC: the condition rows of every position of every sequence.
            record: record attention weights.
            replay: capture and replay steps on CUDA, which takes time at first.
            replaced: heads that are replaced at all positions; None: none.
        """
        compiled = self.compiled
        if compiled is not None:
            from musicrel.model.compiled.decoder import (  # noqa: PLC0415  # it imports numba
                CompiledDecoder,
            )

            return CompiledDecoder(compiled, conditions_BNC, record=record, replaced=replaced)
        from musicrel.model import torch_reader  # noqa: PLC0415  # it imports torch

        capture = replay and self.device.type == "cuda"
        return torch_reader.TorchReader(
            self.network,
            conditions_BNC,
            record=record,
            replaced=replaced,
            capture=torch_reader.cuda_capture() if capture else None,
        )

    @property
    def conditions(self) -> tuple[str, ...]:
        """Return the names of the conditions, in the order of their columns."""
        return tuple(self.config.conditions)

    def provenance(
        self, seed: int, settings: Mapping[str, Any], precision: Precision | None = None
    ) -> Provenance:
        """Return the provenance of a piece: model, settings of the request, and machine.

        The precision is that of the products; None: that of this machine.
        """
        used = precision or self.precision
        is_compiled = self.may_compile and self._form.known is not None
        kernel: Kernel = "compiled" if is_compiled else "torch"
        machine = devices.describe(self.device, kernel=kernel, precision=used)
        return Provenance(
            model=self.name, sha256=self.sha256, seed=seed, settings=settings, machine=machine
        )

    def encode(self, chorale: Chorale) -> codec.Ids:
        """Return the token ids of ``chorale``, int64 (N,), from START to END."""
        return codec.encode(chorale, self.vocabulary)

    def decode(self, ids: npt.ArrayLike, like: Chorale | None = None) -> Chorale:
        """Return the chorale of ``ids``; see ``musicrel.model.tokens.codec.decode``."""
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
                tr(
                    "the model {name} sees notes on both sides and does not predict a piece note "
                    "by note: choose a model that generates from left to right to see its "
                    "attention and surprisal",
                    name=self.name,
                )
            )

    def logits(self, ids: npt.ArrayLike, conditions: Rows | None = None) -> npt.NDArray[np.float32]:
        """Return unnormalised log-probabilities, float32 (N, V); row n predicts ``ids[n + 1]``.

        Args:
            ids: int64 (N,), START first.
            conditions: int64 (N, C) from ``condition_rows``; None: only conditions of the position
                on the grid (voice, and beat for a piece that starts on one).
        """
        return self._read(ids, conditions, record=False).logits_TV

    def attention(
        self, ids: npt.ArrayLike, conditions: Rows | None = None
    ) -> npt.NDArray[np.float32]:
        """Return attention weights, float32 (layers, heads, N, N).

        Row n attends to tokens 0 ... n.
        """
        weights_LHNN = self._read(ids, conditions, record=True).weights_LHTS
        return np.zeros(0, np.float32) if weights_LHNN is None else weights_LHNN

    def _read(self, ids: npt.ArrayLike, conditions: Rows | None, *, record: bool) -> Reading:
        array = np.asarray(ids, dtype=np.int64)
        if array.ndim != 1 or not array.size:
            raise ModelError(f"the ids have shape {array.shape}: expected one row of at least one")
        if array.min() < 0 or array.max() >= self.vocabulary.size:
            raise ModelError(
                f"the ids run from {array.min()} to {array.max()}: expected 0 to "
                f"{self.vocabulary.size - 1}"
            )
        rows_1NC = self._checked_rows(array.size, conditions)[None]
        if self.config.is_causal:
            return self.reader(rows_1NC, record=record).read(array)
        from musicrel.model import torch_reader  # noqa: PLC0415  # it imports torch

        return torch_reader.read_whole(self.network, array, rows_1NC, record=record)

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
    threads: int | None = None,
    *,
    weight_type: str = "float32",
) -> LoadedModel:
    """Load a model.

    Args:
        name_or_dir: name of a bundled or installed model, or a model directory.
        device: cpu, cuda or mps; auto, the faster one for writing, which is measured once.
        threads: number of threads, for the whole process; None: one for each physical core, and
            one for torch.
        weight_type: float32; int8 was removed in version 2.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: there is no such device or weight type, or the model cannot be read with it.
    """
    if str(weight_type) != "float32":
        raise UsageError(NO_WEIGHT_TYPES.format(weight_type))
    devices.use_threads(threads)
    chosen = device_choice.chosen(device, "writing")
    directory = catalogue.find(str(name_or_dir))
    loaded = checkpoint.load(directory, chosen)
    check_notes(directory.name, loaded.card)
    vocabulary = _known_vocabulary(directory.name, loaded.card)
    return LoadedModel.named(loaded, paths.resolved(directory).name, vocabulary)


def _known_vocabulary(name: str, card: Card) -> Vocabulary:
    """Return the vocabulary of ``card``; refuse one with other tokens or conditions than here."""
    named, tokens = card.vocabulary["name"], card.config.tokens
    found = VOCABULARIES.get(named)
    symbols = card.vocabulary.get("symbols")
    if found is None or found.size != tokens or symbols != list(found.symbols()):
        raise ModelError(
            tr(
                "{name}: its vocabulary {vocabulary!r} with {tokens} tokens is unknown to this "
                "program; update musicrel to use the model",
                name=name,
                vocabulary=named,
                tokens=tokens,
            )
        )
    known = {condition.name: condition.rows for condition in (*CONDITIONS.values(), GIVEN)}
    for condition, size in card.config.conditions.items():
        if known.get(condition) != size:
            raise ModelError(
                tr(
                    "{name}: its condition {condition!r} with {size} rows is unknown to this "
                    "program; update musicrel to use the model",
                    name=name,
                    condition=condition,
                    size=size,
                )
            )
    return found
