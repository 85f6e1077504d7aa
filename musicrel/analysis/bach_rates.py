"""Rates at which Bach breaks each rule, shown beside the findings of a piece.

The shipped figures are counts over the bundled training chorales for all rules in ``rules``;
``training/build_rule_rates.py`` writes the file.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from musicrel import gate, paths
from musicrel.analysis.rules import RULES
from musicrel.analysis.voice_leading import Rates
from musicrel.errors import DataError, FileError

FILE_NAME: Final = "corpus/rule_rates.json"


@cache
def load() -> Rates:
    """Load Bach's counts; ``load().of(rule)`` is the rate of a rule in its own unit.

    Raises:
        FileError: the file is missing or damaged.
    """
    path = paths.assets() / FILE_NAME
    try:
        content = gate.parse_json(gate.read(path, "reference"))
        counts, lengths = (
            {rule: int(content[name][rule]) for rule in RULES} for name in ("counts", "lengths")
        )
        return Rates(
            notes=int(content["notes"]),
            steps=int(content["steps"]),
            counts=counts,
            lengths=lengths,
        )
    except (ValueError, KeyError, TypeError, DataError) as reason:
        raise FileError(
            f"{path} holds no rates of the rules ({reason}): install musicrel again"
        ) from reason


def format_rate(rule: str) -> str:
    """Format Bach's rate of ``rule`` with its unit, as in 'Bach: 0.65 per 1,000 notes'."""
    return f"Bach: {load().of(rule):.2f} {RULES[rule].unit.value}"
