"""Comparison of searches: new pieces, and passages rewritten between locked notes.

    python -m training.comparisons.search new [--writers MODEL[:QUALITY] ...] [--pieces N]
    python -m training.comparisons.search rewrite [--writers MODEL[:QUALITY] ...] [--pieces N]

New pieces have 8 bars with drawn phrases and pickup, ranges of a choir, top-p 0.9 and seeds from
2000 on. Rewritten are 2 bars in 2 voices of validation chorales of 8 bars or more in four quarters:
bars, voices and seed by the number of the chorale. Draft quality has no search. Prints a table,
with Bach's own pieces in the first column; see ``training/LOG.md``.

Lines (four notes as steps), rhythms (values on their place in the bar) and pairs of chords are
compared by the Jensen-Shannon divergence of their frequencies from the training chorales, in
thousandths of a nat.
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from musicrel import jobs
from musicrel.analysis import cadences, corpus_profile, events, grade_reference, keys, voice_leading
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.corpus import bundled
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job, critic
from musicrel.generation.causal import causal_generator
from musicrel.generation.constraints.voice_ranges import PRESETS
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest

WRITERS: Final = {
    "new": ("relative:draft", "relative:normal", "relative:high"),
    "rewrite": ("relative-infill:normal", "relative:draft", "relative:normal", "relative:high"),
}
"""Models with their quality."""

_PIECES: Final = {"new": 60, "rewrite": 40}
_FIRST_SEED: Final = 2000
_BAR: Final = 4 * STEPS_PER_QUARTER
_LARGEST_STEP: Final = 7
"""Larger intervals of a line count as this one, in semitones."""
_LEAP: Final = 5
"""Larger intervals into and out of a passage are leaps, in semitones."""
_TASK_STREAM: Final = 77

Counts = Counter[Hashable]
Row = Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Two bars of a chorale that are rewritten.

    Attributes:
        seed: number of the chorale, and seed of the request.
        piece: the chorale.
        voices: the voices that are rewritten.
        start: its first step.
        stop: the step after its last.
    """

    seed: int
    piece: Chorale
    voices: tuple[Voice, ...]
    start: int
    stop: int


def passages(pieces: int) -> list[Passage]:
    """Return the passages of the first chorales of the validation split that are long enough."""
    long = [p for p in bundled.load("valid") if p.meter.steps == _BAR and p.steps >= 8 * _BAR]
    return [_passage(seed, piece) for seed, piece in enumerate(long[:pieces])]


def divergence(found: Counts, expected: Counts) -> float:
    """Return the Jensen-Shannon divergence of two sets of frequencies, in thousandths of a nat."""
    total, all_found, all_expected = 0.0, found.total(), expected.total()
    for gram in {*found, *expected}:
        p, q = found[gram] / all_found, expected[gram] / all_expected
        total += sum(x * math.log(2 * x / (p + q)) / 2 for x in (p, q) if x)
    return 1000 * total


def lines(piece: Chorale) -> Iterator[Hashable]:
    """Yield every four notes of each voice, as three intervals."""
    for voice in Voice:
        pitches, _ = events.merge_repeats(piece.pitches[:, voice])
        moves = np.diff(pitches[pitches != REST].astype(int))
        moves = moves.clip(-_LARGEST_STEP, _LARGEST_STEP).tolist()
        yield from ((voice, *three) for three in zip(moves, moves[1:], moves[2:], strict=False))


def rhythms(piece: Chorale) -> Iterator[Hashable]:
    """Yield every three values of each voice with their places in the bar."""
    for voice in Voice:
        _, lengths = events.merge_repeats(piece.pitches[:, voice])
        places = (np.cumsum([0, *lengths[:-1]]) - piece.pickup) % piece.meter.steps
        notes = list(zip(places.tolist(), np.minimum(lengths, _BAR).tolist(), strict=True))
        yield from ((voice, *three) for three in zip(notes, notes[1:], notes[2:], strict=False))


def chords(piece: Chorale) -> Iterator[Hashable]:
    """Yield every pair of chords on successive beats: pitch classes and bass above the tonic."""
    key = piece.key or keys.estimate(piece.pitches)
    found = []
    for pitches_4 in piece.pitches[piece.pickup % STEPS_PER_QUARTER :: STEPS_PER_QUARTER]:
        above = (pitches_4[pitches_4 != REST].astype(int) - key.pitch_class) % 12
        found.append((key.mode, frozenset(above.tolist()), int(above[-1]) if len(above) else REST))
    yield from itertools.pairwise(found)


GRAMS: Final[Mapping[str, Callable[[Chorale], Iterator[Hashable]]]] = {
    "lines": lines,
    "rhythm": rhythms,
    "pairs of chords": chords,
}


def of_pieces(pieces: Sequence[Chorale]) -> dict[str, float]:
    """Return the measures of whole pieces."""
    profile = corpus_profile.profile(pieces, grade_reference.load().reference, frozenset())
    ends = [end for piece in pieces for end in cadences.phrase_ends(piece)]
    return {
        "grade": profile.grade,
        "parallels": profile.parallels,
        "crossing %": profile.crossing,
        "spacing %": profile.spacing,
        "phrases with cadence %": 100 * sum(bool(end.kind) for end in ends) / len(ends),
        **alike(pieces, pieces),
    }


