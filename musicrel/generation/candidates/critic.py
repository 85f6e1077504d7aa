"""The critic: a classifier of music by Bach and other music.

Repeated notes are merged into held ones, because part of its training music does not
distinguish them. Its only condition is the beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, onsets_where_pitch_changes
from musicrel.errors import ModelError
from musicrel.generation.kernel import CompiledForm
from musicrel.generation.loaded_model import known_vocabulary
from musicrel.model import catalogue, checkpoint
from musicrel.model.checkpoint import LoadedWeights
from musicrel.model.config import BACH, OTHER
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.conditions import Rows
from musicrel.model.tokens.vocabulary import PAD, vocabulary

Floats: TypeAlias = npt.NDArray[np.float32]

_FAMILY: Final = "critic"
_CLASSES: Final = 2


def critic_input(piece: Chorale, names: Sequence[str]) -> tuple[codec.Ids, conditions.Rows]:
    """Return the tokens of whole steps and their condition rows, (4 T,) and (4 T, C).

    Raises:
        DataError: a pitch is outside the range.
    """
    merged = replace(piece, onsets=onsets_where_pitch_changes(piece.pitches))
    ids = codec.encode(merged, vocabulary("articulated"))
    condition_rows = conditions.rows(merged, names, conditions.POSITIONAL)
    return ids[1:-1], condition_rows[:-2]


@dataclass(frozen=True, kw_only=True, eq=False)
class Critic:
    """A critic ready for use.

    Attributes:
        weights: card and tensors of a model of family ``critic``.
    """

    weights: LoadedWeights

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
        return cls(weights=loaded)

    def log_odds(self, pieces: Sequence[Chorale]) -> list[float]:
        """Return the log-odds, in nats, that each piece is not by Bach; 0 is undecided.

        Args:
            pieces: pieces to read in one batch, of similar length if possible.

        Raises:
            DataError: a pitch is outside the range of the vocabulary.
        """
        names = tuple(self.weights.card.config.conditions)
        inputs = [critic_input(piece, names) for piece in pieces]
        lengths_B = np.array([len(ids) for ids, _ in inputs])
        longest = int(lengths_B.max())
        ids_BT = np.stack([_padded(ids, longest) for ids, _ in inputs])
        conditions_BTC = np.stack([_padded(rows, longest) for _, rows in inputs])
        compiled = self._form.ready
        if compiled is None:
            logits_BC = self._logits_by_torch(ids_BT, conditions_BTC)
        else:
            logits_BC = compiled.logits(ids_BT, conditions_BTC, lengths_B)
        log_odds: list[float] = (logits_BC[:, OTHER] - logits_BC[:, BACH]).tolist()
        return log_odds

    @cached_property
    def _form(self) -> CompiledForm:
        return CompiledForm(self.weights)

    def _logits_by_torch(self, ids_BT: codec.Ids, conditions_BTC: Rows) -> Floats:
        import torch  # noqa: PLC0415  # it takes a second

        is_real_BT = torch.from_numpy(ids_BT != PAD)
        mask = None if bool(is_real_BT.all()) else is_real_BT[:, None, None]
        with torch.inference_mode():
            ids, rows = torch.from_numpy(ids_BT), torch.from_numpy(conditions_BTC)
            logits_B1C = self.weights.network(ids, rows, mask=mask).logits_BTV
            return np.asarray(logits_B1C[:, 0].numpy())


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
