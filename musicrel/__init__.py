"""musicrel: four-voice chorales by vanilla and relative-attention transformers.

Importing the package is cheap, and torch is imported where nothing else can compute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from musicrel.api import (
        Chorale,
        LoadedModel,
        ablate,
        attention,
        attributions,
        evaluate,
        from_pretty_midi,
        generate,
        grade,
        harmonise,
        infill,
        lens,
        load_model,
        places,
        sources,
        to_pretty_midi,
    )

__all__ = [
    "Chorale", "LoadedModel", "ablate", "attention", "attributions", "evaluate",
    "from_pretty_midi", "generate", "grade", "harmonise", "infill", "lens", "load_model", "places",
    "sources", "to_pretty_midi",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import a public name on its first use."""
    if name in __all__:
        from musicrel import api

        return getattr(api, name)
    raise AttributeError(f"module 'musicrel' has no attribute {name!r}")
