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
    """The run starts, or resumes from ``step``."""

    step: int  # steps made so far
    parameters: int  # number of trainable and frozen weights
    tokens: int  # real targets trained on so far
    # sentences for the user, such as that a resumed run is not bit-exact
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStep:
    step: int  # steps made so far
    tokens: int  # real targets trained on so far
    progress: float  # share of the budget used, 0 to 1
    nats: float  # mean loss of this step's targets
    gradient_norm: float  # before clipping
    rate: float  # learning rate used
    tokens_per_second: float  # since the run was started or resumed
    seconds: float = 0.0  # spent training so far, in all sessions
    memory: int = 0  # bytes held by the process


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEvaluating:
    step: int  # steps made so far
    split: str
    given: tuple[str, ...]  # conditions given to the model
    done: int
    pieces: int  # number of pieces of the split


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEvaluated:
    """The averaged weights were evaluated on validation."""

    step: int  # steps made so far
    tokens: int  # real targets trained on so far
    valid: float  # nats/note, whole pieces
    best: float  # lowest ``valid`` so far
    seconds: float = 0.0  # spent training so far
    beside: Mapping[str, float] = field(default_factory=dict)  # figures of further splits, by name


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainCalibrating:
    """Progress of a round of calibration; ``TrainWriting`` in files."""

    step: int  # steps made so far
    round: int
    rounds: int
    done: int  # samples generated in this round
    pieces: int  # samples of the round


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainCalibrated:
    """The tables were calibrated by a round of samples; ``TrainWeighed`` in files."""

    step: int  # steps made so far
    round: int
    rounds: int
    # by table, divergence of the samples from real pieces before the round, in nats; ``astray``
    # in files
    divergence: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSampled:
    """A sample was generated with the averaged weights."""

    step: int  # steps made so far
    file: str  # path within the run's folder
    nats_per_note: float  # mean -log p of its notes


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
    """The loss diverged; the run continues from an earlier state with half the learning rate."""

    step: int
    exploded: int  # the step that diverged, counted from 0
    reason: str
    rate_factor: float  # factor of all scheduled rates from now on
    count: int  # rollbacks so far


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
    """The run is finished; model and figures are written, in nats/note."""

    step: int
    tokens: int  # real targets trained on
    seconds: float  # spent training, in all sessions
    valid: float | None  # loss on validation; None if a trial diverged
    test: float | None  # loss on test; None for a trial
    stopped: str = ""  # see ``TrainResult``


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResult:
    finished: bool  # True if the run came to its end; False if it was stopped on request and saved
    step: int
    tokens: int  # real targets trained on
    seconds: float  # spent training, in all sessions
    valid: float | None  # nats/note of the best averaged weights; None if a trial diverged
    test: float | None  # nats/note on test, None while unfinished and for a trial
    parameters: int = 0  # number of weights
    peak_bytes: int = 0  # peak memory of the last session
    rollbacks: int = 0
    test_pieces: tuple[PieceLoss, ...] = ()  # losses on the pieces of test; empty while unfinished
    # figures of further splits, by name: accuracies of a classifier, nats/note on whole pieces
    # where the others are those of a window; "refused" where sequences are too long
    further: Mapping[str, float | str] = field(default_factory=dict)
    stopped: str = ""  # why it ended before its budget was used up; "" if it was

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON values; ``further`` and ``stopped`` only if there are any."""
        values = asdict(self)
        return {name: values[name] for name in values if values[name] or name not in _OPTIONAL}

    @classmethod
    def of(cls, run: RunFolder) -> TrainResult | None:
        """Return the result of ``run``; None while it is not finished."""
        values = run.result()
        return None if values is None else cls.from_json(values)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrainResult:
        """Read a result written by ``to_json``, also of earlier versions."""
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
