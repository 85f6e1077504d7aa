"""The entries of the dialog of a piece's properties, as they are typed, and the edit they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from musicrel.chorale import LINES, Chorale, Key, Meter
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.meter_beats import written_unit
from musicrel.presentation.compose.form import KEYS
from musicrel.presentation.words import names
from musicrel.score.editing.draft import Edit
from musicrel.score.editing.piece_edits import transposed_to, with_properties

# the meters that are offered; others can be typed
METERS: Final = tuple(map(Meter.parse, ("4/4", "3/4", "2/4", "2/2", "3/2", "6/4", "6/8", "3/8")))
TEMPO_DIGITS: Final = 2  # digits after the point of a typed tempo
UNEVEN: Final = tr(
    "the pickup is {beats:g} beats: expected a whole number of sixteenths, {sixteenth:g} beats each"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertiesForm:
    title: str = ""
    subtitle: str = ""
    composer: str = ""  # of the piece; "" if unknown
    poet: str = ""
    tune: str = ""
    copyright: str = ""
    key: Key | None = None  # the key; None if it is not known
    transposes: bool = False  # True if the notes follow another key
    meter: str = "4/4"
    pickup: float = 0.0  # in beats
    tempo: float = 80.0  # quarter notes a minute

    @classmethod
    def of(cls, piece: Chorale) -> PropertiesForm:
        """Return the entries that change nothing."""
        return cls(
            **{name: getattr(piece, name) for name in LINES},
            key=piece.key,
            meter=str(piece.meter),
            pickup=piece.pickup / written_unit(piece.meter),
            tempo=round(piece.tempo, TEMPO_DIGITS),
        )

    def edit(self, piece: Chorale) -> Edit:
        moved = piece
        if self.transposes and self.key is not None and self.key != piece.key:
            moved = transposed_to(piece, self.key).piece
        meter = Meter.parse(self.meter)
        same_tempo = self.tempo == round(piece.tempo, TEMPO_DIGITS)
        edit = with_properties(
            moved,
            **{name: getattr(self, name) for name in LINES},
            key=self.key,
            meter=meter,
            pickup=self._pickup_steps(meter),
            tempo=piece.tempo if same_tempo else self.tempo,
        )
        return Edit(piece=piece if edit.piece == piece else edit.piece)

    def _pickup_steps(self, meter: Meter) -> int:
        beat = written_unit(meter)
        steps = round(self.pickup * beat)
        if abs(steps / beat - self.pickup) > 0.01:  # noqa: PLR2004 (two digits are typed)
            raise UsageError(UNEVEN.format(beats=self.pickup, sixteenth=1 / beat))
        if steps >= meter.steps:
            raise UsageError(
                tr(
                    "the pickup is {pickup:g} beats: expected less than a bar of {meter}",
                    pickup=self.pickup,
                    meter=meter,
                )
            )
        return steps


def problem(form: PropertiesForm, piece: Chorale) -> str:
    """Return the reason why the entries cannot be applied, as a sentence, or ""."""
    return _sentence(lambda: form.edit(piece))


def keys(present: Key | None) -> tuple[tuple[str, Key | None], ...]:
    unusual = () if present is None or present in KEYS else (present,)
    return tuple((names.key(key), key) for key in (*unusual, *KEYS))


def transpose_disabled_reason(key: Key | None, piece: Chorale) -> str:
    if key == piece.key:
        return tr("Choose another key first.")
    if key is None:
        return tr("Notes cannot be transposed to an unknown key.")
    return _sentence(lambda: transposed_to(piece, key))


def _sentence(make: Callable[[], Edit]) -> str:
    try:
        make()
    except UsageError as reason:
        text = str(reason)
        return f"{text[:1].upper()}{text[1:]}."
    return ""
