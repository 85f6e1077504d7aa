"""The results of a study of ablations, read from the file in its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from musicrel import gate
from musicrel.errors import DataError
from musicrel.experiment.ablation.study_results import FORMAT, StudyResults

FILE_NAME: Final = "results.json"
_INVALID: Final = (
    "{path} is not the result of musicrel ablate study ({reason}): write it again with --resume"
)


class StoredResults(NamedTuple):
    """Results and the command that made them."""

    results: StudyResults  # without the rows of single notes, which are in another file
    command: str


def read(folder: Path) -> StoredResults:
    """Read the results in the folder of a finished study."""
    path = folder / FILE_NAME
    values = gate.parse_json(gate.read(path, "run"), str(path))
    found = values.get("format") if isinstance(values, dict) else None
    if found != FORMAT:
        raise DataError(_INVALID.format(path=path, reason=f"format {found!r}, expected {FORMAT}"))
    try:
        return StoredResults(_typed(StudyResults, {"rows": ()} | values), str(values["command"]))
    except KeyError as name:
        raise DataError(_INVALID.format(path=path, reason=f"{name} is missing")) from name
    except (TypeError, ValueError) as reason:
        raise DataError(_INVALID.format(path=path, reason=reason)) from reason


def _typed(kind: Any, value: Any) -> Any:
    """Return a value of plain JSON as an object of a type of the results."""
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return kind(**{one.name: _typed(hints[one.name], value[one.name]) for one in fields(kind)})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        (some,) = (one for one in inner if one is not NoneType)
        return None if value is None else _typed(some, value)
    if origin is tuple:
        return tuple(_typed(inner[0], one) for one in value)
    if isinstance(value, Mapping) and origin is dict:
        return {name: _typed(inner[1], one) for name, one in value.items()}
    return kind(*value) if isinstance(kind, type) and issubclass(kind, tuple) else value
