"""Fit the discriminator that guides the search of a causal model.

    python -m training.guidance NAME --pieces FOLDER [--number 300] [--strength 1.7] [--store]
    python -m training.guidance NAME --again --pieces FOLDER [--strength 1] [--store]

It is a logistic regression on counts of features, fitted to pieces of the model without it.
``--again`` adds to it what a regression still finds in pieces with it: a few particles reach only a
part of what the log-odds ask for, and other changes of the search move what they write. The pieces
are in FOLDER; they are written first if it is missing. Bach's side is the chorales in four quarters
of training and validation; test is not read. For a model that was taught other pieces, ``--data``,
it is those of training, and the model writes pieces in their forms. ``--strength`` multiplies the
fitted log-odds. ``--store`` writes the discriminator beside the model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.training import teaching
from musicrel.generation.discriminator import discriminator
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.loaded_model import load_model
from musicrel.model import catalogue, checkpoint, devices
from musicrel.model.companions import DISCRIMINATOR
from musicrel.paths import write_bytes
from training import reports
from training.examination import material
from training.guidance.fit import Fit, fit

_SHOWN: Final = 20


class Round(NamedTuple):
    is_guided: bool  # whether the model's pieces are written with its discriminator
    first_seed: int  # the first seed of the pieces; no set of the examination has it
    strength: float  # default factor of the log-odds


FIRST: Final = Round(is_guided=False, first_seed=900_000, strength=1.7)
AGAIN: Final = Round(is_guided=True, first_seed=1_000_000, strength=1.0)


def pieces_of(
    fitted: Round, model: Path, folder: Path, number: int, forms: Sequence[Chorale] = ()
) -> list[Chorale]:
    if not folder.exists():
        with tempfile.TemporaryDirectory() as place:
            plain = Path(place) / model.name
            left_out = () if fitted.is_guided else (DISCRIMINATOR,)
            shutil.copytree(model, plain, ignore=shutil.ignore_patterns(*left_out))
            if forms:
                taught = teaching.write_pieces(load_model(str(plain)), forms, number)
                made = iter(jobs.run(taught))
            else:
                made = material.composed(str(plain), "valid", number, fitted.first_seed)
            list(material.kept(made, folder))
    pieces = material.read_folder(folder)
    if len(pieces) != number:
        raise UsageError(
            f"{folder} holds {len(pieces)} pieces: expected {number}; remove it, or give --number"
        )
    return pieces


def report(found: Fit) -> str:
    """Return the figures of a fit, and its largest weights."""
    (bach, others), held_out = found.sizes, found.held_out
    largest = sorted(found.weights.items(), key=lambda item: -abs(item[1]))[:_SHOWN]
    lines = [
        f"{bach} real crops, {others} of the model, {len(found.weights):,} features",
        f"held out: area {held_out.area:.3f}, log loss {held_out.log_loss:.4f}",
        f"penalty {held_out.penalty:g}, log-odds scaled by {held_out.slope:.2f}",
        *(f"{weight:+.2f}  {name}" for name, weight in largest),
    ]
    return "\n".join(lines)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("guidance", __doc__)
    parser.add_argument("name", help="a causal model")
    parser.add_argument("--pieces", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--data", help="the pieces that the model was taught, as in hymns:FILE")
    strengths = f"{FIRST.strength}, with --again {AGAIN.strength}"
    parser.add_argument("--strength", type=float, help=strengths)
    parser.add_argument("--again", action="store_true", help="add to what there is")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    devices.use_threads(1)
    model = catalogue.find(args.name)
    fitted = AGAIN if args.again else FIRST
    weights = dict(_known(model)) if args.again else {}
    forms = dataset.load(args.data).pieces["train"] if args.data else ()
    others = pieces_of(fitted, model, args.pieces, args.number, forms)
    found = fit(forms or _bach(), others)
    print(report(found))
    strength = fitted.strength if args.strength is None else args.strength
    for name, weight in found.weights.items():
        weights[name] = weights.get(name, 0.0) + strength * weight
    if args.store:
        stored = Discriminator(weights, checkpoint.weights_sha256(model)).to_json()
        write_bytes(model / DISCRIMINATOR, stored.encode())


def _known(model: Path) -> Mapping[str, float]:
    known = discriminator.known(load_model(str(model)))
    if known is None:
        raise UsageError(
            f"{model.name} has no {DISCRIMINATOR} of its weights, which --again adds to: fit it "
            "first, without --again"
        )
    return known.weights


def _bach() -> list[Chorale]:
    return [*material.bach("train"), *material.bach("valid")]


if __name__ == "__main__":
    sys.exit(main())
