"""Names of voices in choral scores, in the languages of their publishers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from musicrel.chorale import Voice

_SCALE: Final = 10
"""Units of a height from one voice to the next."""
_WORDS: Final[Mapping[int, str]] = {
    0: """s so sp sop sopr soprano sopranos soprani soprane sopran sopranen sopraan sopraani
        sopraano szoprán treble trebles tiple tiples canto cantus discant discanto discantus diskant
        superius dessus сопрано дискант σοπράνο υψίφωνος 女高音 ソプラノ 소프라노""",
    6: "m mez mezz mezzo mezzi mezzosoprano mezzosopran mezzosopraan меццосопрано 女中音",
    10: """a al alt alto altos alti alte alter altus altti altto contralto contraltos contralti
        kontraalt ct contratenor countertenor contratenore kontratenor hautecontre medius mean
        альт контральто άλτο κοντράλτο 女低音 アルト 알토""",
    20: """t te ten tenor tenors tenore tenores tenori tenoren tenoor tenoori tenorit teneur taille
        тенор τενόρος τενόρο 男高音 テノール テナー 테너""",
    26: """bar bari barit baritone baritones baritono baritoni bariton baritons baritonen baryton
        barytone barytoni bassbaritone bassbariton bassetaille баритон βαρύτονος 男中音 バリトン""",
    30: """b ba bs bas bass basses basse basso bassos bassi bassus basszus bajo bajos baix baixo
        baixos basy bassecontre бас басы μπάσος μπάσο 男低音 バス ベース 베이스""",
}  # fmt: skip
"""Height, from 0 (soprano) to 30 (bass) -> names; two of them lie between two voices."""
_NUMBERS: Final[Mapping[str, int]] = {
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "first": 1, "second": 2, "third": 3, "primo": 1,
    "secondo": 2, "terzo": 3, "st": 0, "nd": 0, "rd": 0, "th": 0,
}  # fmt: skip
_EXTRAS: Final = frozenset({
    "voice", "voices", "vocal", "vocals", "voz", "voce", "voix", "stimme", "stem", "solo", "tutti",
    "choir", "chor", "chorus", "choeur", "chœur", "coro", "kor", "koor", "part", "staff",
})  # fmt: skip
"""Words that may stand beside the name of a voice."""
_ACCOMPANIMENT: Final = (
    "piano", "pno", "fortepiano", "keyb", "klavi", "clavi", "clavec", "cembal", "harps", "org",
    "varhany", "harmonium", "guit", "gitar", "chitarr", "continuo", "accomp", "acomp", "begleit",
    "drum", "string", "орган", "фортепиано",
)  # fmt: skip
"""Beginnings of names of what accompanies a choir."""


class VoiceName(NamedTuple):
    """The voice that a part or track is named after; sorted from the highest to the lowest.

    Attributes:
        height: ten times the voice; that of a mezzo-soprano or baritone lies between two voices.
        solo: whether it is marked as a solo.
        numbers: the numbers in the name, as in Tenor 2 or Choir I, Alto.
        letter: the name if it is a single letter, else "".
    """

    height: int
    solo: bool
    numbers: tuple[int, ...]
    letter: str

    @property
    def voice(self) -> Voice:
        return Voice((self.height + _SCALE // 2 - 1) // _SCALE)

    def preference(self, *, lowest: bool) -> tuple[bool, bool, list[int]]:
        """Return a sort key for parts of one voice: exact names, the choir and low numbers first.

        Args:
            lowest: prefer high numbers of a bass.
        """
        sign = -1 if lowest and self.voice == Voice.BASS else 1
        return (self.height % _SCALE > 0, self.solo, [sign * number for number in self.numbers])

    def distance(self, voice: Voice) -> int:
        """Return how far ``voice`` is from the named one."""
        return abs(self.height - _SCALE * voice)


def parse(name: str) -> VoiceName | None:
    """Return the voice that a part or track is named after; None for no voice or several."""
    found = re.findall(r"\d+|[^\W\d_]+", _plain(name))
    words = [word for word in found if not (word.isdecimal() or word in _EXTRAS | {*_NUMBERS})]
    heights = {_HEIGHTS.get(word) for word in words}
    if len(words) > 1 and len(min(words, key=len)) > 1:  # as in Mezzo-Soprano, Haute-contre
        heights = {_HEIGHTS.get("".join(words))} - {None} or heights
    height = heights.pop() if len(heights) == 1 else None
    if height is None:
        return None
    numbers = (int(word[:9]) if word.isdecimal() else _NUMBERS.get(word, 0) for word in found)
    letter = words[0] if len(words[0]) == 1 and words[0].isascii() else ""
    return VoiceName(height, "solo" in found, tuple(filter(None, numbers)), letter)


def parse_all(names: Sequence[str]) -> list[VoiceName | None]:
    """Return the voice of each name; A and B are none without S or T, as in Part A, B and C.

    In a barbershop quartet Lead is the second tenor.
    """
    found = [parse(name) for name in names]
    if {name.height for name in found if name} == {20, 26, 30}:
        second = VoiceName(20, False, (2,), "")
        plain = [_plain(name).strip() for name in names]
        found = [second if n == "lead" else one for n, one in zip(plain, found, strict=True)]
    if {name.letter for name in found if name} <= {"a", "b"}:
        return [None] * len(found)
    return found


def is_accompaniment(name: str) -> bool:
    """Return whether a part or track has the name of an instrument that accompanies a choir."""
    return any(word.startswith(_ACCOMPANIMENT) for word in _plain(name).split())


def _plain(name: str) -> str:
    """Return ``name`` in lower case, without accents."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one))


_HEIGHTS: Final = {
    word: height for height, words in _WORDS.items() for word in _plain(words).split()
}
