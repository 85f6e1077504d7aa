"""The synthesizer: no clicks, no clipping, exact silence, deterministic output."""

from __future__ import annotations

import sys
import tracemalloc
import wave
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

from musicrel.chorale import MAX_STEPS, REST, Chorale, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.score import files
from musicrel.score.audio import audio_file
from musicrel.score.audio.mixer import LOUDEST, Mix, Strip, gains
from musicrel.score.audio.synth import (
    LENGTH,
    Synthesizer,
    blocks,
    impulse_response,
    reverberate,
)
from musicrel.score.audio.timbre import TABLE_SIZE, TIMBRES, Samples, frequency_hz, wavetables
from musicrel.score.instruments import Sound
from musicrel.score.performance import Style, perform
from tests.helpers.music import minuet, random_chorale
from tests.helpers.sound import render

RATE = 44_100
SOUNDS: tuple[Sound, ...] = ("organ", "choir")
DRY = Mix(reverb=0)
STEPS = 16


def _line(voice: Voice, *pitches: int) -> Chorale:
    """Build notes of one bar (three seconds) each in one voice, with repeats separate."""
    grid = np.full((STEPS * len(pitches), 4), REST)
    grid[:, voice] = np.repeat(pitches, STEPS)
    onsets = np.zeros(grid.shape, dtype=np.bool_)
    onsets[::STEPS, voice] = np.array(pitches) != REST
    return Chorale.of(grid, onsets=onsets, tempo=80)


def _only(voice: Voice, mix: Mix) -> Mix:
    strips = (replace(strip, mute=at != voice) for at, strip in enumerate(mix.strips))
    return replace(mix, strips=tuple(strips))


def _sharpest(sound: Samples, start: float, stop: float) -> float:
    """Return the largest second difference in a range of seconds, a measure of clicks."""
    part = sound[int(start * RATE) : int(stop * RATE)].astype(np.float64)
    return float(np.abs(np.diff(part, 2, axis=0)).max())


def _level(sound: Samples, start: float, stop: float) -> float:
    """Return the level in a range of seconds, in decibels."""
    part = sound[int(start * RATE) : int(stop * RATE)].astype(np.float64)
    return float(10 * np.log10((part**2).mean() + 1e-20))


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize(
    ("voice", "pitches"),
    [(Voice.SOPRANO, (72, 74, 74, REST, 67)), (Voice.TENOR, (60, 55, 55, REST, 50))],
    ids=str,
)
def test_notes_start_and_end_without_clicks(
    sound: Sound, voice: Voice, pitches: tuple[int, ...]
) -> None:
    rendered = render(_line(voice, *pitches), replace(DRY, sound=sound))
    within = max(_sharpest(rendered, 3 * bar + 1, 3 * bar + 2.6) for bar in (0, 1, 2, 4))
    edges = [_sharpest(rendered, max(3 * bar - 0.2, 0), 3 * bar + 0.5) for bar in range(6)]
    assert max(edges) < 2 * within


@pytest.mark.parametrize("sound", SOUNDS)
def test_four_loud_voices_stay_below_full_scale(sound: Sound) -> None:
    loud = Mix(sound=sound, volume=LOUDEST, reverb=1, strips=(Strip(volume=LOUDEST),) * 4)
    piece = random_chorale(3, steps=64)
    assert 0.9 < np.abs(render(piece, loud)).max() <= 0.98
    assert 0.2 < np.abs(render(piece, Mix(sound=sound))).max() < 0.7


def test_muted_voices_are_exactly_silent() -> None:
    piece = random_chorale(4)
    without = piece.pitches.copy()
    without[:, Voice.ALTO] = REST
    muted = (replace(strip, mute=at == Voice.ALTO) for at, strip in enumerate(Mix().strips))

    assert not render(piece, Mix(strips=(Strip(mute=True),) * 4)).any()
    assert np.array_equal(
        render(piece, Mix(strips=tuple(muted))),
        render(replace(piece, pitches=without, onsets=piece.onsets & (without != REST))),
    )


