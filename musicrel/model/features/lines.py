"""The line of each voice: the last move, the age of its note, and the move that comes next.

Steps lead to steps: of two steps in a row of Bach's soprano, the second has the direction of the
first in two of three cases. A table of biases has a row for each voice, sixteenth of the beat, last
move (by which the voice came to its present pitch, repetitions left out) and age of the present
note. Its columns are the continuations: the note is held, struck again, or left by a step, a third
or a leap, up or down.

A voice that rests, or is hidden, counts as if it still held its last known note. The last move is
unknown if the cell before the present pitch is a rest or hidden, and after ``LOOK_BACK`` steps on
one pitch.

Dimensions: K steps back, the newest first, P pitches and one more for none, V vocabulary, A ages,
"..." are any.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from musicrel.model.features.line_rows import AGES, OLDEST, line_tables


@dataclass(frozen=True, slots=True)
class Line:
    """The line of a voice before a cell.

    Attributes:
        state: number of its last move and age, int64 (...).
        pitch: its last known pitch, int64 (...).
    """

    state: Tensor
    pitch: Tensor


class Lines(nn.Module):
    """Lookup of the lines.

    Args:
        tokens: vocabulary size V, with every pitch as an onset and as a hold.
        pitches: number of pitches.
    """

    def __init__(self, tokens: int, pitches: int) -> None:
        super().__init__()
        self._none = pitches
        for name, table in line_tables(tokens, pitches).items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)

    move_PP: Tensor
    next_move_PV: Tensor
    is_hold_V: Tensor
    age_A: Tensor

    def forward(self, ids_K: Tensor, pitch_K: Tensor) -> Line:
        """Return the line of a voice with these tokens and pitches, (..., K)."""
        unknown_K = _leading(pitch_K == self._none)
        pitch_1 = _at(pitch_K, unknown_K)
        same_K = _leading((pitch_K == pitch_1) | (unknown_K > 0))
        move = self.move_PP[_at(pitch_K, same_K), pitch_1][..., 0]
        held_K = _leading((self.is_hold_V[ids_K] & (same_K > 0)) | (unknown_K > 0))
        age = self.age_A[1 + held_K[..., : OLDEST - 1].sum(-1)]
        return Line(move * AGES + age, pitch_1[..., 0])


def _leading(is_so_K: Tensor) -> Tensor:
    """Return 1 as far as all are true from the newest on, then 0."""
    return is_so_K.to(torch.int64).cumprod(-1)


def _at(pitch_K: Tensor, leading_K: Tensor) -> Tensor:
    """Return the first pitch after the leading ones, (..., 1); the oldest if there is none."""
    first_1 = leading_K.sum(-1, keepdim=True)
    return pitch_K.gather(-1, first_1.clamp(max=pitch_K.shape[-1] - 1))
