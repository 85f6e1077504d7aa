"""Pieces of a model to examine: written with the defaults, or Bach's melodies harmonised."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.corpus.splits import Split
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.constraints.voice_ranges import PRESETS
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from training.examination import material
from training.quality import cycled

_BAR = 16


def composed(name: str, split: Split, number: int, first_seed: int) -> Iterator[Chorale]:
    """Yield new pieces in four quarters with the lengths of a split's chorales in turn.

    Everything else is a default of ``musicrel generate``: phrases and pickup drawn, ranges of a
    choir, top-p 0.9, normal quality.
    """
    model = load_model(name)
    lengths = [-(-piece.steps // _BAR) for piece in material.bach(split)]
    for seed, bars in enumerate(cycled(lengths, number), start=first_seed):
        request = GenerationRequest(
            bars=bars, seed=seed, top_p=0.9, ranges=PRESETS["choir"].ranges, rules=("range",)
        )
        drawn = DrawnPhrases(phrases=True, pickup=True).applied(request, model.conditions)
        yield jobs.run(candidate_job.generate_piece(model, drawn)).chorale


def harmonised(name: str, split: Split, first_seed: int) -> Iterator[Chorale]:
    """Yield the melodies of a split harmonised; meter, pickup, key and fermatas are given."""
    model = load_model(name)
    for seed, melody in enumerate(bundled.load(split), start=first_seed):
        yield _harmonised(model, melody, seed)


def _harmonised(model: LoadedModel, melody: Chorale, seed: int) -> Chorale:
    request = edit_requests.harmony_request(melody, seed=seed)
    return jobs.run(candidate_job.generate_candidates(model, request, 1)).ranked[0].chorale


def kept(pieces: Iterator[Chorale], folder: Path) -> Iterator[Chorale]:
    """Write each piece into ``folder`` as it comes, and yield it."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, piece in enumerate(pieces):
        piece.write(folder / f"{number:03}.json")
        yield piece
