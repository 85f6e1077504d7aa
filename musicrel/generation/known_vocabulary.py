"""The vocabulary of a model on disk, which another version of the program may have written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from musicrel.errors import ModelError
from musicrel.tokens.conditions import CONDITIONS, GIVEN
from musicrel.tokens.vocabulary import VOCABULARIES, Vocabulary

if TYPE_CHECKING:
    from musicrel.model.card import Card


def known_vocabulary(name: str, card: Card) -> Vocabulary:
    """Return the vocabulary of ``card``, whose tokens and conditions have the same meaning here.

    Raises:
        ModelError: they do not.
    """
    named, tokens = card.vocabulary["name"], card.config.tokens
    found = VOCABULARIES.get(named)
    symbols = card.vocabulary.get("symbols")
    if found is None or found.size != tokens or symbols != list(found.symbols()):
        raise ModelError(
            f"{name}: its vocabulary {named!r} with {tokens} tokens is unknown to this "
            "program; update musicrel to use the model"
        )
    known = {condition.name: condition.rows for condition in (*CONDITIONS.values(), GIVEN)}
    for condition, size in card.config.conditions.items():
        if known.get(condition) != size:
            raise ModelError(
                f"{name}: its condition {condition!r} with {size} rows is unknown to this "
                "program; update musicrel to use the model"
            )
    return found
