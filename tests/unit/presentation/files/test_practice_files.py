"""Practice files: one for each voice, with metronome and count-in."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale, Voice
from musicrel.errors import DataError, FileError, UsageError
from musicrel.jobs import Job
from musicrel.presentation.files import practice_files, take_files
from musicrel.presentation.files.practice_files import PracticeFiles, PracticeProgress, Sounding
from musicrel.presentation.files.take_files import NamedPiece, TakeFile, TakeProgress
from musicrel.score import files
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix, Strip
from musicrel.score.midi.midi_writer import Practice
from musicrel.score.performance import Style

PIECE = Chorale.of([[72, 67, 64, 48]] * 8, tempo=120, title="Kyrie")
ALL = tuple(Practice(voice=voice) for voice in Voice)
PLAIN = Style(fermata_stretch=1.0)


def _sound(path: Path) -> np.ndarray:
    """Return the samples of a WAV file, int16 (frames, 2)."""
    with wave.open(str(path), "rb") as file:
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").reshape(-1, 2)


def _partial(sound: np.ndarray, pitch: int) -> float:
    """Return the strength of the first partial of ``pitch`` in half a second of ``sound``."""
    part = sound[11_025 : 11_025 + 22_050].mean(axis=1) * np.hanning(22_050)
    hertz = 440 * 2 ** ((pitch - 69) / 12)
    spectrum = np.abs(np.fft.rfft(part))
    return float(spectrum[round(hertz / 2) - 3 : round(hertz / 2) + 4].max())


def test_there_is_a_file_for_each_voice(tmp_path: Path) -> None:
    wanted = PracticeFiles(folder=tmp_path, title="Kyrie", suffix=".mid", versions=ALL)
    events: list[PracticeProgress] = []

    paths = jobs.run(practice_files.write(PIECE, wanted), events.append)

    assert [path.name for path in paths] == [
        "Kyrie – Soprano practice.mid", "Kyrie – Alto practice.mid",
        "Kyrie – Tenor practice.mid", "Kyrie – Bass practice.mid",
    ]  # fmt: skip
    assert all(files.read(path).steps == 8 for path in paths)
    shares = [event.share for event in events]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert [event.path for event in events][::2] == list(paths)


def test_the_voice_stands_out_in_the_sound(tmp_path: Path) -> None:
    mix = Mix(
        sound="organ", reverb=0.0, strips=(Strip(mute=True), Strip(solo=True), Strip(), Strip())
    )
    sounding = Sounding(mix=mix, style=PLAIN)
    usual, alto = tmp_path / "usual.wav", tmp_path / "alto.wav"
    everyone = Sounding(mix=Mix(sound="organ", reverb=0.0, strips=(Strip(),) * 4), style=PLAIN)
    jobs.run(practice_files.write_one(PIECE, usual, None, everyone))
    jobs.run(practice_files.write_one(PIECE, alto, Practice(voice=Voice.ALTO), sounding))

    ratios = [_partial(_sound(alto), pitch) / _partial(_sound(usual), pitch) for pitch in (72, 67)]
    assert ratios == [pytest.approx(0.4, rel=0.1), pytest.approx(1.6, rel=0.1)]


def test_metronome_and_count_in_are_in_the_sound(tmp_path: Path) -> None:
    with_beat, without = tmp_path / "beat.wav", tmp_path / "plain.wav"
    beat = Metronome(on=True, count_in="start")
    version = Practice(voice=Voice.BASS)
    jobs.run(practice_files.write_one(PIECE, without, version, Sounding(style=PLAIN)))
    jobs.run(practice_files.write_one(PIECE, with_beat, version, Sounding(style=PLAIN, beat=beat)))

    clicked, plain = _sound(with_beat), _sound(without)
    bar, quarter = 4 * 22_050, 22_050
    assert len(clicked) == len(plain) + bar
    counted = np.abs(clicked[:bar, 0].astype(int))
    loud = [counted[at : at + 600].max() for at in range(0, bar, quarter)]
    assert loud[0] > 1.1 * loud[1]
    assert all(counted[at + 2300 : at + quarter - 1].max() <= 1 for at in range(0, bar, quarter))
    between = slice(bar + 3000, bar + quarter)
    assert np.abs(clicked[between].astype(int) - plain[3000:quarter]).max() <= 4
    assert (
        np.abs(
            clicked[bar + quarter : bar + quarter + 500].astype(int)
            - plain[quarter : quarter + 500]
        ).max()
        > 3000
    )


def test_the_tempo_of_playback_is_that_of_a_midi_file(tmp_path: Path) -> None:
    path = tmp_path / "slow.mid"
    sounding = Sounding(style=Style(tempo_factor=0.5, fermata_stretch=1.0))

    jobs.run(practice_files.write_one(PIECE, path, None, sounding))

    assert files.read(path).tempo == 60


def test_a_closed_job_leaves_whole_files_only(tmp_path: Path) -> None:
    wanted = PracticeFiles(folder=tmp_path, title="Kyrie", suffix=".wav", versions=ALL)
    job = practice_files.write(PIECE, wanted)
    while next(job).share <= 0.25:
        pass
    job.close()

    assert [path.name for path in tmp_path.iterdir()] == ["Kyrie – Soprano practice.wav"]


def test_files_beside_those_that_exist_share_a_number(tmp_path: Path) -> None:
    wanted = PracticeFiles(folder=tmp_path, title="Kyrie", suffix=".mid", versions=ALL)
    assert wanted.beside() == wanted
    for title in ("Kyrie", "Kyrie (2)"):
        (tmp_path / f"{title} – Alto practice.mid").touch()

    assert [path.name for path in wanted.beside().paths][:2] == [
        "Kyrie (3) – Soprano practice.mid", "Kyrie (3) – Alto practice.mid",
    ]  # fmt: skip


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "Kyrie – Soprano practice.mid").mkdir()
    wanted = PracticeFiles(folder=tmp_path, title="Kyrie", suffix=".mid", versions=ALL)

    with pytest.raises(FileError, match=r"Kyrie – Soprano practice\.mid is not exported: "):
        jobs.run(practice_files.write(PIECE, wanted))


def test_only_audio_and_midi_are_for_practice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"neither audio nor MIDI: expected a name that ends in"):
        jobs.run(practice_files.write_one(PIECE, tmp_path / "a.svg", None, Sounding()))


AIR = Chorale.of([[72, 67, 64, 48]] * 16, title="Air")


def write_file(piece: Chorale, path: Path) -> Job[float, None]:
    yield 0.5
    files.write(piece, path)


def planned(folder: Path, *names: str, suffixes: tuple[str, ...] = (".mid",)) -> list[TakeFile]:
    return take_files.plan([NamedPiece(name, AIR) for name in names], folder, suffixes)


@pytest.mark.parametrize(
    ("title", "name", "stem"),
    [
        ("Air", "Slow", "Air – Slow"),
        ("Air", "Air", "Air"),
        ("Air", "Air (2)", "Air (2)"),
        ("", "Slow", "Slow"),
        ("a/b", "c:d", "ab – cd"),
    ],
)
def test_a_file_is_named_for_title_and_take(
    tmp_path: Path, title: str, name: str, stem: str
) -> None:
    piece = Chorale.of([[60, 55, 52, 48]], title=title)

    (file,) = take_files.plan([NamedPiece(name, piece)], tmp_path, [".mid"])

    assert file.path == tmp_path / f"{stem}.mid"


def test_equal_names_get_numbers_for_all_formats_alike(tmp_path: Path) -> None:
    found = planned(tmp_path, "Slow", "slow", "Slow?", suffixes=(".mid", ".mxl"))

    assert [file.path.name for file in found] == [
        "Air – Slow.mid", "Air – Slow.mxl",
        "Air – slow (2).mid", "Air – slow (2).mxl",
        "Air – Slow (3).mid", "Air – Slow (3).mxl",
    ]  # fmt: skip


def test_existing_files_are_found_or_kept(tmp_path: Path) -> None:
    (tmp_path / "Air – Slow.mxl").write_bytes(b"")
    takes = [NamedPiece("Slow", AIR), NamedPiece("Fast", AIR)]

    over = take_files.plan(takes, tmp_path, [".mid", ".mxl"])
    beside = take_files.plan(takes, tmp_path, [".mid", ".mxl"], beside=True)

    assert [file.path for file in over if file.path.exists()] == [tmp_path / "Air – Slow.mxl"]
    assert [file.path.stem for file in beside] == ["Air – Slow (2)"] * 2 + ["Air – Fast"] * 2
    assert not any(file.path.exists() for file in beside)


def test_all_files_are_written_with_progress(tmp_path: Path) -> None:
    found = planned(tmp_path / "new", "Air", "Slow", suffixes=(".mid", ".json"))
    events: list[TakeProgress] = []

    paths, sentence = jobs.run(take_files.write(found, write_file), events.append)

    assert sentence == f"Exported 2 takes as 4 files to {tmp_path / 'new'}"
    assert [event.share for event in events] == [number / 8 for number in range(8)]
    assert events[2].path == events[3].path == found[1].path
    assert paths == tuple(file.path for file in found)
    assert all(Chorale.read(path) == AIR for path in paths)


def test_what_a_format_cannot_hold_is_named_and_the_rest_written(tmp_path: Path) -> None:
    odd = Chorale.of([[60, 55, 52, 48]], title="Odd")
    takes = [NamedPiece("Odd", odd), NamedPiece("Air", AIR)]
    found = take_files.plan(takes, tmp_path, [".mid", ".mxl"])

    def write_some(piece: Chorale, path: Path) -> Job[float, None]:
        if piece is odd and path.suffix == ".mxl":
            raise DataError("a text holds what it cannot represent")
        return write_file(piece, path)

    paths, sentence = jobs.run(take_files.write(found, write_some))

    assert sentence.startswith(f"Exported 2 takes as 3 files to {tmp_path}; “Odd” is not among")
    assert "as .mxl: a text holds" in sentence
    assert sorted(path.name for path in paths) == ["Air.mid", "Air.mxl", "Odd.mid"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_a_file_that_cannot_be_written_ends_the_job(tmp_path: Path) -> None:
    found = planned(tmp_path, "Air", "Slow")
    (tmp_path / "Air – Slow.mid").mkdir()

    with pytest.raises(FileError, match=r"only 1 of 2 files were exported: cannot write .*Slow"):
        jobs.run(take_files.write(found, write_file))
    assert (tmp_path / "Air.mid").is_file()


def test_a_cancelled_job_keeps_what_is_written(tmp_path: Path) -> None:
    job = take_files.write(planned(tmp_path, "Air", "Slow"), write_file)
    for event in job:
        if event.path.stem == "Air – Slow":
            job.close()

    assert [path.name for path in tmp_path.iterdir()] == ["Air.mid"]
