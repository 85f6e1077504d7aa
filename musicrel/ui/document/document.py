"""The document: the piece, its form and locks, its takes, what is on screen, and one undo line."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, Final

from PySide6.QtCore import QObject, Signal

from musicrel.chorale import Chorale, Flags
from musicrel.editing.selection import Selection
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.roll import lock_cells
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.project.contents import Contents
from musicrel.project.state import State
from musicrel.project.take import Take
from musicrel.ui.document.sketch import Sketch
from musicrel.ui.document.takes import Takes
from musicrel.ui.document.undo_stack import UndoStack

UNTITLED: Final = "Untitled"
NO_PIECE: Final = "There is no piece yet: generate or open one, or write notes (Ctrl+D)"
GENERATING: Final = "A piece is being generated: wait until it is finished, or stop it"
PREVIEWING: Final = "A candidate is shown: accept it (Ctrl+Return) or go back (Esc) first"


class Document(QObject):
    """The document of a window.

    Attributes:
        takes: the takes; the document deletes them and makes one of them the current piece.
    """

    piece_changed = Signal(object)  # the current piece; None: there is none
    # the piece to show, play and analyse: the previewed candidate, or the current piece
    shown_changed = Signal(object)
    # notes to draw in place of it; None: no longer. Not emitted where ``shown_changed`` ends a
    # sketch
    sketched = Signal(object)
    locks_changed = Signal()  # other cells are locked
    form_changed = Signal(object)  # the entries of the form, or the installed models
    selection_changed = Signal(object)
    generation_started = Signal()  # a piece is being generated, and ``piece`` is None until its end
    edited = Signal()  # something changed that a project keeps
    saved_changed = Signal()  # the project was saved, or another one was opened
    replaced = Signal()  # another document is shown

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices: tuple[ModelChoice, ...] = ()
        self.rewriting_model = ""
        self.takes = Takes(self)
        self.takes.changed.connect(self.edited)
        self._undo = UndoStack()
        self._form = self._form_before = Form()
        self._selection: Selection | None = None
        self._preview: Chorale | None = None
        self._sketch: Sketch | None = None
        self._saved: tuple[State | None, tuple[Take, ...]] = (None, ())
        self._present = self._generating = self._hidden = False

    # ------------------------------------------------------------------ reading

    @property
    def piece(self) -> Chorale | None:
        """Return the current piece; None if there is none or one is being generated."""
        state = self._state
        return state.piece if state is not None else None

    @property
    def locks(self) -> Flags | None:
        """Return the locked cells of the current piece, bool (T, 4); None without a piece."""
        state = self._state
        return state.locks if state is not None else None

    @property
    def shown(self) -> Chorale | None:
        """Return the piece to show and play: the previewed candidate, or the current piece."""
        return None if self._hidden else self._preview or self.piece

    @property
    def sketch(self) -> Sketch | None:
        """Return the notes to draw in place of the shown piece, if any."""
        return self._sketch

    @property
    def form(self) -> Form:
        return self._form

    def choice_of(self, model: str) -> ModelChoice | None:
        """Return the installed model called ``model``, if there is one."""
        return next((choice for choice in self.choices if choice.name == model), None)

    @property
    def sees_both_sides(self) -> bool:
        """Return True if the model that rewrites sees the notes after those it writes."""
        choice = self.choice_of(self.rewriting_model or self._form.model)
        return choice is not None and choice.sees_both_sides

    @property
    def selection(self) -> Selection | None:
        """Return the selection; None if nothing is selected."""
        return self._selection

    @property
    def generating(self) -> bool:
        """Return True while a piece is being generated."""
        return self._generating

    @property
    def take(self) -> Take | None:
        """Return the take that the current piece is or was edited from, if any."""
        return self.takes.get(self._state.take) if self._state is not None else None

    @property
    def saved(self) -> bool:
        """Return True if nothing has changed since the project was saved or opened."""
        return self._saved == (self._undo.current, self.takes.all)

    @property
    def title(self) -> str:
        """Return the title of the current piece, or of the one that is set aside, or ""."""
        state = self._undo.current
        return state.piece.title or UNTITLED if state is not None else ""

    @property
    def form_is_used(self) -> bool:
        """Return True if the form would generate the current piece once more."""
        state = self._state
        return state is not None and state.generated and state.form == self._form

    @property
    def undo_state(self) -> State | None:
        if self._generating:
            return None
        return self._undo.before if self._present else self._undo.current

    @property
    def redo_state(self) -> State | None:
        return None if self._generating else self._undo.after

    @property
    def unready_reason(self) -> str:
        """Return the reason why the piece cannot be saved or edited now, or ""."""
        if self._generating:
            return GENERATING
        return PREVIEWING if self._preview is not None else ""

    @property
    def _state(self) -> State | None:
        return self._undo.current if self._present else None

    # ------------------------------------------------------------------ changing

    def set_form(self, form: Form) -> None:
        """Change the form on screen; this is no step of Undo."""
        if (form, form.candidates) != (self._form, self._form.candidates):
            self._form = form
            self.form_changed.emit(form)
            self.edited.emit()

    def set_models(self, choices: tuple[ModelChoice, ...], rewriting: str) -> None:
        """Set the installed models, and the name of the one that rewrites."""
        if (choices, rewriting) != (self.choices, self.rewriting_model):
            self.choices, self.rewriting_model = choices, rewriting
            self.form_changed.emit(self._form)

    def select(self, selection: Selection | None) -> None:
        """Change the selection; None clears it."""
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit(selection)

    def show_piece(
        self,
        piece: Chorale,
        *,
        form: Form | None = None,
        locks: Flags | None = None,
        generated: bool = False,
        action: str = "",
        take: int | None = None,
    ) -> None:
        """Make ``piece`` the current one, as a step of Undo.

        Args:
            form: its form; None: the one on screen. Its muted heads are not muted again.
            locks: its locked cells, bool (T, 4); None or another length: those of its provenance.
            generated: True if the form generates exactly this piece.
            action: participle of what made the piece a new take, such as "generated"; "": an edit.
            take: number of the take that the piece is; None: that of ``action``, or the edited one.
        """
        if locks is None or len(locks) != piece.steps:
            locks = lock_cells.locks_from_provenance(piece)
        muted = (form or self._form).muted
        self.set_form(replace(form or self._form, muted=self._form.muted))
        asked = replace(self._form, muted=muted)
        before = self._undo.current
        parent = before.take if before is not None else None
        if action:
            take = self.takes.add(piece, asked, action, parent=parent, accepted=True)
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
        self._undo.push(state)
        self._show_state()

    def set_locks(self, locks: Flags) -> None:
        """Lock these cells of the current piece, bool (T, 4), as a step of Undo."""
        if self._state is not None:
            self._push(replace(self._state, locks=locks))

    def undo(self) -> State | None:
        """Restore the state before, or the last piece if there is none now; return it."""
        return self._restore(self.undo_state, by=-1 if self._present else 0)

    def redo(self) -> State | None:
        """Restore the state after the current one; return it."""
        return self._restore(self.redo_state, by=1)

    def set_aside(self) -> None:
        """Remove the current piece from the screen; Undo and ``bring_back`` show it again."""
        self._present = False
        self._emit_piece()

    def bring_back(self) -> bool:
        """Show the piece that was set aside; return False if there is none."""
        if self._present or self._undo.current is None:
            return False
        self._show_state()
        return True

    def hide_piece(self) -> None:
        """Show and play nothing while notes are recorded; the piece stays the current one."""
        self._hidden = True
        self.shown_changed.emit(None)

    def unhide_piece(self) -> None:
        """Show and play the piece again."""
        if self._hidden:
            self._hidden, self._sketch = False, None
            self.shown_changed.emit(self.shown)

    def begin_generation(self) -> None:
        """Set the piece aside while another one is being generated."""
        self._generating, self._present, self._preview = True, False, None
        self._form_before = self._form
        self.generation_started.emit()

    def end_generation(
        self, piece: Chorale | None, form: Form | None = None, *, complete: bool = False
    ) -> None:
        """End a generation with its piece, finished or not; None shows the piece before again.

        Entries of the form that were changed meanwhile stay.

        Args:
            complete: True if the form would generate the same piece.
        """
        self._generating, entered = False, self._form
        if piece is not None:
            self.show_piece(piece, form=form, generated=complete, action="generated")
            self.set_form(entered if entered != self._form_before else self._form)
        elif not self.bring_back():
            self._emit_piece()

    def preview(self, piece: Chorale | None) -> None:
        """Show and play a candidate in place of the piece; None ends this."""
        if piece is not self._preview:
            self._preview, self._sketch = piece, None
            self.shown_changed.emit(self.shown)

    def draw(self, sketch: Sketch | None) -> None:
        """Draw notes in place of the shown piece, without playing them; None ends this."""
        if sketch is not None or self._sketch is not None:
            self._sketch = sketch
            self.sketched.emit(sketch)

    # ------------------------------------------------------------------ takes

    def use_take(self, number: int) -> None:
        """Make a take the current piece, with its settings, as a step of Undo."""
        take = self.takes.get(number)
        if take is not None and not self.unready_reason:
            self.show_piece(take.piece, form=take.form, take=number)

    def delete_takes(self, numbers: Collection[int]) -> None:
        """Delete takes, as a step of Undo; this needs a current piece, which stays."""
        if self._state is not None:
            deleted = self._state.deleted | frozenset(numbers)
            self._push(replace(self._state, deleted=deleted))

    # ------------------------------------------------------------------ the project

    def contents(self, mixer: Mapping[str, Any]) -> Contents:
        """Return what a project keeps of this document."""
        return Contents(
            takes=self.takes.all,
            states=self._undo.states,
            position=self._undo.position,
            present=len(self._undo) > 0,  # a piece that is only set aside comes back
            form=self._form,
            mixer=mixer,
        )

    def restore(self, contents: Contents, *, saved: bool) -> None:
        """Show other contents in place of these; this is no step of Undo, and unmutes all heads.

        Args:
            saved: True if they are what was saved last.
        """
        self._undo = UndoStack(contents.states, contents.position)
        self._generating, self._present = False, contents.present
        self.takes.restore(contents.takes, self._deleted)
        self.set_form(replace(contents.form or self._form, muted=MutedHeads()))
        self._saved = (self._undo.current, self.takes.all) if saved else (None, ())
        self.select(None)
        self._emit_piece()
        self.saved_changed.emit()
        self.replaced.emit()

    def mark_saved(self) -> None:
        """Mark the present contents as saved."""
        self._saved = (self._undo.current, self.takes.all)
        self.saved_changed.emit()

    # ------------------------------------------------------------------ internals

    @property
    def _deleted(self) -> frozenset[int]:
        state = self._undo.current
        return state.deleted if state is not None else frozenset()

    def _push(self, state: State) -> None:
        self._undo.push(state)
        self._emit_state()

    def _emit_state(self) -> None:
        self.takes.set_deleted(self._deleted)
        self.locks_changed.emit()
        self.edited.emit()

    def _restore(self, state: State | None, *, by: int) -> State | None:
        if state is None:
            return None
        same_piece = state.piece is self.piece
        self._undo.move(by)
        if same_piece:
            self._emit_state()
        else:
            self.set_form(replace(state.form, muted=self._form.muted))  # only the user mutes
            self._show_state()
        return state

    def _show_state(self) -> None:
        self._present = True
        self._emit_piece()

    def _emit_piece(self) -> None:
        self._preview, self._sketch, self._hidden = None, None, False
        self.piece_changed.emit(self.piece)
        self._emit_state()
        self.shown_changed.emit(self.shown)
