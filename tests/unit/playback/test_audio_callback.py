"""The stem reader and the mixer: they never click."""

from __future__ import annotations

from weakref import ref

import numpy as np
import pytest

from musicrel.playback.audio_callback import FADE, Mixer, StemReader
from musicrel.score.audio.mixer import Mix, Strip, gains
from musicrel.score.audio.timbre import Samples


class Constant:
    """Stems of one value throughout."""

    def __init__(self, value: float) -> None:
        self.value = value

    def read(self, position: int, frames: int) -> Samples:
        """Return the value at any position."""
        assert position >= 0
        return np.full((3, 4, frames), self.value, dtype=np.float32)


class Ramp:
    """Stems whose value is the position."""

    def read(self, position: int, frames: int) -> Samples:
        """Return the frame numbers."""
        return np.broadcast_to(
            np.arange(position, position + frames, dtype=np.float32), (3, 4, frames)
        ).copy()


def _steepest(sound: Samples) -> float:
    return float(np.abs(np.diff(sound, axis=-1)).max())


def test_what_follows_on_is_read_as_it_is() -> None:
    """Contiguous reads are unchanged after the first fade-in."""
    reader, tape = StemReader(), Ramp()
    reader.read(tape, 0, 2 * FADE)

    assert np.array_equal(reader.read(tape, 2 * FADE, 100), tape.read(2 * FADE, 100))


def test_a_start_a_pause_and_an_exchange_fade() -> None:
    """No two samples differ by more than the fade's steepest slope."""
    reader, one, other = StemReader(), Constant(1.0), Constant(-1.0)
    parts_read = [
        reader.read(one, 0, 3000),
        reader.read(None, 3000, 3000),
        reader.read(one, 3000, 3000),
        reader.read(other, 6000, 3000),
    ]

    sound = np.concatenate(parts_read, axis=-1)

    assert _steepest(sound) < 2 * 2 / FADE
    assert [sound[0, 0, at] for at in (2999, 5999, 8999, 11_999)] == [1, 0, 1, -1]


def test_a_fade_goes_on_over_small_blocks() -> None:
    """The block size has no effect."""
    whole, parts, tape = StemReader(), StemReader(), Constant(0.5)

    parts_read = np.concatenate([parts.read(tape, at, 100) for at in range(0, 3000, 100)], axis=-1)

    assert np.array_equal(parts_read, whole.read(tape, 0, 3000))


def test_a_jump_fades_from_the_sound_that_would_have_followed() -> None:
    """Half way the two are equally loud."""
    reader, tape = StemReader(), Ramp()
    reader.read(tape, 0, FADE)

    jumped = reader.read(tape, 100_000, FADE)[0, 0]

    assert jumped[0] == pytest.approx(FADE, abs=1)
    assert jumped[-1] == pytest.approx(100_000 + FADE - 1, abs=1)
    assert jumped[FADE // 2] == pytest.approx((100_000 + 2 * FADE) / 2, rel=0.01)


def test_a_source_that_has_faded_out_is_no_longer_held() -> None:
    """A tape takes tens of megabytes."""
    reader, first = StemReader(), Constant(1.0)
    known = ref(first)
    reader.read(first, 0, 2 * FADE)
    del first

    reader.read(None, 0, FADE - 1)
    assert known() is not None  # its fade has not ended
    reader.read(None, 0, 1)
    assert known() is None


def _muted() -> Mix:
    return Mix(strips=(Strip(mute=True),) * 4)


def test_gains_slide_and_arrive_exactly() -> None:
    """Muted within a tenth of a second, to exactly zero, without a step."""
    usual, nothing = gains(Mix()), gains(_muted())
    mixer, stems = Mixer(usual), Constant(1.0).read(0, 4800)
    before = mixer.mix(stems, usual)

    after = mixer.mix(stems, nothing)

    assert _steepest(np.concatenate([before, after]).T) < 0.001
    assert not after[-1].any()
    assert not mixer.mix(stems, nothing).any()


def test_the_size_of_the_blocks_changes_nothing_while_gains_slide() -> None:
    """A device may ask for any number of frames."""
    usual, nothing = gains(Mix()), gains(_muted())
    stems = Constant(0.5).read(0, 4000)
    whole, parts = Mixer(usual), Mixer(usual)

    parts_read = [parts.mix(stems[..., at : at + 50], nothing) for at in range(0, 4000, 50)]

    assert np.allclose(np.concatenate(parts_read), whole.mix(stems, nothing), atol=1e-5)


def test_the_mix_never_exceeds_full_scale() -> None:
    """For any input."""
    mixer = Mixer(gains(Mix()))

    assert np.abs(mixer.mix(Constant(50.0).read(0, 100), gains(Mix()))).max() <= 0.97


def test_no_frames_are_no_sound() -> None:
    """A device may request none."""
    assert Mixer(gains(Mix())).mix(Constant(1.0).read(0, 0), gains(_muted())).shape == (0, 2)
