"""The pages of the window, as a table: names, titles and descriptions."""

from __future__ import annotations

from typing import Final, NamedTuple

from musicrel.language import tr


class Page(NamedTuple):
    """A page of the window: its name, also that of its icon, its title and its tooltip."""

    name: str
    title: str
    description: str


# from top to bottom; ``Ctrl+1`` opens the first
PAGES: Final = (
    Page("compose", tr("Compose"), tr("Generate and edit chorales")),
    Page("attention", tr("Attention"), tr("Inspect the attention of a model")),
    Page("experiment", tr("Experiment"), tr("Train and compare models")),
)
