"""Two models on the Compose page: the controllers and the view, connected."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.playback.player import Player
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_run import GenerationRun
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.twin.twin_actions import TwinActions
from musicrel.ui.twin.twin_controller import ReadTwins, TwinController
from musicrel.ui.twin.twin_jobs import TwinJobs
from musicrel.ui.twin.twin_sound import TwinSound
from musicrel.ui.twin.twin_view import TwinView
from musicrel.ui.widgets.page_switch import Pages

_COMPOSE: Final = "compose"
_ROOMY: Final = 1000
"""Height in pixels of the window from which the takes stay beside two rolls."""


class Twin(QObject):
    """The owner of all that compares two models.

    Args:
        read: reads both pieces with both models; None: their surprisal is not shown.

    Attributes:
        controller: the models, both pieces and their comparison.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        run: GenerationRun,
        candidates: CandidatesController,
        jobs: TwinJobs,
        page: ComposePage,
        pages: Pages,
        playback: PlaybackController,
        player: Player,
        files: FileController,
        actions: Commands,
        read: ReadTwins | None,
    ) -> None:
        super().__init__(document)
        shared = (document, messages, preferences)
        self._pages, self._page, self._takes = pages, page, actions.takes.show
        self._hid_takes = False
        self.view = TwinView(page.roll, actions.twin)
        page.add_below_roll(self.view)
        self.controller = TwinController(
            *shared,
            run=run,
            candidates=candidates,
            jobs=jobs,
            page=page,
            view=self.view,
            menu=actions.twin.models,
            read=read,
        )
        self.sound = TwinSound(document, self.controller.other, playback=playback, player=player)
        self._actions = TwinActions(
            *shared,
            twin=self.controller,
            sound=self.sound,
            view=self.view,
            playback=playback,
            files=files,
            actions=actions.twin,
            note_input=actions.rewriting.draw,
        )
        self._connect(playback)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of all jobs; return the workers to wait for."""
        self.sound.shut_down()
        return self.controller.shut_down()

    @Slot()
    def _show(self) -> None:
        on = self.controller.on and self._pages.current == _COMPOSE
        self.view.setVisible(on)
        for side, marks in enumerate(self.view.marks):
            marks.show_marks(
                self.controller.agreement,
                self.controller.writer(side) if on else "",
                sounding=side == "AB".index(self.sound.side),
            )

    @Slot()
    def _on_changed(self) -> None:
        self.sound.on = self.controller.on
        self.sound.update()
        self._show()

    @Slot(bool)
    def _make_room(self, on: bool) -> None:
        if on and self._takes.isChecked() and self._page.window().height() < _ROOMY:
            self._hid_takes = True
            self._takes.setChecked(False)
        elif not on and self._hid_takes:
            self._hid_takes = False
            self._takes.setChecked(True)

    def _connect(self, playback: PlaybackController) -> None:
        above, below = playback.playhead, self.view.below.playhead
        for signal, slot in (
            (self.controller.changed, self._on_changed),
            (self.controller.toggled, self._make_room),
            (self.sound.changed, self._show),
            (self._pages.opened, self._show),
            (above.playhead_moved, below.set_step),
            (above.loop_shown, lambda region: below.set_loop(region, on=region is not None)),
            (below.seek_requested, playback.seek),
            (below.loop_dragged, playback.drag_loop),
            (below.loop_clicked, playback.clear_loop),
        ):
            signal.connect(slot)
