"""Quality of harmonisations: one uncurated sample for each melody, beside Bach's own.

    python -m training.harmonising [--models NAME[:QUALITY] ...] [--split test] [--pieces N]
        [--keep] [--folder FOLDER]

The melodies are the sopranos of JSB16, which has neither keys nor fermatas nor bar lines. A model
is given the soprano, its length, its estimated key, and the meter and the pickup of the bundled
chorale where it is found (``training.melodies.bar_lines``). Seeds are 0, 1, 2 ...; all else is a
default of ``musicrel.harmonise``: ranges of a choir, last chords requested where the melody allows
them. Nothing is selected or left out. Some melodies have the tune of a piece
that models were trained with; the clean ones have rows of their own. Writes
``training/results/harmonise.json`` and ``harmonise.md``; ``--keep`` keeps the figures of other
writers there. Pieces are kept in ``--folder`` and read from there when the command is repeated.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import musicrel
from musicrel import paths
from musicrel.analysis import corpus_profile, grade_reference, memorisation
from musicrel.analysis.corpus_profile import COPIED_STEPS
from musicrel.chorale import Chorale
from musicrel.corpus import bundled, jsb
from musicrel.errors import MusicrelError
from training.melodies import bar_lines
from training.pieces.kept_pieces import KeptPieces

WRITERS: Final = (
    "relative",
    "vanilla",
    "relative-infill:normal",
    "vanilla-infill:normal",
    "relative-infill:draft",
    "relative-infill:high",
)
"""Models, with their quality setting if it applies and is not the default."""

_RESULTS: Final = Path(__file__).parent / "results"
_COLUMNS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "pieces": lambda f: str(f["pieces"]),
    "parallels": lambda f: f"{f['parallels']:.1f}",
    "without %": lambda f: f"{f['clean']:.0f}",
    "crossing %": lambda f: f"{f['crossing']:.2f}",
    "spacing %": lambda f: f"{f['spacing']:.2f}",
    "grade": lambda f: f"{f['grade']:.2f}",
    "copied %": lambda f: f"{f['copied']:.2f}",
    "on tonic %": lambda f: f"{f['cadence']:.0f}",
    "authentic %": lambda f: f"{f['closes'].get('authentic', 0):.0f}",
}
_MEANS: Final = (
    "Parallels: fifths, octaves and unisons per 1,000 notes; without: pieces with none. Grade: "
    "median, lower is nearer to Bach. Copied: two-bar chunks that are in the bundled training "
    "chorales. On tonic: the last chord is the tonic triad. Authentic: the last cadence; both are "
    "requested where the melody allows them. Clean: melodies with less than 15 % of their "
    "8-interval runs in any bundled training piece."
)
_CLEAN: Final = "{writer}, clean"


def harmonised(
    writer: str, melodies: Sequence[Chorale], folder: Path | None
) -> tuple[list[Chorale], str]:
    """Harmonise each melody; return the pieces, and the model's SHA-256."""
    name, _, quality = writer.partition(":")
    model = musicrel.load_model(name)
    level = quality or "normal"
    kept = KeptPieces.of(folder, name, model.sha256, f"melodies-{level}")
    pieces = [
        kept.piece(seed, partial(musicrel.harmonise, melody, model=model, seed=seed, quality=level))
        for seed, melody in enumerate(melodies)
    ]
    return pieces, model.sha256


def measure(
    writers: Sequence[str], melodies: Sequence[Chorale], folder: Path | None = None
) -> dict[str, Any]:
    """Measure all figures, by the writer of the voices; of all melodies and of the clean ones."""
    reference, train = grade_reference.load().reference, bundled.load("train")
    known = memorisation.chunk_set(train, COPIED_STEPS)
    is_clean = [share < bar_lines.CLEAN for share in bar_lines.shares(melodies, train)]

    def profiles(writer: str, pieces: Sequence[Chorale]) -> dict[str, Any]:
        clean = list(itertools.compress(pieces, is_clean))
        parts = {writer: pieces} | ({_CLEAN.format(writer=writer): clean} if clean else {})
        return {
            name: asdict(corpus_profile.profile(part, reference, known))
            for name, part in parts.items()
        }

    figures = profiles("Bach", melodies)
    for writer in writers:
        pieces, sha256 = harmonised(writer, melodies, folder)
        found = profiles(writer, pieces)
        found[writer]["sha256"] = sha256
        print(writer, found, flush=True)
        figures |= found
    return figures


def shared_tunes(melodies: Sequence[Chorale]) -> dict[str, float]:
    """Return the share of runs of each melody that has the tune of a training piece, by title."""
    found = zip(melodies, bar_lines.shares(melodies, bundled.load("train")), strict=True)
    return {melody.title: share for melody, share in found if share >= bar_lines.SHARED_TUNE}


def report(figures: Mapping[str, Any], shared: Mapping[str, float], command: str) -> str:
    """Format the figures, and the melodies that share their tune with training, as Markdown."""
    machine = f"{platform.system()}, Python {platform.python_version()}, CPU, one thread"
    rows = [[name, *(cell(entry) for cell in _COLUMNS.values())] for name, entry in figures.items()]
    table = [
        "| " + " | ".join(cells) + " |"
        for cells in (["", *_COLUMNS], ["---", *["---:"] * len(_COLUMNS)], *rows)
    ]
    head = (
        f"`{command}`, {machine}. Sopranos of JSB16, given only the melody, its length, bar lines "
        "and estimated key; "
        "one sample each, seeds from 0 on, all else as by default; no piece was left out."
    )
    named = ", ".join(
        f"{title.removeprefix('JSB16 ')} ({share:.0%})" for title, share in shared.items()
    )
    tunes = (
        f"{len(shared)} melodies have the tune of a bundled training piece in another setting, by "
        f"{bar_lines.SHARED_TUNE:.0%} or more of their 8-interval runs: {named}."
    )
    lines = ["# How well melodies are harmonised", "", head, "", *table, "", _MEANS, "", tunes]
    return "\n".join(lines) + "\n"


def main(words: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.harmonising")
    parser.add_argument("--models", nargs="+", default=list(WRITERS))
    parser.add_argument("--split", choices=("valid", "test"), default="test")
    parser.add_argument("--pieces", type=int, default=None)
    parser.add_argument("--keep", action="store_true", help="keep the figures of other writers")
    parser.add_argument("--folder", type=Path, help="pieces are kept there; the command resumes")
    args = parser.parse_args(words)
    try:
        of_splits = jsb.read(paths.shared_data() / "jsb" / jsb.FILE_NAME)
        chorales = [piece for pieces in bundled.load_all().values() for piece in pieces]
        melodies = bar_lines.with_bar_lines(of_splits[args.split][: args.pieces], chorales)
        figures = measure(args.models, melodies, args.folder)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    if args.split != "test" or args.pieces is not None:
        return 0  # a trial: the results are those of the whole test split
    if args.keep:
        figures = json.loads((_RESULTS / "harmonise.json").read_text("utf-8"))["figures"] | figures
    writers = [name for name in figures if "sha256" in figures[name]]
    command = f"python -m training.harmonising --models {' '.join(writers)}"
    shared = shared_tunes(melodies)
    content = json.dumps({"command": command, "figures": figures, "shared": shared}, indent=1)
    paths.write_text(_RESULTS / "harmonise.json", content + "\n")
    paths.write_text(_RESULTS / "harmonise.md", report(figures, shared, command))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
