"""Quality of models: uncurated pieces or harmonisations of each, beside Bach and an imitation.

    python -m training.quality [--models NAME ...] [--pieces 100] [--folder FOLDER] [--store]
    python -m training.quality --melodies [--models NAME[:QUALITY] ...] [--split valid] ...

New pieces have the lengths of the test split in turn; all else is a default of
``musicrel.generate``: models with the conditions draw phrases, pickup and key with the seed. With
``--melodies`` the sopranos of JSB16 are harmonised, which has neither keys nor fermatas nor bar
lines: a model is given the melody, its length, its estimated key, and the meter and the pickup of
the bundled chorale where it is found (``training.bar_lines``); all else is a default of
``musicrel.harmonise``. Some melodies have the tune of a training piece; the clean ones have rows of
their own. Seeds are 0, 1, 2 ...; nothing is selected or left out. Pieces are kept in ``--folder``
and read from there when the command is repeated. ``--store`` adds the figures to
``training/results/quality.json`` and ``quality.md``.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

import musicrel
from musicrel import paths
from musicrel.analysis import grade_reference, memorisation
from musicrel.analysis.corpus import bundled, jsb
from musicrel.chorale import Chorale
from training import bar_lines, corpus_profile, reports
from training.corpus_profile import COPIED_STEPS
from training.examination import material

MODELS: Final = (
    "vanilla", "relative", "vanilla-infill", "relative-infill", "vanilla-jsb", "relative-jsb"
)  # fmt: skip
WRITERS: Final = ("relative", "vanilla", "relative-infill", "vanilla-infill")
_COLUMNS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "pieces": lambda f: str(f["pieces"]),
    "grade": lambda f: f"{f['grade']:.2f}",
    "parallels": lambda f: f"{f['parallels']:.1f}",
    "without %": lambda f: f"{f['clean']:.0f}",
    "crossing %": lambda f: f"{f['crossing']:.2f}",
    "spacing %": lambda f: f"{f['spacing']:.2f}",
    "copied %": lambda f: f"{f['copied']:.2f}",
    "on tonic %": lambda f: f"{f['cadence']:.0f}",
    "authentic %": lambda f: f"{f['authentic']:.0f}",
}
_MEANS: Final = (
    "One sample for each length or melody, seeds from 0 on, all else as by default; no piece was "
    "left out. Grade: median, lower is nearer to Bach. Parallels: fifths, octaves and unisons per "
    "1,000 notes; without: pieces with none. Copied: two-bar chunks that are in the bundled "
    "training chorales, in any key. On tonic: the last chord is the tonic triad. Authentic: the "
    "last cadence; in melodies both are requested where they allow them. Clean: melodies with less "
    "than 15 % of their 8-interval runs in any bundled training piece."
)


def _table(_section: str, figures: Mapping[str, Any]) -> str:
    rows = [[name, *(cell(entry) for cell in _COLUMNS.values())] for name, entry in figures.items()]
    return reports.table(["", *_COLUMNS], rows)


PAGE: Final = reports.Page("quality", "How well the models write", _MEANS, _table)


class Profiles:
    """The figures of pieces beside the grade's reference and the training chorales."""

    def __init__(self) -> None:
        self._reference = grade_reference.load().reference
        self._known = memorisation.chunk_set(bundled.load("train"), COPIED_STEPS)

    def of(self, pieces: Sequence[Chorale]) -> dict[str, Any]:
        return asdict(corpus_profile.profile(pieces, self._reference, self._known))


def kept(folder: Path | None, number: int, make: Callable[[], Chorale]) -> Chorale:
    if folder is None:
        return make()
    file = folder / f"{number:03}.json"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        make().write(file)
    return Chorale.read(file)


def written(
    writer: str, task: str, folder: Path | None, given: Iterable[Any], write: Callable[..., Chorale]
) -> tuple[list[Chorale], str]:
    """Write a piece of each of the given bars or melodies; return them and the model's SHA-256.

    Pieces of other weights, tasks and qualities are kept in other folders.
    """
    name, _, quality = writer.partition(":")
    model, level = musicrel.load_model(name), quality or "normal"
    place = folder / f"{Path(name).name}-{model.sha256[:8]}-{task}-{level}" if folder else None
    pieces = [
        kept(place, seed, partial(write, one, model=model, seed=seed, quality=level))
        for seed, one in enumerate(given)
    ]
    return pieces, model.sha256


def _generated(bars: int, **options: Any) -> Chorale:
    piece: Chorale = musicrel.generate(bars=bars, **options)
    return piece


def new_pieces(
    writers: Sequence[str], pieces: int, folder: Path | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the figures of music to compare with, and of new pieces, by name."""
    profiles = Profiles()
    for name, music in _baselines().items():
        yield name, profiles.of(music)
    bars = material.cycled(material.lengths(bundled.load("test")), pieces)
    for writer in writers:
        found, sha256 = written(writer, "new", folder, bars, _generated)
        yield writer, profiles.of(found) | {"sha256": sha256}


def harmonisations(
    writers: Sequence[str], melodies: Sequence[Chorale], folder: Path | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the figures of Bach's voices and of each writer's; of all melodies, of clean ones."""
    profiles, shares = Profiles(), bar_lines.shares(melodies, bundled.load("train"))
    is_clean = [share < bar_lines.CLEAN for share in shares]
    shared = sum(share >= bar_lines.SHARED_TUNE for share in shares)
    print(f"{shared} melodies have the tune of a bundled training piece in another setting")
    for writer in ("Bach", *writers):
        pieces, sha256 = (
            (list(melodies), "")
            if writer == "Bach"
            else written(writer, "melodies", folder, melodies, musicrel.harmonise)
        )
        yield writer, profiles.of(pieces) | {"sha256": sha256}
        if any(is_clean):
            yield f"{writer}, clean", profiles.of(list(itertools.compress(pieces, is_clean)))


def _baselines() -> dict[str, list[Chorale]]:
    """Collect the music to compare with: the bundled test split, and the shared data sets."""
    found = {"Bach, bundled test": bundled.load("test")}
    published = paths.shared_data() / "jsb" / jsb.FILE_NAME
    if published.exists():
        found["Bach, JSB16 test"] = jsb.read(published)["test"]
    if material.FAKES.exists():
        found["JS Fakes"] = material.js_fakes()
    return found


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("quality", __doc__)
    parser.add_argument("--models", nargs="+")
    parser.add_argument("--pieces", type=int, help="default: 100, or all melodies")
    parser.add_argument("--melodies", action="store_true")
    parser.add_argument("--split", choices=("valid", "test"), default="test", help="of melodies")
    parser.add_argument("--folder", type=Path, help="pieces are kept there; the command resumes")
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    if args.melodies:
        section = f"Melodies of JSB16, {args.split}"
        pieces = jsb.read(paths.shared_data() / "jsb" / jsb.FILE_NAME)[args.split]
        chorales = [piece for some in bundled.load_all().values() for piece in some]
        melodies = bar_lines.with_bar_lines(pieces[: args.pieces], chorales)
        rows = harmonisations(args.models or WRITERS, melodies, args.folder)
    else:
        section = "New pieces"
        rows = new_pieces(args.models or MODELS, args.pieces or 100, args.folder)
    found = {}
    for name, figures in rows:
        print(name, figures, flush=True)
        found[name] = figures
    if args.store:
        PAGE.store(section, reports.command("quality", words), found)


if __name__ == "__main__":
    sys.exit(main())
