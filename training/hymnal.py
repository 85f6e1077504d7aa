"""Likeness of what a model writes to the pieces it was taught: copies and classifiers.

    python -m training.hymnal MODEL [--data SOURCE] [--against NAME] [--pieces 42] [--store]

MODEL is the folder or the name of a model that was taught the pieces of ``--data``; losses are on
its card. It and the model of ``--against`` write pieces in the forms of the held-out ones, those of
validation and test. Measured are the share of eight-beat passages found in the training pieces and,
by set G of the examination on crops of eight bars, the areas under the ROC curve between the two
models, and between each of them and the held-out pieces. The pieces are kept in the folder
``--keep``; those that are there are not written again.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.experiment.data import dataset
from musicrel.experiment.training import teaching
from musicrel.generation.loaded_model import load_model
from musicrel.model import devices
from training import reports
from training.examination import material
from training.examination.examination import examine
from training.examination.samples import grouped

HELD_OUT: Final = "held-out pieces"
COPIED: Final = "copied"


def written(name: str, forms: Sequence[Chorale], number: int, folder: Path) -> list[Chorale]:
    """Return pieces in these forms in turn, read from the folder or written into it."""
    if not material.files(folder):
        pieces = jobs.run(teaching.write_pieces(load_model(name), forms, number))
        return list(material.kept(iter(pieces), folder))
    return material.read_folder(folder)


def measured(writers: Mapping[str, Sequence[Chorale]], train: Sequence[Chorale]) -> dict[str, Any]:
    """Return the share of copies of each writer, and the areas between each two of them."""
    found: dict[str, Any] = {
        COPIED: {name: teaching.copied(pieces, train) for name, pieces in writers.items()}
    }
    names = list(writers)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            examination = examine(*grouped(writers[one], writers[other], "8"), "G")
            found[f"{one}, {other}"] = asdict(examination)
    return found


def text(found: Mapping[str, Any]) -> str:
    """Return the copies and the areas as tables."""
    pairs = {pair: one for pair, one in found.items() if pair != COPIED}
    rows = [
        [pair, *map(_area, one["areas"].values()), f"{one['bach']}, {one['others']}"]
        for pair, one in pairs.items()
    ]
    areas = list(next(iter(pairs.values()))["areas"])
    shares = [[name, f"{share:.2%}"] for name, share in found[COPIED].items()]
    return "\n\n".join(
        (
            reports.table(["distinguished", *areas, "crops"], rows),
            reports.table(["", COPIED], shares),
        )
    )


def _area(found: Mapping[str, float]) -> str:
    return f"{found['value']:.2f} ({found['low']:.2f} to {found['high']:.2f})"


PAGE: Final = reports.Page(
    "hymnal",
    "Models that were taught pieces",
    "Areas under the ROC curve of the classifiers of the examination, set G, with 95 % intervals; "
    "0.5 is a guess. Share of eight-beat passages of four voices found in the training pieces.",
    lambda _, figures: "\n\n".join(map(text, figures.values())),
)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("hymnal", __doc__)
    parser.add_argument("model")
    parser.add_argument("--data", default="hymns:hymns.json")
    parser.add_argument("--against", default="relative", metavar="NAME")
    parser.add_argument("--pieces", type=int, default=42)
    parser.add_argument("--keep", type=Path, default=Path("hymnal-pieces"), metavar="FOLDER")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    devices.use_threads(1)
    pieces = dataset.load(args.data).pieces
    held_out = [*pieces["valid"], *pieces["test"]]
    models = {Path(name).name: name for name in (args.model, args.against)}
    new = {
        short: written(name, held_out, args.pieces, args.keep / short)
        for short, name in models.items()
    }
    found = measured({HELD_OUT: held_out, **new}, pieces["train"])
    print(text(found))
    if args.store:
        PAGE.store(args.data, reports.command("hymnal", words), {Path(args.model).name: found})


if __name__ == "__main__":
    sys.exit(main())
