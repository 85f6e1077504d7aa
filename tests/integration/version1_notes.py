"""The commands of version 1: their defaults, and whose notes are still the same."""

from __future__ import annotations

from typing import Any, Final

RANGES: Final = {"--ranges": "full"}
DEFAULTS: Final = {
    "generate": RANGES | {"--model": "relative", "--phrases": "none", "--pickup": "0"},
    "harmonise": RANGES | {"--model": "relative-infill"},
}
"""The defaults of version 1 that are others today, of all other commands and of these."""
NOTE_FOR_NOTE: Final = {
    "relative-temperature-zero",
    "relative-jsb",
    "vanilla-jsb-top-k",
}
"""Commands that write the notes of version 1: causal models, where nothing is searched or recurs.

A search with particles has replaced the eight ways to a phrase end, and the soprano of new pieces
goes on from its second bar as it did earlier in the piece. Infilling models draw notes in another
order, in bfloat16 where the processor has it. So the notes of the same seed are others. The shipped
``vanilla`` and the infilling models have other weights.
"""
_ALL: Final = slice(None)
KEPT: Final[dict[str, tuple[Any, Any]]] = {
    "relative-draft-no-rules": (slice(16), _ALL),  # nothing recurs in the first bar
    "relative-prompt": (slice(16), _ALL),
    "relative-keep-soprano": (_ALL, 0),
    "relative-rewrite-alto-tenor": (_ALL, [0, 3]),
    "ode-to-joy": (_ALL, 0),
    "old-hundredth-vanilla-infill": (_ALL, 0),
    "amazing-grace-relative": (_ALL, 0),
    "bass-line": (_ALL, 3),
    "high-melody": (_ALL, 0),
    "infill-alto-tenor": (_ALL, [0, 3]),
    "infill-column": (_ALL, [0, 3]),
    "vary-relative": (_ALL, [2, 3]),
    "continue-waltz": (slice(36), _ALL),
}
"""Steps and voices of further commands whose notes are still those of version 1."""
MOVED: Final = {"high-melody": -12}
"""Semitones by which kept notes now stand elsewhere: melodies far outside the soprano's range were
moved back to where no choir can sing them."""
