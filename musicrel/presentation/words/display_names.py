"""Names of studies, recipes, arms and positional schemes, as people read them.

The ids stay what commands, files and results use. An id that is not in a table, such as that of a
user's own study, is shown as it is; a scheme's key as words, so that a new scheme needs no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

STUDIES: Final[Mapping[str, str]] = {
    "bytes": "Byte sequences",
    "full": "Full study",
    "memory": "Attention memory",
    "published": "Published comparison",
    "quick": "Quick study",
    "smoke": "Test run",
    "window": "Window lengths",
    "window-gpu": "Window lengths (GPU)",
}
RECIPES: Final[Mapping[str, str]] = {
    "bytes-source": "Byte sequences, source data",
    "critic": "Critic",
    "relative": "Relative",
    "relative-base": "Relative, base",
    "relative-harmoniser": "Relative, harmoniser",
    "relative-infill": "Relative, infilling",
    "relative-infill-base": "Relative, infilling, base",
    "relative-jsb": "Relative, JSB",
    "relative-jsb-base": "Relative, JSB, base",
    "relative-jsb-distilled": "Relative, JSB, distilled",
    "relative-jsb-distilled-twice": "Relative, JSB, distilled twice",
    "relative-jsb-narrow": "Relative, JSB, narrow",
    "relative-jsb-plain": "Relative, JSB, not transposed",
    "relative-jsb-wide": "Relative, JSB, wide",
    "tiny": "Tiny",
    "tiny-masked": "Tiny, masked",
    "transformer-xl-jsb-base": "Transformer-XL, JSB, base",
    "vanilla": "Vanilla",
    "vanilla-base": "Vanilla, base",
    "vanilla-infill": "Vanilla, infilling",
    "vanilla-infill-base": "Vanilla, infilling, base",
    "vanilla-jsb": "Vanilla, JSB",
    "vanilla-jsb-base": "Vanilla, JSB, base",
    "vanilla-jsb-distilled": "Vanilla, JSB, distilled",
    "vanilla-jsb-distilled-twice": "Vanilla, JSB, distilled twice",
    "vanilla-jsb-narrow": "Vanilla, JSB, narrow",
    "vanilla-jsb-plain": "Vanilla, JSB, not transposed",
    "vanilla-jsb-wide": "Vanilla, JSB, wide",
}
SCHEMES: Final[Mapping[str, str]] = {
    "alibi": "ALiBi",
    "bias": "Relative bias (T5)",
    "learned": "Learned",
    "learned_sinusoidal": "Learned, from sinusoids",
    "none": "No positions",
    "relative": "Relative",
    "relative_as_published": "Relative (as published)",
    "relative_corrected": "Relative (corrected)",
    "rope": "Rotary (RoPE)",
    "shaw": "Shaw",
    "sinusoidal": "Sinusoidal",
    "sinusoidal_concat": "Sinusoidal (concatenated)",
    "transformer_xl": "Transformer-XL",
}
# an arm that differs from another in its scheme alone has the name of that scheme
ARMS: Final[Mapping[str, str]] = {
    **SCHEMES,
    "relative-as-published": "Relative (as published)",
    "relative-corrected": "Relative (corrected)",
    "relative-corrected-0.02": "Relative (corrected, 0.02)",
    "relative-skew": "Relative (skewed)",
    "relative-tiled": "Relative (tiled)",
    "shaw-naive": "Shaw (explicit)",
    "vanilla": "Vanilla",
}

_STUDY: Final = re.compile(rf"\bthe study ({'|'.join(STUDIES)})\b")
_COPY: Final = re.compile(r"(?P<id>.+)-(?P<number>\d+)")
_WINDOW: Final = re.compile(r"(?P<id>.+)-(?P<window>\d+|whole)")


def study(name: str) -> str:
    """Return the name of a study, or of the folder in which it is, as in 'Test run 2'."""
    if name in STUDIES:
        return STUDIES[name]
    copy = _COPY.fullmatch(name)
    known = copy is not None and copy["id"] in STUDIES
    return f"{STUDIES[copy['id']]} {copy['number']}" if copy is not None and known else name


def recipe(name: str) -> str:
    return RECIPES.get(name, name)


def scheme(name: str) -> str:
    """Return the name of a positional scheme: its own, or one made from its key."""
    return SCHEMES.get(name) or name.replace("_", " ").capitalize()


def arm(name: str) -> str:
    """Return the name of an arm, with its window where it is one of several."""
    if name in ARMS:
        return ARMS[name]
    windowed = _WINDOW.fullmatch(name)
    if windowed is None or windowed["id"] not in ARMS:
        return name
    window = windowed["window"]
    return f"{ARMS[windowed['id']]}, {'whole pieces' if window == 'whole' else window}"


def in_sentence(sentence: str, arms: Iterable[str]) -> str:
    """Return a sentence about ``arms`` with their names, and those of studies, for their ids."""
    sentence = _STUDY.sub(lambda found: study(found[1]), sentence)
    ids = sorted({name for name in arms if name}, key=len, reverse=True)
    if not ids:
        return sentence
    pattern = rf"(?<![\w.-])(?:{'|'.join(map(re.escape, ids))})(?![\w-]|\.\w)"
    return re.sub(pattern, lambda found: arm(found[0]), sentence)
