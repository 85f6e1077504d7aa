"""The form that generated a piece, restored from the settings in its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from musicrel.chorale import Provenance
from musicrel.errors import UsageError
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.rules import HARD_RULES
from musicrel.generation.phrasing import openings, phrase_plan, planned_phrase
from musicrel.generation.phrasing.planned_phrase import Phrases
from musicrel.generation.request import DEFAULT_TOP_P, GenerationRequest
from musicrel.language import count, tr
from musicrel.presentation.compose.form import (
    DRAWN_BARS,
    KEYS,
    MAX_SEED,
    MAX_TEMPERATURE,
    METERS,
    MIN_TEMPERATURE,
    Form,
    pickups,
)
from musicrel.presentation.words import muted_heads, names

_SAME: Final = 1e-9
_FACTS: Final = ("kernel", "precision", "device", "musicrel")
_FACTS_OF_TORCH: Final = ("torch", "threads")  # facts that matter where torch computes on both
# facts of pieces from before there was a choice
_EARLIER: Final[Mapping[str, str]] = {"kernel": "torch", "precision": "single"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoredForm:
    form: Form | None = None  # the entries; None if the piece has no readable settings
    # settings that the form cannot hold, in words: without them the same seed gives other notes.
    # Input such as locked notes is not among them
    left_out: tuple[str, ...] = ()


def form_from_provenance(provenance: Provenance | None) -> RestoredForm:
    """Return the form that generates a piece, as closely as a form can."""
    if provenance is None:
        return RestoredForm()
    try:
        settings = GenerationRequest.from_json(dict(provenance.settings))
    except UsageError:
        return RestoredForm()
    form = Form(
        model=provenance.model,
        bars=settings.bars or DRAWN_BARS,
        meter=settings.meter if settings.meter in METERS else METERS[0],
        pickup=settings.pickup if settings.pickup in dict(pickups(settings.meter)) else 0,
        key=next((key for key in KEYS if key == settings.key), None),
        phrases=_phrases(settings),
        temperature=min(max(settings.temperature, MIN_TEMPERATURE), MAX_TEMPERATURE),
        seed=min(provenance.seed, MAX_SEED),
        rules=tuple(name for name in HARD_RULES if name in settings.rules),
        quality=settings.quality,
        cadence=settings.cadence,
        begins_on=settings.begins_on or openings.ANY,
        form=settings.form or phrase_plan.THROUGH_COMPOSED,
        ranges=voice_ranges.to_text(settings.ranges),
        top_p=DEFAULT_TOP_P if settings.locks else settings.top_p,
        rhythm=settings.rhythm if settings.lyrics else (),  # else it is drawn again
        lyrics=settings.lyrics,
    )
    return RestoredForm(form=form, left_out=tuple(_left_out(settings, form, provenance.seed)))


def _phrases(settings: GenerationRequest) -> Phrases:
    """Return the phrases of ``settings``, those that end with its fermatas if it has such."""
    form = settings.meter, settings.pickup or 0, settings.steps
    if not settings.fermatas:
        return settings.phrases or ()
    phrases = planned_phrase.phrases_of(settings.fermatas, *form)
    held = tuple(planned_phrase.at_ends(phrases, *form))
    is_whole = settings.steps == (settings.bars or 0) * settings.meter.steps
    is_restored = held == settings.fermatas and is_whole
    return planned_phrase.shortened(phrases) if is_restored else ()


def _left_out(settings: GenerationRequest, form: Form, seed: int) -> list[str]:
    usual_top_p = {form.top_p}
    if settings.locks is not None:
        usual_top_p.add(GenerationRequest().top_p)
    clipped = abs(settings.temperature - form.temperature) > _SAME
    pickup, key = count(settings.pickup or 0, "sixteenth"), settings.key and names.key(settings.key)
    heads = muted_heads.codes(settings.mutes)
    differing = {
        tr("meter {meter}", meter=settings.meter): settings.meter != form.meter,
        tr("a pickup of {length}", length=pickup): settings.pickup != form.pickup,
        tr("key {key}", key=key): settings.key != form.key,
        tr("temperature {temperature:g}", temperature=settings.temperature): clipped,
        f"top-k {settings.top_k}": settings.top_k != 0,
        tr("top-p {top_p:g}", top_p=settings.top_p): settings.top_p not in usual_top_p,
        tr("seed {seed}", seed=seed): seed != form.seed,
        tr("the muted heads {heads}", heads=heads): bool(settings.mutes),
    }
    return [words for words, differs in differing.items() if differs]


def machine_differences(made: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Describe what differs, as "kernel torch (here compiled), device cuda:0 (here cpu)"."""
    if not made or not here:
        return ""
    before, now = {**_EARLIER, **made}, {**_EARLIER, **here}
    by_torch = before["kernel"] == now["kernel"] == "torch"
    facts = _FACTS + (_FACTS_OF_TORCH if by_torch else ())
    return ", ".join(
        tr("{fact} {made} (here {here})", fact=fact, made=before[fact], here=now[fact])
        for fact in facts
        if before.get(fact) and now.get(fact) and str(before[fact]) != str(now[fact])
    )
