"""The entries of the dialog of a hymn, the tunes of its metre, and its rhythm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Final

from musicrel.analysis.corpus import melodies
from musicrel.chorale import Chorale, Meter, Voice, spans
from musicrel.errors import MusicrelError, UsageError
from musicrel.language import count, tr
from musicrel.presentation.compose import words_form
from musicrel.presentation.compose.words_form import DEFAULT_LANGUAGE, Fit
from musicrel.score import files
from musicrel.score.verses import setting, syllables, tune_rhythm
from musicrel.score.verses.metre import Metre
from musicrel.score.verses.syllables import Line, Verse

COUNTED: Final = ""  # the metre of the first verse
AS_THE_METRE: Final = "auto"
UPBEAT: Final = "upbeat"
BEAT: Final = "beat"
BEGINNINGS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        AS_THE_METRE: (
            tr("As the metre suggests"),
            tr("On an upbeat in 8.6.8.6, 8.8.8.8 or 7.6.7.6, on the beat in 8.7.8.7 or 7.7.7.7"),
        ),
        UPBEAT: (tr("On an upbeat"), tr("The first syllable is unstressed")),
        BEAT: (tr("On the beat"), tr("The first syllable is stressed")),
    }
)  # beginning of the lines -> title and tooltip
NEW_TUNE: Final = ""  # the model writes it
_OTHER_METRE: Final = tr("the first verse is {metre}, and the metre of {name} is {own}: {expected}")
_FITTING: Final = tr("expected a tune of the same metre, of the bundled ones {tunes}")
_NONE_FITS: Final = tr("no bundled tune has this metre")


@dataclass(frozen=True, slots=True, kw_only=True)
class HymnForm:
    """Words that are to become a hymn."""

    text: str = ""
    language: str = DEFAULT_LANGUAGE
    metre: str = COUNTED  # as in hymnals, "8.7.8.7 D"; empty: counted
    lines_begin: str = AS_THE_METRE  # a key of ``BEGINNINGS``
    meter: Meter = tune_rhythm.METERS[0]  # of a new tune
    # lines and words that are divided already, by their text
    known: Mapping[str, Line] = field(default_factory=dict, compare=False)

    def with_words_of(self, piece: Chorale | None) -> HymnForm:
        """Return the form with the words of ``piece`` and their metre, if it has any."""
        if piece is None or not piece.lyrics:
            return self
        text, known = setting.text_under(piece), setting.known_under(piece)
        return replace(self, text=text, known=known, metre=COUNTED)

    def melody(self) -> Chorale:
        """Return a tune of one pitch with a note for each syllable of verse 1, and all words.

        Raises:
            UsageError: there are no words, or they do not fit the metre.
        """
        text = self._words()
        metre = self._metre(text)
        tune_rhythm.check(text[0], metre)
        return self.under(self._tune(metre))

    def on_tune(self, name: str) -> Chorale:
        """Return a bundled tune with the words under it.

        Raises:
            UsageError: there are no words, or its metre is another one.
        """
        text, fitting = self._words(), self.tunes()
        if name not in fitting:
            raise UsageError(
                _OTHER_METRE.format(
                    metre=Metre.of(text[0]),
                    name=name,
                    own=melodies.METRES.get(name, tr("none", "metre")),
                    expected=_FITTING.format(tunes=", ".join(fitting)) if fitting else _NONE_FITS,
                )
            )
        return self.under(_bundled(name))

    def under(self, melody: Chorale, voice: Voice = Voice.SOPRANO) -> Chorale:
        """Return ``melody`` with the words under it, as well as they fit.

        Raises:
            UsageError: there are no words, or too many verses.
        """
        return replace(melody, lyrics=setting.set_under(melody, self._words(), voice).lyrics)

    def misfits(self, melody: Chorale, voice: Voice) -> tuple[str, ...]:
        """Return a sentence for each line that does not fit a melody."""
        return tuple(
            tr(
                "verse {verse}, line {line}: {syllables} for {notes}",
                verse=line.verse,
                line=line.line,
                syllables=count(line.syllables, "syllable"),
                notes=count(line.notes, "note"),
            )
            for line in setting.set_under(melody, self._verses(), voice).misfits
        )

    def tunes(self) -> tuple[str, ...]:
        """Return the names of the bundled tunes with the metre of the first verse."""
        text = self._verses()
        metre = Metre.of(text[0]) if text else None
        return tuple(name for name, own in melodies.METRES.items() if Metre.parse(own) == metre)

    def fit(self) -> Fit:
        """Return how the words fit, the problem with the metre included."""
        text, problem = self._verses(), ""
        if not text:
            return Fit()
        try:
            return words_form.fit_under(self.melody(), text)
        except UsageError as reason:
            problem = f"{str(reason)[:1].upper()}{str(reason)[1:]}"
        try:
            metre = self._metre(text)
            shown = self._tune(metre if len(metre.lines) == len(text[0]) else Metre.of(text[0]))
        except MusicrelError:  # another metre, or a verse longer than the longest piece
            return Fit(problem=problem, summary=problem, fits=False)
        found = words_form.fit_under(shown, text)
        return found._replace(problem=problem, summary=problem, fits=False)

    def _words(self) -> tuple[Verse, ...]:
        text = self._verses()
        if not text:
            raise UsageError(tr("there are no words: expected a text, a line for each phrase"))
        if problem := words_form.too_many(text):
            raise UsageError(f"{problem[:1].lower()}{problem[1:]}")
        return text

    def _verses(self) -> tuple[Verse, ...]:
        return syllables.verses(self.text, self.language, self.known)

    def _metre(self, text: Sequence[Verse]) -> Metre:
        return Metre.parse(self.metre) if self.metre.strip() else Metre.of(text[0])

    def _tune(self, metre: Metre) -> Chorale:
        upbeat = self.lines_begin == UPBEAT
        if self.lines_begin == AS_THE_METRE:
            upbeat = tune_rhythm.has_upbeat(metre)
        return tune_rhythm.tune(metre, self.meter, upbeat=upbeat)


def title(name: str) -> str:
    """Return the title of a bundled tune."""
    return _bundled(name).title


@cache
def _bundled(name: str) -> Chorale:
    """Return a bundled tune, with ties where the note under a fermata goes on from a whole bar."""
    piece = files.read(melodies.path(name))
    onsets, bar = piece.onsets.copy(), piece.meter.steps
    for start, _ in spans(piece.fermatas):
        is_same = piece.pitches[start, Voice.SOPRANO] == piece.pitches[start - 1, Voice.SOPRANO]
        if (
            start in piece.bar_line_steps()
            and is_same
            and onsets[start - bar + 1 : start].sum() == 0
        ):
            onsets[start] = False
    return replace(piece, onsets=onsets)
