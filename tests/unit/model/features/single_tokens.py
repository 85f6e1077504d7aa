"""Pitches, intervals, motions and lines of single tokens, their biases, and pieces."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from musicrel.model.features.interval_tables import MOTION_KINDS, OCTAVE, SIMPLE_INTERVALS
from musicrel.model.features.logit_biases import LogitBiases
from musicrel.model.tokens.vocabulary import MASK, PITCHES, REST_TOKEN

VOICES, BEATS, GAIN = 4, 5, 8.0
FIRST = REST_TOKEN + 1
HOLD = FIRST + PITCHES
LONGEST = 32
LAST_MOVES = ["unknown", "step up", "third up", "leap up", "step down", "third down", "leap down"]
NEXT = ["held", "struck", *LAST_MOVES[1:]]
AGES = [1, 2, 3, 4, 5, 8]


def pitch_of(token: int) -> int | None:
    """Return the semitones above the lowest pitch, None for tokens without pitch."""
    return None if token <= REST_TOKEN else (token - REST_TOKEN - 1) % PITCHES


def simple_interval(pitch: int | None, other: int | None) -> int:
    """Return the interval within the octave: up 0 to 11, down 12 to 23, 24 for none."""
    if pitch is None or other is None:
        return SIMPLE_INTERVALS - 1
    return abs(other - pitch) % OCTAVE + OCTAVE * (other < pitch)


def motion_kind(before: int | None, now: int | None) -> int:
    """Return the kind of motion: none, step up, step down, leap up, leap down, undefined."""
    if before is None or now is None:
        return MOTION_KINDS - 1
    moved = now - before
    return 0 if moved == 0 else 1 + 2 * (abs(moved) > 2) + (moved < 0)


def voice_leading_bias(
    tables: LogitBiases,
    own: tuple[int | None, int],
    other: tuple[int | None, int | None],
) -> float:
    """Return the bias of a voice's next pitch by another voice; pitches before and now."""
    row = simple_interval(own[0], other[0]) * MOTION_KINDS + motion_kind(*other)
    column = simple_interval(other[1], own[1])
    if column == SIMPLE_INTERVALS - 1:
        return 0.0
    return float(tables.voice_leading_MS[row, column].detach())


def melodies(batch: int, steps: int, *, seed: int = 1, gaps: bool = True) -> Tensor:
    """Return tokens of random walks with held and repeated notes, (B, 4 T).

    All voices but the first have a note longer than the look back. With ``gaps`` there are rests
    and hidden cells, too.
    """
    rng = torch.Generator().manual_seed(seed)
    ids_BT4 = torch.full((batch, steps, VOICES), REST_TOKEN)
    walks = torch.randint(-7, 8, ids_BT4.shape, generator=rng)
    kinds = torch.rand(ids_BT4.shape, generator=rng)
    pitches = torch.full((batch, VOICES), 20)
    for step in range(steps):
        before = pitches
        pitches = torch.where(kinds[:, step] < 0.3, (before + walks[:, step]).clamp(3, 40), before)
        if steps // 2 <= step < steps // 2 + LONGEST + 8:
            pitches[:, 1:] = 25
        is_onset = (pitches != before) | (kinds[:, step] > 0.9) | (step == 0)
        ids_BT4[:, step] = torch.where(is_onset, FIRST + pitches, HOLD + pitches)
        long = (pitches == 25) & (before == 25)
        ids_BT4[:, step] = torch.where(long, HOLD + 25, ids_BT4[:, step])
    if gaps:
        ids_BT4[kinds > 0.97], ids_BT4[(kinds > 0.95) & (kinds < 0.97)] = REST_TOKEN, MASK
    return ids_BT4.flatten(1)


def move_of(before: int | None, now: int | None) -> str:
    if before is None or now is None or before == now:
        return "unknown"
    size = abs(now - before)
    kind = "step" if size <= 2 else "third" if size <= 4 else "leap"
    return f"{kind} {'up' if now > before else 'down'}"


def line_of(tokens: Sequence[int]) -> tuple[str, int, int | None]:
    back = [pitch_of(token) for token in reversed(tokens)][:LONGEST]
    silent = next((i for i, pitch in enumerate(back) if pitch is not None), len(back))
    if silent == len(back):
        return "unknown", LONGEST, None
    pitch, age = back[silent], silent + 1
    for token in list(reversed(tokens))[silent:LONGEST]:
        if token != HOLD + (pitch or 0):
            break
        age += 1
    earlier = next((i for i in range(silent, len(back)) if back[i] != pitch), None)
    return "unknown" if earlier is None else move_of(back[earlier], pitch), age, pitch


def line_bias(
    tables: LogitBiases, voice: int, beat: int, tokens: Sequence[int], token: int
) -> float:
    """Return the bias by line of a token; voices count from 1, ``tokens`` are its own so far."""
    move, age, pitch = line_of(tokens)
    to = pitch_of(token)
    if pitch is None or to is None:
        return 0.0
    goes = "held" if token >= HOLD else "struck" if to == pitch else move_of(pitch, to)
    row = (voice * BEATS + beat) * len(LAST_MOVES) + LAST_MOVES.index(move)
    row = row * len(AGES) + sum(age >= least for least in AGES) - 1
    return GAIN * float(tables.line_LJ[row, NEXT.index(goes)].detach())
