"""Statistics of a corpus: meters, keys, phrases, fermatas, overlaps between splits.

Pure functions from chorales to numbers and Markdown tables, without files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from musicrel.analysis import memorisation
from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.corpus.splits import SPLITS, Split

Pieces = Mapping[Split, list[Chorale]]


def size_table(pieces: Pieces) -> str:
    """Format the sizes of each split as Markdown.

    Transpositions are those of ``Chorale.shifts``.
    """
    rows = [
        "| split | pieces | steps | notes | rests | one key only | transpositions | their steps |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for split in SPLITS:
        group = pieces[split]
        rows.append(
            f"| {split} | {len(group)} | {sum(c.steps for c in group):,} "
            f"| {sum(int(c.onsets.sum()) for c in group):,} "
            f"| {sum(int((c.pitches < 0).sum()) for c in group):,} "
            f"| {sum(len(c.shifts()) == 1 for c in group)} "
            f"| {sum(len(c.shifts()) for c in group):,} "
            f"| {sum(c.steps * len(c.shifts()) for c in group):,} |"
        )
    return "\n".join(rows)


def overlap_table(rows: Iterable[tuple[str, list[Chorale], str, list[Chorale]]]) -> str:
    """Format the shares of the chunks of one set found in another, as Markdown.

    Args:
        rows: (name, chorales, name of the reference, reference).
    """
    lengths = memorisation.CHUNK_STEPS
    lines = [
        "| chunks of | found in | " + " | ".join(f"{n} steps" for n in lengths) + " |",
        "|---|---|" + "---|" * len(lengths),
    ]
    for name, chorales, reference_name, reference in rows:
        shares = [
            memorisation.count_found(chorales, memorisation.chunk_set(reference, n), n).share
            for n in lengths
        ]
        cells = " | ".join(f"{share:.2%}" for share in shares)
        lines.append(f"| {name} | {reference_name} | {cells} |")
    return "\n".join(lines)


def fact_list(chorales: list[Chorale]) -> str:
    """Format meters, pickups, keys, lengths, fermatas and phrases as a Markdown list."""
    fermatas = [fermata_lengths(c) for c in chorales]
    phrases = [length for c in chorales for length in phrase_lengths(c)]
    steps = sum(c.steps for c in chorales)
    held = sum(int(c.fermatas.sum()) for c in chorales)
    facts = {
        "meters": _counts(str(c.meter) for c in chorales),
        "pickups (steps)": _counts(f"{c.pickup} in {c.meter}" for c in chorales),
        "keys": _counts(str(c.key) for c in chorales),
        "steps a piece": _spread([c.steps for c in chorales]),
        "bars a piece": _spread([c.bars for c in chorales]),
        "steps under a fermata": f"{held / steps:.1%}",
        "pieces without a fermata": str(sum(not lengths for lengths in fermatas)),
        "fermatas (steps)": _counts(length for lengths in fermatas for length in lengths),
        "last fermata (steps)": _counts(lengths[-1] for lengths in fermatas if lengths),
        "pieces that end under a fermata": str(sum(bool(c.fermatas[-1]) for c in chorales)),
        "phrases a piece": _counts(len(phrase_lengths(c)) for c in chorales),
        "phrases (steps, from after a fermata to the end of the next)": _counts(phrases),
        "place in the bar (4/4) where fermatas begin": _counts(
            place for c in chorales if str(c.meter) == "4/4" for place in _fermata_places(c)
        ),
    }
    return "\n".join(f"- {name}: {text}" for name, text in facts.items())


def fermata_lengths(chorale: Chorale) -> list[int]:
    """Return the steps of each fermata; two that touch count as one."""
    starts, ends = _fermata_bounds(chorale)
    return [int(length) for length in ends - starts]


def phrase_lengths(chorale: Chorale) -> list[int]:
    """Return the steps from the end of a fermata (or the beginning) to the end of the next."""
    _, ends = _fermata_bounds(chorale)
    return [int(length) for length in np.diff(ends, prepend=0)]


def _fermata_bounds(chorale: Chorale) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    padded = np.concatenate([[False], chorale.fermatas, [False]])
    onsets = np.flatnonzero(padded[1:] & ~padded[:-1])
    ends = np.flatnonzero(padded[:-1] & ~padded[1:])
    return onsets, ends


def _fermata_places(chorale: Chorale) -> list[str]:
    starts, _ = _fermata_bounds(chorale)
    beats = chorale.bar_positions()[starts] / STEPS_PER_QUARTER + 1
    return [f"beat {beat:g}" for beat in beats]


def _counts(values: Iterable[Hashable]) -> str:
    return ", ".join(f"{value} ({count})" for value, count in Counter(values).most_common())


def _spread(values: list[int]) -> str:
    low, quarter, median, three_quarters, high = np.percentile(values, [0, 25, 50, 75, 100])
    return (
        f"{low:g} to {high:g}, median {median:g}, middle half {quarter:g} to {three_quarters:g}, "
        f"mean {np.mean(values):.1f}"
    )
