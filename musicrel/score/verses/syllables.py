"""Verses, lines and syllables of a text.

Blank lines divide verses, line ends lines, spaces words. A hyphen within a word divides its
syllables as given ("glo-ry"), and ``~`` or U+203F joins two words on one note. All other words are
divided by rule: a syllable has one vowel or diphthong of its language, and begins where the
hyphenation dictionary divides the word, else before the last consonant.

The dictionaries are those of Pyphen (from Hunspell). They are made for print and leave out
divisions, so they never decide the number of syllables alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

from musicrel.chorale import ELISION
from musicrel.errors import UsageError

_JOINS: Final = re.compile(f"[~{ELISION}]")
# Beside a no-break space they are signs.
_HYPHENS: Final = re.compile(r"(?<![\s\-\u00ad\u2010\u2011])[-\u00ad\u2010\u2011]++(?!\s)")
# Signs between spaces stay with the word before, at the start with the one after.
_SIGNS: Final = re.compile(r"(?<=\S) (?=[^\w\s]+(?: |$))|(?<=^[^\w\s]) ")
_VERSE_NUMBER: Final = re.compile(r"^\s*\d{1,2}(?:[.):]\s*|\s+)(?=\D)")
_LETTERS: Final = re.compile(r"[^\W\d_](?:.*[^\W\d_])?", re.DOTALL)
_HIDDEN: Final = "·"  # takes the place of a letter that is silent
# Consonants that begin a syllable together.
_CLUSTER: Final = re.compile(r"sch|[cgprst]h|qu|gn|[bcdfgkptv][lr]|[^\W\d_]")
_KEPT: Final = frozenset("äëïöüÿíìúùè")  # letters whose accent makes another vowel


class Syllable(NamedTuple):
    """A syllable with the punctuation around it."""

    text: str
    hyphen: bool = False  # whether the next one belongs to the word


Line = tuple[Syllable, ...]
Verse = tuple[Line, ...]


class _Language(NamedTuple):
    """The rules by which the words of a language are divided.

    The patterns see lower-case letters, without the accents that make no other vowel.
    """

    dictionary: str  # of Pyphen, "" if there is none
    nucleus: str  # one match for each syllable; where the dictionary divides a match there are two
    silent: str = "(?<=q)u"  # vowels that are written but are no syllable of their own
    joins: bool = False  # whether a vowel that ends a word is one syllable with the next


_ANY: Final = "aeiouyäëïöüÿíìúùèæœø"  # all vowels
_MEETING_VOWELS: Final = re.compile(f"(?i)(?<=[{_ANY}áéóàòâêôãõ]) (?=h?[{_ANY}áéóàòâêôãõ])")
# y is a consonant at the beginning and after vowels. The rest: Zi-on, al-le-lu-ia, Is-ra-el,
# Em-man-u-el, Ga-bri-el, Ju-de-a.
_ENGLISH: Final = (
    r"(?<=[^aeiou])y(?=[aeiou])|(?:(?<=^[^aeiou])|(?<=^[^aeiou]{2}))i(?=[aou])|u(?=ia)|[aou](?=el$)"
    r"|(?<=[^aeiou]{2})i(?=el$)|(?<=[aeiou][^aeiou])e(?=a$)"
    r"|[aeiouèë]+(?:['’][aeiou]+)?(?:y(?![aeiou]))?|(?<=[^aeiou])y"
)
_SILENT_IN_ENGLISH: Final = (
    r"(?<=q)u|(?<=[^aeiou])(?<![^aeiou]l)e$|(?<=[^aeiousxzcg])(?<![cs]h)(?<![^aeiou]l)e(?=s$)"
    r"|(?<=[^aeioudt])(?<![^aeiou]l)e(?=d$)|(?<=^ev)e(?=ry|ning)"
    r"|(?<=[aeiouy][^aeiouy])e(?=(?:ly|ful|less|ness|fore|thing|times|some|where)(?:ly)?$)"
)
_SILENT_IN_LATIN: Final = r"(?<=q)u|(?<=ng)u(?=[aeio])|(?:^|(?<=[aeo])|(?<=[^qg]u))i(?=[aeou])"
_LANGUAGES: Final[Mapping[str, _Language]] = {
    "Czech": _Language("cs", "[aeo]u|[aeiouyíúè]|(?<=[^aeiouyíú])[rl](?![aeiouyíú])"),
    "Danish": _Language("da", "ei|øj|[aeiouyæøäö]"),
    "Dutch": _Language(
        "nl", "aai|ooi|oei|eeu|ieu|aa|ee|oo|uu|[io]e|eu|[eu]i|ij|[ao]u|[aeiouyëïöü]"
    ),
    "English": _Language("en_US", _ENGLISH, _SILENT_IN_ENGLISH),
    "Finnish": _Language("", r"([aeiouyäö])\1|[aeouyäö]i|[aeoi]u|[äöei]y|ie|uo|yö|[aeiouyäö]"),
    "French": _Language(
        "fr",
        "(?:i(?=[aeoè]))?(?:eau|[aeoœ]u|où|[aeou]i|[aeouyœæèëïüù])|[iíìúù]",
        "(?<=q)u|(?<=g)u(?=[eiy])|(?<=[aiou])e(?=s?$)",
    ),
    "German": _Language("de_DE", "aa|ee|oo|[ae][iy]|[aeä]u|ie|[aeiouyäöü]"),
    "Hungarian": _Language("hu", "[aeiouyöüíú]"),
    "Italian": _Language("it", "[iu]?[aeoè][iu]?|[iuíìúù]", joins=True),
    "Latin": _Language("", "ae(?!l$)|oe|au|(?<=^[ch])ui|[aeiouyæœëïíú]", _SILENT_IN_LATIN),
    "Norwegian": _Language("nb", "ei|øy|au|[aeiouyæøäö]"),
    "Polish": _Language("pl", "i(?![aeouy])|[aeouy]"),
    "Portuguese": _Language("pt", "[iu]?[aeoè][iu]?|[iuíìúù]", "(?<=[gq])u(?=[ei])", joins=True),
    "Spanish": _Language("es", "[iu]?[aeo][iuy]?|[iuyíú]", "(?<=[gq])u(?=[ei])", joins=True),
    "Swedish": _Language("sv", "[aeiouyäö]"),
}
LANGUAGES: Final = tuple(_LANGUAGES)
"""Names of the languages that can be divided, in English."""


def verses(
    text: str, language: str, known: Mapping[str, Line] = MappingProxyType({})
) -> tuple[Verse, ...]:
    """Divide ``text`` into verses, lines and syllables; a number before a verse is left out.

    Args:
        known: lines and words that are divided already, by their text.

    Raises:
        UsageError: ``language`` is not one of ``LANGUAGES``.
    """
    if language not in _LANGUAGES:
        raise UsageError(f"unknown language {language!r}: expected one of {', '.join(LANGUAGES)}")
    blocks = re.split(r"\n\s*\n", "\n".join(text.splitlines()))
    found = (
        tuple(filter(None, (_line(line, language, known) for line in block.splitlines())))
        for block in (_VERSE_NUMBER.sub("", block) for block in blocks)
    )
    return tuple(filter(None, found))


def _line(text: str, language: str, known: Mapping[str, Line]) -> Line:
    plain = " ".join(text.split())
    if plain in known:
        return known[plain]
    plain = _MEETING_VOWELS.sub("~", plain) if _LANGUAGES[language].joins else plain
    words = _SIGNS.sub("\u00a0", plain).split(" ")
    return tuple(part for word in words for part in known.get(word) or _syllables(word, language))


def _syllables(word: str, language: str) -> Iterator[Syllable]:
    """Yield the syllables of a word, or of several that are joined."""
    joined: list[Syllable] = []
    for one in filter(None, (part.strip() for part in _JOINS.split(word))):
        parts = [part for part in _HYPHENS.split(one) if part]
        if len(parts) < 2:  # noqa: PLR2004
            parts = [*_divided(one, language)] if parts else [one]
        if joined:
            parts[0] = f"{joined.pop().text}{ELISION}{parts[0]}"
        joined += [Syllable(part, hyphen=True) for part in parts[:-1]] + [Syllable(parts[-1])]
    yield from joined


@lru_cache(maxsize=4096)
def _divided(word: str, language: str) -> tuple[str, ...]:
    """Divide a word; its punctuation stays with the first and the last syllable."""
    core = _LETTERS.search(word)
    if core is None:
        return (word,)
    ends = [core.start() + end for end in _divisions(_plain(core[0]), _LANGUAGES[language])]
    return tuple(word[start:stop] for start, stop in pairwise([0, *ends, len(word)]))


def _divisions(word: str, language: _Language) -> Iterator[int]:
    """Yield the places in ``word`` at which syllables begin, but for the first."""
    marks = _dictionary(language.dictionary)(word)
    hidden = re.sub(language.silent, _HIDDEN, word)
    vowels = [match.span() for match in re.finditer(language.nucleus, hidden)]
    if not vowels:  # the, me
        vowels = [match.span() for match in re.finditer(f"[{_ANY}]+", word)]
    for (_, stop), (start, _) in pairwise(_cut(vowels, marks, word)):
        gap = [mark for mark in marks if stop <= mark <= start]
        clusters = [stop + match.start() for match in _CLUSTER.finditer(hidden[stop:start])]
        yield gap[0] if gap else (clusters or [stop])[-1]


def _cut(
    vowels: list[tuple[int, int]], marks: tuple[int, ...], word: str
) -> Iterator[tuple[int, int]]:
    """Yield ``vowels`` in two where the dictionary divides them: cre-a-tion."""
    for start, stop in vowels:
        inside = [
            mark
            for mark in marks
            if start < mark < stop and word[mark - 1] in _ANY and word[mark] in _ANY
        ]
        yield from pairwise([start, *inside, stop])


@lru_cache(maxsize=8)
def _dictionary(name: str) -> Callable[[str], tuple[int, ...]]:
    """Return the places at which a dictionary divides a word; none without a dictionary."""
    if not name:
        return lambda _word: ()
    import pyphen  # noqa: PLC0415 (it looks through its dictionaries)

    pattern = pyphen.Pyphen(lang=name)
    return lambda word: tuple(int(place) for place in pattern.positions(word))


def _plain(word: str) -> str:
    """Return ``word`` in lower case without accents, with as many letters."""
    return "".join(
        one if one in _KEPT else unicodedata.normalize("NFD", one)[0]
        for one in (letter.lower()[:1] for letter in word)
    )
