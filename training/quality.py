"""Quality of the shipped models: uncurated pieces of each, beside Bach and an imitation.

    python -m training.quality [--models NAME ...] [--pieces 100] [--keep] [--folder FOLDER]
    python -m training.quality --choose --models NAME ...
    python -m training.quality --pickup 4 --models NAME ...

The pieces have seeds 0, 1, 2 ... and the lengths of the test split in turn. Everything else is a
default of ``musicrel.generate``: models with the conditions draw phrases, pickup and key with the
seed. Temperature and top-p were chosen with ``--choose``, on the lengths of the validation split
and other seeds (``SAMPLING``). Writes ``training/results/quality.json`` and ``quality.md``;
``--keep`` keeps the figures of other models there. Pieces are kept in ``--folder`` and read from
there when the command is repeated.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import musicrel
from musicrel import gate, jobs, paths
from musicrel.analysis import cadences, corpus_profile, grade_reference, keys, memorisation, meters
from musicrel.analysis.corpus_profile import COPIED_STEPS, CorpusProfile
from musicrel.chorale import Chorale, Key, Meter
from musicrel.corpus import bundled, jsb
from musicrel.corpus.splits import Split
from musicrel.errors import MusicrelError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.request import GenerationRequest
from training.pieces.kept_pieces import KeptPieces

MODELS: Final = (
    "vanilla", "relative", "vanilla-infill", "relative-infill", "vanilla-jsb", "relative-jsb"
)  # fmt: skip
SAMPLING: Final[dict[str, Any]] = {"temperature": 1.0, "top_p": 0.9, "quality": "normal"}
"""The defaults, the same for all models; of ``CHOICES`` the one with the best validation grade of
the relative model that keeps crossing within 3 % and spacing within 2 %.
"""
CHOICES: Final = ((1.0, 1.0), (0.95, 1.0), (0.9, 1.0), (1.0, 0.95), (1.0, 0.9))
_CHOOSING: Final = 10_000
"""The first seed of the pieces for choosing temperature and top-p."""
_STEPS_A_BAR: Final = 16
_SHORT: Final = 8
"""Bars of the pieces that show whether requests are satisfied."""
_ASKED: Final = 24
Keeping: TypeAlias = Callable[[str], KeptPieces]
"""Returns the kept pieces of a task."""
METERS: Final = (Meter(4, 4), Meter(3, 4))
"""The meters that models with a meter condition can be asked for."""
_BUNDLED: Final = "Bach, bundled test"
_FAKES: Final = Path("js-fakes/js-fakes-16th.json")
_MADE: Final = (
    "`{command}`, {machine}. Seeds from 0 on, lengths of the test split, all else as by default: "
    "phrases, pickup and key are drawn with the seed for models that read them, temperature "
    "{temperature}, top-p {top_p}, quality {quality}; no piece was left out."
)
_COLUMNS_MEAN: Final = (
    "Grade: median, lower is nearer to Bach. Parallels per 1,000 notes; without: pieces with none. "
    "Copied: two-bar chunks that are in the bundled training chorales, in any key. Repeated: bars "
    "that came before in the same piece. On tonic: the last chord is the tonic triad."
)
_KEPT_MEANS: Final = (
    "Satisfied requests, by an analysis of the notes: one of the 24 keys (48 pieces of 8 bars), a "
    "meter (24 pieces of 8 bars each), a cadence at the ends of phrases of two bars (24 pieces of "
    "four phrases). Bach's line is the accuracy of the analysis itself; a dash: the model has no "
    "such condition."
)
_RESULTS: Final = Path(__file__).parent / "results"
_COLUMNS: Final[dict[str, Callable[[CorpusProfile], str]]] = {
    "pieces": lambda p: str(p.pieces),
    "grade": lambda p: f"{p.grade:.2f}",
    "parallels": lambda p: f"{p.parallels:.1f}",
    "without %": lambda p: f"{p.clean:.0f}",
    "crossing %": lambda p: f"{p.crossing:.2f}",
    "spacing %": lambda p: f"{p.spacing:.2f}",
    "copied %": lambda p: f"{p.copied:.2f}",
    "repeated %": lambda p: f"{p.repeated:.1f}",
    "on tonic %": lambda p: f"{p.cadence:.0f}",
}


def lengths(split: Split) -> list[int]:
    """Return the lengths of a split's pieces in whole bars of 4/4."""
    return [-(-piece.steps // _STEPS_A_BAR) for piece in bundled.load(split)]


def written(
    model: musicrel.LoadedModel, bars: Sequence[int], first_seed: int, **settings: Any
) -> Iterator[Chorale]:
    """Yield a piece for each entry of ``bars``, with seeds from ``first_seed`` on."""
    for seed, length in enumerate(bars, start=first_seed):
        request = GenerationRequest(bars=length, seed=seed, **settings)
        yield _piece(model, request)


def _piece(model: musicrel.LoadedModel, request: GenerationRequest) -> Chorale:
    return jobs.run(candidate_job.generate_piece(model, request)).chorale


def requested(
    model: musicrel.LoadedModel, kept: KeptPieces, number: int, **settings: Any
) -> list[Chorale]:
    """Return short pieces of a request, with seeds from 0 on."""
    requests = (
        GenerationRequest(bars=_SHORT, seed=seed, **settings, **SAMPLING) for seed in range(number)
    )
    return [kept.piece(one.seed, partial(_piece, model, one)) for one in requests]


def composed(
    model: musicrel.LoadedModel, bars: Sequence[int], kept: KeptPieces
) -> Iterator[Chorale]:
    """Yield a piece for each entry of ``bars`` with the defaults, with seeds from 0 on."""
    for seed, length in enumerate(bars):
        yield kept.piece(seed, partial(musicrel.generate, model, bars=length, seed=seed))


def cycled(values: Sequence[int], count: int) -> list[int]:
    """Return ``count`` of ``values``, restarting from the first after the last."""
    return [values[n % len(values)] for n in range(count)]


def keys_kept(model: musicrel.LoadedModel, pieces: KeptPieces) -> float | None:
    """Return the % of 48 short pieces in the requested key; None without a key condition."""
    if "key" not in model.conditions:
        return None
    wanted = [Key.of(tonic, mode) for tonic in range(12) for mode in ("major", "minor")] * 2
    kept = 0
    for seed, key in enumerate(wanted):
        request = GenerationRequest(bars=_SHORT, seed=seed, key=key, **SAMPLING)
        piece = pieces.piece(seed, partial(_piece, model, request))
        found = keys.estimate(piece.pitches)
        kept += (found.pitch_class, found.mode) == (key.pitch_class, key.mode)
    return 100 * kept / len(wanted)


def meters_kept(model: musicrel.LoadedModel, kept: Keeping) -> dict[str, float] | None:
    """Return the % of 24 short pieces in each requested meter; None without a meter condition."""
    if "bar" not in model.conditions:
        return None
    pieces = {
        meter: requested(model, kept(str(meter).replace("/", "-")), _ASKED, meter=meter)
        for meter in METERS
    }
    return {str(meter): in_meter(of_meter, meter) for meter, of_meter in pieces.items()}


def in_meter(pieces: Sequence[Chorale], meter: Meter) -> float:
    """Return the % of ``pieces`` whose estimated meter is ``meter``."""
    return 100 * sum(meters.estimate(piece, METERS) == meter for piece in pieces) / len(pieces)


def phrases_kept(model: musicrel.LoadedModel, kept: KeptPieces) -> float | None:
    """Return the % of the requested phrase ends with a cadence; None without that condition.

    In 24 short pieces of four phrases.
    """
    if "fermata" not in model.conditions:
        return None
    return cadence_share(requested(model, kept, _ASKED, phrases=(_SHORT // 4,) * 4))


def cadence_share(pieces: Sequence[Chorale]) -> float:
    """Return the % of all phrase ends that have a cadence of a known kind."""
    phrase_ends = [phrase_end for piece in pieces for phrase_end in cadences.phrase_ends(piece)]
    return 100 * sum(phrase_end.kind != "" for phrase_end in phrase_ends) / len(phrase_ends)


def measure(names: Sequence[str], pieces: int, folder: Path | None = None) -> dict[str, Any]:
    """Measure all figures, by name of the model or music; pieces are kept in ``folder``."""
    reference = grade_reference.load().reference
    known = memorisation.chunk_set(bundled.load("train"), COPIED_STEPS)
    figures: dict[str, Any] = {}
    for name, baseline in _baselines().items():
        figures[name] = asdict(corpus_profile.profile(baseline, reference, known))
        if name == _BUNDLED:
            own = {meter: [one for one in baseline if one.meter == meter] for meter in METERS}
            figures[name] |= {
                "keys_kept": _keys_found(baseline),
                "meters_kept": {str(meter): in_meter(own[meter], meter) for meter in METERS},
                "phrases_kept": cadence_share(baseline),
            }
    for name in names:
        model = musicrel.load_model(name)
        kept = partial(KeptPieces.of, folder, name, model.sha256)
        songs = list(composed(model, cycled(lengths("test"), pieces), kept("new")))
        figures[name] = asdict(corpus_profile.profile(songs, reference, known)) | {
            "sha256": model.sha256,
            "keys_kept": keys_kept(model, kept("keys")),
            "meters_kept": meters_kept(model, kept),
            "phrases_kept": phrases_kept(model, kept("phrases")),
        }
        print(name, figures[name], flush=True)
    return figures


def _keys_found(pieces: Sequence[Chorale]) -> float:
    """Return the % of pieces whose estimated key is the key in the file."""
    named = [(piece.key, keys.estimate(piece.pitches)) for piece in pieces if piece.key]
    return (
        100
        * sum(
            (key.pitch_class, key.mode) == (found.pitch_class, found.mode) for key, found in named
        )
        / len(named)
    )


def choose(names: Sequence[str], pieces: int) -> None:
    """Print the figures of each of ``CHOICES``, on the lengths of valid."""
    bars = cycled(lengths("valid"), pieces)
    for temperature, top_p in CHOICES:
        settings = {"temperature": temperature, "top_p": top_p}
        for name in names:
            print_profile(name, bars, _CHOOSING, **settings)


def print_profile(name: str, bars: Sequence[int], first_seed: int, **settings: Any) -> None:
    """Print the figures of a model's pieces with ``settings``; nothing is stored."""
    songs = list(written(musicrel.load_model(name), bars, first_seed, **settings))
    found = corpus_profile.profile(songs, grade_reference.load().reference, frozenset())
    cells = ", ".join(f"{head} {cell(found)}" for head, cell in _COLUMNS.items())
    asked = ", ".join(f"{what} {value}" for what, value in settings.items())
    print(f"{name}, {asked}: {cells}, authentic {found.closes['authentic']:.0f}", flush=True)


def report(figures: dict[str, Any], command: str) -> str:
    """Format the figures as Markdown."""
    rows = {name: CorpusProfile(**_profile_of(entry)) for name, entry in figures.items()}
    head = ["", *_COLUMNS]
    machine = f"{platform.system()}, Python {platform.python_version()}, CPU"
    lines = [
        "# How well the models write",
        "",
        _MADE.format(command=command, machine=machine, **SAMPLING),
        "",
        *_table(head, [[n, *(cell(p) for cell in _COLUMNS.values())] for n, p in rows.items()]),
        "",
        _COLUMNS_MEAN,
        "",
        "Lengths of notes, % of all (repeats merged):",
        "",
        *_table(
            ["", *corpus_profile.NOTE_LENGTHS],
            [[n, *(f"{share:.1f}" for share in p.lengths.values())] for n, p in rows.items()],
        ),
        "",
        "Final cadences, % of the pieces:",
        "",
        *_table(
            ["", *cadences.KINDS, corpus_profile.OTHER],
            [[n, *(f"{share:.0f}" for share in p.closes.values())] for n, p in rows.items()],
        ),
        "",
        _KEPT_MEANS,
        "",
        *_table(
            ["", "key %", *(f"{meter} %" for meter in METERS), "phrases %"],
            [[name, *_kept(entry)] for name, entry in figures.items() if "keys_kept" in entry],
        ),
    ]
    return "\n".join(lines) + "\n"


def _kept(entry: dict[str, Any]) -> list[str]:
    """Format the shares of satisfied requests; a dash for conditions that a model lacks."""
    of_meters = entry["meters_kept"] or {}
    shares = [
        entry["keys_kept"],
        *(of_meters.get(str(meter)) for meter in METERS),
        entry["phrases_kept"],
    ]
    return ["-" if share is None else f"{share:.0f}" for share in shares]


def _profile_of(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in CorpusProfile.__dataclass_fields__}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        "| " + " | ".join(cells) + " |"
        for cells in (head, ["---", *["---:"] * (len(head) - 1)], *rows)
    ]


def _baselines() -> dict[str, list[Chorale]]:
    """Collect the music to compare with: the bundled test split, and the shared data sets."""
    found = {_BUNDLED: bundled.load("test")}
    published = paths.shared_data() / "jsb" / jsb.FILE_NAME
    if published.exists():
        found["Bach, JSB16 test"] = jsb.read(published)["test"]
    if (paths.shared_data() / _FAKES).exists():
        found["JS Fakes"] = js_fakes()
    return found


def js_fakes() -> list[Chorale]:
    """Read the 500 JS Fakes.

    Raises:
        FileError: they are not in the shared folder.
    """
    content = gate.read(paths.shared_data() / _FAKES, "jsb")
    return [Chorale.of(piece) for piece in json.loads(content)]


def _before() -> dict[str, Any]:
    """Return the stored figures."""
    content = (_RESULTS / "quality.json").read_text(encoding="utf-8")
    figures: dict[str, Any] = json.loads(content)["figures"]
    return figures


def main(words: list[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.quality")
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--pieces", type=int, default=100)
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--pickup", type=int, default=0, help="sixteenths; prints, keeps nothing")
    parser.add_argument("--keep", action="store_true", help="keep the figures of other models")
    parser.add_argument("--folder", type=Path, help="pieces are kept there; the command resumes")
    args = parser.parse_args(words)
    try:
        if args.choose:
            choose(args.models, args.pieces)
            return 0
        if args.pickup:
            for name in args.models:
                bars = cycled(lengths("test"), args.pieces)
                print_profile(name, bars, 0, pickup=args.pickup, **SAMPLING)
            return 0
        measured = measure(args.models, args.pieces, args.folder)
        figures = (_before() if args.keep else {}) | measured
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    command = f"python -m training.quality --pieces {args.pieces}"
    content = json.dumps({"command": command, "sampling": SAMPLING, "figures": figures}, indent=1)
    paths.write_text(_RESULTS / "quality.json", content + "\n")
    paths.write_text(_RESULTS / "quality.md", report(figures, command))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
