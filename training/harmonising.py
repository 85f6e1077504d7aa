"""Quality of harmonisations: one uncurated sample for each melody, beside Bach's own.

    python -m training.harmonising [--models NAME[:QUALITY] ...] [--split test] [--pieces N]
        [--keep]

The melodies are the sopranos of JSB16, which has neither keys nor fermatas nor bar lines. A model
is given the soprano, its length, its estimated key, and the meter and the pickup of the bundled
chorale where it is found (``training.melodies.bar_lines``). Seeds are 0, 1, 2 ..., temperature 1,
all rules off but hold legality; nothing is selected or left out. The last chords are requested, as
by default (``musicrel.generation.constraints.last_chord``). Some melodies have the tune of a piece
that models were trained with; the clean ones have rows of their own. Writes
``training/results/harmonise.json`` and ``harmonise.md``; ``--keep`` keeps the figures of other
writers there.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import musicrel
from musicrel import jobs, paths
from musicrel.analysis import corpus_profile, grade_reference, memorisation
from musicrel.analysis.corpus_profile import COPIED_STEPS
from musicrel.chorale import Chorale
from musicrel.corpus import bundled, jsb
from musicrel.errors import MusicrelError
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from training.melodies import bar_lines

WRITERS: Final = (
    "relative-infill:draft",
    "relative-infill:normal",
    "relative-infill:high",
    "vanilla-infill:normal",
    "relative",
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
    "seconds": lambda f: f"{f['seconds']:.2f}" if "seconds" in f else "",
}
_MEANS: Final = (
    "Parallels: fifths, octaves and unisons per 1,000 notes; without: pieces with none. Grade: "
    "median, lower is nearer to Bach. Copied: two-bar chunks that are in the bundled training "
    "chorales. On tonic: the last chord is the tonic triad. Authentic: the last cadence; both are "
    "requested where the melody allows them. Seconds: median per piece. Clean: melodies with less "
    "than 15 % of their 8-interval runs in any bundled training piece."
)
_CLEAN: Final = "{writer}, clean"


def harmonised(writer: str, melodies: Sequence[Chorale]) -> tuple[list[Chorale], list[float], str]:
    """Harmonise each melody; return the pieces, the seconds of each, and the model's SHA-256."""
    name, _, quality = writer.partition(":")
    model = musicrel.load_model(name)
    made, seconds = [], []
    for seed, melody in enumerate(melodies):
        request = edit_requests.harmony_request(
            melody, seed=seed, rules=(), quality=quality or "normal"
        )
        found = jobs.run(candidate_job.generate_candidates(model, request, 1))
        made.append(found.ranked[0].chorale)
        seconds.append(found.seconds)
    return made, seconds, model.sha256


def measure(writers: Sequence[str], melodies: Sequence[Chorale]) -> dict[str, Any]:
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
        pieces, seconds, sha256 = harmonised(writer, melodies)
        found = profiles(writer, pieces)
        found[writer] |= {"seconds": statistics.median(seconds), "sha256": sha256}
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
        "one sample each, seeds from 0 on, temperature 1, rules off; no piece was left out."
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
    args = parser.parse_args(words)
    try:
        of_splits = jsb.read(paths.shared_data() / "jsb" / jsb.FILE_NAME)
        chorales = [piece for pieces in bundled.load_all().values() for piece in pieces]
        melodies = bar_lines.with_bar_lines(of_splits[args.split][: args.pieces], chorales)
        figures = measure(args.models, melodies)
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
