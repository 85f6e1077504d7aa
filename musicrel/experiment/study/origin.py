"""Where the runs of a study were made: the machine and the commit that the models' cards name.

This file knows cards; it knows nothing of what the runs found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from musicrel.model.card import CARD, read_card

COMMIT: Final = "commit"


def origin(models: Iterable[Path]) -> dict[str, Any]:
    """What is told of machine and program; a list of values where the models differ.

    Args:
        models: directories of models; those without a card are passed over.

    Returns:
        the entries of ``versions.machine``, then ``commit``; empty where no card is found.

    Raises:
        ModelError: a card is damaged.
    """
    told = [_told(path) for path in models if (path / CARD).is_file()]
    names = dict.fromkeys(name for one in told for name in one)
    return {name: _agreed([one[name] for one in told if name in one]) for name in names}


def _told(model: Path) -> Mapping[str, Any]:
    card = read_card(model)
    machine = card.training.get("machine")
    known = dict(machine) if isinstance(machine, dict) else {}
    return known | ({COMMIT: card.commit} if card.commit else {})


def _agreed(values: list[Any]) -> Any:
    different = [value for place, value in enumerate(values) if value not in values[:place]]
    return different[0] if len(different) == 1 else different
