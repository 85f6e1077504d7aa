"""Assignment of the lines of a source to voices.

Four monophonic lines are the four voices, whatever they are called: those named after different
voices become these, the others follow by their order. Of more lines, those named after voices are
chosen. One, two or three monophonic lines stay whole, too.

Names of voices in choral scores, in the languages of their publishers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, pairwise, permutations
from statistics import fmean
from typing import Final, NamedTuple

from musicrel.chorale import RANGES, REST, Voice
from musicrel.score.importing.quantisation import chord_share
from musicrel.score.importing.source import Line, Source

_SCALE: Final = 10  # units of a height from one voice to the next
# Height, from 0 (soprano) to 30 (bass) -> names; two of them lie between two voices.
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
_NUMBERS: Final[Mapping[str, int]] = {
    "i": 1, "ii": 2, "iii": 3, "iv": 4, "first": 1, "second": 2, "third": 3, "primo": 1,
    "secondo": 2, "terzo": 3, "st": 0, "nd": 0, "rd": 0, "th": 0,
}  # fmt: skip
# Words that may stand beside the name of a voice.
_EXTRAS: Final = frozenset({
    "voice", "voices", "vocal", "vocals", "voz", "voce", "voix", "stimme", "stem", "solo", "tutti",
    "choir", "chor", "chorus", "choeur", "chœur", "coro", "kor", "koor", "part", "staff",
})  # fmt: skip
# Beginnings of names of what accompanies a choir.
_ACCOMPANIMENT: Final = (
    "piano", "pno", "fortepiano", "keyb", "klavi", "clavi", "clavec", "cembal", "harps", "org",
    "varhany", "harmonium", "guit", "gitar", "chitarr", "continuo", "accomp", "acomp", "begleit",
    "drum", "string", "орган", "фортепиано",
)  # fmt: skip


class VoiceName(NamedTuple):
    """The voice that a part or track is named after; sorted from the highest to the lowest."""

    height: int  # ten times the voice; that of a mezzo-soprano or baritone lies between two voices
    solo: bool
    numbers: tuple[int, ...]  # the numbers in the name, as in Tenor 2 or Choir I, Alto
    letter: str  # the name if it is a single letter, else ""

    @property
    def voice(self) -> Voice:
        return Voice((self.height + _SCALE // 2 - 1) // _SCALE)

    def preference(self, *, lowest: bool) -> tuple[bool, bool, list[int]]:
        """Return a sort key for parts of a voice: exact names, the choir and low numbers first."""
        sign = -1 if lowest and self.voice == Voice.BASS else 1
        return (self.height % _SCALE > 0, self.solo, [sign * number for number in self.numbers])

    def distance(self, voice: Voice) -> int:
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
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(one for one in parts if not unicodedata.combining(one))


_HEIGHTS: Final = {
    word: height for height, words in _WORDS.items() for word in _plain(words).split()
}


# Largest share of overlapping notes in a line that counts as one voice.
MAX_CHORD_SHARE: Final = 0.1
# The same for a voice that divides, where names or the number of staves show that it is one.
_MAX_DIVISI: Final = 1 / 3
# Lines named after voices that decide beside others, since instruments share these names.
_MIN_NAMED: Final = 3
_MIN_STAVES: Final = 3  # staves of a score in which the lines of one staff may be one voice
_MAX_SPARE: Final = 8  # further lines that are tried for the missing voices

# The lines of each voice, to be merged; a voice without lines rests.
Voices = Mapping[Voice, tuple[Line, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Lines of one voice: merged, their mean pitch, share of chords, and name as a voice."""

    lines: tuple[Line, ...]
    whole: Line
    pitch: float
    chords: float
    name: VoiceName | None

    @property
    def staff(self) -> int:
        return self.whole.staff

    @property
    def sounds(self) -> bool:
        return bool(self.whole.notes)

    @property
    def accompanies(self) -> bool:
        return is_accompaniment(self.whole.name)

    @property
    def is_monophonic(self) -> bool:
        return self.chords <= MAX_CHORD_SHARE


