"""Contents together with the rows of a file that hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from musicrel.project import form_values
from musicrel.project.contents import Contents
from musicrel.score import plain_json

VALUES: Final = ("current", "present", "form", "mixer")
"""Names of the single values of a document."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stored:
    """Contents as they are in the file."""

    contents: Contents = field(default_factory=Contents)
    # ``id`` of a piece object of ``contents``, which keeps it alive -> its row
    pieces: Mapping[int, int] = field(default_factory=dict)
    states: tuple[int, ...] = ()  # the row of each state, ascending
    # name -> JSON of the single values of the document
    values: Mapping[str, str] = field(default_factory=dict)


def values(contents: Contents, states: tuple[int, ...]) -> dict[str, str]:
    """Return name -> JSON of the single values."""
    form = None if contents.form is None else form_values.to_plain(contents.form)
    plain = {
        "current": states[contents.position] if contents.position >= 0 else None,
        "present": contents.present,
        "form": form,
        "mixer": dict(contents.mixer),
    }
    return {name: plain_json.dumps(value, ascii_only=True) for name, value in plain.items()}
