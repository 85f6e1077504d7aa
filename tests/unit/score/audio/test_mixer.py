"""The mixer: mute, solo, pan, levels and the limiter."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pretty_midi
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale, Mark, Meter, Voice
from musicrel.errors import FileError, UsageError
from musicrel.score import beats
from musicrel.score.audio import metronome, soundfont
from musicrel.score.audio.metronome import ClickReader, Metronome
from musicrel.score.audio.mixer import Mix, Strip, gains, limit
from musicrel.score.audio.soundfont import SoundFont
from musicrel.score.audio.synth import LENGTH, Synthesizer
from musicrel.score.instruments import INSTRUMENTS, Sound
from musicrel.score.performance import Style, TempoMap, perform
from tests.helpers.music import random_chorale
from tests.helpers.sound import (
    FakeSynth,
    install_fake_fluidsynth,
    needs_fluidsynth,
    render,
    write_soundfont_header,
)


def _mix(**strips: Any) -> Mix:
    return Mix(
        strips=tuple(
            replace(strip, **strips.get(voice.letter, {}))
            for voice, strip in zip(Voice, Mix().strips, strict=True)
        )
    )


def _audible(mix: Mix) -> str:
    return "".join(voice.letter for voice in Voice if mix.is_audible(voice))


def test_solo_silences_the_others_to_zero_gain_and_mute_takes_precedence() -> None:
    assert _audible(Mix()) == "SATB"
    assert _audible(_mix(A={"mute": True})) == "STB"
    assert _audible(_mix(A={"solo": True}, B={"solo": True})) == "AB"
    assert _audible(_mix(A={"solo": True, "mute": True})) == ""

    assert (gains(_mix(T={"mute": True}))[:, Voice.TENOR] == 0).all()
    assert np.count_nonzero(gains(_mix(T={"solo": True}))) == 4


@pytest.mark.parametrize("pan", [-1, -0.5, 0, 0.3, 1])
def test_panning_keeps_the_power(pan: float) -> None:
    left, right = gains(_mix(S={"pan": pan}))[:2, Voice.SOPRANO]
    centre = gains(_mix(S={"pan": 0}))[:2, Voice.SOPRANO]
    assert left**2 + right**2 == pytest.approx((centre**2).sum(), rel=1e-5)
    assert (left > right, left < right) == (pan < 0, pan > 0)


def test_volume_reverb_and_master_volume_multiply() -> None:
    default = gains(Mix())
    assert np.allclose(gains(replace(_mix(S={"volume": 0.5}), volume=2.0))[:, 0], default[:, 0])
    assert (gains(Mix(reverb=0))[2:] == 0).all()


def test_the_limiter_is_linear_below_the_knee_and_bounded_above() -> None:
    loud = np.linspace(-3, 3, 1001, dtype=np.float32)

    limited = limit(loud)

    soft = np.abs(loud) <= 0.7
    assert np.array_equal(limited[soft], loud[soft])
    assert np.abs(limited).max() <= 0.97
    assert (np.diff(limited) >= 0).all()
    assert limited.dtype == np.float32


@pytest.mark.parametrize(
    ("kind", "values", "sentence"),
    [
        (Strip, {"volume": 2.5}, "volume is 2.5: expected 0 to 2"),
        (Strip, {"pan": -2}, r"pan is -2: expected -1 \(left\) to 1 \(right\)"),
        (Mix, {"reverb": float("nan")}, "reverb is nan: expected 0 to 1"),
        (Mix, {"volume": -1}, "volume is -1: expected 0 to 2"),
        (Mix, {"strips": (Strip(),)}, "there are 1 strips: expected one for each voice"),
        (Metronome, {"level": 3.0}, r"the level of the metronome is 3\.0: expected 0 to 2"),
        (Metronome, {"count_in": "often"}, "count-in is 'often': expected never, start, always"),
    ],
    ids=str,
)
def test_a_setting_outside_its_range_is_refused(
    kind: type[Strip | Mix | Metronome], values: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        kind(**values)


RATE = 48_000


def _rests(steps: int, **fields: Any) -> Chorale:
    return Chorale.of(np.full((steps, 4), REST), **fields)


def test_the_size_of_the_blocks_changes_nothing() -> None:
    clicks = metronome.steady(Meter(3, 4), 97, 48, RATE)
    whole, parts = ClickReader(RATE), ClickReader(RATE)
    sizes = (1, 7, 480, 2880, 40_000)

    found, position = [], 0
    for size in sizes:
        found.append(parts.read(clicks, position, size))
        position += size

    assert np.array_equal(np.concatenate(found), whole.read(clicks, 0, sum(sizes)))


@pytest.mark.parametrize("tempo", [53.0, 80.0, 97.3, 144.0])
def test_no_rounding_adds_up(tempo: float) -> None:
    piece = _rests(MAX_STEPS, tempo=tempo)
    style = Style(tempo_factor=0.9, fermata_stretch=1.0)

    clicks = metronome.of_piece(piece, style, TempoMap.of(piece, style), RATE)

    exact = np.arange(0, MAX_STEPS, 4) * 60 / (tempo * 0.9) / 4 * RATE
    assert np.abs(np.array(clicks.starts) - exact).max() <= 0.51


def _stressed(meter: Meter, pickup: int, stop: int, tempo: float = 80) -> list[tuple[int, int]]:
    return [(beat.step, beat.stress) for beat in beats.beats(meter, pickup, 0, stop, tempo)]


@pytest.mark.parametrize(
    ("meter", "tempo", "expected"),
    [
        (Meter(4, 4), 80, [(0, 0), (4, 1), (8, 1), (12, 1)]),
        (Meter(3, 4), 80, [(0, 0), (4, 1), (8, 1)]),
        (Meter(3, 2), 80, [(0, 0), (8, 1), (16, 1)]),
        (Meter(2, 2), 80, [(0, 0), (8, 1)]),
        (Meter(3, 8), 80, [(0, 0), (2, 1), (4, 1)]),
        (Meter(6, 8), 80, [(0, 0), (2, 2), (4, 2), (6, 1), (8, 2), (10, 2)]),
        (Meter(6, 8), 90, [(0, 0), (6, 1)]),
        (Meter(12, 8), 120, [(0, 0), (6, 1), (12, 1), (18, 1)]),
        (Meter(6, 4), 180, [(0, 0), (12, 1)]),
        (Meter(5, 8), 80, [(0, 0), (2, 1), (4, 1), (6, 1), (8, 1)]),
        (Meter(3, 16), 80, [(0, 0), (1, 1), (2, 1)]),
        (Meter(1, 1), 80, [(0, 0)]),
    ],
)
def test_a_bar_of_every_meter(meter: Meter, tempo: float, expected: list[tuple[int, int]]) -> None:
    """Compound beats are dotted; while they come slowly, the notes between them click, too."""
    assert _stressed(meter, 0, meter.steps, tempo) == expected


def test_a_pickup_comes_before_the_first_bar_line() -> None:
    assert _stressed(Meter(4, 4), 4, 12) == [(0, 1), (4, 0), (8, 1)]
    assert _stressed(Meter(4, 4), 2, 12) == [(2, 0), (6, 1), (10, 1)]
    assert _stressed(Meter(6, 8), 2, 10, 120) == [(2, 0), (8, 1)]


@pytest.mark.parametrize(
    ("pickup", "step", "first"),
    [
        (0, 0, -16), (4, 0, -28), (2, 0, -30), (4, 4, -12), (0, 16, 0), (0, 20, 0), (0, 3.5, -16),
        (12, 0, -20),
    ],
)  # fmt: skip
def test_a_bar_is_counted_in_and_what_is_missing_before_the_pickup(
    pickup: int, step: float, first: int
) -> None:
    piece = Chorale.of(np.full((32, 4), REST), pickup=pickup)
    assert beats.count_in_start(piece, step) == first


FONT_RATE = 44_100
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
    rendered = render(_held(voice, pitch), replace(DRY, sound=sound)).sum(axis=1)[
        FONT_RATE : 2 * FONT_RATE
    ]
    spectrum = np.abs(np.fft.rfft(rendered * np.hanning(len(rendered))))

    multiple = spectrum.argmax() / (440 * 2 ** ((pitch - 69) / 12))

    assert round(multiple) >= 1
    assert multiple == pytest.approx(round(multiple), rel=0.02)


@needs_fluidsynth
@pytest.mark.parametrize("sound", SAMPLED)
def test_an_instrument_is_as_loud_as_the_organ(sound: Sound) -> None:
    piece = random_chorale(3, steps=64)
    difference = _decibels(piece, Mix(sound=sound)) - _decibels(piece, Mix(sound="organ"))
    assert abs(difference) < 3
    assert 0.2 < np.abs(render(piece, Mix(sound=sound))).max() < 0.9


@needs_fluidsynth
def test_each_voice_has_its_instrument() -> None:
    performance = perform(random_chorale(7, steps=12))
    sounds: tuple[Sound, Sound, Sound, Sound] = ("organ", "strings", "choir", "piano")
    mixed = Synthesizer(performance, Mix(sound=sounds)).stems(0)
    for voice, sound in enumerate(sounds):
        alone = Synthesizer(performance, Mix(sound=sound)).stems(0)
        assert np.array_equal(mixed[:, voice], alone[:, voice])
        assert mixed[0, voice].any()


@needs_fluidsynth
def test_each_instrument_sounds_in_its_own_way() -> None:
    font = SoundFont(soundfont.default_path(), FONT_RATE)
    sampled = [sound for sound, one in INSTRUMENTS.items() if one.sampled]
    notes = [font.play(sound, 60, FONT_RATE // 2) for sound in sampled]

    assert min(np.abs(note).max() for note in notes) > 0.01
    assert all((first != second).any() for first, second in itertools.combinations(notes, 2))


@needs_fluidsynth
def test_a_note_does_not_depend_on_the_notes_before() -> None:
    font = SoundFont(soundfont.default_path(), FONT_RATE)
    first = font.play("piano", 60, 20_000)
    for pitch in (40, 72):
        font.play("strings", pitch, 12_345)
    assert np.abs(font.play("piano", 60, 20_000) - first).max() < 16 / 2**15


@needs_fluidsynth
def test_a_note_is_the_one_that_pretty_midi_renders() -> None:
    import fluidsynth

    off = {"synth.reverb.active": 0, "synth.chorus.active": 0}
    synth = fluidsynth.Synth(gain=1.0, samplerate=FONT_RATE, **off)
    number = synth.sfload(str(soundfont.default_path()))
    oboe = pretty_midi.Instrument(INSTRUMENTS["oboe"].program)
    oboe.notes = [pretty_midi.Note(88, 69, 0.0, 1.0)]
    expected = oboe.fluidsynth(synthesizer=synth, sfid=number)[:FONT_RATE] / 2**15

    found = SoundFont(soundfont.default_path(), FONT_RATE).play("oboe", 69, FONT_RATE)[:FONT_RATE]

    assert np.abs(found - expected).max() < 4 / 2**15
    synth.delete()


@needs_fluidsynth
def test_a_soundfont_prints_nothing_where_the_variable_ci_is_set() -> None:
    code = "from musicrel.score.audio import soundfont; soundfont.check(None); print('{}')"
    command = [sys.executable, "-c", code]
    answer = subprocess.run(
        command, env={**os.environ, "CI": "true"}, capture_output=True, text=True, check=True
    )
    assert answer.stdout == "{}\n"


def test_a_bundle_takes_the_soundfont_of_the_system(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    of_system = tmp_path / "default-GM.sf2"
    inside = soundfont.default_path(of_system)

    of_system.touch()
    assert (inside.name, soundfont.default_path(of_system)) == ("TimGM6mb.sf2", inside)
    monkeypatch.setattr(soundfont, "_BUNDLED", "absent.sf2")
    assert soundfont.default_path(of_system) == of_system


def test_without_fluidsynth_the_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fluidsynth", None)
    with pytest.raises(FileError, match=r'pip install "musicrel\[soundfont\]".*libfluidsynth3'):
        soundfont.check(None)
    with pytest.raises(FileError, match="need FluidSynth, which is not installed: run pip"):
        SoundFont(soundfont.default_path(), FONT_RATE)


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
    install_fake_fluidsynth(monkeypatch, **answers)
    path = write_soundfont_header(tmp_path / "mine.sf2")
    with pytest.raises(FileError, match=message):
        render(random_chorale(1), Mix(sound="oboe", soundfont=path))


def test_a_very_long_note_falls_silent_after_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_fake_fluidsynth(monkeypatch)
    path = write_soundfont_header(tmp_path / "mine.sf2")

    rendered = render(_held(Voice.ALTO, 60, bars=40), Mix(sound="strings", soundfont=path))

    assert len(rendered) == 120 * FONT_RATE + LENGTH
    assert max(FakeSynth.asked) == 60 * FONT_RATE


def test_the_beats_between_those_of_a_compound_meter_click_where_it_is_slow() -> None:
    slow = Mark(kind="tempo", start=12, stop=12, value=80.0)
    piece = replace(_rests(24, tempo=120.0), meter=Meter(6, 8), marks=(slow,))
    assert [beat.step for beat in beats.of_piece(piece)] == [0, 6, 12, 14, 16, 18, 20, 22]


def test_a_count_in_has_the_tempo_of_its_place() -> None:
    slow = Mark(kind="tempo", start=16, stop=16, value=40.0)
    piece = replace(_rests(64), marks=(slow,))
    lengths = [metronome.count_in(piece, Style(), step, 1000).frames for step in (0, 16)]
    assert lengths == [3000, 6000]


def test_a_playhead_beside_a_bar_line_by_a_rounding_error_stands_at_it() -> None:
    piece, style = _rests(64), Style()
    bar = 16 * 60 / 80 / 4 * RATE
    lengths = [metronome.count_in(piece, style, step, RATE).frames for step in (15.9999, 16.0001)]
    assert lengths == [bar, bar]
