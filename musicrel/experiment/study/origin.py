"""The machine and the commit of a study's runs, read from the cards of their models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from musicrel.model.card import CARD, read_card

COMMIT: Final = "commit"


def origin(models: Iterable[Path]) -> dict[str, Any]:
    """Return machine and commit of ``models``; a list of values where they differ.

    Args:
        models: directories of models; those without a card are skipped.

    Returns:
        The entries of ``environment.machine``, then ``commit``; empty if no card is found.

    Raises:
        ModelError: a card is damaged.
    """
    origins = [_origin_of(path) for path in models if (path / CARD).is_file()]
    names = dict.fromkeys(name for one in origins for name in one)
    return {name: _merge([one[name] for one in origins if name in one]) for name in names}


def _origin_of(model: Path) -> Mapping[str, Any]:
    card = read_card(model)
    machine = card.training.get("machine")
    known = dict(machine) if isinstance(machine, dict) else {}
    return known | ({COMMIT: card.commit} if card.commit else {})


def _merge(values: list[Any]) -> Any:
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    return distinct[0] if len(distinct) == 1 else distinct
