"""The worth of each part of the search: pieces without it, examined like those with all of it.

    python -m training.search_ablation [--model relative] [--pieces 100] [--only NAME ...]
        [--folder FOLDER] [--store]

Each row writes new pieces with one part switched off, with the lengths of the validation chorales
and the seeds of set G; all else is a default of ``musicrel.generate``. A row has the areas of set G
and of the likelihood profile (set L, logistic regression), rates of broken rules, and the processor
seconds a piece. Pieces are kept in ``--folder`` and read from there when the command is repeated;
seconds are those of pieces that were just written. ``--store`` adds the figures to
``training/results/search_ablation.json`` and ``.md``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

import musicrel
from musicrel.chorale import Chorale
from musicrel.generation.causal import potentials, recurrence
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import Floats
from musicrel.model import devices
from musicrel.model.tokens import codec
from training import discriminator, reports
from training.examination import material, targets
from training.examination.features import FIRST_SEED, LIKELIHOOD
from training.quality import kept

_SEED: Final = FIRST_SEED["G"]
_RATES: Final = (
    "parallels per 1,000 notes",
    "untreated 6-4 per 100 beats",
    "cross relations per 1,000 sixteenths",
    "sevenths that resolve, %",
    "phrase ends that close, %",
    "phrase ends on a triad in root position, %",
    "pieces in their own key by estimate, %",
)
"""Targets that the search cares for."""
SECONDS: Final = "seconds a piece"


class Part(NamedTuple):
    """A value of a module on which a part of the search depends, and that without this part."""

    module: Any
    name: str
    without: object


def _nothing(ids: codec.Ids, *_: object, **__: object) -> Floats:
    return np.zeros(len(ids))


def _no_choices(written: Any, *_: object) -> Floats:
    return np.zeros(len(written.ids_BN))


PARTS: Final[Mapping[str, Part]] = {
    "legality and likelihood": Part(potentials, "of_choices", _no_choices),
    "likelihood": Part(potentials, "_SHARPER", 0.0),
    **{
        title: Part(potentials, name, _nothing)
        for title, name in {
            "parallels": "parallels",
            "6-4 chords": "six_fours",
            "sevenths": "unresolved_sevenths",
            "cross relations": "simultaneous_cross_relations",
            "key": "key_evidence",
            "discriminator": "discriminator_logit",
            "cadences": "cadence",
            "chords at phrase ends": "unstable_chords",
            "chords before cadences": "before_cadence",
        }.items()
    },
    "recurring notes": Part(
        recurrence, "NATS", {voice: 0.0 * nats for voice, nats in recurrence.NATS.items()}
    ),
    "recurring rhythm": Part(recurrence, "RHYTHM_NATS_R", 0.0 * recurrence.RHYTHM_NATS_R),
}
"""Title -> what is switched off."""


@contextmanager
def without(part: Part | None) -> Iterator[None]:
    """Switch a part of the search off within the block; None: nothing."""
    if part is None:
        yield
        return
    before = getattr(part.module, part.name)
    setattr(part.module, part.name, part.without)
    try:
        yield
    finally:
        setattr(part.module, part.name, before)


ROWS: Final[Mapping[str, tuple[Part | None, Literal["draft", "normal"]]]] = {
    "all parts": (None, "normal"),
    **{f"without {title}": (part, "normal") for title, part in PARTS.items()},
    "without a search": (None, "draft"),
}
"""Row -> the part that is switched off, and the quality of its pieces."""


def written(
    row: str, model: LoadedModel, number: int, folder: Path | None
) -> tuple[list[Chorale], float]:
    """Return the pieces of a row, and the mean processor seconds of those written now."""
    part, quality = ROWS[row]
    place = folder / row.replace(" ", "-") if folder else None
    seconds: list[float] = []

    def timed(bars: int, seed: int) -> Chorale:
        began = time.process_time()
        piece: Chorale = musicrel.generate(model, bars=bars, seed=seed, quality=quality)
        seconds.append(time.process_time() - began)
        return piece

    lengths = material.cycled(material.lengths(material.bach("valid")), number)
    with without(part):
        pieces = [kept(place, n, partial(timed, bars, _SEED + n)) for n, bars in enumerate(lengths)]
    return pieces, sum(seconds) / len(seconds) if seconds else float("nan")


def figures(pieces: Sequence[Chorale], seconds: float) -> dict[str, float]:
    found = discriminator.examined(pieces, "G", "valid", "8").areas
    profile = discriminator.examined(pieces, LIKELIHOOD, "valid", "8").areas
    areas = {name: area.value for name, area in found.items()}
    rates = targets.row(pieces)
    return {
        **areas,
        "likelihood profile": next(iter(profile.values())).value,
        **{name: rates[name].value for name in _RATES},
        SECONDS: seconds,
    }


def _table(_section: str, found: Mapping[str, Mapping[str, float]]) -> str:
    names = list(next(iter(found.values())))
    rows = [[row, *(f"{entry[name]:.2f}" for name in names)] for row, entry in found.items()]
    return reports.table(["", *names], rows)


PAGE: Final = reports.Page(
    "search_ablation",
    "Parts of the search",
    "New pieces without one part of the search. Areas under the ROC curve of set G and of the "
    "likelihood profile against Bach's validation chorales; their intervals are about .07 wide on "
    "either side, so that smaller differences mean nothing.",
    _table,
)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("search_ablation", __doc__)
    parser.add_argument("--model", default="relative", metavar="NAME")
    parser.add_argument("--pieces", type=int, default=100)
    parser.add_argument("--only", nargs="+", choices=ROWS, default=[*ROWS], metavar="ROW")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    devices.use_threads(1)
    model, found = musicrel.load_model(args.model), {}
    for row in args.only:
        found[row] = figures(*written(row, model, args.pieces, args.folder))
        print(_table("", {row: found[row]}), flush=True)
        if args.store:
            line = reports.command("search_ablation", words)
            PAGE.store(f"{args.model}, {args.pieces} pieces", line, {row: found[row]})
    print(_table("", found))


if __name__ == "__main__":
    sys.exit(main())
