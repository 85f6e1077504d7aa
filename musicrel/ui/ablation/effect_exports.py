"""The menu that saves one of the views of a note as a picture or a table."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QToolButton

from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.ablation import effect_grid, lens_table, note_choices, source_list
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.presentation.ablation.note_study import NoteStudy
from musicrel.presentation.ablation.source_list import SourceList
from musicrel.presentation.comparison.views import View
from musicrel.ui.attention.view_export import ViewExport

_TITLES: Final = (
    "&Effects of heads…",
    "&Most probable notes…",
    "&Sources…",
    "&Layers…",
    "&Whole piece…",
)
NOT_YET: Final = "Not known yet: find the sources or measure the piece first"
MakeView = Callable[[], View]


class EffectExports:
    """The menu of a button."""

    def __init__(self, button: QToolButton, exports: ViewExport) -> None:
        self._exports = exports
        self._views: list[MakeView | None] = [None] * len(_TITLES)
        button.menu().setToolTipsVisible(True)
        self.actions: list[QAction] = []
        for place, title in enumerate(_TITLES):
            action = button.menu().addAction(title)
            action.triggered.connect(partial(self._ask, place))
            self.actions.append(action)

    def set_views(
        self,
        study: NoteStudy | None,
        sources: SourceList | None,
        effects: HeadEffects | None,
        mutes: Mutes,
    ) -> None:
        """Offer the views that are known."""
        self._views = [None] * len(_TITLES)
        if study is not None:
            title, model = study.choices.chorale.title, study.model
            self._views[0] = partial(effect_grid.view, study.effects, mutes, title)
            self._views[1] = partial(note_choices.view, study.choices, model)
            if sources is not None:
                self._views[2] = partial(source_list.view, sources, model)
            self._views[3] = partial(lens_table.view, study.lens, model)
            if effects is not None:
                self._views[4] = partial(effect_grid.view, effects, mutes, title)
        for action, view in zip(self.actions, self._views, strict=True):
            action.setEnabled(view is not None)
            action.setToolTip("" if view is not None else NOT_YET)

    def _ask(self, place: int, *_: object) -> None:
        view = self._views[place]
        if view is not None:
            self._exports.ask(view())
