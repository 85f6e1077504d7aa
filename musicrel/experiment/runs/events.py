"""Events and result of runs and studies: an event is a line of ``events.jsonl``.

The name of its class stands there under ``event``. Logs of version 1 have other names for some.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Union

import msgspec
from msgspec import Struct

from musicrel import legacy
from musicrel.errors import UsageError

READ_BY_TEACHERS: Final = "train, read by the teachers"
"""``split`` of ``TrainEvaluating`` while teachers read, before the first step."""


class _Event(Struct, frozen=True, kw_only=True, tag_field="event", tag=True):
    pass


class StudyEvent(_Event, frozen=True, kw_only=True):
    pass


class _EventOfRun(StudyEvent, frozen=True, kw_only=True):
    """An event of a run of a study."""

    arm: str
    seed: int
    rate: float | None = None

    @property
    def run(self) -> str:
        """Return the name of the run in words."""
        rate = "" if self.rate is None else f", learning rate {self.rate:g}"
        return f"{self.arm}{rate}, seed {self.seed}"


class TrainEvent(_Event, frozen=True, kw_only=True):
    """An event of a run, after a number of steps."""

    step: int  # steps made so far


class TrainStarted(TrainEvent, frozen=True, kw_only=True):
    """The run starts, or resumes from ``step``."""

    parameters: int  # number of trainable and frozen weights
    tokens: int  # real targets trained on so far
    # sentences for the user, such as that a resumed run is not bit-exact
    notes: tuple[str, ...] = ()


class TrainStep(TrainEvent, frozen=True, kw_only=True):
    tokens: int  # real targets trained on so far
    progress: float  # share of the budget used, 0 to 1
    nats: float  # mean loss of this step's targets
    gradient_norm: float  # before clipping
    rate: float  # learning rate used
    tokens_per_second: float  # since the run was started or resumed
    seconds: float = 0.0  # spent training so far, in all sessions
    memory: int = 0  # bytes held by the process


class TrainEvaluating(TrainEvent, frozen=True, kw_only=True):
    split: str
    given: tuple[str, ...]  # conditions given to the model
    done: int
    pieces: int  # number of pieces of the split


class TrainEvaluated(TrainEvent, frozen=True, kw_only=True):
    """The averaged weights were evaluated on validation."""

    tokens: int  # real targets trained on so far
    valid: float  # nats/note, whole pieces
    best: float  # lowest ``valid`` so far
    seconds: float = 0.0  # spent training so far
    beside: Mapping[str, float] = {}  # figures of further splits, by name

    @property
    def nats(self) -> float:
        return self.valid


class TrainCalibrating(TrainEvent, frozen=True, kw_only=True):
    round: int
    rounds: int
    done: int  # samples generated in this round
    pieces: int  # samples of the round


class TrainCalibrated(TrainEvent, frozen=True, kw_only=True):
    round: int
    rounds: int
    # by table, divergence of the samples from real pieces before the table was changed, in nats
    # per applied entry
    divergence: Mapping[str, float]


class TrainSampled(TrainEvent, frozen=True, kw_only=True):
    """A sample was generated with the averaged weights."""

    file: str  # path within the run's folder
    nats_per_note: float  # mean -log p of its notes


class TrainSaved(TrainEvent, frozen=True, kw_only=True):
    """A checkpoint was written."""


class TrainPaused(TrainEvent, frozen=True, kw_only=True):
    """The run pauses, as requested."""


class TrainResumed(TrainEvent, frozen=True, kw_only=True):
    """The run continues after a pause."""


class TrainRolledBack(TrainEvent, frozen=True, kw_only=True):
    """The loss diverged; the run continues from an earlier state with half the learning rate."""

    exploded: int  # the step that diverged, counted from 0
    reason: str
    rate_factor: float  # factor of all scheduled rates from now on
    count: int  # rollbacks so far


class TrainMemoryShort(TrainEvent, frozen=True, kw_only=True):
    parts: int


class TrainNoted(TrainEvent, frozen=True, kw_only=True):
    note: str  # a sentence for the user


class TrainStopped(TrainEvent, frozen=True, kw_only=True):
    """The run stopped before its budget, as requested; ``saved`` unless it was cancelled."""

    saved: bool


class TrainFinished(TrainEvent, frozen=True, kw_only=True):
    """The run is finished; model and figures are written, in nats/note."""

    tokens: int  # real targets trained on
    seconds: float  # spent training, in all sessions
    valid: float | None  # loss on validation; None if a trial diverged
    test: float | None  # loss on test; None for a trial
    stopped: str = ""  # see ``TrainResult``


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    name: str  # its name, distinct in its cluster
    cpus: int  # number of its processors
    gpus: int = 0
    alive: bool = True  # False once it is lost


class StudyStarted(StudyEvent, frozen=True, kw_only=True):
    study: str
    runs: int  # number of all runs, trials of the search for learning rates included
    finished: int  # number of those that are finished
    arms: tuple[tuple[str, int], ...]  # name and number of parameters of each


class RunBegan(_EventOfRun, frozen=True, kw_only=True):
    number: int  # of the run in the study, from 1


class RunEvent(_EventOfRun, frozen=True, kw_only=True):
    """An event of a run; None: no new event, so that the consumer is called regularly."""

    of_run: TrainEvent | None


class RunPlaced(_EventOfRun, frozen=True, kw_only=True):
    """A run has a place on the machine ``node`` of a cluster."""

    node: str


class RunLost(_EventOfRun, frozen=True, kw_only=True):
    """The machine of a run was lost; the run continues from its last checkpoint on another one."""

    node: str


class RunEnded(_EventOfRun, frozen=True, kw_only=True):
    """A run of the study is finished, with its losses in nats/note.

    ``valid`` is None if a trial diverged, ``test`` for each trial. ``stopped``: see
    ``TrainResult``.
    """

    valid: float | None
    test: float | None
    seconds: float
    stopped: str = ""


class RatesChosen(StudyEvent, frozen=True, kw_only=True):
    """All trials are finished; ``rates`` are the learning rates of the arms, by name."""

    rates: Mapping[str, float]


class NodesChanged(StudyEvent, frozen=True, kw_only=True):
    """The machines of the cluster, at first and whenever one is added or lost."""

    nodes: tuple[Node, ...]


class StudyPaused(StudyEvent, frozen=True, kw_only=True):
    """All runs that were begun are paused, and with them the study."""


class StudyResumed(StudyEvent, frozen=True, kw_only=True):
    """The study continues after a pause."""


class StudyStopped(StudyEvent, frozen=True, kw_only=True):
    """The study ended on request before its last run; ``saved`` unless it was cancelled."""

    finished: int
    saved: bool = True


class StudyFinished(StudyEvent, frozen=True, kw_only=True):
    """All runs are finished and ``results.json`` is written."""

    sentence: str


class LayerCost(StudyEvent, frozen=True, kw_only=True):
    """Time and memory of one layer, a row of a memory study."""

    arm: str  # implementation, see ``memory_study``
    length: int
    seconds: float  # duration of one forward and backward pass, the fastest of several
    peak_bytes: int  # peak memory of its tensors without inputs and weights
    estimated: bool = False  # whether the row is extrapolated from shorter ones, not measured


_ANY: Final[Any] = Union[
    *TrainEvent.__subclasses__(),
    *(kind for kind in StudyEvent.__subclasses__() if kind is not _EventOfRun),
    *_EventOfRun.__subclasses__(),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceLoss:
    """The loss of one piece.

    Attributes:
        index: index of the piece in the split.
        title: title of the piece.
        nats: sum over its notes.
        notes: number of notes, four per step; for masked models, of masked notes.
        end_nats: loss of END; None where it was not a target.
        right: whether the most likely class is the true one; None for models without classes.
    """

    index: int
    title: str
    nats: float
    notes: int
    end_nats: float | None = None
    right: bool | None = None


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
    taught: str = ""  # what a model has learned that was taught pieces, a sentence; else ""
    stopped: str = ""  # why it ended before its budget was used up; "" if it was

    def __post_init__(self) -> None:
        if not math.isfinite(self.seconds):  # which JSON as Python writes it can hold
            raise UsageError(f"seconds is {self.seconds}: expected a number")


def read(line: Mapping[str, Any]) -> TrainEvent | StudyEvent | None:
    """Return the event in a line of a log; None if it is damaged or of another kind."""
    name = str(line.get("event"))
    if name in legacy.EVENTS:
        line = legacy.translate(line, legacy.EVENT_KEYS) | {"event": legacy.EVENTS[name]}
    try:
        event: TrainEvent | StudyEvent = msgspec.convert(line, _ANY)
    except msgspec.ValidationError:
        return None
    return event
