"""Pictures of the guides for teachers and about effects.

    python -m training.pictures.teaching [--out docs/pictures]

Bundled models read a chorale of the test split, and one of them writes its last bar twice. The
numbers in the guides are those that this prints: the description of each picture.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from musicrel import jobs, paths
from musicrel.chorale import Chorale, Voice
from musicrel.corpus import bundled
from musicrel.generation.ablation import cell_names, means
from musicrel.generation.candidates import muted_pair
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.presentation.ablation import (
    effect_grid,
    lens_table,
    note_choices,
    note_study,
    piece_effects,
    source_list,
)
from musicrel.presentation.attention import analysis_job
from musicrel.presentation.comparison import views
from musicrel.presentation.comparison.views import Shown, View
from musicrel.presentation.compose.form import Form, RequestBuilder
from musicrel.presentation.drawing import png
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.twin import twin_drawing
from musicrel.presentation.twin.agreement import compare
from musicrel.presentation.words import muted_heads, palette
from musicrel.presentation.words.muted_heads import MutedHeads

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
WORK: Final = "BWV 290"
MODELS: Final = ("relative", "vanilla")
"""Model A, whose heads are muted, and model B."""
SCALE: Final = 1.5
"""Dots per pixel of a drawing: legible in the window and on a page, and small files."""
_SOURCES: Final = 12
"""The strongest sources that a picture shows."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The example of a lesson.

    Attributes:
        piece: a chorale.
        note: the note that is studied, as in "tenor:8.2"; the piece is written again from its bar.
        mutes: the muted heads.
        seed: of the written bars.
    """

    piece: Chorale
    note: str
    mutes: Mutes
    seed: int

    @property
    def cell(self) -> int:
        """Return the cell of the note."""
        return cell_names.parse(self.note, self.piece)

    @property
    def first_step(self) -> int:
        """Return the first step of the bar of the note."""
        step = self.cell // len(Voice)
        return max(line for line in self.piece.bar_line_steps() if line <= step)


def lesson() -> Lesson:
    """Return the lesson of the guide: the last cadence of a chorale, and a head that matters."""
    piece = next(one for one in bundled.load("test") if one.title.startswith(f"{WORK} "))
    return Lesson(piece, "tenor:8.2", Mutes.parse("1.4"), seed=7)


def draw_all(
    example: Lesson, models: tuple[LoadedModel, LoadedModel]
) -> Iterator[tuple[str, Drawing]]:
    """Yield name and drawing of each picture.

    Args:
        example: the piece, the note and the muted heads.
        models: A and B.
    """
    for name, view in _effects(example, models[0]).items():
        yield name, view.draw(palette.LIGHT)
    for name, view in _comparison(example, models).items():
        yield name, view.draw(palette.LIGHT)
    yield "muted", _written_twice(example, models[0])


def main(argv: list[str]) -> int:
    """Write the pictures and print their descriptions; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: %(default)s")
    out: Path = parser.parse_args(argv).out
    first, second = (load_model(name) for name in MODELS)
    for name, drawing in draw_all(lesson(), (first, second)):
        paths.write_bytes(out / f"{name}.png", png.to_png(drawing, scale=SCALE))
        print(f"{name}.png: {drawing.title}")
    return 0


def _effects(example: Lesson, model: LoadedModel) -> Mapping[str, View]:
    """Return what heads did for the note, and for the whole piece."""
    jobs.run(means.prepare_for(model, example.mutes))
    reader = note_study.open_reader(model, example.piece)
    study = note_study.study(reader, example.cell, example.mutes)
    whole = jobs.run(piece_effects.measure(model, example.piece, example.mutes.by))
    found, title = note_study.sources(reader, example.cell), example.piece.title
    strongest = replace(found, rows=found.rows[:_SOURCES])
    return {
        "effects": effect_grid.view(study.effects, Mutes(), title),
        "choices": note_choices.view(study.choices, model.name),
        "sources": source_list.view(strongest, model.name),
        "layers": lens_table.view(study.lens, model.name),
        "whole-piece": effect_grid.view(whole, Mutes(), title),
    }


def _comparison(example: Lesson, models: tuple[LoadedModel, LoadedModel]) -> Mapping[str, View]:
    """Return the views of both models on the piece."""
    first, second = (jobs.run(analysis_job.analyse(model, example.piece)) for model in models)
    shown = Shown(first, second, cell=example.cell)
    found = {
        "note": views.note(shown),
        "surprisal": views.surprisal(shown),
        "claims": views.claims(shown),
    }
    return {name: view for name, view in found.items() if view is not None}


def _written_twice(example: Lesson, model: LoadedModel) -> Drawing:
    """Draw the piece with its end written with all heads, above that with muted heads.

    Both are made as by "Listen to the difference".
    """
    piece = example.piece
    free = np.zeros((piece.steps, len(Voice)), dtype=np.bool_)
    free[example.first_step :] = True
    muted = MutedHeads().with_mutes(model.name, example.mutes)
    form = Form(model=model.name, seed=example.seed, muted=muted)
    builder = RequestBuilder(form=form, count=2, piece=piece, free=free, is_pair=True)
    fitted, transposition = builder.fitted()
    found = jobs.run(muted_pair.generate_pair(model, fitted.request(), transposition=transposition))
    first, second = (one.chorale for one in sorted(found.ranked, key=lambda one: one.number))
    agreement = compare(first, second)
    assert agreement is not None  # noqa: S101  # both have the form of the piece
    names = (muted_heads.label(first.provenance), muted_heads.label(second.provenance))
    return twin_drawing.draw(agreement, names, palette.LIGHT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
