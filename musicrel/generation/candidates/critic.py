"""The critic: a classifier of music by Bach and other music.

Repeated notes are merged into held ones, because part of its training music does not
distinguish them. Its only condition is the beat.
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
from musicrel.generation.loaded_model import known_vocabulary
from musicrel.model import catalogue, checkpoint
from musicrel.model.families.critic import BACH, OTHER
from musicrel.model.families.transformer import Transformer
from musicrel.tokens import codec, conditions
from musicrel.tokens.vocabulary import PAD, vocabulary

_FAMILY: Final = "critic"
_CLASSES: Final = 2


def critic_input(piece: Chorale, names: Sequence[str]) -> tuple[codec.Ids, conditions.Rows]:
    """Return the tokens of whole steps and their condition rows, (4 T,) and (4 T, C).

    Args:
        piece: a piece within the range of the vocabulary.
        names: names of the critic's conditions, in its order.

    Raises:
        DataError: a pitch is outside the range.
    """
    merged = replace(piece, onsets=onsets_where_pitch_changes(piece.pitches))
    ids = codec.encode(merged, vocabulary("articulated"))
    condition_rows = conditions.rows(merged, names, conditions.POSITIONAL)
    return ids[1:-1], condition_rows[:-2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Critic:
    """A critic ready for use.

    Attributes:
        network: a network of family ``critic``, in evaluation mode.
        sha256: SHA-256 of its file of weights.
    """

    network: Transformer
    sha256: str

    @classmethod
    def load(cls, directory: Path) -> Critic:
        """Load the critic in ``directory``.

        Raises:
            ModelError: there is none, or it is damaged.
        """
        loaded = checkpoint.load(directory)
        if loaded.card.config.family != _FAMILY:
            raise ModelError(
                f"{directory} holds a model of family {loaded.card.config.family}: expected one of "
                f"family {_FAMILY}"
            )
        known_vocabulary(directory.name, loaded.card)
        if loaded.card.config.classes != _CLASSES:
            raise ModelError(
                f"{directory} distinguishes {loaded.card.config.classes} classes: expected "
                f"{_CLASSES}, Bach and others"
            )
        return cls(network=loaded.model, sha256=loaded.sha256)

    @torch.inference_mode()
    def log_odds(self, pieces: Sequence[Chorale]) -> list[float]:
        """Return the log-odds, in nats, that each piece is not by Bach; 0 is undecided.

        Args:
            pieces: pieces to read in one batch, of similar length if possible.

        Raises:
            DataError: a pitch is outside the range of the vocabulary.
        """
        names = tuple(self.network.config.conditions)
        inputs = [critic_input(piece, names) for piece in pieces]
        longest = max(len(ids) for ids, _ in inputs)
        ids_BT = torch.from_numpy(np.stack([_padded(ids, longest) for ids, _ in inputs]))
        conditions_BTC = torch.from_numpy(np.stack([_padded(rows, longest) for _, rows in inputs]))
        is_real = ids_BT != PAD
        mask = None if bool(is_real.all()) else is_real[:, None, None]
        logits_BC = self.network(ids_BT, conditions_BTC, mask=mask).logits_BTV[:, 0]
        log_odds: list[float] = (logits_BC[:, OTHER] - logits_BC[:, BACH]).tolist()
        return log_odds


def _padded(rows: codec.Ids, length: int) -> codec.Ids:
    return np.pad(rows, [(0, length - len(rows))] + [(0, 0)] * (rows.ndim - 1))


@cache
def bundled_critic() -> Critic | None:
    """Return the installed critic; None where there is none.

    Raises:
        ModelError: it is damaged.
    """
    folder = catalogue.critic()
    return Critic.load(folder) if folder else None
