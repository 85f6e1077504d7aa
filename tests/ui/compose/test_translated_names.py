"""Names of notes and keys are whole lists in a translation, and typed notes are read with them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import util
from types import ModuleType

import pytest

from musicrel import language
from musicrel.analysis import keys
from musicrel.chorale import Key
from musicrel.presentation.words import names
from musicrel.ui.compose import form_fields

_GERMAN = {
    "C C♯ D D♯ E F F♯ G G♯ A A♯ B": "C Cis D Dis E F Fis G Gis A Ais H",
    "C D♭ D E♭ E F G♭ G A♭ A B♭ B": "C Des D Es E F Ges G As A B H",
    "F♭♭ C♭♭ G♭♭ D♭♭ A♭♭ E♭♭ B♭♭ F♭ C♭ G♭ D♭ A♭ E♭ B♭ F C G D A E B "
    "F♯ C♯ G♯ D♯ A♯ E♯ B♯ F♯♯ C♯♯ G♯♯ D♯♯ A♯♯ E♯♯ B♯♯": (
        "Feses Ceses Geses Deses Asas Eses Heses Fes Ces Ges Des As Es B F C G D A E H "
        "Fis Cis Gis Dis Ais Eis His Fisis Cisis Gisis Disis Aisis Eisis Hisis"
    ),
    "C C# Db D D# Eb E F F# Gb G G# Ab A A# Bb B Cb": (
        "c cis des d dis es e f fis ges g gis as a ais b h ces"
    ),
    "{tonic} minor": "{tonic}-Moll",
    "# ♯": "# ♯ is",
    "b ♭": "b ♭ es",
}

Load = Callable[[ModuleType], ModuleType]


@pytest.fixture
def in_german(monkeypatch: pytest.MonkeyPatch) -> Load:
    """Return a function that imports a module once more, after German was chosen."""
    monkeypatch.setattr(language, "_installed", [(lambda text, _: _GERMAN.get(text, ""), True)])

    def load(module: ModuleType) -> ModuleType:
        spec = util.spec_from_file_location(f"german_{id(module)}", str(module.__file__))
        assert spec is not None
        assert spec.loader is not None
        copy = util.module_from_spec(spec)
        spec.loader.exec_module(copy)
        return copy

    return load


def test_notes_and_keys_have_their_german_names(
    in_german: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    german = in_german(names)
    monkeypatch.setattr(german, "keys", in_german(keys))

    assert [german.pitch(midi) for midi in (59, 61, 70)] == ["H3", "Cis4", "Ais4"]
    assert [german.pitch(midi, Key("F", "major")) for midi in (59, 63, 70)] == ["H3", "Es4", "B4"]
    assert [german.key(Key(tonic, "minor")) for tonic in ("F#", "B", "Bb")] == [
        "fis-Moll", "h-Moll", "b-Moll",
    ]  # fmt: skip
    assert [german.numeral(text) for text in ("b: viio7/V", "bb:", "f#: i", "V65")] == [
        "h: viio7/V", "b:", "fis: i", "V65",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "midi"),
    [("H3", 59), ("b3", 58), ("Es4", 63), ("as4", 68), ("Eis4", 65), ("C#4", 61), ("Hb3", 58)],
)
def test_a_note_can_be_typed_with_its_german_name(
    in_german: Load, monkeypatch: pytest.MonkeyPatch, typed: str, midi: int
) -> None:
    german = in_german(names)
    monkeypatch.setattr(names, "SHARPS", german.SHARPS)
    monkeypatch.setattr(names, "FLATS", german.FLATS)

    assert in_german(form_fields).PitchField("Lowest note").valueFromText(typed) == midi


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("F#4", "Acceptable"), ("bb3", "Acceptable"), ("", "Intermediate"), ("♭", "Intermediate"),
        ("c#", "Intermediate"), ("H", "Invalid"), ("4", "Invalid"), ("Cis4", "Invalid"),
    ],
)  # fmt: skip
def test_a_field_lets_only_notes_be_typed(text: str, state: str) -> None:
    assert form_fields.PitchField("Lowest note").validate(text, 0)[0].name == state
