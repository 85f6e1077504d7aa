"""The Python interface: what ``import musicrel`` offers.

This file ties the layers together for scripts; it does nothing the app does otherwise.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, overload

from musicrel import jobs
from musicrel.analysis import assessment, grade_reference
from musicrel.analysis.assessment import Assessment
from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.corpus import bundled, melodies
from musicrel.corpus.splits import Split
from musicrel.errors import UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives import evaluation as losses
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.recipe import recipe
from musicrel.generation import edit_requests, generation_job
from musicrel.generation.candidates import candidate_job as proposing
from musicrel.generation.candidates.candidate_job import Proposals
from musicrel.generation.constraints import regions
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import FREELY, GenerationRequest
from musicrel.score import files
from musicrel.score.importing.conversion import Reading
from musicrel.tokens import conditions

__all__ = [
    "Chorale", "LoadedModel", "evaluate", "generate", "grade", "harmonise", "infill", "load_model",
]  # fmt: skip

_DEFAULT_MODEL: Final = "relative"
_FILLS: Final = "relative-infill"


@overload
def generate(
    model: str | Path | LoadedModel = ...,
    *,
    count: None = ...,
    candidates: None = ...,
    **wishes: Any,
) -> Chorale: ...
@overload
def generate(
    model: str | Path | LoadedModel = ..., *, count: int, candidates: None = ..., **wishes: Any
) -> list[Chorale]: ...
@overload
def generate(
    model: str | Path | LoadedModel = ..., *, candidates: int, **wishes: Any
) -> Proposals: ...


def generate(
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    *,
    count: int | None = None,
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    original: Chorale | None = None,
    **wishes: Any,
) -> Chorale | list[Chorale] | Proposals:
    """Write one piece, or with ``count`` a list of pieces with seeds from ``seed`` on.

    A model that reads from left to right does not know locked notes that lie ahead: ask for several
    candidates then, they are ranked by how well they lead into them.

    Args:
        model: a loaded model, or the name or directory of one.
        count: how many; None: one, not in a list.
        candidates: make so many proposals instead, measure and rank them: ``.ranked``, the best
            first, each with ``.chorale``, ``.measures`` and ``.score``.
        weights: of the ranking (``musicrel.generation.candidates.ranking``), where others are wanted.
        original: a piece to start from; ``keep`` and ``rewrite`` say what of it.
        **wishes: fields of ``GenerationRequest``, ``top_p`` being 0.9 where it is not told; meter
            and key may be text, as in "3/4" and "F# minor"; ``locks`` are
            ``musicrel.generation.constraints.locks.Locks`` or a file of them; ``rules`` are names as in
            ("range", "parallels"). With ``original`` also ``keep`` and ``rewrite``, one part or
            several as in "soprano" and "alto,tenor:5-8" (``musicrel.generation.constraints.regions``).
    """
    request = _request(original, {"top_p": FREELY} | wishes)
    if count is not None and (count < 1 or candidates is not None):
        raise UsageError(f"count is {count}: expected at least 1, and no candidates beside it")
    loaded = _loaded(model)
    if candidates is not None:
        return jobs.run(
            proposing.propose(loaded, request, candidates, original=original, weights=weights)
        )
    seeds = range(request.seed, request.seed + (1 if count is None else count))
    pieces = [
        jobs.run(generation_job.write(loaded, replace(request, seed=seed))).chorale
        for seed in seeds
    ]
    return pieces[0] if count is None else pieces


@overload
def harmonise(
    melody: str | Path | Chorale, *, candidates: None = ..., **wishes: Any
) -> Chorale: ...
@overload
def harmonise(melody: str | Path | Chorale, *, candidates: int, **wishes: Any) -> Proposals: ...


def harmonise(
    melody: str | Path | Chorale,
    *,
    voice: str = "soprano",
    model: str | Path | LoadedModel = _FILLS,
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    **wishes: Any,
) -> Chorale | Proposals:
    """Write three voices to a melody.

    Args:
        melody: a piece of which only ``voice`` counts, a file, or the name of a bundled tune. A
            file's or a tune's melody is moved into the range of the voice, the result back again.
        voice: who sings it.
        model: a loaded model, or the name or directory of one.
        candidates: make so many proposals, measure and rank them, as in ``generate``; they are in
            the key they were written in.
        weights: of the ranking, where others are wanted.
        **wishes: fields of ``GenerationRequest``, as in ``patience="careful"``, ``seed=1``,
            ``key="G minor"``.
    """
    singers = edit_requests.voices_named(voice)
    if len(singers) != 1:
        raise UsageError(f"voice {voice!r} names {len(singers)} voices: expected one")
    reading = _tune(melody, singers[0])
    asked = _with_key(wishes, reading)
    request = edit_requests.harmony(edit_requests.beginning(reading.chorale), singers[0], **asked)
    made = jobs.run(proposing.propose(_loaded(model), request, candidates or 1, weights=weights))
    if candidates is not None:
        return made
    best = replace(made.ranked[0].chorale, title=reading.chorale.title)
    return reading.moved_back(best)


@overload
def infill(piece: str | Path | Chorale, *, candidates: None = ..., **wishes: Any) -> Chorale: ...
@overload
def infill(piece: str | Path | Chorale, *, candidates: int, **wishes: Any) -> Proposals: ...


def infill(
    piece: str | Path | Chorale,
    *,
    voices: str = "S,A,T,B",
    steps: tuple[int, int] | None = None,
    model: str | Path | LoadedModel = _FILLS,
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    **wishes: Any,
) -> Chorale | Proposals:
    """Write some voices of a piece anew over some steps; all else stays note for note.

    Args:
        piece: a piece or a file.
        voices: as in "A,T".
        steps: first sixteenth and the one after the last; None: all.
        model: a loaded model, or the name or directory of one.
        candidates: make so many proposals, measure and rank them, as in ``generate``.
        weights: of the ranking, where others are wanted.
        **wishes: fields of ``GenerationRequest``.
    """
    original = piece if isinstance(piece, Chorale) else Chorale.read(piece)
    moved, semitones = edit_requests.within_span(original)
    asked = _with_key(wishes, Reading(chorale=moved, semitones=semitones))
    start, stop = steps or (0, moved.steps)
    request = edit_requests.infilling(
        moved, edit_requests.voices_named(voices), start, stop, **asked
    )
    job = proposing.propose(
        _loaded(model), request, candidates or 1, original=moved, weights=weights
    )
    made = jobs.run(job)
    return made if candidates is not None else made.ranked[0].chorale.transposed(-semitones)


def _tune(melody: str | Path | Chorale, voice: Voice) -> Reading:
    """The melody, as ``voice`` can sing it."""
    if isinstance(melody, Chorale):
        return Reading(chorale=melody)
    path = Path(melody)
    bundled_tune = not path.suffix and not path.exists()
    return files.melody(melodies.path(str(melody)) if bundled_tune else path, voice)


def _with_key(wishes: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """``wishes``, a key among them moved as the piece was moved."""
    key = wishes.get("key")
    if key is None:
        return wishes
    parsed = Key.parse(key) if isinstance(key, str) else key
    return wishes | {"key": parsed.transposed(reading.semitones)}


def _request(original: Chorale | None, wishes: dict[str, Any]) -> GenerationRequest:
    """The request that a script's wishes amount to."""
    if isinstance(wishes.get("meter"), str):
        wishes["meter"] = Meter.parse(wishes["meter"])
    if isinstance(wishes.get("key"), str):
        wishes["key"] = Key.parse(wishes["key"])
    if isinstance(wishes.get("locks"), str | Path):
        wishes["locks"] = Locks.read(Path(wishes["locks"]))
    if "rules" in wishes:
        wishes["rules"] = _listed(wishes["rules"])
    keep, rewrite = _listed(wishes.pop("keep", ())), _listed(wishes.pop("rewrite", ()))
    if original is None:
        if keep or rewrite:
            raise UsageError("keep and rewrite name parts of a piece: give it as original")
        return GenerationRequest(**wishes)
    locks = regions.locks_of(original, keep, rewrite)
    own = wishes.pop("locks", None)
    return GenerationRequest.like(original, locks=locks | own if own else locks, **wishes)


def _listed(names: str | Collection[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def evaluate(
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    source: str = "chorales",
    split: Split = "test",
    given: tuple[str, ...] = conditions.FROM_PLACE_ALONE,
) -> Evaluation:
    """nats/note of a model over whole pieces.

    Args:
        model: a loaded model, or the name or directory of one.
        source: ``chorales`` or ``jsb:FILE``.
        split: train, valid or test.
        given: conditions the model is told.
    """
    loaded = _loaded(model)
    pieces = dataset.load(source).pieces[split]
    masks = recipe.masking_of(loaded.card.recipe)
    return jobs.run(losses.evaluate(loaded.network, pieces, loaded.vocabulary, given, masks))


def grade(chorale: Chorale, reference: str = grade_reference.SHIPPED) -> Assessment:
    """How near to Bach a piece is, which rules it breaks, how much of it the models had heard.

    Args:
        chorale: the piece.
        reference: what it is compared with, see ``musicrel.analysis.grade_reference.load``.
    """
    measure = grade_reference.load(reference).reference
    return assessment.assess(chorale, measure, assessment.heard(bundled.load("train")))


def _loaded(model: str | Path | LoadedModel) -> LoadedModel:
    return model if isinstance(model, LoadedModel) else load_model(str(model))
