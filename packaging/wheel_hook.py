"""A step of every wheel: the guides as web pages, which Help opens."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "musicrel/_assets/manual"


class WebPages(BuildHookInterface[Any]):
    """Makes the pages in a temporary folder, from which they go into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the pages, but not to an editable installation, which has their sources.

        Raises:
            ValueError: a link in the guides leads nowhere.
        """
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "packaging"))
        import build_docs  # noqa: PLC0415  # it stands beside this file, which is no package

        pages = build_docs.read_pages(root)
        broken = build_docs.broken_links(pages, root)
        if broken:
            raise ValueError("; ".join(broken))
        self._folder = tempfile.TemporaryDirectory()
        build_docs.write(pages, root, Path(self._folder.name))
        build_data["force_include"][self._folder.name] = PLACE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the temporary folder."""
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()
