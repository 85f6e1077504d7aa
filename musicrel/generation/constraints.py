"""Which tokens may stand in a cell.

Always: no PAD, MASK, START or END; a pitch within the voice's range; a hold only of the pitch that
sounded in the same voice one step before.

This file knows tokens and voices; it knows nothing of models or chance.
"""

from __future__ import annotations

import torch
from torch import Tensor

from musicrel.chorale import RANGES, Voice
from musicrel.tokens.vocabulary import LOWEST_PITCH, PITCHES, REST_TOKEN, Vocabulary


class Legality:
    """Masks of legal tokens, bool (V,), True where a token may stand.

    Args:
        vocabulary: the tokens' meaning.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._beginnings = torch.stack([self._beginning(voice) for voice in Voice])

    def mask(self, voice: int, before: int | None) -> Tensor:
        """The legal tokens of ``voice`` when ``before`` stood there one step earlier.

        Args:
            voice: 0 to 3.
            before: the token there, None at the first step.
        """
        mask = self._beginnings[voice]
        if before is None or before <= REST_TOKEN or not self._vocabulary.holds:
            return mask
        held = (before - self._vocabulary.first_onset) % PITCHES + self._vocabulary.first_hold
        mask = mask.clone()
        mask[held] = True
        return mask

    def _beginning(self, voice: Voice) -> Tensor:
        low, high = (pitch - LOWEST_PITCH + self._vocabulary.first_onset for pitch in RANGES[voice])
        mask = torch.zeros(self._vocabulary.size, dtype=torch.bool)
        mask[REST_TOKEN] = True
        mask[low : high + 1] = True
        return mask
