"""A model ready for use: weights, vocabulary and conditions.

``musicrel.load_model`` returns this object; the app and the command line use the same one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt
import torch

from musicrel.chorale import Chorale, Provenance
from musicrel.errors import ModelError
from musicrel.model import catalogue, checkpoint, devices
from musicrel.model.card import check_notes
from musicrel.model.compiled.decoder import CompiledModel
from musicrel.model.compiled.weights import unsupported
from musicrel.tokens import codec
from musicrel.tokens.conditions import (
    CONDITIONS,
    GIVEN,
    UNKNOWN,
    Rows,
    positional_rows,
    rows,
    with_given,
)
from musicrel.tokens.vocabulary import VOCABULARIES, Vocabulary

if TYPE_CHECKING:
    from musicrel.model.card import Card
    from musicrel.model.families.transformer import Output, Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model of notes with its vocabulary.

    Attributes:
        name: name of the model.
        network: the transformer, in evaluation mode.
        card: model card.
        sha256: SHA-256 of its file of weights.
        vocabulary: vocabulary of its tokens.
        device: device of the weights.
        compiled: the model for the compiled step; None: torch decodes.
    """

    name: str
    network: Transformer
    card: Card
    sha256: str
    vocabulary: Vocabulary
    device: torch.device
    compiled: CompiledModel | None = None

    @classmethod
    def unsaved(cls, network: Transformer, card: Card, vocabulary: Vocabulary) -> Self:
        """Return a model that is in no file yet, such as one in training.

        Args:
            network: the network, in evaluation mode.
            card: model card.
            vocabulary: vocabulary of its tokens.
        """
        return cls(
            name=card.name,
            network=network,
            card=card,
            sha256="",
            vocabulary=vocabulary,
            device=network.head.weight.device,
            compiled=_compiled(network, network.head.weight.device),
        )

    @property
    def conditions(self) -> tuple[str, ...]:
        """Return the names of the conditions, in the order of their columns."""
        return tuple(self.network.config.conditions)

    def provenance(self, seed: int, settings: Mapping[str, Any]) -> Provenance:
        """Return the provenance of a piece: model, settings of the request, and machine."""
        return Provenance(
            model=self.name,
            sha256=self.sha256,
            seed=seed,
            settings=settings,
            machine=devices.describe(self.device),
        )

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
        if not self.network.config.is_causal:
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
        logits_NV = self._read(ids, conditions, record=False).logits_BTV[0]
        return logits_NV.float().cpu().numpy()

    def attention(
        self, ids: npt.ArrayLike, conditions: Rows | None = None
    ) -> npt.NDArray[np.float32]:
        """Return attention weights, float32 (layers, heads, N, N).

        Row n attends to tokens 0 ... n.
        """
        output = self._read(ids, conditions, record=True)
        return torch.stack([weights[0] for weights in output.weights]).float().cpu().numpy()

    @torch.inference_mode()
    def _read(self, ids: npt.ArrayLike, conditions: Rows | None, *, record: bool) -> Output:
        array = np.asarray(ids, dtype=np.int64)
        if array.ndim != 1 or not array.size:
            raise ModelError(f"the ids have shape {array.shape}: expected one row of at least one")
        if array.min() < 0 or array.max() >= self.vocabulary.size:
            raise ModelError(
                f"the ids run from {array.min()} to {array.max()}: expected 0 to "
                f"{self.vocabulary.size - 1}"
            )
        checked_NC = self._checked_rows(array.size, conditions)
        ids_BT = torch.from_numpy(array)[None].to(self.device)
        conditions_BTC = torch.from_numpy(checked_NC)[None].to(self.device)
        output: Output = self.network(ids_BT, conditions_BTC, record=record)
        return output

    def _checked_rows(self, length: int, conditions: Rows | None) -> Rows:
        if conditions is None:
            return positional_rows(length, self.conditions)
        rows_NC = np.asarray(conditions, dtype=np.int64)
        sizes = np.array(list(self.network.config.conditions.values()), dtype=np.int64)
        if rows_NC.shape != (length, len(sizes)) or (rows_NC < 0).any() or (rows_NC >= sizes).any():
            raise ModelError(
                f"the conditions have shape {rows_NC.shape}: expected rows of {self.name!r} of "
                f"shape ({length}, {len(sizes)}), as condition_rows gives them"
            )
        return rows_NC


def load_model(name_or_dir: str, device: str = "cpu", threads: int = 1) -> LoadedModel:
    """Load a model.

    Args:
        name_or_dir: name of a bundled or installed model, or a model directory.
        device: auto, cpu, cuda or mps.
        threads: number of torch threads, for the whole process.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: there is no such device.
    """
    devices.use_threads(threads)
    chosen = devices.resolve(device)
    directory = catalogue.find(str(name_or_dir))
    loaded = checkpoint.load(directory, chosen)
    check_notes(directory.name, loaded.card)
    return LoadedModel(
        name=directory.resolve().name,
        network=loaded.model,
        card=loaded.card,
        sha256=loaded.sha256,
        vocabulary=known_vocabulary(directory.name, loaded.card),
        device=chosen,
        compiled=_compiled(loaded.model, chosen),
    )


def _compiled(network: Transformer, device: torch.device) -> CompiledModel | None:
    """Prepare the compiled step of a model; None where it has none."""
    if device.type != "cpu" or unsupported(network.config):
        return None
    tensors = {name: value.numpy() for name, value in network.state_dict().items()}
    return CompiledModel.of(network.config, tensors)


def known_vocabulary(name: str, card: Card) -> Vocabulary:
    """Return the vocabulary of ``card``, whose tokens and conditions have the same meaning here.

    Raises:
        ModelError: they do not.
    """
    named, tokens = card.vocabulary["name"], card.config.tokens
    found = VOCABULARIES.get(named)
    symbols = card.vocabulary.get("symbols")
    if found is None or found.size != tokens or symbols != list(found.symbols()):
        raise ModelError(
            f"{name}: its vocabulary {named!r} with {tokens} tokens is unknown to this "
            "program; update musicrel to use the model"
        )
    known = {condition.name: condition.rows for condition in (*CONDITIONS.values(), GIVEN)}
    for condition, size in card.config.conditions.items():
        if known.get(condition) != size:
            raise ModelError(
                f"{name}: its condition {condition!r} with {size} rows is unknown to this "
                "program; update musicrel to use the model"
            )
    return found
