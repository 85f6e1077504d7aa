"""The document: the piece, its form and locks, its takes, what is on screen, and one undo line."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from musicrel import file_names
from musicrel.chorale import Chorale, Flags
from musicrel.language import tr
from musicrel.presentation import lock_cells
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.two_models import Side
from musicrel.presentation.words.keys import with_keys
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.project import take_table
from musicrel.project.contents import MAX_RATING, Contents, State, Take
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.selection import Selection

_AGAIN: Final = tr("{}, no. {}")

UNTITLED: Final = tr("Untitled")
NO_PIECE: Final = tr(
    "There is no piece yet: generate or open one, or write notes ({key[rewriting.draw]})"
)
GENERATING: Final = tr("A piece is being generated: wait until it is finished, or stop it")
PREVIEWING: Final = tr(
    "A candidate is shown: accept it ({key[rewriting.accept]}) or go back "
    "({key[rewriting.back]}) first"
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sketch:
    """Notes that are drawn but not played: a piece while it is being generated or recorded."""

    piece: Chorale
    written: int | None = None  # number of steps that are written; None: all


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Screen:
    """The contents of the sheet: the sketch, else the preview, else the piece, else nothing."""

    state: State | None = None  # the current piece; None: there is none, or it is set aside
    writing: bool = False  # another piece is being generated
    recording: bool = False  # notes are recorded, and no piece is shown or played
    preview: Chorale | None = None  # a candidate that is shown and played in place of the piece
    sketch: Sketch | None = None

    @property
    def piece(self) -> Chorale | None:
        return self.state.piece if self.state is not None else None

    @property
    def shown(self) -> Chorale | None:
        return None if self.recording else self.preview or self.piece


class Document(QObject):
    # other notes are shown, or a generation begins: the piece to show, play and analyse, which is
    # the previewed candidate or the current piece; None: there is none
    screen_changed = Signal(object)
    # before that, if there is another current piece: an edit, Undo, a take, the end of a generation
    piece_changed = Signal(object)
    # notes to draw in place of it; None: no longer. Not emitted where ``screen_changed`` ends a
    # sketch
    sketched = Signal(object)
    locks_changed = Signal()  # other cells are locked
    form_changed = Signal(object)  # the entries of the form, or the installed models
    selection_changed = Signal(object)
    busy_changed = Signal()  # a model begins to write or has ended, or there are other candidates
    edited = Signal()  # something changed that a project keeps
    saved_changed = Signal()  # the project was saved, or another one was opened
    replaced = Signal()  # another document is shown

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices: tuple[ModelChoice, ...] = ()
        self.rewriting_model = ""
        self.takes = Takes(self)
        self.takes.changed.connect(self.edited)
        self.screen = Screen()
        self._states: tuple[State, ...] = ()
        self._position = -1
        self.form = self._form_before = Form()
        self.selection: Selection | None = None
        self._saved: tuple[State | None, tuple[Take, ...]] = (None, ())
        self.writers: frozenset[Side] = frozenset()  # the models that write
        self.candidates = 0  # the number that can be selected
        self.lists_candidates = False  # whether there are candidates, or will be

    # ------------------------------------------------------------------ reading

    @property
    def piece(self) -> Chorale | None:
        return self.screen.piece

    @property
    def locks(self) -> Flags | None:
        """Return the locked cells of the current piece, bool (T, 4); None without a piece."""
        state = self.screen.state
        return state.locks if state is not None else None

    @property
    def shown(self) -> Chorale | None:
        return self.screen.shown

    @property
    def sketch(self) -> Sketch | None:
        return self.screen.sketch

    @property
    def drawn(self) -> Sketch | None:
        """Return the notes to draw: the sketch, or all of the shown piece."""
        shown = self.shown
        return self.sketch or (Sketch(piece=shown) if shown is not None else None)

    @property
    def generating(self) -> bool:
        return self.screen.writing

    @property
    def busy(self) -> bool:
        return bool(self.writers)

    def choice_of(self, model: str) -> ModelChoice | None:
        return next((choice for choice in self.choices if choice.name == model), None)

    @property
    def sees_both_sides(self) -> bool:
        choice = self.choice_of(self.rewriting_model or self.form.model)
        return choice is not None and choice.sees_both_sides

    @property
    def take(self) -> Take | None:
        state = self.screen.state
        return self.takes.get(state.take) if state is not None else None

    @property
    def saved(self) -> bool:
        return self._saved == (self._state_at(0), self.takes.all)

    @property
    def title(self) -> str:
        state = self._state_at(0)
        return state.piece.title or UNTITLED if state is not None else ""

    @property
    def form_is_used(self) -> bool:
        """Return True if the form would generate the current piece once more."""
        state = self.screen.state
        return state is not None and state.generated and state.form == self.form

    @property
    def made_on(self) -> str:
        """Return the device that wrote the current piece, "" if the form would write another."""
        state, form = self.screen.state, self.form
        origin = state.piece.provenance if state is not None and state.form == form else None
        if origin is None or (origin.model, origin.seed) != (form.model, form.seed):
            return ""
        return str(origin.machine.get("device", ""))

    @property
    def undo_state(self) -> State | None:
        if self.generating:
            return None
        return self._state_at(0 if self.piece is None else -1)

    @property
    def redo_state(self) -> State | None:
        return None if self.generating else self._state_at(1)

    @property
    def unready_reason(self) -> str:
        """Return the reason why the piece cannot be saved or edited now, or ""."""
        if self.generating:
            return GENERATING
        return with_keys(PREVIEWING) if self.screen.preview is not None else ""

    # ------------------------------------------------------------------ changing

    def set_form(self, form: Form) -> None:
        """Change the form on screen; this is no step of Undo."""
        if (form, form.candidates) != (self.form, self.form.candidates):
            self.form = form
            self.form_changed.emit(form)
            self.edited.emit()

    def set_models(self, choices: tuple[ModelChoice, ...], rewriting: str) -> None:
        if (choices, rewriting) != (self.choices, self.rewriting_model):
            self.choices, self.rewriting_model = choices, rewriting
            self.form_changed.emit(self.form)

    def select(self, selection: Selection | None) -> None:
        """Select the part of a passage that the shown piece has; None selects nothing."""
        piece = self.shown
        if selection is not None and piece is not None and selection.stop > piece.steps:
            inside = selection.start < piece.steps
            selection = replace(selection, stop=piece.steps) if inside else None
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit(selection)

    def show_piece(
        self,
        piece: Chorale,
        form: Form | None = None,
        action: str = "",
        *,
        take: int | None = None,
        locks: Flags | None = None,
        generated: bool = False,
    ) -> None:
        """Make ``piece`` the current one, as a step of Undo: a take, or an edit of the one before.

        The ``action`` is a participle of what made it a new take, such as "generated"; an existing
        take has its number. Locks that are None or have another length are those of the provenance.
        A ``generated`` piece is exactly what the form generates.
        """
        if locks is None or len(locks) != piece.steps:
            locks = lock_cells.locks_from_provenance(piece)
        muted = (form or self.form).muted
        self.set_form(replace(form or self.form, muted=self.form.muted))
        asked, before = replace(self.form, muted=muted), self._state_at(0)
        parent = before.take if before is not None else None
        if action:
            old = before.piece if before is not None else None
            take = self.takes.add(piece, asked, action, parent=parent, before=old, accepted=True)
        elif take is not None:
            self.takes.accept(take)
        state = State(
            piece=piece,
            locks=locks,
            form=asked,
            generated=generated,
            take=parent if take is None else take,
            deleted=self._deleted - {take},
        )
        self._add(state)
        self._show_anew(Screen(state=state))

    def apply(self, edit: Edit) -> None:
        """Make the edited piece the current one; its locks move with their cells.

        An edited piece is no longer what its model generated, so it loses the provenance.
        """
        locks = edit.moved(self.locks) if self.locks is not None else None
        self.show_piece(replace(edit.piece, provenance=None), locks=locks)
        self.select(edit.selection)

    def set_locks(self, locks: Flags) -> None:
        """Lock these cells of the current piece, bool (T, 4), as a step of Undo."""
        if self.screen.state is not None:
            self._push(replace(self.screen.state, locks=locks))

    def undo(self) -> State | None:
        """Restore the state before, or the last piece if there is none now; return it."""
        return self._restore(self.undo_state, by=0 if self.piece is None else -1)

    def redo(self) -> State | None:
        return self._restore(self.redo_state, by=1)

    def set_aside(self) -> None:
        """Remove the current piece from the screen; Undo and ``bring_back`` show it again."""
        self._show_anew(Screen())

    def bring_back(self) -> bool:
        """Show the piece that was set aside; return False if there is none."""
        state = self._state_at(0)
        if self.piece is not None or state is None:
            return False
        self._show_anew(Screen(state=state))
        return True

    def set_recording(self, *, on: bool) -> None:
        """Show and play nothing while notes are recorded; the piece stays the current one."""
        if on != self.screen.recording:
            self._show(replace(self.screen, recording=on, sketch=None))

    def begin_generation(self) -> None:
        self.screen = Screen(writing=True)
        self._form_before = self.form
        self.screen_changed.emit(None)

    def end_generation(
        self, piece: Chorale | None, form: Form | None = None, *, complete: bool = False
    ) -> None:
        """End a generation with its piece, finished or not; None shows the piece before again.

        Entries of the form that were changed meanwhile stay.
        """
        entered = self.form
        if piece is not None:
            self.show_piece(piece, form, "generated", generated=complete)
            self.set_form(entered if entered != self._form_before else self.form)
        elif not self.bring_back():
            self._show_anew(Screen())

    def preview(self, piece: Chorale | None) -> None:
        """Show and play a candidate in place of the piece; None ends this."""
        if piece is not self.screen.preview:
            self._show(replace(self.screen, preview=piece, sketch=None))

    def draw(self, sketch: Sketch | None) -> None:
        """Draw notes in place of the shown piece, without playing them; None ends this."""
        self._show(replace(self.screen, sketch=sketch))

    def set_busy(self, side: Side, *, on: bool) -> None:
        writers = self.writers | {side} if on else self.writers - {side}
        if writers != self.writers:
            self.writers = writers
            self.busy_changed.emit()

    def set_candidates(self, count: int, *, listed: bool) -> None:
        if (count, listed) != (self.candidates, self.lists_candidates):
            self.candidates, self.lists_candidates = count, listed
            self.busy_changed.emit()

    # ------------------------------------------------------------------ takes

    def use_take(self, number: int) -> None:
        take = self.takes.get(number)
        if take is not None and not self.unready_reason:
            self.show_piece(take.piece, take.form, take=number)

    def accept(self, number: int, *, is_new: bool, locks: Flags | None) -> None:
        """Make the take of a candidate, a new piece or a rewritten one, the current piece."""
        take = self.takes.get(number)
        if take is not None:
            form = take.form if is_new else None
            self.show_piece(take.piece, form, take=number, locks=locks, generated=is_new)

    def delete_takes(self, numbers: Collection[int]) -> None:
        """Delete takes, as a step of Undo; this needs a current piece, which stays."""
        state = self.screen.state
        if state is not None:
            self._push(replace(state, deleted=state.deleted | frozenset(numbers)))

    # ------------------------------------------------------------------ the project

    def contents(self, mixer: Mapping[str, Any]) -> Contents:
        return Contents(
            takes=self.takes.all,
            states=self._states,
            position=self._position,
            present=bool(self._states),  # a piece that is only set aside comes back
            form=self.form,
            mixer=mixer,
        )

    def restore(self, contents: Contents, *, saved: bool) -> None:
        """Show other contents in place of these; this is no step of Undo, and unmutes all heads."""
        self._states, self._position = contents.states, contents.position
        self.screen = Screen(state=contents.current)
        self.takes.restore(contents.takes, self._deleted)
        self.set_form(replace(contents.form or self.form, muted=MutedHeads()))
        self._saved = (self._state_at(0), self.takes.all) if saved else (None, ())
        self.select(None)
        self._show_anew(self.screen)
        self.saved_changed.emit()
        self.replaced.emit()

    def mark_saved(self) -> None:
        self._saved = (self._state_at(0), self.takes.all)
        self.saved_changed.emit()

    # ------------------------------------------------------------------ internals

    @property
    def _deleted(self) -> frozenset[int]:
        state = self._state_at(0)
        return state.deleted if state is not None else frozenset()

    def _state_at(self, distance: int) -> State | None:
        """Return the present state of the undo line, or one before or after it, if there is one."""
        place = self._position + distance
        return self._states[place] if 0 <= place < len(self._states) else None

    def _add(self, state: State) -> None:
        """Make a state the present one; those after the one before are discarded."""
        self._position += 1
        self._states = (*self._states[: self._position], state)

    def _push(self, state: State) -> None:
        self._add(state)
        self.screen = replace(self.screen, state=state)
        self._emit_state()

    def _emit_state(self) -> None:
        self.takes.set_deleted(self._deleted)
        self.locks_changed.emit()
        self.edited.emit()

    def _restore(self, state: State | None, *, by: int) -> State | None:
        if state is None:
            return None
        self._position += by
        if state.piece is self.piece:
            self.screen = replace(self.screen, state=state)
            self._emit_state()
        else:
            self.set_form(replace(state.form, muted=self.form.muted))  # only the user mutes
            self._show_anew(Screen(state=state))
        return state

    def _show(self, screen: Screen) -> None:
        before, self.screen = self.screen, screen
        if screen.shown is not before.shown or screen.preview is not before.preview:
            self.select(self.selection)
            self.screen_changed.emit(screen.shown)
        elif screen.sketch is not before.sketch:
            self.sketched.emit(screen.sketch)

    def _show_anew(self, screen: Screen) -> None:
        self.screen = screen
        self.piece_changed.emit(screen.piece)
        self.select(self.selection)
        self._emit_state()
        self.screen_changed.emit(screen.shown)


class Takes(QObject):
    """The takes by number; adding, rating and renaming one is no step of Undo."""

    changed = Signal()  # a take was added, changed, deleted or restored

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takes: dict[int, Take] = {}
        self._deleted: frozenset[int] = frozenset()

    @property
    def all(self) -> tuple[Take, ...]:
        return tuple(self._takes.values())

    @property
    def visible(self) -> tuple[Take, ...]:
        return tuple(take for take in self.all if take.number not in self._deleted)

    def get(self, number: int | None) -> Take | None:
        return None if number is None else self._takes.get(number)

    def add(
        self,
        piece: Chorale,
        form: Form,
        action: str,
        *,
        parent: int | None = None,
        before: Chorale | None = None,
        accepted: bool = False,
    ) -> int:
        """Add a take and return its number; it is named by its difference from ``before``."""
        number = max(self._takes, default=0) + 1
        self._takes[number] = Take(
            number=number,
            name=self._unused(take_table.name_of(piece, before, action, number)),
            piece=piece,
            form=form,
            action=action,
            parent=parent,
            accepted=accepted,
            created=time.time(),
        )
        self.changed.emit()
        return number

    def accept(self, number: int) -> None:
        if not self._takes[number].accepted:
            self._takes[number] = replace(self._takes[number], accepted=True)
            self.changed.emit()

    def rate(self, number: int, rating: int) -> None:
        rating = min(max(rating, 0), MAX_RATING)
        if rating != self._takes[number].rating:
            self._takes[number] = replace(self._takes[number], rating=rating)
            self.changed.emit()

    def rename(self, number: int, name: str) -> None:
        """Rename a take; a name that another take has gets a number, an empty one is ignored."""
        name = " ".join(name.split())
        if name and name != self._takes[number].name:
            self._takes[number] = replace(self._takes[number], name=self._unused(name))
            self.changed.emit()

    def set_deleted(self, numbers: frozenset[int]) -> None:
        """Hide these takes and no others; called by the document, which can undo it."""
        if numbers != self._deleted:
            self._deleted = numbers
            self.changed.emit()

    def restore(self, takes: Iterable[Take], deleted: frozenset[int]) -> None:
        self._takes, self._deleted = {take.number: take for take in takes}, deleted
        self.changed.emit()

    def _unused(self, name: str) -> str:
        used = {take.name for take in self._takes.values()}
        return file_names.numbered(name, used.__contains__, _AGAIN)