def match_voices(source: Source) -> Voices:
    """Assign lines to voices by name and by order; empty if the lines are not voices."""
    if source.exact and source.in_score_order and len(source.lines) == len(Voice):
        return {voice: (line,) for voice, line in zip(Voice, source.lines, strict=True)}
    parts = _ordered(_parts(source.lines), is_score_order=source.in_score_order)
    sounding = [part for part in parts if part.sounds]
    by_name = _by_name(parts)
    used = [line for lines in by_name.values() for line in lines]
    unused = [part for part in sounding if part.lines[0] not in used]
    complete = len(by_name) == len(Voice) and not any(part.name for part in unused)
    are_four = len(sounding) == len(Voice) and _are_voices(sounding)
    if are_four and not complete and (_fit(sounding) or not by_name):
        return _assigned(sounding)
    return by_name or _by_order(parts, is_score_order=source.in_score_order)


def _by_order(parts: Sequence[_Part], *, is_score_order: bool) -> Voices:
    """Assign ordered parts that are not chosen by name; empty if they are not voices."""
    sounding = [part for part in parts if part.sounds]
    choir = [part for part in sounding if part.is_monophonic and not part.accompanies]
    if len(choir) == len(Voice) == len({part.staff for part in choir}):
        return _assigned(choir)
    if not all(part.is_monophonic for part in sounding):
        return {}
    if is_score_order and len(parts) == len(Voice):
        return _assigned(parts)  # silent staves, too
    return _assigned(sounding) if 0 < len(sounding) < len(Voice) else {}


def _are_voices(parts: Sequence[_Part]) -> bool:
    """Return whether ``parts`` are monophonic, or divide now and then on staves of their own."""
    alone = len({part.staff for part in parts}) == len(parts)
    return max(part.chords for part in parts) <= (_MAX_DIVISI if alone else MAX_CHORD_SHARE)


def _fit(parts: Sequence[_Part]) -> bool:
    """Return whether an instrument among four parts, if any, is a voice by its order or pitch."""
    by_pitch = sorted(parts, key=lambda part: part.pitch, reverse=True)
    ordered = (tuple(_best(parts)), tuple(_best(by_pitch)))
    return tuple(Voice) in ordered or not any(part.accompanies for part in parts)


def mean_pitch(line: Line) -> float:
    """Return the mean pitch of a line, below every MIDI pitch if it is empty."""
    return fmean(sound.pitch for sound in line.notes) if line.notes else float(REST)


def merge_lines(lines: Sequence[Line]) -> Line:
    """Merge lines (at least one) into one with the names of all."""
    if len(lines) == 1:
        return lines[0]
    return replace(
        lines[0],
        name=" and ".join(filter(None, dict.fromkeys(line.name for line in lines))),
        notes=tuple(sorted(chain.from_iterable(line.notes for line in lines))),
        end=max(line.end for line in lines),
        lyrics=tuple(sorted(chain.from_iterable(line.lyrics for line in lines))),
        slurs=tuple(sorted(chain.from_iterable(line.slurs for line in lines))),
    )


def _part(lines: Sequence[Line], name: VoiceName | None) -> _Part:
    whole = merge_lines(lines)
    return _Part(tuple(lines), whole, mean_pitch(whole), chord_share(whole.notes), name)


def _parts(lines: Iterable[Line]) -> list[_Part]:
    """List the parts; the lines of a staff are one if they alternate.

    On one or two staves, as of a hymn, a line of few notes is a voice: none of them may overlap.
    """
    staves: dict[int, list[Line]] = {}
    for line in lines:
        staves.setdefault(line.staff, []).append(line)
    groups: list[list[Line]] = []
    for on_staff in staves.values():
        limit = MAX_CHORD_SHARE if len(staves) >= _MIN_STAVES else 0
        together = chord_share(merge_lines(on_staff).notes) <= limit
        groups += [on_staff] if together else [[line] for line in on_staff]
    names = parse_all([group[0].name for group in groups])
    return [_part(group, name) for group, name in zip(groups, names, strict=True)]


def _ordered(parts: Sequence[_Part], *, is_score_order: bool) -> list[_Part]:
    """Sort from the highest voice down, by order or pitch, and those with names by these."""
    found = list(parts)
    sounding = Counter(part.staff for part in parts if part.sounds)
    is_hymn = [*sounding.values()] == [2, 2]  # staves have one name for two voices
    if not is_score_order:
        staves = {staff: [p.pitch for p in parts if p.staff == staff] for staff in sounding}
        heights = {staff: fmean(pitches) if is_hymn else 0 for staff, pitches in staves.items()}
        found.sort(key=lambda part: (heights.get(part.staff, 0), part.pitch), reverse=True)
    if is_hymn:
        return [replace(part, name=None) for part in found]
    names = iter(sorted((part for part in found if part.name), key=lambda part: part.name or ()))
    return [next(names) if part.name else part for part in found]


