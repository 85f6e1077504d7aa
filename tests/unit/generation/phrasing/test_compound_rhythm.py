"""The rhythm of the soprano in compound meters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Meter, Voice, spans
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.request import GenerationRequest

SIX_EIGHT = Meter(6, 8)


def drawn(**fields: object) -> GenerationRequest:
    open_ = {"bars": 8, "meter": SIX_EIGHT, "phrases": None}
    return GenerationRequest(**(open_ | fields)).resolved()  # type: ignore[arg-type]


@pytest.mark.parametrize("meter", ["6/8", "9/8", "12/8", "6/4", "6/16"])
def test_notes_begin_on_each_beat_as_in_hymns_and_last_under_a_fermata(meter: str) -> None:
    lengths = Counter[float]()
    for seed in range(20):
        asked = drawn(meter=Meter.parse(meter), seed=seed, pickup=0)
        beat = 3 * 16 // asked.meter.denominator
        ends = spans(asked.plan().fermatas)
        under = {step for first, stop in ends for step in range(first + 1, stop)}
        assert {*range(0, asked.steps, beat)} - under <= {*asked.rhythm}
        assert {first for first, _ in ends} <= {*asked.rhythm}
        assert not under & {*asked.rhythm}
        lengths.update(np.diff([*asked.rhythm, asked.steps]) * 3 / beat)
    assert 0.2 < lengths[2] / lengths[1] < 0.6
    assert lengths[3] > lengths[1.5] or meter == "6/16"


def test_a_note_begins_with_the_pickup_and_with_each_phrase() -> None:
    asked = drawn(pickup=2, phrases=(4, 4))
    assert asked.rhythm[0] == 0
    assert {stop for _, stop in spans(asked.plan().fermatas)[:-1]} <= {*asked.rhythm}


def test_the_rhythm_depends_on_the_seed_alone_and_is_drawn_for_compound_meters_alone() -> None:
    assert drawn(seed=1).rhythm == drawn(seed=1).rhythm != drawn(seed=2).rhythm
    assert not any(drawn(meter=meter).rhythm for meter in (Meter(), Meter(3, 8)))
    assert not GenerationRequest(bars=8, meter=SIX_EIGHT, phrases=None).resolved(()).rhythm
    assert drawn(rhythm=(0, 6)).rhythm == (0, 6)


def test_what_comes_again_in_bar_form_has_the_same_rhythm() -> None:
    for seed in range(10):
        asked = drawn(bars=12, form="aab", seed=seed)
        stollen, _ = asked.stollen() or (0, 0)
        again = [step - stollen for step in asked.rhythm if stollen <= step < 2 * stollen]
        assert again == [step for step in asked.rhythm if step < stollen]
        assert stollen
    with pytest.raises(UsageError, match=r"another one when they come again: expected the same"):
        replace(drawn(bars=12, form="aab"), rhythm=(0, 6))


def test_a_continuation_keeps_the_notes_and_goes_on_in_the_meter() -> None:
    piece = Chorale.of(np.full((24, 4), 60), meter=SIX_EIGHT)
    asked = edit_requests.continuation_request(piece, 2, seed=4)
    assert asked.rhythm[:2] == (0, 24)
    assert {24, 30, 36, 42} <= {*asked.rhythm}


def test_a_soprano_above_another_voice_keeps_to_the_meter() -> None:
    bass = Chorale.of(np.full((24, 4), 60), meter=SIX_EIGHT)
    assert {0, 6, 12} <= {*edit_requests.harmony_request(bass, Voice.BASS).rhythm}
    assert not edit_requests.harmony_request(bass, Voice.SOPRANO).rhythm
