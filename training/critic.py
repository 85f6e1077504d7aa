"""Evaluation of the critic, alone and as a term of the ranking.

    python -m training.critic [--requests 32] [--split test]

First, windows of test: the accuracy for each kind at two, four and eight bars, and the calibration.
Then the ranking: each model writes eight candidates for each request, the first by the ranking is
taken, and the figures of those taken are compared for several weights of the critic. Whole pieces
have the lengths of a split, the sopranos to harmonise are Bach's of that split; the seeds differ
from those of the opponents. The default weight, 0, was chosen with ``--split valid``. Writes
``critic.json`` and ``critic.md`` in ``training/results`` for the test split.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, median
from typing import Any, Final

import numpy as np

import musicrel
from musicrel import jobs, paths
from musicrel.analysis import corpus_profile, voice_leading
from musicrel.corpus import bundled
from musicrel.corpus.splits import Split
from musicrel.errors import ModelError, MusicrelError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.critic_data import BACH, WindowSampler
from musicrel.experiment.recipe import recipe
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job, critic, ranking
from musicrel.generation.candidates.candidate_job import Candidate
from musicrel.generation.candidates.critic import Critic
from musicrel.generation.constraints.last_chord import FREE
from musicrel.generation.request import GenerationRequest
from musicrel.model import catalogue, devices
from musicrel.model.card import CARD, read_card
from training.quality import SAMPLING, cycled, lengths

WRITERS: Final = ("relative", "vanilla", "relative-infill")
CANDIDATES: Final = 8
WEIGHTS: Final = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
OTHERS: Final[Mapping[str, Mapping[str, float]]] = {
    "nats alone": {"nats": 1.0},
    "nats and critic": {"nats": 1.0, "critic": 0.05},
    "critic alone": {"critic": 1.0},
}
"""Rankings by few terms, all others having weight 0."""
_SEEDS: Final[Mapping[str, int]] = {"valid": 400_000, "test": 500_000}
_LENGTHS: Final = (32, 64, 128)
_A_KIND: Final = 200
_MAX_BARS: Final = 20
"""Maximum length of the generated pieces, in bars."""
_BINS: Final = 5
_BAR: Final = 16
_PIECE: Final = 256
"""Length of the timed pieces, in steps."""
_HEAD: Final = (
    "grade", "median", "parallels", "crossing %", "on tonic %", "nats", "critic",
)  # fmt: skip
_KINDS: Final = (
    "Accuracy on windows of the split, %; every kind by itself, 200 windows each. The last line: "
    "the probability that a window by Bach scores higher than another (area under the ROC curve)."
)
_SURE: Final = (
    "Calibration at eight bars, half of them Bach's: predicted probability of Bach, actual share."
)
_RANKED: Final = (
    "The first of eight candidates by the ranking, with several weights of the critic; `any` is "
    "all of them. Below, rankings by the named terms alone. Grade: mean and median, lower is "
    "nearer to Bach; parallels per 1,000 notes; on tonic: the last chord is the tonic triad; "
    "critic: log-odds against Bach."
)
_LIMITS: Final = (
    "Trained on 230 chorales; of the opponents three in ten are JS Fakes (CC BY 4.0) or pieces of "
    "the models vanilla and relative, the others Bach made worse. Good to compare versions of one "
    "piece; no judge of whether a piece is good, and none of music that is no four-part chorale."
)
_RESULTS: Final = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Figures of the candidates ranked first.

    Attributes:
        grade: their mean grade.
        median: their median grade.
        parallels: parallel fifths, octaves and unisons per 1,000 notes, pooled.
        crossing: % of steps.
        home: % that end on the tonic triad.
        nats: mean nats/note.
        critic: mean of the critic's log-odds against Bach.
    """

    grade: float
    median: float
    parallels: float
    crossing: float
    home: float
    nats: float
    critic: float


