"""Names of studies, models, recipes, arms and positional schemes, as people read them.

The ids stay what commands, files and results use. An id that is not in a table, such as that of a
user's own study, is shown as it is; a scheme's key as words, so that a new scheme needs no entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from musicrel.language import tr

# the shortest first, with the times of the table below
STUDIES: Final[Mapping[str, str]] = {
    "smoke": tr("Test run"),
    "memory": tr("Attention memory"),
    "quick": tr("Quick study"),
    "bytes": tr("Byte sequences"),
    "published": tr("Published comparison"),
    "window": tr("Window lengths"),
    "full": tr("Full study"),
    "window-gpu": tr("Window lengths (GPU)"),
}
# how long a study takes on a usual computer, where no run of its size was measured yet
STUDY_TIMES: Final[Mapping[str, str]] = {
    "smoke": tr("About 2 min"),
    "memory": tr("About 5 min, no training"),
    "quick": tr("About 20 min"),
    "bytes": tr("About 1 h 30 min"),
    "published": tr("About 1 h 30 min"),
    "window": tr("About 3 h"),
    "full": tr("A night"),
    "window-gpu": tr("Not timed, needs a GPU"),
}
BENCHMARK: Final = tr("benchmark")
# the bundled models: who writes, and what the model is for
MODELS: Final[Mapping[str, tuple[str, str]]] = {
    "hymns": (tr("Hymns"), tr("writes")),
    "relative": (tr("Relative"), tr("writes")),
    "relative-infill": (tr("Relative"), tr("rewrites")),
    "relative-jsb": (tr("Relative"), BENCHMARK),
    "vanilla": (tr("Vanilla"), tr("writes")),
    "vanilla-infill": (tr("Vanilla"), tr("rewrites")),
    "vanilla-jsb": (tr("Vanilla"), BENCHMARK),
}
RECIPES: Final[Mapping[str, str]] = {
    "bytes-source": tr("Byte sequences, source data"),
    "relative": tr("Relative"),
    "relative-base": tr("Relative, base"),
    "relative-distilled": tr("Relative, distilled"),
    "relative-harmoniser": tr("Relative, harmoniser"),
    "relative-hymns": tr("Relative, with hymns"),
    "relative-infill": tr("Relative, infilling"),
    "relative-infill-base": tr("Relative, infilling, base"),
    "relative-infill-distilled": tr("Relative, infilling, distilled"),
    "relative-infill-hymns": tr("Relative, infilling, with hymns"),
    "relative-infill-taught": tr("Relative, infilling, taught"),
    "relative-infill-teacher": tr("Relative, infilling, teacher"),
    "relative-jsb": tr("Relative, JSB"),
    "relative-jsb-base": tr("Relative, JSB, base"),
    "relative-jsb-distilled": tr("Relative, JSB, distilled"),
    "relative-jsb-distilled-twice": tr("Relative, JSB, distilled twice"),
    "relative-jsb-narrow": tr("Relative, JSB, narrow"),
    "relative-jsb-plain": tr("Relative, JSB, not transposed"),
    "relative-jsb-wide": tr("Relative, JSB, wide"),
    "relative-taught": tr("Relative, taught"),
    "relative-teacher": tr("Relative, teacher"),
    "tiny": tr("Tiny"),
    "tiny-masked": tr("Tiny, masked"),
    "transformer-xl-infill-teacher": tr("Transformer-XL, infilling, teacher"),
    "transformer-xl-jsb-base": tr("Transformer-XL, JSB, base"),
    "transformer-xl-teacher": tr("Transformer-XL, teacher"),
    "vanilla": tr("Vanilla"),
    "vanilla-base": tr("Vanilla, base"),
    "vanilla-distilled": tr("Vanilla, distilled"),
    "vanilla-hymns": tr("Vanilla, with hymns"),
    "vanilla-infill": tr("Vanilla, infilling"),
    "vanilla-infill-base": tr("Vanilla, infilling, base"),
    "vanilla-jsb": tr("Vanilla, JSB"),
    "vanilla-jsb-base": tr("Vanilla, JSB, base"),
    "vanilla-jsb-distilled": tr("Vanilla, JSB, distilled"),
    "vanilla-jsb-distilled-twice": tr("Vanilla, JSB, distilled twice"),
    "vanilla-jsb-narrow": tr("Vanilla, JSB, narrow"),
    "vanilla-jsb-plain": tr("Vanilla, JSB, not transposed"),
    "vanilla-jsb-wide": tr("Vanilla, JSB, wide"),
    "vanilla-taught": tr("Vanilla, taught"),
}
SCHEMES: Final[Mapping[str, str]] = {
    "alibi": "ALiBi",
    "bias": tr("Relative bias (T5)"),
    "darope": tr("Data-aware rotary (DaRoPE)"),
    "fire": tr("Function of the distance (FIRE)"),
    "fox": tr("Forgetting (FoX)"),
    "hope": tr("High-frequency rotary (HoPE)"),
    "kerple": tr("Logarithmic (KERPLE)"),
    "learned": tr("Learned"),
    "learned_sinusoidal": tr("Learned, from sinusoids"),
    "musical": tr("Musical rotary"),
    "none": tr("No positions"),
    "pope": tr("Polar (PoPE)"),
    "pope_decay": tr("Polar (PoPE), with decay"),
    "relative": tr("Relative"),
    "relative_as_published": tr("Relative (as published)"),
    "relative_corrected": tr("Relative (corrected)"),
    "rope": tr("Rotary (RoPE)"),
    "rope_decay": tr("Rotary (RoPE), with decay"),
    "shaw": "Shaw",
    "sinusoidal": tr("Sinusoidal"),
    "sinusoidal_concat": tr("Sinusoidal (concatenated)"),
    "transformer_xl": "Transformer-XL",
}
# an arm that differs from another in its scheme alone has the name of that scheme
ARMS: Final[Mapping[str, str]] = {
    **SCHEMES,
    "relative-as-published": tr("Relative (as published)"),
    "relative-corrected": tr("Relative (corrected)"),
    "relative-corrected-0.02": tr("Relative (corrected, 0.02)"),
    "relative-skew": tr("Relative (skewed)"),
    "relative-tiled": tr("Relative (tiled)"),
    "shaw-naive": tr("Shaw (explicit)"),
    "vanilla": tr("Vanilla"),
}

_STUDY: Final = re.compile(rf"\b{tr('the study')} ({'|'.join(STUDIES)})\b")
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
    return f"{ARMS[windowed['id']]}, {tr('whole pieces') if window == 'whole' else window}"


def in_sentence(sentence: str, arms: Iterable[str]) -> str:
    """Return a sentence about ``arms`` with their names, and those of studies, for their ids."""
    sentence = _STUDY.sub(lambda found: study(found[1]), sentence)
    ids = sorted({name for name in arms if name}, key=len, reverse=True)
    if not ids:
        return sentence
    pattern = rf"(?<![\w.-])(?:{'|'.join(map(re.escape, ids))})(?![\w-]|\.\w)"
    return re.sub(pattern, lambda found: arm(found[0]), sentence)
