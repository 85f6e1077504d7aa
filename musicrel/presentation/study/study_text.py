"""Studies in words: how they stand, what may be done with them, and which comes next.

This file knows states; it knows nothing of windows, nor of how anything is done.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from musicrel.model.card import WITHOUT_NOTES
from musicrel.presentation.study import progress

if TYPE_CHECKING:
    from musicrel.experiment.study.study_folder import Kind
    from musicrel.experiment.study.study_watch import State, StudyNow

Deed = Literal["start", "pause", "resume", "stop", "cancel"]

STATES: Final[Mapping[State, tuple[str, str]]] = {
    "queued": ("◌", "Waiting in the queue"),
    "running": ("▶", "Running"),
    "paused": ("‖", "Paused"),
    "stopped": ("■", "Stopped and saved"),
    "cancelled": ("■", "Ended at once"),
    "finished": ("✓", "Finished"),
    "crashed": ("!", "Interrupted"),
    "failed": ("✕", "Failed"),
    "unreadable": ("✕", "Cannot be read"),
    "gone": ("✕", "Gone"),
}
"""A sign and words for each state; the sign tells it without colour."""
_MANY: Final = 11
"""Arms that can be told one by one: each scheme once."""
_NOTHING_SAVED: Final = "No seed is finished in both arms yet: the verdict comes with the first."
_NOTHING_MEASURED: Final = "No row is measured yet: nothing is trained, layers are only timed."
_ENDS: Final[Mapping[State, str]] = {
    "finished": "finished",
    "failed": "failed",
    "crashed": "been interrupted",
    "stopped": "stopped; everything is saved",
    "cancelled": "been ended; it can be resumed from its last checkpoint",
}
ASKED: Final[Mapping[Deed, tuple[str, frozenset[State]]]] = {
    "start": ("Starting …", frozenset(("queued", "stopped", "cancelled", "crashed"))),
    "pause": ("Pausing after this step …", frozenset(("running",))),
    "resume": ("Going on …", frozenset(("paused",))),
    "stop": ("Stopping: what was learned is being saved …", frozenset(("running", "paused"))),
    "cancel": ("Ending …", frozenset(("running", "paused"))),
}
"""What is said once something was asked, and the states in which it is not done yet."""
_LONGEST: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line in the list of studies.

    Attributes:
        folder: of the study.
        kind: a study, or a run alone.
        state: how it stands.
    """

    folder: Path
    kind: Kind
    state: State

    @property
    def title(self) -> str:
        """The name of its folder, which is what tells two of one name apart."""
        return self.folder.name

    @property
    def says(self) -> str:
        """Its state, with the sign."""
        sign, words = STATES[self.state]
        return f"{sign}  {words}{' · a run alone' if self.kind == 'run' else ''}"


def obstacles(state: State, *, orphaned: bool = False) -> dict[Deed, str]:
    """Why something cannot be done with a study, in words; "" where it can.

    Args:
        state: of the study.
        orphaned: whether a run of it is at work though the study is not.
    """
    alive = state in ("running", "paused")
    words = STATES[state][1].lower()
    rests = f"Nothing is at work: the study is {words}" if state != "queued" else "It only waits"
    at_rest = {
        "finished": "The study is finished",
        "running": "The study is running",
        "paused": "The study holds: let it go on",
        "unreadable": "The folder cannot be read",
        "gone": "The folder is gone",
    }
    return {
        "start": at_rest.get(state, ""),
        "pause": "" if state == "running" else "It holds already" if alive else rests,
        "resume": "" if state == "paused" else "It does not hold" if alive else rests,
        "stop": "" if alive or orphaned else rests,
        "cancel": "" if alive or orphaned or state == "queued" else rests,
    }


def start_title(state: State) -> str:
    """The words of the button that starts a study or goes on with it."""
    return "Start" if state == "queued" else "Resume"


def cancel_title(state: State) -> str:
    """The words of the button that cancels a study, or takes one back that only waits."""
    return "Remove…" if state == "queued" else "Cancel…"


def next_to_start(before: Sequence[Entry], now: Sequence[Entry]) -> Path | None:
    """The study that comes next, when one has just ended; the oldest that waits.

    A study that the user stopped does not let the next begin: the computer was wanted for other
    things.
    """
    was_alive = {entry.folder for entry in before if entry.state in ("running", "paused")}
    if any(entry.state in ("running", "paused") for entry in now):
        return None
    ended = [entry for entry in now if entry.folder in was_alive]
    gone = was_alive - {entry.folder for entry in now}
    if not gone and not any(entry.state in ("finished", "failed") for entry in ended):
        return None
    waiting = [entry.folder for entry in now if entry.state == "queued" and entry.kind == "study"]
    return waiting[-1] if waiting else None


