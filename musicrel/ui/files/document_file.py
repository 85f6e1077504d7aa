"""The document on disk: every edit is written at the end of the event that made it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel import paths
from musicrel.errors import FileError, MusicrelError
from musicrel.project.contents import Contents
from musicrel.ui.document.document import UNTITLED, Document
from musicrel.ui.files.session import Opened, ReplacedError, Session

NOT_CLOSED: Final = "“{name}” could not be closed properly: {reason}"
READ_ONLY: Final = "{name} was opened read-only: choose another name"


class Sound(Protocol):
    """Mixer and tempo, which are a part of a project."""

    def values(self) -> dict[str, Any]:
        """Return them as plain JSON values."""

    def restore(self, values: Mapping[str, Any]) -> str:
        """Apply ``values``; return a sentence about what cannot be played here, or ""."""


class DocumentFile(QObject):
    # the last edits could not be written; emitted once, until writing works again
    failed = Signal(str)
    recovered = Signal()  # writing works again

    def __init__(self, document: Document, sound: Sound) -> None:
        super().__init__(document)
        self._document, self._sound = document, sound
        self._session = Session()
        self._failing = self._stopped = False
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self.write)
        document.edited.connect(self.schedule)

    @property
    def path(self) -> Path | None:
        """Return the path of the project; None while the document is untitled."""
        return self._session.path

    @property
    def name(self) -> str:
        """Return the name of the project, or the title of an untitled document."""
        return self._session.name or self._document.title or UNTITLED

    @property
    def read_only(self) -> bool:
        """Return True if the project cannot be written, but only saved under another name."""
        return self._session.read_only

    @property
    def titled(self) -> bool:
        """Return True if edits are written to a project of the user's."""
        return self._session.titled

    @Slot()
    def schedule(self) -> None:
        if not self._stopped:
            self._timer.start()

    def stop(self) -> None:
        """Write nothing any more: the window closes."""
        self._stopped = True
        self._timer.stop()

    @Slot()
    def write(self) -> None:
        """Write what has changed; a failure is not final, the next edit tries again."""
        self._timer.stop()
        try:
            self._session.write(self._contents(), saved=self._document.saved)
        except MusicrelError as reason:
            if not self._failing:
                self.failed.emit(str(reason))
            self._failing = True
        else:
            self._set_working()

    def write_rest(self) -> None:
        """Write now what would be written at the end of this event."""
        if self._is_behind:
            self.write()

    def show(self, opened: Opened) -> tuple[str, ...]:
        """Show another document in place of this one, which is closed."""
        problem = self.close()
        self._session, self._failing = opened.session, False
        self._document.restore(opened.contents, saved=opened.saved)
        silent = self._sound.restore(opened.contents.mixer)
        self._timer.stop()  # the project has all this already
        if opened.session.path is None and not opened.session.has_file:
            self.write()
        return tuple(filter(None, (problem, *opened.session.problems, silent)))

    def save(self) -> None:
        self._session.save(self._contents())
        self._set_saved()

    def save_as(self, path: Path) -> str:
        """Save the document to ``path``, where it continues.

        The project before goes back to what was saved there.
        """
        if paths.resolved(path) == self.path:
            if self.read_only:
                raise FileError(READ_ONLY.format(name=path.name))
            self.save()
            return ""
        after = self._session.save_as(self._contents(), path)
        problem = self.close()
        self._session = after
        self._set_saved()
        return problem

    def close(self) -> str:
        """Close the file: as it is if all changes are saved, otherwise as it was saved last."""
        name = self.name
        session, self._session = self._session, Session()
        try:
            if self._document.saved:
                self._write_rest(session)
                session.close()
            else:
                session.discard()
        except ReplacedError as reason:
            return str(reason)
        except MusicrelError as reason:
            session.leave()
            return NOT_CLOSED.format(name=name, reason=reason)
        finally:
            self._timer.stop()
        return ""

    def leave(self) -> None:
        """Close the file; its document comes back at the next start."""
        self.write_rest()
        self._session.leave()
        self._session = Session()

    def _write_rest(self, session: Session) -> None:
        """Write what is no step of Undo, and changed in the event that closes the file."""
        if self._is_behind and session.titled:
            session.write(self._contents(), saved=True)

    @property
    def _is_behind(self) -> bool:
        """Return True if the file lacks what was changed in this event, or could not be written."""
        return self._failing or self._timer.isActive()

    def _contents(self) -> Contents:
        return self._document.contents(self._sound.values())

    def _set_saved(self) -> None:
        self._timer.stop()
        self._set_working()
        self._document.mark_saved()

    def _set_working(self) -> None:
        if self._failing:
            self._failing = False
            self.recovered.emit()
