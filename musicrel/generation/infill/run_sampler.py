"""Drawing a run of one voice, note after note, when a model has said what each of its cells may be.

The model says each cell for itself. A run is a chain of notes: its chance is the product over its
cells of the chance that a note begins there, and which, or that the one before it goes on, for all
runs that end as what follows needs it. One is drawn from that exactly: first, from the end, how
likely the rest is after each token, then forwards.

Dimensions: L cells of the run, V vocabulary, P pitches.

This file knows one run; it knows nothing of grids, rules or models.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Flags
from musicrel.generation.sampling import narrowed
from musicrel.tokens.vocabulary import MASK, PITCHES, REST_TOKEN, Vocabulary

Shares = npt.NDArray[np.float64]

_COLDEST: Final = 0.05
"""Temperature at which probabilities are compared where the likeliest is taken."""
_LEAST: Final = 1e-30
"""What a token weighs at least, beside the likeliest, so that every legal way can be gone."""


class Chain:
    """A run of cells that are to be drawn.

    Args:
        logits_LV: what the model says of each.
        legal_LV: what may stand in each, whatever stands beside it; something does.
        before: the token before the run, MASK where it is not known, REST at the beginning.
        after: the token after it, MASK where it is not known or there is none.
        begins: whether the run begins with another note, or rest, than stands before it.
        vocabulary: the tokens' meaning; with holds.
        temperature: divides the logits; 0 takes the likeliest.
        top_k: choose a note that begins among so many likeliest, 0: among all.
        top_p: choose it among the likeliest that together have this share of all that may begin.
    """

    def __init__(
        self,
        logits_LV: Shares,
        legal_LV: Flags,
        *,
        before: int,
        after: int,
        begins: bool = False,
        vocabulary: Vocabulary,
        temperature: float,
        top_k: int = 0,
        top_p: float = 1.0,
    ) -> None:
        self._first_hold = vocabulary.first_hold
        self._begins = begins
        self._pitch_V = (np.arange(vocabulary.size) - vocabulary.first_onset) % PITCHES
        self._before, self._is_cold = before, temperature == 0
        self._top_k, self._top_p = top_k, top_p
        below_LV = np.where(legal_LV, logits_LV, -np.inf)
        below_LV -= below_LV.max(axis=1, keepdims=True)
        share_LV = np.exp(below_LV / max(temperature, _COLDEST)).clip(_LEAST) * legal_LV
        share_LV[-1, self._needed(after)] += _LEAST
        share_LV = self._parted(share_LV / share_LV.sum(axis=1, keepdims=True))
        self._weight_LV = share_LV * self._onward(share_LV, after)

    def draw(self, chance_L: Shares, *, finish: bool) -> tuple[list[int], bool]:
        """The tokens of the run as far as they can be drawn without asking the model again.

        A new note is drawn alone, as how long it lasts depends on its pitch; a note that goes on is
        drawn to its end.

        Args:
            chance_L: numbers in [0, 1).
            finish: whether all of it is wanted all the same.

        Returns:
            The tokens, and whether what is left begins with another note.
        """
        tokens: list[int] = []
        before = self._before
        for weight_V, chance in zip(self._weight_LV, chance_L, strict=True):
            legal_V = self._may_follow(before)
            if self._begins and not tokens and (weight_V * self._may_begin(before)).any():
                legal_V = self._may_begin(before)
            token = self._chosen(weight_V * legal_V, float(chance))
            is_new = not self._goes_on(token, before)
            if tokens and is_new and not finish:
                return tokens, True
            tokens.append(token)
            if is_new and not finish:
                return tokens, False
            before = token
        return tokens, False

    def _parted(self, share_LV: Shares) -> Shares:
        """The chance that a note begins, and which, and that one goes on, whichever it is: (L, V).

        Within the run the model does not know which note would go on; what it gives to all holds
        together is the chance of any.
        """
        begun_LV, held_LV = share_LV.copy(), share_LV.copy()
        begun_LV[:, self._first_hold :] = held_LV[:, : self._first_hold] = 0.0
        held_L1 = held_LV.sum(axis=1, keepdims=True)
        held_LV[1:] = np.where(held_LV[1:] > 0, held_L1[1:], 0.0)
        parted_LV: Shares = begun_LV + held_LV
        return parted_LV

    def _needed(self, after: int) -> list[int]:
        """What has to stand before a hold, whatever else forbids it: its pitch."""
        return [after, after - PITCHES] if after >= self._first_hold else []

    def _onward(self, share_LV: Shares, after: int) -> Shares:
        """How likely all that follows is after each token of each cell, up to a factor: (L, V)."""
        onward_LV = np.ones_like(share_LV)
        if after >= self._first_hold:
            onward_LV[-1] = 0.0
            onward_LV[-1, self._needed(after)] = 1.0
        for cell in range(len(share_LV) - 2, -1, -1):
            weight_V = share_LV[cell + 1] * onward_LV[cell + 1]
            begun = weight_V[: self._first_hold].sum()
            held_P = weight_V[self._first_hold :]
            onward_LV[cell] = begun + held_P[self._pitch_V]
            onward_LV[cell, : REST_TOKEN + 1] = begun
            onward_LV[cell] /= onward_LV[cell].max() or 1.0
        return onward_LV

    def _may_follow(self, before: int) -> Flags:
        """What may stand after ``before``, bool (V,)."""
        legal_V = np.ones(len(self._pitch_V), dtype=np.bool_)
        if before == MASK:
            return legal_V
        legal_V[self._first_hold :] = False
        if before > REST_TOKEN:
            legal_V[self._first_hold + self._pitch_V[before]] = True
        return legal_V

    def _may_begin(self, before: int) -> Flags:
        """What is another note, or rest, than ``before``, bool (V,)."""
        begins_V = np.arange(len(self._pitch_V)) < self._first_hold
        begins_V[REST_TOKEN] = before != REST_TOKEN
        return begins_V

    def _goes_on(self, token: int, before: int) -> bool:
        """Whether ``token`` is no new note."""
        return token >= self._first_hold or token == REST_TOKEN == before

    def _chosen(self, weight_V: Shares, chance: float) -> int:
        """One token: that at ``chance`` of the way along the weights, or the heaviest.

        Whether a note begins is left as likely as it is; which one is narrowed. Otherwise a short
        note, likely as a whole but not in any one pitch, would be cut away with its pitches.
        """
        if self._is_cold:
            return int(weight_V.argmax())
        begun_V, held_V = np.split(weight_V, [self._first_hold])
        if begun_V.any():
            kept_V = kept(begun_V, self._top_k, self._top_p)
            begun_V = kept_V * (begun_V.sum() / kept_V.sum())
        return chosen(np.concatenate([begun_V, held_V]), chance)


def weights(logits_V: Shares, temperature: float) -> Shares:
    """What each token weighs beside the likeliest, (V,); at temperature 0 nothing but that one."""
    below_V = logits_V - logits_V.max()
    if temperature == 0:
        return np.asarray(below_V == 0, dtype=np.float64)
    weight_V: Shares = np.exp(below_V / temperature)
    return weight_V


def kept(weight_V: Shares, top_k: int, top_p: float) -> Shares:
    """The weights, 0 where ``top_k`` (0: all) or ``top_p`` leaves a token out, (V,)."""
    if not top_k and top_p >= 1.0:
        return weight_V
    kept_V: Shares = narrowed(weight_V[None], top_k or len(weight_V), top_p)[0]
    return kept_V


def chosen(weight_V: Shares, chance: float) -> int:
    """The token at ``chance``, in [0, 1), of the way along the weights."""
    reach_V = weight_V.cumsum()
    aim = min(chance * reach_V[-1], float(np.nextafter(reach_V[-1], 0.0)))
    return int((reach_V <= aim).sum())
