"""Selection of the works that count, and their allocation to splits without leaks.

1. *Duplicates.* Two files are one setting if the voices' contours agree by ``SAME_PIECE`` or more.
One that JSB16 has in valid or test is kept before others, then the one with the least silence, the
longest, the first by name.
2. *Splits follow JSB16.* A work whose file, or a duplicate of it, is in JSB16's test or valid
(``works.csv``) is in test or valid here; one in both is in test.
3. *Uncertain pieces of JSB16.* If ``works.csv`` names no work for a piece of valid or test, or one
with an overlap below ``SURE_MATCH``, every work that shares a chunk of two bars or the contours
with that piece goes to its split.
4. *Leaks.* A work that is left for train but has ``LEAK`` or more of its two-bar chunks in valid or
test, ours or JSB16's, or ``SAME_SETTING`` of its contours in common with one of their pieces, is
left out.

Two-bar chunks are those of ``musicrel.analysis.memorisation`` (32 steps) with at least two
sonorities. The contour share of two pieces is, voice by voice, the share of runs of
``RUN_INTERVALS`` successive intervals (repeats merged, rests skipped) that the other has, the
larger of both directions, and the mean of the four voices: it also finds a piece whose voices are
in wrong octaves or shifted in time, which chunks of all four voices do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel.analysis import memorisation
from musicrel.analysis.corpus.splits import SPLITS, Split
from musicrel.chorale import REST, Chorale, Voice

CHUNK_STEPS: Final = 32
LEAK: Final = 0.2
SURE_MATCH: Final = 0.5
SAME_PIECE: Final = 0.8
SAME_SETTING: Final = 0.5
RUN_INTERVALS: Final = 8

_HELD_OUT: Final[tuple[Split, ...]] = ("test", "valid")
"""The splits not used for training, the stricter first."""

Run = tuple[int, ...]
Contours = tuple[frozenset[Run], ...]
"""The runs of intervals of S, A, T and B."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A row of works.csv: a piece of JSB16 and its work, "" for none."""

    split: Split
    index: int
    work: str
    overlap: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation:
    # for each split its works, named by their files, in natural order of the input
    splits: Mapping[Split, list[str]]
    duplicates: Mapping[str, str]  # left-out file -> the file kept in its place
    moved: Mapping[str, str]  # work -> the uncertain piece of JSB16 that put it into valid or test
    leaks: Mapping[str, str]  # left-out work -> its overlap with valid or test


def allocate(
    works: Mapping[str, Chorale], jsb: Mapping[Split, list[Chorale]], matches: list[Match]
) -> Allocation:
    """Allocate ``works`` to splits by the rules of the module docstring."""
    contours = {name: contours_of(work) for name, work in works.items()}
    duplicates = _duplicates(works, contours, matches)
    kept = {name: work for name, work in works.items() if name not in duplicates}
    roles = _published_roles(kept, duplicates, matches)
    moved: dict[str, str] = {}
    for match in matches:
        if match.split in _HELD_OUT and match.overlap < SURE_MATCH:
            for name in _related(jsb[match.split][match.index], kept, contours):
                if name not in roles:
                    roles[name] = match.split
                    moved[name] = f"JSB16 {match.split} {match.index}"
    leaks = _leaks(kept, contours, roles, jsb)
    splits: dict[Split, list[str]] = {split: [] for split in SPLITS}
    for name in kept:
        if name not in leaks:
            splits[roles.get(name, "train")].append(name)
    return Allocation(splits=splits, duplicates=duplicates, moved=moved, leaks=leaks)


def contours_of(chorale: Chorale) -> Contours:
    return tuple(_runs(chorale, voice) for voice in Voice)


def contour_share(one: Contours, other: Contours) -> float:
    """Return the share of the shorter of two pieces that the other has, 0 to 1.

    The module docstring has the definition.
    """
    shares = [
        len(a & b) / smaller if (smaller := min(len(a), len(b))) else 0.0
        for a, b in zip(one, other, strict=True)
    ]
    return sum(shares) / len(shares)


def _runs(chorale: Chorale, voice: Voice) -> frozenset[Run]:
    sounding = chorale.pitches[:, voice]
    sounding = sounding[sounding != REST]
    intervals = np.diff(sounding)
    moves = intervals[intervals != 0].tolist()
    return frozenset(
        tuple(moves[start : start + RUN_INTERVALS])
        for start in range(len(moves) - RUN_INTERVALS + 1)
    )


def _duplicates(
    works: Mapping[str, Chorale], contours: Mapping[str, Contours], matches: list[Match]
) -> dict[str, str]:
    published = {match.work for match in matches if match.split in _HELD_OUT}
    best_first = sorted(works, key=lambda n: (n not in published, *_preference(works[n]), n))
    kept: list[str] = []
    duplicates: dict[str, str] = {}
    for name in best_first:
        alike = [k for k in kept if contour_share(contours[name], contours[k]) >= SAME_PIECE]
        if alike:
            duplicates[name] = alike[0]
        else:
            kept.append(name)
    return duplicates


def _preference(work: Chorale) -> tuple[float, int]:
    """Return a sort key: least silence first, then the longest."""
    return float((work.pitches == REST).mean()), -work.steps


def _published_roles(
    kept: Iterable[str], duplicates: Mapping[str, str], matches: list[Match]
) -> dict[str, Split]:
    """Return the kept works that are, or whose duplicates are, in JSB16's test or valid."""
    names = set(kept)
    roles: dict[str, Split] = {}
    for split in _HELD_OUT:
        for match in matches:
            name = duplicates.get(match.work, match.work)
            if match.split == split and name in names:
                roles.setdefault(name, split)
    return roles


def _related(
    piece: Chorale, works: Mapping[str, Chorale], contours: Mapping[str, Contours]
) -> list[str]:
    """List the works that share any two-bar chunk, or the contours, with a piece of JSB16."""
    chunks = _chunk_set([piece])
    its_contours = contours_of(piece)
    return [
        name
        for name, work in works.items()
        if chunks & _chunk_set([work])
        or contour_share(contours[name], its_contours) >= SAME_SETTING
    ]


def _leaks(
    kept: Mapping[str, Chorale],
    contours: Mapping[str, Contours],
    roles: Mapping[str, Split],
    jsb: Mapping[Split, list[Chorale]],
) -> dict[str, str]:
    held_out = [kept[name] for name in roles] + [piece for s in _HELD_OUT for piece in jsb[s]]
    their_contours = [contours_of(piece) for piece in held_out]
    reference = _chunk_set(held_out)
    leaks: dict[str, str] = {}
    for name in [name for name in kept if name not in roles]:
        own = memorisation.chunks(kept[name], CHUNK_STEPS, least_sonorities=2)
        chunk_share = sum(chunk in reference for chunk in own) / max(1, len(own))
        most = max(contour_share(contours[name], other) for other in their_contours)
        if chunk_share >= LEAK or most >= SAME_SETTING:
            leaks[name] = f"chunks {chunk_share:.0%}, contours {most:.0%}"
    return leaks


def _chunk_set(chorales: list[Chorale]) -> frozenset[memorisation.Chunk]:
    return memorisation.chunk_set(chorales, CHUNK_STEPS, least_sonorities=2)