def chosen(pieces: Sequence[Candidate]) -> Chosen:
    """Compute the figures of ``pieces``."""
    rates = voice_leading.rates(*(one.chorale for one in pieces))
    grades = [one.measures.grade or 0.0 for one in pieces]
    return Chosen(
        grade=fmean(grades),
        median=median(grades),
        parallels=rates.parallels,
        crossing=rates.crossing,
        home=100 * fmean(corpus_profile.ends_on_tonic(one.chorale) for one in pieces),
        nats=fmean(one.measures.region_to_end_nats for one in pieces),
        critic=fmean(one.measures.critic or 0.0 for one in pieces),
    )


def requests(writer: musicrel.LoadedModel, split: Split, number: int) -> list[GenerationRequest]:
    """Build the requests to a model: whole pieces, or three voices around Bach's soprano.

    The last chord is the model's own: whether it is the tonic is one of the figures.
    """
    seeds = [_SEEDS[split] + CANDIDATES * n for n in range(number)]
    if writer.config.family == "infill":
        melodies = [piece for piece in bundled.load(split) if piece.steps <= 16 * _MAX_BARS]
        return [
            edit_requests.harmony_request(melody, seed=seed, rules=(), last_chord=FREE)
            for melody, seed in zip(melodies, seeds, strict=False)
        ]
    bars = cycled([length for length in lengths(split) if length <= _MAX_BARS], number)
    return [
        GenerationRequest(bars=length, seed=seed, **SAMPLING)
        for length, seed in zip(bars, seeds, strict=True)
    ]


def by_rank(name: str, split: Split, number: int) -> dict[str, Any]:
    """Compute the figures of the first of eight by each weight, and of all of them."""
    writer = musicrel.load_model(name)
    groups = [
        jobs.run(candidate_job.generate_candidates(writer, request, CANDIDATES)).ranked
        for request in requests(writer, split, number)
    ]
    figures = {"any": asdict(chosen([one for group in groups for one in group]))}
    for weight in WEIGHTS:
        figures[f"{weight:g}"] = asdict(chosen(_first(groups, {"critic": weight})))
    none = dict.fromkeys(ranking.TERMS, 0.0)
    for title, weights in OTHERS.items():
        figures[title] = asdict(chosen(_first(groups, none | dict(weights))))
    print(name, json.dumps(figures, indent=1), flush=True)
    return figures


def _first(groups: Sequence[Sequence[Candidate]], weights: Mapping[str, float]) -> list[Candidate]:
    return [min(group, key=lambda one: ranking.sort_key(one.measures, weights)) for group in groups]


def evaluate_critic(judge: Critic, windows: WindowSampler) -> dict[str, Any]:
    """Measure accuracy by length and kind, calibration, and time."""
    found: dict[str, Any] = {"right": {}, "area": {}}
    for steps in map(str, _LENGTHS):
        bach = _against(judge, windows, BACH, int(steps))
        others = {kind: _against(judge, windows, kind, int(steps)) for kind in windows.kinds}
        right = {BACH: bach < 0} | {kind: values > 0 for kind, values in others.items()}
        found["right"][steps] = {kind: float(is_right.mean()) for kind, is_right in right.items()}
        all_others = np.concatenate([*others.values()])
        found["area"][steps] = float((all_others[:, None] > bach).mean())
        found["calibration"] = calibration(bach, all_others)
    return found | {"seconds": _seconds(judge)}


def _against(judge: Critic, windows: WindowSampler, kind: str, steps: int) -> Any:
    """Return the critic's log-odds of windows of one kind, float (200,)."""
    drawn = [
        windows.draw(kind, steps, np.random.default_rng([_SEEDS["test"], steps, n])).piece
        for n in range(_A_KIND)
    ]
    return np.concatenate([judge.log_odds(drawn[n : n + 20]) for n in range(0, _A_KIND, 20)])


