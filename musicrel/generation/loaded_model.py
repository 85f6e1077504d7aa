"""A model ready for use: weights, vocabulary and conditions together.

This is what ``musicrel.load_model`` gives; the app and the command line use the same object.

This file ties tokens to weights; it knows nothing of requests or sampling.
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
from musicrel.tokens import codec
from musicrel.tokens.conditions import (
    CONDITIONS,
    GIVEN,
    UNKNOWN,
    Rows,
    rows,
    rows_from_place,
    with_given,
)
from musicrel.tokens.vocabulary import VOCABULARIES, Vocabulary

if TYPE_CHECKING:
    from musicrel.model.card import Card
    from musicrel.model.families.transformer import Output, Transformer


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedModel:
    """A model of notes with the meaning of its tokens.

    Attributes:
        name: of the model.
        network: the transformer, in evaluation mode.
        card: what is known of it.
        sha256: of its file of weights.
        vocabulary: the meaning of its tokens.
        device: where it computes.
    """

    name: str
    network: Transformer
    card: Card
    sha256: str
    vocabulary: Vocabulary
    device: torch.device

    @classmethod
    def unsaved(cls, network: Transformer, card: Card, vocabulary: Vocabulary) -> Self:
        """A model that is in no file yet, such as one that is still learning.

        Args:
            network: the weights, in evaluation mode.
            card: what is known of them.
            vocabulary: the meaning of their tokens.
        """
        return cls(
            name=card.name,
            network=network,
            card=card,
            sha256="",
            vocabulary=vocabulary,
            device=network.head.weight.device,
        )

    @property
    def conditions(self) -> tuple[str, ...]:
        """What the model may be told, in the order of its columns."""
        return tuple(self.network.config.conditions)

    def provenance(self, seed: int, settings: Mapping[str, Any]) -> Provenance:
        """What a piece tells of where it comes from: the model, what was asked, and the machine."""
        return Provenance(
            model=self.name,
            sha256=self.sha256,
            seed=seed,
            settings=settings,
            machine=devices.used(self.device),
        )

    def encode(self, chorale: Chorale) -> codec.Ids:
        """The token ids of ``chorale``: int64 (N,), first START, last END."""
        return codec.encode(chorale, self.vocabulary)

    def decode(self, ids: npt.ArrayLike, like: Chorale | None = None) -> Chorale:
        """The chorale that ``ids`` spell; see ``musicrel.tokens.codec.decode``."""
        return codec.decode(ids, self.vocabulary, like)

    def condition_rows(
        self, chorale: Chorale, given: tuple[str, ...], fixed: codec.Ids | None = None
    ) -> Rows:
        """What the model is told about ``chorale`` when the ``given`` conditions are: (N, C).

        Args:
            chorale: the piece.
            given: names of conditions.
            fixed: int64 (4 T,), the token of every cell that is given, -1 elsewhere, for models
                that hear such cells beforehand; None: none is.
        """
        table = rows(chorale, self.conditions, given)
        if fixed is None:
            return table
        return with_given(table, self.conditions, np.where(fixed < 0, UNKNOWN, fixed))

    def logits(self, ids: npt.ArrayLike, conditions: Rows | None = None) -> npt.NDArray[np.float32]:
        """Unnormalised distributions: float32 (N, V), row n is that of ``ids[n + 1]``.

        Args:
            ids: int64 (N,), the first one START.
            conditions: int64 (N, C) as ``condition_rows`` gives them; None: what follows from the
                place on the grid alone (voice, and beat where a piece starts on one).
        """
        logits_NV = self._read(ids, conditions, record=False).logits_BTV[0]
        return logits_NV.float().cpu().numpy()

    def attention(
        self, ids: npt.ArrayLike, conditions: Rows | None = None
    ) -> npt.NDArray[np.float32]:
        """Attention weights: float32 (layers, heads, N, N), row n is token n looking at 0 ... n."""
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
        told = self._checked_rows(array.size, conditions)
        ids_BT = torch.from_numpy(array)[None].to(self.device)
        conditions_BTC = torch.from_numpy(told)[None].to(self.device)
        output: Output = self.network(ids_BT, conditions_BTC, record=record)
        return output

    def _checked_rows(self, length: int, conditions: Rows | None) -> Rows:
        if conditions is None:
            return rows_from_place(length, self.conditions)
        told = np.asarray(conditions, dtype=np.int64)
        sizes = np.array(list(self.network.config.conditions.values()), dtype=np.int64)
        if told.shape != (length, len(sizes)) or (told < 0).any() or (told >= sizes).any():
            raise ModelError(
                f"the conditions have shape {told.shape}: expected rows of {self.name!r} of shape "
                f"({length}, {len(sizes)}), as condition_rows gives them"
            )
        return told


def load_model(name_or_dir: str, device: str = "cpu", threads: int = 1) -> LoadedModel:
    """Load a model.

    Args:
        name_or_dir: the name of a shipped or own model, or a model directory.
        device: auto, cpu, cuda or mps.
        threads: of torch, in this whole process.

    Raises:
        ModelError: there is no such model, or it is damaged.
        UsageError: there is no such device.
    """
    devices.use_threads(threads)
    chosen = devices.resolve(device)
    directory = catalogue.find(str(name_or_dir))
    loaded = checkpoint.load(directory, chosen)
    check_notes(directory.name, loaded.card)
    vocabulary = known_vocabulary(directory.name, loaded.card)
    check_conditions(directory.name, loaded.card.config.conditions)
    return LoadedModel(
        name=directory.resolve().name,
        network=loaded.model,
        card=loaded.card,
        sha256=loaded.sha256,
        vocabulary=vocabulary,
        device=chosen,
    )


def known_vocabulary(name: str, card: Card) -> Vocabulary:
    """The vocabulary that ``card`` names, when its tokens mean what they do here.

    Raises:
        ModelError: they do not.
    """
    named, tokens = card.vocabulary["name"], card.config.tokens
    found = VOCABULARIES.get(named)
    symbols = card.vocabulary.get("symbols")
    if found is None or found.size != tokens or symbols != list(found.symbols()):
        raise ModelError(
            f"{name}: its vocabulary {named!r} with {tokens} tokens is none that this program "
            "knows; update musicrel to use the model"
        )
    return found


def check_conditions(name: str, sizes: Mapping[str, int]) -> None:
    """See that a model's conditions mean what they do here.

    Raises:
        ModelError: they do not.
    """
    known = {condition.name: condition.rows for condition in (*CONDITIONS.values(), GIVEN)}
    for condition, size in sizes.items():
        if known.get(condition) != size:
            raise ModelError(
                f"{name}: its condition {condition!r} with {size} rows is none that this program "
                "knows; update musicrel to use the model"
            )
