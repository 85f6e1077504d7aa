"""Fit the discriminator that guides the search of a causal model, in two parts.

    python -m training.guidance NAME --pieces FOLDER [--number 300] [--strength 1.7] [--store]
    python -m training.guidance NAME --networks --pieces FOLDER [--strength 2] [--store]

The first part is a logistic regression on counts of features, fitted to pieces of the model without
a discriminator. The second part is networks that read the notes, trained on pieces of the model
with the first part; another first part needs them again. The pieces are in FOLDER; they are written
first if it is missing. Bach's side is the chorales in four quarters of training and validation;
test is not read. With ten particles a search reaches only a part of what the log-odds ask for:
``--strength`` multiplies them. ``--store`` writes the part beside the model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
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
_STRENGTHS: Final = f"{COUNTS.strength}; {NETWORK.strength} with --networks"


def pieces_without(part: Part, model: Path, folder: Path, number: int) -> list[Chorale]:
    if not folder.exists():
        with tempfile.TemporaryDirectory() as place:
            plain = Path(place) / model.name
            shutil.copytree(model, plain, ignore=shutil.ignore_patterns(*part.absent))
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
        f"{bach} crops of Bach, {others} of the model, {len(found.weights):,} features",
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
    parser.add_argument("--strength", type=float, help=_STRENGTHS)
    parser.add_argument("--networks", action="store_true", help="fit the networks")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    devices.use_threads(1)
    model = catalogue.find(args.name)
    part = NETWORK if args.networks else COUNTS
    _check(model, part)
    others = pieces_without(part, model, args.pieces, args.number)
    fitted = _networks if args.networks else _counts
    stored = fitted(model, others, part.strength if args.strength is None else args.strength)
    if args.store:
        for file in part.absent:
            (model / file).unlink(missing_ok=True)  # networks belong to their counts
        write_bytes(model / part.file, stored)


def _check(model: Path, part: Part) -> None:
    if part is NETWORK and discriminator.known(load_model(str(model))) is None:
        raise UsageError(
            f"{model.name} has no {DISCRIMINATOR} of its weights, which networks complete: fit it "
            "first, without --networks"
        )


def _counts(model: Path, others: Sequence[Chorale], strength: float) -> bytes:
    """Fit and report the regression on counts; return the content of its file."""
    found = fit(_bach(), others)
    print(report(found))
    weights = {name: strength * weight for name, weight in found.weights.items()}
    return Discriminator(weights, checkpoint.weights_sha256(model)).to_json().encode()


def _networks(model: Path, others: Sequence[Chorale], strength: float) -> bytes:
    """Train and report the networks; return the content of their file."""
    found = network_fit.fit(_bach(), others)
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
