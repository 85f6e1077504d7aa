"""Requests whose phrases or pickup are drawn with their seed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from musicrel.chorale import Meter
from musicrel.errors import UsageError
from musicrel.generation import cadence_list, fermatas, phrase_plan
from musicrel.generation.phrasing.planned_phrase import PlannedPhrase
from musicrel.generation.request import EditFields, GenerationRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPhrases:
    """The choice of what is drawn.

    Attributes:
        phrases: True: the phrases are drawn.
        pickup: True: the pickup is drawn if there are phrases.
    """

    phrases: bool = False
    pickup: bool = False

    def check(self, cadence: str) -> None:
        """Check that cadences are not given one by one for phrases that are drawn.

        Raises:
            UsageError: they are.
        """
        kinds = len(cadence_list.parse(cadence))
        if self.phrases and kinds > 1:
            raise UsageError(
                f"there are {kinds} cadences, but the phrases are drawn: give the phrases, as in "
                "2,2,4, or one cadence for all"
            )

    def applied(self, request: GenerationRequest, conditions: Collection[str]) -> GenerationRequest:
        """Return ``request`` with drawn phrases and pickup.

        Args:
            request: any request; fermatas of its own stay.
            conditions: names of the conditions of the model; what it does not read is not drawn.
        """
        knows_phrases = "fermata" in conditions and not request.fermatas
        is_drawn = self.pickup and "bar" in conditions
        phrases, pickup = phrase_plan.resolved(
            None if self.phrases and knows_phrases else tuple(map(PlannedPhrase, request.phrases)),
            None if is_drawn else request.pickup,
            bars=request.bars,
            meter=request.meter,
            seed=request.seed,
        )
        fields = phrase_fields(phrases, request.meter, pickup)
        return replace(request, **fields, pickup=pickup)


def phrase_fields(phrases: Sequence[PlannedPhrase], meter: Meter, pickup: int) -> EditFields:
    """Return the fields of a request for phrases: whole bars, or else their fermatas."""
    if all(bars == int(bars) and not hold for bars, hold in phrases):
        return {"phrases": tuple(int(bars) for bars, _ in phrases)}
    steps = round(sum(bars for bars, _ in phrases) * meter.steps)
    return {"phrases": (), "fermatas": tuple(fermatas.at_ends(phrases, meter, pickup, steps))}
