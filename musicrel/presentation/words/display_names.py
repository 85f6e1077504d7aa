"""Names of studies, models, recipes, arms and positional schemes, as people read them.

The ids stay what commands, files and results use. An id that is not in a table, such as that of a
user's own study, is shown as it is; a scheme's key as words, so that a new scheme needs no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

# the shortest first, with the times of the table below
STUDIES: Final[Mapping[str, str]] = {
    "smoke": "Test run",
    "memory": "Attention memory",
    "quick": "Quick study",
    "bytes": "Byte sequences",
    "published": "Published comparison",
    "window": "Window lengths",
    "full": "Full study",
    "window-gpu": "Window lengths (GPU)",
}
# how long a study takes on a usual computer, where no run of its size was measured yet
STUDY_TIMES: Final[Mapping[str, str]] = {
    "smoke": "About 2 min",
    "memory": "About 5 min, no training",
    "quick": "About 20 min",
    "bytes": "About 1 h 30 min",
    "published": "About 1 h 30 min",
    "window": "About 3 h",
    "full": "A night",
    "window-gpu": "Not timed, needs a GPU",
}
# the bundled models: who writes, and what the model is for
MODELS: Final[Mapping[str, tuple[str, str]]] = {
    "hymns": ("Hymns", "writes"),
    "relative": ("Relative", "writes"),
    "relative-infill": ("Relative", "rewrites"),
    "relative-jsb": ("Relative", "benchmark"),
    "vanilla": ("Vanilla", "writes"),
    "vanilla-infill": ("Vanilla", "rewrites"),
    "vanilla-jsb": ("Vanilla", "benchmark"),
}
BENCHMARK: Final = "benchmark"
RECIPES: Final[Mapping[str, str]] = {
    "bytes-source": "Byte sequences, source data",
    "relative": "Relative",
    "relative-base": "Relative, base",
    "relative-distilled": "Relative, distilled",
    "relative-harmoniser": "Relative, harmoniser",
    "relative-hymns": "Relative, with hymns",
    "relative-infill": "Relative, infilling",
    "relative-infill-base": "Relative, infilling, base",
    "relative-infill-distilled": "Relative, infilling, distilled",
    "relative-infill-hymns": "Relative, infilling, with hymns",
    "relative-infill-taught": "Relative, infilling, taught",
    "relative-infill-teacher": "Relative, infilling, teacher",
    "relative-jsb": "Relative, JSB",
    "relative-jsb-base": "Relative, JSB, base",
    "relative-jsb-distilled": "Relative, JSB, distilled",
    "relative-jsb-distilled-twice": "Relative, JSB, distilled twice",
    "relative-jsb-narrow": "Relative, JSB, narrow",
    "relative-jsb-plain": "Relative, JSB, not transposed",
    "relative-jsb-wide": "Relative, JSB, wide",
    "relative-taught": "Relative, taught",
    "relative-teacher": "Relative, teacher",
    "tiny": "Tiny",
    "tiny-masked": "Tiny, masked",
    "transformer-xl-infill-teacher": "Transformer-XL, infilling, teacher",
    "transformer-xl-jsb-base": "Transformer-XL, JSB, base",
    "transformer-xl-teacher": "Transformer-XL, teacher",
    "vanilla": "Vanilla",
    "vanilla-base": "Vanilla, base",
    "vanilla-distilled": "Vanilla, distilled",
    "vanilla-hymns": "Vanilla, with hymns",
    "vanilla-infill": "Vanilla, infilling",
    "vanilla-infill-base": "Vanilla, infilling, base",
    "vanilla-jsb": "Vanilla, JSB",
    "vanilla-jsb-base": "Vanilla, JSB, base",
    "vanilla-jsb-distilled": "Vanilla, JSB, distilled",
    "vanilla-jsb-distilled-twice": "Vanilla, JSB, distilled twice",
    "vanilla-jsb-narrow": "Vanilla, JSB, narrow",
    "vanilla-jsb-plain": "Vanilla, JSB, not transposed",
    "vanilla-jsb-wide": "Vanilla, JSB, wide",
    "vanilla-taught": "Vanilla, taught",
}
SCHEMES: Final[Mapping[str, str]] = {
    "alibi": "ALiBi",
    "bias": "Relative bias (T5)",
    "darope": "Data-aware rotary (DaRoPE)",
    "fire": "Function of the distance (FIRE)",
    "fox": "Forgetting (FoX)",
    "hope": "High-frequency rotary (HoPE)",
    "kerple": "Logarithmic (KERPLE)",
    "learned": "Learned",
    "learned_sinusoidal": "Learned, from sinusoids",
    "musical": "Musical rotary",
    "none": "No positions",
    "pope": "Polar (PoPE)",
    "pope_decay": "Polar (PoPE), with decay",
    "relative": "Relative",
    "relative_as_published": "Relative (as published)",
    "relative_corrected": "Relative (corrected)",
    "rope": "Rotary (RoPE)",
    "rope_decay": "Rotary (RoPE), with decay",
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


def study_id(named: str) -> str:
    """Return the id of a bundled study by its name; any other name as it is."""
    return next((name for name, title in STUDIES.items() if title == named), named)


def model(name: str) -> str:
    """Return the name of a model as it is chosen, as in 'Relative (writes)'."""
    return "{} ({})".format(*MODELS[name]) if name in MODELS else name


def writer(name: str) -> str:
    """Return the name of the model that wrote a piece, as in 'Relative'."""
    plain, task = MODELS.get(name, (name, ""))
    return model(name) if task == BENCHMARK else plain


def is_benchmark(name: str) -> bool:
    """Return whether a model is there to be measured, and knows neither keys nor phrases."""
    return MODELS.get(name, ("", ""))[1] == BENCHMARK


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
