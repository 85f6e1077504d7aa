"""How sure a critic is that a piece, or a part of it, is not by Bach.

Repeated notes are heard as held ones, since not all music it learned from tells them apart. All it
is told is the beat.

This file knows pieces and one number; what the number is worth stands in ``ranking``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import torch

from musicrel.chorale import Chorale, onsets_where_pitch_changes
from musicrel.errors import ModelError
from musicrel.generation.loaded_model import check_conditions, known_vocabulary
from musicrel.model import catalogue, checkpoint
from musicrel.model.families.critic import BACH, OTHER
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import PAD, vocabulary

_FAMILY: Final = "critic"
_CLASSES: Final = 2


def as_heard(piece: Chorale, names: Sequence[str]) -> tuple[codec.Ids, conditions.Rows]:
    """The tokens of whole steps and what is told of each: (4 T,) and (4 T, C).

    Args:
        piece: any piece within the models' span.
        names: the conditions of the critic, in its order.

    Raises:
        DataError: a pitch is outside the span.
    """
    merged = replace(piece, onsets=onsets_where_pitch_changes(piece.pitches))
    ids = codec.encode(merged, vocabulary("articulated"))
    told = conditions.rows(merged, names, conditions.FROM_PLACE_ALONE)
    return ids[1:-1], told[:-2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Critic:
    """A critic ready for use.

    Attributes:
        network: of family ``critic``, in evaluation mode.
        sha256: of its file of weights.
    """

    network: Transformer
    sha256: str

    @classmethod
    def load(cls, directory: Path) -> Critic:
        """The critic in ``directory``.

        Raises:
            ModelError: there is none, or it is damaged.
        """
        loaded = checkpoint.load(directory)
        if loaded.card.config.family != _FAMILY:
            raise ModelError(
                f"{directory} holds a model of family {loaded.card.config.family}: expected one of "
                f"family {_FAMILY}, which tells Bach from others"
            )
        known_vocabulary(directory.name, loaded.card)
        check_conditions(directory.name, loaded.card.config.conditions)
        if loaded.card.config.classes != _CLASSES:
            raise ModelError(
                f"{directory} tells {loaded.card.config.classes} classes apart: expected "
                f"{_CLASSES}, Bach and others"
            )
        return cls(network=loaded.model, sha256=loaded.sha256)

    @torch.inference_mode()
    def against(self, pieces: Sequence[Chorale]) -> list[float]:
        """For each piece the log-odds, in nats, that it is not by Bach; 0 is undecided.

        Args:
            pieces: read side by side, so best of about one length.

        Raises:
            DataError: a pitch is outside the span the models know.
        """
        names = tuple(self.network.config.conditions)
        heard = [as_heard(piece, names) for piece in pieces]
        longest = max(len(ids) for ids, _ in heard)
        ids_BT = torch.from_numpy(np.stack([_padded(ids, longest) for ids, _ in heard]))
        told_BTC = torch.from_numpy(np.stack([_padded(rows, longest) for _, rows in heard]))
        is_real = ids_BT != PAD
        mask = None if bool(is_real.all()) else is_real[:, None, None]
        logits_BC = self.network(ids_BT, told_BTC, mask=mask).logits_BTV[:, 0]
        against: list[float] = (logits_BC[:, OTHER] - logits_BC[:, BACH]).tolist()
        return against


def _padded(rows: codec.Ids, length: int) -> codec.Ids:
    return np.pad(rows, [(0, length - len(rows))] + [(0, 0)] * (rows.ndim - 1))


@cache
def at_hand() -> Critic | None:
    """The critic that ranks; None where there is none.

    Raises:
        ModelError: it is damaged.
    """
    folder = catalogue.critic()
    return Critic.load(folder) if folder else None