def test_rests_are_exactly_silent_and_the_reverb_decays_to_silence_after_the_last_note() -> None:
    assert not render(Chorale.of(np.full((16, 4), REST))).any()

    rendered = render(_line(Voice.BASS, 48))

    assert len(rendered) == 3 * RATE + LENGTH
    assert _level(rendered, 3.3, 3.6) > -60
    assert np.abs(rendered[-500:]).max() < 1e-4
    assert not render(_line(Voice.BASS, 48), DRY)[-LENGTH // 2 :].any()


@pytest.mark.parametrize("sound", SOUNDS)
def test_the_same_piece_gives_the_same_bytes(sound: Sound) -> None:
    piece, mix = random_chorale(5), Mix(sound=sound)
    first = render(piece, mix).tobytes()
    assert render(piece, mix).tobytes() == first
    assert render(piece.transposed(1), mix).tobytes() != first


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_note_across_chunks_is_smooth(sound: Sound) -> None:
    rendered = render(_line(Voice.ALTO, 65, 65), Mix(sound=sound))
    border = LENGTH / RATE
    assert _sharpest(rendered, border - 0.001, border + 0.001) < _sharpest(rendered, 0.7, 2.7)


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_repeated_note_is_audible_as_two(sound: Sound) -> None:
    piece = _line(Voice.SOPRANO, 72, 72)
    for mix, fall in ((replace(DRY, sound=sound), 10), (Mix(sound=sound), 2)):
        rendered = render(piece, mix)
        gap = min(_level(rendered, at, at + 0.02) for at in np.arange(2.9, 3.06, 0.01))
        assert gap < min(_level(rendered, 2.0, 2.8), _level(rendered, 3.15, 4.0)) - fall


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize(("voice", "pitch"), list(zip(Voice, (76, 65, 57, 43), strict=True)))
def test_a_note_sounds_at_its_pitch(sound: Sound, voice: Voice, pitch: int) -> None:
    rendered = render(_line(voice, pitch), replace(DRY, sound=sound)).sum(axis=1)[RATE : 2 * RATE]
    spectrum = np.abs(np.fft.rfft(rendered * np.hanning(len(rendered))))
    octave = min(source.octave for source in TIMBRES[sound].sources[voice])

    multiple = spectrum.argmax() / (440 * 2 ** ((pitch - 69) / 12) * octave)

    assert multiple == pytest.approx(round(multiple), rel=0.01)


def test_stems_times_gains_are_the_mix() -> None:
    piece = random_chorale(7, steps=12)
    table = gains(Mix())
    synthesizer = Synthesizer(perform(piece), Mix())

    stems = np.concatenate([synthesizer.stems(at) for at in range(synthesizer.chunks)], axis=-1)

    dry, left, right = (np.einsum("gv,vn->gn", table, part) for part in stems)
    mixed = np.stack([dry[0] + left[2], dry[1] + right[3]], axis=1)[: synthesizer.frames]
    assert np.allclose(mixed, render(piece), atol=1e-6)


def test_chunks_can_be_rendered_in_any_order() -> None:
    performance = perform(random_chorale(8, steps=40))
    in_order, alone = (Synthesizer(performance, Mix(sound="organ")) for _ in range(2))

    made = [in_order.stems(chunk) for chunk in range(4)]

    assert np.array_equal(alone.stems(3), made[3])
    assert np.array_equal(alone.stems(0), made[0])


def test_the_first_block_of_the_longest_piece_needs_little_memory() -> None:
    """At most 40 MB; the whole sound has more than 2 GB."""
    piece = random_chorale(9, steps=MAX_STEPS)
    next(blocks(piece))
    tracemalloc.start()
    try:
        for _number, _block in zip(range(3), blocks(piece), strict=False):
            pass
        assert tracemalloc.get_traced_memory()[1] < 40e6
    finally:
        tracemalloc.stop()


def test_voices_are_panned_by_the_mixer() -> None:
    piece = random_chorale(10)
    for voice, side in ((Voice.SOPRANO, 1), (Voice.BASS, -1)):
        left, right = (render(piece, _only(voice, Mix())).astype(float) ** 2).sum(axis=0)
        assert np.sign(left - right) == side


def test_the_voices_have_similar_levels() -> None:
    piece = Chorale.of([[72, 65, 60, 48]] * 64)
    for sound in SOUNDS:
        levels = sorted(
            _level(render(piece, _only(voice, Mix(sound=sound))), 1, 10) for voice in Voice
        )
        assert levels[-1] - levels[0] < 9


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("pitch", [0, 36, 60, 81, 127])
def test_no_partial_lies_above_half_the_sample_rate(sound: Sound, pitch: int) -> None:
    for row, source in zip(
        wavetables(sound, Voice.BASS, pitch, 44_100),
        TIMBRES[sound].sources[Voice.BASS],
        strict=True,
    ):
        amplitudes = np.abs(np.fft.rfft(row[:TABLE_SIZE]))
        present = np.flatnonzero(amplitudes > 1e-4 * amplitudes.max())
        assert present.min() == 1
        assert present.max() * frequency_hz(pitch, source) < max(
            0.45 * 44_100, frequency_hz(pitch, source) + 1
        )


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_impulse_response_has_energy_one_and_decays(rate: int) -> None:
    response = impulse_response(rate)
    assert (response**2).sum(axis=1) == pytest.approx([1, 1], rel=1e-4)
    energy = (response.astype(float) ** 2).reshape(2, 64, -1).sum(axis=2)
    assert (energy[:, -1] < 1e-6 * energy.max(axis=1)).all()


def test_reverb_continues_across_chunks() -> None:
    before, now = np.zeros((2, 1, LENGTH), dtype=np.float32)
    before[0, 60_000] = 1
    quiet = np.zeros((1, LENGTH), dtype=np.float32)

    first = reverberate(quiet, before, 44_100)
    second = reverberate(before, now, 44_100)

    wet = np.concatenate([first, second], axis=-1)
    assert np.allclose(wet[:, 60_000 : 60_000 + LENGTH], impulse_response(44_100), atol=1e-6)
    assert np.abs(wet[:, :60_000]).max() < 1e-6


def _samples(path: Path) -> tuple[int, np.ndarray]:
    """Read the sample rate and the samples, int16 (frames, 2)."""
    with wave.open(str(path), "rb") as file:
        assert (file.getnchannels(), file.getsampwidth()) == (2, 2)
        content = file.readframes(file.getnframes())
        assert len(content) == 4 * file.getnframes()
        return file.getframerate(), np.frombuffer(content, dtype="<i2").reshape(-1, 2)


def test_the_file_holds_the_rendered_sound(tmp_path: Path) -> None:
    mix, style = Mix(sound="organ"), Style(tempo_factor=2)
    expected = render(minuet(), mix, style=style) * 32_767
    audio_file.write(minuet(), tmp_path / "dithered.wav", mix=mix, style=style)

    rate, samples = _samples(tmp_path / "dithered.wav")
    error = samples - expected
    assert rate == RATE
    assert np.abs(error).max() <= 1.5
    assert abs(error.mean()) < 0.01


def test_the_same_piece_gives_the_same_file_and_silence_a_silent_one(tmp_path: Path) -> None:
    for name in ("a.wav", "b.wav"):
        audio_file.write(minuet(), tmp_path / name)
    assert (tmp_path / "a.wav").read_bytes() == (tmp_path / "b.wav").read_bytes()

    audio_file.write(Chorale.of(np.full((4, 4), REST)), tmp_path / "rest.wav")
    assert not _samples(tmp_path / "rest.wav")[1].any()


def test_the_suffix_wav_writes_sound_and_cannot_be_read(tmp_path: Path) -> None:
    """Through the table of formats; folders are created."""
    path = tmp_path / "new" / "Minuet.WAV"

    files.write(minuet(), path)

    assert len(_samples(path)[1]) > 44_100
    assert [found.name for found in path.parent.iterdir()] == ["Minuet.WAV"]
    with pytest.raises(UsageError, match=r"cannot read .*Minuet\.WAV"):
        files.read(path)


@pytest.mark.parametrize("suffix", [".mp3", ".ogg"])
def test_compressed_files_hold_the_rendered_sound(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"minuet{suffix}"
    files.write(minuet(), path)
    expected = render(minuet())

    samples, rate = soundfile.read(path, dtype="float32")
    assert rate == RATE
    assert len(samples) == len(expected)
    loudness = np.square(expected).mean()
    assert np.square(samples - expected).mean() < 0.01 * loudness  # 20 dB below the sound


def test_a_missing_encoder_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "soundfile", None)
    with pytest.raises(
        FileError, match=r"soundfile cannot be loaded .* choose a name that ends in"
    ):
        files.write(minuet(), tmp_path / "a.mp3")
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(b"old")

    def interrupt(*_arguments: object, **_named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(audio_file, "_rounded", interrupt)
    with pytest.raises(KeyboardInterrupt):
        audio_file.write(minuet(), path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_piece_longer_than_a_wav_file_is_refused_before_any_work(tmp_path: Path) -> None:
    endless = Chorale.of(np.full((MAX_STEPS, 4), 60), tempo=5)
    with pytest.raises(DataError, match="lasts 819 minutes: a WAV file holds at most 406"):
        audio_file.write(endless, tmp_path / "a.wav")
    assert list(tmp_path.iterdir()) == []
