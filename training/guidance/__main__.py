"""Fit the discriminator that guides the search of a causal model, in two parts.

    python -m training.guidance NAME --pieces FOLDER [--number 300] [--strength 1.7] [--store]
    python -m training.guidance NAME --networks --pieces FOLDER [--strength 2] [--store]
    python -m training.guidance NAME --again --pieces FOLDER [--strength 1] [--store]

The first part is a logistic regression on counts of features, fitted to pieces of the model without
a discriminator. The second part is networks that read the notes, trained on pieces of the model
with the first part; another first part needs them again. ``--again`` adds to the first part what
a regression still finds in pieces with both: a few particles reach only a part of what the log-odds
ask for, and other changes of the search move what they write. The pieces are in FOLDER; they are
written first if it is missing. Bach's side is the chorales in four quarters of training and
validation; test is not read. For a model that was taught other pieces, ``--data``, it is those of
training, and the model writes pieces in their forms. ``--strength`` multiplies the fitted log-odds.
``--store`` writes the part beside the model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.training import teaching
from musicrel.generation.discriminator import discriminator, network
from musicrel.generation.discriminator.discriminator import Discriminator
from musicrel.generation.loaded_model import load_model
from musicrel.model import catalogue, checkpoint, devices
from musicrel.model.companions import DISCRIMINATOR, NETWORKS
from musicrel.paths import write_bytes
from training import reports
from training.examination import material
from training.guidance import network_fit
from training.guidance.fit import Fit, fit

_SHOWN: Final = 20


class Part(NamedTuple):
    file: str  # name of its file beside the model
    absent: tuple[str, ...]  # files there that are not used for the model's pieces
    first_seed: int  # the first seed of the pieces; no set of the examination has it
    strength: float  # default factor of the log-odds


COUNTS: Final = Part(DISCRIMINATOR, (DISCRIMINATOR, NETWORKS), first_seed=900_000, strength=1.7)
NETWORK: Final = Part(NETWORKS, (NETWORKS,), first_seed=960_000, strength=2.0)
AGAIN: Final = Part(DISCRIMINATOR, (), first_seed=1_000_000, strength=1.0)
_STRENGTHS: Final = (
    f"{COUNTS.strength}; {NETWORK.strength} with --networks, {AGAIN.strength} with --again"
)


def pieces_without(
    part: Part, model: Path, folder: Path, number: int, forms: Sequence[Chorale] = ()
) -> list[Chorale]:
    if not folder.exists():
        with tempfile.TemporaryDirectory() as place:
            plain = Path(place) / model.name
            shutil.copytree(model, plain, ignore=shutil.ignore_patterns(*part.absent))
            if forms:
                taught = teaching.write_pieces(load_model(str(plain)), forms, number)
                made = iter(jobs.run(taught))
            else:
                made = material.composed(str(plain), "valid", number, part.first_seed)
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
    parser.add_argument("--strength", type=float, help=_STRENGTHS)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--networks", action="store_true", help="fit the networks")
    which.add_argument("--again", action="store_true", help="add to the counts")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    devices.use_threads(1)
    model = catalogue.find(args.name)
    part = NETWORK if args.networks else AGAIN if args.again else COUNTS
    before = _known(model, part)
    forms = dataset.load(args.data).pieces["train"] if args.data else ()
    others = pieces_without(part, model, args.pieces, args.number, forms)
    strength = part.strength if args.strength is None else args.strength
    fitted = _networks if args.networks else partial(_counts, before=before)
    stored = fitted(model, forms or _bach(), others, strength)
    if args.store:
        for file in part.absent:
            (model / file).unlink(missing_ok=True)  # networks belong to their counts
        write_bytes(model / part.file, stored)


def _known(model: Path, part: Part) -> Mapping[str, float]:
    """Return the weights of the counts that a part completes."""
    if part is COUNTS:
        return {}
    known = discriminator.known(load_model(str(model)))
    if known is None:
        raise UsageError(
            f"{model.name} has no {DISCRIMINATOR} of its weights, which --networks and --again "
            "complete: fit it first, without them"
        )
    return known.weights


def _counts(
    model: Path,
    real: Sequence[Chorale],
    others: Sequence[Chorale],
    strength: float,
    before: Mapping[str, float],
) -> bytes:
    """Fit and report the regression on counts; return the content of its file."""
    found = fit(real, others)
    print(report(found))
    weights = dict(before)
    for name, weight in found.weights.items():
        weights[name] = weights.get(name, 0.0) + strength * weight
    return Discriminator(weights, checkpoint.weights_sha256(model)).to_json().encode()


def _networks(
    model: Path, real: Sequence[Chorale], others: Sequence[Chorale], strength: float
) -> bytes:
    """Train and report the networks; return the content of their file."""
    found = network_fit.fit(real, others)
    print(
        f"{len(found.networks)} networks, held out: area {found.area:.3f}, log loss "
        f"{found.log_loss:.4f}; log-odds scaled by {found.slope:.2f}"
    )
    networks = [each.multiplied(strength) for each in found.networks]
    return network.content(networks, checkpoint.weights_sha256(model))


def _bach() -> list[Chorale]:
    return [*material.bach("train"), *material.bach("valid")]


if __name__ == "__main__":
    sys.exit(main())
