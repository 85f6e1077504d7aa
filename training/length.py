"""Quality at the end of long pieces, compared with their beginning.

    python -m training.length [--models NAME ...] [--pieces 20]

Pieces are twice as long as the sequences the models were trained on, with seeds 0, 1, 2 ...,
requested and sampled as in ``training.quality``. Their last quarter is compared with their first:
bars that repeat one of the same quarter, and parallel fifths, octaves and unisons. A rate is stable
if the last quarter's is at most ``MAX_RATIO`` times the first's. Bach's own pieces of that length
are the baseline. Writes ``training/results/length.json`` and ``length.md``.

Dimensions: P pieces, R replicates.
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
from musicrel.presentation.words.markdown import table
from musicrel.tokens.codec import VOICES
from training.quality import SAMPLING, written

MODELS: Final = ("vanilla", "relative")
MAX_RATIO: Final = 1.3
LONGER: Final = 2
"""Multiple of the trained length."""

RateOf = Callable[[Chorale], tuple[float, float]]
"""Returns the numerator and the denominator of a rate for a piece."""


def _repeated(piece: Chorale) -> tuple[float, float]:
    bars = piece.steps // Meter().steps
    return corpus_profile.repeated_bars([piece]) * bars, bars


def _parallels(piece: Chorale) -> tuple[float, float]:
    rates = voice_leading.rates(piece)
    return rates.parallels * rates.notes, rates.notes


RATES: Final[Mapping[str, RateOf]] = {
    "repeated bars, %": _repeated,
    "parallels per 1,000 notes": _parallels,
}
Array = npt.NDArray[np.float64]
_DRAWS: Final = 10_000
_ENDS: Final = (0.025, 0.975)
_RESULTS: Final = Path(__file__).parent / "results"
_HEAD: Final = ("", "rate", "first quarter", "last quarter", "difference, 95 % CI", "stable")
_MADE: Final = (
    "`{command}`, {machine}. {pieces} pieces of each model, {bars} bars of 4/4 long: twice what it "
    "was trained on; nothing requested but the length, rules off but range and hold legality, "
    "temperature {temperature}, top-p {top_p}, quality {quality}; no piece was left out. Bach: "
    "the first {bars} bars of the bundled test pieces in 4/4 that have as many."
)
_MEANING: Final = (
    "Stable: the rate of the last quarter is at most {most} times that of the first. Repeated: "
    "bars that came before within the same quarter. The interval is a bootstrap over pieces."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
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
    def is_stable(self) -> bool:
        """Return True if the last quarter's rate is at most ``MAX_RATIO`` times the first's."""
        return self.last <= MAX_RATIO * self.first


def measure_ends(pieces: Sequence[Chorale], rate: RateOf) -> Ends:
    """Measure a rate at both ends of ``pieces``; the interval is a bootstrap over pieces."""
    each = np.array(  # (P, 4): found and among, at the beginning and at the end
        [(*rate(quarter(piece, 0)), *rate(quarter(piece, 3))) for piece in pieces]
    )
    rng = np.random.default_rng(0)
    even = np.full(len(pieces), 1 / len(pieces))
    drawn = rng.multinomial(len(pieces), even, size=_DRAWS)  # (R, P)
    first, last = _rates(each.sum(0, keepdims=True))
    firsts, lasts = _rates(drawn @ each)
    low, high = np.quantile(lasts - firsts, _ENDS)
    return Ends(first=float(first[0]), last=float(last[0]), low=float(low), high=float(high))


def _rates(sums: Array) -> tuple[Array, Array]:
    return sums[:, 0] / sums[:, 1], sums[:, 2] / sums[:, 3]


def quarter(piece: Chorale, place: int) -> Chorale:
    """Return a quarter of the piece, 0 to 3."""
    each = piece.steps // 4
    return piece.cropped(place * each, (place + 1) * each)


def bars_of(model: musicrel.LoadedModel) -> int:
    """Return the bars of 4/4 in ``LONGER`` times the sequences the model was trained on."""
    return LONGER * model.config.trained_length // (VOICES * Meter().steps)


def bach(bars: int) -> list[Chorale]:
    """Return the first ``bars`` bars of the test pieces in 4/4 that have as many."""
    found = []
    for piece in bundled.load("test"):
        stop = piece.pickup + bars * Meter().steps
        if piece.meter == Meter() and piece.steps >= stop:
            found.append(piece.cropped(piece.pickup, stop))
    return found


def measure(names: Sequence[str], pieces: int) -> tuple[dict[str, dict[str, Ends]], int]:
    """Measure the rates of Bach and of each model; return them by name, and the bars of a piece."""
    models = [musicrel.load_model(name) for name in names]
    bars = max(bars_of(model) for model in models)
    found = {"Bach": {name: measure_ends(bach(bars), rate) for name, rate in RATES.items()}}
    for model in models:
        songs = list(written(model, [bars_of(model)] * pieces, 0, **SAMPLING))
        found[model.name] = {name: measure_ends(songs, rate) for name, rate in RATES.items()}
        print(model.name, found[model.name], flush=True)
    return found, bars


def report(found: Mapping[str, Mapping[str, Ends]], bars: int, pieces: int, command: str) -> str:
    """Format the figures as Markdown."""
    rows = [
        (
            name,
            rate,
            f"{ends.first:.1f}",
            f"{ends.last:.1f}",
            f"{ends.last - ends.first:+.1f} ({ends.low:+.1f} to {ends.high:+.1f})",
            "yes" if ends.is_stable else "no",
        )
        for name, rates in found.items()
        for rate, ends in rates.items()
    ]
    machine = f"{platform.system()}, Python {platform.python_version()}, CPU"
    made = _MADE.format(command=command, machine=machine, pieces=pieces, bars=bars, **SAMPLING)
    lines = ["# The ends of long pieces", "", made, "", *table(_HEAD, rows), ""]
    return "\n".join([*lines, _MEANING.format(most=MAX_RATIO)]) + "\n"


def main(words: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.length")
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--pieces", type=int, default=20)
    args = parser.parse_args(words)
    try:
        found, bars = measure(args.models, args.pieces)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    command = f"python -m training.length --pieces {args.pieces}"
    figures = {
        name: {rate: asdict(ends) | {"holds": ends.is_stable} for rate, ends in rates.items()}
        for name, rates in found.items()
    }
    content = {"command": command, "sampling": SAMPLING, "bars": bars, "figures": figures}
    paths.write_text(_RESULTS / "length.json", json.dumps(content, indent=1) + "\n")
    paths.write_text(_RESULTS / "length.md", report(found, bars, args.pieces, command))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
