"""Examination: how well three classifiers distinguish pieces from Bach's.

    python -m training.discriminator --set G [--split test] [--crop whole] PIECES ...
    python -m training.discriminator --set G --model NAME [--device cuda] [--keep FOLDER]
    python -m training.discriminator --set G --harmonise NAME [--keep FOLDER]
    python -m training.discriminator --set L PIECES ...
    python -m training.discriminator --set G --power
    python -m training.discriminator --targets PIECES ...

PIECES are folders that ``musicrel generate --format json`` or ``--keep`` wrote; the name of the
folder is that of the writer. Set G guides decisions and is used on validation; set R only reports,
on the test split once, at the end. Set L is the likelihood profile (``examination.likelihood``),
without n-grams; its first row is Bach's other split, which has to look alike. The sets share no
feature and no seed. Bach's pieces are those
of the split in the meters of the others. The area under the ROC curve is 0.5 for a guess; in
brackets is its interval by bootstrap over tunes. ``--targets`` measures lines, rhythm, form and
endings instead, by no set; with ``--model`` or ``--harmonise`` it needs one, for the seeds of the
pieces. ``--store`` adds the figures to ``training/results/examination.json`` and ``.md``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import Split
from musicrel.chorale import Chorale
from musicrel.model import devices
from training import reports
from training.examination import material, targets
from training.examination.examination import Examination, examine
from training.examination.features import FIRST_SEED, LIKELIHOOD, SETS, FeatureSet
from training.examination.power import power
from training.examination.samples import Crop, grouped

_SPLITS: Final[dict[str, Split]] = {"validation": "valid", "test": "test"}
_OTHER_SPLITS: Final[dict[str, Split]] = {"validation": "test", "test": "valid"}


def examined(pieces: Sequence[Chorale], which: FeatureSet, split: Split, crop: Crop) -> Examination:
    """Examine pieces beside those of a split in the same meters, all without repeats."""
    meters = {piece.meter for piece in pieces}
    bach = [piece for piece in bundled.load(split) if piece.meter in meters]
    own, others = (list(map(material.played_once, some)) for some in (bach, pieces))
    return examine(*grouped(own, others, crop), which)


def writers(args: argparse.Namespace) -> dict[str, list[Chorale]]:
    """Return the pieces to examine by writer, those of models written now."""
    split = _SPLITS[args.split]
    found = {"Bach": bundled.load(_OTHER_SPLITS[args.split])} if args.set == LIKELIHOOD else {}
    found |= {folder.absolute().name: material.read_folder(folder) for folder in args.folders}
    if args.model:
        seed = FIRST_SEED[args.set]
        pieces = material.composed(args.model, split, args.pieces, seed, args.device)
        found[args.model] = _kept(pieces, args.keep)
    if args.harmonise:
        pieces = material.harmonised(args.harmonise, split, FIRST_SEED[args.set])
        found[f"{args.harmonise}, melodies"] = _kept(pieces, args.keep)
    return found


def _kept(pieces: Iterator[Chorale], folder: Path | None) -> list[Chorale]:
    return list(material.kept(pieces, folder) if folder else pieces)


def _targets(args: argparse.Namespace) -> dict[str, Any]:
    bach = [*material.bach("valid"), *material.bach("test")]
    return {
        name: {target: asdict(one) for target, one in targets.row(pieces).items()}
        for name, pieces in ({"Bach": bach} | writers(args)).items()
    }


def _examinations(args: argparse.Namespace) -> dict[str, Any]:
    if args.power:
        return {name: asdict(one) for name, one in power(args.set, args.crop).items()}
    return {
        name: asdict(examined(pieces, args.set, _SPLITS[args.split], args.crop))
        for name, pieces in writers(args).items()
    }


def parser() -> argparse.ArgumentParser:
    made = reports.parser("discriminator", __doc__)
    made.add_argument("folders", nargs="*", type=Path, metavar="PIECES")
    made.add_argument("--set", choices=(*SETS, LIKELIHOOD))
    made.add_argument("--split", choices=_SPLITS, default="validation")
    made.add_argument("--crop", choices=("8", "whole"), default="8")
    made.add_argument("--model", metavar="NAME")
    made.add_argument("--harmonise", metavar="NAME")
    made.add_argument("--pieces", type=int, default=100)
    made.add_argument("--device", default="cpu", help="on which --model writes")
    made.add_argument("--keep", type=Path, metavar="FOLDER")
    made.add_argument("--power", action="store_true")
    made.add_argument("--targets", action="store_true")
    made.add_argument("--store", action="store_true")
    return made


def _check(args: argparse.Namespace) -> None:
    """Leave with a sentence if the arguments do not fit together."""
    writes = bool(args.model or args.harmonise)
    if not (args.folders or writes or args.power):
        parser().error("nothing to examine: give folders, --model, --harmonise or --power")
    if args.set is None and (writes or not args.targets):
        parser().error("no set: give --set G or --set R, except for the --targets of folders")
    if args.keep and args.model and args.harmonise:
        parser().error("--keep takes pieces of one writer: give --model or --harmonise, not both")
    if args.power and args.set == LIKELIHOOD:
        parser().error("--power is for sets G and R; Bach's other split is the first row of set L")
    if args.power and args.targets:
        parser().error("--power and --targets are two commands: give one of them")


TARGETS: Final = "Targets"
"""Section of the measures that need no set."""


def _areas(found: Mapping[str, Mapping[str, Any]]) -> str:
    names = list(next(iter(found.values()))["areas"])
    rows = [
        [writer, *map(_area, entry["areas"].values()), str(entry["others"]), str(entry["bach"])]
        for writer, entry in found.items()
    ]
    return reports.table(["", *names, "samples", "Bach's"], rows)


def examinations(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table of the areas, then of the features that give each writer away."""
    parts = [_areas(found)]
    for writer, entry in found.items():
        cells = [
            [one["name"], f"{one['weight']:.2f}", f"{one['other']:.3g}", f"{one['bach']:.3g}"]
            for one in entry["giveaways"]
        ]
        parts.append(
            reports.table([f"gives {writer} away", "log-odds", "its mean", "Bach's"], cells)
        )
    return "\n\n".join(parts)


