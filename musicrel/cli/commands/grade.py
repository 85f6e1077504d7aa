"""``musicrel grade``: measure how close chorales come to Bach."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from musicrel.analysis import assessment, grade_reference, voice_leading
from musicrel.analysis.assessment import Assessment
from musicrel.analysis.grade_reference import BachScores, GradeReference
from musicrel.analysis.rules import RULES
from musicrel.analysis.voice_leading import Rates
from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.cli.options.arguments import argument, flag
from musicrel.corpus import bundled
from musicrel.errors import FileError, MusicrelError
from musicrel.paths import explained, resolved
from musicrel.score import files

_HEAD: Final = ("grade", "parallels", "crossing %", "spacing %", "notes")
# The only lossless format: of files of one name in a folder, this one is read.
_PREFERRED: Final = ".json"


@dataclass(frozen=True, slots=True)
class _Skipped:
    file: Path
    reason: str


def add(parser: argparse.ArgumentParser) -> None:
    paths = argument(
        "paths",
        "a chorale, or a folder of chorales; of files in it that differ in their suffix alone, one "
        "is read",
        Path,
        nargs="+",
        metavar="FILE|DIR",
    )
    reference = argument(
        "--reference",
        "the reference: jsb16 (bundled counts of the published training split), chorales (the "
        "bundled training split) or jsb:FILE",
        default="jsb16",
    )
    rules = flag("--rules", "also print the rate at which each rule is broken")
    arguments.add(parser, (paths, reference, rules, arguments.JSON))


def run(options: argparse.Namespace) -> int:
    measure = grade_reference.load(options.reference)
    known = assessment.known_chunks(bundled.load("train"))
    found = list(_files(options.paths))
    graded: dict[Path, Assessment] = {}
    reports: dict[Path, tuple[str, ...]] = {}
    skipped = [item for item in found if isinstance(item, _Skipped)]
    with output.ProgressBar("grading", len(found), "pieces") as bar:
        for done, path in enumerate(item for item in found if isinstance(item, Path)):
            bar.set_done(done)
            try:
                read = source_file.load(path)
                graded[path] = assessment.assess(read.chorale, measure.reference, known)
                reports[path] = read.report
            except MusicrelError as reason:
                skipped.append(_Skipped(path, str(reason)))
    _report_skipped(skipped, left=len(graded))
    output.report(f"{path}: {change}" for path, report in reports.items() for change in report)
    text = _text(graded, measure.bach)
    if options.rules:
        text += f"\n\n{_rule_table([piece.rates for piece in graded.values()])}"
    output.print_result(_to_json(graded, skipped, measure), text, as_json=options.json)
    return 0


def _files(paths: Iterable[Path]) -> Iterator[Path | _Skipped]:
    """Yield the files to read, each once; those of a folder in the order of their names."""
    seen = set()
    for path in paths:
        try:
            inside = _chorales_in(path) if path.is_dir() else [path]
        except FileError as reason:
            yield _Skipped(path, str(reason))
            continue
        for file in inside:
            if resolved(file) not in seen:
                seen.add(resolved(file))
                yield file


def _chorales_in(folder: Path) -> list[Path]:
    with explained(f"read {folder}"):
        inside = [path for path in folder.iterdir() if path.suffix.lower() in files.READABLE]
    if not inside:
        expected = ", ".join(files.READABLE)
        raise FileError(f"{folder} holds no chorale: expected files that end in {expected}")
    inside.sort(key=lambda path: (path.stem, path.suffix.lower() != _PREFERRED, path.suffix))
    by_stem: dict[str, Path] = {}
    for path in inside:
        by_stem.setdefault(path.stem, path)
    return list(by_stem.values())


def _report_skipped(skipped: Sequence[_Skipped], *, left: int) -> None:
    if not left and len(skipped) == 1:
        raise FileError(skipped[0].reason)
    for item in skipped:
        output.print_message(f"skipped: {item.reason}")
    if not left:
        raise FileError(f"none of the {len(skipped)} files and folders holds a chorale to grade")


def _to_json(
    graded: dict[Path, Assessment], skipped: Sequence[_Skipped], measure: GradeReference
) -> dict[str, Any]:
    return {
        "median": median(piece.grade.total for piece in graded.values()),
        "reference": measure.reference.title,
        "bach": asdict(measure.bach) | {"rules": _rules(voice_leading.bach_rates())},
        "pieces": [{"file": str(path), **_piece_json(piece)} for path, piece in graded.items()],
        "skipped": [{"file": str(item.file), "reason": item.reason} for item in skipped],
    }


def _piece_json(piece: Assessment) -> dict[str, Any]:
    return {
        "grade": piece.grade.total,
        "features": dict(piece.grade.features),
        "parallels": piece.rates.parallels,
        "crossing": piece.rates.crossing,
        "spacing": piece.rates.spacing,
        "notes": piece.rates.notes,
        "rules": _rules(piece.rates),
        "memorisation": {str(bars): share for bars, share in piece.memorisation.items()},
    }


def _rules(rates: Rates) -> dict[str, float]:
    return {rule: rates.of(rule) for rule in rates.counts}


def _text(graded: dict[Path, Assessment], bach: BachScores) -> str:
    lengths = next(iter(graded.values())).memorisation
    head = ["file", *_HEAD, *(f"{bars} bar{'s' * (bars > 1)} %" for bars in lengths)]
    rows = [[str(path), *_cells(piece)] for path, piece in graded.items()]
    middle = median(piece.grade.total for piece in graded.values())
    pieces = f"{len(graded)} piece{'s' * (len(graded) != 1)}"
    lines = (
        output.table(head, rows, right=range(1, len(head))),
        f"median grade of {pieces}: {middle:.2f} (lower is closer; short pieces grade worse)",
        _bach_line(bach),
        "parallels per 1,000 notes; bars: share copied from the bundled training chorales, any key",
    )
    return "\n".join(lines)


def _bach_line(bach: BachScores) -> str:
    return (
        f"Bach himself: grade {bach.grade:.2f}, parallels {bach.parallels:.2f}, crossing "
        f"{bach.crossing:.2f} %, spacing {bach.spacing:.2f} % ({bach.title}, {bach.pieces} pieces)"
    )


def _cells(piece: Assessment) -> list[str]:
    rates = piece.rates
    shares = [f"{100 * share:.2f}" for share in piece.memorisation.values()]
    figures = (piece.grade.total, rates.parallels, rates.crossing, rates.spacing)
    return [*(f"{figure:.2f}" for figure in figures), str(rates.notes), *shares]


def _rule_table(rates: Sequence[Rates]) -> str:
    """Format the rates at which rules are broken, the pieces taken together, beside Bach's."""
    here, bach = _total(rates), voice_leading.bach_rates()
    rows = [
        (RULES[rule].title, f"{here.of(rule):.2f}", f"{bach.of(rule):.2f}", RULES[rule].unit.value)
        for rule in here.counts
    ]
    return output.table(("rule", "here", "Bach", "unit"), rows)


def _total(rates: Sequence[Rates]) -> Rates:
    def added(each: Sequence[Mapping[str, int]]) -> dict[str, int]:
        return {rule: sum(piece[rule] for piece in each) for rule in rates[0].counts}

    return Rates(
        notes=sum(piece.notes for piece in rates),
        steps=sum(piece.steps for piece in rates),
        counts=added([piece.counts for piece in rates]),
        lengths=added([piece.lengths for piece in rates]),
    )
