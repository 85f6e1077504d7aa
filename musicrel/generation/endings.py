"""Writing to the ends of phrases: of several ways there, the likeliest.

A model that writes in order does not see where it will have to arrive. Drawn note by note, chance
leads it past its cadence, though a way that closes is far likelier as a whole. So the last steps
before an end are written several times beside each other, and the way that the model finds
likeliest from its first note to its last is taken (in spirit the best of n by likelihood). How many
ways there are is a matter of patience; at temperature 0 all of them are one.

Dimensions: N tokens.

This file knows sequences of tokens and how likely they are; it knows nothing of cadences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation import decoder
from musicrel.generation.constraints import Constraints
from musicrel.generation.decoder import Column, DecodingEvent, Line
from musicrel.generation.events import Trying
from musicrel.generation.loaded_model import LoadedModel
from musicrel.jobs import Job
from musicrel.score.notes import spans
from musicrel.tokens import codec

WAYS: Final[Mapping[str, int]] = MappingProxyType({"draft": 1, "normal": 8, "careful": 24})
"""By patience, how many ways to an end there are to choose from."""

_LONGEST: Final = 28 * codec.VOICES
"""Tokens of a way: seven quarters, in which a cadence is prepared."""


Event: TypeAlias = DecodingEvent | Trying


def decode(
    model: LoadedModel,
    lines: Sequence[Line],
    length: int,
    constraints: Constraints,
    *,
    patience: str,
    record: bool = False,
) -> Job[Event, list[codec.Ids]]:
    """Write ``lines`` side by side, as ``decoder.decode`` does, with the ends of phrases chosen.

    Args:
        model: a causal model.
        lines: at least one; their prompts are equally long.
        length: index of the last token to be written.
        constraints: what may be written, and where phrases are to end.
        patience: a name in ``WAYS``.
        record: whether the columns carry the attention rows.

    Raises:
        UsageError, GenerationError, ModelError: as ``decoder.decode`` does.
    """
    ways = WAYS[patience] if any(line.sampling.temperature for line in lines) else 1
    begun = len(lines[0].prompt)
    ends = _ends(model, constraints.plan) if ways > 1 else []
    for end in (end for end in ends if begun <= end <= length):
        if begun <= end - _LONGEST:
            begun = end - _LONGEST + 1
            lines = yield from _written(model, lines, begun - 1, constraints, record=record)
        chosen: list[Line] = []
        for line in lines:
            chosen += [(yield from _likeliest(model, line, end, constraints, ways))]
        begun = end + 1
        lines = yield from _written(model, chosen, end, constraints, record=record)
    if begun <= length:
        lines = yield from _written(model, lines, length, constraints, record=record)
    return [line.prompt for line in lines]


def _ends(model: LoadedModel, plan: Chorale) -> list[int]:
    """The index of the last token of every phrase that the model can know the end of."""
    stops = {plan.steps}
    if "fermata" in model.conditions:
        stops |= {stop for _, stop in spans(plan.fermatas)}
    return [stop * codec.VOICES for stop in sorted(stops)]


def _written(
    model: LoadedModel,
    lines: Sequence[Line],
    length: int,
    constraints: Constraints,
    *,
    record: bool,
) -> Job[Event, list[Line]]:
    """The lines with all that is written up to ``length`` as their prompts."""
    job = decoder.decode(model, lines, length, constraints, record=record)
    with closing(job):
        ids = yield from job
    return [replace(line, prompt=own_N) for line, own_N in zip(lines, ids, strict=True)]


def _likeliest(
    model: LoadedModel, line: Line, end: int, constraints: Constraints, ways: int
) -> Job[Event, Line]:
    """The line, turned into the likeliest way to ``end``; one that is stuck is the last choice."""
    each = [line.turned(way) for way in range(ways)]
    log_p = np.zeros(ways)
    with closing(decoder.decode(model, each, end, constraints)) as events:
        for event in events:
            if isinstance(event, Column):
                log_p[event.rows] += event.log_probability
                log_p[[event.rows[row] for row in constraints.dead_ends]] = -np.inf
                constraints.dead_ends.clear()
            yield Trying()
    return each[int(log_p.argmax())]
