"""The heads that are muted while notes are generated, for each model of the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Provenance
from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import WHOLE, Mutes
from musicrel.language import tr
from musicrel.presentation.words import display_names
from musicrel.score.importing.conversion import listed

_MEANING: Final = tr(
    "{heads}: replaced by {replacement} while {model} generates notes. Mute and unmute heads on "
    "the Attention page; all are unmuted in another document."
)
_REPLACEMENTS: Final = {"mean": tr("their mean output"), "zero": tr("zero")}
# one and several
_PARTS: Final = {
    "head": (tr("head {codes}"), tr("heads {codes}")),
    "layer": (tr("layer {codes}"), tr("layers {codes}")),
}


@dataclass(frozen=True, slots=True)
class MutedHeads:
    # model and its muted heads, sorted by model; models without any are left out
    of_models: tuple[tuple[str, Mutes], ...] = ()

    def of(self, model: str) -> Mutes:
        return dict(self.of_models).get(model, Mutes())

    def with_mutes(self, model: str, mutes: Mutes) -> MutedHeads:
        others = {name: of_model for name, of_model in self.of_models if name != model}
        return MutedHeads(tuple(sorted((others | ({model: mutes} if mutes else {})).items())))

    def as_in(self, provenance: Provenance | None) -> MutedHeads:
        """Return these with the muted heads that a piece was written with."""
        if provenance is None:
            return self
        return self.with_mutes(provenance.model, _mutes_of(provenance))

    def remarks(self) -> Iterator[tuple[str, str]]:
        """Yield for each model its muted heads in a few words, and what that means."""
        for name, mutes in self.of_models:
            model = display_names.model(name)
            by = tr(" (by zero)") if mutes.by == "zero" else ""
            heads, how = named(mutes), _REPLACEMENTS[mutes.by]
            heads = f"{heads[:1].upper()}{heads[1:]}"
            meaning = _MEANING.format(heads=heads, model=model, replacement=how)
            yield (
                tr("Muted in {model}: {named}{by}", model=model, named=named(mutes), by=by),
                meaning,
            )


def named(mutes: Mutes) -> str:
    """Return muted heads and layers in words, as "heads 2.3 and 2.4 and layer 4"."""
    parts = []
    for noun, texts in _PARTS.items():
        some = [head.code for head in mutes.heads if (head.head == WHOLE) == (noun == "layer")]
        if some:
            parts.append(texts[len(some) > 1].format(codes=listed(some)))
    return listed(parts)


def codes(mutes: Mutes) -> str:
    """Return muted heads in the short form, as "2.3, 4"."""
    return ", ".join(head.code for head in mutes.heads)


def in_piece(provenance: Provenance | None) -> str:
    """Return the muted heads that a piece was written with, as "2.3, 4 muted"; "" without any."""
    mutes = _mutes_of(provenance)
    return tr("{codes} muted", codes=codes(mutes)) if mutes else ""


def writer(provenance: Provenance) -> str:
    """Return the model that wrote a piece and its muted heads, as "Relative, 2.3 muted"."""
    model = display_names.writer(provenance.model)
    return ", ".join(filter(None, (model, in_piece(provenance))))


def _mutes_of(provenance: Provenance | None) -> Mutes:
    """Return the muted heads that a piece was written with; none if they cannot be read."""
    try:
        return Mutes.from_json(provenance.settings if provenance is not None else {})
    except UsageError:
        return Mutes()
