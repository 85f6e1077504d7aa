"""The judge that came with the program: reference, known music and, where there is one, a critic.

This file knows what is shipped; what is measured stands in ``measures``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from musicrel.analysis import grade_reference
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.errors import UsageError
from musicrel.generation.candidates import critic
from musicrel.generation.candidates.critic import Critic
from musicrel.generation.candidates.measures import Judge, Opinion


def shipped(weights: Mapping[str, float] | None = None) -> Judge:
    """The shipped judge.

    Args:
        weights: that are asked for in the ranking.

    Raises:
        UsageError: a critic is to count and there is none.
        ModelError: the shipped critic is damaged.
    """
    judge = _judge()
    if judge.critic is None and (weights or {}).get("critic"):
        raise UsageError(
            f"the weight of 'critic' is {(weights or {})['critic']:g}, but there is no "
            "model of that name: expected 0, or install musicrel anew"
        )
    return judge


@cache
def _judge() -> Judge:
    heard = critic.at_hand()
    opinion = _opinion_of(heard) if heard else None
    return Judge(grade_reference.load().reference, bundled.load("train"), opinion)


def _opinion_of(heard: Critic) -> Opinion:
    def opinion(piece: Chorale) -> float:
        return heard.against([piece])[0]

    return opinion
