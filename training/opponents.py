"""Training data of the critic's second class: JS Fakes and pieces of our own models, in one file.

    python -m training.opponents [--out runs/opponents.npz]

The models write with ``SAMPLING``, with the lengths of the pieces of each
split of the bundled corpus in turn and seeds of their own for each split: the same pieces every
time on the same machine. The file has the format of the corpus; the title of a piece is its kind.
It is not shipped: JS Fakes (Peracha 2021, arXiv 2107.10388, CC BY 4.0) are read from the shared
folder. ``musicrel.experiment.data.critic_data`` uses it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import musicrel
from musicrel import jobs, paths
from musicrel.analysis.corpus import bundled
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import Chorale
from musicrel.generation.causal.batch import CausalBatch
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.request import GenerationRequest
from training import reports
from training.examination import material

OPPONENTS_FILE: Final = "runs/opponents.npz"
"""Default output, read by the shipped recipe of the critic."""
MODELS: Final = ("vanilla", "relative")
SAMPLING: Final[dict[str, Any]] = {"temperature": 1.0, "top_p": 0.9, "quality": "normal"}
"""The defaults of the program."""
FAKES: Final = "JS Fakes"
PIECES: Final[dict[Split, int]] = {"train": 320, "valid": 60, "test": 60}
"""Of each model."""
_SEEDS: Final[dict[Split, int]] = {"train": 100_000, "valid": 200_000, "test": 300_000}
"""The first of each split; ``training.quality`` has those below 20,000."""
_FAKES: Final[dict[Split, slice]] = {
    "train": slice(400), "valid": slice(400, 450), "test": slice(450, 500),
}  # fmt: skip
_AT_ONCE: Final = 16


def opponents(split: Split) -> list[Chorale]:
    fakes = material.js_fakes()[_FAKES[split]]
    found = [Chorale.of(piece.pitches, title=FAKES) for piece in fakes]
    for name in MODELS:
        bars = material.cycled(material.lengths(bundled.load(split)), PIECES[split])
        found += written(name, bars, _SEEDS[split])
        print(f"{split}: {len(found)} pieces, the last of {name}", flush=True)
    return found


def written(name: str, bars: Sequence[int], first_seed: int) -> Iterator[Chorale]:
    """Yield a piece of the model ``name`` for each entry of ``bars``, the short ones first."""
    model = musicrel.load_model(name)
    planned = sorted((length, seed) for seed, length in enumerate(bars, start=first_seed))
    for length, group in groupby(planned, key=lambda plan: plan[0]):
        request = GenerationRequest(bars=length, **SAMPLING)
        constraints = Constraints.of(request, model.vocabulary)
        seeds = [seed for _, seed in group]
        for first in range(0, len(seeds), _AT_ONCE):
            some = seeds[first : first + _AT_ONCE]
            ids, _ = jobs.run(CausalBatch(model, request, constraints, some).run())
            for row in ids:
                piece = model.decode(row, like=request.plan())
                yield Chorale.of(piece.pitches, onsets=piece.onsets, title=name)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("opponents", __doc__)
    parser.add_argument("--out", type=Path, default=Path(OPPONENTS_FILE))
    out: Path = parser.parse_args(words).out
    paths.require_writable(out.parent)
    paths.write_bytes(out, bundled.pack({split: opponents(split) for split in SPLITS}))


if __name__ == "__main__":
    sys.exit(main())