def targets_table(found: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Return a table with a row for each target and a column for each writer.

    Stored writers may lack a target that was added later: their cell is empty.
    """
    names = dict.fromkeys(name for entry in found.values() for name in entry)
    rows = [
        [name, *(_target(entry[name]) if name in entry else "" for entry in found.values())]
        for name in names
    ]
    return reports.table(["", *found], rows)


def _section(which: str, split: str, crop: str, *, is_power: bool) -> str:
    part = "8-bar crops" if crop == "8" else "whole pieces"
    return f"{'Power of' if is_power else 'Set'} {which}, {split}, {part}"


def _area(found: Mapping[str, float]) -> str:
    value, low, high = (f"{found[x]:.2f}".removeprefix("0") for x in ("value", "low", "high"))
    return f"{value} ({low} to {high})"


def _target(found: Mapping[str, float]) -> str:
    return f"{found['value']:.2f} ({found['low']:.2f} to {found['high']:.2f})"


def _body(title: str, figures: Mapping[str, Any]) -> str:
    tables = {"Power": _areas, "Set": examinations, TARGETS: targets_table}
    return tables[title.split(maxsplit=1)[0]](figures)


PAGE: Final = reports.Page(
    "examination",
    "Examination",
    "Areas under the ROC curve of three classifiers that try to distinguish pieces from Bach's; "
    "0.5 is a guess. In brackets, here and beside the targets, the 95 % interval by bootstrap over "
    "tunes. Bach against Bach is the mean of five draws, with the least and the greatest in "
    "brackets. Areas of random divisions of Bach's own tunes have a standard deviation of .07, so "
    "differences below .05 to .07 mean nothing. Set G guides decisions, R only "
    "reports; L is the likelihood profile.",
    _body,
)


@reports.script
def main(words: Sequence[str]) -> None:
    args = parser().parse_args(words)
    _check(args)
    devices.use_threads(1)
    if args.targets:
        section, found, shown = TARGETS, _targets(args), targets_table
    else:
        section = _section(args.set, args.split, args.crop, is_power=args.power)
        found = _examinations(args)
        shown = _areas if args.power else examinations
    if args.store:
        PAGE.store(section, reports.command("discriminator", words), found)
    print(shown(found))


if __name__ == "__main__":
    sys.exit(main())
