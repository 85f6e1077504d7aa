"""The entries of the dialog of a piece's words, how they fit, and the edit they mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from musicrel import bounds
from musicrel.chorale import Chorale, Lyric, Voice
from musicrel.language import count, tr
from musicrel.score.editing.draft import Edit
from musicrel.score.verses import setting, syllables
from musicrel.score.verses.metre import Metre
from musicrel.score.verses.setting import SetLine, Setting
from musicrel.score.verses.syllables import Line, Verse

LANGUAGES: Final = syllables.LANGUAGES
DEFAULT_LANGUAGE: Final = "English"
NOTHING: Final = tr("Type or paste a text first")
_FITS: Final = tr("Every syllable has a note.")
# one line and several
_NOT_ALL: Final = (
    tr("{misfits} of {lines} does not fit."), tr("{misfits} of {lines} do not fit."),
)  # fmt: skip
_EXTRA: Final = tr(
    " Extra syllables share the last note of their line; where there are too few, some are held "
    "longer."
)
_LEFT_OUT: Final = (
    tr(" The melody has no notes for {lines}: it is left out."),
    tr(" The melody has no notes for {lines}: they are left out."),
)
_MISFIT: Final = tr("{syllables} for {notes}")
_TOO_MANY: Final = tr("{over} too many: the last ones share a note")
_NO_NOTES: Final = tr("The melody has no notes left for this line, which is left out")
_TOO_FEW: Final = tr("{under} too few: some are held over a beat")
_OTHERS: Final = tr("; verse {verse}: {metre}")
_MAX_OTHERS: Final = 3  # verses in another metre that are named


class FittedLine(NamedTuple):
    """A line of text as the dialog lists it."""

    place: str  # verse and line, as in 2.1
    words: str  # with hyphens between syllables
    syllables: str  # their number, and that of the notes if it does not fit
    tip: str  # what does not fit, or the words
    fits: bool


class Fit(NamedTuple):
    """The lines, metre and summary that the dialog shows of a text."""

    lines: Sequence[FittedLine] = ()
    metre: str = ""
    summary: str = ""
    fits: bool = True
    problem: str = NOTHING  # why the text cannot be set, or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsForm:
    """A text that is to stand under the melody; an empty one removes the words."""

    text: str = ""
    language: str = DEFAULT_LANGUAGE

    @classmethod
    def of(cls, piece: Chorale, language: str) -> WordsForm:
        """Return the words of ``piece`` as a text."""
        return cls(text=setting.text_under(piece), language=language)

    def fit(self, piece: Chorale) -> Fit:
        return fit_under(piece, self._verses(piece))

    def edit(self, piece: Chorale) -> Edit:
        """Replace the words of the melody, and of other voices where they have the same.

        A text that was not changed changes nothing; without a text all words of all voices go.
        """
        if self == WordsForm.of(piece, self.language):
            return Edit(piece=piece)
        words = setting.set_under(piece, self._verses(piece)).lyrics
        others = _followed(piece, words) if words else ()
        return Edit(piece=replace(piece, lyrics=(*words, *others)))

    def _verses(self, piece: Chorale) -> tuple[Verse, ...]:
        return syllables.verses(self.text, self.language, setting.known_under(piece))


def fit_under(piece: Chorale, text: Sequence[Verse]) -> Fit:
    """Return how a text fits under the melody of a piece."""
    if not text:
        return Fit()
    if problem := too_many(text):
        return Fit(problem=problem)
    found = setting.set_under(piece, text)
    lines = [line for verse in text for line in verse]
    return Fit(
        lines=[_fitted(*pair) for pair in zip(found.lines, lines, strict=True)],
        metre=_metre(text),
        summary=_summary(found),
        fits=not found.misfits,
        problem="",
    )


def too_many(text: Sequence[Verse]) -> str:
    """Return that a text has too many verses, or ""."""
    most = bounds.BOUNDS["verse"].high
    if len(text) <= most:
        return ""
    return tr("The text has {verses} verses: expected at most {most}", verses=len(text), most=most)


def _followed(piece: Chorale, words: Iterable[Lyric]) -> Iterator[Lyric]:
    """Yield the words of the lower voices; those of the melody follow its new ones."""
    new = {(word.verse, word.step): word for word in words}
    old = {(w.verse, w.step): w.text for w in piece.lyrics if w.voice == Voice.SOPRANO}
    for word in (word for word in piece.lyrics if word.voice != Voice.SOPRANO):
        place = word.verse, word.step
        if old.get(place) != word.text:
            yield word
        elif place in new:
            yield replace(word, text=new[place].text, hyphen=new[place].hyphen)


def _fitted(found: SetLine, line: Line) -> FittedLine:
    words = "".join(f"{one.text}{'-' if one.hyphen else ' '}" for one in line).strip()
    number, tip = str(found.syllables), words
    if not found.fits:
        number = _MISFIT.format(syllables=number, notes=count(found.notes, "note"))
        over, under = found.syllables - found.notes, found.needed - found.syllables
        tip = _TOO_MANY.format(over=over) if over > 0 else _TOO_FEW.format(under=under)
    if not found.notes:
        tip = _NO_NOTES
    return FittedLine(f"{found.verse}.{found.line}", words, number, tip, found.fits)


def _summary(found: Setting) -> str:
    misfits = len(found.misfits)
    if not misfits:
        return _FITS
    lines, out = count(len(found.lines), "line"), sum(not line.notes for line in found.lines)
    text = _NOT_ALL[misfits > 1].format(misfits=misfits, lines=lines) + _EXTRA
    return text + _LEFT_OUT[out > 1].format(lines=count(out, "line")) if out else text


def _metre(text: Sequence[Verse]) -> str:
    """Name the metre of the first verse, and those of others that differ."""
    first, *others = (Metre.of(verse) for verse in text)
    different = [
        _OTHERS.format(verse=number, metre=metre)
        for number, metre in enumerate(others, start=2)
        if metre != first
    ]
    more = len(different) - _MAX_OTHERS
    rest = tr("; {verses} differ", verses=count(more, "more verse")) if more > 0 else ""
    name = f" ({first.name})" if first.name else ""
    return f"{first}{name}{''.join(different[:_MAX_OTHERS])}{rest}"
