"""The Python interface: the names that ``import musicrel`` offers."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypedDict, Unpack, overload

from musicrel import bounds, jobs, paths
from musicrel.analysis import assessment, grade_reference
from musicrel.analysis.assessment import Assessment
from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.corpus import bundled, melodies
from musicrel.corpus.splits import Split
from musicrel.errors import UsageError
from musicrel.experiment.recipe import recipe
from musicrel.generation import edit_requests, request_fields
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import CandidateSet
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.generation.drawn_phrases import DrawnPhrases
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.generation.request_fields import names_of, pop_auto
from musicrel.generation.transposition import fit_to_vocabulary, place_melody
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.midi.pretty_midi_conversion import from_pretty_midi, to_pretty_midi
from musicrel.tokens import conditions

if TYPE_CHECKING:
    from musicrel.experiment.objectives.evaluation import Evaluation

__all__ = [
    "Chorale", "LoadedModel", "evaluate", "from_pretty_midi", "generate", "grade", "harmonise",
    "infill", "load_model", "to_pretty_midi",
]  # fmt: skip

_log = logging.getLogger(__name__)
_DEFAULT_MODEL: Final = "relative"
_INFILL_MODEL: Final = "relative-infill"


class _Options(TypedDict, total=False):
    """Options of all requests; see ``GenerationRequest``.

    A key may be text as in "F# minor", rules one name or several as in ("range", "parallels").
    ``cadence`` is one kind for all phrases or one for each as in "half,,authentic". ``ranges`` is
    the name of a preset (``musicrel.generation.constraints.voice_ranges``), "choir" by default,
    text as in "60-81,55-74,48-69,40-64", or pairs of numbers; presets are widened by kept notes
    beside new ones. ``mute`` names heads, as in "2.3,4": head 3 of layer 2 and all of layer 4.
    Names of version 1 (``musicrel.legacy``) are accepted, too.
    """

    key: Key | str | None
    temperature: float
    top_k: int
    top_p: float
    seed: int
    tempo: float
    fermatas: tuple[tuple[int, int], ...]
    rules: str | Collection[str]
    quality: Literal["draft", "normal", "high"]
    cadence: str
    ranges: Ranges | str
    mute: str
    mute_by: Literal["mean", "zero"]


class EditOptions(_Options, total=False):
    """Options of a request that starts from a piece.

    ``last_chord`` is the end of a harmonised melody: "authentic" (the default), "tonic", "" (any).
    """

    phrases: tuple[int, ...]
    last_chord: str


class RequestOptions(_Options, total=False):
    """Options of a request for a piece; see ``GenerationRequest``.

    A meter may be text as in "3/4", ``locks`` a file. Phrases and pickup are drawn with the seed
    where they are "auto", the default; phrases "none" are the model's choice. With ``original``,
    ``keep`` and ``rewrite`` name one part or several as in "soprano" and "alto,tenor:5-8"
    (``musicrel.generation.constraints.regions``).
    """

    bars: int
    meter: Meter | str
    phrases: tuple[int, ...] | Literal["auto", "none"]
    pickup: int | Literal["auto"]
    length: int
    locks: Locks | str | Path | None
    keep: str | Collection[str]
    rewrite: str | Collection[str]


@overload
def generate(
    model: str | Path | LoadedModel = ...,
    *,
    count: None = ...,
    candidates: None = ...,
    weights: Mapping[str, float] | None = ...,
    original: Chorale | None = ...,
    **options: Unpack[RequestOptions],
) -> Chorale: ...
@overload
def generate(
    model: str | Path | LoadedModel = ...,
    *,
    count: int,
    candidates: None = ...,
    weights: Mapping[str, float] | None = ...,
    original: Chorale | None = ...,
    **options: Unpack[RequestOptions],
) -> list[Chorale]: ...
@overload
def generate(
    model: str | Path | LoadedModel = ...,
    *,
    candidates: int,
    weights: Mapping[str, float] | None = ...,
    original: Chorale | None = ...,
    **options: Unpack[RequestOptions],
) -> CandidateSet: ...


def generate(
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    *,
    count: int | None = None,
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    original: Chorale | None = None,
    **options: Unpack[RequestOptions],
) -> Chorale | list[Chorale] | CandidateSet:
    """Generate one piece, or with ``count`` a list of pieces with consecutive seeds.

    A model that writes from left to right tries several ways at once to locked notes ahead, except
    at draft quality. With ``candidates``, several pieces are ranked by how well they lead into
    these notes.

    Args:
        model: a loaded model, or the name or directory of one.
        count: number of pieces; None: one, not in a list.
        candidates: number of candidates to generate, measure and rank instead: ``.ranked``, the
            best first, each with ``.chorale``, ``.measures`` and ``.score``.
        weights: weights of the ranking (``musicrel.generation.candidates.ranking``) that differ
            from the default.
        original: a piece to start from; ``keep`` and ``rewrite`` name its parts.
        **options: fields of ``GenerationRequest``; ``top_p`` defaults to 0.9. See
            ``RequestOptions``.

    Raises:
        UsageError: an option is out of bounds, or options contradict each other.
    """
    if count is not None and candidates is not None:
        raise UsageError("count and candidates are both given: expected one of them")
    pieces = 1 if count is None else count
    bounds.check("count", pieces)
    request_fields.check_types(original=original, weights=weights)
    request, drawn = _request(original, dict(options))
    loaded = _loaded(model)
    if candidates is not None:
        request = drawn.applied(request, loaded.conditions)
        job = candidate_job.generate_candidates(
            loaded, request, candidates, original=original, weights=weights
        )
        return jobs.run(job)
    seeds = range(request.seed, request.seed + pieces)
    requests = [drawn.applied(replace(request, seed=seed), loaded.conditions) for seed in seeds]
    found = [jobs.run(candidate_job.generate_piece(loaded, each)).chorale for each in requests]
    return found[0] if count is None else found


@overload
def harmonise(
    melody: str | Path | Chorale,
    *,
    voice: str = ...,
    model: str | Path | LoadedModel = ...,
    candidates: None = ...,
    weights: Mapping[str, float] | None = ...,
    **options: Unpack[EditOptions],
) -> Chorale: ...
@overload
def harmonise(
    melody: str | Path | Chorale,
    *,
    voice: str = ...,
    model: str | Path | LoadedModel = ...,
    candidates: int,
    weights: Mapping[str, float] | None = ...,
    **options: Unpack[EditOptions],
) -> CandidateSet: ...


def harmonise(
    melody: str | Path | Chorale,
    *,
    voice: str = "soprano",
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    **options: Unpack[EditOptions],
) -> Chorale | CandidateSet:
    """Write three voices to a melody.

    Args:
        melody: a piece of which only ``voice`` counts, a file, or the name of a bundled tune. One
            that lies more than two semitones outside the range of the voice is transposed into it,
            with ``key``, and the result stays there; any other sounds where it was written.
        voice: voice of the melody.
        model: a loaded model, or the name or directory of one.
        candidates: number of candidates to generate, measure and rank, as in ``generate``.
        weights: weights of the ranking that differ from the default.
        **options: fields of ``GenerationRequest``, as in ``quality="high"``, ``seed=1``,
            ``key="G minor"``. See ``EditOptions``.

    Raises:
        UsageError: an option is out of bounds, the voice is silent, or ``voice`` names several.
    """
    request_fields.check_types(melody=melody, voice=voice, weights=weights)
    voices = edit_requests.parse_voices(voice)
    if len(voices) != 1:
        raise UsageError(f"voice {voice!r} names {len(voices)} voices: expected one")
    imported, fields = _melody(melody, voices[0]), request_fields.parsed(dict(options))
    key = fields.get("key")
    placed, transposition, moved = place_melody(
        edit_requests.truncated(imported.chorale),
        voices[0],
        key and key.transposed(imported.semitones),
    )
    if moved:
        _log.warning("the melody lies outside the range of its voice: %s", moved)
    fields["key"] = transposition.requested_key
    ranges = fields.pop("ranges", voice_ranges.DEFAULT)
    request = edit_requests.harmony_request(placed, voices[0], **fields)
    request = edit_requests.with_ranges(request, ranges)
    job = candidate_job.generate_candidates(
        _loaded(model),
        request,
        1 if candidates is None else candidates,
        transposition=transposition,
        weights=weights,
    )
    result = jobs.run(job)
    if candidates is not None:
        return result
    melody = imported.chorale
    return replace(result.ranked[0].chorale, title=melody.title, composer=melody.composer)


@overload
def infill(
    piece: str | Path | Chorale,
    *,
    voices: str = ...,
    steps: tuple[int, int] | None = ...,
    model: str | Path | LoadedModel = ...,
    candidates: None = ...,
    weights: Mapping[str, float] | None = ...,
    **options: Unpack[EditOptions],
) -> Chorale: ...
@overload
def infill(
    piece: str | Path | Chorale,
    *,
    voices: str = ...,
    steps: tuple[int, int] | None = ...,
    model: str | Path | LoadedModel = ...,
    candidates: int,
    weights: Mapping[str, float] | None = ...,
    **options: Unpack[EditOptions],
) -> CandidateSet: ...


def infill(
    piece: str | Path | Chorale,
    *,
    voices: str = "S,A,T,B",
    steps: tuple[int, int] | None = None,
    model: str | Path | LoadedModel = _INFILL_MODEL,
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    **options: Unpack[EditOptions],
) -> Chorale | CandidateSet:
    """Rewrite some voices of a piece over some steps; all other notes are kept.

    Args:
        piece: a piece or a file.
        voices: voices to rewrite, as in "A,T".
        steps: first sixteenth and the one after the last; None: all.
        model: a loaded model, or the name or directory of one.
        candidates: number of candidates to generate, measure and rank, as in ``generate``.
        weights: weights of the ranking that differ from the default.
        **options: fields of ``GenerationRequest``. See ``EditOptions``.

    Raises:
        UsageError: an option is out of bounds, or the steps are not in the piece.
    """
    request_fields.check_types(piece=piece, voices=voices, steps=steps, weights=weights)
    original = piece if isinstance(piece, Chorale) else Chorale.read(piece)
    fields = request_fields.parsed(dict(options))
    moved, transposition = fit_to_vocabulary(original, fields.get("key"))
    fields["key"] = transposition.requested_key
    ranges = fields.pop("ranges", voice_ranges.DEFAULT)
    start, stop = request_fields.span_of(steps, moved.steps)
    chosen = edit_requests.parse_voices(voices)
    request = edit_requests.infill_request(moved, chosen, start, stop, **fields)
    request = edit_requests.with_ranges(request, ranges)
    result = jobs.run(
        candidate_job.generate_candidates(
            _loaded(model),
            request,
            1 if candidates is None else candidates,
            original=moved,
            transposition=transposition,
            weights=weights,
        )
    )
    return result if candidates is not None else result.ranked[0].chorale


def _melody(melody: str | Path | Chorale, voice: Voice) -> ImportedPiece:
    """Return the melody in or near the range of ``voice``; that of a piece as it is."""
    if isinstance(melody, Chorale):
        return ImportedPiece(chorale=melody)
    path = Path(melody)
    if not path.suffix and not paths.is_file(path):
        path = melodies.path(str(melody))
    return files.import_melody(path, voice).logged(path.name)


def _request(
    original: Chorale | None, options: dict[str, Any]
) -> tuple[GenerationRequest, DrawnPhrases]:
    """Return the request of ``generate`` without what is drawn, and what is drawn."""
    fields = {"top_p": DEFAULT_TOP_P} | request_fields.parsed(options)
    ranges = fields.pop("ranges", voice_ranges.DEFAULT)
    keep, rewrite = (names_of(fields.pop(name, ())) for name in ("keep", "rewrite"))
    if original is not None:
        request = edit_requests.part_request(original, keep, rewrite, **fields)
        return edit_requests.with_ranges(request, ranges), DrawnPhrases()
    if keep or rewrite:
        raise UsageError("keep and rewrite name parts of a piece: give it as original")
    drawn = DrawnPhrases(phrases=pop_auto(fields, "phrases"), pickup=pop_auto(fields, "pickup"))
    drawn.check(fields.get("cadence", ""))
    return edit_requests.with_ranges(GenerationRequest(**fields), ranges), drawn


def evaluate(
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    source: str = "chorales",
    split: Split = "test",
    given: tuple[str, ...] = conditions.POSITIONAL,
) -> Evaluation:
    """Return the nats/note of a model over whole pieces.

    Args:
        model: a loaded model, or the name or directory of one.
        source: ``chorales`` or ``jsb:FILE``.
        split: train, valid or test.
        given: names of the conditions that the model reads.
    """
    from musicrel.experiment.data import dataset  # noqa: PLC0415  # it imports torch
    from musicrel.experiment.objectives import evaluation as losses  # noqa: PLC0415

    request_fields.check_types(source=source, split=split, given=given)
    conditions.sizes(given := names_of(given))
    loaded = _loaded(model)
    data = dataset.load(source)
    data.require(split, "choose another with split='train'")
    for change in data.report.splitlines()[1:]:
        _log.warning("%s", change)
    pieces = data.pieces[split]
    masks = recipe.masking_from_card(loaded.card.recipe)
    return jobs.run(losses.evaluate(loaded.network, pieces, loaded.vocabulary, given, masks))


def grade(chorale: Chorale, reference: str = grade_reference.SHIPPED) -> Assessment:
    """Return a piece's distance from Bach, its rule violations and what it shares with training.

    Args:
        chorale: the piece.
        reference: reference of the grade, see ``musicrel.analysis.grade_reference.load``.
    """
    request_fields.check_types(chorale=chorale, reference=reference)
    measure = grade_reference.load(reference).reference
    return assessment.assess(chorale, measure, assessment.known_chunks(bundled.load("train")))


def _loaded(model: str | Path | LoadedModel) -> LoadedModel:
    return model if isinstance(model, LoadedModel) else load_model(str(model))
