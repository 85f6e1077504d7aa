"""Projects for tests: contents to compare, and a scripted editing session."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from musicrel.chorale import Key, Meter, Provenance
from musicrel.presentation.compose.form import Form
from musicrel.project.contents import Contents, State, Take
from tests.helpers.music import minuet, random_chorale

STEPS = 64


def plain(contents: Contents) -> dict[str, Any]:
    return {
        "takes": [_plain(take) for take in contents.takes],
        "states": [_plain(state) for state in contents.states],
        "position": contents.position,
        "present": contents.present,
        "form": contents.form,
        "mixer": dict(contents.mixer),
    }


def _plain(one: Take | State) -> dict[str, Any]:
    values = {field.name: getattr(one, field.name) for field in dataclasses.fields(one)}
    if "locks" in values:
        values["locks"] = values["locks"].tolist()
    return values


def full_contents() -> Contents:
    form = Form(
        model="relative", bars=8, meter=Meter(3, 4), pickup=4, key=Key.parse("f# minor"),
        phrases=(2, 2, 4), temperature=1.1, seed=7, rules=("range", "crossing"), quality="high",
        cadence="half",
    )  # fmt: skip
    origin = Provenance(
        model="relative", sha256="0" * 64, seed=7, settings={"bars": 8}, machine={"threads": 1}
    )
    named = replace(minuet(), title="Menuett für Änne ♪", composer="Änne")
    first = replace(named, tempo=66.6, provenance=origin)
    second = random_chorale(2, STEPS)
    takes = (
        Take(
            number=1, name="Menuett", piece=first, form=form, accepted=True, rating=3, created=1.5
        ),
        Take(number=4, name="日本", piece=second, form=Form(seed=3), action="varied", parent=1),
    )
    locks = np.random.default_rng(1).random((STEPS, 4)) < 0.5
    states = (
        State(piece=first, locks=np.zeros((7, 4), dtype=bool), form=form, generated=True, take=1),
        State(piece=second, locks=locks, form=form, take=4, deleted=frozenset({1})),
        State(piece=second.transposed(1), locks=~locks, form=form),
    )
    return Contents(
        takes=takes,
        states=states,
        position=1,
        present=True,
        form=replace(form, seed=8),
        mixer={"volume": 0.5, "strips": [{"pan": -1.0}], "sound": "organ"},
    )


def with_take(contents: Contents, steps: int = 16) -> Contents:
    take = Take(number=9, name="", piece=random_chorale(9, steps), form=contents.takes[0].form)
    return replace(contents, takes=(*contents.takes, take))


def folder_of(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir())


def edit(contents: Contents, number: int) -> Contents:
    """Return ``contents`` after edit ``number`` of the session; the mixer counts the edits."""
    rng = np.random.default_rng(number)
    change = _EDITS[number % len(_EDITS)] if contents.states else _add_take
    return replace(change(contents, rng), mixer={"edits": number})


def session(edits: int) -> list[dict[str, Any]]:
    """Return the plain contents after 0, 1, ... ``edits`` edits of an empty document."""
    contents = Contents(mixer={"edits": 0})
    found = [plain(contents)]
    for number in range(1, edits + 1):
        contents = edit(contents, number)
        found.append(plain(contents))
    return found


def _add_take(contents: Contents, rng: np.random.Generator) -> Contents:
    piece = random_chorale(int(rng.integers(10_000)), STEPS)
    number = max((take.number for take in contents.takes), default=0) + 1
    take = Take(number=number, name=f"Take {number}", piece=piece, form=Form(seed=number))
    locks = rng.random((STEPS, 4)) < 0.1
    state = State(piece=piece, locks=locks, form=take.form, generated=True, take=number)
    line = (*contents.states[: contents.position + 1], state)[-20:]
    return replace(
        contents,
        takes=(*contents.takes, take),
        states=line,
        position=len(line) - 1,
        present=True,
        form=take.form,
    )


def _edit_notes(contents: Contents, rng: np.random.Generator) -> Contents:
    current = contents.states[contents.position]
    shifts = current.piece.shifts()
    state = replace(
        current,
        piece=current.piece.transposed(int(rng.integers(shifts.start, shifts.stop))),
        locks=~current.locks,
        generated=False,
    )
    line = (*contents.states[: contents.position + 1], state)[-20:]
    return replace(contents, states=line, position=len(line) - 1)


def _undo(contents: Contents, _rng: np.random.Generator) -> Contents:
    return replace(contents, position=max(contents.position - 1, 0))


def _delete_take(contents: Contents, rng: np.random.Generator) -> Contents:
    current = contents.states[contents.position]
    number = int(rng.choice([take.number for take in contents.takes]))
    state = replace(current, deleted=current.deleted | {number})
    line = (*contents.states[: contents.position + 1], state)[-20:]
    return replace(contents, states=line, position=len(line) - 1)


def _rate_take(contents: Contents, rng: np.random.Generator) -> Contents:
    chosen = int(rng.integers(len(contents.takes)))
    takes = list(contents.takes)
    takes[chosen] = replace(takes[chosen], rating=int(rng.integers(4)), name=f"Nr. {chosen}")
    return replace(contents, takes=tuple(takes))


def _forget_take(contents: Contents, _rng: np.random.Generator) -> Contents:
    return replace(contents, takes=contents.takes[-30:])


_EDITS: list[Callable[[Contents, np.random.Generator], Contents]] = [
    _add_take, _edit_notes, _edit_notes, _undo, _rate_take, _delete_take, _forget_take,
]  # fmt: skip
