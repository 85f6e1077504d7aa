"""Controller of muted heads: a part of the form, changed in all grids of heads."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import Head, Mutes, Replacement
from musicrel.ui.attention.attention_page import AttentionPage
from musicrel.ui.attention.attention_plots import AttentionPlots, HeadMap
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages

MUTED: Final = "Muted in {model}: {heads}"
UNMUTED: Final = "No head of {model} is muted"


class MuteController(QObject):
    changed = Signal()  # other heads are muted, or they are replaced by something else

    def __init__(
        self,
        document: Document,
        messages: Messages,
        attention: AttentionController,
        page: AttentionPage,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._attention = document, messages, attention
        self._by: Replacement = "mean"
        self._page = page
        self._maps: list[HeadMap] = []
        self._before = document.form.muted
        page.plots_made.connect(self._connect_plots)
        page.mute_toggled.connect(self.toggle)
        document.form_changed.connect(self._on_form_changed)
        attention.models.changed.connect(self.show)

    @property
    def mutes(self) -> Mutes:
        """Return the muted heads of the model that the page is about."""
        return self.of(self._model)

    def of(self, model: str) -> Mutes:
        found = self._document.form.muted.of(model)
        return found or Mutes(by=self._by)

    @Slot(object)
    def toggle(self, head: Head) -> None:
        self._toggle(self._page.side, head)

    @Slot()
    def clear(self) -> None:
        self._clear(self._page.side)

    @Slot(str)
    def choose_by(self, by: Replacement) -> None:
        mutes, self._by = self.mutes, by
        if mutes:
            self._set(self._model, replace(mutes, by=by))
        self.changed.emit()

    # ------------------------------------------------------------------ inside

    @property
    def _model(self) -> str:
        return self._attention.models.both[self._page.side]

    def _toggle(self, side: int, head: Head) -> None:
        analyses = self._attention.shown, self._attention.shown_second
        analysis, model = analyses[side], self._attention.models.both[side]
        if analysis is None or not analysis.has_weights:
            return
        try:
            mutes = self.of(model).toggled(head, analysis.layers, analysis.heads)
        except UsageError as reason:  # another model of this name had more heads
            self._messages.report(str(reason))
        else:
            self._set(model, mutes)

    def _clear(self, side: int) -> None:
        self._set(self._attention.models.both[side], Mutes(by=self._by))

    def _set(self, model: str, mutes: Mutes) -> None:
        self._by, form = mutes.by, self._document.form
        heads = ", ".join(map(str, mutes.heads))
        words = MUTED.format(model=model, heads=heads) if mutes else UNMUTED.format(model=model)
        self._messages.show_state(words)
        self._document.set_form(replace(form, muted=form.muted.with_mutes(model, mutes)))

    @Slot()
    def _on_form_changed(self) -> None:
        muted = self._document.form.muted
        self.show()
        if muted != self._before:
            self._before = muted
            self.changed.emit()

    @Slot()
    def show(self) -> None:
        for half, model in zip(self._maps, self._attention.models.both, strict=False):
            half.grid.show_mutes(self.of(model))

    @Slot(object)
    def _connect_plots(self, plots: AttentionPlots) -> None:
        self._connect_half(plots.first)
        plots.second_made.connect(self._connect_half)

    @Slot(object)
    def _connect_half(self, half: HeadMap) -> None:
        side = len(self._maps)
        self._maps.append(half)
        half.grid.mute_toggled.connect(partial(self._toggle, side))
        half.grid.cleared.connect(partial(self._clear, side))
        self.show()
