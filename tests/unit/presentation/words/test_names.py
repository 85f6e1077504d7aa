"""Music in words."""

from __future__ import annotations

import itertools
import math
import tomllib
from collections.abc import Callable, Iterable
from importlib import metadata, util
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from musicrel import paths
from musicrel.chorale import Key, Meter, Provenance
from musicrel.experiment.study import study_folder
from musicrel.generation.heads.mutes import Mutes
from musicrel.model.positions.table import SCHEMES
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words import display_names, muted_heads, names
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.presentation.words.versions import NOT_INSTALLED, UNKNOWN, versions
from tests.helpers.colours import contrast


@pytest.mark.parametrize(
    ("midi", "key", "expected"),
    [
        (60, None, "C4"),
        (66, None, "F♯4"),
        (66, Key("G", "major"), "F♯4"),
        (70, Key("F", "major"), "B♭4"),
        (66, Key("G", "minor"), "F♯4"),  # a leading tone
        (61, Key("D", "minor"), "C♯4"),
        (67, Key("G#", "minor"), "F♯♯4"),
        (60, Key("C#", "minor"), "B♯3"),
        (71, Key("Ab", "minor"), "C♭5"),
        (36, None, "C2"),
        (-1 + 12, None, "B-1"),
    ],
)
def test_pitch_is_spelled_as_the_key_does(midi: int, key: Key | None, expected: str) -> None:
    assert names.pitch(midi, key) == expected


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (Key("F#", "minor"), "F♯ minor"),
        (Key("Bb", "major"), "B♭ major"),
        (Key("B", "minor"), "B minor"),
    ],
)
def test_key_has_real_accidentals(key: Key, expected: str) -> None:
    assert names.key(key) == expected


@pytest.mark.parametrize("text", ["b: V65", "B♭: bII6", "f♯: i", "viio7/V"])
def test_numerals_in_english_have_the_names_of_the_analysis(text: str) -> None:
    assert names.numeral(text.replace("♭", "b").replace("♯", "#")) == text


@pytest.mark.parametrize(
    ("steps", "expected"), [(1, "sixteenth"), (6, "dotted quarter"), (10, "10 sixteenths")]
)
def test_length_is_called_as_musicians_do(steps: int, expected: str) -> None:
    assert names.length(steps) == expected


@pytest.mark.parametrize(
    ("step", "meter", "pickup", "expected"),
    [
        (0, Meter(4, 4), 0, "bar 1, beat 1"),
        (6, Meter(4, 4), 0, "bar 1, beat 2½"),
        (0, Meter(4, 4), 4, "pickup, beat 4"),
        (4, Meter(4, 4), 4, "bar 1, beat 1"),
        (12, Meter(3, 4), 0, "bar 2, beat 1"),
        (3, Meter(6, 8), 0, "bar 1, beat 2½"),
        (7, Meter(4, 4), 0, "bar 1, beat 2¾"),
    ],
)
def test_place_counts_bars_and_beats_from_one(
    step: int, meter: Meter, pickup: int, expected: str
) -> None:
    assert names.position(step, meter, pickup) == expected


@pytest.mark.parametrize(
    ("start", "stop", "pickup", "expected"),
    [
        (12, 16, 0, "bar 1, beat 4"),
        (13, 14, 0, "bar 1, beat 4¼"),
        (14, 16, 0, "bar 1, beats 4½ to 4¾"),
        (4, 16, 0, "bar 1, beats 2 to 4"),
        (4, 14, 0, "bar 1, beats 2 to 4¼"),
        (4, 24, 0, "bar 1, beat 2 to bar 2, beat 2"),
        (0, 8, 8, "pickup, beats 3 to 4"),
        (0, 12, 4, "pickup, beat 4 to bar 1, beat 2"),
    ],
)
def test_a_passage_is_named_by_its_beats(start: int, stop: int, pickup: int, expected: str) -> None:
    assert names.passage(start, stop, Meter(4, 4), pickup) == expected


RECIPES = sorted((paths.assets() / "recipes").glob("*.toml"))
BUNDLED = [path for path in study_folder.templates() if path.is_relative_to(paths.assets())]


def arms(path: Path) -> list[str]:
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    return [arm if isinstance(arm, str) else arm["name"] for arm in tables["arms"]]


@pytest.mark.parametrize(
    ("name_of", "ids"),
    [
        (display_names.study, study_folder.bundled()),
        (display_names.recipe, [path.stem for path in RECIPES]),
        (display_names.scheme, SCHEMES),
    ],
)
def test_every_bundled_study_and_recipe_and_every_scheme_has_a_name(
    name_of: Callable[[str], str], ids: Iterable[str]
) -> None:
    assert [key for key in ids if name_of(key) == key] == []
    assert ids


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_every_arm_of_a_bundled_study_has_a_name_of_its_own(path: Path) -> None:
    ids = arms(path)
    names = [display_names.arm(name) for name in ids]

    assert not set(names) & set(ids)
    assert len(set(names)) == len(ids)


def test_no_two_ids_have_one_name() -> None:
    for table in (display_names.STUDIES, display_names.RECIPES, display_names.SCHEMES):
        assert len(set(table.values())) == len(table)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("smoke", "Test run"),
        ("smoke-2", "Test run 2"),
        ("window-gpu", "Window lengths (GPU)"),
        ("my study", "my study"),
        ("my-study-2", "my-study-2"),
    ],
)
def test_a_study_is_named_after_its_folder(name: str, shown: str) -> None:
    assert display_names.study(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("relative-64", "Relative, 64"),
        ("relative-whole", "Relative, whole pieces"),
        ("sinusoidal_concat", "Sinusoidal (concatenated)"),
        ("mine", "mine"),
        ("mine-64", "mine-64"),
    ],
)
def test_an_arm_is_named_after_its_scheme_and_window(name: str, shown: str) -> None:
    assert display_names.arm(name) == shown


