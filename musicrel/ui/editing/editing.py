"""Editing by hand: its controllers, put together."""

from __future__ import annotations

from PySide6.QtCore import QObject

from musicrel.playback.player import Player
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.edit_controller import EditController
from musicrel.ui.editing.editor import Editor
from musicrel.ui.editing.input_bar import InputBar
from musicrel.ui.editing.mouse_edits import MouseEdits
from musicrel.ui.editing.note_input_controller import NoteInputController
from musicrel.ui.editing.note_sound import NoteSound
from musicrel.ui.editing.properties_controller import PropertiesController
from musicrel.ui.editing.rule_list import RuleList
from musicrel.ui.editing.rule_list_controller import RuleListController
from musicrel.ui.editing.score_drag import ScoreDrag
from musicrel.ui.editing.score_writing import ScoreWriting


class Editing(QObject):
    """The owner of the controllers that edit the piece by hand.

    Attributes:
        editor: applies edits; dialogs use it, too.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        player: Player,
        *,
        page: ComposePage,
        actions: Commands,
    ) -> None:
        super().__init__(document)
        sound = NoteSound(document, player, actions.edit.sound)
        self.editor = Editor(document, messages, page.roll, sound)
        self.commands = EditController(
            document,
            messages,
            self.editor,
            page=page,
            actions=actions.edit,
            rewriting=actions.rewriting,
        )
        MouseEdits(document, messages, self.editor, roll=page.roll, mouse=page.mouse)
        bar = InputBar()
        page.add_above_sheet(bar)
        self.input = NoteInputController(
            document, messages, self.editor, page=page, bar=bar, action=actions.rewriting.draw
        )
        ScoreDrag(document, self.editor, page.score)
        ScoreWriting(document, page.score).written.connect(self.input.write_at)
        self.properties = PropertiesController(
            document, self.editor, title=page.title, action=actions.edit.properties
        )
        actions.rules.fill_menu(self.commands.menu)
        self.rules = RuleListController(
            document,
            messages,
            page=page,
            panel=RuleList(actions.rules),
            actions=actions.rules,
            marks=actions.rewriting.marks,
        )
