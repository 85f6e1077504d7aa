"""Comparison of our MusicXML reader with music21's, on scores of music21's corpus.

    python -m training.corpus_reading [--pieces 200] [--seed 0] [--differences FILE]

The scores are drawn from the MusicXML files of the installed package, which are never copied. Both
readings are made of the same things: notes at sounding pitch with ties joined (*pitches* are those
of all notes, *onsets* with their starts, *durations* with their ends as well; grace notes and
percussion are left out), the first signature (its mode if it has one), the first meter, the length
of an incomplete first measure, and the sixteenths under fermatas, of which the upper one counts
where several overlap. *Four voices* is the imported piece against ``training.music21_reader``, for
the scores that this reader accepts.

``--differences`` writes a line for each aspect that differs, with an example and our report.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from music21 import corpus

from training.corpus_reading.comparison import compare, differences, table

SUFFIXES: Final = (".mxl", ".xml", ".musicxml")


def draw(pieces: int, seed: int) -> list[Path]:
    """Draw scores of the installed corpus."""
    paths = sorted(
        Path(path) for path in corpus.getCorePaths() if Path(path).suffix.lower() in SUFFIXES
    )
    return sorted(random.Random(seed).sample(paths, min(pieces, len(paths))))  # noqa: S311


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table, and write the differences."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--pieces", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--differences", type=Path)
    options = parser.parse_args(arguments)
    compared = [compare(path) for path in draw(options.pieces, options.seed)]
    comparisons = [found for found in compared if found is not None]
    print(table(comparisons))
    print(f"\nmusic21 cannot read {len(compared) - len(comparisons)} of the scores")
    lines = list(differences(comparisons))
    if options.differences:
        options.differences.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{len(lines)} differences and refusals")


if __name__ == "__main__":
    main()
