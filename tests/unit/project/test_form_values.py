"""The Compose form as plain values."""

from __future__ import annotations

import dataclasses
import json

import pytest

from musicrel.chorale import Key, Meter
from musicrel.presentation.compose.form import Form
from musicrel.project import form_values
from tests.helpers.projects import full_contents

_DEFAULTS = Form()


def test_every_field_survives_json() -> None:
    """Those with their defaults, too; muted heads are not kept."""
    form = full_contents().form
    assert form is not None

    for each in (form, Form()):
        stored = json.loads(json.dumps(form_values.to_plain(each)))

        assert stored.keys() == {field.name for field in dataclasses.fields(Form)} - {"muted"}
        assert form_values.from_plain(stored) == each


def test_unknown_entries_are_ignored_and_missing_ones_get_their_defaults() -> None:
    """A form of another version is read as far as it is known."""
    form = form_values.from_plain({"bars": 8, "orchestra": "yes"})

    assert form == dataclasses.replace(_DEFAULTS, bars=8)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("bars", "8"),
        ("bars", True),
        ("bars", -4),
        ("bars", 10**30),
        ("seed", -1),
        ("seed", 1.5),
        ("temperature", "hot"),
        ("temperature", -1),
        ("temperature", 10**400),
        ("temperature", float("nan")),
        ("meter", "4/0"),
        ("meter", 4),
        ("key", "H major"),
        ("key", ["G"]),
        ("rules", "range"),
        ("rules", [1]),
        ("phrases", "2" * 100_000),
        ("phrases", None),
        ("quality", "excellent"),
    ],
)
def test_an_unusable_entry_gets_its_default(name: str, value: object) -> None:
    """The other entries are kept."""
    plain = form_values.to_plain(Form(key=Key("D", "minor"), meter=Meter(3, 4), cadence="half"))

    form = form_values.from_plain(plain | {name: value})

    assert getattr(form, name) == getattr(_DEFAULTS, name)
    assert form.cadence == "half"


@pytest.mark.parametrize("value", [None, [], "form", 3])
def test_anything_else_is_the_default_form(value: object) -> None:
    """It is no reason to refuse a piece."""
    assert form_values.from_plain(value) == Form()


@pytest.mark.parametrize("muted", [{"full": {"mute": "2.1", "mute_by": "zero"}}, None, 3])
def test_muted_heads_of_version_1_0_0_are_not_read(muted: object) -> None:
    """Nothing is written with them in silence."""
    assert form_values.from_plain({"bars": 8, "muted": muted}) == Form(bars=8)
