"""Planned phrase ends of a piece, and the cadences that are wanted there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from musicrel.analysis import cadences, keys
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Pitches, Voice, spans
from musicrel.generation.phrasing import drawn_cadences
from musicrel.tokens import codec

_NEAR_STEPS: Final = 8 * STEPS_PER_QUARTER
"""Steps before a phrase end that can matter to its cadence, a long last chord included."""


class PhraseEnd(NamedTuple):
    """A planned phrase end.

    Attributes:
        step: its first step.
        stop: the step after its last.
        kind: of its cadence, see ``musicrel.analysis.cadences``; "": any.
        is_drawn: True if the kind was drawn, not requested; "" then leaves the end to the model.
            A cadence that was drawn for the end of a piece counts as requested.
    """

    step: int
    stop: int
    kind: str
    is_drawn: bool = False

    @property
    def is_free(self) -> bool:
        """Return whether the end is left to the model."""
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

    def drawn(self, seed: int, steps: int, left_open: float) -> PhraseEnd:
        """Return the phrase end with a cadence drawn as in Bach; at the last one it is requested.

        Args:
            seed: seed of the notes.
            steps: length of the piece.
            left_open: number of ends within a piece that are left to the model for each that Bach
                leaves without a cadence.
        """
        if self.stop == steps:
            return self._replace(kind=drawn_cadences.draw_last(seed, self.step))
        kind = drawn_cadences.draw_within(seed, self.step, left_open)
        return self._replace(kind=kind, is_drawn=True)

    def is_on_tonic(self, steps: int, key: Key | None) -> bool:
        """Return whether the cadence here has to be on the tonic of the piece.

        It ends a piece in a key. Of the 326 authentic ones at the ends of the bundled chorales 311
        are on the tonic.

        Args:
            steps: length of the piece.
            key: key of the piece.
        """
        return key is not None and self.kind in drawn_cadences.FINAL and self.stop == steps

    def cadence(self, piece: Chorale, steps: int, key: Key | None) -> str:
        """Return the kind of the cadence that is here in ``piece``, "" for none.

        Args:
            piece: the piece at least up to this end.
            steps: length of the whole piece.
            key: key of the piece; None: it is estimated.
        """
        first = max(self.step - _NEAR_STEPS, 0)
        near = piece.cropped(first, piece.steps)
        found = cadences.phrase_ends(replace(near, key=key or keys.estimate(piece.pitches)))
        kind = found[-1].kind if found and found[-1].stop >= self.stop - first else ""
        if key is not None and self.is_on_tonic(steps, key):
            return kind if _is_tonic(piece.pitches[self.stop - 1], key) else ""
        return kind

    def is_met_by(self, kind: str) -> bool:
        """Return whether a cadence of some kind, "" for none, is what is wanted here."""
        if self.is_free:
            return True
        return kind == self.kind if self.kind else bool(kind)


def _is_tonic(pitches_4: Pitches, key: Key) -> bool:
    """Return whether some pitches are of the tonic triad in root position."""
    above_4 = (pitches_4 - key.pitch_class) % 12
    return bool(np.isin(above_4, keys.last_triad(key)).all() and above_4[Voice.BASS] == 0)


def planned_ends(
    plan: Chorale, conditions: Collection[str], kinds: tuple[str, ...]
) -> list[PhraseEnd]:
    """Return the phrase ends that a model knows of, or that have a requested cadence.

    Args:
        plan: length and fermatas of the piece.
        conditions: names of the conditions of the model.
        kinds: requested cadences of the phrases in order, "" for any; a single one is for all.
    """
    fermatas = [*spans(plan.fermatas)]
    if not fermatas or fermatas[-1][1] < plan.steps:
        fermatas.append((max(plan.steps - STEPS_PER_QUARTER, 0), plan.steps))
    kinds = kinds * len(fermatas) if len(kinds) == 1 else kinds[: len(fermatas)]
    kinds += ("",) * (len(fermatas) - len(kinds))
    ends = [PhraseEnd(*span, kind) for span, kind in zip(fermatas, kinds, strict=True)]
    return [end for end in ends if end.kind or _is_known(end, plan, conditions)]


def _is_known(end: PhraseEnd, plan: Chorale, conditions: Collection[str]) -> bool:
    """Return True if a condition of the model marks a phrase end."""
    is_last, has_fermata = end.stop == plan.steps, bool(plan.fermatas[end.step : end.stop].all())
    return (is_last and "ending" in conditions) or (has_fermata and "fermata" in conditions)