def test_a_sentence_names_arms_as_people_read_them() -> None:
    arms = ("relative", "relative-corrected", "relative-corrected-0.02")
    sentence = "relative-corrected-0.02 is better than relative by 0.02; relatively sure"

    assert display_names.in_sentence(sentence, arms) == (
        "Relative (corrected, 0.02) is better than Relative by 0.02; relatively sure"
    )
    assert display_names.in_sentence(sentence, ()) == sentence
    next_step = "Next: the study quick, then the study full."
    assert display_names.in_sentence(next_step, ()) == "Next: Quick study, then Full study."
    assert display_names.in_sentence("a is better than b.", ("a", "b")) == "a is better than b."


THEMES = [pytest.param(theme, id=theme.name) for theme in (LIGHT, DARK)]
TEXT = 4.5
SHAPE = 3.0
APART = 17.0
"""Distance in CIELAB; 2.3 is just noticeable."""

# Machado, Oliveira and Fernandes 2009, severity 1: linear RGB as these eyes see it.
EYES = {
    "usual": np.eye(3),
    "protan": np.array([
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ]),
    "deutan": np.array([
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ]),
    "tritan": np.array([
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ]),
}  # fmt: skip
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = np.array([0.9505, 1.0, 1.089])


def test_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#000000") == pytest.approx(21)


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_read_on_whatever_it_stands_on(theme: Theme) -> None:
    grounds = (theme.window, theme.panel, theme.field, theme.hover, theme.lane, theme.lane_black)
    inks = (theme.text, theme.quiet, theme.accent, *theme.models)
    pairs = [(ink, ground) for ink in inks for ground in grounds]
    pairs += [(edge, theme.lane) for edge in theme.voice_edges]  # names of curves
    pairs += [(theme.lane, model) for model in theme.models]  # letters of the models A and B
    pairs += [(theme.on_accent, theme.accent), (theme.on_accent, theme.accent_hover)]
    pairs += [(theme.on_warning, theme.warning), (theme.on_key, theme.key_white)]
    pairs += [(theme.on_voice, voice) for voice in theme.voices]
    pairs += [(theme.warning, theme.on_warning)]  # Mute, switched on

    assert [pair for pair in pairs if contrast(*pair) < TEXT] == []


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_stand_out(theme: Theme) -> None:
    grounds = (theme.lane, theme.lane_black, theme.panel)
    shapes = (*theme.voice_edges, theme.accent)

    assert [(s, g) for s in shapes for g in grounds if contrast(s, g) < SHAPE] == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("part", ["voices", "voice_edges", "models"])
def test_voices_and_models_stay_apart_for_all_eyes(theme: Theme, eyes: str, part: str) -> None:
    seen = [lab(colour, EYES[eyes]) for colour in getattr(theme, part)]

    assert min(math.dist(one, other) for one, other in itertools.combinations(seen, 2)) > APART


def lab(colour: str, eyes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    srgb = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    x, y, z = np.cbrt(np.clip(TO_XYZ @ eyes @ linear, 0, None) / WHITE)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_versions_are_those_of_the_installed_packages() -> None:
    found = versions()

    assert list(found) == ["musicrel", "Python", "torch", "Qt"]
    assert found["torch"] == metadata.version("torch")


def test_the_light_package_has_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(util, "find_spec", lambda _: None)

    assert versions()["torch"] == NOT_INSTALLED


def test_a_package_without_metadata_has_no_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)

    assert versions()["torch"] == UNKNOWN
    assert versions()["musicrel"][0].isdigit()
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "assets")
    assert versions()["musicrel"] == UNKNOWN


_HEADS = Mutes.parse("2.3,4")
_OTHERS = Mutes.parse("1.1", "zero")


def test_each_model_and_its_requests_have_their_own_muted_heads() -> None:
    muted = MutedHeads().with_mutes("relative", _HEADS).with_mutes("vanilla", _OTHERS)

    assert (muted.of("relative"), muted.of("vanilla"), muted.of("x")) == (_HEADS, _OTHERS, Mutes())

    muted = MutedHeads().with_mutes("relative", _HEADS).with_mutes("relative", Mutes())

    assert muted == MutedHeads()

    muted = MutedHeads().with_mutes("relative", _HEADS)

    assert Form(model="relative", bars=2, muted=muted).request().mutes == _HEADS
    assert Form(model="vanilla", bars=2, muted=muted).request().mutes == Mutes()


def test_each_model_has_a_remark() -> None:
    muted = MutedHeads().with_mutes("vanilla", _OTHERS).with_mutes("relative", _HEADS)

    remarks = list(muted.remarks())

    assert [words for words, _ in remarks] == [
        "Muted in Relative (writes): head 2.3 and layer 4",
        "Muted in Vanilla (writes): head 1.1 (by zero)",
    ]
    assert remarks[0][1].startswith("Head 2.3 and layer 4: replaced by their mean output")


def test_a_piece_with_damaged_settings_names_no_heads() -> None:
    damaged = Provenance(model="relative", sha256="", seed=1, settings={"mute": "x"})

    assert muted_heads.in_piece(damaged) == muted_heads.in_piece(None) == ""
