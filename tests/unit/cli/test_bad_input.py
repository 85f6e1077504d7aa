"""``musicrel harmonise`` of real files, which are no clean melodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import mido
import numpy as np
import pytest

from musicrel.chorale import RANGES, REST, Chorale, Meter, Voice
from musicrel.cli.main import main
from musicrel.model import checkpoint
from musicrel.score import files
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.models import tiny_card, tiny_config, tiny_model

Capture = pytest.CaptureFixture[str]

QUARTER = 480
TUNE = [67, 69, 71, 72, 71, 69, 67, 67]


class Key(NamedTuple):
    """A note: start and stop in quarters, pitch, and the number of its track."""

    start: float
    stop: float
    pitch: int
    track: int = 0


def line(pitches: list[int], length: float = 1, start: float = 0) -> list[Key]:
    """Return consecutive notes."""
    return [
        Key(start + place * length, start + (place + 1) * length, pitch)
        for place, pitch in enumerate(pitches)
    ]


def meter(quarter: float, numerator: int) -> tuple[float, mido.MetaMessage]:
    """Return a time signature over quarters, and its position."""
    return quarter, mido.MetaMessage("time_signature", numerator=numerator, denominator=4)


def tempo(quarter: float, value: float) -> tuple[float, mido.MetaMessage]:
    """Return a tempo in quarters per minute, and its position."""
    return quarter, mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(value))


def midi(path: Path, keys: list[Key], *messages: tuple[float, mido.MetaMessage]) -> Path:
    """Write a MIDI file with ``messages`` in its first track."""
    file = mido.MidiFile(ticks_per_beat=QUARTER)
    for number in range(max([key.track for key in keys], default=0) + 1):
        events: list[tuple[float, int, Any]] = [
            (at, 0, message) for at, message in messages if not number
        ]
        for start, stop, pitch, track in keys:
            if track == number:
                events.append((start, 2, mido.Message("note_on", note=pitch)))
                events.append(
                    (stop, 1 if stop > start else 3, mido.Message("note_off", note=pitch))
                )
        track_, now = mido.MidiTrack(), 0
        for at, _, message in sorted(events, key=lambda event: event[:2]):
            track_.append(message.copy(time=round(at * QUARTER) - now))
            now = round(at * QUARTER)
        file.tracks.append(track_)
    file.save(path)
    return path


PIANO = [
    *(Key(key.start, key.stop, key.pitch + lower, lower // -12) for key in line(TUNE)
      for lower in (0, -4, -12, -24)),
]  # fmt: skip


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Save an infilling model with random weights."""
    folder = tmp_path_factory.mktemp("models") / "tiny-infill"
    conditions = tuple(name for name in CONDITIONS if name != "voice")
    network = tiny_model(tiny_config("relative", conditions=conditions, family="infill"))
    checkpoint.save(folder, network, tiny_card(network))
    return folder


def harmonised(capsys: Capture, model: Path, source: Path, *words: str) -> tuple[Chorale, str]:
    """Harmonise ``source``; return the piece and the messages."""
    out = source.with_name("out.json")
    options = ["--model", str(model), "--quality", "draft", *words, "--out", str(out)]
    code = main(["harmonise", str(source), *options])
    printed = capsys.readouterr().err
    assert code == 0, printed
    return files.read(out), printed


