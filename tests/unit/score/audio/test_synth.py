"""The synthesizer: no clicks, no clipping, exact silence, deterministic output."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, REST, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.score.audio.mixer import LOUDEST, Mix, Strip, gains
from musicrel.score.audio.reverb import LENGTH
from musicrel.score.audio.synth import Synthesizer, blocks, render
from musicrel.score.audio.timbre import TIMBRES, Samples
from musicrel.score.instruments import Sound
from musicrel.score.performance import Style, perform
from tests.helpers.music import random_chorale

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
    """The sharpness at the edges is below twice that within the notes."""
    rendered = render(_line(voice, *pitches), replace(DRY, sound=sound))

    within = max(_sharpest(rendered, 3 * bar + 1, 3 * bar + 2.6) for bar in (0, 1, 2, 4))
    edges = [_sharpest(rendered, max(3 * bar - 0.2, 0), 3 * bar + 0.5) for bar in range(6)]
    assert max(edges) < 2 * within


def test_a_hard_cut_is_detected_as_a_click() -> None:
    """The measure above distinguishes it from a release."""
    rendered = render(_line(Voice.SOPRANO, 72), DRY).copy()
    loudest = int(1.5 * RATE) + int(np.abs(rendered[int(1.5 * RATE) : int(1.6 * RATE), 0]).argmax())
    within = _sharpest(rendered, 1, 1.4)
    rendered[loudest:] = 0

    assert _sharpest(rendered, 1.4, 1.7) > 4 * within


@pytest.mark.parametrize("sound", SOUNDS)
def test_four_loud_voices_stay_below_full_scale(sound: Sound) -> None:
    """At the highest volumes; by default they do not reach the limiter."""
    loud = Mix(sound=sound, volume=LOUDEST, reverb=1, strips=(Strip(volume=LOUDEST),) * 4)
    piece = random_chorale(3, steps=64)

    assert 0.9 < np.abs(render(piece, loud)).max() <= 0.98
    assert 0.2 < np.abs(render(piece, Mix(sound=sound))).max() < 0.7


def test_muted_voices_are_exactly_silent() -> None:
    """All muted is zero throughout; one muted equals a piece without it."""
    piece = random_chorale(4)
    without = piece.pitches.copy()
    without[:, Voice.ALTO] = REST
    muted = (replace(strip, mute=at == Voice.ALTO) for at, strip in enumerate(Mix().strips))

    assert not render(piece, Mix(strips=(Strip(mute=True),) * 4)).any()
    assert np.array_equal(
        render(piece, Mix(strips=tuple(muted))),
        render(replace(piece, pitches=without, onsets=piece.onsets & (without != REST))),
    )


def test_a_piece_of_rests_is_exactly_silent() -> None:
    """There is no breath noise without notes."""
    assert not render(Chorale.of(np.full((16, 4), REST))).any()


@pytest.mark.parametrize("sound", SOUNDS)
def test_the_same_piece_gives_the_same_bytes(sound: Sound) -> None:
    """Another piece gives other bytes."""
    piece, mix = random_chorale(5), Mix(sound=sound)

    first = render(piece, mix).tobytes()

    assert render(piece, mix).tobytes() == first
    assert render(piece.transposed(1), mix).tobytes() != first


@pytest.mark.parametrize("size", [1000, 48_000, LENGTH, LENGTH + 1, 10**7])
def test_the_sound_does_not_depend_on_the_block_size(size: int) -> None:
    """Bit for bit; all blocks but the last have that size."""
    piece = random_chorale(6, steps=20)

    parts = list(blocks(piece, size=size))

    assert np.array_equal(np.concatenate(parts), render(piece))
    assert {len(part) for part in parts[:-1]} <= {size}
    assert 0 < len(parts[-1]) <= size


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_note_across_chunks_is_smooth(sound: Sound) -> None:
    """A long note has no click at the border."""
    rendered = render(_line(Voice.ALTO, 65, 65), Mix(sound=sound))
    border = LENGTH / RATE

    assert _sharpest(rendered, border - 0.001, border + 0.001) < _sharpest(rendered, 0.7, 2.7)


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_repeated_note_is_audible_as_two(sound: Sound) -> None:
    """The level falls by more than 10 dB between them, with reverb by more than 2."""
    piece = _line(Voice.SOPRANO, 72, 72)

    for mix, fall in ((replace(DRY, sound=sound), 10), (Mix(sound=sound), 2)):
        rendered = render(piece, mix)
        gap = min(_level(rendered, at, at + 0.02) for at in np.arange(2.9, 3.06, 0.01))
        assert gap < min(_level(rendered, 2.0, 2.8), _level(rendered, 3.15, 4.0)) - fall


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize(("voice", "pitch"), list(zip(Voice, (76, 65, 57, 43), strict=True)))
def test_a_note_sounds_at_its_pitch(sound: Sound, voice: Voice, pitch: int) -> None:
    """The strongest frequency is a multiple of it, within a sixth of a semitone."""
    rendered = render(_line(voice, pitch), replace(DRY, sound=sound)).sum(axis=1)[RATE : 2 * RATE]
    spectrum = np.abs(np.fft.rfft(rendered * np.hanning(len(rendered))))
    octave = min(source.octave for source in TIMBRES[sound].sources[voice])

    multiple = spectrum.argmax() / (440 * 2 ** ((pitch - 69) / 12) * octave)

    assert multiple == pytest.approx(round(multiple), rel=0.01)


def test_the_reverb_decays_to_silence_after_the_last_note() -> None:
    """The sound is longer than the piece and ends without a cut."""
    rendered = render(_line(Voice.BASS, 48))

    assert len(rendered) == 3 * RATE + LENGTH
    assert _level(rendered, 3.3, 3.6) > -60
    assert np.abs(rendered[-500:]).max() < 1e-4
    assert not render(_line(Voice.BASS, 48), DRY)[-LENGTH // 2 :].any()


def test_stems_times_gains_are_the_mix() -> None:
    """The mix of the player equals the rendered one."""
    piece = random_chorale(7, steps=12)
    table = gains(Mix())
    synthesizer = Synthesizer(perform(piece), Mix())

    stems = np.concatenate([synthesizer.stems(at) for at in range(synthesizer.chunks)], axis=-1)

    dry, left, right = (np.einsum("gv,vn->gn", table, part) for part in stems)
    mixed = np.stack([dry[0] + left[2], dry[1] + right[3]], axis=1)[: synthesizer.frames]
    assert np.allclose(mixed, render(piece), atol=1e-6)


def test_chunks_can_be_rendered_in_any_order() -> None:
    """The result does not depend on earlier chunks."""
    performance = perform(random_chorale(8, steps=40))
    in_order, alone = (Synthesizer(performance, Mix(sound="organ")) for _ in range(2))

    made = [in_order.stems(chunk) for chunk in range(4)]

    assert np.array_equal(alone.stems(3), made[3])
    assert np.array_equal(alone.stems(0), made[0])


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_length_follows_from_rate_and_style(rate: int) -> None:
    """Twice the tempo halves the length, except for the reverb."""
    rendered = render(_line(Voice.ALTO, 60), style=Style(tempo_factor=2), rate=rate)

    assert len(rendered) == 1.5 * rate + LENGTH
    assert rendered.shape[1] == 2
    assert rendered.dtype == np.float32


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


@pytest.mark.parametrize("pitch", [0, 127])
def test_every_midi_number_sounds(pitch: int) -> None:
    """Files of other programs may contain any."""
    rendered = render(_line(Voice.SOPRANO, pitch))

    assert np.isfinite(rendered).all()
    assert rendered.any()


def test_voices_are_panned_by_the_mixer() -> None:
    """The soprano is louder to the left, the bass to the right."""
    piece = random_chorale(10)

    for voice, side in ((Voice.SOPRANO, 1), (Voice.BASS, -1)):
        left, right = (render(piece, _only(voice, Mix())).astype(float) ** 2).sum(axis=0)
        assert np.sign(left - right) == side


def test_an_invalid_rate_or_block_size_is_refused() -> None:
    """The message names the expected values."""
    with pytest.raises(UsageError, match="the sample rate is 8000: expected 44100 or 48000"):
        render(random_chorale(1), rate=8000)
    with pytest.raises(UsageError, match="the size of a block is 0: expected 1 sample or more"):
        next(blocks(random_chorale(1), size=0))


def test_the_voices_have_similar_levels() -> None:
    """They differ by less than 9 dB."""
    piece = Chorale.of([[72, 65, 60, 48]] * 64)
    for sound in SOUNDS:
        levels = sorted(
            _level(render(piece, _only(voice, Mix(sound=sound))), 1, 10) for voice in Voice
        )
        assert levels[-1] - levels[0] < 9
