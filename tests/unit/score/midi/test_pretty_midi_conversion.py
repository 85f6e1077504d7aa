"""Chorales as PrettyMIDI objects, and back."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pretty_midi
import pytest

import musicrel
from musicrel.chorale import REST, Chorale, Key, Meter, Voice
from musicrel.corpus import bundled
from musicrel.errors import DataError
from musicrel.score.midi.pretty_midi_conversion import from_pretty_midi, to_pretty_midi
from musicrel.score.notes import notes


def _quarters(pitches: list[int], start: float = 0.0) -> list[pretty_midi.Note]:
    """Return quarters at 120 quarters per minute."""
    starts = [start + 0.5 * number for number in range(len(pitches))]
    return [
        pretty_midi.Note(80, pitch, begin, begin + 0.5)
        for pitch, begin in zip(pitches, starts, strict=True)
    ]


def _instrument(pitches: list[int], name: str = "", program: int = 0) -> pretty_midi.Instrument:
    instrument = pretty_midi.Instrument(program, name=name)
    instrument.notes = _quarters(pitches)
    return instrument


@pytest.mark.parametrize("stretched", [False, True])
def test_a_bundled_chorale_survives_the_round_trip(*, stretched: bool) -> None:
    """All fields but the title are equal, with fermatas stretched or not."""
    for piece in bundled.load("valid")[::4]:
        file = to_pretty_midi(piece, stretch_fermatas=stretched)

        assert from_pretty_midi(file) == replace(piece, title="")


def test_all_fields_of_a_piece_survive(hymn: Chorale) -> None:
    """Pickup, repeats, rests, fermatas, exact tempo and provenance."""
    assert from_pretty_midi(to_pretty_midi(hymn)) == replace(hymn, title="")


def test_the_instruments_are_named_and_programmed_like_midi_tracks(hymn: Chorale) -> None:
    """Notes have the times of the tempo."""
    file = to_pretty_midi(hymn, sound=("organ", "strings", "oboe", "brass"))

    assert [(each.name, each.program) for each in file.instruments] == [
        ("Soprano", 19), ("Alto", 48), ("Tenor", 68), ("Bass", 61),
    ]  # fmt: skip
    step = 60 / hymn.tempo / 4
    for voice, instrument in zip(Voice, file.instruments, strict=True):
        expected = [(n.pitch, n.start * step, n.stop * step) for n in notes(hymn, voice)]
        found = [(n.pitch, n.start, n.end) for n in instrument.notes]
        assert found == [pytest.approx(note, abs=1e-4) for note in expected]


def test_key_meter_and_tempo_are_in_the_object(hymn: Chorale) -> None:
    """The first bar is the pickup."""
    file = to_pretty_midi(hymn)

    assert [(m.numerator, m.denominator) for m in file.time_signature_changes] == [(1, 4), (4, 4)]
    assert [key.key_number for key in file.key_signature_changes] == [10]
    assert file.get_tempo_changes()[1] == pytest.approx([72.5], abs=1e-3)


def test_a_silent_voice_has_an_instrument_without_notes() -> None:
    """It is a voice again on the way back."""
    pitches = np.full((16, 4), REST)
    pitches[:, Voice.ALTO] = 65
    piece = Chorale.of(pitches)

    file = to_pretty_midi(piece)

    assert [len(each.notes) for each in file.instruments] == [0, 1, 0, 0]
    assert from_pretty_midi(file) == piece


def test_an_object_made_by_hand_is_assigned_to_voices_by_pitch() -> None:
    """Four instruments without names, meter and key from the object."""
    file = pretty_midi.PrettyMIDI(initial_tempo=120)
    lines = ([48, 50, 52], [72, 74, 76], [60, 59, 60], [65, 67, 67])
    file.instruments = [_instrument(line, program=48) for line in lines]
    file.time_signature_changes = [pretty_midi.TimeSignature(3, 4, 0)]
    file.key_signature_changes = [pretty_midi.KeySignature(0, 0)]

    piece = from_pretty_midi(file)

    assert piece.pitches[::4].tolist() == [[72, 65, 60, 48], [74, 67, 59, 50], [76, 67, 60, 52]]
    assert (piece.meter, piece.key, piece.tempo) == (Meter(3, 4), Key("C", "major"), 120)


def test_notes_are_quantised_and_drums_ignored() -> None:
    """The rules are those of MIDI files."""
    file = pretty_midi.PrettyMIDI(initial_tempo=120)
    soprano, drums = _instrument([72, 74], "Soprano"), pretty_midi.Instrument(0, is_drum=True)
    soprano.notes[1].start += 0.02
    drums.notes = _quarters([35, 35])
    file.instruments = [soprano, _instrument([48, 50], "Bass"), drums]

    piece = from_pretty_midi(file)

    assert piece.pitches[:, Voice.SOPRANO].tolist() == [72] * 4 + [74] * 4
    assert piece.pitches[:, Voice.BASS].tolist() == [48] * 4 + [50] * 4
    assert (piece.pitches[:, 1:3] == REST).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pitch": 130}, "data byte must be in range 0..127"),
        ({"velocity": 200}, "data byte must be in range 0..127"),
    ],
)
def test_an_invalid_note_is_one_sentence(change: dict[str, float], message: str) -> None:
    """It names what pretty_midi or the reader found."""
    file = pretty_midi.PrettyMIDI()
    file.instruments = [_instrument([72])]
    for name, value in change.items():
        setattr(file.instruments[0].notes[0], name, value)

    with pytest.raises(DataError, match=f"^cannot convert the PrettyMIDI object: {message}"):
        from_pretty_midi(file)


def test_an_object_without_notes_is_refused() -> None:
    """So is anything that is no PrettyMIDI."""
    with pytest.raises(DataError, match=r"cannot convert the PrettyMIDI object: .*notes"):
        from_pretty_midi(pretty_midi.PrettyMIDI())
    with pytest.raises(DataError, match=r"cannot convert the PrettyMIDI object: .*write"):
        from_pretty_midi(SimpleNamespace())


def test_an_unsupported_meter_is_ignored() -> None:
    """The notes do not depend on it."""
    file = pretty_midi.PrettyMIDI()
    file.instruments = [_instrument([72])]
    file.time_signature_changes = [pretty_midi.TimeSignature(5, 128, 0)]

    assert from_pretty_midi(file).meter == Meter(4, 4)


def test_the_functions_are_public() -> None:
    """They are names of the package."""
    assert musicrel.to_pretty_midi is to_pretty_midi
    assert musicrel.from_pretty_midi is from_pretty_midi
