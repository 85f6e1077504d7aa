"""The Python interface: the names that ``import musicrel`` offers.

Results of attention and effects are frozen dataclasses of NumPy arrays; ``axes`` names the axes of
each. A note is named by voice, bar and beat, as in "alto:5.2".
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal, Self, TypeAlias, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from musicrel import bounds, jobs, legacy, paths
from musicrel.analysis import assessment, grade_reference
from musicrel.analysis.assessment import Assessment
from musicrel.analysis.corpus import bundled, melodies
from musicrel.analysis.corpus.splits import Split
from musicrel.bounds import shown
from musicrel.chorale import Chorale, Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.experiment.recipe import recipe
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import CandidateEvent, CandidateSet
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.constraints.voice_ranges import Ranges
from musicrel.generation.heads import means
from musicrel.generation.heads.mutes import Mutes, Replacement
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.phrasing import openings, phrase_plan
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.generation.transposition import Transposition, fit_to_vocabulary, place_melody
from musicrel.interpretability import ablation, cell_names
from musicrel.interpretability import places as learned_places
from musicrel.interpretability.readers import open_reader
from musicrel.interpretability.results import (
    Arrays,
    Attributions,
    GlobalEffects,
    Lens,
    LocalEffects,
    Places,
    SourceEffects,
)
from musicrel.jobs import Job
from musicrel.model.tokens import conditions
from musicrel.score import files
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.midi.pretty_midi_conversion import from_pretty_midi, to_pretty_midi

if TYPE_CHECKING:
    from musicrel.experiment.objectives.evaluation import Evaluation

Model: TypeAlias = str | Path | LoadedModel
Piece: TypeAlias = str | Path | Chorale

_TEXTS: Final = (
    "quality", "cadence", "begins_on", "form", "mute", "mute_by", "voice", "voices"
)  # fmt: skip
_NAMES: Final = (str, list, tuple, set, frozenset)
# Types of keywords that are used before ``GenerationRequest`` or ``bounds`` can check them.
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "key": (Key, str, NoneType),
    "meter": (Meter, str),
    "phrases": (tuple, str),
    **dict.fromkeys(("bars", "pickup"), (int, str)),
    "locks": (Locks, str, Path, NoneType),
    "ranges": (tuple, str, NoneType),
    **dict.fromkeys(("rules", "keep", "rewrite", "given"), _NAMES),
    **dict.fromkeys(_TEXTS, (str,)),
    **dict.fromkeys(("source", "split", "reference"), (str,)),
    **dict.fromkeys(("melody", "piece"), (Chorale, str, Path)),
    "original": (Chorale, NoneType),
    "chorale": (Chorale,),
    "steps": (tuple, list, NoneType),
    "verse": (int, NoneType),
    "weights": (Mapping, NoneType),
}


AUTO: Final = "auto"  # what is drawn with the seed
_DRAWN: Final = ("bars", "phrases", "pickup", "begins_on", "form")
_WORDS: Final[tuple[tuple[str, str, object], ...]] = (
    ("phrases", "none", ()),
    ("begins_on", "any", openings.ANY),
    ("form", "through-composed", phrase_plan.THROUGH_COMPOSED),
)
"""Words for values of fields that mean the model's choice."""


def check_types(**values: object) -> None:
    """Check the types of keywords, and of the names in a collection of names.

    Raises:
        UsageError: one is of another type.
    """
    for name, value in values.items():
        kinds = _TYPES.get(name, (object,))
        is_valid = isinstance(value, kinds)
        if kinds is _NAMES and isinstance(value, Collection):
            is_valid = is_valid and all(isinstance(each, str) for each in value)
        if not is_valid:
            named = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
            raise UsageError(f"{name} is {shown(value)}: expected {named}")


def parsed(options: dict[str, Any]) -> dict[str, Any]:
    """Return options as fields of a request: names of version 1 translated, text parsed.

    Raises:
        UsageError: a text cannot be parsed, or a value is of another type.
        FileError, DataError: a file of locks cannot be read.
    """
    fields = legacy.translate(options, legacy.PROVENANCE_KEYS)
    check_types(**fields)
    fields |= {
        name: fields[name].lower()
        for name in (*_TEXTS, *_DRAWN, "last_chord", "rules")
        if isinstance(fields.get(name), str)
    }
    if "quality" in fields:
        fields["quality"] = legacy.quality(fields["quality"])
    if isinstance(fields.get("meter"), str):
        fields["meter"] = Meter.parse(fields["meter"])
    if isinstance(fields.get("key"), str):
        fields["key"] = Key.parse(fields["key"])
    if isinstance(fields.get("locks"), str | Path):
        fields["locks"] = Locks.read(Path(fields["locks"]))
    if "rules" in fields:
        fields["rules"] = names_of(fields["rules"])
    if "mute" in fields or "mute_by" in fields:
        fields["mutes"] = Mutes.parse(fields.pop("mute", ""), fields.pop("mute_by", "mean"))
    fields |= {name: value for name, word, value in _WORDS if fields.get(name) == word}
    return fields


