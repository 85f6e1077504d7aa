"""Events and result of a training run, and their JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from math import isfinite
from typing import Any, Final, TypeAlias, get_args

from musicrel import legacy
from musicrel.errors import FileError
from musicrel.experiment.objectives.evaluation import PieceLoss
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.runs.stored_values import fits

_OPTIONAL: Final = ("further", "stopped")
"""Entries of a result that are written only if they are not empty."""
READ_BY_TEACHERS: Final = "train, read by the teachers"
"""``split`` of ``TrainEvaluating`` while teachers read, before the first step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStarted:
    """The run starts, or resumes from ``step``.

    Attributes:
        step: steps made so far.
        parameters: number of trainable and frozen weights.
        tokens: real targets trained on so far.
        notes: sentences for the user, such as that a resumed run is not bit-exact.
    """

    step: int
    parameters: int
    tokens: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStep:
    """A step was made.

    Attributes:
        step: steps made so far.
        tokens: real targets trained on so far.
        progress: share of the budget used, 0 to 1.
        nats: mean loss of this step's targets.
        gradient_norm: before clipping.
        rate: learning rate used.
        tokens_per_second: since the run was started or resumed.
        seconds: spent training so far, in all sessions.
        memory: bytes held by the process.
    """

    step: int
    tokens: int
    progress: float
    nats: float
    gradient_norm: float
    rate: float
    tokens_per_second: float
    seconds: float = 0.0
    memory: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEvaluating:
    """Progress of an evaluation.

    Attributes:
        step: steps made so far.
        split: the split.
        given: conditions given to the model.
        done: pieces evaluated.
        pieces: number of pieces of the split.
    """

    step: int
    split: str
    given: tuple[str, ...]
    done: int
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEvaluated:
    """The averaged weights were evaluated on validation.

    Attributes:
        step: steps made so far.
        tokens: real targets trained on so far.
        valid: nats/note, whole pieces.
        best: lowest ``valid`` so far.
        seconds: spent training so far.
        beside: figures of further splits, by name.
    """

    step: int
    tokens: int
    valid: float
    best: float
    seconds: float = 0.0
    beside: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainCalibrating:
    """Progress of a round of calibration; ``TrainWriting`` in files.

    Attributes:
        step: steps made so far.
        round: counted from 1.
        rounds: total.
        done: samples generated in this round.
        pieces: samples of the round.
    """

    step: int
    round: int
    rounds: int
    done: int
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainCalibrated:
    """The tables were calibrated by a round of samples; ``TrainWeighed`` in files.

    Attributes:
        step: steps made so far.
        round: counted from 1.
        rounds: total.
        divergence: by table, divergence of the samples from real pieces before the round, in nats;
            ``astray`` in files.
    """

    step: int
    round: int
    rounds: int
    divergence: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSampled:
    """A sample was generated with the averaged weights.

    Attributes:
        step: steps made so far.
        file: path within the run's folder.
        nats_per_note: mean -log p of its notes.
    """

    step: int
    file: str
    nats_per_note: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSaved:
    """A checkpoint was written."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainPaused:
    """The run pauses after ``step``, as requested."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResumed:
    """The run continues after a pause."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainRolledBack:
    """The loss diverged; the run continues from an earlier state with half the learning rate.

    Attributes:
        step: step of that state.
        exploded: the step that diverged, counted from 0.
        reason: reason of the rollback.
        rate_factor: factor of all scheduled rates from now on.
        count: rollbacks so far.
    """

    step: int
    exploded: int
    reason: str
    rate_factor: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainMemoryShort:
    """Memory did not suffice; batches are split into ``parts`` from now on."""

    step: int
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStopped:
    """The run stopped before its budget, as requested; ``saved`` unless it was cancelled."""

    step: int
    saved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainFinished:
    """The run is finished; model and figures are written, in nats/note.

    Attributes:
        step: steps made.
        tokens: real targets trained on.
        seconds: spent training, in all sessions.
        valid: loss on validation; None if a trial diverged.
        test: loss on test; None for a trial.
        stopped: see ``TrainResult``.
    """

    step: int
    tokens: int
    seconds: float
    valid: float | None
    test: float | None
    stopped: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResult:
    """The result of a run.

    Attributes:
        finished: True if the run came to its end; False if it was stopped on request and saved.
        step: steps made.
        tokens: real targets trained on.
        seconds: spent training, in all sessions.
        valid: nats/note of the best averaged weights; None if a trial diverged.
        test: nats/note on test, None while unfinished and for a trial.
        parameters: number of weights.
        peak_bytes: peak memory of the last session.
        rollbacks: number of rollbacks.
        test_pieces: losses on the pieces of test; empty while unfinished.
        further: figures of further splits, by name: accuracies of a classifier, nats/note on whole
            pieces where the others are those of a window; "refused" where sequences are too long.
        stopped: why it ended before its budget was used up; "" if it was.
    """

    finished: bool
    step: int
    tokens: int
    seconds: float
    valid: float | None
    test: float | None
    parameters: int = 0
    peak_bytes: int = 0
    rollbacks: int = 0
    test_pieces: tuple[PieceLoss, ...] = ()
    further: Mapping[str, float | str] = field(default_factory=dict)
    stopped: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values; ``further`` and ``stopped`` only if there are any."""
        values = asdict(self)
        return {name: values[name] for name in values if values[name] or name not in _OPTIONAL}

    @classmethod
    def of(cls, run: RunFolder) -> TrainResult | None:
        """Return the result of ``run``; None while it is not finished.

        Raises:
            FileError: it is damaged.
        """
        values = run.result()
        return None if values is None else cls.from_json(values)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrainResult:
        """Read a result written by ``to_json``, also of earlier versions.

        Raises:
            FileError: the values are damaged.
        """
        try:
            pieces = tuple(_piece(piece) for piece in values["test_pieces"])
            rest = {**values, "test_pieces": pieces}
            rest["further"] = rest.pop("accuracies", None) or rest.get("further", {})
            if fits(cls, rest) and isfinite(rest["seconds"]):
                return cls(**rest)
        except (TypeError, KeyError) as reason:
            raise FileError(f"the result of the run is damaged: {reason}") from reason
        raise FileError("the result of the run is damaged: an entry is of the wrong type")


