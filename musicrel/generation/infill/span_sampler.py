"""Exact sampling of a span of one voice from the logits of its cells.

The model predicts each cell independently. A span is a sequence of notes: its probability is the
product over its cells of the probability that a note begins there, and at which pitch, or that the
note before is held; only spans that fit the cell after them count. Sampling is exact:
backward weights (how probable the rest is after each token), then tokens forwards.

Dimensions: L cells of the span, V vocabulary, P pitches.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.chorale import Flags
from musicrel.generation.sampling import Floats, Sampler
from musicrel.model.tokens.vocabulary import MASK, PITCHES, REST_TOKEN, Vocabulary

_MIN_TEMPERATURE: Final = 0.05  # temperature of the comparison of spans in greedy decoding
_MIN_WEIGHT: Final = 1e-30
"""Smallest weight of a legal token relative to the most probable: no legal span is ruled out."""


class CellSpanSampler:
    """A sampler of one span of cells.

    Args:
        logits_LV: float64.
        legal_LV: legal tokens of each cell regardless of its neighbours; at least one.
        before: token before the span, MASK where it is unknown, REST at the start of the piece.
        after: token after the span, MASK where it is unknown or there is none.
        new_note: True where the span must begin with another note or rest than ``before``.
        sampler: the sampler of each token; its top-k and top-p filter onsets.
    """

    def __init__(
        self,
        logits_LV: Floats,
        legal_LV: Flags,
        *,
        before: int,
        after: int,
        new_note: bool = False,
        vocabulary: Vocabulary,
        sampler: Sampler,
    ) -> None:
        self._first_hold = vocabulary.first_hold
        self._new_note = new_note
        self._pitch_V = (np.arange(vocabulary.size) - vocabulary.first_onset) % PITCHES
        self._before, self._sampler = before, sampler._replace(first_hold=vocabulary.first_hold)
        warm = sampler._replace(temperature=max(sampler.temperature, _MIN_TEMPERATURE))
        prob_LV = warm.weights(logits_LV, legal_LV).clip(_MIN_WEIGHT) * legal_LV
        kinds = np.split(legal_LV[-1], [self._first_hold])[::-1]  # a rhythm leaves one of them
        for token, legal_V in zip(self._tokens_before_hold(after), kinds, strict=False):
            prob_LV[-1, token] += _MIN_WEIGHT * legal_V.any()
        prob_LV = self._split_onsets_and_holds(prob_LV / prob_LV.sum(axis=1, keepdims=True))
        self._weight_LV = prob_LV * self._backward(prob_LV, after)

    @property
    def is_possible(self) -> bool:
        """Return whether any legal span fits the cells before and after."""
        return bool((self._weight_LV[0] * self._legal_after(self._before)).any())

    def draw(self, uniforms_L: Floats, *, finish: bool) -> tuple[list[int], bool]:
        """Sample tokens from the start of the span, as far as no further forward pass is needed.

        A new note is sampled alone because its duration depends on its pitch; a held note is
        sampled to its end.

        Returns:
            The tokens, and True where the rest of the span must begin with another note.
        """
        tokens: list[int] = []
        before = self._before
        for weight_V, uniform in zip(self._weight_LV, uniforms_L, strict=True):
            legal_V = self._legal_after(before)
            if self._new_note and not tokens and (weight_V * self._onsets_after(before)).any():
                legal_V = self._onsets_after(before)
            token = self._sample(weight_V * legal_V, float(uniform))
            is_new = token < self._first_hold and not token == REST_TOKEN == before
            if is_new and not finish:
                return (tokens, True) if tokens else ([token], False)
            tokens.append(token)
            before = token
        return tokens, False

    def _split_onsets_and_holds(self, prob_LV: Floats) -> Floats:
        """Return the probabilities of each onset and, on every hold, of any hold, (L, V).

        Within the span it is undecided which note is held: the probabilities of all holds are
        summed.
        """
        onset_LV, hold_LV = prob_LV.copy(), prob_LV.copy()
        onset_LV[:, self._first_hold :] = hold_LV[:, : self._first_hold] = 0.0
        hold_L1 = hold_LV.sum(axis=1, keepdims=True)
        hold_LV[1:] = np.where(hold_LV[1:] > 0, hold_L1[1:], 0.0)
        split_LV: Floats = onset_LV + hold_LV
        return split_LV

    def _tokens_before_hold(self, after: int) -> list[int]:
        return [after, after - PITCHES] if after >= self._first_hold else []

    def _backward(self, prob_LV: Floats, after: int) -> Floats:
        """Return the weight of all later cells after each token, up to a factor, (L, V)."""
        backward_LV = np.ones_like(prob_LV)
        if after >= self._first_hold:
            backward_LV[-1] = 0.0
            backward_LV[-1, self._tokens_before_hold(after)] = 1.0
        for cell in range(len(prob_LV) - 2, -1, -1):
            weight_V = prob_LV[cell + 1] * backward_LV[cell + 1]
            onset = weight_V[: self._first_hold].sum()
            hold_P = weight_V[self._first_hold :]
            backward_LV[cell] = onset + hold_P[self._pitch_V]
            backward_LV[cell, : REST_TOKEN + 1] = onset
            backward_LV[cell] /= backward_LV[cell].max() or 1.0
        return backward_LV

    def _legal_after(self, before: int) -> Flags:
        legal_V = np.ones(len(self._pitch_V), dtype=np.bool_)
        if before == MASK:
            return legal_V
        legal_V[self._first_hold :] = False
        if before > REST_TOKEN:
            legal_V[self._first_hold + self._pitch_V[before]] = True
        return legal_V

    def _onsets_after(self, before: int) -> Flags:
        """Return the tokens that begin another note or rest than ``before``, bool (V,)."""
        onsets_V = np.arange(len(self._pitch_V)) < self._first_hold
        onsets_V[REST_TOKEN] = before != REST_TOKEN
        return onsets_V

    def _sample(self, weight_V: Floats, uniform: float) -> int:
        return int(self._sampler.draw(self._sampler.filtered(weight_V), uniform))
