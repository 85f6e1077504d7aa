"""Instruments of a SoundFont: pitch, loudness, independence of chunks, errors."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pretty_midi
import pytest

from musicrel.chorale import REST, Chorale, Voice
from musicrel.errors import FileError
from musicrel.score.audio import soundfont
from musicrel.score.audio.mixer import Mix
from musicrel.score.audio.reverb import LENGTH
from musicrel.score.audio.soundfont import SoundFont
from musicrel.score.audio.synth import Synthesizer, render
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.score.performance import perform
from tests.helpers.music import random_chorale
from tests.helpers.sound import (
    FakeSynth,
    install_fake_fluidsynth,
    needs_fluidsynth,
    write_soundfont_header,
)

RATE = 44_100
SAMPLED: tuple[Sound, ...] = tuple(key for key, kind in INSTRUMENTS.items() if kind.sampled)
DRY = Mix(reverb=0)


def _held(voice: Voice, pitch: int, bars: int = 1) -> Chorale:
    """Build a note of three seconds for each bar."""
    pitches = np.full((16 * bars, 4), REST)
    pitches[:, voice] = pitch
    return Chorale.of(pitches, tempo=80)


def _decibels(chorale: Chorale, mix: Mix) -> float:
    sound = render(chorale, mix).astype(np.float64)
    return float(10 * np.log10((sound**2).mean()))


@needs_fluidsynth
@pytest.mark.parametrize("sound", SAMPLED)
@pytest.mark.parametrize(("voice", "pitch"), list(zip(Voice, (76, 65, 57, 48), strict=True)))
def test_a_held_note_sounds_at_its_pitch(sound: Sound, voice: Voice, pitch: int) -> None:
    """The strongest frequency is a multiple of it, within a third of a semitone."""
    rendered = render(_held(voice, pitch), replace(DRY, sound=sound)).sum(axis=1)[RATE : 2 * RATE]
    spectrum = np.abs(np.fft.rfft(rendered * np.hanning(len(rendered))))

    multiple = spectrum.argmax() / (440 * 2 ** ((pitch - 69) / 12))

    assert round(multiple) >= 1
    assert multiple == pytest.approx(round(multiple), rel=0.02)


@needs_fluidsynth
@pytest.mark.parametrize("sound", SAMPLED)
def test_an_instrument_is_as_loud_as_the_organ(sound: Sound) -> None:
    """Within three decibels over a piece, and below full scale."""
    piece = random_chorale(3, steps=64)

    difference = _decibels(piece, Mix(sound=sound)) - _decibels(piece, Mix(sound="organ"))

    assert abs(difference) < 3
    assert 0.2 < np.abs(render(piece, Mix(sound=sound))).max() < 0.9


@needs_fluidsynth
def test_the_sound_lasts_as_long_as_that_of_the_organ() -> None:
    """It fades out within the reverb's length."""
    rendered = render(_held(Voice.BASS, 48), Mix(sound="strings"))

    assert len(rendered) == 3 * RATE + LENGTH
    assert np.abs(rendered[-500:]).max() < 1e-3


@needs_fluidsynth
def test_each_voice_has_its_instrument() -> None:
    """The stems are those of pieces in one instrument."""
    performance = perform(random_chorale(7, steps=12))
    sounds: tuple[Sound, Sound, Sound, Sound] = ("organ", "strings", "choir", "piano")

    mixed = Synthesizer(performance, Mix(sound=sounds)).stems(0)

    for voice, sound in enumerate(sounds):
        alone = Synthesizer(performance, Mix(sound=sound)).stems(0)
        assert np.array_equal(mixed[:, voice], alone[:, voice])
        assert mixed[0, voice].any()


@needs_fluidsynth
def test_chunks_can_be_rendered_in_any_order() -> None:
    """The result does not depend on earlier chunks."""
    performance, mix = perform(random_chorale(8, steps=40)), Mix(sound="brass")
    in_order, alone = Synthesizer(performance, mix), Synthesizer(performance, mix)

    made = [in_order.stems(chunk) for chunk in range(4)]

    assert np.array_equal(alone.stems(3), made[3])
    assert np.array_equal(alone.stems(0), made[0])