def _piece(values: Any) -> PieceLoss:
    if not isinstance(values, Mapping) or not fits(PieceLoss, values):
        raise TypeError("an entry of a piece is of the wrong type")
    return PieceLoss(**values)


TrainEvent: TypeAlias = (
    TrainStarted
    | TrainStep
    | TrainEvaluating
    | TrainEvaluated
    | TrainCalibrating
    | TrainCalibrated
    | TrainSampled
    | TrainSaved
    | TrainPaused
    | TrainResumed
    | TrainRolledBack
    | TrainMemoryShort
    | TrainStopped
    | TrainFinished
)
_BY_NAME: Final[Mapping[str, type[Any]]] = {kind.__name__: kind for kind in get_args(TrainEvent)}

_STORED_NAMES: Final = legacy.inverse(legacy.EVENTS)
_STORED_KEYS: Final = legacy.inverse(legacy.EVENT_KEYS)


def to_json(event: object) -> dict[str, Any]:
    """Return an event as JSON values, its kind under ``event``."""
    name = type(event).__name__
    values = legacy.translate(asdict(event), _STORED_KEYS)  # type: ignore[call-overload]
    return {"event": _STORED_NAMES.get(name, name), **values}


def from_json(values: Mapping[str, Any]) -> TrainEvent | None:
    """Read an event written by ``to_json``; return None for an unknown kind or a damaged event."""
    stored = str(values.get("event"))
    kind: Any = _BY_NAME.get(legacy.EVENTS.get(stored, stored))
    if kind is None:
        return None
    known = _field_names(kind)
    today = legacy.translate(values, legacy.EVENT_KEYS) if _is_translated(kind) else values
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in today.items()
        if name in known
    }
    if not fits(kind, given):
        return None
    try:
        event: TrainEvent = kind(**given)
    except TypeError:  # a key is missing: written by another version
        return None
    return event


@cache
def _field_names(kind: Any) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


@cache
def _is_translated(kind: Any) -> bool:
    """Return whether version 1 had other keys in events of this kind, or in mappings in them."""
    names = {*legacy.EVENT_KEYS.values()} & _field_names(kind)
    return bool(names) or any("Mapping" in str(one.type) for one in fields(kind))
