"""Pictures of the guides for teachers and about effects.

    python -m training.teaching [--out docs/pictures]

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

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Voice
from musicrel.generation.candidates import candidate_job
from musicrel.generation.heads import means
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.interpretability import analysis_job, cell_names, effects, views
from musicrel.interpretability.ablation import global_effects
from musicrel.interpretability.effects import OF_PIECE, HeadEffects
from musicrel.interpretability.shown import Shown
from musicrel.interpretability.view import View
from musicrel.presentation.compose.form import Form, change
from musicrel.presentation.two_models import compare
from musicrel.presentation.words import muted_heads, palette
from musicrel.presentation.words.muted_heads import MutedHeads

FOLDER: Final = Path(__file__).parents[1] / "docs" / "pictures"
WORK: Final = "BWV 290"
MODELS: Final = ("relative", "vanilla")
"""Model A, whose heads are muted, and model B."""
_SOURCES: Final = 12
"""The strongest sources that a picture shows."""


@dataclass(frozen=True, slots=True)
class Lesson:
    piece: Chorale
    # the note that is studied, as in "tenor:8.2"; the piece is written again from its bar
    note: str
    mutes: Mutes
    seed: int  # of the written bars

    @property
    def cell(self) -> int:
        return cell_names.parse(self.note, self.piece)

    @property
    def first_step(self) -> int:
        step = self.cell // len(Voice)
        return max(line for line in self.piece.bar_line_steps() if line <= step)


def lesson() -> Lesson:
    """Return the lesson of the guide: the last cadence of a chorale, and a head that matters."""
    piece = next(one for one in bundled.load("test") if one.title.startswith(f"{WORK} "))
    return Lesson(piece, "tenor:8.2", Mutes.parse("1.4"), seed=7)


def all_views(
    example: Lesson, models: tuple[LoadedModel, LoadedModel]
) -> Iterator[tuple[str, View]]:
    yield from _effects(example, models[0]).items()
    yield from _comparison(example, models).items()
    yield "muted", _written_twice(example, models[0])


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: %(default)s")
    out: Path = parser.parse_args(argv).out
    first, second = (load_model(name) for name in MODELS)
    for name, found in all_views(lesson(), (first, second)):
        found.write(out / f"{name}.png", palette.LIGHT)
        print(f"{name}.png: {found.draw(palette.LIGHT).title}")
    return 0


def _effects(example: Lesson, model: LoadedModel) -> Mapping[str, View]:
    """Return what heads did for the note, and for the whole piece."""
    jobs.run(means.prepare_for(model, example.mutes))
    reader = effects.open_reader(model, example.piece)
    note = effects.measure(reader, example.cell, example.mutes)
    by, title = example.mutes.by, example.piece.title
    of_piece = jobs.run(global_effects(model, example.piece, by=by))
    whole = HeadEffects(of=OF_PIECE, model=model.name, by=by, by_head=of_piece.effects_LH)
    found = jobs.run(effects.find_sources(reader, example.cell))
    return {
        "effects": effects.of_heads(note.heads, Mutes(), title),
        "choices": effects.of_choices(note),
        "sources": effects.of_sources(replace(found, rows=found.rows[:_SOURCES])),
        "layers": effects.of_layers(note),
        "whole-piece": effects.of_heads(whole, Mutes(), title),
    }


def _comparison(example: Lesson, models: tuple[LoadedModel, LoadedModel]) -> Mapping[str, View]:
    first, second = (jobs.run(analysis_job.analyse(model, example.piece)) for model in models)
    shown = Shown(first, second, cell=example.cell)
    found = {
        "note": views.note(shown),
        "surprisal": views.surprisal(shown),
        "claims": views.claims(shown),
    }
    return {name: one for name, one in found.items() if one is not None}


def _written_twice(example: Lesson, model: LoadedModel) -> View:
    """Return the piece with its end written with all heads, above that with muted heads.

    Both are made as by "Listen to the difference".
    """
    piece = example.piece
    free = np.zeros((piece.steps, len(Voice)), dtype=np.bool_)
    free[example.first_step :] = True
    muted = MutedHeads().with_mutes(model.name, example.mutes)
    form = Form(model=model.name, seed=example.seed, muted=muted)
    task = change(piece, free, form, count=2, is_pair=True)
    job = candidate_job.generate_candidates(
        model, task.request, 2, transposition=task.transposition, is_pair=True
    )
    first, second = (one.chorale for one in jobs.run(job).ranked)
    agreement = compare(first, second)
    assert agreement is not None  # noqa: S101  # both have the form of the piece
    names = ("all heads", muted_heads.in_piece(second.provenance))
    return views.of_agreement(agreement, names)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