def _assigned(parts: Sequence[_Part]) -> Voices:
    """Assign at most four ordered parts to the voices that fit best."""
    if len(parts) == 1 and parts[0].name is None:
        return {Voice.SOPRANO: parts[0].lines}
    pairs = zip(_best(parts), parts, strict=True)
    return {voice: part.lines for voice, part in sorted(pairs, key=lambda pair: pair[0])}


def _best(parts: Sequence[_Part]) -> Sequence[Voice]:
    """Return the voices of ordered parts; order and pitch decide where names of voices do not."""
    names = [part.name for part in parts if part.name]
    are_distinct = {name.height for name in names} <= {10 * voice for voice in Voice}
    are_distinct &= len({name.voice for name in names}) == len(names)
    falls = all(upper.pitch > lower.pitch for upper, lower in pairwise(parts))
    if len(parts) == len(Voice) and falls and not are_distinct:
        return tuple(Voice)
    return min(permutations(Voice, len(parts)), key=lambda voices: _misfit(parts, voices))


def _misfit(parts: Sequence[_Part], voices: Sequence[Voice]) -> tuple[int, int, float]:
    """Return how far ``voices`` are from the names of ``parts``, their order and their pitches."""
    pairs = list(zip(parts, voices, strict=True))
    return (
        sum(part.name.distance(voice) ** 2 for part, voice in pairs if part.name),
        sum(upper > lower for upper, lower in combinations(voices, 2)),
        sum(abs(part.pitch - fmean(RANGES[voice])) for part, voice in pairs if part.sounds),
    )


def _by_name(parts: Sequence[_Part]) -> Voices:
    """Choose a part for each voice among those with its name; empty if these are too few."""
    of_voice: dict[Voice, list[_Part]] = {}
    for part in parts:
        if part.name:
            of_voice.setdefault(part.name.voice, []).append(part)
    others = [part for part in parts if part.sounds and part.name is None]
    named = [part for same in of_voice.values() for part in same if part.sounds]
    if len(named) < _MIN_NAMED and len(of_voice) < _MIN_NAMED - (not others):
        return {}
    choirs = len(of_voice) == len(Voice) and len({*map(len, of_voice.values())}) == 1
    join = len(named) > len(Voice)
    heads = [_head(same, lowest=not choirs, join=join) for same in of_voice.values()]
    free = set(Voice) - {*of_voice}
    if free and not others and max(head.chords for head in heads) > _MAX_DIVISI:
        return {}
    spare = _strangers(others, free, heads)
    if len(spare) != len(free):
        used = {id(line) for head in heads for line in head.lines}
        spare = [part for part in named if part.is_monophonic and id(part.lines[0]) not in used]
    place = {id(part.lines[0]): index for index, part in enumerate(parts)}
    choices = [
        sorted([*heads, *more], key=lambda part: place[id(part.lines[0])])
        for more in combinations(spare[:_MAX_SPARE], min(len(spare[:_MAX_SPARE]), len(free)))
    ]
    return _assigned(min(choices, key=lambda chosen: _misfit(chosen, _best(chosen))))


def _head(same: Sequence[_Part], *, lowest: bool, join: bool) -> _Part:
    """Return the first part of a voice, or the lowest bass; ``join`` those that alternate."""
    head, *others = sorted(
        same,
        key=lambda part: (not part.sounds, part.name and part.name.preference(lowest=lowest)),
    )
    for part in others:
        both = _part([*head.lines, *part.lines], head.name)
        is_divisi = (part.staff, part.whole.name) == (head.staff, head.lines[0].name)
        if part.sounds and (is_divisi or (join and both.is_monophonic)):
            head = both
    return head


def _strangers(
    others: Sequence[_Part], free: Iterable[Voice], heads: Sequence[_Part]
) -> list[_Part]:
    """List the parts with other names that may be one of the ``free`` voices.

    An instrument is the only one that is missing, if it lies between its neighbours.
    """
    names = Counter(part.whole.name for part in others)
    voices = [*free]
    single = [part for part in others if part.is_monophonic]
    return [
        part
        for part in others
        if part.chords <= _MAX_DIVISI and names[part.whole.name] == 1
        and any(RANGES[voice][0] <= part.pitch <= RANGES[voice][1] for voice in voices)
        and (not part.accompanies or (len(voices) == 1 and single == [part] and all(
            (part.pitch < head.pitch) == (voices[0] > head.name.voice)
            for head in heads if head.name and head.sounds
        )))
    ]  # fmt: skip
