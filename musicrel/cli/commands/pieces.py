"""The commands that play a piece, or write it in another file format: ``play``, ``convert``."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import Command, argument, flag
from musicrel.errors import FileError, UsageError
from musicrel.figures import exports
from musicrel.jobs import Job
from musicrel.project import SUFFIX
from musicrel.score.audio import audio_file
from musicrel.score.files import one_of
from musicrel.score.instruments import Sound, Sounds
from musicrel.score.midi.midi_writer import Practice
from musicrel.score.notation import repeats
from musicrel.score.performance import FERMATA_STRETCH, Style
from musicrel.score.verses import harmonies

if TYPE_CHECKING:
    from musicrel.playback.player import Player
    from musicrel.presentation.files.practice_files import PracticeFiles, PracticeProgress
    from musicrel.presentation.files.take_files import TakeProgress

_POLL_SECONDS: Final = 0.1  # time between two readings of the playhead
_MIDI: Final = (".mid", ".midi")


def _play(options: argparse.Namespace) -> None:
    from musicrel.playback.player import Player
    from musicrel.presentation.compose import position_text

    piece = inputs.read(options.source)
    slowest, fastest = position_text.tempo_bounds(piece.tempo)
    if options.tempo is not None and not slowest <= options.tempo <= fastest:
        raise UsageError(
            f"tempo is {options.tempo:g}: expected {slowest} to {fastest} quarters per minute"
        )
    style = Style(
        tempo_factor=options.tempo / piece.tempo if options.tempo else 1.0,
        fermata_stretch=1.0 if options.as_written else FERMATA_STRETCH,
    )
    mix = arguments.mix(options)
    with Player() as player:
        player.style = style
        player.mix = mix
        player.metronome = arguments.metronome(options)
        play_to_end(player, piece)


def play_to_end(
    player: Player, piece: Chorale, wait: Callable[[float], object] = time.sleep
) -> None:
    from musicrel.playback.audio import DeviceError
    from musicrel.presentation.compose import position_text

    player.load(piece)
    player.play(count_in=True)
    seconds = player.performance.times.seconds if player.performance else 0.0
    with output.ProgressBar(piece.title or "playing", round(seconds), "s") as bar:
        while player.playing:
            wait(_POLL_SECONDS)
            if player.problem:
                break
            times = player.performance.times if player.performance else None
            reached = times.seconds_at(player.position) if times else 0.0
            place = position_text.bar_and_beat(
                min(player.position, piece.steps - 1.0), piece.meter, piece.pickup
            )
            bar.set_done(int(reached), f"bar {place}")
    if player.problem:
        raise DeviceError(player.problem)


def _convert(options: argparse.Namespace) -> None:
    practice = arguments.given_practice(options)
    if _are_takes(options):
        if practice:
            raise UsageError(f"--takes writes the takes as they are: leave out {practice}")
        _write_takes(options)
    elif practice:
        _write_practice(options, practice)
    else:
        write = _writer(options, options.target)
        _check_new(options, [options.target])
        write(_piece(options), options.target)
        output.print_text(str(options.target))


def _piece(options: argparse.Namespace) -> Chorale:
    piece = inputs.read(options.source, options.take)
    return harmonies.in_order(piece) if options.all_verses else piece


def _check_new(options: argparse.Namespace, files: Iterable[Path]) -> None:
    for path in () if options.force else files:
        if os.path.exists(path):  # noqa: PTH110  # False, not an error, for a name that is too long
            raise FileError(f"{path} exists: choose another name, or add --force")


def _are_takes(options: argparse.Namespace) -> bool:
    if options.takes is None:
        if options.format is not None:
            raise UsageError("--format needs --takes, as in --takes all --format mid")
        return False
    if not all(name.strip() for name in options.takes.split(",")):
        raise UsageError(
            f"--takes {options.takes!r} has an empty name: expected all, rated, or names and "
            "numbers of takes as in 1,3"
        )
    if options.take:
        raise UsageError("--take and --takes exclude each other: name all takes in --takes")
    if not inputs.is_project(options.source):
        raise UsageError(
            f"{options.source} has no takes: expected --takes with a project ({SUFFIX})"
        )
    return True


def _write_takes(options: argparse.Namespace) -> None:
    from musicrel.presentation.files import take_files
    from musicrel.presentation.files.take_files import NamedPiece
    from musicrel.project import project_piece

    folder = options.target
    suffixes = [f".{name}" for name in arguments.formats(options.format or "mid")]
    writers = {suffix: _writer(options, folder / f"take{suffix}") for suffix in suffixes}
    takes, problems = project_piece.read_takes(options.source, options.takes)
    output.report(f"{options.source.name}: {sentence}" for sentence in problems)
    written = harmonies.in_order if options.all_verses else lambda piece: piece
    named = [NamedPiece(take.name, written(take.piece)) for take in takes]
    files = take_files.plan(named, folder, suffixes)
    _check_new(options, [file.path for file in files])
    paths.require_writable(folder)

    def write_file(piece: Chorale, path: Path) -> Job[float, None]:
        writers[path.suffix](piece, path)
        yield 1.0

    job = take_files.write(files, write_file)
    exported = output.followed(job, "takes", "files", _shares)
    for path in exported.paths:
        output.print_text(str(path))
    if len(exported.paths) < len(files):
        output.print_message(exported.sentence)


def _check_practice(options: argparse.Namespace, given: str) -> None:
    from musicrel.presentation.files import practice_files

    try:
        practice_files.check_suffix(options.target)
    except UsageError as reason:
        raise UsageError(f"{given}: {reason}") from reason
    exports.check_score(
        options.target, numerals=options.numerals, repeat_signs=options.repeat_signs
    )
    if options.markers:
        raise UsageError(f"{given} writes files without markers: leave out --markers")


def _write_practice(options: argparse.Namespace, given: str) -> None:
    from musicrel.presentation.files import practice_files

    target = options.target
    kind: Literal["louder", "left out"] = "left out" if options.minus_one else "louder"
    versions = tuple(Practice(voice=voice, kind=kind) for voice in options.practice or ())
    _check_practice(options, given)
    held = options.fermatas or ("written" if target.suffix.lower() in _MIDI else arguments.HELD)
    sounding = practice_files.Sounding(
        mix=arguments.mix(options),
        style=Style(fermata_stretch=FERMATA_STRETCH if held == arguments.HELD else 1.0),
        beat=arguments.metronome(options),
    )
    piece = _piece(options)
    audible, left_out = practice_files.audible(piece, versions)
    for sentence in left_out:
        output.print_message(sentence)
    if len(versions) <= 1:
        _check_new(options, [target])
        jobs.run(practice_files.write_one(piece, target, next(iter(versions), None), sounding))
        output.print_text(str(target))
        return
    wanted = practice_files.PracticeFiles(
        folder=target.parent,
        title=target.stem,
        suffix=target.suffix,
        versions=audible,
        sounding=sounding,
    )
    _check_new(options, wanted.paths)
    _write_all(piece, wanted)


def _write_all(piece: Chorale, wanted: PracticeFiles) -> None:
    from musicrel.presentation.files import practice_files

    job = practice_files.write(piece, wanted)
    for path in output.followed(job, "practice files", "files", _shares):
        output.print_text(str(path))


def _shares(event: PracticeProgress | TakeProgress) -> tuple[float, str, float]:
    return event.share, event.path.name, 1.0


def _writer(options: argparse.Namespace, target: Path) -> Callable[[Chorale, Path], None]:
    suffix = target.suffix.lower()
    plain = options.sound is None and options.soundfont is None
    numerals, repeat_signs = options.numerals, options.repeat_signs
    exports.check_score(target, numerals=numerals, repeat_signs=repeat_signs)
    if options.markers and suffix not in _MIDI:
        raise UsageError(f"{target} has no markers: expected a name that ends in {one_of(_MIDI)}")
    if (numerals or repeat_signs) and plain:
        return partial(_write_score, numerals=numerals, repeat_signs=repeat_signs)
    if plain and not options.markers:
        if inputs.is_project(target):
            from musicrel.project import project_piece

            project_piece.check_new(target)
            return project_piece.write_piece
        return exports.writer(target, others=(SUFFIX,))
    if suffix in audio_file.SUFFIXES:
        return partial(audio_file.write, mix=arguments.mix(options))
    if suffix in _MIDI and options.soundfont is None:
        return partial(_write_midi, markers=options.markers, sound=options.sound or "choir")
    raise UsageError(
        f"{target} has no place for instruments: expected --sound with audio or .mid, and "
        f"--soundfont with audio ({one_of(audio_file.SUFFIXES)})"
    )


def _write_score(piece: Chorale, path: Path, *, numerals: bool, repeat_signs: bool) -> None:
    exports.write_score(piece, path, numerals=numerals, repeat_signs=repeat_signs)
    if repeat_signs and not repeats.find(piece):
        output.print_message(f"{path.name} has no repeat signs: no bars come twice in a row")


def _write_midi(piece: Chorale, path: Path, *, markers: bool, sound: Sounds | Sound) -> None:
    jobs.run(exports.write_midi_job(piece, path, chords=markers, sound=sound))


COMMANDS: Final = {
    "play": Command(
        _play,
        (
            arguments.a_piece(),
            *arguments.SOUND,
            argument(
                "--tempo",
                "quarter notes per minute (default: that of the piece)",
                arguments.number("played tempo", "tempo"),
            ),
            flag("--as-written", "hold fermatas no longer than written"),
            *arguments.METRONOME,
        ),
    ),
    "convert": Command(
        _convert,
        (
            arguments.a_piece(metavar="IN", text=f"{arguments.A_PIECE}, or a project"),
            arguments.a_piece(
                "target",
                "OUT",
                f"a name that ends in {', '.join((*exports.WRITABLE, SUFFIX))}; with --takes a "
                "folder",
            ),
            argument(
                "--take",
                "name or number of a take of a project (default: the piece on its sheet)",
                default="",
                metavar="NAME",
            ),
            flag("--numerals", "analyse the chords and write Roman numerals (.musicxml and .mxl)"),
            flag(
                "--repeat-signs",
                "write what comes twice once, with repeat signs and endings (.musicxml and .mxl)",
            ),
            flag("--markers", "write chords, phrases and verses as markers for a DAW (.mid)"),
            flag("--all-verses", "write the verses one after the other, each with its own words"),
            *arguments.SOUND,
            *arguments.PRACTICE,
            argument(
                "--takes",
                "write several takes of a project into the folder OUT, as 'TITLE – TAKE.mid'",
                metavar="all|rated|NAME,NAME",
            ),
            argument(
                "--format",
                "with --takes: file formats, as in mid,mxl (default: mid)",
                metavar="LIST",
            ),
            flag("--force --replace", "replace files that exist"),
        ),
    ),
}
