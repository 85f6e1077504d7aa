"""The features of the discriminator: what a beat counts towards.

They follow set G of ``training.examination.features``, which guides decisions. Its other set, R,
shares none of them, so that its figures stay those of a judge who had no part in the writing.

Pitches are lists of Python numbers: the features read single cells, for which arrays are slow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from musicrel.analysis.numeral import CHORDS
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Mode, Voice

CONTEXT_STEPS: Final = 10 * STEPS_PER_QUARTER  # the beat and what is known before it, in steps


class Note(NamedTuple):
    """A note: its first step, its length in steps, and its MIDI number."""

    start: int
    length: int
    pitch: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Beat:
    """A quarter, the last four steps, and the music before it."""

    pitches: Sequence[Sequence[int]]  # of the four voices, for each step
    onsets: Sequence[Sequence[bool]]
    position: int  # sixteenths since the last bar line
    has_fermata: bool
    key: Key | None  # of the piece

    @cached_property
    def first(self) -> int:
        return len(self.pitches) - STEPS_PER_QUARTER

    @property
    def number(self) -> int:
        return self.position // STEPS_PER_QUARTER + 1

    @cached_property
    def chord(self) -> Sequence[int]:
        return self.pitches[self.first]

    @cached_property
    def chord_before(self) -> Sequence[int] | None:
        return self.pitches[self.first - STEPS_PER_QUARTER] if self.first else None


def _notes(pitches: Sequence[int], onsets: Sequence[bool], first: int, before: int) -> list[Note]:
    """Return the notes of a voice that begin at ``first`` or later, and some that precede them."""
    found: list[Note] = []
    stop, missing = len(pitches), before
    for step in range(stop - 1, -1, -1):
        pitch = pitches[step]
        if pitch == REST:
            stop = step
        elif onsets[step]:
            found.append(Note(step, stop - step, pitch))
            stop = step
            missing -= step < first
            if not missing:
                break
    return found[::-1]


def beats(piece: Chorale) -> Iterator[Beat]:
    """Yield the whole beats of a piece, each with what precedes it."""
    pitches, onsets = piece.pitches.tolist(), piece.onsets.tolist()
    positions = piece.bar_positions().tolist()
    for step in range(piece.steps - STEPS_PER_QUARTER + 1):
        if positions[step] % STEPS_PER_QUARTER == 0:
            stop = step + STEPS_PER_QUARTER
            known = slice(max(stop - CONTEXT_STEPS, 0), stop)
            yield Beat(
                pitches=pitches[known],
                onsets=onsets[known],
                position=positions[step],
                has_fermata=bool(piece.fermatas[step]),
                key=piece.key,
            )


def features(beat: Beat) -> Iterator[str]:
    """Yield the features of a beat, some of them more than once."""
    yield from rhythm_features(beat)
    yield from chord_features(beat)
    yield from counterpoint_features(beat)
    yield from words(beat)


def counts(piece: Chorale) -> Counter[str]:
    """Return how often each feature occurs in a piece."""
    return Counter(feature for beat in beats(piece) for feature in features(beat))


_KEPT: Final = 4096  # what particles of a search have in common is looked up
_LETTERS: Final = tuple(voice.letter for voice in Voice)
_LARGEST: Final = 7  # largest interval in semitones; a larger one counts as this
_LONGEST: Final = 12  # greatest length in steps; a longer note counts as this


def words(beat: Beat) -> Iterator[str]:
    """Yield the words that a beat completes, as in "S+2/4@0" and "B-5/2@2 B+2/4@0".

    A word is the interval to the next note, the length, and the place in the beat. It is counted
    in the beat in which the next note begins, alone and with the word before it.
    """
    lines, onsets = zip(*beat.pitches, strict=True), zip(*beat.onsets, strict=True)
    for voice, line, struck in zip(_LETTERS, lines, onsets, strict=True):
        yield from _words_of_voice(voice, line, struck, beat.position)


@lru_cache(maxsize=_KEPT)
def _words_of_voice(
    letter: str, pitches: Sequence[int], onsets: Sequence[bool], position: int
) -> tuple[str, ...]:
    """Return the words of a voice."""
    first = len(pitches) - STEPS_PER_QUARTER
    if not any(onsets[first:]):
        return ()
    notes = _notes(pitches, onsets, first, before=2)
    known = _of_notes(notes, letter, position - first)
    new = sum(note.start >= first for note in notes)
    pairs = pairwise(["", *known][-new - 1 :])
    return tuple(
        each for before, word in pairs for each in (word, f"{before} {word}" if before else "")
        if each
    )  # fmt: skip


def _of_notes(notes: Sequence[Note], letter: str, offset: int) -> list[str]:
    return [
        f"{letter}{_clipped(after.pitch - note.pitch):+d}/{min(note.length, _LONGEST)}"
        f"@{(note.start + offset) % STEPS_PER_QUARTER}"
        for note, after in pairwise(notes)
    ]


def _clipped(interval: int) -> int:
    return max(-_LARGEST, min(_LARGEST, interval))


_TOGETHER: Final = 2  # number of voices off the beat with a feature of its own
_UPPER: Final = 3  # soprano, alto and tenor


def rhythm_features(beat: Beat) -> Iterator[str]:
    """Yield what begins on and inside a beat, and the upper voices that rest."""
    fermata = ", fermata" if beat.has_fermata else ""
    on_beat, *inside = (sum(step) for step in beat.onsets[beat.first :])
    if beat.number % 2:
        yield f"moves inside beat {beat.number}{fermata}: {any(inside)}"
    else:
        yield f"voices struck on beat {beat.number}{fermata}: {on_beat}"
    before = beat.onsets[max(beat.first - STEPS_PER_QUARTER + 1, 0) : beat.first]
    if any(inside) and any(map(any, before)):
        yield "two beats move"
    for struck in filter(None, inside):
        yield f"voices together off the beat: {struck if struck == _TOGETHER else 'other'}"
    resting = sum(pitch == REST for pitch in beat.chord[:_UPPER])
    if resting:
        yield f"rests{fermata}: {resting}"


# Kinds of chords with features of their own; the rest counts as one.
_KINDS: Final = ("major", "diminished", "dominant", "other")
_THIRDS: Final = (3, 4)
_FIFTHS: Final = (6, 7, 8)
# Degrees of the bass with features of their own, in semitones above the tonic.
_DEGREES: Final = (0, 5)
_DISSONANT: Final = (1, 2, 6, 10, 11)
_STEPS_DOWN: Final = (1, 2)
_SCALES: Final[Mapping[Mode, frozenset[int]]] = {
    "major": frozenset((0, 2, 4, 5, 7, 9, 11)),
    "minor": frozenset((0, 2, 3, 5, 7, 8, 10, 11)),
}
# Voices whose chromatic tones and suspensions are features.
_CHECKED: Final = (Voice.SOPRANO, Voice.TENOR)


def chord_features(beat: Beat) -> Iterator[str]:
    """Yield the chord on a beat, the tones outside the key, and suspensions."""
    yield from _of_chord(tuple(beat.chord), beat.key, has_fermata=beat.has_fermata)
    if beat.key is not None:
        yield from _outside(beat, beat.key)
    for voice in _CHECKED:
        if _is_suspension(beat, voice):
            yield f"suspension: {voice.letter}"


def pitch_classes(chord: Iterable[int]) -> frozenset[int]:
    """Return the pitch classes that sound."""
    return frozenset(pitch % 12 for pitch in chord if pitch != REST)


@lru_cache(maxsize=_KEPT)
def _of_chord(chord: tuple[int, ...], key: Key | None, *, has_fermata: bool) -> tuple[str, ...]:
    sounding = pitch_classes(chord)
    if not sounding:
        return ()
    fermata = ", fermata" if has_fermata else ""
    kind, root = CHORDS.get(sounding, ("other", REST))
    bass = chord[Voice.BASS]
    found = [f"chord{fermata}: {kind if kind in _KINDS else 'named'}"]
    if REST not in (root, bass):
        found.append(f"lowest tone: {_lowest((bass - root) % 12)}")
    if kind in ("major", "minor"):
        tones = [(pitch - root) % 12 for pitch in chord if pitch != REST]
        if not any(tone in _FIFTHS for tone in tones):
            found.append("no fifth")
        found.append(f"third doubled: {sum(tone in _THIRDS for tone in tones) > 1}")
    if bass != REST and key is not None:
        degree = (bass - key.pitch_class) % 12
        found.append(f"bass degree{fermata}: {degree if degree in _DEGREES else 'other'}")
    return tuple(found)


def _lowest(interval: int) -> str:
    if interval in _FIFTHS:
        return "fifth"
    return "other" if interval else "root"


def _outside(beat: Beat, key: Key) -> Iterator[str]:
    scale, tonic = _SCALES[key.mode], key.pitch_class
    for step in range(beat.first, len(beat.pitches)):
        for voice in _CHECKED:
            pitch = beat.pitches[step][voice]
            if beat.onsets[step][voice] and pitch != REST and (pitch - tonic) % 12 not in scale:
                yield f"outside the key: {voice.letter}"


def _is_suspension(beat: Beat, voice: Voice) -> bool:
    """Return True if a held tone is dissonant with the bass and resolves down by step."""
    held, bass = beat.chord[voice], beat.chord[Voice.BASS]
    if not beat.first or beat.onsets[beat.first][voice] or REST in (held, bass):
        return False
    if (held - bass) % 12 not in _DISSONANT:
        return False
    later = (step for step in range(beat.first, len(beat.pitches)) if beat.onsets[step][voice])
    after = next(later, None)
    return after is not None and held - beat.pitches[after][voice] in _STEPS_DOWN


_IMPERFECT: Final = (3, 4, 8, 9)  # thirds and sixths
_MOVERS: Final = (2, 4)
_WIDE: Final = 14
# Pairs of voices, and the kind of motion of each with a feature of its own; "": none.
_PAIRS: Final[Mapping[str, str]] = {"SB": "contrary", "AT": "similar", "TB": "oblique", "SA": ""}
_PARALLEL: Final = ("SA", "TB")  # pairs whose parallel thirds and sixths are features
_COLUMNS: Final = {pair: tuple(voice for voice in Voice if voice.letter in pair) for pair in _PAIRS}


def counterpoint_features(beat: Beat) -> Iterator[str]:
    """Yield the distance of the inner voices, crossings, and motion to and inside a beat."""
    chord, alto, tenor = beat.chord, beat.chord[Voice.ALTO], beat.chord[Voice.TENOR]
    if REST not in (alto, tenor):
        yield f"distance of A and T: {min(max(alto - tenor, -2), _WIDE) // 2 * 2}"
        if alto == tenor:
            yield "unison of A and T"
    if any(REST not in (high, low) and high < low for high, low in pairwise(chord)):
        yield "crossing"
    if beat.chord_before is not None:
        yield from _on_beats(beat.chord_before, chord)
    for before, after in pairwise(beat.pitches[max(beat.first - 1, 0) :]):
        if before != after:
            yield from _motions(tuple(before), tuple(after))


def _on_beats(before: Sequence[int], after: Sequence[int]) -> Iterator[str]:
    if pitch_classes(before) == pitch_classes(after):
        yield "same chord on two beats"
    pairs = zip(before, after, strict=True)
    moves = [new - old for old, new in pairs if REST not in (old, new)]
    up, down = sum(move > 0 for move in moves), sum(move < 0 for move in moves)
    if up + down in _MOVERS:
        yield f"voices that move: {up + down}"
    if max(up, down) >= len(Voice) - 1:
        yield "three in one direction"


@lru_cache(maxsize=_KEPT)
def _motions(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(feature for pair in _PAIRS for feature in _motion(pair, before, after))


def _motion(pair: str, before: Sequence[int], after: Sequence[int]) -> Iterator[str]:
    upper, lower = _COLUMNS[pair]
    if REST in (before[upper], before[lower], after[upper], after[lower]):
        return
    up, low = after[upper] - before[upper], after[lower] - before[lower]
    if not up and not low:
        return
    kind = "oblique" if not up or not low else "similar" if (up > 0) == (low > 0) else "contrary"
    if _PAIRS[pair]:
        yield f"motion of {pair}: {kind if kind == _PAIRS[pair] else 'other'}"
    if kind == "similar" and pair in _PARALLEL:
        intervals = (before[upper] - before[lower]) % 12, (after[upper] - after[lower]) % 12
        yield f"parallel thirds or sixths of {pair}: {all(i in _IMPERFECT for i in intervals)}"
