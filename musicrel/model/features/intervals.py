"""Interval features: notes as distances from the last pitch of the voice and from the tonic.

Counterpoint is a matter of intervals; embeddings of pitches have to learn each interval again for
every pitch. A model with interval features has additional embeddings of the last eight tokens, that
is, back to one step of the grid earlier, relative to the pitch that the voice of the next token had
one step earlier:

- the distance of each, in semitones and within the octave;
- the motion of the voices known in this step, each with its earlier interval within the octave:
  fifths and octaves are parallel if both voices move alike;
- the distance of each from the tonic, where a key is given.

Additional logits score the next pitch by its distance from the voice's last one and from the tonic.
The idea is that of the relative pitch terms of Huang et al. 2018 (arXiv 1809.04281), placed where
both arms of a comparison share them: before and after the layers, not in the attention.

Dimensions: B batch, T tokens, N neighbours, M rows, D width, V vocabulary, P pitches and one more
for none, R distances with one for none, K rows of the condition ``key``.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor, nn

from musicrel.model.features.interval_rows import NEIGHBOURS, OWN, interval_rows
from musicrel.model.features.interval_tables import KEY_ROWS, LEAPS, OCTAVE, VOICES, pitch_of_token


class PitchContext(nn.Module):
    """Lookup of the pitches of the most recent tokens.

    Args:
        tokens: vocabulary size V: the onsets of all pitches from id 5 on, the lowest a C, then
            their holds, if the vocabulary has holds.
        pitches: number of pitches.
    """

    def __init__(self, tokens: int, pitches: int) -> None:
        super().__init__()
        self.pitch_V = nn.Buffer(torch.as_tensor(pitch_of_token(tokens, pitches)), persistent=False)

    def neighbours(self, ids_BT: Tensor, before_BM: Tensor | None = None) -> Tensor:
        """Return the pitches at each token and the seven before it, newest first: (B, T, N).

        Args:
            ids_BT: int64 token ids.
            before_BM: at least the seven ids before them; None at the beginning of a piece.
        """
        pitch_BT = self.pitch_V[after(before_BM, ids_BT, NEIGHBOURS - 1)]
        return pitch_BT.unfold(1, NEIGHBOURS, 1).flip(-1)


def after(before_BM: Tensor | None, ids_BT: Tensor, number: int) -> Tensor:
    """Return the last ``number`` ids of ``before_BM``, zeros if it is None, then ``ids_BT``."""
    if before_BM is None:
        return F.pad(ids_BT, (number, 0))
    return torch.cat([before_BM[:, before_BM.shape[1] - number :], ids_BT], dim=1)


class Intervals(PitchContext):
    """Embeddings and logits by interval.

    Args:
        tokens: vocabulary size V, as in ``PitchContext``.
        pitches: number of pitches.
        width: D.
        key_column: column of the key among the conditions; None: the model has no key.
    """

    def __init__(self, tokens: int, pitches: int, width: int, key_column: int | None) -> None:
        super().__init__(tokens, pitches)
        self.key_column = key_column
        self._distances = 2 * pitches
        keys = 0 if key_column is None else NEIGHBOURS * KEY_ROWS
        motions = OWN * (OCTAVE + 1) * LEAPS
        self.embed_row = nn.Embedding(NEIGHBOURS * self._distances + motions + keys, width)
        self.embed_class = nn.Embedding(NEIGHBOURS * (OCTAVE + 1), width)
        self.project = nn.Linear(width, self._distances + OCTAVE)
        for name, table in interval_rows(tokens, pitches).items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)
        self.distance_NPP: Tensor
        self.class_NR: Tensor
        self.before_3PP: Tensor
        self.motion_PP: Tensor
        self.degree_KP: Tensor
        self.degree_NKP: Tensor
        self.by_distance_PV: Tensor
        self.by_degree_KV: Tensor
        self.slot_N: Tensor

    def rows(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the rows of ``table`` for each token: int64 (B, T, M)."""
        own_BT1 = pitch_BTN[..., OWN, None]
        now_BT3, before_BT3 = pitch_BTN[..., :OWN], pitch_BTN[..., VOICES : VOICES + OWN]
        slot_3 = self.slot_N[:OWN]
        distant_BTN = self.distance_NPP[self.slot_N, own_BT1, pitch_BTN]
        moved_BT3 = self.before_3PP[slot_3, own_BT1, before_BT3]
        rows = [distant_BTN, moved_BT3 + self.motion_PP[now_BT3, before_BT3]]
        if self.key_column is not None:
            key_BT1 = conditions_BTC[..., self.key_column, None]
            rows.append(self.degree_NKP[self.slot_N, key_BT1, pitch_BTN])
        return torch.cat(rows, dim=-1)

    def table(self) -> Tensor:
        """Return the vectors of all rows, each distance summed with its class in the octave."""
        weight_MD = self.embed_row.weight
        near_MD = weight_MD[: self.class_NR.numel()] + self.embed_class(self.class_NR.flatten())
        return torch.cat([near_MD, weight_MD[len(near_MD) :]])

    def embed(self, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the vectors to be added to the token embeddings: (B, T, D)."""
        return F.embedding(self.rows(pitch_BTN, conditions_BTC), self.table()).sum(-2)

    def logits(self, states_BTD: Tensor, pitch_BTN: Tensor, conditions_BTC: Tensor) -> Tensor:
        """Return the logits by interval, to be added to those of the head: (B, T, V)."""
        return self.token_logits(self.project(states_BTD), pitch_BTN, conditions_BTC)

    def token_logits(
        self, outputs_BTR: Tensor, pitch_BTN: Tensor, conditions_BTC: Tensor
    ) -> Tensor:
        """Scatter outputs for distances and degrees to tokens: (B, T, V)."""
        outputs_BTR = F.pad(outputs_BTR, (0, 1))
        logits_BTV = outputs_BTR.gather(-1, self.by_distance_PV[pitch_BTN[..., OWN]])
        if self.key_column is None:
            return logits_BTV
        return logits_BTV + outputs_BTR.gather(
            -1, self.by_degree_KV[conditions_BTC[..., self.key_column]]
        )
