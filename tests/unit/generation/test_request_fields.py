"""Options of the Python interface as fields of a request."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation import request_fields
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.heads.mutes import Head, Mutes
from tests.helpers.music import random_chorale


def test_text_is_parsed() -> None:
    """Values of other types stay as they are."""
    options = {"meter": "3/4", "key": "F# minor", "rules": "range", "phrases": "none", "seed": 3}

    assert request_fields.parsed(options) == {
        "meter": Meter(3, 4),
        "key": Key.parse("F# minor"),
        "rules": ("range",),
        "phrases": (),
        "seed": 3,
    }


def test_muted_heads_are_named_by_text() -> None:
    """They are replaced by their mean unless something else is named."""
    mean, zero = ({"mute": "2.3"}, {"mute": "2.3", "mute_by": "zero"})

    assert request_fields.parsed(mean) == {"mutes": Mutes((Head(1, 2),), "mean")}
    assert request_fields.parsed(zero) == {"mutes": Mutes((Head(1, 2),), "zero")}


def test_text_of_another_form_is_refused() -> None:
    """The error gives the value."""
    with pytest.raises(UsageError, match="waltz"):
        request_fields.parsed({"meter": "waltz"})


def test_locks_may_be_a_file(tmp_path: Path) -> None:
    """It is read."""
    locks = Locks.of(random_chorale(1), np.ones((random_chorale(1).steps, 4), dtype=np.bool_))
    path = tmp_path / "locks.json"
    path.write_text(json.dumps(locks.to_json()), encoding="utf-8")

    assert request_fields.parsed({"locks": path})["locks"].to_json() == locks.to_json()


@pytest.mark.parametrize(
    ("fields", "drawn", "left"),
    [({}, True, {}), ({"pickup": "auto"}, True, {}), ({"pickup": 4}, False, {"pickup": 4})],
)
def test_fields_are_drawn_where_nothing_else_is_given(
    fields: dict[str, object], drawn: bool, left: dict[str, object]
) -> None:
    """A field that is drawn is removed."""
    assert request_fields.pop_auto(fields, "pickup") is drawn
    assert fields == left


def test_one_name_may_stand_for_several() -> None:
    """Text is one name, not its letters."""
    assert request_fields.names_of("alto") == ("alto",)
    assert request_fields.names_of(["alto", "tenor"]) == ("alto", "tenor")