@needs_fluidsynth
def test_a_note_does_not_depend_on_the_notes_before() -> None:
    """But for rounding, far below the noise of 16-bit audio at full level."""
    font = SoundFont(soundfont.default_path(), RATE)
    first = font.play("piano", 60, 20_000)
    for pitch in (40, 72):
        font.play("strings", pitch, 12_345)

    assert np.abs(font.play("piano", 60, 20_000) - first).max() < 16 / 2**15


@needs_fluidsynth
def test_a_note_is_the_one_that_pretty_midi_renders() -> None:
    """With the same settings of FluidSynth."""
    import fluidsynth

    off = {"synth.reverb.active": 0, "synth.chorus.active": 0}
    synth = fluidsynth.Synth(gain=1.0, samplerate=RATE, **off)
    number = synth.sfload(str(soundfont.default_path()))
    oboe = pretty_midi.Instrument(INSTRUMENTS["oboe"].program)
    oboe.notes = [pretty_midi.Note(88, 69, 0.0, 1.0)]
    expected = oboe.fluidsynth(synthesizer=synth, sfid=number)[:RATE] / 2**15

    found = SoundFont(soundfont.default_path(), RATE).play("oboe", 69, RATE)[:RATE]

    assert np.abs(found - expected).max() < 4 / 2**15
    synth.delete()


@needs_fluidsynth
def test_a_soundfont_prints_nothing_where_the_variable_ci_is_set() -> None:
    """The answer of a command on standard output stays readable by programs."""
    code = "from musicrel.score.audio import soundfont; soundfont.check(None); print('{}')"
    command = [sys.executable, "-c", code]

    answer = subprocess.run(
        command, env={**os.environ, "CI": "true"}, capture_output=True, text=True, check=True
    )

    assert answer.stdout == "{}\n"


def test_a_bundle_takes_the_soundfont_of_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The package pretty_midi has its own, which bundles leave out."""
    of_system = tmp_path / "default-GM.sf2"
    inside = soundfont.default_path(of_system)

    of_system.touch()
    assert (inside.name, soundfont.default_path(of_system)) == ("TimGM6mb.sf2", inside)
    monkeypatch.setattr(soundfont, "_BUNDLED", "absent.sf2")
    assert soundfont.default_path(of_system) == of_system


def test_without_fluidsynth_the_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Package and library."""
    monkeypatch.setitem(sys.modules, "fluidsynth", None)

    with pytest.raises(FileError, match=r'pip install "musicrel\[soundfont\]".*libfluidsynth3'):
        soundfont.check(None)
    with pytest.raises(FileError, match="need FluidSynth, which is not installed: run pip"):
        SoundFont(soundfont.default_path(), RATE)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read .*mine.sf2: No such file or directory; choose another"),
        (b"", "mine.sf2 is not a SoundFont: choose an .sf2 file"),
        (b"RIFF\x04\0\0\0WAVE", "mine.sf2 is not a SoundFont: choose an .sf2 file"),
        (b"RIFF\x44\0\0\0sfbk", "the SoundFont .*mine.sf2 is truncated: choose another .sf2 file"),
    ],
    ids=["missing", "empty", "other", "truncated"],
)
def test_a_file_that_is_no_soundfont_is_refused(
    content: bytes | None, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one sentence, without loading it."""
    install_fake_fluidsynth(monkeypatch)
    path = tmp_path / "mine.sf2"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(FileError, match=message):
        soundfont.check(path)
    with pytest.raises(FileError, match=message):
        render(random_chorale(1), Mix(sound="piano", soundfont=path))


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"font": -1}, "mine.sf2 is damaged: choose another .sf2 file"),
        ({"selected": -1}, r"mine.sf2 has no oboe \(program 69\): choose another .sf2 file or"),
    ],
)
def test_a_soundfont_that_fluidsynth_refuses_is_one_sentence(
    answers: dict[str, int], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is damaged inside, or lacks the instrument."""
    install_fake_fluidsynth(monkeypatch, **answers)
    path = write_soundfont_header(tmp_path / "mine.sf2")

    with pytest.raises(FileError, match=message):
        render(random_chorale(1), Mix(sound="oboe", soundfont=path))


def test_a_very_long_note_falls_silent_after_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memory stays bounded."""
    install_fake_fluidsynth(monkeypatch)
    path = write_soundfont_header(tmp_path / "mine.sf2")

    rendered = render(_held(Voice.ALTO, 60, bars=40), Mix(sound="strings", soundfont=path))

    assert len(rendered) == 120 * RATE + LENGTH
    assert max(FakeSynth.asked) == 60 * RATE
