"""Whether models write as well at the end of long pieces as at their beginning.

    python -m training.length [--models NAME ...] [--pieces 20]

Pieces are twice as long as the sequences the models were trained on, with seeds 0, 1, 2 ..., asked
for and sampled as in ``training.quality``. Their last quarter is held against their first: bars
that came before within the same quarter, and parallel fifths, octaves and unisons. A rate has held
when the last quarter's is at most ``MOST`` times the first's. Bach's own pieces, as far as they are
as long, stand beside. Writes ``training/results/length.json`` and ``length.md``.

Dimensions: P pieces, R replicates.

This file knows what is compared; what is measured stands in ``musicrel.analysis``.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel import paths
from musicrel.analysis import corpus_profile, voice_leading
from musicrel.chorale import Chorale, Meter
from musicrel.corpus import bundled
from musicrel.errors import MusicrelError
from musicrel.presentation.study.published_report import table
from musicrel.tokens.codec import VOICES
from training.quality import SAMPLING, written

MODELS: Final = ("vanilla", "relative")
MOST: Final = 1.3
LONGER: Final = 2
"""Times the trained length."""

Counted = Callable[[Chorale], tuple[float, float]]
"""How much of something is in a piece, and among how many."""


def _repeated(piece: Chorale) -> tuple[float, float]:
    bars = piece.steps // Meter().steps
    return corpus_profile.repeated_bars([piece]) * bars, bars


def _parallels(piece: Chorale) -> tuple[float, float]:
    rates = voice_leading.rates(piece)
    return rates.parallels * rates.notes, rates.notes


RATES: Final[Mapping[str, Counted]] = {
    "repeated bars, %": _repeated,
    "parallels per 1,000 notes": _parallels,
}
Array = npt.NDArray[np.float64]
_DRAWS: Final = 10_000
_ENDS: Final = (0.025, 0.975)
_RESULTS: Final = Path(__file__).parent / "results"
_HEAD: Final = ("", "rate", "first quarter", "last quarter", "difference, 95 % CI", "held")
_MADE: Final = (
    "`{command}`, {machine}. {pieces} pieces of each model, {bars} bars of 4/4 long: twice what it "
    "was trained on; nothing asked for but the length, rules off but range and hold legality, "
    "temperature {temperature}, top-p {top_p}, patience {patience}; no piece was left out. Bach: "
    "the first {bars} bars of the bundled test pieces in 4/4 that have as many."
)
_MEANING: Final = (
    "Held: the rate of the last quarter is at most {most} times that of the first. Repeated: bars "
    "that came before within the same quarter. The interval is a bootstrap over pieces."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A rate of the first and of the last quarter of some pieces.

    Attributes:
        first: of the first quarter.
        last: of the last one.
        low: lower end of the 95 % interval of last - first.
        high: its upper end.
    """

    first: float
    last: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the last quarter's is at most ``MOST`` times the first's."""
        return self.last <= MOST * self.first


def held(pieces: Sequence[Chorale], counted: Counted) -> Held:
    """Measure a rate at both ends of ``pieces``; the interval draws pieces with replacement."""
    each = np.array(  # (P, 4): found and among, at the beginning and at the end
        [(*counted(quarter(piece, 0)), *counted(quarter(piece, 3))) for piece in pieces]
    )
    rng = np.random.default_rng(0)
    even = np.full(len(pieces), 1 / len(pieces))
    drawn = rng.multinomial(len(pieces), even, size=_DRAWS)  # (R, P)
    first, last = _rates(each.sum(0, keepdims=True))
    firsts, lasts = _rates(drawn @ each)
    low, high = np.quantile(lasts - firsts, _ENDS)
    return Held(first=float(first[0]), last=float(last[0]), low=float(low), high=float(high))


def _rates(sums: Array) -> tuple[Array, Array]:
    return sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]


def quarter(piece: Chorale, place: int) -> Chorale:
    """A quarter of the piece, 0 to 3."""
    each = piece.steps // 4
    return piece.cropped(place * each, (place + 1) * each)


def bars_of(model: musicrel.LoadedModel) -> int:
    """Bars of 4/4 in ``LONGER`` times the sequences the model was trained on."""
    return LONGER * model.network.config.trained_length // (VOICES * Meter().steps)


def bach(bars: int) -> list[Chorale]:
    """The first ``bars`` bars of the test pieces in 4/4 that have so many."""
    found = []
    for piece in bundled.load("test"):
        stop = piece.pickup + bars * Meter().steps
        if piece.meter == Meter() and piece.steps >= stop:
            found.append(piece.cropped(piece.pickup, stop))
    return found


def measure(names: Sequence[str], pieces: int) -> tuple[dict[str, dict[str, Held]], int]:
    """The rates of Bach and of each model by name, and the bars of a piece."""
    models = [musicrel.load_model(name) for name in names]
    bars = max(bars_of(model) for model in models)
    found = {"Bach": {name: held(bach(bars), counted) for name, counted in RATES.items()}}
    for model in models:
        songs = list(written(model, [bars_of(model)] * pieces, 0, **SAMPLING))
        found[model.name] = {name: held(songs, counted) for name, counted in RATES.items()}
        print(model.name, found[model.name], flush=True)
    return found, bars


def report(found: Mapping[str, Mapping[str, Held]], bars: int, pieces: int, command: str) -> str:
    """The figures as Markdown."""
    rows = [
        (
            name,
            rate,
            f"{told.first:.1f}",
            f"{told.last:.1f}",
            f"{told.last - told.first:+.1f} ({told.low:+.1f} to {told.high:+.1f})",
            "yes" if told.holds else "no",
        )
        for name, rates in found.items()
        for rate, told in rates.items()
    ]
    machine = f"{platform.system()}, Python {platform.python_version()}, CPU"
    made = _MADE.format(command=command, machine=machine, pieces=pieces, bars=bars, **SAMPLING)
    lines = ["# The ends of long pieces", "", made, "", *table(_HEAD, rows), ""]
    return "\n".join([*lines, _MEANING.format(most=MOST)]) + "\n"


def main(words: list[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.length")
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--pieces", type=int, default=20)
    asked = parser.parse_args(words)
    try:
        found, bars = measure(asked.models, asked.pieces)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    command = f"python -m training.length --pieces {asked.pieces}"
    figures = {
        name: {rate: asdict(told) | {"holds": told.holds} for rate, told in rates.items()}
        for name, rates in found.items()
    }
    content = {"command": command, "sampling": SAMPLING, "bars": bars, "figures": figures}
    paths.write_text(_RESULTS / "length.json", json.dumps(content, indent=1) + "\n")
    paths.write_text(_RESULTS / "length.md", report(found, bars, asked.pieces, command))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
