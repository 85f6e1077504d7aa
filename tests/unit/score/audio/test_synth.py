"""The synthesizer: no clicks, no clipping, silence where told, the same bytes each time."""

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
from musicrel.score.audio.timbre import TIMBRES, Samples, Sound
from musicrel.score.performance import Style, perform
from tests.helpers.music import random_chorale

RATE = 44_100
SOUNDS: tuple[Sound, ...] = ("organ", "choir")
DRY = Mix(room=0)
STEPS = 16


def _line(voice: Voice, *pitches: int) -> Chorale:
    """Notes of a bar each in one voice, repeats struck again; a bar lasts three seconds."""
    grid = np.full((STEPS * len(pitches), 4), REST)
    grid[:, voice] = np.repeat(pitches, STEPS)
    onsets = np.zeros(grid.shape, dtype=np.bool_)
    onsets[::STEPS, voice] = np.array(pitches) != REST
    return Chorale.of(grid, onsets=onsets, tempo=80)


def _only(voice: Voice, mix: Mix) -> Mix:
    strips = (replace(strip, mute=at != voice) for at, strip in enumerate(mix.strips))
    return replace(mix, strips=tuple(strips))


def _sharpest(sound: Samples, start: float, stop: float) -> float:
    """The largest second difference between two seconds: what a click is made of."""
    part = sound[int(start * RATE) : int(stop * RATE)].astype(np.float64)
    return float(np.abs(np.diff(part, 2, axis=0)).max())


def _level(sound: Samples, start: float, stop: float) -> float:
    """Decibels between two seconds."""
    part = sound[int(start * RATE) : int(stop * RATE)].astype(np.float64)
    return float(10 * np.log10((part**2).mean() + 1e-20))


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize(
    ("voice", "pitches"),
    [(Voice.SOPRANO, (72, 74, 74, REST, 67)), (Voice.TENOR, (60, 55, 55, REST, 50))],
    ids=str,
)
def test_no_note_begins_or_ends_with_a_click(
    sound: Sound, voice: Voice, pitches: tuple[int, ...]
) -> None:
    """Around an edge the wave is no sharper than twice what it is within the notes."""
    heard = render(_line(voice, *pitches), replace(DRY, sound=sound))

    within = max(_sharpest(heard, 3 * bar + 1, 3 * bar + 2.6) for bar in (0, 1, 2, 4))
    edges = [_sharpest(heard, max(3 * bar - 0.2, 0), 3 * bar + 0.5) for bar in range(6)]
    assert max(edges) < 2 * within


def test_a_hard_cut_would_have_been_noticed() -> None:
    """The measure above tells a note cut off at its loudest moment from one that dies away."""
    heard = render(_line(Voice.SOPRANO, 72), DRY).copy()
    loudest = int(1.5 * RATE) + int(np.abs(heard[int(1.5 * RATE) : int(1.6 * RATE), 0]).argmax())
    within = _sharpest(heard, 1, 1.4)
    heard[loudest:] = 0

    assert _sharpest(heard, 1.4, 1.7) > 4 * within


@pytest.mark.parametrize("sound", SOUNDS)
def test_four_loud_voices_stay_below_full_scale(sound: Sound) -> None:
    """With every volume at its highest; as usually set they do not reach the limiter."""
    loud = Mix(sound=sound, volume=LOUDEST, room=1, strips=(Strip(volume=LOUDEST),) * 4)
    piece = random_chorale(3, steps=64)

    assert 0.9 < np.abs(render(piece, loud)).max() <= 0.98
    assert 0.2 < np.abs(render(piece, Mix(sound=sound))).max() < 0.7


def test_what_is_muted_is_silent_exactly() -> None:
    """All muted is zero throughout; one muted sounds as if it were not there."""
    piece = random_chorale(4)
    without = piece.pitches.copy()
    without[:, Voice.ALTO] = REST
    muted = (replace(strip, mute=at == Voice.ALTO) for at, strip in enumerate(Mix().strips))

    assert not render(piece, Mix(strips=(Strip(mute=True),) * 4)).any()
    assert np.array_equal(
        render(piece, Mix(strips=tuple(muted))),
        render(replace(piece, pitches=without, onsets=piece.onsets & (without != REST))),
    )


def test_a_piece_of_rests_is_silent_exactly() -> None:
    """No breath without a note."""
    assert not render(Chorale.of(np.full((16, 4), REST))).any()


@pytest.mark.parametrize("sound", SOUNDS)
def test_the_same_piece_gives_the_same_bytes(sound: Sound) -> None:
    """Twice the same, and not the same as another."""
    piece, mix = random_chorale(5), Mix(sound=sound)

    first = render(piece, mix).tobytes()

    assert render(piece, mix).tobytes() == first
    assert render(piece.transposed(1), mix).tobytes() != first


@pytest.mark.parametrize("size", [1000, 48_000, LENGTH, LENGTH + 1, 10**7])
def test_the_size_of_the_blocks_changes_nothing(size: int) -> None:
    """To the bit; all blocks but the last are of that size."""
    piece = random_chorale(6, steps=20)

    parts = list(blocks(piece, size=size))

    assert np.array_equal(np.concatenate(parts), render(piece))
    assert {len(part) for part in parts[:-1]} <= {size}
    assert 0 < len(parts[-1]) <= size


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_note_across_a_border_of_pieces_has_no_seam(sound: Sound) -> None:
    """A held note is as smooth there as elsewhere."""
    heard = render(_line(Voice.ALTO, 65, 65), Mix(sound=sound))
    border = LENGTH / RATE

    assert _sharpest(heard, border - 0.001, border + 0.001) < _sharpest(heard, 0.7, 2.7)


