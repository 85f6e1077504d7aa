"""How often Bach himself breaks each rule, to stand beside what is found in a piece.

The shipped figures are counts over the bundled training chorales, all of the rules in ``rules``;
``training/build_rule_rates.py`` makes the file.

This file knows where the figures lie; it knows nothing of how they are counted.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Final

from musicrel import paths
from musicrel.analysis.rules import RULES
from musicrel.analysis.voice_leading import Rates
from musicrel.errors import FileError

FILE_NAME: Final = "corpus/rule_rates.json"
_LONGEST_FILE: Final = 64 * 1024


@cache
def load() -> Rates:
    """Bach's counts; ``load().of(rule)`` is the rate of a rule in its own unit.

    Raises:
        FileError: the file is missing or damaged.
    """
    path = paths.assets() / FILE_NAME
    try:
        content = json.loads(paths.read_bytes(path, limit=_LONGEST_FILE))
        counts = {rule: int(content["counts"][rule]) for rule in RULES}
        return Rates(notes=int(content["notes"]), steps=int(content["steps"]), counts=counts)
    except (ValueError, KeyError, TypeError) as reason:
        raise FileError(
            f"{path} holds no rates of the rules ({reason}): install musicrel again"
        ) from reason


def in_words(rule: str) -> str:
    """Bach's rate of ``rule`` with its unit, as in 'Bach: 0.65 per 1,000 notes'."""
    return f"Bach: {load().of(rule):.2f} {RULES[rule].unit.value}"
