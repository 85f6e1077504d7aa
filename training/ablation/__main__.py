"""Attention weights of models against the effects of heads and sources on notes.

    python -m training.ablation [--models vanilla relative] [--notes 5000] [--seed 0] [--by mean]
        [--device cpu] --out FOLDER

The notes are drawn evenly from the test pieces and are the same for every model. For each note all
heads are replaced one at a time, and sources are removed, one at a time and together. Then sets of
heads that may carry a pattern are chosen on one half of the pieces and replaced together at the
notes of the other. Writes ``results.csv`` and ``report.md``. The measures of a finished piece are
kept in ``parts``: the same command continues an interrupted study.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from musicrel import jobs, paths
from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError, UsageError
from musicrel.generation.heads import means
from musicrel.generation.heads.mutes import REPLACEMENTS, Replacement
from musicrel.generation.heads.replacement import weights_hash
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.interpretability.readers import open_reader
from musicrel.presentation.words.markdown import to_csv
from training.ablation import measures, results
from training.ablation.measures import Measures, Places
from training.ablation.results import Observed, Row


class Study(NamedTuple):
    models: tuple[str, ...]
    notes: int
    seed: int
    by: Replacement
    device: str = "cpu"


def run(study: Study, pieces: Sequence[Chorale], folder: Path) -> list[Observed]:
    """Measure all models, or read what an interrupted study has kept."""
    if len(set(study.models)) < len(study.models):
        raise UsageError(f"the models are {', '.join(study.models)}: expected each only once")
    cells = measures.draw_notes(pieces, study.notes, study.seed)
    models = [load_model(name, study.device) for name in study.models]
    wanted = {
        "models": [[model.name, weights_hash(model)] for model in models],
        "notes": study.notes, "seed": study.seed, "by": study.by,
        "pieces": [f"{piece.title}, {piece.steps} steps" for piece in pieces],
    }  # fmt: skip
    file = folder / "ablation.json"
    if file.exists() and json.loads(file.read_text("utf-8")) != wanted:
        raise UsageError(f"{folder} holds another study: choose another --out")
    paths.write_text(file, json.dumps(wanted, indent=1, ensure_ascii=False) + "\n")
    return [_observe(study, model, pieces, cells, folder / "parts" / weights_hash(model)[:12])
            for model in models]  # fmt: skip


def _observe(
    study: Study,
    model: LoadedModel,
    pieces: Sequence[Chorale],
    cells: Sequence[Places],
    folder: Path,
) -> Observed:
    """Measure all notes, then the sets of heads; the first half has a piece more if any."""
    config, found = model.config, []
    if study.by == "mean":
        jobs.run(means.prepare(model))
    for piece, cells_N in enumerate(cells):
        file = folder / f"notes-{piece + 1:03}.npz"
        if not file.exists():
            reader = open_reader(model, pieces[piece])
            of_notes = measures.measure(reader, cells_N, study.by, study.seed, piece)
            _store(file, of_notes)
            print(f"{model.name}: piece {piece + 1} of {len(pieces)}", file=sys.stderr)
        found.append(_stored(file))
    order = np.random.default_rng(study.seed).permutation(len(pieces))
    first, second = (np.sort(half).tolist() for half in np.split(order, [-(-len(pieces) // 2)]))
    chosen = measures.choose_sets(results.joined([found[piece] for piece in first]))
    if not (chosen and second):
        return Observed(model.name, config.heads, found, [], second, np.zeros((0, 0)))
    heads = config.layers * config.heads
    sets_DH = measures.with_random(chosen, heads, np.random.default_rng(study.seed))
    for piece in second:
        file = folder / f"sets-{piece + 1:03}.npz"
        if not file.exists():
            reader = open_reader(model, pieces[piece])
            _store(
                file, {"effects_ND": measures.set_effects(reader, cells[piece], sets_DH, study.by)}
            )
    of_sets = [_stored(folder / f"sets-{piece + 1:03}.npz")["effects_ND"] for piece in second]
    effects_ND = np.concatenate(of_sets)
    return Observed(model.name, config.heads, found, chosen, second, effects_ND)


def _store(file: Path, arrays: Measures) -> None:
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]  # names of arrays, no option
    paths.write_bytes(file, content.getvalue())


def _stored(file: Path) -> Measures:
    with np.load(file) as arrays:
        return dict(arrays)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--models", nargs="+", default=("vanilla", "relative"))
    parser.add_argument("--notes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--by", choices=REPLACEMENTS, default="mean")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(words)
    study = Study(tuple(options.models), options.notes, options.seed, options.by, options.device)
    try:
        rows = list(results.summarise(run(study, bundled.load("test"), options.out)))
    except MusicrelError as error:
        parser.error(str(error))
    rounded = (
        (round(cell, 6) if isinstance(cell, float) else cell for cell in row) for row in rows
    )
    command = (
        f"python -m training.ablation --models {' '.join(study.models)} --notes {study.notes} "
        f"--seed {study.seed} --by {study.by}"
    )
    paths.write_text(options.out / "results.csv", to_csv([Row._fields, *rounded]))
    paths.write_text(options.out / "report.md", results.report(rows, command))
    print(options.out / "report.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