@pytest.mark.parametrize("sound", SOUNDS)
def test_a_repeated_note_is_heard_as_two(sound: Sound) -> None:
    """The level falls by more than 10 decibels between them, in a room by more than 2."""
    piece = _line(Voice.SOPRANO, 72, 72)

    for mix, fall in ((replace(DRY, sound=sound), 10), (Mix(sound=sound), 2)):
        heard = render(piece, mix)
        gap = min(_level(heard, at, at + 0.02) for at in np.arange(2.9, 3.06, 0.01))
        assert gap < min(_level(heard, 2.0, 2.8), _level(heard, 3.15, 4.0)) - fall


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize(("voice", "pitch"), list(zip(Voice, (76, 65, 57, 43), strict=True)))
def test_a_note_sounds_at_its_pitch(sound: Sound, voice: Voice, pitch: int) -> None:
    """The strongest frequencies are whole multiples of it, within a sixth of a semitone."""
    heard = render(_line(voice, pitch), replace(DRY, sound=sound)).sum(axis=1)[RATE : 2 * RATE]
    spectrum = np.abs(np.fft.rfft(heard * np.hanning(len(heard))))
    octave = min(source.octave for source in TIMBRES[sound].sources[voice])

    multiple = spectrum.argmax() / (440 * 2 ** ((pitch - 69) / 12) * octave)

    assert multiple == pytest.approx(round(multiple), rel=0.01)


def test_the_room_rings_on_after_the_last_note_and_then_is_silent() -> None:
    """The sound is longer than the piece and ends in nothing that could be cut off."""
    heard = render(_line(Voice.BASS, 48))

    assert len(heard) == 3 * RATE + LENGTH
    assert _level(heard, 3.3, 3.6) > -60
    assert np.abs(heard[-500:]).max() < 1e-4
    assert not render(_line(Voice.BASS, 48), DRY)[-LENGTH // 2 :].any()


def test_stems_times_gains_are_the_mix() -> None:
    """What the player mixes while it plays is what is rendered."""
    piece = random_chorale(7, steps=12)
    table = gains(Mix())
    synthesizer = Synthesizer(perform(piece), "choir")

    stems = np.concatenate([synthesizer.stems(at) for at in range(synthesizer.pieces)], axis=-1)

    dry, left, right = (np.einsum("gv,vn->gn", table, part) for part in stems)
    mixed = np.stack([dry[0] + left[2], dry[1] + right[3]], axis=1)[: synthesizer.frames]
    assert np.allclose(mixed, render(piece), atol=1e-6)


def test_any_piece_can_be_made_alone() -> None:
    """The third before the first is the third after the second."""
    performance = perform(random_chorale(8, steps=40))
    in_order, alone = Synthesizer(performance, "organ"), Synthesizer(performance, "organ")

    made = [in_order.stems(piece) for piece in range(4)]

    assert np.array_equal(alone.stems(3), made[3])
    assert np.array_equal(alone.stems(0), made[0])


@pytest.mark.parametrize("rate", [44_100, 48_000])
def test_the_rate_and_the_style_say_how_long_it_is(rate: int) -> None:
    """Played twice as fast it is half as long, the room's ringing aside."""
    heard = render(_line(Voice.ALTO, 60), style=Style(tempo_factor=2), rate=rate)

    assert len(heard) == 1.5 * rate + LENGTH
    assert heard.shape[1] == 2
    assert heard.dtype == np.float32


def test_the_first_block_of_the_longest_piece_needs_little_memory() -> None:
    """Forty megabytes at most, where the whole would be more than two thousand."""
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
    """Other programs' files hold them."""
    heard = render(_line(Voice.SOPRANO, pitch))

    assert np.isfinite(heard).all()
    assert heard.any()


def test_voices_stand_where_the_mixer_puts_them() -> None:
    """The soprano is louder to the left, the bass to the right."""
    piece = random_chorale(10)

    for voice, side in ((Voice.SOPRANO, 1), (Voice.BASS, -1)):
        left, right = (render(piece, _only(voice, Mix())).astype(float) ** 2).sum(axis=0)
        assert np.sign(left - right) == side


def test_what_cannot_be_rendered_is_refused() -> None:
    """The sentence names what was expected."""
    with pytest.raises(UsageError, match="the sample rate is 8000: expected 44100 or 48000"):
        render(random_chorale(1), rate=8000)
    with pytest.raises(UsageError, match="the size of a block is 0: expected 1 sample or more"):
        next(blocks(random_chorale(1), size=0))


def test_the_levels_of_the_voices_are_alike() -> None:
    """None is more than nine decibels louder than another."""
    piece = Chorale.of([[72, 65, 60, 48]] * 64)
    for sound in SOUNDS:
        levels = sorted(
            _level(render(piece, _only(voice, Mix(sound=sound))), 1, 10) for voice in Voice
        )
        assert levels[-1] - levels[0] < 9