def calibration(bach: Any, others: Any) -> list[dict[str, float]]:
    """Bin windows, half of them Bach's, by predicted probability; return the actual shares."""
    predicted = 1 / (1 + np.exp(np.concatenate([bach, others])))
    is_bach = np.arange(len(predicted)) < len(bach)
    worth = np.where(is_bach, 1 / len(bach), 1 / len(others))
    rows = []
    for low in np.arange(_BINS) / _BINS:
        inside = (predicted >= low) & (predicted < low + 1 / _BINS)
        if inside.any():
            share = (worth * is_bach)[inside].sum() / worth[inside].sum()
            rows.append({"from": low, "to": low + 1 / _BINS, "windows": int(inside.sum()),
                         "bach": float(share)})  # fmt: skip
    return rows


def _seconds(judge: Critic) -> float:
    """Return the seconds to judge eight pieces of 16 bars."""
    piece = next(one for one in bundled.load("test") if one.steps >= _PIECE).cropped(0, _PIECE)
    began = time.perf_counter()
    for _ in range(8):
        judge.log_odds([piece])
    return time.perf_counter() - began


def report(figures: Mapping[str, Any], command: str) -> str:
    """Format the figures as Markdown."""
    evaluate_critic, head = (
        figures["heard"],
        f"`{command}`, CPU, one thread. Model {figures['sha256'][:12]}.",
    )
    right: dict[str, dict[str, float]] = evaluate_critic["right"]
    kinds = [[kind, *(_percent(of[kind]) for of in right.values())] for kind in right["32"]]
    order = ["order", *(_percent(area) for area in evaluate_critic["area"].values())]
    predicted = [
        [f"{_percent(row['from'])} to {_percent(row['to'])}", row["windows"], _percent(row["bach"])]
        for row in evaluate_critic["calibration"]
    ]
    bars = [f"{int(steps) // _BAR} bars" for steps in right]
    parts = ["# The critic", head, _KINDS, *_table(["", *bars], [*kinds, order]), _SURE]
    parts += _table(["predicted %", "windows", "Bach %"], predicted)
    parts += [f"Eight pieces of 16 bars are judged in {evaluate_critic['seconds']:.2f} s.", _RANKED]
    for writer, rows in figures["ranked"].items():
        cells = [[name, *(f"{value:.2f}" for value in row.values())] for name, row in rows.items()]
        parts += _table([writer, *_HEAD], cells)
    return "\n\n".join(parts) + "\n"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> list[str]:
    """Format one table as a part of a report."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return ["\n".join("| " + " | ".join(map(str, cells)) + " |" for cells in lines)]


def measure(split: Split, number: int) -> dict[str, Any]:
    """Measure all figures.

    Raises:
        ModelError: there is no critic.
    """
    judge = critic.bundled_critic()
    if judge is None:
        raise ModelError("there is no model 'critic': train and publish it first")
    found = dataset.load(recipe.load("critic").data.source)
    windows = WindowSampler(found.pieces[split], found.others[split], transpose=False)
    return {
        "sha256": judge.weights.sha256,
        "heard": evaluate_critic(judge, windows),
        "ranked": {name: by_rank(name, split, number) for name in WRITERS},
    }


def _note(evaluate_critic: Mapping[str, Any]) -> None:
    """Store the critic's accuracy and limits on its card."""
    folder = catalogue.find(catalogue.CRITIC)
    known = read_card(folder)
    noted = {"heard": dict(evaluate_critic), "limits": _LIMITS}
    card = replace(known, training={**known.training, **noted})
    paths.write_text(folder / CARD, card.to_json())


def main(words: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.critic")
    parser.add_argument("--requests", type=int, default=32)
    parser.add_argument("--split", choices=("valid", "test"), default="test")
    args = parser.parse_args(words)
    devices.use_threads(1)
    try:
        figures = measure(args.split, args.requests)
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    command = f"python -m training.critic --requests {args.requests} --split {args.split}"
    text = report(figures, command)
    print(text)
    if args.split == "test":
        _note(figures["heard"])
        content = json.dumps({"command": command, **figures}, indent=1)
        paths.write_text(_RESULTS / "critic.json", content + "\n")
        paths.write_text(_RESULTS / "critic.md", text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