@pytest.mark.parametrize(
    ("keys", "messages", "sentence"),
    [
        pytest.param(line([p - 36 for p in TUNE]), (), "transposed up by 3 octaves", id="too low"),
        pytest.param(line([p + 36 for p in TUNE]), (), "down by 3 octaves", id="too high"),
        pytest.param(
            line([24, 108, 36, 96]), (), "notes outside the range of the voice were transposed by "
            "octaves in bar 1", id="wide",
        ),
        pytest.param(
            [Key(k.start, k.stop, k.pitch - d) for k in line(TUNE) for d in (0, 4, 7)], (),
            "chords within one voice were reduced to the outer note in bars 1 and 2", id="chords",
        ),
        pytest.param(
            [Key(k.start, k.stop + 0.4, k.pitch) for k in line([67, 69, 71, 72])], (),
            "overlapping notes were shortened in bar 1", id="overlapping",
        ),
        pytest.param(
            [Key(k.start, k.start + k.start % 2, k.pitch) for k in line(TUNE)], (),
            "notes of zero length were left out in bars 1 and 2", id="without length",
        ),
        pytest.param(
            line(TUNE * 2), (meter(0, 4), meter(8, 3)),
            "meter changes (3/4 from bar 3) were dropped: 4/4 throughout", id="meters",
        ),
        pytest.param(
            line(TUNE * 2), (tempo(0, 120), tempo(8, 80)),
            "tempo changes in bar 3 were dropped: 120 throughout", id="tempos",
        ),
        pytest.param(
            line([60 + n for n in range(12)], 1 / 3), (), "(triplets?) were quantised in "
            "bar 1", id="triplets",
        ),
        pytest.param(
            PIANO, (), "of its 3 lines with notes the one on track 1", id="piano",
        ),
    ],
)  # fmt: skip
def test_changes_are_reported_and_the_rest_is_harmonised(
    keys: list[Key],
    messages: tuple[Any, ...],
    sentence: str,
    *,
    model: Path,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    """A sentence on standard error names the change."""
    piece, printed = harmonised(capsys, model, midi(tmp_path / "tune.mid", keys, *messages))

    assert sentence in printed
    assert (piece.pitches[:, 0] != REST).any()
    assert (piece.pitches[:, 1:] != REST).any()


def test_a_pickup_is_read_from_rests_or_a_short_bar(
    model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Rests that are left out are named."""
    hymn = midi(tmp_path / "hymn.mid", line(TUNE, start=2), meter(0, 3))
    first, printed = harmonised(capsys, model, hymn)
    assert (first.pickup, first.meter, first.steps) == (4, Meter(3, 4), 32)
    assert printed == "hymn.mid: 2 quarters of silence before the first note were removed\n"

    pickup = midi(tmp_path / "pickup.mid", line(TUNE), meter(0, 1), meter(1, 3))
    second, printed = harmonised(capsys, model, pickup)
    assert (second.pickup, second.meter, second.steps, printed) == (4, Meter(3, 4), 32, "")


@pytest.mark.parametrize("keys", [[], [Key(n, n, 60) for n in range(4)]], ids=["empty", "lengths"])
def test_a_file_without_notes_is_refused(
    keys: list[Key], model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """Nothing is written."""
    source = midi(tmp_path / "tune.mid", keys)
    words = ["--model", str(model), "--out", str(tmp_path / "out.mid")]
    assert main(["harmonise", str(source), *words]) == 1
    assert "it has no notes: expected a melody" in capsys.readouterr().err
    assert not (tmp_path / "out.mid").exists()


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    """Write forty minutes at 120 quarters per minute."""
    return midi(tmp_path / "long.mid", line(TUNE * 600))


@pytest.mark.slow
def test_a_passage_of_forty_minutes_is_rewritten(
    long_file: Path, model: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The piece is truncated, which a message reports."""
    out = tmp_path / "out.json"
    words = ["--voices", "A,T", "--steps", "0:16", "--quality", "draft", "--out", str(out)]
    assert main(["infill", str(long_file), "--model", str(model), *words]) == 0

    printed = capsys.readouterr().err
    assert "too long for a piece: the first 16,384 were kept" in printed
    assert "long.mid: it is too long, only its first 255 bars are used" in printed
    piece = files.read(out)
    assert piece.bars == 255
    low, high = RANGES[Voice.ALTO]
    alto = piece.pitches[:, Voice.ALTO]
    assert np.isin(alto, [REST, *range(low, high + 1)]).all()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["continue", "LONG"], "the piece would have 1,028 bars: expected at most 256 of 4/4"),
        (
            ["generate", "--from", "LONG", "--rewrite", "alto:1"],
            "the piece has 1,024 bars: expected at most 256 of 4/4",
        ),
    ],
)
def test_forty_minutes_are_too_long_to_continue_or_rewrite(
    words: list[str],
    sentence: str,
    *,
    long_file: Path,
    model: Path,
    tmp_path: Path,
    capsys: Capture,
) -> None:
    """The exit code is 2."""
    options = [str(long_file) if word == "LONG" else word for word in words]
    code = main([*options, "--model", str(model), "--out", str(tmp_path / "out.mid")])
    assert code == 2
    assert sentence in capsys.readouterr().err