def of_passages(tasks: Sequence[Passage], pieces: Sequence[Chorale]) -> dict[str, float]:
    """Return the measures of rewritten passages.

    Args:
        tasks: the passages.
        pieces: the chorale of each, rewritten.
    """
    both = list(zip(tasks, pieces, strict=True))
    broken = [
        found.rule
        for task, piece in both
        for found in voice_leading.find(piece)
        if found.stop >= task.start
        and found.first <= task.stop
        and {*found.voices} & {*task.voices}
    ]
    inside = [_cropped(piece, task, STEPS_PER_QUARTER) for task, piece in both]
    return {
        "violations a passage": len(broken) / len(tasks),
        "parallels": sum(rule.startswith("parallel") for rule in broken),
        "leaps in %": _leaps(both, "start"),
        "leaps out %": _leaps(both, "stop"),
        **alike(inside, [_cropped(piece, task, 2 * _BAR) for task, piece in both]),
    }


def alike(counted: Sequence[Chorale], judged: Sequence[Chorale]) -> dict[str, float]:
    """Return the distances of n-grams from Bach's, and the log-odds of the critic."""
    train = bundled.load("train")
    grams = {
        name: divergence(_counts(counted, found), _counts(train, found))
        for name, found in GRAMS.items()
    }
    judge = critic.bundled_critic()
    return grams | ({"critic": float(np.mean(judge.log_odds(judged)))} if judge else {})


def _counts(pieces: Iterable[Chorale], found: Callable[[Chorale], Iterator[Hashable]]) -> Counts:
    return Counter(gram for piece in pieces for gram in found(piece))


def _cropped(piece: Chorale, task: Passage, around: int) -> Chorale:
    return piece.cropped(max(task.start - around, 0), min(task.stop + around, piece.steps))


def _leaps(both: Sequence[tuple[Passage, Chorale]], edge: str) -> float:
    """Return the share of leaps, in per cent, over an edge of the passages."""
    sizes: list[int] = []
    for task, piece in both:
        place = getattr(task, edge)
        around = piece.pitches[place - 1 : place + 1, list(task.voices)].astype(int)
        if len(around) > 1:
            sizes += [abs(b - a) for a, b in around.T.tolist() if REST not in (a, b)]
    return 100 * sum(size > _LEAP for size in sizes) / max(len(sizes), 1)


def _passage(seed: int, piece: Chorale) -> Passage:
    random = np.random.default_rng([seed, _TASK_STREAM])
    bar = int(random.integers(1, (piece.steps - piece.pickup) // _BAR - 3))
    voices = sorted(random.choice(len(Voice), 2, replace=False).tolist())
    start = piece.pickup + _BAR * bar
    return Passage(
        seed=seed,
        piece=piece,
        voices=(Voice(voices[0]), Voice(voices[1])),
        start=start,
        stop=start + 2 * _BAR,
    )


def _new_piece(model: LoadedModel, quality: str, seed: int) -> Chorale:
    request = GenerationRequest(
        bars=8, seed=seed, top_p=0.9, quality=quality, ranges=PRESETS["choir"].ranges
    )
    drawn = DrawnPhrases(phrases=True, pickup=True).applied(request, model.conditions)
    return jobs.run(causal_generator.generate(model, drawn)).chorale


def _rewritten(model: LoadedModel, quality: str, task: Passage) -> Chorale:
    request = edit_requests.infill_request(
        task.piece, task.voices, task.start, task.stop, seed=task.seed, quality=quality
    )
    return jobs.run(candidate_job.generate_candidates(model, request, 1)).ranked[0].chorale


def rows(task: str, writers: Sequence[str], pieces: int) -> dict[str, Row]:
    """Return the measures by writer, Bach first.

    Args:
        task: "new" or "rewrite".
        writers: models with their quality, as ``MODEL:QUALITY``.
        pieces: number of pieces.
    """
    tasks = passages(pieces) if task == "rewrite" else []
    bach = bundled.load("valid")[:pieces]
    found: dict[str, Row] = {
        "Bach": of_passages(tasks, [one.piece for one in tasks]) if tasks else of_pieces(bach)
    }
    for writer in writers:
        name, _, quality = writer.partition(":")
        model, level, seconds, written = load_model(name), quality or "normal", [], []
        for number in range(len(tasks) or pieces):
            began = time.process_time()
            written.append(
                _rewritten(model, level, tasks[number])
                if tasks
                else _new_piece(model, level, _FIRST_SEED + number)
            )
            seconds.append(time.process_time() - began)
        measures = of_passages(tasks, written) if tasks else of_pieces(written)
        found[writer] = {**measures, "processor time, s": statistics.mean(seconds)}
    return found


def table(found: Mapping[str, Row]) -> str:
    """Return a Markdown table with a row for each measure."""
    names = [*dict.fromkeys(name for row in found.values() for name in row)]
    head = ["| | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    cells = [
        [f"{row[name]:.2f}" if name in row else "" for row in found.values()] for name in names
    ]
    body = [f"| {name} | {' | '.join(own)} |" for name, own in zip(names, cells, strict=True)]
    return "\n".join([*head, *body])


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m training.comparisons.search")
    parser.add_argument("task", choices=WRITERS)
    parser.add_argument("--writers", nargs="+", metavar="MODEL[:QUALITY]")
    parser.add_argument("--pieces", type=int, metavar="N")
    given = parser.parse_args(argv)
    writers = given.writers or WRITERS[given.task]
    print(table(rows(given.task, writers, given.pieces or _PIECES[given.task])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
