"""The pictures of the guides."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.chorale import Voice
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.presentation.words.palette import LIGHT
from tests.helpers.models import tiny_model_directory
from training import teaching

ROOT = Path(__file__).parents[3]


@pytest.fixture
def models(tmp_path: Path) -> tuple[LoadedModel, LoadedModel]:
    first, second = (
        load_model(str(tiny_model_directory(tmp_path / name, scheme)))
        for name, scheme in (("one", "relative"), ("other", "sinusoidal"))
    )
    return first, second


def test_the_pictures_of_a_lesson_are_those_in_the_guides(
    models: tuple[LoadedModel, LoadedModel],
) -> None:
    """None is missing, and none is left over; both takes are named by their muted heads."""
    example = replace(teaching.lesson(), mutes=Mutes.parse("1.1", "zero"))
    views = dict(teaching.all_views(example, models))

    texts = "".join(path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md"))
    used = set(re.findall(r"\(pictures/(\S+)\.png\)", texts))
    shipped = {path.stem for path in teaching.FOLDER.glob("*.png")}
    assert set(views) == shipped
    assert used <= shipped
    assert views["muted"].draw(LIGHT).title.startswith("all heads and 1.1 muted: ")
    assert "one and other: surprisal compared" in views["surprisal"].draw(LIGHT).title


def test_the_lesson_is_about_the_last_bar_of_a_chorale() -> None:
    example = teaching.lesson()
    step, voice = divmod(example.cell, len(Voice))

    assert str(example.piece.key) == "F major"
    assert (voice, int(example.piece.pitches[step, voice])) == (Voice.TENOR, 60)
    assert step - example.first_step == 4
    assert example.first_step == example.piece.bar_line_steps()[-1]
