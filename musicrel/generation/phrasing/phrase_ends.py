"""Planned phrase ends of a piece, and the cadences that are wanted there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.analysis import cadences, keys
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Pitches, Voice, spans
from musicrel.generation.phrasing import drawn_cadences
from musicrel.tokens import codec

# Steps before a phrase end that can matter to its cadence, a long last chord included.
_NEAR_STEPS: Final = 8 * STEPS_PER_QUARTER


class PhraseEnd(NamedTuple):
    """A planned phrase end.

    Attributes:
        step: its first step.
        stop: the step after its last.
        kind: of its cadence, see ``musicrel.analysis.cadences``; "": any.
        is_drawn: True if the close was drawn, not requested; "" then leaves the cadence to the
            model. A cadence that was drawn for the end of a piece counts as requested.
        degree: semitones from the tonic of the piece up to the last note of the bass; None: any.
        prepared: steps from the chord that prepares the cadence to its first step; 0: any.
        is_before_last: True if its phrase is the one before the last, of three or more.
    """

    step: int
    stop: int
    kind: str
    is_drawn: bool = False
    degree: int | None = None
    prepared: int = 0
    is_before_last: bool = False

    @property
    def is_free(self) -> bool:
        """Return whether the cadence is left to the model."""
        return self.is_drawn and not self.kind

    @property
    def last(self) -> int:
        """Return the index of its last token."""
        return self.stop * codec.VOICES

    @property
    def approach(self) -> range:
        """Return the index of the last token before its first step, and those of that step."""
        before = self.step * codec.VOICES
        return range(before, before + codec.VOICES + 1)

    def drawn(self, seed: int, steps: int, key: Key | None, left_open: float) -> PhraseEnd:
        """Return the phrase end with a close drawn as in Bach; at the last one it is requested.

        Args:
            key: key of the piece; None: it is unknown, and no degree is drawn.
            left_open: number of ends within a piece that are left to the model for each that Bach
                leaves without a cadence. The one before the last has a degree instead.
        """
        if self.stop == steps:
            last = drawn_cadences.draw_last(seed, self.step)
            return self._replace(kind=last.kind, prepared=last.prepared if key else 0)
        if self.is_before_last and key is not None:
            close = drawn_cadences.draw_before_the_last(seed, self.step, key.mode)
            return self._replace(**close._asdict(), is_drawn=True)
        kind = drawn_cadences.draw_within(seed, self.step, left_open)
        return self._replace(kind=kind, is_drawn=True)

    def root(self, steps: int, key: Key | None) -> int | None:
        """Return the pitch class of the wanted last note of the bass; None: any.

        The end of a piece in a key is on its tonic. Of the 326 authentic cadences at the ends of
        the bundled chorales 311 are.
        """
        if key is not None and self._is_final(steps):
            return key.pitch_class
        if key is None or self.degree is None:
            return None
        return (key.pitch_class + self.degree) % 12

    def is_met_by(self, piece: Chorale, steps: int, key: Key | None) -> bool:
        """Return whether ``piece`` closes here as it is wanted.

        Args:
            piece: the piece at least up to this end.
            key: key of the piece; None: it is estimated.
        """
        root = self.root(steps, key)
        if root is not None and _last_bass(piece, self.stop) != root:
            return False
        if self.is_free:
            return True
        kind = self._cadence(piece, key)
        if not (kind == self.kind if self.kind else kind):
            return False
        return key is None or not self._is_final(steps) or _is_tonic(piece.pitches[-1], key)

    def _is_final(self, steps: int) -> bool:
        return self.kind in drawn_cadences.FINAL and self.stop == steps

    def _cadence(self, piece: Chorale, key: Key | None) -> str:
        """Return the kind of the cadence that is here in ``piece``, "" for none."""
        first = max(self.step - _NEAR_STEPS, 0)
        near = piece.cropped(first, piece.steps)
        found = cadences.phrase_ends(replace(near, key=key or keys.estimate(piece.pitches)))
        return found[-1].kind if found and found[-1].stop >= self.stop - first else ""


def _last_bass(piece: Chorale, stop: int) -> int | None:
    """Return the pitch class of the bass before the step ``stop``; None: it rests or is missing."""
    bass = piece.pitches[stop - 1, Voice.BASS] if stop <= piece.steps else REST
    return None if bass == REST else int(bass) % 12


def _is_tonic(pitches_4: Pitches, key: Key) -> bool:
    """Return whether some pitches are of the tonic triad in root position."""
    above_4 = (pitches_4 - key.pitch_class) % 12
    return bool(np.isin(above_4, keys.last_triad(key)).all() and above_4[Voice.BASS] == 0)


def planned_ends(
    plan: Chorale, conditions: Collection[str], kinds: tuple[str, ...]
) -> list[PhraseEnd]:
    """Return the phrase ends that a model knows of, or that have a requested cadence.

    Args:
        kinds: requested cadences of the phrases in order, "" for any; a single one is for all.
    """
    fermatas = [*spans(plan.fermatas)]
    if not fermatas or fermatas[-1][1] < plan.steps:
        fermatas.append((max(plan.steps - STEPS_PER_QUARTER, 0), plan.steps))
    kinds = kinds * len(fermatas) if len(kinds) == 1 else kinds[: len(fermatas)]
    kinds += ("",) * (len(fermatas) - len(kinds))
    before_last = len(fermatas) - 2
    ends = [
        PhraseEnd(*span, kind, is_before_last=0 < number == before_last)
        for number, (span, kind) in enumerate(zip(fermatas, kinds, strict=True))
    ]
    return [end for end in ends if end.kind or _is_known(end, plan, conditions)]


def _is_known(end: PhraseEnd, plan: Chorale, conditions: Collection[str]) -> bool:
    """Return True if a condition of the model marks a phrase end."""
    is_last, has_fermata = end.stop == plan.steps, bool(plan.fermatas[end.step : end.stop].all())
    return (is_last and "ending" in conditions) or (has_fermata and "fermata" in conditions)