def underway(now: StudyNow, asked: Deed | None) -> str:
    """What was asked of a study and is not done yet, in words; "" where nothing is."""
    if asked is None or now.state not in ASKED[asked][1]:
        return ""
    return ASKED[asked][0]


def due_at_the_start(now: Sequence[Entry], there: Collection[Path]) -> Path | None:
    """The study that begins when the app is opened: the oldest that waited already.

    Args:
        now: all entries, the newest first.
        there: the folders that were there when the app was opened.
    """
    waiting = [
        entry.folder
        for entry in now
        if entry.state == "queued" and entry.kind == "study" and entry.folder in there
    ]
    return waiting[-1] if waiting and not running(now) else None


def heading(now: StudyNow) -> str:
    """A line below the name: state and progress."""
    words = STATES[now.state][1]
    if now.state in ("unreadable", "gone", "queued"):
        return words
    left = "; a run of it goes on" if now.orphaned else ""
    return f"{words}{left}  ·  {progress.line(now)}"


def carried_out_by(now: StudyNow) -> str:
    """Who is at work on a study, in a sentence; "" where nobody is."""
    if now.writer is None:
        return ""
    return f"Process {now.writer} is at work on it, and goes on when this window is closed."


def verdict(now: StudyNow) -> str:
    """What was found, in sentences; or why nothing can be said yet."""
    if now.state in ("unreadable", "gone"):
        return "Nothing can be said of it."
    if now.kind == "run":
        return "A run alone has nothing to be compared with."
    if now.costs is not None and not now.verdicts:
        return _NOTHING_MEASURED
    if not now.verdicts:
        return _NOTHING_SAVED
    return "\n\n".join(sentence[:1].upper() + sentence[1:] + "." for sentence in now.verdicts)


def not_for_compose(now: StudyNow) -> str:
    """Why nothing can be written with the models of a study; "" where something can."""
    reason = WITHOUT_NOTES.get(now.family)
    return f"A model of this study {reason}" if reason else ""


def log(now: StudyNow) -> str:
    """What the user should know of the runs, a line each."""
    lines = [f"{run.arm}, seed {run.seed}: {remark}" for run in now.runs for remark in run.remarks]
    return "\n".join(lines)


def cancelling(name: str, state: State) -> tuple[str, str]:
    """What is asked before a study is cancelled, and the words that mean it."""
    if state == "queued":
        return f"Take “{short(name)}” out of the queue? It has not begun.", "Take it out"
    question = (
        f"End “{short(name)}” at once? What was learned since the last checkpoint is lost; the "
        "study can be resumed from there."
    )
    return question, "End it at once"


def ended(before: Sequence[Entry], now: Sequence[Entry]) -> list[str]:
    """A sentence for each study that has come to its end."""
    was_alive = {entry.folder for entry in before if entry.state in ("running", "paused")}
    return [
        f"The study {short(entry.title)} has {words}"
        for entry in now
        if entry.folder in was_alive and (words := _ENDS.get(entry.state))
    ]


def short(name: str) -> str:
    """A name that fits into a sentence."""
    return name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"


def running(entries: Iterable[Entry]) -> bool:
    """Whether any study is at work."""
    return any(entry.state in ("running", "paused") for entry in entries)


def measuring(rows: int, arms: Sequence[str]) -> str:
    """What a study that trains nothing would do, in a line or two."""
    told = ", ".join(arms)
    return f"{rows} rows: {told}.\nNothing is trained: each row is timed and weighed, in minutes."


def plan(runs: int, arms: Sequence[tuple[str, int, int]], seconds: float | None) -> str:
    """What a study that may be started would do, in a line or two.

    Args:
        runs: it would make.
        arms: name, parameters and excess over the first arm of each.
        seconds: it would learn for; None where that is not known.
    """
    if seconds is None:
        takes = (
            "No estimate: no run of this size was made on this computer yet. "
            "The time left is shown once it runs."
        )
    else:
        takes = (
            f"About {progress.duration(seconds)} of learning, told from earlier runs of this size "
            "or the budget; evaluations come on top."
        )
    return f"{runs} {'run' if runs == 1 else 'runs'}: {_sizes(arms)}.\n{takes}"


def _sizes(arms: Sequence[tuple[str, int, int]]) -> str:
    """How many parameters each arm has; of many, from how few to how many."""
    if len(arms) > _MANY:
        counts = [parameters for _, parameters, _ in arms]
        return f"{len(arms)} arms of {min(counts):,} to {max(counts):,} parameters"
    return ", ".join(
        f"{name} {parameters:,} parameters" + (f" ({excess:+,})" if excess else "")
        for name, parameters, excess in arms
    )