def names_of(names: str | Collection[str]) -> tuple[str, ...]:
    """Return one name or several as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def span_of(steps: tuple[int, int] | None, whole: int) -> tuple[int, int]:
    """Return ``steps``, or all of a piece of ``whole`` steps for None.

    Raises:
        UsageError: they are not two.
    """
    try:
        first, stop = (0, whole) if steps is None else steps
    except ValueError:
        raise UsageError(
            f"steps are {shown(steps)}: expected two, the first and the one after the last"
        ) from None
    return first, stop


__all__ = [
    "Chorale", "LoadedModel", "ablate", "attention", "attributions", "evaluate",
    "from_pretty_midi", "generate", "grade", "harmonise", "infill", "lens", "load_model", "places",
    "sources", "to_pretty_midi",
]  # fmt: skip

_log = logging.getLogger(__name__)
_DEFAULT_MODEL: Final = "relative"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """A request, and the piece that it starts from."""

    request: GenerationRequest
    transposition: Transposition | None = None  # of the request, from the piece as it was written
    original: Chorale | None = None  # the piece that the candidates can replace
    source: Chorale | None = None  # the piece whose names and words they get; None: ``original``
    title: str = ""  # of what is written; "": that of the request

    def within(self, ranges: Ranges | str) -> Self:
        """Return the task with voice ranges; see ``edit_requests.with_ranges``."""
        return replace(self, request=edit_requests.with_ranges(self.request, ranges))

    def job(
        self, model: LoadedModel, candidates: int | None, weights: Mapping[str, float] | None
    ) -> Job[CandidateEvent, CandidateSet]:
        """Return the job that writes candidates, one for None."""
        return candidate_job.generate_candidates(
            model,
            self.request,
            1 if candidates is None else candidates,
            original=self.original,
            source=self.source,
            transposition=self.transposition,
            weights=weights,
        )


class _Options(TypedDict, total=False):
    """Options of all requests; see ``GenerationRequest``.

    A key may be text as in "F# minor", rules one name or several as in ("range", "parallels").
    ``cadence`` is one kind for all phrases or one for each as in "half,,authentic". ``ranges`` is
    the name of a preset (``musicrel.generation.constraints.voice_ranges``), "choir" by default,
    text as in "60-81,55-74,48-69,40-64", or pairs of numbers; presets are widened by kept notes
    beside new ones. ``mute`` names heads, as in "2.3,4": head 3 of layer 2 and all of layer 4.
    Names of version 1 (``musicrel.legacy``) are accepted, too, and words in capitals.
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

    A meter may be text as in "3/4", ``locks`` a file. Bars, phrases, pickup, ``begins_on`` and
    ``form`` are drawn with the seed where they are "auto", the default, the form only if the bars
    are; phrases "none" are the model's choice. A piece begins on "tonic", "dominant" or "any"
    chord. Its form is "aab", in which the first phrases come twice, or "through-composed". With
    ``original``, ``keep`` and ``rewrite`` name one part or several as in "soprano" and
    "alto,tenor:5-8" (``musicrel.generation.constraints.regions``).
    """

    bars: int | Literal["auto"]
    meter: Meter | str
    phrases: tuple[int, ...] | Literal["auto", "none"]
    pickup: int | Literal["auto"]
    begins_on: Literal["auto", "tonic", "dominant", "any"]
    form: Literal["auto", "aab", "through-composed"]
    length: int
    locks: Locks | str | Path | None
    keep: str | Collection[str]
    rewrite: str | Collection[str]


class _Generate(RequestOptions, total=False):
    weights: Mapping[str, float] | None
    original: Chorale | None


class _Edit(EditOptions, total=False):
    model: Model
    weights: Mapping[str, float] | None


class _Harmonise(_Edit, total=False):
    voice: str


class _Infill(_Edit, total=False):
    voices: str
    steps: tuple[int, int] | None
    verse: int | None


@overload
def generate(
    model: Model = ..., *, count: None = ..., candidates: None = ..., **options: Unpack[_Generate]
) -> Chorale: ...
@overload
def generate(
    model: Model = ..., *, count: int, candidates: None = ..., **options: Unpack[_Generate]
) -> list[Chorale]: ...
@overload
def generate(
    model: Model = ..., *, candidates: int, **options: Unpack[_Generate]
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
    check_types(original=original, weights=weights)
    wanted, loaded = request(original, dict(options)), _loaded(model)
    if remark := wanted.remark(loaded.conditions):
        _log.warning(remark)
    if candidates is not None:
        task = Writing(request=wanted.resolved(loaded.conditions), original=original)
        return jobs.run(task.job(loaded, candidates, weights))
    seeds = range(wanted.seed, wanted.seed + pieces)
    requests = [replace(wanted, seed=seed).resolved(loaded.conditions) for seed in seeds]
    found = [jobs.run(job).chorale for job in candidate_job.generate_pieces(loaded, requests)]
    if original is not None:
        found = [piece.with_texts_of(original) for piece in found]
    return found[0] if count is None else found


@overload
def harmonise(
    melody: Piece, *, candidates: None = ..., **options: Unpack[_Harmonise]
) -> Chorale: ...
@overload
def harmonise(melody: Piece, *, candidates: int, **options: Unpack[_Harmonise]) -> CandidateSet: ...


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
    check_types(melody=melody, voice=voice, weights=weights)
    voices = edit_requests.parse_voices(voice)
    if len(voices) != 1:
        raise UsageError(f"voice {voice!r} names {len(voices)} voices: expected one")
    source = _melody(melody, voices[0])
    short = replace(source, chorale=edit_requests.truncated(source.chorale))
    fields = parsed(dict(options))
    ranges = fields.pop("ranges", voice_ranges.DEFAULT)
    task = harmony(short, voices[0], fields).within(ranges)
    result = jobs.run(task.job(_loaded(model), candidates, weights))
    if candidates is not None:
        return result
    return replace(result.ranked[0].chorale, title=source.chorale.title)


def harmony(source: ImportedPiece, voice: Voice, fields: dict[str, Any]) -> Writing:
    """Return the task of writing three voices to a melody.

    Args:
        source: a piece of which only ``voice`` counts.
        voice: voice of the melody.
        fields: fields of a request, as ``parsed`` returns them; it takes the key of the melody.
    """
    key = fields.get("key")
    melody, transposition, moved = place_melody(
        source.chorale, voice, key and key.transposed(source.semitones)
    )
    if moved:
        _log.warning("the melody lies outside the range of its voice: %s", moved)
    fields["key"] = transposition.requested_key
    request = edit_requests.harmony_request(melody, voice, **fields)
    title = melody.title or "Harmonised melody"
    written = replace(source.chorale, key=melody.key, marks=melody.marks)
    return Writing(request=request, transposition=transposition, source=written, title=title)


@overload
def infill(piece: Piece, *, candidates: None = ..., **options: Unpack[_Infill]) -> Chorale: ...
@overload
def infill(piece: Piece, *, candidates: int, **options: Unpack[_Infill]) -> CandidateSet: ...


def infill(
    piece: str | Path | Chorale,
    *,
    voices: str = "S,A,T,B",
    steps: tuple[int, int] | None = None,
    verse: int | None = None,
    model: str | Path | LoadedModel = "relative-infill",
    candidates: int | None = None,
    weights: Mapping[str, float] | None = None,
    **options: Unpack[EditOptions],
) -> Chorale | CandidateSet:
    """Rewrite some voices of a piece over some steps; all other notes are kept.

    Args:
        piece: a piece or a file.
        voices: voices to rewrite, as in "A,T".
        steps: first sixteenth and the one after the last; None: all.
        verse: number of a verse that gets lower voices of its own: it is written out after the
            verses before it, with the same soprano; None: no verse is written out.
        model: a loaded model, or the name or directory of one.
        candidates: number of candidates to generate, measure and rank, as in ``generate``.
        weights: weights of the ranking that differ from the default.
        **options: fields of ``GenerationRequest``. See ``EditOptions``.

    Raises:
        UsageError: an option is out of bounds, the piece has no such steps or verse, or voices or
            steps are given with a verse.
    """
    check_types(piece=piece, voices=voices, steps=steps, verse=verse, weights=weights)
    original = _piece(piece)
    fields = parsed(dict(options))
    moved, transposition = fit_to_vocabulary(original, fields.get("key"))
    fields["key"] = transposition.requested_key
    ranges = fields.pop("ranges", voice_ranges.DEFAULT)
    chosen = edit_requests.parse_voices(voices)
    task = infilling(moved, chosen, steps, verse, fields)
    task = replace(task, transposition=transposition).within(ranges)
    result = jobs.run(task.job(_loaded(model), candidates, weights))
    if candidates is not None:
        return result
    found = result.ranked[0].chorale
    return replace(found, title=original.title or found.title)


def infilling(
    piece: Chorale,
    voices: Collection[Voice],
    steps: tuple[int, int] | None,
    verse: int | None,
    fields: dict[str, Any],
) -> Writing:
    """Return the task of rewriting some voices, or all lower voices of a verse.

    Args:
        piece: the piece, as a model writes it.
        voices: the voices to rewrite; all for a verse.
        steps: first sixteenth and the one after the last; None: all.
        verse: number of the verse; None: of no verse.
        fields: fields of a request, as ``parsed`` returns them.

    Raises:
        UsageError: the piece has no such steps or verse, or voices or steps are given with a verse.
    """
    if verse is None:
        start, stop = span_of(steps, piece.steps)
        request = edit_requests.infill_request(piece, voices, start, stop, **fields)
        return Writing(request=request, original=piece)
    if steps or len(voices) < len(Voice):
        raise UsageError("all lower voices of a verse are rewritten: leave out voices and steps")
    bounds.check("verse", verse)
    edit, free = edit_requests.verse_written_out(piece, verse)
    request = edit_requests.verse_request(edit.piece, free, **fields)
    return Writing(request=request, original=edit.piece)


def _melody(melody: Piece, voice: Voice) -> ImportedPiece:
    """Return the melody in or near the range of ``voice``; that of a piece as it is."""
    if isinstance(melody, Chorale):
        return ImportedPiece(chorale=melody)
    path = Path(melody)
    if not path.suffix and not paths.is_file(path):
        path = melodies.path(str(melody))
    return files.import_melody(path, voice).logged(path.name)


def request(original: Chorale | None, options: dict[str, Any]) -> GenerationRequest:
    """Return the request of ``RequestOptions``, with what is to be drawn with the seed open."""
    fields = {"top_p": DEFAULT_TOP_P} | parsed(options)
    ranges = fields.pop("ranges", voice_ranges.DEFAULT)
    keep, rewrite = (names_of(fields.pop(name, ())) for name in ("keep", "rewrite"))
    if original is not None:
        found = edit_requests.part_request(original, keep, rewrite, **fields)
        return edit_requests.with_ranges(found, ranges)
    if keep or rewrite:
        raise UsageError("keep and rewrite name parts of a piece: give it as original")
    for name in _DRAWN:
        fields[name] = None if fields.get(name, AUTO) == AUTO else fields[name]
    is_long = any(fields.get(name) is not None for name in ("length", "locks", "fermatas"))
    if is_long and fields["bars"] is None and not fields["phrases"]:
        del fields["bars"]
    return edit_requests.with_ranges(GenerationRequest(**fields), ranges)


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

    check_types(source=source, split=split, given=given)
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
    check_types(chorale=chorale, reference=reference)
    measure = grade_reference.load(reference).reference
    return assessment.assess(chorale, measure, assessment.known_chunks(bundled.load("train")))


@dataclass(frozen=True, eq=False, slots=True)
class Attention(Arrays):
    """Attention weights of a model in a piece.

    Attributes:
        cells_C: the cells whose queries these are, four times the step plus the voice.
        weights_CLHK: the weights of each over START and all cells in a causal model, over all steps
            in an infilling one.
    """

    cells_C: npt.NDArray[np.int64]
    weights_CLHK: npt.NDArray[np.float32]


def attention(
    piece: str | Path | Chorale, model: str | Path | LoadedModel = _DEFAULT_MODEL, *, note: str = ""
) -> Attention:
    """Return the attention weights of a model in a piece.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: one note; "": all cells.

    Raises:
        UsageError: the piece has no such note.
    """
    chorale, loaded = _piece(piece), _loaded(model)
    cells = len(Voice) * chorale.steps
    if loaded.config.is_causal and not note:
        rows_NC = loaded.condition_rows(chorale, conditions_of(chorale))
        weights_LHNN = loaded.attention(loaded.encode(chorale), rows_NC)[:, :, :cells, :cells]
        return Attention(np.arange(cells), weights_LHNN.transpose(2, 0, 1, 3))
    reader = open_reader(loaded, chorale)
    cells_C = np.array([cell_names.parse(note, chorale)]) if note else np.arange(cells)
    weights = [reader.weights(cell) for cell in cells_C.tolist()]
    return Attention(cells_C, np.stack(weights))


def attributions(
    piece: str | Path | Chorale, model: str | Path | LoadedModel = _DEFAULT_MODEL, *, note: str = ""
) -> Attributions:
    """Return what each part of a model adds to the logits of a note: direct logit attribution.

    The contributions of the embeddings, heads, feed-forward networks and biases add up to the
    logits, in double precision. The scale of the last norm is held as it was, and in an infilling
    model the gates of its output layer. The preference of a head for one note over another is the
    difference of their tokens, as in ``heads_CLHV[..., one] - heads_CLHV[..., other]``. An
    infilling model reads the piece once for every note, about a seventh of a second each.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: one note; "": all cells, 8 bytes for each of them, part and token: 17 MB for 16 bars.

    Raises:
        UsageError: the piece has no such note.
        ModelError: the model normalises its states after every layer.
        MissingTorchError: torch is not installed.
    """
    chorale = _piece(piece)
    reader = open_reader(_loaded(model), chorale)
    cells = range(len(Voice) * chorale.steps)
    return reader.attributions([cell_names.parse(note, chorale)] if note else cells)


@overload
def ablate(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = ...,
    *,
    note: str,
    heads: str = ...,
    by: Replacement = ...,
) -> LocalEffects: ...
@overload
def ablate(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = ...,
    *,
    note: None = ...,
    heads: str = ...,
    by: Replacement = ...,
) -> GlobalEffects: ...


def ablate(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    *,
    note: str | None = None,
    heads: str = "",
    by: Replacement = "mean",
) -> LocalEffects | GlobalEffects:
    """Return the effects of heads on a note, or on a whole piece.

    On a note, all heads and the four voices are ablated one at a time, at its query alone. On a
    piece, heads are replaced at all positions.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: the note; None: the whole piece.
        heads: the heads that are replaced in a whole piece, as in "2.3,4"; "": all.
        by: what replaces their output: "mean" over the training pieces, which is computed once for
            a model, or "zero".

    Raises:
        UsageError: the piece has no such note, or the model no such head, or both are given.
    """
    if note is not None and heads:
        raise UsageError(
            f"heads is {heads!r} for the note {note!r}: expected no heads, as all are ablated one "
            "at a time on a note; leave note out for the whole piece"
        )
    chorale, loaded = _piece(piece), _loaded(model)
    chosen = Mutes.parse(heads, by)
    if chosen.by == "mean":
        jobs.run(means.prepare(loaded))
    if note is not None:
        reader = open_reader(loaded, chorale)
        return reader.local(cell_names.parse(note, chorale), chosen.by)
    return jobs.run(ablation.global_effects(loaded, chorale, chosen or None, chosen.by))


def sources(
    piece: str | Path | Chorale,
    model: str | Path | LoadedModel = _DEFAULT_MODEL,
    *,
    note: str,
    strongest: int = 64,
    random: int = 64,
    seed: int = 0,
) -> SourceEffects:
    """Return the effects of earlier notes on a note: the strongest by weight, and random others.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: the note.
        strongest: number of the strongest, at most.
        random: number of random ones of the rest, at most.
        seed: draws them.

    Raises:
        UsageError: the piece has no such note.
    """
    chorale = _piece(piece)
    reader = open_reader(_loaded(model), chorale)
    return reader.sources(cell_names.parse(note, chorale), strongest, random, seed)


def lens(
    piece: str | Path | Chorale, model: str | Path | LoadedModel = _DEFAULT_MODEL, *, note: str
) -> Lens:
    """Return what each layer of a model would have chosen for a note: the logit lens.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one.
        note: the note.

    Raises:
        UsageError: the piece has no such note.
    """
    chorale = _piece(piece)
    return open_reader(_loaded(model), chorale).lens(cell_names.parse(note, chorale))


def places(piece: str | Path | Chorale, model: str | Path | LoadedModel) -> Places:
    """Return the places that the heads of a DaRoPE model give to the notes of a piece.

    Args:
        piece: a piece or a file.
        model: a loaded model, or the name or directory of one; causal, with the scheme ``darope``.

    Raises:
        ModelError: the heads of this model learn no places.
        MissingTorchError: torch is not installed.
    """
    return learned_places.find(_loaded(model), _piece(piece))


def _piece(piece: Piece) -> Chorale:
    return piece if isinstance(piece, Chorale) else Chorale.read(piece)


def _loaded(model: Model) -> LoadedModel:
    return model if isinstance(model, LoadedModel) else load_model(str(model))
