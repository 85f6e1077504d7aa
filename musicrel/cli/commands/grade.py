"""``musicrel grade``: measure how close chorales come to Bach."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any, Final

from musicrel.analysis import assessment, bach_rates, grade_reference
from musicrel.analysis.assessment import Assessment
from musicrel.analysis.grade_reference import BachScores, GradeReference
from musicrel.analysis.voice_leading import Rates
from musicrel.cli import output
from musicrel.cli.options import arguments, rule_table, source_file
from musicrel.corpus import bundled
from musicrel.errors import FileError, MusicrelError
from musicrel.paths import resolved
from musicrel.score import files

_HEAD: Final = ("grade", "parallels", "crossing %", "spacing %", "notes")
_PREFERRED: Final = ".json"
"""The only lossless format: of files of one name in a folder, this one is read."""


@dataclass(frozen=True, slots=True)
class _Skipped:
    """A file that could not be graded, and the reason."""

    file: Path
    reason: str


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="FILE|DIR",
        help="a chorale, or a folder of chorales; of files in it that differ in their suffix "
        "alone, one is read",
    )
    parser.add_argument(
        "--reference",
        default="jsb16",
        help="the reference: jsb16 (bundled counts of the published training split), chorales (the "
        "bundled training split) or jsb:FILE (default: jsb16)",
    )
    parser.add_argument(
        "--rules", action="store_true", help="also print the rate at which each rule is broken"
    )
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Grade the chorales; return the exit code."""
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
    if options.json:
        output.print_json(_to_json(graded, skipped, measure))
    else:
        output.print_text(_text(graded, measure.bach))
        if options.rules:
            output.print_text(f"\n{rule_table.text(piece.rates for piece in graded.values())}")
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
    """List the chorales in ``folder``, one file of each stem."""
    try:
        inside = [path for path in folder.iterdir() if path.suffix.lower() in files.READABLE]
    except OSError as reason:
        raise FileError(f"cannot read {folder}: {reason.strerror or reason}") from reason
    if not inside:
        expected = ", ".join(files.READABLE)
        raise FileError(f"{folder} holds no chorale: expected files that end in {expected}")
    inside.sort(key=lambda path: (path.stem, path.suffix.lower() != _PREFERRED, path.suffix))
    by_stem: dict[str, Path] = {}
    for path in inside:
        by_stem.setdefault(path.stem, path)
    return list(by_stem.values())


def _report_skipped(skipped: Sequence[_Skipped], *, left: int) -> None:
    """Print the names of skipped files."""
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
        "bach": asdict(measure.bach) | {"rules": _rules(bach_rates.load())},
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
    """Format the table, the meaning of its columns, and Bach's own figures."""
    lengths = next(iter(graded.values())).memorisation
    head = ["file", *_HEAD, *(f"{bars} bar{'s' * (bars > 1)} %" for bars in lengths)]
    rows = [[str(path), *_cells(piece)] for path, piece in graded.items()]
    middle = median(piece.grade.total for piece in graded.values())
    pieces = f"{len(graded)} piece{'s' * (len(graded) != 1)}"
    lines = (
        output.table(*_aligned(head, rows)),
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


def _aligned(head: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Right-align every column but the first."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    first, *others = [
        [row[0], *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        for row in (head, *rows)
    ]
    return first, others
