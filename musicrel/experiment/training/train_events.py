"""What a training run tells while it goes on, and what it returns.

This file knows values and their form as JSON; it knows nothing of how they come about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final, TypeAlias, get_args

from musicrel.errors import FileError
from musicrel.experiment.objectives.evaluation import PieceLoss


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStarted:
    """The run begins, or goes on from ``step``."""

    step: int
    parameters: int
    tokens: int
    notes: tuple[str, ...] = ()
    """What the user should know, such as that a resumed run cannot be bit-exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStep:
    """A step was made.

    Attributes:
        step: steps made so far.
        tokens: real targets seen so far.
        progress: share of the budget used, 0 to 1.
        nats: mean loss of this step's targets.
        gradient_norm: before clipping.
        rate: learning rate used.
        tokens_per_second: since the run was started or resumed.
        seconds: spent learning so far, all sittings together.
        memory: bytes the process holds.
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
    """An evaluation has come so far.

    Attributes:
        step: steps made so far.
        split: what is evaluated on.
        given: conditions the model is told.
        done: pieces evaluated.
        pieces: of the split.
    """

    step: int
    split: str
    given: tuple[str, ...]
    done: int
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainEvaluated:
    """The averaged weights were evaluated on valid, whole pieces, nats/note.

    ``beside`` is what was measured besides, by name.
    """

    step: int
    tokens: int
    valid: float
    best: float
    seconds: float = 0.0
    beside: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainWriting:
    """Pieces are written for the tables to be weighed by.

    Attributes:
        step: steps made so far.
        round: of the writing, counted from 1.
        rounds: all of them.
        done: pieces written in this round.
        pieces: of the round.
    """

    step: int
    round: int
    rounds: int
    done: int
    pieces: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainWeighed:
    """The tables were weighed by a round of pieces.

    Attributes:
        step: steps made so far.
        round: of the writing, counted from 1.
        rounds: all of them.
        astray: by table, how far what was written lay from real pieces before that, in nats.
    """

    step: int
    round: int
    rounds: int
    astray: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainSampled:
    """A small piece was written by the averaged weights.

    Attributes:
        step: steps made so far.
        file: its name within the run's folder.
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
    """The run holds after ``step``, as asked."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResumed:
    """The run goes on after a pause."""

    step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainRolledBack:
    """The loss exploded; the run goes on from an earlier state with half the rate.

    Attributes:
        step: where it goes on.
        exploded: the step that was no good, counted from 0.
        reason: what was wrong with it.
        rate_factor: what every rate of the schedule is multiplied with from now on.
        count: how often this has happened.
    """

    step: int
    exploded: int
    reason: str
    rate_factor: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainMemoryShort:
    """Memory did not suffice; batches are learned in ``parts`` from now on, to the same effect."""

    step: int
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainStopped:
    """The run ended before its budget, as asked; ``saved`` unless it was cancelled."""

    step: int
    saved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainFinished:
    """The budget is used up, the model and its figures are written; nats/note."""

    step: int
    tokens: int
    seconds: float
    valid: float
    test: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainResult:
    """How the run ended.

    Attributes:
        finished: whether the budget was used up; False: stopped and saved.
        step: steps made.
        tokens: real targets seen.
        seconds: spent learning, all sittings together.
        valid: nats/note of the best averaged weights.
        test: nats/note on test, None while unfinished.
        parameters: trained numbers of the model.
        peak_bytes: the most memory that was held in the last sitting.
        rollbacks: how often the loss exploded.
        test_pieces: losses on the pieces of test; empty while unfinished.
        further: what was measured besides, by name: accuracies of a classifier, nats/note on whole
            pieces where the others are those of a window; "refused" where sequences are too long.
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

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values; ``further`` only where there is something."""
        values = asdict(self)
        return values if self.further else {k: v for k, v in values.items() if k != "further"}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> TrainResult:
        """The result that ``to_json`` and JSON made ``values`` of, also by earlier versions.

        Raises:
            FileError: they are of another kind.
        """
        try:
            pieces = tuple(PieceLoss(**piece) for piece in values["test_pieces"])
            rest = {**values, "test_pieces": pieces}
            further = rest.pop("accuracies", None) or rest.pop("further", {})
            return cls(**rest, further=further)
        except (TypeError, KeyError) as reason:
            raise FileError(f"the result of the run is damaged: {reason}") from reason


TrainEvent: TypeAlias = (
    TrainStarted
    | TrainStep
    | TrainEvaluating
    | TrainEvaluated
    | TrainWriting
    | TrainWeighed
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


def to_json(event: object) -> dict[str, Any]:
    """A frozen event as a table of JSON values, its kind under ``event``."""
    return {"event": type(event).__name__, **asdict(event)}  # type: ignore[call-overload]


def from_json(values: Mapping[str, Any]) -> TrainEvent | None:
    """The event ``to_json`` made ``values`` of; None for a kind this program does not know."""
    kind = _BY_NAME.get(str(values.get("event")))
    if kind is None:
        return None
    known = {field.name for field in fields(kind)}
    given = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in values.items()
        if name in known
    }
    try:
        event: TrainEvent = kind(**given)
    except TypeError:  # an entry is missing: another program wrote it
        return None
    return event
