"""Ranges of the voices."""

from __future__ import annotations

from typing import Any

import pytest

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.edit_requests import with_ranges
from musicrel.generation.request import GenerationRequest
from musicrel.tokens.vocabulary import ARTICULATED

NARROW = ((60, 72), (57, 69), (50, 62), (43, 55))


def legal(request: GenerationRequest, voice: Voice) -> list[int]:
    """Return the legal pitches of a voice, lowest first."""
    constraints = request.constraints(ARTICULATED)
    tokens = constraints.legal_tokens_per_cell[voice].nonzero()[0]
    symbols = ARTICULATED.symbols()
    names = (symbols[token] for token in tokens)
    return sorted({int(name.rstrip("_")) for name in names if name.rstrip("_").isdecimal()})


def test_a_preset_has_a_name() -> None:
    """The church choir is the default; its bass begins on E2."""
    assert voice_ranges.DEFAULT == "choir"
    assert voice_ranges.parse(" Choir ")[Voice.BASS][0] == 40
    for name, preset in voice_ranges.PRESETS.items():
        voice_ranges.check(preset.ranges)
        assert voice_ranges.to_text(preset.ranges) == name


def test_other_ranges_are_written_as_numbers() -> None:
    """The text is parsed back; no ranges are the full ones."""
    text = voice_ranges.to_text(NARROW)
    assert text == "60-72,57-69,50-62,43-55"
    assert voice_ranges.parse(text) == NARROW
    assert voice_ranges.to_text(None) == "full"


@pytest.mark.parametrize("text", ["", "opera", "60-81", "60-81,55-74,48-69,x-64", "1-2,3-4,5-6,7"])
def test_other_text_is_refused(text: str) -> None:
    """The sentence has the presets and an example."""
    with pytest.raises(UsageError, match=r"expected one of choir, .* as in 60-81,55-74"):
        voice_ranges.parse(text)


def test_notes_stay_in_the_ranges_of_a_request() -> None:
    """Without ranges they are the full ones; with the rule off there are none."""
    assert legal(GenerationRequest(bars=1, ranges=NARROW), Voice.BASS) == list(range(43, 56))
    assert legal(GenerationRequest(bars=1), Voice.BASS) == list(range(36, 65))
    free = GenerationRequest(bars=1, ranges=NARROW, rules=())
    assert legal(free, Voice.BASS) == list(range(36, 82))


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        (((60, 81),) * 3, "expected the lowest and highest MIDI number of S, A, T, B"),
        (((60, 81.0),) * 4, "expected the lowest and highest MIDI number of S, A, T, B"),
        (((60,),) * 4, "expected the lowest and highest MIDI number of S, A, T, B"),
        ((60, 81, 55, 74), "expected the lowest and highest MIDI number of S, A, T, B"),
        ((*NARROW[:3], (55, 43)), "range of the Bass is 55-43: expected the lower MIDI number"),
        ((*NARROW[:3], (20, 35)), "range of the Bass is 20-35: .* notes between 36 and 81"),
        ((*NARROW[:3], (49, 49)), "range of the Bass has no note of C major"),
    ],
)
def test_ranges_without_a_note_are_refused(ranges: Any, sentence: str) -> None:
    """The sentence names the voice."""
    with pytest.raises(UsageError, match=sentence):
        GenerationRequest(ranges=ranges, rules=("range", "scale"), key=Key("C", "major"))


def test_ranges_survive_json_and_are_left_out_without_any() -> None:
    """Settings of pieces without ranges are those of older versions."""
    request = GenerationRequest(bars=2, ranges=NARROW)
    assert GenerationRequest.from_json(request.to_json()) == request
    assert request.to_json()["ranges"] == [[60, 72], [57, 69], [50, 62], [43, 55]]
    assert "ranges" not in GenerationRequest(bars=2).to_json()


def test_locked_notes_outside_are_refused_beside_free_ones() -> None:
    """The sentence is that of the rule; where nothing is written they do not matter."""
    low = Locks(steps=16, cells=(Cell(2, Voice.BASS, 40),))
    with pytest.raises(UsageError, match="the rule 'range' in bar 1, Bass"):
        GenerationRequest(bars=1, locks=low, ranges=NARROW)
    GenerationRequest(bars=1, locks=low, ranges=NARROW, rules=())
    chords = Chorale.of([(72, 67, 60, 40)] * 16)
    GenerationRequest(bars=2, ranges=NARROW, locks=Locks.of_prompt(chords, 32))


def test_a_preset_is_widened_by_locked_notes() -> None:
    """Numbers are not, and rests widen nothing."""
    cells = (Cell(2, Voice.BASS, 38), Cell(3, Voice.SOPRANO, 81), Cell(4, Voice.ALTO, REST))
    request = GenerationRequest(bars=1, locks=Locks(steps=16, cells=cells))
    assert with_ranges(request, "choir").ranges == ((60, 81), (55, 74), (48, 69), (38, 62))
    assert with_ranges(request, "full").ranges is None
    with pytest.raises(UsageError, match="the rule 'range'"):
        with_ranges(request, NARROW)
    with pytest.raises(UsageError, match="the rule 'range'"):
        with_ranges(request, "60-79,55-74,48-69,40-62")
