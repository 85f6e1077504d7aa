"""``musicrel grade``: how near chorales come to Bach.

This file knows arguments, files and tables; the measures are ``musicrel.analysis``'s.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from musicrel.cli import output
from musicrel.cli.options import arguments, rule_table
from musicrel.errors import FileError, MusicrelError

if TYPE_CHECKING:
    from musicrel.analysis.assessment import Assessment
    from musicrel.analysis.grade_reference import BachsFigures, Yardstick
    from musicrel.analysis.voice_leading import Rates

_HEAD: Final = ("grade", "parallels", "crossing %", "spacing %", "notes")
_WHOLEST: Final = ".json"
"""The format that keeps all of a piece: of files of one name in a folder, this one is read."""


@dataclass(frozen=True, slots=True)
class _Skipped:
    """A file that gave no chorale, and why."""

    file: Path
    reason: str


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "paths",
        nargs="+",
        type=Path,
        metavar="FILE|DIR",
        help="a chorale, or a folder of them; of files there that differ in their suffix only, "
        "one is read",
    )
    parser.add_argument(
        "--reference",
        default="jsb16",
        help="what to compare with: jsb16 (shipped counts of the published training split), "
        "chorales (the bundled training split) or jsb:FILE (default: jsb16)",
    )
    parser.add_argument(
        "--rules", action="store_true", help="tell how often each rule is broken, beside Bach"
    )
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Grade; the exit code."""
    from musicrel.analysis import assessment, grade_reference
    from musicrel.corpus import bundled
    from musicrel.score import files

    measure = grade_reference.load(asked.reference)
    known = assessment.heard(bundled.load("train"))
    found = list(_files(asked.paths, files.READABLE))
    graded: dict[Path, Assessment] = {}
    skipped = [item for item in found if isinstance(item, _Skipped)]
    with output.Progress("grading", len(found), "pieces") as progress:
        for done, path in enumerate(item for item in found if isinstance(item, Path)):
            progress.reach(done)
            try:
                graded[path] = assessment.assess(files.read(path), measure.reference, known)
            except MusicrelError as reason:
                skipped.append(_Skipped(path, str(reason)))
    _report_skipped(skipped, left=len(graded))
    if asked.json:
        output.say_json(_result(graded, skipped, measure))
    else:
        output.say(_text(graded, measure.bach))
        if asked.rules:
            output.say(f"\n{rule_table.text(piece.rates for piece in graded.values())}")
    return 0


def _files(given: Iterable[Path], suffixes: Sequence[str]) -> Iterator[Path | _Skipped]:
    """The files to be read, those of folders by name, each once."""
    seen = set()
    for path in given:
        try:
            of_path = _in_folder(path, suffixes) if path.is_dir() else [path]
        except FileError as reason:
            yield _Skipped(path, str(reason))
            continue
        for file in of_path:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _in_folder(folder: Path, suffixes: Sequence[str]) -> list[Path]:
    """The chorales in ``folder``, one of all formats of a name.

    Raises:
        FileError: it cannot be listed, or nothing in it looks like a chorale.
    """
    try:
        inside = [path for path in folder.iterdir() if path.suffix.lower() in suffixes]
    except OSError as reason:
        raise FileError(f"cannot read {folder}: {reason.strerror or reason}") from reason
    if not inside:
        expected = ", ".join(suffixes)
        raise FileError(f"{folder} holds no chorale: expected files that end in {expected}")
    inside.sort(key=lambda path: (path.stem, path.suffix.lower() != _WHOLEST, path.suffix))
    by_stem: dict[str, Path] = {}
    for path in inside:
        by_stem.setdefault(path.stem, path)
    return list(by_stem.values())


def _report_skipped(skipped: Sequence[_Skipped], *, left: int) -> None:
    """Name what was skipped.

    Raises:
        FileError: nothing was left.
    """
    if not left and len(skipped) == 1:
        raise FileError(skipped[0].reason)
    for item in skipped:
        output.note(f"skipped: {item.reason}")
    if not left:
        raise FileError(f"none of the {len(skipped)} files and folders gave a chorale to grade")


def _result(
    graded: dict[Path, Assessment], skipped: Sequence[_Skipped], measure: Yardstick
) -> dict[str, Any]:
    from musicrel.analysis import bach_rates

    return {
        "median": median(piece.grade.total for piece in graded.values()),
        "reference": measure.reference.title,
        "bach": asdict(measure.bach) | {"rules": _rules(bach_rates.load())},
        "pieces": [{"file": str(path), **_of_piece(piece)} for path, piece in graded.items()],
        "skipped": [{"file": str(item.file), "reason": item.reason} for item in skipped],
    }


def _of_piece(piece: Assessment) -> dict[str, Any]:
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
    """The rate of each rule in its own unit."""
    return {rule: rates.of(rule) for rule in rates.counts}


def _text(graded: dict[Path, Assessment], bach: BachsFigures) -> str:
    """The table, what its columns mean, and Bach's own figures."""
    bars = list(next(iter(graded.values())).memorisation)
    head = ["file", *_HEAD, *(f"{n} bar{'s' * (n > 1)} %" for n in bars)]
    rows = [[str(path), *_cells(piece)] for path, piece in graded.items()]
    middle = median(piece.grade.total for piece in graded.values())
    pieces = f"{len(graded)} piece{'s' * (len(graded) != 1)}"
    lines = (
        output.table(*_aligned(head, rows)),
        f"median grade of {pieces}: {middle:.2f} (lower is nearer; short pieces grade worse)",
        _bach_line(bach),
        "parallels per 1,000 notes; bars: how much is in the bundled training chorales, in any key",
    )
    return "\n".join(lines)


def _bach_line(bach: BachsFigures) -> str:
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
    """The same with every column but the first as wide as its longest entry, to the right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    first, *others = [
        [row[0], *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        for row in (head, *rows)
    ]
    return first, others
