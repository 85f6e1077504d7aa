"""Effects of heads on a note, and muted heads: controllers and view, connected."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject

from musicrel.ui.ablation.mattered_controller import MATTERED, MatteredController
from musicrel.ui.ablation.mattered_panel import MatteredPanel
from musicrel.ui.ablation.mute_controller import MuteController
from musicrel.ui.ablation.muted_comparison import MutedComparison
from musicrel.ui.ablation.note_jobs import LoadModel, NoteJobs
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.worker import Worker

_TITLE: Final = "Effects"
_TIP: Final = "What mattered for the chosen note: heads, voices, other notes. Mute heads here."


class Ablation(QObject):
    """The owner of the view of a note and of its controllers.

    Attributes:
        comparison: the controller of the button that generates without and with muted heads.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        attention: AttentionController,
        page: AttentionPage,
        candidates: CandidatesController,
        playback: PlaybackController,
        load: LoadModel,
    ) -> None:
        super().__init__(document)
        self.panel = MatteredPanel()
        page.switch.add(MATTERED, _TITLE, _TIP, self.panel)
        self.mutes = MuteController(document, messages, attention, page)
        self.controller = MatteredController(
            document,
            preferences,
            attention=attention,
            mutes=self.mutes,
            page=page,
            panel=self.panel,
            jobs=NoteJobs(load),
        )
        self.comparison = MutedComparison(
            document, messages, candidates, playback, button=self.panel.listen,
            model=lambda: self.controller.model,
        )  # fmt: skip
        for signal in (
            self.mutes.changed, self.controller.side_changed, attention.models.changed
        ):  # fmt: skip
            signal.connect(self.comparison.update_enabled)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return self.controller.shut_down()
