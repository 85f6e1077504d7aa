"""The sources of a prediction: what it attends to, and the keys that belong to each part of it.

The keys of a causal model are tokens, START first, and its sources are earlier notes. A key of an
infilling model is a step with four voices, and its sources are all other steps.

Dimensions: S sources, K keys, T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.ablation.results import Source

Flags = npt.NDArray[np.bool_]
_VOICES = len(Voice)


def earlier_notes(chorale: Chorale, cell: int) -> tuple[Source, ...]:
    """Return the notes that begin before a cell, each up to it, in order of their beginning."""
    step, voice = divmod(cell, _VOICES)
    found: list[Source] = []
    for own in range(_VOICES):
        last = step + (own < voice)
        starts = np.flatnonzero(chorale.onsets[:last, own]).tolist()
        ends = np.flatnonzero(chorale.onsets[:, own] | (chorale.pitches[:, own] == REST))
        for start in starts:
            stop = min([last, *ends[ends > start].tolist()])
            found.append(Source(own, start, stop))
    return tuple(sorted(found, key=lambda source: (source.start, source.voice or 0)))


def other_steps(steps: int, cell: int) -> tuple[Source, ...]:
    """Return all steps except that of a cell."""
    own = cell // _VOICES
    return tuple(Source(None, step, step + 1) for step in range(steps) if step != own)


def keys_of(sources: Sequence[Source], keys: int) -> Flags:
    """Return the keys of each source, (S, K).

    Args:
        sources: notes, or steps of all voices.
    """
    found_SK = np.zeros((len(sources), keys), dtype=np.bool_)
    for row, source in enumerate(sources):
        if source.voice is None:
            found_SK[row, source.start : source.stop] = True
        else:
            first = 1 + _VOICES * source.start + source.voice
            found_SK[row, first : 1 + _VOICES * source.stop : _VOICES] = True
    return found_SK


def keys_of_voices(keys: int, cell: int) -> Flags:
    """Return the keys of each voice that a causal model attends to at a cell, (4, K)."""
    place_K = np.arange(keys)
    is_seen_K = (place_K > 0) & (place_K <= cell)
    seen_4K: Flags = is_seen_K & ((place_K - 1) % _VOICES == np.arange(_VOICES)[:, None])
    return seen_4K


def note_numbers(chorale: Chorale) -> npt.NDArray[np.int64]:
    """Return the number of the note or rest of each cell, different for all, (N,)."""
    begins_T4 = chorale.onsets | (np.diff(chorale.pitches, axis=0, prepend=-2) != 0)
    number_4T = begins_T4.T.cumsum(axis=1)
    first_4 = np.append(0, number_4T[:-1, -1].cumsum())
    numbers_N: npt.NDArray[np.int64] = (number_4T + first_4[:, None]).T.reshape(-1)
    return numbers_N


def strongest_and_random(
    weights_S: npt.NDArray[np.float64], strongest: int, random: int, rng: np.random.Generator
) -> tuple[list[int], int]:
    """Return the strongest sources by weight, then random ones of the rest, and their border.

    Args:
        strongest: number of the strongest, at most.
        random: number of random ones, at most.
    """
    order = np.argsort(-weights_S, kind="stable")
    rest = order[strongest:]
    drawn = rng.choice(rest, size=min(random, len(rest)), replace=False)
    return [*order[:strongest].tolist(), *drawn.tolist()], min(strongest, len(order))
